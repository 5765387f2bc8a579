import type { Job } from '@lms-admin/contract/jobs';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { failureTitle } from './failure-words.ts';
import { texts } from './texts.ts';
import type { Changes } from './useChanges.ts';

const words = texts.running;
/** Milliseconds. A course that is in use by another job is free again sooner than this. */
const LONG_MS = 60_000;
const NONE: ReadonlySet<number> = new Set();

/** Tells whether a job has a long wait: until a host's next day, not just until a course is free. */
export function waitsLong(job: Job | null): boolean {
  const until = job?.waiting?.until ?? null;
  return until !== null && Date.parse(until) - Date.now() > LONG_MS;
}

/** Tells whether the open form has to wait until another change to the course has finished. */
export function isHeld({ state, watch }: Pick<Changes, 'state' | 'watch'>): boolean {
  return state.aside && state.running !== null && !waitsLong(watch.seen.job);
}

/** The state of a change that was running when the form of another one was opened. */
export function AsideNote({ changes }: { changes: Changes }) {
  const announce = useAnnounce();
  const { saved, failure } = changes.state;
  const failed = failure === null ? null : words.asideFailed(failureTitle(failure, NONE));
  const held = isHeld(changes) ? words.aside : null;
  const title = failed ?? (saved === null ? held : words.asideDone);
  useEffect(() => {
    if (title !== null) announce(title, failed === null ? 'polite' : 'assertive');
  }, [title, failed, announce]);
  if (title === null) return null;
  return (
    <Notice tone={failed === null ? 'info' : 'warning'} title={title}>
      {failed !== null && <Typography>{words.asideNext}</Typography>}
    </Notice>
  );
}
