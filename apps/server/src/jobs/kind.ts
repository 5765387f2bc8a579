/** Definition of a kind of long work, and of the tools it works with. */
import type { JobDetail, JobOutcome } from '@lms-admin/contract/jobs';
import type { Admin } from '../auth/admin.ts';
import type { CanvasToken } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import type { JobItems } from './items.ts';
import type { JobRow } from './lease.ts';

export type { JobRow } from './lease.ts';

/** Fields of the record that a kind may change; the runner manages the others. */
export type JobPatch = Partial<
  Pick<
    JobRow,
    'stage' | 'done' | 'total' | 'unit' | 'checkpoint' | 'figures' | 'note' | 'lms' | 'label' | 'about'
  >
>;

/** How a job ends when it is not cancelled. */
export interface JobEnd {
  outcome: Exclude<JobOutcome, 'cancelled'>;
  result?: Record<string, unknown>;
  figures?: [string, number][];
  note?: string | null;
  /** Required if the outcome is `failed`: the reason, and what to do. */
  problem?: { message: string; next: string };
  /** Whether the input was the reason for the failure, so that nothing began: Activity does not list such jobs. */
  refused?: boolean;
}

/**
 * Thrown between two steps of a job whose cancellation was requested; `note` says what was and was not done, `result`
 * is the result so far.
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
 * Ends a job with a message for its admin, as do an `AppError` and a refusal by another system. A system that does not
 * answer is asked again for a day (`verdict.ts`). Other errors are tried again, and end as an internal fault.
 */
export class JobFailed extends Error {
  override name = 'JobFailed';
  readonly next: string;
  readonly refused: boolean;
  /** @param refused whether the input is the reason, such as the header of a file: Activity does not list such jobs */
  constructor(message: string, next: string, refused = false) {
    super(message);
    this.next = next;
    this.refused = refused;
  }
}

/** Thrown to let a job rest until a time; the job then begins again from its checkpoint. */
export class RestUntil extends Error {
  override name = 'RestUntil';
  readonly until: Date;
  constructor(until: Date, why: string) {
    super(why);
    this.until = until;
  }
}

export interface JobWork {
  /** The record as last written by this process. */
  readonly job: JobRow;
  /** Aborts when the server stops or the lease is lost: current work is dropped, and later resumed from the record. */
  readonly signal: AbortSignal;
  /** Aborts when the admin has requested cancellation. Check it between two steps, and throw `Cancelled`. */
  readonly cancel: AbortSignal;
  /** Input that the job was started with. */
  input(): Promise<unknown>;
  /** Token that the job uses; it outlives the session. `value()` throws CanvasError `signed-out` once it is refused. */
  token(): CanvasToken;
  /**
   * Changes the record, and runs the writes of `more` in the same transaction. A checkpoint or `more` counts as a
   * completed step that will not be repeated, so attempts are counted from zero again.
   * @param options.unlessCancelled throws `Cancelled` instead if cancellation was requested, so that nothing
   * irrevocable begins
   * @throws LeaseLost
   */
  save(
    patch: JobPatch,
    more?: ((tx: Db) => Promise<unknown>) | null,
    options?: { unlessCancelled?: string },
  ): Promise<void>;
  /** Reports another system's failure: the job waits and shows why. @returns milliseconds since the failures began */
  trouble(why: string): Promise<number>;
  /** Reports that other work goes first: the job waits and shows the reason until `fine` is called. */
  waitForTurn(why: string): Promise<void>;
  /** Reports that the other system answers again. */
  fine(): Promise<void>;
  /** Waits. @throws the signal's reason as soon as the server stops */
  pause(ms: number): Promise<void>;
  /** Returns the milliseconds for which the lease certainly holds; irrevocable work needs some left. */
  leaseLeft(): number;
  /** Changes that the job makes in other systems, one by one. */
  readonly items: JobItems;
}

/** Days for which data that names people is kept after the end of work, by kind of data. */
export interface KeptDays {
  /** Work that changed another system. */
  work: number;
  /** Files to download. */
  export: number;
  /** Reviews, which can be submitted until then. */
  review: number;
  /** Image uploads, whose files stay. */
  upload: number;
}
export const KEPT_DAYS: KeptDays = { work: 30, export: 1, review: 1, upload: 3_650 };

/** Returns the days that each kind of record is kept under the settings. */
export const keptDays = ({ workDays }: { workDays: number }): KeptDays => ({ ...KEPT_DAYS, work: workDays });

/** Properties that the list needs of every kind. Kinds with only these are recorded after their end (`record.ts`). */
export interface ListedKind {
  readonly id: string;
  /** How long input, result, items and files are kept after the end. */
  readonly keeps: keyof KeptDays;
  /** False for work that is only an intermediate step: the list shows it while it runs or if it failed. */
  readonly listed: boolean;
  /** Whether work of this kind changes another system: cancelling it then needs confirmation. */
  readonly changes: boolean;
  /** Removes data that the kind stores outside the job's record, in the transaction that clears the records. */
  forget?(tx: Db, ids: readonly string[]): Promise<void>;
  /** Details that the kind adds to a job. */
  detail?(admin: Admin, job: JobRow): Promise<Partial<Pick<JobDetail, 'import'>>>;
}

export interface JobKind extends ListedKind {
  /** Jobs of this kind that one process works on at the same time. */
  readonly atOnce: number;
  /** Jobs of one person among these, so that others always get a turn. */
  readonly atOnceEach?: number;
  /** Progress text until `run` reports its first one. */
  readonly begins: string;
  /** Does the work from the point that the record shows. It may start again after a crash at any point. */
  run(work: JobWork): Promise<JobEnd>;
  /** Returns whether the job can still be cancelled. */
  mayCancel(job: Pick<JobRow, 'id' | 'state'>): Promise<boolean>;
  /** Message for a job that was cancelled before it started. */
  readonly untouched: string;
}

/** Returns whether jobs of this kind are executed, not only recorded. */
export function isWorkedOn(kind: ListedKind): kind is JobKind {
  return 'run' in kind;
}
