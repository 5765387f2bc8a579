/** Takes a generated file through the product as an admin would: upload, correct, compare, confirm by number, submit, follow. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type ImportRowMessage, importRow, type SisImport } from '@lms-admin/contract/imports';
import type { SisEffect, SisEffectCourse, SisEffectRow } from '@lms-admin/contract/sis-effects';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { statusOf, submit } from '../../enrollments/campus.ts';
import type { Browser } from '../../support/browser.ts';
import type { TestServer } from '../../support/harness.ts';
import { WAIT_MS } from '../../support/wait.ts';
import {
  type Answered,
  corrected,
  draftOf,
  effectCourses,
  effectOf,
  effectRows,
  finished,
  problemsOf,
  rowsOfDraft,
  upload,
} from '../support.ts';
import {
  fileNameOf,
  type GeneratedFile,
  type GeneratedRow,
  type GeneratedTable,
  rowNumber,
  uploadOf,
  without,
} from './file.ts';
import { Snapshot } from './snapshot.ts';

/** A row as the review shows it, with its cells in the file. */
export interface AnnouncedRow extends SisEffectRow {
  kind: SisKind;
  cells: GeneratedRow['cells'];
}

/** Everything that was shown, and all its effects. */
export interface Sent {
  effect: SisEffect;
  /** Rows in the order in which the LMS processes them. */
  rows: AnnouncedRow[];
  courses: SisEffectCourse[];
  before: Snapshot;
  after: Snapshot;
  ended: SisImport;
  /** LMS Admin's messages about rows at the end. */
  messages: ImportRowMessage[];
  /** Messages of the LMS, each with the type of its table and the row in the admin's file. */
  refused: { kind: SisKind; row: number; message: string }[];
}

/** Writes the review as text, for comparison with the file. Row numbers are those of the final submission. */
export function told(sent: Sent | null): string {
  if (sent === null) return 'nothing was sent';
  const { effect, rows } = sent;
  const lines = rows.map(({ kind, row, does, fields, why, takes }) =>
    [`${kind} row ${row} ${does}`, JSON.stringify(fields), why ?? '', takes ?? ''].join(' '),
  );
  const { takes, courses } = effect.brake;
  const of = { notes: effect.notes, new_courses: effect.new_courses, takes, courses };
  return ['--- as it was reviewed', ...lines, JSON.stringify(of)].join('\n');
}

/** Problems found before anything was sent. `sent` is null if nothing was left to send. */
export interface Driven {
  sent: Sent | null;
  found: string[];
}

type Out = Set<string>;
const outKey = (table: GeneratedTable, index: number) => `${fileNameOf(table)} ${index}`;

export async function drive(ts: TestServer, browser: Browser, generated: GeneratedFile): Promise<Driven> {
  const found: string[] = [];
  const checked = await passed(browser, generated, found);
  if (checked === null) return { sent: null, found };
  const { id, file, out } = checked;
  const effect = await effectOf(browser, id);
  const rows = await announced(browser, id, effect, file, found);
  const courses = (await effectCourses(browser, id)).courses;
  if (effect.refused > 0) {
    const fails = rows.filter(({ does }) => does === 'fails');
    const left = without(
      file,
      (table, index) =>
        out.has(outKey(table, index)) ||
        fails.some((one) => one.kind === table.kind && one.row === rowNumber(file.writing, table, index)),
    );
    if (fails.length === 0) found.push(`${effect.refused} rows are refused, and none fails`);
    if (fails.length === 0 || left.tables.length === 0) return { sent: null, found };
    const rest = await drive(ts, browser, left);
    return { sent: rest.sent, found: [...found, ...rest.found] };
  }
  const { world } = ts.sandbox;
  const before = new Snapshot(world);
  const batches = world.sisBatches.size;
  const { confirm } = effect.brake;
  if (confirm !== null) {
    const without = await submit(browser, { file: id });
    if (without.status !== 400) found.push(`without the number ${confirm} the answer was ${without.status}`);
  }
  const answer = await submit(browser, {
    file: id,
    new_courses: effect.new_courses.map((one) => one.sis_course_id),
    ...(confirm === null ? {} : { deletions: confirm }),
  });
  const body = await answer.json();
  if (answer.status !== 200) {
    found.push(`submitting: ${answer.status} ${JSON.stringify(body.error)}`);
    return { sent: null, found };
  }
  const ended = await followed(browser, body.data.id);
  const after = new Snapshot(world);
  if (world.sisBatches.size !== batches + 1)
    found.push(`${world.sisBatches.size - batches} imports were sent`);
  const batch = [...world.sisBatches.values()].at(-1);
  const refused = (batch?.errors ?? []).map(({ file: name, row, message }) => {
    // The LMS's own name for each file in a zip ends with LMS Admin's name for it.
    const table = file.zip
      ? file.tables.find((one) => name?.endsWith(`-${fileNameOf(one)}`))
      : file.tables[0];
    if (!table || row === null) throw new Error(`the LMS says of ${name}, row ${row}: ${message}`);
    return { kind: table.kind, row: ownRow(file, table, out, row), message };
  });
  const messages = await rowMessages(browser, ended.id);
  return { sent: { effect, rows, courses, before, after, ended, messages, refused }, found };
}

/**
 * Returns the row in the admin's file for the LMS's n-th row. The LMS gets neither empty rows nor skipped
 * ones.
 */
