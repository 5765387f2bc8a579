/** The record of an import: what it takes from the LMS, and how it travels to the console. */
import type { SisImport } from '@lms-admin/contract/imports';
import { isFinal } from '@lms-admin/domain/import-states';
import { appliedRows, type EndedImport, importVerdict, type Verdict } from '@lms-admin/domain/import-verdict';
import { eq, getTableColumns } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import { ELSEWHERE } from '../jobs/present.ts';
import type { LmsConfig } from '../platform/config.ts';
import type { Db } from '../platform/database.ts';
import { imports, jobs, plans } from '../platform/schema.ts';
import type { LmsImport } from './lms-imports.ts';

const COLUMNS = {
  ...getTableColumns(imports),
  login: jobs.login,
  tool: jobs.tool,
  label: jobs.label,
  createdAt: jobs.createdAt,
  endedAt: jobs.endedAt,
  forgottenAt: jobs.forgottenAt,
  undoable: plans.undoable,
};

/** An import with what its job knows of it. */
export type ImportRow = typeof imports.$inferSelect &
  Pick<typeof jobs.$inferSelect, 'login' | 'tool' | 'label' | 'createdAt' | 'endedAt' | 'forgottenAt'> & {
    /** Of its plan; null where there is none, or none any more. */
    undoable: boolean | null;
  };

/** Imports with their jobs, to be narrowed down. */
export function importRecords(db: Db) {
  return db
    .select(COLUMNS)
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .leftJoin(plans, eq(plans.id, imports.planId))
    .$dynamic();
}

/** The error attachment is written a little after the end; for so long it is looked for, in milliseconds. */
const LATE_MS = 600_000;

/** Whether the LMS may still deliver the error attachment. */
export function isAttachmentPending(row: ImportRow): boolean {
  return (
    row.step === 'final' &&
    row.canvasId !== null &&
    (row.warnings.length > 0 || row.errors.length > 0) &&
    row.errorsUrl === null &&
    row.endedAt !== null &&
    Date.now() - row.endedAt.getTime() < LATE_MS
  );
}

/** The part of the record that follows the LMS. */
export function fromLms(got: LmsImport) {
  return {
    canvasId: got.id,
    workflowState: got.state,
    progress: got.progress,
    counts: got.counts,
    warnings: got.warnings.map(([file, message]): [string | null, string] => [file, message]),
    errors: got.errors.map(([file, message]): [string | null, string] => [file, message]),
    ...linksFromLms(got),
  };
}

/** The links of the record, and when they were read. */
export function linksFromLms(got: LmsImport) {
  return {
    errorsUrl: got.errorsUrl,
    csvUrls: got.csv.flatMap((one) => (one.url === null ? [] : [one.url])),
    linksAt: new Date(),
  };
}

/** Whether an address may be shown as a link: https of the LMS or its file hosts, or the configured LMS itself (OP-40). */
export function mayLink(url: string, lms: Pick<LmsConfig, 'url' | 'fileHosts'>): boolean {
  if (!URL.canParse(url)) return false;
  const address = new URL(url);
  const home = new URL(lms.url);
  if (address.username !== '' || address.password !== '') return false;
  if (address.origin === home.origin) return true;
  return (
    address.protocol === 'https:' &&
    (address.hostname === home.hostname || lms.fileHosts.includes(address.hostname))
  );
}

/**
 * The record as the console sees it.
 * @param lmsOfNow which LMS answers now; empty where that is not known
 */
export function toSisImport(
  row: ImportRow,
  lms: Pick<LmsConfig, 'url' | 'fileHosts'>,
  lmsOfNow: string,
): SisImport {
  const elsewhere = sameLms(row.lms, lmsOfNow) ? null : ELSEWHERE;
  const link = (url: string | null) => (url !== null && mayLink(url, lms) ? { url } : null);
  return {
    id: row.id,
    canvas_id: row.canvasId,
    workflow_state: row.workflowState,
    progress: row.progress,
    data: { counts: row.counts },
    processing_warnings: row.warnings,
    processing_errors: row.errors,
    // The files of another LMS are not to be had from this one.
    errors_attachment: elsewhere === null ? link(row.errorsUrl) : null,
    attachment_pending: elsewhere === null && isAttachmentPending(row),
    csv_attachments: elsewhere === null ? row.csvUrls.flatMap((url) => link(url) ?? []) : [],
    tool: row.tool,
    label: row.label,
    rows: row.rows,
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    // Its job ends a moment later; only then is all of it told.
    final: row.step === 'final' && row.endedAt !== null,
    verdict: verdictOf(row),
    applied: appliedOf(row),
    can_undo: elsewhere === null && canUndo(row),
    note: [elsewhere, noteOf(row)].filter((text) => text !== null).join(' ') || null,
  };
}

/** Whether it can be taken back: it changed something by a plan, whose rows are kept as long as its own. */
export function canUndo(row: ImportRow): boolean {
  return (
    row.undoable === true &&
    row.step === 'final' &&
    row.endedAt !== null &&
    row.sendings > 0 &&
    row.forgottenAt === null
  );
}

/** How an import ended; null while it goes on, and where its end was not seen. */
export function verdictOf(row: ImportRow): Verdict | 'cancelled' | null {
  if (row.step !== 'final') return null;
  if (row.workflowState === 'aborted' && row.canvasId === null) return 'cancelled';
  return importVerdict(endedOf(row));
}

/** Rows of it that were applied; null while it goes on, and where that is not known. */
export function appliedOf(row: ImportRow): number | null {
  return row.step === 'final' ? appliedRows(endedOf(row)) : null;
}

function endedOf({ workflowState, rows, counts, sectionsNote }: ImportRow): EndedImport {
  return { state: workflowState, rows, counts, leftOut: sectionsNote !== null };
}

/** What is to be told of an import beside its state; null when nothing is. */
export function noteOf({ note, sectionsNote }: Pick<ImportRow, 'note' | 'sectionsNote'>): string | null {
  return [note, sectionsNote].filter((text) => text !== null).join(' ') || null;
}

/** An import that LMS Admin did not send, as the console sees it. */
export function foreignSisImport(got: LmsImport, lms: Pick<LmsConfig, 'url' | 'fileHosts'>): SisImport {
  return toSisImport(
    {
      ...fromLms(got),
      id: String(got.id),
      login: '',
      tool: 'lms',
      label: `SIS import ${got.id}`,
      planId: null,
      files: null,
      zip: false,
      rows: 0,
      csvReady: false,
      step: isFinal(got.state) ? 'final' : 'following',
      lms: '',
      note: null,
      sectionsNote: null,
      sendings: 0,
      sentAt: null,
      forgottenAt: null,
      undoable: null,
      createdAt: new Date(),
      endedAt: got.endedAt ?? (isFinal(got.state) ? new Date() : null),
    },
    lms,
    '',
  );
}
