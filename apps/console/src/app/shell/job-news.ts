/** Changes in the administrator's own work between two polls, and the mark in the page title. Pure. */
import type { JobSummary } from '@lms-admin/contract/jobs';

type Ended = JobSummary['ended'][number];

/**
 * Finds the jobs that have ended since the previous poll; none at the first poll, which has nothing to compare with.
 */
export function endedSince(before: JobSummary | null, now: JobSummary): Ended[] {
  if (before === null) return [];
  const known = new Set(before.ended.map(({ id }) => id));
  // A full list drops its oldest entries, so jobs older than all known ones are not new.
  const oldest = before.ended.at(-1)?.ended_at ?? '';
  return now.ended.filter(({ id, ended_at }) => !known.has(id) && (ended_at ?? '') >= oldest);
}

/**
 * Returns the mark before the title: for finished work that has not been seen, otherwise the number of running jobs.
 */
export function titleMark(running: number, unread: readonly Pick<Ended, 'outcome'>[]): string {
  if (unread.some(({ outcome }) => outcome === 'failed' || outcome === 'partly')) return '⚠';
  if (unread.length > 0) return '✓';
  return running > 0 ? `(${running})` : '';
}
