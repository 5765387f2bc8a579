import type { Job } from '@lms-admin/contract/jobs';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { failureTitle } from './failure-words.ts';
import { texts } from './texts.ts';
import type { Changes } from './useChanges.ts';

const words = texts.running;
/** A course that another job is using is free again sooner (milliseconds). */
const LONG_MS = 60_000;
const NONE: ReadonlySet<number> = new Set();

/** Whether a job waits for longer than a busy moment: for the next day of a host. */
export function waitsLong(job: Job | null): boolean {
  const until = job?.waiting?.until ?? null;
  return until !== null && Date.parse(until) - Date.now() > LONG_MS;
}

/** Whether the open form has to wait for another running change of the course. */
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
