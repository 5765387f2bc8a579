/** Context of an import step: the record and job, the LMS, and functions that end the import. */
import { importPhase } from '@lms-admin/domain/import-states';
import { FATE_COUNTS } from '@lms-admin/domain/import-verdict';
import type { Logger } from 'pino';
import type { ActFor } from '../access/acting.ts';
import type { Grants } from '../auth/grants.ts';
import type { Attachments } from '../canvas/attachments.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobPatch, JobWork } from '../jobs/kind.ts';
import type { Audit } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import type { Database, Db } from '../platform/database.ts';
import type { imports } from '../platform/schema.ts';
import type { LmsImport, LmsImports } from './lms-imports.ts';
import { Prepared } from './prepared.ts';
import { fromLms, type ImportRow, noteOf } from './record.ts';
import type { ImportSources } from './sources.ts';

export interface ImportServices {
  config: Config;
  log: Logger;
  db: Database;
  canvas: CanvasClient;
  attachments: Attachments;
  identity: LmsIdentity;
  audit: Audit;
  grants: Grants;
  actFor: ActFor;
}

export type ImportPatch = Partial<typeof imports.$inferInsert>;

export interface SaveOptions {
  /** On cancellation, throws `Cancelled` with this text instead. */
  unlessCancelled?: string;
  /** Details of the send that are kept over restarts. */
  sending?: Sending;
  /** Additional writes in the same transaction. */
  more?: (tx: Db) => Promise<unknown>;
}

/** Details of a send besides its time, kept while its result is unknown. */
export interface Sending {
  /** The highest import number in the LMS before the send. */
  before?: number;
  /** Text for the end if the LMS rejected the import; used once the LMS certainly does not have it. */
  refused?: string;
}

export interface Work {
  readonly services: ImportServices;
  readonly lms: LmsImports;
  /** Sources that provide the rows and check them before each send. */
  readonly sources: ImportSources;
  readonly job: JobWork;
  /** The record as last written by this process. */
  readonly row: ImportRow;
  /** Aborts the work when the server stops; the record is kept and resumed later. */
  readonly signal: AbortSignal;
  token(): CanvasToken;
  /**
   * Updates the record.
   * @throws LeaseLost
   */
  save(patch: ImportPatch, options?: SaveOptions): Promise<void>;
}

/** Text while the result of a send is unknown. */
export const LOST_ANSWER =
  'LMS Admin did not receive the LMS’s answer. LMS Admin checks whether the LMS has the import before it sends anything again.';
export const ANOTHER_LMS =
  'This was created for another LMS, or for the practice LMS before it was reset. Nothing was sent to the current LMS. Start again.';

/** Maximum number of milliseconds by which the database's clock, which wakes jobs, is behind this server's. */
const SLACK_MS = 500;

/** Text for an import that was cancelled before it was sent. */
export const CANCELLED = 'Cancelled before anything was sent: nothing in the LMS has changed.';

/** Maximum pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;
/**
 * Time limit in milliseconds for failures that waiting does not end: a missing permission, or an import that the LMS
 * does not have.
 */
const SHORT_GIVE_UP_MS = 120_000;

/**
 * Makes a call with the job's own token and, if it is refused, with tokens of the admin's other sign-ins.
 * @throws CanvasError of the job's own token if all are refused
 */
export async function withSomeToken<T>(work: Work, ask: (token: CanvasToken) => Promise<T>): Promise<T> {
  let first: CanvasError;
  try {
    return await ask(work.token());
  } catch (thrown) {
    first = asCanvasError(work, thrown);
    if (!mayNotLook(first)) throw first;
  }
  for (const token of await work.services.grants.tokensOf(work.row.login)) {
    try {
      return await ask(token);
    } catch (thrown) {
      if (!mayNotLook(asCanvasError(work, thrown))) throw thrown;
    }
  }
  throw first;
}

function mayNotLook(error: CanvasError): boolean {
  return error.ofToken || error.kind === 'refused';
}

/**
 * Makes an import wait until its admin signs in again, instead of reporting it as failed.
 * @param meanwhile changes to its record during the wait, with a user-facing note
 * @returns when the maximum wait for a sign-in is over
 * @throws the error, so that the job rests
 */
export async function waitForSignIn(
  work: Work,
  error: CanvasError,
  meanwhile: ImportPatch & { note: string },
): Promise<void> {
  const waited = await work.job.trouble(meanwhile.note);
  if (waited + SLACK_MS >= work.services.config.jobs.signInTimeoutMs) return;
  await work.save(meanwhile);
  throw error;
}

