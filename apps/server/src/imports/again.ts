/**
 * Right before each sending, everything is asked again: what was in reach, in its place and new when it was checked may not
 * be by now, and an import may have waited for hours. What no longer holds is left out and named; the stored rows stay as
 * they are, so that those that were left out can be had as a file.
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

/** What is left out that an import's note names; all of it is among its messages. */
const MOST_TOLD = 5;
/** Messages about rows that were left out. */
const MOST_MESSAGES = 20_000;

/** What is sent now. */
export interface Ready {
  rows: number;
  files: ImportFile[] | null;
  /** What is told of what was left out, in short; null where nothing was. */
  note: string | null;
  messages: ImportMessage[];
  /** Whether all that was left out is in the LMS as the rows would make it. */
  settled: boolean;
  /** Writes what was in the LMS right before the rows, in the transaction that begins the sending. */
  record?: (tx: Db) => Promise<void>;
}

/**
 * Makes ready what holds now.
 * @param prepared is told what is done in the LMS for it
 * @throws AppError when nothing may be sent any more; CanvasError when the LMS cannot be asked
 */
export async function prepareSend(work: Work, admin: Admin, prepared: Prepared): Promise<Ready> {
  const { row, sources, signal } = work;
  if (row.planId !== null) return rebuildFromPlan(work, admin, row.planId, prepared);
  const { ready, refused } = await lookAgain(work, admin);
  if (isFile(work) && ready.rows > 0)
    await sources.file.confirm(admin, row.id, (part, at) => refused[part]?.has(at) !== true, signal);
  return ready;
}

/** Whether what is sent is an uploaded file. */
function isFile({ row, sources }: Work): boolean {
  return sources.file.tools.some((tool) => tool === row.tool);
}

/** The CSV of a plan, with what the LMS holds now. */
async function rebuildFromPlan(work: Work, admin: Admin, planId: string, prepared: Prepared): Promise<Ready> {
  const { row, services, sources, signal } = work;
  const {
    rows,
    texts,
    leftOut,
    things,
    settled = false,
    kept,
    record,
  } = await sources.plans.of(row.tool).csv(admin, planId, signal, prepared);
  await storePieces(services.db.db, row.id, whileLeased(work, texts));
  const said = kept?.said ?? leftOut.map((text) => ({ row: null, text }));
  const messages = said.map(({ row: at, text }) => ({ file: null, message: text, row: at }));
  const files = kept ? [{ name: 'import.csv', rows, ...kept.file }] : row.files;
  const note = noteOf(leftOut, morePlaces(leftOut, things));
  return {
    rows,
    files,
    note,
    messages,
    settled,
    ...(record ? { record } : {}),
  };
}

/** A process that was stopped here must not write over what another one is sending by now. */
export async function* whileLeased<T>(work: Work, pieces: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  for await (const piece of pieces) {
    if (work.job.leaseLeft() <= 0) throw new LeaseLost();
    yield piece;
  }
}

/** Judges stored rows again. @returns also the rows of each CSV that do not hold any more, without those that repeat another one */
async function lookAgain(
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
    const those = new Set<number>();
    refused.push(those);
    const leftOut = await leftOutOf(work, admin, part, (at, reason) => {
      those.add(at);
      reasons.add(reason);
      if (messages.length < MOST_MESSAGES)
        messages.push({ file: null, message: `Skipped: ${reason}`, row: at });
    });
    files.push(leftOut.length === 0 ? file : { ...file, leftOut });
  }
  const count = files.reduce((sum, file) => sum + countOf(file.leftOut), 0);
  const told = refused.reduce((sum, { size }) => sum + size, 0);
  const ready: Ready = {
    rows: all - count,
    // One CSV that the console made has no files of its own.
    files: row.files === null && count === 0 ? null : files,
    note: told === 0 ? null : `${rowsWere(told)} skipped. ${noteOf([...reasons], moreReasons)}`,
    messages: told === count ? messages : [sentOnce(count - told), ...messages],
    settled: false,
  };
  return { ready, refused };
}

function sentOnce(repeated: number): ImportMessage {
  return {
    file: null,
    message: `${grouped(repeated)} rows repeat another row. Equal rows were sent once.`,
    row: null,
  };
}

/** Runs of rows of one file that are left out: of equal rows all but the last one too, of which nothing has to be told. */
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
  if (isFile(work)) return sources.file.again(admin, { rows, zip: row.zip }, signal);
  const header = await headerOf(rows());
  const source = sources.rows.find((one) => one.takes(header));
  if (!source) throw new Error(`no source has the rows of import ${row.id}`);
  return source.again(admin, rows, signal);
}

function countOf(leftOut: ImportFile['leftOut']): number {
  return (leftOut ?? []).reduce((sum, [, count]) => sum + count, 0);
}

/** The first of it, and how much more there is, in the words of `more`. */
function noteOf(told: readonly string[], more: (count: number) => string): string | null {
  if (told.length === 0) return null;
  const rest = told.length - MOST_TOLD;
  return [...told.slice(0, MOST_TOLD), ...(rest > 0 ? [more(rest)] : [])].join(' ');
}

/** How many more of a plan were left out. */
function morePlaces(leftOut: readonly string[], things?: PlannedCsv['things']) {
  const sections = leftOut.every((one) => /^(A s|S)ection /.test(one));
  const [one, many] =
    things ?? (sections ? ['section', 'sections'] : ['course or section', 'courses and sections']);
  return (count: number) =>
    count === 1 ? `1 more ${one} was skipped.` : `${grouped(count)} more ${many} were skipped.`;
}

const moreReasons = (count: number) =>
  `${count} more ${count === 1 ? 'reason is' : 'reasons are'} among the messages.`;

function rowsWere(count: number): string {
  return counted(count, 'row was', 'rows were');
}
