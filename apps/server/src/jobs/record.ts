/**
 * Adds work that is done within a request to the list of jobs. It is recorded once it has ended, and never executed.
 * Items with one key belong to one job: the first creates it, later ones are added.
 */

import { randomUUID } from 'node:crypto';
import type { ToolId } from '@lms-admin/contract/tools';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Db } from '../platform/database.ts';
import { jobItems, jobs } from '../platform/schema.ts';

export interface RecordedWork {
  kind: string;
  tool: ToolId;
  /** Groups items into one job, for this admin and kind. */
  key: string;
  /** Name of the items, in the plural. */
  unit: string;
  /** Title of the job for this number of items. */
  label: (items: number) => string;
  /** Figures of the result. */
  figures: (done: number, failed: number) => [string, number][];
}

export interface RecordedItem {
  /** Identifies a repeat: a failed item takes the new state, a successful one keeps its own. */
  identity: string;
  label: string;
  end: { outsideId: string; message: string } | { problem: { message: string; next: string } };
}

/**
 * Adds items to the record, in the transaction that stores the work itself. Of two items with the same identity, the
 * later one counts, unless the earlier one was done.
 * @returns id of the job
 */
export async function recordItems(
  tx: Db,
  who: Pick<Admin, 'login' | 'name' | 'canvasUserId'>,
  work: RecordedWork,
  items: readonly RecordedItem[],
): Promise<string> {
  const id = await lockedJob(tx, who, work);
  const before = await itemsOf(
    tx,
    id,
    items.map(({ identity }) => identity),
  );
  let { done, failed, next } = before;
  const rows = new Map<number, typeof jobItems.$inferInsert>();
  for (const { identity, label, end } of items) {
    const known = before.known.get(identity) ?? { seq: next, state: null };
    if (known.state === 'done') continue;
    if (known.seq === next) next++;
    if (known.state === 'failed') failed--;
    const ended = endOf(end);
    if (ended.state === 'done') done++;
    else failed++;
    before.known.set(identity, { seq: known.seq, state: ended.state });
    rows.set(known.seq, { jobId: id, seq: known.seq, label, input: { identity }, ...ended });
  }
  if (rows.size === 0) return id;
  await tx
    .insert(jobItems)
    .values([...rows.values()])
    .onConflictDoUpdate({
      target: [jobItems.jobId, jobItems.seq],
      set: {
        label: sql`excluded.label`,
        state: sql`excluded.state`,
        outsideId: sql`excluded.outside_id`,
        message: sql`excluded.message`,
      },
    });
  const outcome = failed === 0 ? 'done' : done === 0 ? 'failed' : 'partly';
  const problem = items.flatMap(({ end }) => ('problem' in end ? end.problem : [])).at(-1) ?? null;
  const now = new Date();
  await tx
    .update(jobs)
    .set({
      state: outcome === 'failed' ? 'failed' : 'done',
      outcome,
      label: work.label(done + failed),
      done: done + failed,
      total: done + failed,
      figures: work.figures(done, failed),
      problem: outcome === 'failed' ? problem : null,
      endedAt: now,
      updatedAt: now,
      // The response already tells the admin how it ended, so there is nothing left to announce.
      seenAt: now,
      forgottenAt: null,
    })
    .where(eq(jobs.id, id));
  return id;
}

function endOf(end: RecordedItem['end']) {
  return 'problem' in end
    ? { state: 'failed' as const, outsideId: null, message: `${end.problem.message} ${end.problem.next}` }
    : { state: 'done' as const, outsideId: end.outsideId, message: end.message };
}

/** Finds or creates the job's row, and locks it until the transaction ends. */
async function lockedJob(
  tx: Db,
  who: Pick<Admin, 'login' | 'name' | 'canvasUserId'>,
  { kind, tool, key, unit, label }: RecordedWork,
): Promise<string> {
  const now = new Date();
  const { login, name, canvasUserId } = who;
  // The job is created as ended, so it is never executed. On a conflict this statement also locks the row.
  const [row] = await tx
    .insert(jobs)
    .values({
      id: randomUUID(),
      kind,
      tool,
      login,
      name,
      canvasUserId,
      label: label(1),
      key,
      unit,
      state: 'done',
      outcome: 'done',
      createdAt: now,
      startedAt: now,
      endedAt: now,
    })
    .onConflictDoUpdate({ target: [jobs.login, jobs.kind, jobs.key], set: { updatedAt: now } })
    .returning({ id: jobs.id });
  if (!row) throw new Error(`the record of ${kind} is not made`);
  return row.id;
}

interface ItemsSoFar {
  done: number;
  failed: number;
  /** Number of the next new item. */
  next: number;
  /** Number and state of the existing items with these identities. */
  known: Map<string, { seq: number; state: string | null }>;
}

async function itemsOf(tx: Db, jobId: string, identities: readonly string[]): Promise<ItemsSoFar> {
  const identity = sql<string>`${jobItems.input}->>'identity'`;
  const [row] = await tx
    .select({
      done: sql<number>`(count(*) filter (where ${jobItems.state} = 'done'))::int`,
      failed: sql<number>`(count(*) filter (where ${jobItems.state} = 'failed'))::int`,
      next: sql<number>`coalesce(max(${jobItems.seq}) + 1, 0)::int`,
      known: sql<[string, number, string][]>`coalesce(
        jsonb_agg(jsonb_build_array(${identity}, ${jobItems.seq}, ${jobItems.state}))
          filter (where ${inArray(identity, [...identities])}), '[]')`,
    })
    .from(jobItems)
    .where(eq(jobItems.jobId, jobId));
  if (!row) throw new Error('a count without an answer');
  return { ...row, known: new Map(row.known.map(([id, seq, state]) => [id, { seq, state }])) };
}
