/**
 * Repeats all checks right before each send: access, places and new objects may have changed while the import waited.
 * Rows that are no longer valid are skipped and named; the stored rows stay, so that skipped ones can be downloaded.
 */

import type { ImportMessage } from '@lms-admin/contract/imports';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { counted, grouped } from '@lms-admin/domain/numbers';
import type { Admin } from '../auth/admin.ts';
import { storePieces } from '../files/pieces.ts';
import { LeaseLost } from '../jobs/lease.ts';
import type { Db } from '../platform/database.ts';
import type { ImportFile } from '../platform/schema.ts';
import { repeatedLater } from './equal-rows.ts';
import type { Prepared } from './prepared.ts';
import { headerOf } from './rows-by-hand.ts';
import type { Judge, PlannedCsv } from './sources.ts';
import { storedRows } from './stored-rows.ts';
import type { Work } from './work.ts';

/** Maximum skipped rows or places in an import's note; its messages list all of them. */
const MAX_LISTED = 5;
/** Maximum messages about skipped rows. */
const MOST_MESSAGES = 20_000;

/** Content ready to send. */
export interface Ready {
  rows: number;
  files: ImportFile[] | null;
  /** Short note about skipped rows, or null if there are none. */
  note: string | null;
  messages: ImportMessage[];
  /** Whether everything that was skipped is already in the state that the rows set. */
  settled: boolean;
  /** Records the state in the LMS right before the rows, in the transaction that starts the send. */
  record?: (tx: Db) => Promise<void>;
}

/**
 * Prepares the rows that are still valid.
 * @param prepared is notified of changes made in the LMS
 * @throws AppError if nothing can be sent any longer; CanvasError if the LMS does not answer
 */
export async function prepareSend(work: Work, admin: Admin, prepared: Prepared): Promise<Ready> {
  const { row, sources, signal } = work;
  if (row.planId !== null) return rebuildFromPlan(work, admin, row.planId, prepared);
  const { ready, refused } = await revalidateRows(work, admin);
  if (isFile(work) && ready.rows > 0)
    await sources.file.confirm(admin, row.id, (part, at) => refused[part]?.has(at) !== true, signal);
  return ready;
}

/** Returns whether the import is an uploaded file. */
function isFile({ row, sources }: Work): boolean {
  return sources.file.tools.some((tool) => tool === row.tool);
}

/** Writes the CSV of a plan again, after comparing it with the current LMS. */
async function rebuildFromPlan(work: Work, admin: Admin, planId: string, prepared: Prepared): Promise<Ready> {
  const { row, services, sources, signal } = work;
  const {
    rows,
    texts,
    leftOut,
    nouns,
    settled = false,
    kept,
    record,
  } = await sources.plans.of(row.tool).csv(admin, planId, signal, prepared);
  await storePieces(services.db.db, row.id, whileLeased(work, texts));
  const rowMessages = kept?.messages ?? leftOut.map((text) => ({ row: null, text }));
  const messages = rowMessages.map(({ row: at, text }) => ({ file: null, message: text, row: at }));
  const files = kept ? [{ name: 'import.csv', rows, ...kept.file }] : row.files;
  const note = noteOf(leftOut, morePlaces(nouns));
  return {
    rows,
    files,
    note,
    messages,
    settled,
    ...(record ? { record } : {}),
  };
}

/**
 * Passes pieces on while the lease lasts: a process that was suspended here must not overwrite data that another one is
 * sending.
 */
export async function* whileLeased<T>(work: Work, pieces: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    if (work.job.leaseLeft() <= 0) throw new LeaseLost();
    yield piece;
  }
}

