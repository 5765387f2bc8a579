/** Record of an import: the data it takes from the LMS, and its format for the console. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { TOOLS } from '@lms-admin/contract/tools';
import { isFinal } from '@lms-admin/domain/import-states';
import {
  appliedRows,
  type EndedImport,
  importVerdict,
  type Verdict,
  wasBrokenOff,
} from '@lms-admin/domain/import-verdict';
import { notApplied } from '@lms-admin/domain/sis-messages';
import { eq, getTableColumns } from 'drizzle-orm';
import { mayGiveRole, mayUse, roleLevelOf } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import type { Attachments } from '../canvas/attachments.ts';
import { sameLms } from '../canvas/identity.ts';
import { ELSEWHERE } from '../jobs/present.ts';
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
  planRole: plans.roleId,
};

type Recorded = typeof imports.$inferSelect;

/** An import with the data of its job. */
export type ImportRow = Recorded &
  Pick<typeof jobs.$inferSelect, 'login' | 'tool' | 'label' | 'createdAt' | 'endedAt' | 'forgottenAt'> & {
    /** From the import's plan; null if it has none or the plan was deleted. */
    undoable: boolean | null;
    /** Common role of all rows in its plan; null if each has its own. */
    planRole: number | null;
  };

/** Creates the query for imports with their jobs, to be filtered. */
export function importRecords(db: Db) {
  return db
    .select(COLUMNS)
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .leftJoin(plans, eq(plans.id, imports.planId))
    .$dynamic();
}

/** Milliseconds for which LMS Admin looks for the error attachment, which the LMS writes a little after the end. */
const LATE_MS = 600_000;

/** Returns whether the LMS may still create the error attachment. */
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

/** Returns the part of the record that follows the LMS. */
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

/** Returns the links of the record, and when they were read. */
export function linksFromLms(got: LmsImport) {
  return {
    errorsUrl: got.errorsUrl,
    csvUrls: got.csv.flatMap((one) => (one.url === null ? [] : [one.url])),
    linksAt: new Date(),
  };
}

/**
 * Formats the record for the console.
 * @param lmsOfNow the current LMS; empty if unknown
 * @param admin who asks; without one, no actions are offered
 */
export function toSisImport(
  row: ImportRow,
  { mayRead }: Pick<Attachments, 'mayRead'>,
  lmsOfNow: string,
  admin: Pick<Admin, 'login' | 'record'> | null = null,
): SisImport {
  const elsewhere = sameLms(row.lms, lmsOfNow) ? null : ELSEWHERE;
  const link = (url: string | null, name: string) =>
    url !== null && mayRead(url) ? { url: attachmentPath(row.id, name) } : null;
  return {
    id: row.id,
    canvas_id: row.canvasId,
    workflow_state: row.workflowState,
    progress: row.progress,
    data: { counts: row.counts },
    processing_warnings: row.warnings,
    processing_errors: row.errors,
    // The files of another LMS cannot be read from this one.
    errors_attachment: elsewhere === null ? link(row.errorsUrl, ERRORS) : null,
    attachment_pending: elsewhere === null && isAttachmentPending(row),
    csv_attachments:
      elsewhere === null ? row.csvUrls.flatMap((url, index) => link(url, csvName(index)) ?? []) : [],
    tool: row.tool,
    label: row.label,
    rows: row.rows,
    created_at: row.createdAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    // The job ends a moment later; only then is all data complete.
    final: row.step === 'final' && row.endedAt !== null,
    verdict: verdictOf(row),
    nothing_sent: nothingSent(row),
    applied: appliedOf(row),
    can_undo: elsewhere === null && canUndo(row) && admin !== null && mayUndo(row, admin),
    note: [elsewhere, noteOf(row)].filter((text) => text !== null).join(' ') || null,
  };
}

/**
 * Returns whether nothing was sent. Rows of an attempt that the LMS certainly rejected are compared again; none may
 * be left.
 */
