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
  /** The chip was pressed (BTA-16, BTA-17). */
  press: () => void;
  /** Asks for it again, after it failed. */
  start: () => void;
  /** Its answer is awaited. */
  starting: boolean;
  /** Why it was not started. */
  error: unknown;
  /** One's own job while it goes on; of somebody else's only `stats.refresh` tells. */
  watch: Watch<JobSeen>;
  onAgain: () => void;
}

/** The refresh of the survey: a job that is found again by `stats`, anyone who started it and wherever one has been since. */
export function useRefresh(
  stats: AwardStats | null,
  { show, close }: Pick<ToastsWork, 'show' | 'close'>,
): Refresh {
  const running = stats?.refresh ?? null;
  const { state: watch, pollNow } = useJob(running?.own === true ? running.job : null);
  const asOf = stats?.createdAt ?? null;
  /** The toast that says that it goes on: of which figures it was started, and whether it has been seen running. */
  const underWay = useRef<{ id: number; asOf: string | null; seen: boolean } | null>(null);
  const asked = useWrite({
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
    // Beside its result it would still say that it goes on. One that is over at once brings new figures only.
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
    if (survey !== null && !asked.isPending) asked.write(survey);
  };
  return {
    start,
    press: () => (stats?.up_to_date === true ? show(words.fresh, 'info') : start()),
    starting: asked.isPending,
    error: asked.isPending ? null : asked.error,
    watch,
    onAgain: pollNow,
  };
}
