/** What a step of an import works with: the record under its lease, the LMS, pauses, and the ways to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CanvasError, type CanvasToken } from '../canvas/types.ts';
import type { CoreServices } from '../services.ts';
import type { LmsImports } from './lms-imports.ts';
import type { ImportRow } from './record.ts';

export type ImportServices = Pick<CoreServices, 'config' | 'log' | 'db' | 'canvas' | 'grants' | 'audit'>;

export interface Work {
  readonly services: ImportServices;
  readonly lms: LmsImports;
  /** The record as this process last wrote it. */
  readonly row: ImportRow;
  /** Ends the work when the server stops; the record stays as it is and is taken up again. */
  readonly signal: AbortSignal;
  token(): CanvasToken;
  /** Changes the record. @throws LeaseLost */
  save(patch: Partial<ImportRow>): Promise<void>;
  /** Milliseconds for which the lease certainly holds; nothing irrevocable is begun without some. */
  leaseLeft(): number;
}

/** Longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** Waits a poll's time; longer with each failure in a row. @throws when the server stops */
export async function pause(work: Work, failures = 0): Promise<void> {
  const ms = Math.min(work.services.config.imports.pollMs * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS);
  // Imports that failed together are not all tried again in the same moment.
  await sleep(failures > 0 ? ms * (0.75 + Math.random() / 2) : ms, undefined, { signal: work.signal });
}

/** Writes an audit line about the import. */
export async function tell(work: Work, event: string, detail: Record<string, unknown> = {}): Promise<void> {
  const { row, services } = work;
  await services.audit.write({
    login: row.login,
    tool: row.tool,
    event,
    detail: { import: row.id, canvas_id: row.canvasId, rows: row.rows, ...detail },
  });
}

/** Ends an import: the audit line first, so that it is never missing; then the record; then the grant is let go. */
export async function finish(work: Work, patch: Partial<ImportRow>): Promise<void> {
  const ended = { ...work.row, ...patch };
  await tell(work, 'import-finished', {
    canvas_id: ended.canvasId,
    state: ended.workflowState,
    counts: ended.counts,
    warnings: ended.counts.warning_count ?? ended.warnings.length,
    errors: ended.counts.error_count ?? ended.errors.length,
    note: ended.note,
  });
  await work.save({
    endedAt: new Date(),
    ...patch,
    step: 'final',
    leaseOwner: null,
    leaseUntil: null,
  });
  const { grantId } = work.row;
  if (grantId === null) return;
  await work.services.grants.releaseWhenIdle(grantId).catch((error: unknown) => {
    work.services.log.warn({ err: error, grant: grantId }, 'grant not released; tried again later');
  });
}

/** An end without the LMS: our own words stand where its errors would. */
export async function finishFailed(work: Work, message: string): Promise<void> {
  await finish(work, { workflowState: 'failed', errors: [[null, message]], note: null });
}

/** The failure as a CanvasError; what else it may be (a stop, a lost lease, a bug) is thrown on. */
export function asCanvasError(work: Work, error: unknown): CanvasError {
  work.signal.throwIfAborted();
  if (!(error instanceof CanvasError)) throw error;
  return error;
}