function nothingSent({ step, canvasId, rows, sendings }: Recorded): boolean {
  return step === 'final' && canvasId === null && (rows === 0 || sendings === 0);
}

/**
 * Returns whether the import has ended and certainly none of its rows was applied, so that they can be submitted
 * again.
 */
export function noneApplied(row: Recorded & Pick<ImportRow, 'endedAt'>): boolean {
  if (row.step !== 'final' || row.endedAt === null) return false;
  if (nothingSent(row)) return true;
  // Rows that the LMS does not count may have been applied.
  const uncounted = !wasBrokenOff(row.workflowState) && row.files?.some((file) => (file.uncounted ?? 0) > 0);
  return appliedOf(row) === 0 && !uncounted;
}

/** Name of the error file in the address of an attachment. */
const ERRORS = 'errors';
const csvName = (index: number) => `csv-${index + 1}`;

function attachmentPath(id: string, name: string): string {
  return ENDPOINTS.importAttachment.replace(':import', id).replace(':attachment', name);
}

/** Returns the LMS's own address of an attachment, or null if the name is unknown. */
export function attachmentUrl(
  { errorsUrl, csvUrls }: Pick<ImportRow, 'errorsUrl' | 'csvUrls'>,
  name: string,
) {
  if (name === ERRORS) return errorsUrl;
  return csvUrls.find((_, index) => csvName(index) === name) ?? null;
}

/** Returns whether the import can be undone: it changed something through a plan whose rows are still kept. */
export function canUndo(row: ImportRow): boolean {
  return (
    row.undoable === true &&
    row.step === 'final' &&
    row.endedAt !== null &&
    row.sendings > 0 &&
    row.rows > 0 &&
    // An import that changed nothing cannot be undone.
    appliedOf(row) !== 0 &&
    row.forgottenAt === null
  );
}

/** Returns whether an admin can undo the import: only their own, with current access to the tool and the role. */
function mayUndo({ login, tool, planRole }: ImportRow, admin: Pick<Admin, 'login' | 'record'>): boolean {
  const known = TOOLS.find(({ id }) => id === tool);
  if (login !== admin.login || known === undefined || !mayUse(admin, known.id)) return false;
  const level = roleLevelOf(tool);
  return planRole === null || mayGiveRole(admin, planRole, level);
}

/** Returns the result of an import; null while it is running, or if its end was not seen. */
export function verdictOf(row: ImportRow): Verdict | 'cancelled' | null {
  if (row.step !== 'final') return null;
  if (row.workflowState === 'aborted' && row.canvasId === null) return 'cancelled';
  return importVerdict(endedOf(row));
}

/** Returns the number of applied rows; null while it is running, or if unknown. */
export function appliedOf(row: Recorded): number | null {
  return row.step === 'final' ? appliedRows(endedOf(row)) : null;
}

function endedOf({ workflowState, rows, counts, warnings, sectionsNote, files }: Recorded): EndedImport {
  const uncounted = (files ?? []).reduce((sum, file) => sum + (file.uncounted ?? 0), 0);
  const without = notApplied(warnings.map(([, message]) => message));
  return {
    state: workflowState,
    rows,
    counts,
    leftOut: sectionsNote !== null,
    uncounted,
    notApplied: without,
  };
}

/** Returns the note shown with an import's state, or null. */
export function noteOf({ note, sectionsNote }: Pick<ImportRow, 'note' | 'sectionsNote'>): string | null {
  return [note, sectionsNote].filter((text) => text !== null).join(' ') || null;
}

/** Formats an import that was not sent by LMS Admin for the console. */
export function foreignSisImport(got: LmsImport, attachments: Pick<Attachments, 'mayRead'>): SisImport {
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
      places: null,
      claimed: false,
      planRole: null,
      createdAt: new Date(),
      endedAt: got.endedAt ?? (isFinal(got.state) ? new Date() : null),
    },
    attachments,
    '',
  );
}
