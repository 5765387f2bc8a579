/** Holds work after a restore: work that changes another system waits until an operator releases it. */
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { HELD } from '../jobs/hold.ts';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { installation, jobs } from '../platform/schema.ts';

export interface Held {
  since: Date;
  /** When the restored backup was made. */
  backupOf: Date | null;
  /** Jobs that wait for a release. */
  jobs: number;
}

/** @returns null if nothing is held */
export async function heldWork(db: Db): Promise<Held | null> {
  const [row] = await db
    .select({ heldAt: installation.heldAt, backupOf: installation.backupOf })
    .from(installation);
  if (!row?.heldAt) return null;
  const waiting = await db.$count(jobs, and(isNull(jobs.endedAt), eq(jobs.waitWhy, HELD)));
  return { since: row.heldAt, backupOf: row.backupOf, jobs: waiting };
}

export interface Released {
  /** False if nothing was held. */
  released: boolean;
  /** Number of jobs that were waiting for the release. */
  jobs: number;
}

/** Releases held work: servers resume it within seconds. */
export async function releaseHeld(
  db: Db,
  audit: Audit,
  login: string,
  requestId: string | null = null,
): Promise<Released> {
  return db.transaction(async (tx) => {
    const [released] = await tx
      .update(installation)
      .set({ heldAt: null })
      .where(isNotNull(installation.heldAt))
      .returning({ id: installation.id });
    if (!released) return { released: false, jobs: 0 };
    const woken = await tx
      .update(jobs)
      .set({ waitUntil: null })
      .where(and(isNull(jobs.endedAt), eq(jobs.waitWhy, HELD)))
      .returning({ id: jobs.id });
    await audit.writeAll(tx, [
      { login, tool: 'operation', event: 'restore-released', detail: { jobs: woken.length }, requestId },
    ]);
    return { released: true, jobs: woken.length };
  });
}
