/** The work of the review while the server does it: true numbers, and an estimate made of them. Pure. */
import type { ProgressLine } from '@lms-admin/contract/enrollments';

export interface PlanProgress {
  stage: ProgressLine['progress'];
  done: number;
  total: number;
  notFound: number;
  failed: number;
  /** Milliseconds at which the stage began, by the clock that the caller uses. */
  since: number;
  now: number;
}

/** The next figures. A line that is older than what is shown (fewer done) does not turn the bar back. */
export function advance(before: PlanProgress | null, line: ProgressLine, now: number): PlanProgress {
  const sameStage = before?.stage === line.progress;
  return {
    stage: line.progress,
    done: sameStage ? Math.max(before.done, line.done) : line.done,
    total: line.total,
    notFound: Math.max(before?.notFound ?? 0, line.not_found),
    failed: line.failed,
    since: sameStage ? before.since : now,
    now,
  };
}

/** Percent done, whole, 0 to 100. */
export function percent({ done, total }: Pick<PlanProgress, 'done' | 'total'>): number {
  return total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100));
}

/** Seconds still to go by the pace so far; null while there is too little to judge by. */
export function secondsLeft(work: Pick<PlanProgress, 'done' | 'total' | 'since' | 'now'>): number | null {
  const { done, total, since, now } = work;
  const elapsed = (now - since) / 1000;
  if (elapsed < 1 || done < 3 || done >= total) return null;
  return Math.max(1, Math.round(((total - done) * elapsed) / done));
}