function ownRow({ writing }: GeneratedFile, table: GeneratedTable, out: Out, row: number): number {
  const kept = table.rows.flatMap((_, index) => (out.has(outKey(table, index)) ? [] : [index]));
  return rowNumber(writing, table, kept[row - 2] ?? -1);
}

interface Passed {
  id: string;
  file: GeneratedFile;
  /** The rows skipped in the draft. */
  out: Out;
}

/**
 * Uploads a file. Rejected rows are skipped, as by an admin who can do without them. Returns null if none are
 * left.
 */
async function passed(browser: Browser, file: GeneratedFile, found: string[]): Promise<Passed | null> {
  const { name, content } = await uploadOf(file);
  const answer = await upload(browser, content, name);
  if (answer.file) return { id: answer.file.id, file, out: new Set() };
  const draft = answer.error?.draft;
  if (file.zip || draft === undefined) {
    const refused = refusedInZip(file, answer, found);
    const left = without(file, (table, index) => refused.has(outKey(table, index)));
    if (refused.size === 0) throw new Error(`refused as a whole: ${JSON.stringify(answer.error)}`);
    return left.tables.length === 0 ? null : passed(browser, left, found);
  }
  return correctedFile(browser, file, draft, found);
}

function refusedInZip(file: GeneratedFile, answer: Answered, found: string[]): Out {
  const refused: Out = new Set();
  for (const [row, , message] of problemsOf(answer)) {
    for (const table of file.tables) {
      if (file.zip && !message.startsWith(`${fileNameOf(table)}: `)) continue;
      for (const index of table.rows.keys())
        if (rowNumber(file.writing, table, index) === row) noteRefusal(table, index, message, refused, found);
    }
  }
  return refused;
}

function noteRefusal(table: GeneratedTable, index: number, message: string, out: Out, found: string[]): void {
  const refused = table.rows[index];
  out.add(outKey(table, index));
  if (refused?.mistake === null)
    found.push(`refused without a mistake: ${JSON.stringify(refused.cells)}: ${message}`);
}

async function correctedFile(
  browser: Browser,
  file: GeneratedFile,
  id: string,
  found: string[],
): Promise<Passed | null> {
  const [table] = file.tables;
  if (!table) return null;
  const out: Out = new Set();
  for (;;) {
    const draft = await draftOf(browser, id);
    const { rows } = await rowsOfDraft(browser, id);
    if (rows.length === 0) throw new Error(`refused without a row: ${JSON.stringify(draft)}`);
    for (const { row, problems } of rows) {
      const index = row - rowNumber(file.writing, table, 0);
      noteRefusal(table, index, problems.map(({ message }) => message).join(' '), out, found);
    }
    if (out.size === table.rows.length) return null;
    const left = await corrected(browser, draft, { does: 'leave-out', rows: rows.map(({ row }) => row) });
    if (left.wrong > 0) continue;
    const answer = await finished(browser, left);
    if (answer.file) return { id: answer.file.id, file, out };
    if (answer.status !== 400) throw new Error(JSON.stringify(answer));
  }
}

/** Reads every row as the review shows it, list by list. */
async function announced(
  browser: Browser,
  id: string,
  effect: SisEffect,
  file: GeneratedFile,
  found: string[],
): Promise<AnnouncedRow[]> {
  const all: AnnouncedRow[] = [];
  for (const { kind, rows: count, does } of effect.tables) {
    const shown: SisEffectRow[] = [];
    for (let page = 1; ; page++) {
      const { rows, all: fit } = await effectRows(browser, id, { table: kind, page });
      shown.push(...rows);
      if (shown.length >= fit || rows.length === 0) break;
    }
    if (shown.length !== count) found.push(`${kind}: ${count} rows are counted, ${shown.length} shown`);
    for (const [what, number] of Object.entries(does)) {
      const there = shown.filter((one) => one.does === what).length;
      if (there !== number) found.push(`${kind}: '${what}' is counted ${number} times, shown ${there} times`);
    }
    for (const row of shown.sort((a, b) => a.row - b.row)) {
      // People rows also delete and suspend additional logins.
      const of = kind === 'login' && (row.does === 'deletes' || row.does === 'suspends') ? 'user' : kind;
      const tables = file.tables.filter((one) => one.kind === of);
      const table = tables.find((one) => one.rows[row.row - rowNumber(file.writing, one, 0)]);
      const cells = table?.rows[row.row - rowNumber(file.writing, table, 0)]?.cells;
      if (!cells) found.push(`${kind}: row ${row.row} is not in the file`);
      else all.push({ ...row, kind: of, cells });
    }
  }
  return all;
}

async function followed(browser: Browser, id: string): Promise<SisImport> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const one = await statusOf(browser, id);
    if (one.final && !one.attachment_pending) return one;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(one)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function rowMessages(browser: Browser, id: string): Promise<ImportRowMessage[]> {
  const all: ImportRowMessage[] = [];
  for (let page = 1; ; page++) {
    const body = await (
      await browser.fetch(`${ENDPOINTS.importRows.replace(':import', id)}?page=${page}`)
    ).json();
    const rows: unknown[] = body.data;
    all.push(...rows.map((one) => importRow.parse(one)));
    if (rows.length < 100) return all;
  }
}
