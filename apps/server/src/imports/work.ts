/** What a step of an import works with: its record and job, the LMS, and the ways to end. */
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
  /** Throws `Cancelled` with these words instead when the end was asked for. */
  unlessCancelled?: string;
  /** What is known of the sending, kept over restarts. */
  sending?: Sending;
  /** Written in the same transaction. */
  more?: (tx: Db) => Promise<unknown>;
}

/** What is known of a sending beside its time, as long as its fate is not. */
export interface Sending {
  /** The highest number that the LMS had given to an import before. */
  before?: number;
  /** The words for its end, where the LMS answered with a refusal: they hold once it is clear that the LMS has it not. */
  refused?: string;
}

export interface Work {
  readonly services: ImportServices;
  readonly lms: LmsImports;
  /** What is sent comes from them, and is looked through by them before each sending. */
  readonly sources: ImportSources;
  readonly job: JobWork;
  /** The record as this process last wrote it. */
  readonly row: ImportRow;
  /** Ends the work when the server stops; the record stays as it is and is taken up again. */
  readonly signal: AbortSignal;
  token(): CanvasToken;
  /**
   * Changes the record.
   * @throws LeaseLost
   */
  save(patch: ImportPatch, options?: SaveOptions): Promise<void>;
}

/** While it is not known what became of a sending. */
export const LOST_ANSWER =
  'The answer of the LMS was lost. LMS Admin is checking whether the LMS has the import before anything is sent again.';
export const ANOTHER_LMS =
  'This was made for another LMS, or for the practice LMS before it was reset. Nothing was sent to the current LMS. Start again.';

/** The clock of the database, which wakes a job, may be behind ours by this much (milliseconds). */
const SLACK_MS = 500;

/** Words for an import that was cancelled in time. */
export const CANCELLED = 'Cancelled before anything was sent: nothing in the LMS has changed.';

/** Longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;
/** How long a right that is missing, or an import that the LMS says it does not have, is tried: they do not come back by waiting. */
const SHORT_PATIENCE_MS = 120_000;

/**
 * Asks with the job's own token and, where that is refused, with those of the admin's other sign-ins: any that may look will do.
 * @throws CanvasError of the job's own token when none may
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
 * An import waits until its admin signs in again, rather than being reported as failed.
 * @param meanwhile what its record holds in that time, with the note that people read
 * @returns when it has waited long enough
 * @throws the error, so that the job rests
 */
export async function waitForSignIn(
  work: Work,
  error: CanvasError,
  meanwhile: ImportPatch & { note: string },
): Promise<void> {
  const waited = await work.job.trouble(meanwhile.note);
  if (waited + SLACK_MS >= work.services.config.jobs.signInPatienceMs) return;
  await work.save(meanwhile);
  throw error;
}

/** Waits a poll's time; longer with each failure in a row. @throws when the server stops */
export async function pause(work: Work, failures = 0): Promise<void> {
  const ms = Math.min(work.services.config.imports.pollMs * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS);
  // Imports that failed together are not all tried again in the same moment.
  await work.job.pause(failures > 0 ? ms * (0.75 + Math.random() / 2) : ms);
}

/** How long a failure is borne before the import is given up, in milliseconds. */
export function patience({ services }: Work, error: CanvasError): number {
  const { patienceMs } = services.config.imports;
  // A refused token is not among them: the import goes on once someone has renewed it.
  const isHopeless = ['refused', 'not-found', 'rejected'].includes(error.kind);
  return isHopeless ? Math.min(SHORT_PATIENCE_MS, patienceMs) : patienceMs;
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

/** The LMS has the import: from here on it is followed. */
export async function taken(work: Work, got: LmsImport, event: string): Promise<void> {
  await work.save({ ...fromLms(got), lms: work.services.identity.known(), step: 'following', note: null });
  await auditEvent(work, event, { attempts: work.row.sendings });
}

/** What earlier tries of an import have done, as far as one of them came to its sending. */
export async function preparedFor({ row: { planId, tool }, sources }: Work): Promise<Prepared> {
  const prepared = new Prepared();
  if (planId !== null) await sources.plans.of(tool).prepared?.(planId, prepared);
  return prepared;
}

/** The same before anything was sent, with what a try that broke off has done in the LMS: only the LMS knows that. */
export async function preparedByNow(work: Work, prepared: Prepared): Promise<Prepared> {
  const { planId, tool, sendings } = work.row;
  if (planId === null || sendings > 0 || prepared.whole) return prepared;
  try {
    const asked = { token: work.token(), signal: work.signal };
    await work.sources.plans.of(tool).preparedInLms?.(asked, planId, prepared);
  } catch (thrown) {
    asCanvasError(work, thrown);
    prepared.unsure();
  }
  return prepared;
}

/** Ends an import: the audit line first, so that it is never missing; then the record. The job ends with it. */
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

/** Of an import that the LMS certainly does not have. */
export const NONE_APPLIED = { [FATE_COUNTS.applied]: 0 };

/** An end without the LMS, which has carried out none of the rows: our own words are where its errors would be. */
export async function finishFailed(work: Work, message: string): Promise<void> {
  await finish(work, {
    workflowState: 'failed',
    errors: [[null, message]],
    counts: NONE_APPLIED,
    note: null,
  });
}

/** The same where it is not known what the LMS has done. */
export async function finishUnknown(work: Work, message: string): Promise<void> {
  await finish(work, { workflowState: 'failed', errors: [[null, message]], note: null });
}

/** The failure as a CanvasError; what else it may be (a stop, a lost lease, a bug) is thrown on. */
export function asCanvasError(work: Work, error: unknown): CanvasError {
  work.signal.throwIfAborted();
  if (!(error instanceof CanvasError)) throw error;
  return error;
}

/** What of the job's record follows the import's. */
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

/** What the parts of submitting work with. */
export interface SubmitServices extends ImportServices {
  jobs: Jobs;
}
