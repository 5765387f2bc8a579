/** Jobs whose end the owner may not have seen: still in progress, or ended within a day and not opened since. */
import { and, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { jobs } from '../platform/schema.ts';

export function isToBeSeen(): SQL | undefined {
  return or(isNull(jobs.endedAt), and(isNull(jobs.seenAt), gt(jobs.endedAt, sql`now() - interval '1 day'`)));
}