/** Waits until the next poll, longer after each consecutive failure. @throws when the server stops */
export async function pause(work: Work, failures = 0): Promise<void> {
  const ms = Math.min(work.services.config.imports.pollMs * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS);
  // Random, so that imports that failed together are not all retried at the same moment.
  await work.job.pause(failures > 0 ? ms * (0.75 + Math.random() / 2) : ms);
}

/** Returns the milliseconds of failures after which the import is given up. */
export function giveUpAfter({ services }: Work, error: CanvasError): number {
  const { giveUpAfterMs } = services.config.imports;
  // A refused token is not among these errors: the import resumes once the token has been renewed.
  const isHopeless = ['refused', 'not-found', 'rejected'].includes(error.kind);
  return isHopeless ? Math.min(SHORT_GIVE_UP_MS, giveUpAfterMs) : giveUpAfterMs;
}

/** Writes an audit line about the import. */
export async function auditEvent(
  work: Work,
  event: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { row, services } = work;
  await services.audit.write({
    login: row.login,
    tool: row.tool,
    event,
    detail: { import: row.id, canvas_id: row.canvasId, rows: row.rows, ...detail },
  });
}

/** Records that the LMS has the import, which is followed from here on. */
export async function taken(work: Work, got: LmsImport, event: string): Promise<void> {
  await work.save({ ...fromLms(got), lms: work.services.identity.known(), step: 'following', note: null });
  await auditEvent(work, event, { attempts: work.row.sendings });
}

/** Returns the changes made by earlier attempts, if one of them reached its send. */
export async function preparedFor({ row: { planId, tool }, sources }: Work): Promise<Prepared> {
  const prepared = new Prepared();
  if (planId !== null) await sources.plans.of(tool).prepared?.(planId, prepared);
  return prepared;
}

/** Returns the changes made before anything was sent: only the LMS knows what an interrupted attempt has changed. */
export async function preparedByNow(work: Work, prepared: Prepared): Promise<Prepared> {
  const { planId, tool, sendings } = work.row;
  if (planId === null || sendings > 0 || prepared.whole) return prepared;
  try {
    const asking = { token: work.token(), signal: work.signal };
    await work.sources.plans.of(tool).preparedInLms?.(asking, planId, prepared);
  } catch (thrown) {
    asCanvasError(work, thrown);
    prepared.unsure();
  }
  return prepared;
}

/** Ends an import and its job: writes the audit line first, so that it is never missing, and then the record. */
export async function finish(work: Work, patch: ImportPatch): Promise<void> {
  const ended = { ...work.row, ...patch };
  await auditEvent(work, 'import-finished', {
    canvas_id: ended.canvasId,
    state: ended.workflowState,
    counts: ended.counts,
    warnings: ended.counts.warning_count ?? ended.warnings.length,
    errors: ended.counts.error_count ?? ended.errors.length,
    note: ended.note,
  });
  await work.save({ ...patch, step: 'final' });
}

/** Used for an import that the LMS certainly does not have. */
export const NONE_APPLIED = { [FATE_COUNTS.applied]: 0 };

/** Ends an import of which the LMS has applied no rows; our own message takes the place of its errors. */
export async function finishFailed(work: Work, message: string): Promise<void> {
  await finish(work, {
    workflowState: 'failed',
    errors: [[null, message]],
    counts: NONE_APPLIED,
    note: null,
  });
}

/** Ends an import if it is unknown what the LMS has done. */
export async function finishUnknown(work: Work, message: string): Promise<void> {
  await finish(work, { workflowState: 'failed', errors: [[null, message]], note: null });
}

/** Returns the failure as a CanvasError; rethrows other errors (a stop, a lost lease, a bug). */
export function asCanvasError(work: Work, error: unknown): CanvasError {
  work.signal.throwIfAborted();
  if (!(error instanceof CanvasError)) throw error;
  return error;
}

/** Returns the part of the job's record that follows the import's. */
export function jobPatch(row: ImportRow): JobPatch {
  const sent = row.step === 'following' || row.step === 'final';
  return {
    stage:
      row.step === 'following' && importPhase(row.workflowState) === 'created'
        ? 'Waiting for the LMS to start'
        : STAGES[row.step],
    done: sent ? row.progress : 0,
    total: 100,
    unit: '%',
    note: noteOf(row),
  };
}

const STAGES: Readonly<Record<ImportRow['step'], string | null>> = {
  recorded: 'Preparing the rows',
  submitting: 'Sending to the LMS',
  following: 'The LMS is working on it',
  final: null,
};

/** Services for the parts of submitting. */
export interface SubmitServices extends ImportServices {
  jobs: Jobs;
}
