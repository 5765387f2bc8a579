/** Work whose end its owner may still wait for: it goes on, or has ended within a day and no one has opened it since. */
import { and, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { jobs } from '../platform/schema.ts';

export function isToBeSeen(): SQL | undefined {
  return or(isNull(jobs.endedAt), and(isNull(jobs.seenAt), gt(jobs.endedAt, sql`now() - interval '1 day'`)));
}
