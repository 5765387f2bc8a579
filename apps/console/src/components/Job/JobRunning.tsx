import { type ReactNode, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { clockFormat } from '../moments.ts';
import { CancelButton } from './CancelButton.tsx';
import { JobProgress } from './JobProgress.tsx';
import type { JobSeen } from './job-watch.ts';
import { barOf, factsOf, numbersOf } from './job-words.ts';
import { texts } from './texts.ts';
import { useMilestones } from './useMilestones.ts';
import { lostSight, type Watch } from './watch.ts';

export interface JobRunningProps {
  watch: Watch<JobSeen>;
  onRetry: () => void;
  /** Text before the first answer. */
  start?: string;
  /** A cancel button other than the usual one. */
  cancel?: ReactNode;
}

/** A running job, as its record describes it. */
export function JobRunning({ watch, onRetry, start = texts.start, cancel }: JobRunningProps) {
  const { job, pace } = watch.seen;
  const { time_zone } = useProfile().userProfile;
  const [opened] = useState(Date.now);
  const stage = job?.stage || (job?.state === 'queued' ? texts.states.queued : pace?.stage || start);
  const numbers = numbersOf(job?.progress ?? null);
  const percent = barOf(job?.progress ?? null, pace);
  useMilestones(stage, percent, numbers);
  return (
    <JobProgress
      stage={stage}
      numbers={numbers}
      bar={{ label: stage, percent }}
      facts={job === null ? [] : factsOf(job, pace, clockFormat(time_zone, opened))}
      lost={lostSight(watch) ? lostText(watch.gaveUp, onRetry) : null}
      cancel={cancel ?? (job === null ? undefined : <CancelButton job={job} onRequested={onRetry} />)}
    />
  );
}

function lostText(gaveUp: boolean, onRetry: () => void) {
  return gaveUp ? { text: texts.gaveUp, onRetry } : { text: texts.lost };
}
