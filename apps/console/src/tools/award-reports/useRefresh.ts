import type { AwardStats } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { useEffect, useRef } from 'react';
import { awardChanged, startRefresh } from '../../api/awards.ts';
import { jobsChanged } from '../../api/jobs.ts';
import { useWrite } from '../../api/useWrite.ts';
import type { JobSeen } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import type { Watch } from '../../components/Job/watch.ts';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';

const words = awardReportMessages;

export interface Refresh {
  /** Called when the chip is pressed (BTA-16, BTA-17). */
  press: () => void;
  /** Starts the refresh again after a failure. */
  start: () => void;
  /** Whether the answer to the start is pending. */
  starting: boolean;
  /** Why the refresh could not be started. */
  error: unknown;
  /** The administrator's own running job; another administrator's job is visible only in `stats.refresh`. */
  watch: Watch<JobSeen>;
  onRetry: () => void;
}

/**
 * Follows the refresh of the survey: a job named by `stats`, which another administrator or an earlier screen may have
 * started.
 */
export function useRefresh(
  stats: AwardStats | null,
  { show, close }: Pick<ToastsWork, 'show' | 'close'>,
): Refresh {
  const running = stats?.refresh ?? null;
  const { state: watch, pollNow } = useJob(running?.own === true ? running.job : null);
  const asOf = stats?.createdAt ?? null;
  /** The toast about the running refresh: when the figures at its start were read, and whether it was seen running. */
  const underWay = useRef<{ id: number; asOf: string | null; seen: boolean } | null>(null);
  const request = useWrite({
    mutationFn: startRefresh,
    onSuccess({ status }) {
      const id = show(status === 'up-to-date' ? words.fresh : words.refreshing, 'info');
      underWay.current = status === 'up-to-date' ? null : { id, asOf, seen: false };
      jobsChanged();
      return awardChanged();
    },
  });

  const { job } = watch.seen;
  const ended = job !== null && hasEnded(job);
  useEffect(() => {
    if (!ended) return;
    jobsChanged();
    void awardChanged();
  }, [ended]);
  const goesOn = running !== null && !ended;
  useEffect(() => {
    // The toast must not say 'running' beside the result. If a refresh ends immediately, only the figures change.
    const notice = underWay.current;
    if (notice === null) return;
    if (goesOn) notice.seen = true;
    else if (notice.seen || notice.asOf !== asOf) {
      close(notice.id);
      underWay.current = null;
    }
  }, [goesOn, asOf, close]);

  const survey = stats?.survey_id ?? null;
  const start = () => {
    if (survey !== null && !request.isPending) request.write(survey);
  };
  return {
    start,
    press: () => (stats?.up_to_date === true ? show(words.fresh, 'info') : start()),
    starting: request.isPending,
    error: request.isPending ? null : request.error,
    watch,
    onRetry: pollNow,
  };
}