/** Checks stored rows again. @returns also the rows of each CSV that are no longer valid, without duplicates */
async function revalidateRows(
  work: Work,
  admin: Admin,
): Promise<{ ready: Ready; refused: ReadonlySet<number>[] }> {
  const { row } = work;
  const was = row.files ?? [{ name: 'import.csv', rows: row.rows, blank: [] }];
  const all = row.rows + was.reduce((sum, file) => sum + countOf(file.leftOut), 0);
  const reasons = new Set<string>();
  const messages: ImportMessage[] = [];
  const files: ImportFile[] = [];
  const refused: Set<number>[] = [];
  for (const [part, { leftOut: _was, ...file }] of was.entries()) {
    const refusedRows = new Set<number>();
    refused.push(refusedRows);
    const leftOut = await leftOutOf(work, admin, part, (at, reason) => {
      refusedRows.add(at);
      reasons.add(reason);
      if (messages.length < MOST_MESSAGES)
        messages.push({ file: null, message: `Skipped: ${reason}`, row: at });
    });
    files.push(leftOut.length === 0 ? file : { ...file, leftOut });
  }
  const count = files.reduce((sum, file) => sum + countOf(file.leftOut), 0);
  const refusedCount = refused.reduce((sum, { size }) => sum + size, 0);
  const ready: Ready = {
    rows: all - count,
    // A single CSV created by the console has no list of files.
    files: row.files === null && count === 0 ? null : files,
    note:
      refusedCount === 0 ? null : `${rowsWere(refusedCount)} skipped. ${noteOf([...reasons], moreReasons)}`,
    messages: refusedCount === count ? messages : [sentOnce(count - refusedCount), ...messages],
    settled: false,
  };
  return { ready, refused };
}

function sentOnce(repeated: number): ImportMessage {
  return {
    file: null,
    message: `${grouped(repeated)} rows repeat another row. Identical rows were sent only once.`,
    row: null,
  };
}

/** Returns ranges of rows in one file to skip, including all but the last of duplicate rows, which need no message. */
async function leftOutOf(
  work: Work,
  admin: Admin,
  part: number,
  tell: (row: number, reason: string) => void,
): Promise<[row: number, count: number][]> {
  const { db } = work.services.db;
  const rows = () => storedRows(db, work.row.id, part);
  const judge = await evaluateOf(work, admin, rows);
  const repeated = await repeatedLater(() => whileLeased(work, rows()));
  const runs: [row: number, count: number][] = [];
  if (judge === null && repeated.size === 0) return runs;
  let isHeader = true;
  for await (const batch of whileLeased(work, rows())) {
    for (const one of batch) {
      const reason = isHeader ? null : (judge?.(one) ?? null);
      isHeader = false;
      if (reason !== null) tell(one.row, reason);
      else if (!repeated.has(one.row)) continue;
      const last = runs.at(-1);
      if (last && last[0] + last[1] === one.row) last[1]++;
      else runs.push([one.row, 1]);
    }
  }
  return runs;
}

async function evaluateOf(
  work: Work,
  admin: Admin,
  rows: () => AsyncIterable<CsvRow[]>,
): Promise<Judge | null> {
  const { row, sources, signal } = work;
  if (isFile(work)) return sources.file.recheck(admin, { rows, zip: row.zip }, signal);
  const header = await headerOf(rows());
  const source = sources.rows.find((one) => one.takes(header));
  if (!source) throw new Error(`no source has the rows of import ${row.id}`);
  return source.recheck(admin, rows, signal);
}

function countOf(leftOut: ImportFile['leftOut']): number {
  return (leftOut ?? []).reduce((sum, [, count]) => sum + count, 0);
}

/** Returns the first sentences, and the number of further ones as worded by `more`. */
function noteOf(sentences: readonly string[], more: (count: number) => string): string | null {
  if (sentences.length === 0) return null;
  const rest = sentences.length - MAX_LISTED;
  return [...sentences.slice(0, MAX_LISTED), ...(rest > 0 ? [more(rest)] : [])].join(' ');
}

/** Describes further skipped parts of a plan. */
const morePlaces =
  ([one, several]: PlannedCsv['nouns']) =>
  (count: number) =>
    count === 1 ? `1 more ${one} was skipped.` : `${grouped(count)} more ${several} were skipped.`;

const moreReasons = (count: number) =>
  `${count} more ${count === 1 ? 'reason is' : 'reasons are'} among the messages.`;

function rowsWere(count: number): string {
  return counted(count, 'row was', 'rows were');
}
