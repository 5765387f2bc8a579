/** What is new about the person's own work between two polls, and how the title tells it. Pure. */
import type { JobSummary } from '@lms-admin/contract/jobs';

type Ended = JobSummary['ended'][number];

/** Jobs that have ended since the look before; none at the first look, when all of it is old. */
export function endedSince(before: JobSummary | null, now: JobSummary): Ended[] {
  if (before === null) return [];
  const known = new Set(before.ended.map(({ id }) => id));
  // A list that was full pushes its oldest out: what is older than all that was known is no news.
  const oldest = before.ended.at(-1)?.ended_at ?? '';
  return now.ended.filter(({ id, ended_at }) => !known.has(id) && (ended_at ?? '') >= oldest);
}

/** The mark before the title: what ended unseen, else how much runs. */
export function titleMark(running: number, unread: readonly Pick<Ended, 'outcome'>[]): string {
  if (unread.some(({ outcome }) => outcome === 'failed' || outcome === 'partly')) return '⚠';
  if (unread.length > 0) return '✓';
  return running > 0 ? `(${running})` : '';
}
