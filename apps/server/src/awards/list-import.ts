/** Uploads of the list of professors and courses: checked, made current, or restored (OP-89). */
import {
  type ListCheck,
  type ListProblem,
  type ListReplaced,
  MAX_LISTED,
  type PreviousList,
} from '@lms-admin/contract/awards';
import { LIST_HEADER, type ListColumn } from '@lms-admin/domain/award-entries';
import { readList, sheetOfRecords } from '@lms-admin/domain/award-list';
import { listChanges } from '@lms-admin/domain/award-list-changes';
import { cellText, nameKey } from '@lms-admin/domain/award-text';
import type { Admin } from '../auth/admin.ts';
import type { Upload } from '../files/upload.ts';
import type { Audit } from '../platform/audit.ts';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { infoOf, type Lists } from './list-store.ts';
import { listChanged, listRefused, notValid } from './refusals.ts';
import { toListChanges, toSheetRecord } from './rows.ts';
import { readSheet, type Sheet } from './sheet.ts';

export interface ListImport {
  /** Returns the content and the changes of a workbook. @throws AppError bad-request if it is not a workbook */
  check(upload: Upload, signal: AbortSignal): Promise<ListCheck>;
  /**
   * Makes rows the current list, all or none.
   * @param over number of the list that they were compared with; undefined to replace any list
   * @throws AppError bad-request, with row and column; conflict
   */
  replace(admin: Admin, records: Records, over: number | undefined, requestId: string): Promise<ListReplaced>;
  previous(): Promise<PreviousList>;
  /** Restores the former list. @param version the version that the user saw @throws AppError not-found, conflict */
  restore(admin: Admin, version: number, requestId: string): Promise<ListReplaced>;
}

type Records = readonly Readonly<Record<string, unknown>>[];

/** Maximum length and number of the names of ignored columns. */
const LONGEST_NAME = 100;
const MOST_IGNORED = 20;

export function createListImport(lists: Lists, audit: Audit): ListImport {
  const written = (admin: Admin, event: string, { list }: ListReplaced, requestId: string) =>
    audit.write({
      login: admin.login,
      tool: 'award-import',
      event,
      detail: { version: list.version, rows: list.rows },
      requestId,
    });

  return {
    async check({ name: file, bytes }, signal) {
      const sheet = await readSheet(await whole(bytes), signal);
      return checked(file, sheet, await lists.inForce());
    },
    async replace(admin, records, over, requestId) {
      const { header, rows } = sheetOfRecords(records);
      const read = readList(header, rows);
      if ('template' in read) throw notValid(read);
      if (read.problems.length > 0) throw listRefused(read.problems);
      const known = over ?? (await lists.infos())[0]?.version ?? 0;
      const replaced = await lists.replace(known, { entries: read.entries, by: admin.name });
      await written(admin, 'award-list-replaced', replaced, requestId);
      return replaced;
    },
    async previous() {
      const [list, before] = await lists.both();
      return {
        list: list ? infoOf(list) : null,
        previous: before ? infoOf(before) : null,
        changes: list && before ? toListChanges(listChanges(list.entries, before.entries)) : null,
      };
    },
    async restore(admin, version, requestId) {
      const [list, before] = await lists.both();
      if (!list || !before) {
        throw new AppError('not-found', {
          message: 'There is no previous list.',
          next: 'A previous list is kept when you replace the current list.',
        });
      }
      if (before.version !== version) throw listChanged();
      const { entries, createdAt, createdBy } = before;
      const creation = { createdAt, createdBy };
      const replaced = await lists.replace(list.version, { entries, by: admin.name, creation });
      await written(admin, 'award-list-restored', replaced, requestId);
      return replaced;
    },
  };
}

/** Compares the content of a sheet with the current list. */
function checked(file: string, sheet: Sheet, inForce: Awaited<ReturnType<Lists['inForce']>>): ListCheck {
  const [first] = sheet.rows;
  const header = first?.row === 1 ? first.cells : [];
  const read = readList(header, first?.row === 1 ? sheet.rows.slice(1) : sheet.rows);
  if ('template' in read) {
    return { template: false, file, message: storable(read.message), next: storable(read.next) };
  }
  const cellProblems = [...formulaProblems(header, sheet), ...dateProblems(header, sheet)];
  const problems = [...cellProblems, ...read.problems].sort(byRow);
  const changes = listChanges(inForce?.entries ?? [], read.entries);
  return {
    template: true,
    file,
    sheet: storable(sheet.name),
    rows: problems.length > 0 ? [] : read.entries.map(toSheetRecord),
    problems: problems.slice(0, MAX_LISTED).map(listedProblem),
    problem_count: problems.length,
    hints: read.hints.slice(0, MAX_LISTED).map(listedProblem),
    hint_count: read.hints.length,
    ignored: read.ignored.slice(0, MOST_IGNORED).map((name) => storable(name.slice(0, LONGEST_NAME))),
    changes: problems.length > 0 ? null : toListChanges(changes),
    version: inForce?.version ?? 0,
  };
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Reports formulas: their value can change, but a list must stay as it was when checked. */
function formulaProblems(header: readonly unknown[], { formulas }: Sheet): ListProblem[] {
  const columns = columnsOf(header);
  return formulas.map(([row, at]) => ({
    row,
    column: columns[at] ?? null,
    message: `${columns[at] ?? `The cell in column ${at + 1}`} is calculated by a formula.`,
    next: 'Copy the cells, and paste them as values.',
  }));
}

/** Reports dates: a spreadsheet turns ids such as 1-2 and names such as March 5 into dates and loses the original. */
function dateProblems(header: readonly unknown[], { dates }: Sheet): ListProblem[] {
  const columns = columnsOf(header);
  return dates.flatMap(([row, at]) => {
    const column = columns[at] ?? null;
    // A date is not a number of people either, but another check reports that.
    if (column === null || column === 'Enrolled' || row === 1) return [];
    const message = `${column} is a date. A spreadsheet turns a text such as 1-2 into a date.`;
    return [{ row, column, message, next: 'Format the column as text, and type the value again.' }];
  });
}

function columnsOf(header: readonly unknown[]): (ListColumn | null)[] {
  return header.map((name) => {
    const key = nameKey(cellText(name) ?? '');
    return LIST_HEADER.find((column) => nameKey(column) === key) ?? null;
  });
}

function byRow(one: { row: number | null }, other: { row: number | null }): number {
  return (one.row ?? 0) - (other.row ?? 0);
}

function listedProblem({ row, column, message, next }: ListProblem): ListProblem {
  return { row, column, message: storable(message), next };
}
