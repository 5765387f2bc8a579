/**
 * Changes that a job makes in other systems, one item at a time. An item is marked `doing` before it is done; after a
 * crash, `find` checks whether it was done before it is done again. A step is one statement under the lease: it ends
 * one item and begins the next.
 */
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { jobItems } from '../platform/schema.ts';
import { LeaseLost } from './lease.ts';

export interface NewItem {
  label: string;
  input: unknown;
}

export type ItemRow = typeof jobItems.$inferSelect;

export type ItemCounts = Record<ItemRow['state'], number>;

/** How an item ended. `todo` means that it has to wait for the reason in `message`, and is left for a later turn. */
export interface ItemEnd {
  state: 'done' | 'failed' | 'unknown' | 'todo';
  outsideId?: string | null;
  message?: string | null;
  /** New input to store with the end; without it the input stays as it is. */
  input?: unknown;
}

export interface EachItem {
  /** Does the item. An error ends the job's turn, and the item stays `doing`. */
  do(item: ItemRow): Promise<ItemEnd>;
  /** Finds out after a crash how the item ended; null if it was certainly not done. */
  find(item: ItemRow): Promise<ItemEnd | null>;
  /** Called before each item; throw `Cancelled` to end in between, and anything else to end the job's turn. */
  between?(): void | Promise<void>;
  /** Maximum number of items done at the same time; 1 by default. */
  atOnce?: number;
  /** Checkpoint to store in the statement that ends an item. */
  checkpoint?(): Record<string, unknown>;
}

/** Items written or read together in one statement. */
const AT_ONCE = 500;

/** State of the job's record after a step. */
export interface Stepped {
  done: number;
  total: number | null;
}

/** Other changes that a step writes together with the items. */
interface Beside {
  total?: number | null;
  checkpoint?: Record<string, unknown> | null;
}

/** An item that has ended; the next step writes it. */
type Ended = ItemEnd & { seq: number };

export class JobItems {
  readonly #db: Db;
  readonly #jobId: string;
  readonly #owner: string;
  readonly #onStep: (stepped: Stepped) => void;

  /**
   * @param owner the holder of the job's lease
   * @param onStep called after each item that has ended
   */
  constructor(db: Db, jobId: string, owner: string, onStep: (stepped: Stepped) => void) {
    this.#db = db;
    this.#jobId = jobId;
    this.#owner = owner;
    this.#onStep = onStep;
  }

