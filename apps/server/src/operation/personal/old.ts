/** Removes data whose retention period has ended: entries of Activity, lines of the audit, counts of past days. */
import { and, count, inArray, isNotNull, lt, min, notInArray, sql } from 'drizzle-orm';
import type { RetentionConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/database.ts';
import { audit, imports, jobs, zoomHostDays } from '../../platform/schema.ts';

/** Entries removed in one transaction. */
const AT_ONCE = 500;
/** Zoom limits a host's changes per day: older counts limit nothing. */
const HOST_DAYS = 2;

/** Runs one round. It is safe to run it at any time, and twice. */
export async function removeOld(db: Db, { historyDays, auditDays }: RetentionConfig): Promise<void> {
  await db
    .delete(zoomHostDays)
    .where(
      sql`${zoomHostDays.day} < to_char(now() at time zone 'utc' - ${HOST_DAYS}::int * interval '1 day', 'YYYY-MM-DD')`,
    );
  if (auditDays !== null) await db.delete(audit).where(lt(audit.at, daysAgo(auditDays)));
  if (historyDays === null) return;
  for (;;) {
    const removed = await removeEntries(db, historyDays);
    if (removed < AT_ONCE) return;
  }
}

/** Returns the next removals of these rounds: their number, and the time of the oldest; null if nothing will be due. */
export async function nextRemoved(db: Db, { historyDays, auditDays }: RetentionConfig) {
  const [[line], [entry]] = await Promise.all([
    db.select({ number: count(), oldest: min(audit.at) }).from(audit),
    db
      .select({ number: count(), oldest: min(jobs.endedAt) })
      .from(jobs)
      .where(isNotNull(jobs.forgottenAt)),
  ]);
  const due = (oldest: Date | null | undefined, days: number | null) =>
    oldest && days !== null ? new Date(oldest.getTime() + days * DAY_MS) : null;
  return {
    audit: { number: line?.number ?? 0, days: auditDays, next: due(line?.oldest, auditDays) },
    history: { number: entry?.number ?? 0, days: historyDays, next: due(entry?.oldest, historyDays) },
  };
}

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => sql`now() - ${days}::int * interval '1 day'`;

/** Removes entries without any remaining details, unless an entry that stays undoes them. */
async function removeEntries(db: Db, days: number): Promise<number> {
  const undone = db.select({ id: jobs.undoes }).from(jobs).where(isNotNull(jobs.undoes));
  const old = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isNotNull(jobs.forgottenAt), lt(jobs.endedAt, daysAgo(days)), notInArray(jobs.id, undone)))
    .limit(AT_ONCE);
  const ids = old.map(({ id }) => id);
  if (ids.length > 0)
    await db.transaction(async (tx) => {
      await tx.delete(imports).where(inArray(imports.id, ids));
      await tx.delete(jobs).where(inArray(jobs.id, ids));
    });
  return ids.length;
}
