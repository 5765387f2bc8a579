import { messages } from '@lms-admin/contract/messages';
import { zoomRunMessages } from '@lms-admin/contract/messages/zoom-run';
import type { RunDays } from '@lms-admin/contract/zoom-runs';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router';
import { jobsChanged } from '../../api/jobs.ts';
import { useProfile } from '../../api/session.ts';
import { clearStored } from '../../api/stored-state.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CheckIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import type { ProgressProps } from '../../components/Wizard/wizard-definition.ts';
import { nextRun, queuedName } from './Queue.tsx';
import { meanwhile, type QueueChange } from './queue-change.ts';
import { readCourses, readQueue, saveQueue, startRun } from './queue-query.ts';
import type { RunAction, RunState } from './run-state.ts';
import { texts } from './texts.ts';
import type { RunWork } from './useRunWork.ts';

const words = texts.completed;
/** Used in place of a job ID after the queue has been saved, which starts no job. */
const SAVED = 'queue';

type CompletedProps = ProgressProps<RunState, RunAction, RunWork>;

/** Step 'Completed' (ZR-06, ZR-07): sends the confirmed run or queue once; shows the result, even after a reload. */
export function Completed({ state, dispatch, work, onHome }: CompletedProps) {
  const { mode, days, submission } = state;
  const { email } = useProfile().sub_account;
  const { search, change } = work;
  const sent = useQuery({
    queryKey: ['zoom-run-send', submission.key],
    queryFn: async () => {
      if (mode === 'once') return startRun(search.number ?? 0, days, email, submission.key);
      await saveQueue(change, days, email);
      return SAVED;
    },
    enabled: submission.import === null && (mode === 'queue' || search.number !== null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: result } = sent;
  useEffect(() => {
    if (result === undefined) return;
    dispatch({ type: 'submitted', import: result });
    dispatch({ type: 'logged', what: 'ended' });
    jobsChanged();
  }, [result, dispatch]);
  const sentNow = submission.import !== null;
  useEffect(() => {
    // A reload shows the result again. Leaving the tool and returning to it shows an empty form.
    if (!sentNow) return undefined;
    return () => clearStored('zoom-run');
  }, [sentNow]);

  if (submission.import === null) {
    if (sent.error === null || sent.isFetching)
      return (
        <>
          <Typography>{words.sending[mode]}</Typography>
          <Skeletons lines={2} label={words.sending[mode]} />
        </>
      );
    return (
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <ErrorState error={sent.error} title={words.failed[mode]} onRetry={() => void sent.refetch()} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button variant="outlined" onClick={() => dispatch({ type: 'not-sent' })}>
            {words.backToReview}
          </Button>
          <Button onClick={onHome}>{messages.wizard.home}</Button>
        </Box>
      </Box>
    );
  }
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', justifyItems: 'start' }}>
      {mode === 'once' ? (
        <Done
          text={zoomRunMessages.completed}
          to={`${ACTIVITY_PATH}/${submission.import}`}
          link={texts.completed.show}
        />
      ) : (
        <>
          <Done
            text={change.added.length > 0 ? zoomRunMessages.completed : words.saved}
            to={`${ACTIVITY_PATH}?tool=zoom-run`}
            link={words.showRuns}
          />
          <QueueNow change={change} days={days} of={submission.key ?? ''} />
        </>
      )}
      <Button variant="contained" onClick={onHome}>
        {messages.wizard.home}
      </Button>
    </Box>
  );
}

function Done({ text, to, link }: { text: string; to: string; link: string }) {
  const announce = useAnnounce();
  useEffect(() => announce(text), [announce, text]);
  return (
    <Alert severity="success" icon={<CheckIcon />} sx={{ width: '100%' }}>
      {text}{' '}
      <Link component={RouterLink} to={to}>
        {link}
      </Link>
    </Alert>
  );
}

/** The queue after saving, and whether others have changed it in the meantime (OP-62). */
function QueueNow({ change, days, of }: { change: QueueChange; days: RunDays; of: string }) {
  const { time_zone } = useProfile().userProfile;
  const queue = useQuery({
    queryKey: ['zoom-queue', 'saved', of],
    queryFn: async ({ signal }) => {
      const now = await readQueue(signal);
      // The queue does not contain courses that others have removed, so the names of these are loaded separately.
      const { removed } = meanwhile(change, days, now.courses);
      return { now, gone: await readCourses(removed, signal) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (queue.isError)
    return <ErrorState error={queue.error} title={words.unread} onRetry={() => void queue.refetch()} />;
  if (queue.data === undefined) return <Skeletons lines={1} label={texts.queue.loading} />;
  const { now, gone } = queue.data;
  const { courseIds, courses } = now;
  const others = meanwhile(change, days, courses);
  const nameOf = (id: number) =>
    queuedName(courses.find((one) => one.id === id) ?? gone.get(id) ?? { id, code: '', name: '' });
  const list = (ids: readonly number[]) => ids.map(nameOf).join(', ');
  return (
    <>
      <Typography>
        {words.now(courseIds.length)}{' '}
        {courseIds.length > 0 && texts.queue.next(now.every_hours, nextRun(now, time_zone))}
      </Typography>
      {(others.added.length > 0 || others.removed.length > 0 || others.otherDays.length > 0) && (
        <Notice tone="info" title={words.meanwhile}>
          {others.added.length > 0 && <Typography>{words.theyAdded(list(others.added))}</Typography>}
          {others.removed.length > 0 && <Typography>{words.theyRemoved(list(others.removed))}</Typography>}
          {others.otherDays.map(({ id, days: theirs, added_by: by }) => (
            <Typography key={id}>{words.otherDays(nameOf(id), theirs, by)}</Typography>
          ))}
        </Notice>
      )}
    </>
  );
}
