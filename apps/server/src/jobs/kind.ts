/** What a kind of long work is, and what it works with. */
import type { JobDetail, JobOutcome } from '@lms-admin/contract/jobs';
import type { Admin } from '../auth/admin.ts';
import type { CanvasToken } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import type { JobItems } from './items.ts';
import type { JobRow } from './lease.ts';

export type { JobRow } from './lease.ts';

/** What a kind may change of its record; the mechanism sees to the rest. */
export type JobPatch = Partial<
  Pick<
    JobRow,
    'stage' | 'done' | 'total' | 'unit' | 'checkpoint' | 'figures' | 'note' | 'lms' | 'label' | 'about'
  >
>;

/** How a job ends by itself. */
export interface JobEnd {
  outcome: Exclude<JobOutcome, 'cancelled'>;
  result?: Record<string, unknown>;
  figures?: [string, number][];
  note?: string | null;
  /** Needed where the outcome is `failed`: why, and what to do. */
  problem?: { message: string; next: string };
  /** Whether it failed for what was asked for, so that nothing was begun: Activity does not list that. */
  refused?: boolean;
}

/**
 * Throw it between two steps of a job whose cancellation was asked for; `note` says what was done and what was not, `result`
 * is what came of it so far.
 */
export class Cancelled extends Error {
  override name = 'Cancelled';
  readonly note: string;
  readonly result: Record<string, unknown> | null;
  constructor(note: string, result: Record<string, unknown> | null = null) {
    super(note);
    this.note = note;
    this.result = result;
  }
}

/**
 * Ends a job with words for its admin. So does an `AppError`, and a system outside that refuses; one that does not answer is
 * asked again for a day (`verdict.ts`). What else is thrown is tried again, and ends as a fault of ours.
 */
export class JobFailed extends Error {
  override name = 'JobFailed';
  readonly next: string;
  readonly refused: boolean;
  /** @param refused whether what was asked for is the reason, such as the header of a file: Activity does not list that */
  constructor(message: string, next: string, refused = false) {
    super(message);
    this.next = next;
    this.refused = refused;
  }
}

/** Throw it to let a job rest until a time; it is then begun again from its checkpoint. */
export class RestUntil extends Error {
  override name = 'RestUntil';
  readonly until: Date;
  constructor(until: Date, why: string) {
    super(why);
    this.until = until;
  }
}

export interface JobWork {
  /** The record as this process last wrote it. */
  readonly job: JobRow;
  /** Aborts when the server stops or the lease is lost: what runs is dropped, the record is taken up again. */
  readonly signal: AbortSignal;
  /** Aborts when the admin has asked for the end. Look at it between two steps, and throw `Cancelled`. */
  readonly cancel: AbortSignal;
  /** What the job was started with. */
  input(): Promise<unknown>;
  /** The token that the job acts with; it outlives the session. `value()` throws CanvasError `signed-out` when it is gone. */
  token(): CanvasToken;
  /**
   * Changes the record, and in the same transaction what `more` writes. With a checkpoint, or `more`, it is a step further that
   * will not be done again: attempts are counted again.
   * @param options.unlessCancelled throws `Cancelled` instead when the end was asked for, so that nothing irrevocable begins
   * @throws LeaseLost
   */
  save(
    patch: JobPatch,
    more?: ((tx: Db) => Promise<unknown>) | null,
    options?: { unlessCancelled?: string },
  ): Promise<void>;
  /** Something outside has failed: the job waits, and says why. @returns for how long it has been so, in milliseconds */
  trouble(why: string): Promise<number>;
  /** Other work goes first: the job waits, and says why, until `fine`. */
  waitForTurn(why: string): Promise<void>;
  /** Something outside answers. */
  fine(): Promise<void>;
  /** Waits; ends early, by throwing the signal's reason, when the server stops. */
  pause(ms: number): Promise<void>;
  /** Milliseconds for which the lease certainly holds; nothing irrevocable is begun without some. */
  leaseLeft(): number;
  /** What is done outside one by one. */
  readonly items: JobItems;
}

/** Days after the end of work that what names people is kept, by what it is. */
export interface KeptDays {
  /** What changed something outside. */
  work: number;
  /** Files to download. */
  export: number;
  /** Reviews, which may be submitted as long. */
  review: number;
  /** Uploads that stay where they are. */
  upload: number;
}
export const KEPT_DAYS: KeptDays = { work: 30, export: 1, review: 1, upload: 3_650 };

/** The same where the settings say how long work is kept. */
export const keptDays = ({ workDays }: { workDays: number }): KeptDays => ({ ...KEPT_DAYS, work: workDays });

/** What the list has to know of every kind. Alone it is one of work that is recorded when it has ended (`record.ts`). */
export interface ListedKind {
  readonly id: string;
  /** For how long input, result, items and files are kept after the end. */
  readonly keeps: keyof KeptDays;
  /** False for work that is only a step towards something: the list shows it while it runs or when it failed. */
  readonly listed: boolean;
  /** Whether it changes something outside: then cancelling it is asked for again. */
  readonly changes: boolean;
  /** Removes what the kind keeps of these jobs beside their records, in the transaction that forgets them. */
  forget?(tx: Db, ids: readonly string[]): Promise<void>;
  /** What the kind adds to the details. */
  detail?(admin: Admin, job: JobRow): Promise<Partial<Pick<JobDetail, 'import'>>>;
}

export interface JobKind extends ListedKind {
  /** Jobs of this kind that one process works on at the same time. */
  readonly atOnce: number;
  /** How many of these may be one person's, so that others always find a place. */
  readonly atOnceEach?: number;
  /** What is being done before the first word of `run`. */
  readonly begins: string;
  /** Does the work, from where the record says it is. May be begun again after a crash at any point. */
  run(work: JobWork): Promise<JobEnd>;
  /** Whether the job can still be called back. */
  mayCancel(job: Pick<JobRow, 'id' | 'state'>): Promise<boolean>;
  /** Words for a job that was cancelled before anybody worked on it. */
  readonly untouched: string;
}

/** Whether work of this kind is taken up, and not only recorded. */
export function isWorkedOn(kind: ListedKind): kind is JobKind {
  return 'run' in kind;
}