  /** Stores the items of the job; does nothing if the job has items already. */
  async plan(items: readonly NewItem[]): Promise<void> {
    const jobId = this.#jobId;
    await this.#db.transaction(async (tx) => {
      const [any] = await tx
        .select({ seq: jobItems.seq })
        .from(jobItems)
        .where(eq(jobItems.jobId, jobId))
        .limit(1);
      if (any) return;
      for (let at = 0; at < items.length; at += AT_ONCE) {
        await tx
          .insert(jobItems)
          .values(
            items.slice(at, at + AT_ONCE).map((item, offset) => ({ jobId, seq: at + offset, ...item })),
          );
      }
      await this.#step(tx, null, null, { total: items.length });
    });
  }

  /** Does all remaining items in order. An error is thrown only after the items under way have ended. */
  async each(work: EachItem): Promise<void> {
    const line = this.#left();
    const stop = new AbortController();
    const workers = Array.from({ length: work.atOnce ?? 1 }, () =>
      this.#follow(work, line, stop.signal).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    );
    const ends = await Promise.allSettled(workers);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Stores new input for an item under way before the item is done. @throws LeaseLost */
  async remember(seq: number, input: unknown): Promise<void> {
    const mine = sql`exists (select 1 from jobs where id = ${this.#jobId} and lease_owner = ${this.#owner})`;
    const rows = await this.#db
      .update(jobItems)
      .set({ input })
      .where(and(eq(jobItems.jobId, this.#jobId), eq(jobItems.seq, seq), mine))
      .returning({ seq: jobItems.seq });
    if (rows.length === 0) throw new LeaseLost();
  }

  /** Returns the items that have not ended, in order. */
  async rest(): Promise<ItemRow[]> {
    const rows: ItemRow[] = [];
    for await (const row of this.#left()) rows.push(row);
    return rows;
  }

  /** Returns all items, in order. */
  all(): Promise<ItemRow[]> {
    return this.#db.select().from(jobItems).where(eq(jobItems.jobId, this.#jobId)).orderBy(asc(jobItems.seq));
  }

  /** Changes the messages of remaining items. @param words messages by item number @throws LeaseLost */
  async reword(words: ReadonlyMap<number, string>): Promise<void> {
    for (const [seq, message] of words) await this.#step(this.#db, { seq, state: 'todo', message }, null, {});
  }

  /** Counts the items in each state. */
  counts(): Promise<ItemCounts> {
    return countItems(this.#db, this.#jobId);
  }

  /** Works through the items of a queue until it is empty, or until `stop` aborts. */
  async #follow(work: EachItem, line: AsyncIterator<ItemRow, void, void>, stop: AbortSignal): Promise<void> {
    let ended: Ended | null = null;
    const write = async (next: number | null) => {
      const checkpoint = (ended && work.checkpoint?.()) ?? null;
      if (ended !== null || next !== null) await this.#step(this.#db, ended, next, { checkpoint });
      ended = null;
    };
    for (;;) {
      const next = stop.aborted ? null : await line.next();
      if (next === null || next.done || stop.aborted) break;
      const item = next.value;
      try {
        await work.between?.();
      } catch (error) {
        await write(null);
        throw error;
      }
      const found = item.state === 'doing' ? await work.find(item) : null;
      await write(found === null ? item.seq : null);
      ended = { seq: item.seq, ...(found ?? (await work.do(item))) };
    }
    await write(null);
  }

  async *#left(): AsyncGenerator<ItemRow, void, void> {
    let seq = -1;
    for (;;) {
      const rows = await this.#db
        .select()
        .from(jobItems)
        .where(
          and(
            eq(jobItems.jobId, this.#jobId),
            gt(jobItems.seq, seq),
            sql`${jobItems.state} in ('todo', 'doing')`,
          ),
        )
        .orderBy(asc(jobItems.seq))
        .limit(AT_ONCE);
      yield* rows;
      if (rows.length < AT_ONCE) return;
      seq = rows.at(-1)?.seq ?? seq;
    }
  }

  /**
   * Ends one item and begins another, in one statement.
   * @throws LeaseLost
   */
  async #step(
    on: Db,
    ended: Ended | null,
    next: number | null,
    { total = null, checkpoint = null }: Beside,
  ): Promise<void> {
    const done = ended === null || ended.state === 'todo' ? 0 : 1;
    const input = ended?.input === undefined ? null : JSON.stringify(ended.input);
    const rows = await on.execute(sql`
      with mine as (
        update jobs set done = done + ${done}::int, total = coalesce(${total}::int, total), attempts = 0, updated_at = now(),
          checkpoint = coalesce(${checkpoint === null ? null : JSON.stringify(checkpoint)}::jsonb, checkpoint)
        where id = ${this.#jobId} and lease_owner = ${this.#owner} returning id, done, total
      ), changed as (
        update job_items set
          state = case when seq = ${ended?.seq ?? -1}::int then ${ended?.state ?? ''} else 'doing' end,
          outside_id = case when seq = ${ended?.seq ?? -1}::int then ${ended?.outsideId ?? null}::text else outside_id end,
          message = case when seq = ${ended?.seq ?? -1}::int then ${ended?.message ?? null}::text else message end,
          input = case when seq = ${ended?.seq ?? -1}::int then coalesce(${input}::jsonb, input) else input end
        where job_id in (select id from mine) and seq in (${ended?.seq ?? -1}::int, ${next ?? -1}::int)
      ) select done, total from mine`);
    const [stepped] = resultRows(rows);
    if (!stepped) throw new LeaseLost();
    if (ended !== null) this.#onStep(stepped);
  }
}

/** Settles the items of an ended job: items begun without a known end become unknown. */
export async function settleItems(db: Db, jobId: string): Promise<void> {
  await db
    .update(jobItems)
    .set({ state: 'unknown' })
    .where(and(eq(jobItems.jobId, jobId), eq(jobItems.state, 'doing')));
}

/** Counts the items of a job in each state. */
export async function countItems(db: Db, jobId: string): Promise<ItemCounts> {
  const rows = await db
    .select({ state: jobItems.state, count: sql<number>`count(*)::int` })
    .from(jobItems)
    .where(eq(jobItems.jobId, jobId))
    .groupBy(jobItems.state);
  const found = { todo: 0, doing: 0, done: 0, failed: 0, unknown: 0 };
  for (const { state, count } of rows) found[state] = count;
  return found;
}

/** Returns the rows of a raw statement; both drivers return them in the same form. */
function resultRows(result: unknown): Stepped[] {
  return (result as { rows: Stepped[] }).rows;
}
