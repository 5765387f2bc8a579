/** Enrolment rows made by hand: every row is checked like a planned one before anything is sent (OP-34, OP-43, OP-53). */
import { setImmediate as breathe } from 'node:timers/promises';
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { csvLine } from '@lms-admin/domain/csv';
import {
  type CheckedRow,
  COURSE_LEVEL_HEADER,
  checkEnrollmentRow,
  enrollmentColumns,
  type RowProblem,
  SECTION_LEVEL_HEADER,
} from '@lms-admin/domain/enrollment-csv';
import { CsvError, parse } from 'csv-parse';
import { type Admin, mayGiveRole } from '../access/admin.ts';
import { AppError } from '../platform/errors.ts';
import type { CoreServices } from '../services.ts';

/** Most problems that one refusal names. */
const MOST_DETAILS = 100;
/** Characters given to the parser at once, and rows of an array checked at once, before other work gets its turn. */
const TEXT_AT_ONCE = 32_768;
const ROWS_AT_ONCE = 2_000;
/** Characters of a written piece. */
const PIECE_CHARACTERS = 131_072;

export interface CheckedCsv {
  /** The CSV written anew, in pieces. */
  texts: string[];
  /** Rows without the header. */
  rows: number;
  courses: number;
}

/**
 * Checks hand-made rows against the admin's reach and roles.
 * @param csv text, or rows of which the first is the header
 * @throws AppError bad-request with row and column of up to 100 problems; too-many-rows
 */
export async function checkCsv(
  services: Pick<CoreServices, 'config' | 'scope'>,
  admin: Admin,
  csv: string | readonly (readonly string[])[],
  signal?: AbortSignal,
): Promise<CheckedCsv> {
  const most = services.config.maxEnrollmentRows;
  const problems: RowProblem[] = [];
  const report = (problem: RowProblem) => {
    if (problems.push(problem) >= MOST_DETAILS) throw refusal(problems);
  };
  const writer = rowWriter();
  /** The first rows of each course, for naming them if it is out of reach. */
  const rowsOf = new Map<string, number[]>();
  let columns: Map<string, number> | null = null;
  let row = 0;
  for await (const cells of typeof csv === 'string' ? parsed(csv) : spread(csv)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    row++;
    if (columns === null) {
      columns = enrollmentColumns(cells);
      if (columns === null) throw refusal([problem('header', cells.join(','), row)]);
      writer.header(columns.has('section_id'));
      continue;
    }
    if (row - 1 > most) throw tooMany(most);
    const checked = checkEnrollmentRow(cells, columns, row);
    if ('code' in checked) {
      report(checked);
      continue;
    }
    if (!mayGiveRole(admin, checked.roleId, 'course')) {
      report({ code: 'role', row, column: 'role_id', value: String(checked.roleId) });
      continue;
    }
    const rows = rowsOf.get(checked.courseId) ?? [];
    if (rows.length < MOST_DETAILS) rows.push(row);
    rowsOf.set(checked.courseId, rows);
    writer.row(checked);
  }
  if (columns === null || row === 1) throw refusal([problem('empty', '', Math.max(1, row))]);
  const known = await services.scope.coursesBySisId(admin, [...rowsOf.keys()], signal);
  for (const [course, rows] of rowsOf) {
    if (known.has(course)) continue;
    for (const at of rows) report({ code: 'course', row: at, column: 'course_id', value: course });
  }
  if (problems.length > 0) throw refusal(problems);
  return { texts: writer.end(), rows: row - 1, courses: rowsOf.size };
}

/** Writes checked rows as CSV, in pieces of some thousand rows. */
function rowWriter() {
  const texts: string[] = [];
  let withSections = false;
  let text = '';
  return {
    header(sections: boolean) {
      withSections = sections;
      text = (sections ? SECTION_LEVEL_HEADER : COURSE_LEVEL_HEADER).join(',');
    },
    row({ courseId, userId, roleId, sectionId, status }: CheckedRow) {
      const cells = [courseId, userId, String(roleId), ...(withSections ? [sectionId] : []), status];
      text += `\n${csvLine(cells)}`;
      if (text.length < PIECE_CHARACTERS) return;
      texts.push(text);
      text = '';
    },
    end: () => (text === '' ? texts : [...texts, text]),
  };
}

/** The rows of a text, without blank lines; other work gets its turn in between. */
async function* parsed(csv: string): AsyncGenerator<readonly string[], void, void> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true });
  const feed = async () => {
    for (let at = 0; at < csv.length; at += TEXT_AT_ONCE) {
      const more = parser.write(csv.slice(at, at + TEXT_AT_ONCE));
      if (!more) await new Promise((resolve) => parser.once('drain', resolve));
      await breathe();
      if (parser.destroyed) return;
    }
    parser.end();
  };
  const fed = feed();
  try {
    for await (const cells of parser) yield cells as string[];
    await fed;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : 1;
    throw badRequest([{ row: line, field: null, message: 'The quotes of this row do not fit.' }]);
  }
}

async function* spread(rows: readonly (readonly string[])[]): AsyncGenerator<readonly string[], void, void> {
  for (const [index, cells] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await breathe();
    yield cells;
  }
}

function problem(code: RowProblem['code'], value: string, row: number): RowProblem {
  return { code, row, column: null, value: value.slice(0, 200) };
}

const HEADERS = `${COURSE_LEVEL_HEADER.join(',')} or ${SECTION_LEVEL_HEADER.join(',')}`;

/** What is wrong with a row, for people. */
function sentence({ code, value }: RowProblem): string {
  switch (code) {
    case 'header':
      return `The first row should be ${HEADERS} (in any order), not ${JSON.stringify(value)}.`;
    case 'empty':
      return 'There are no rows below the header.';
    case 'columns':
      return `The row has ${value} cells; it should have as many as the header.`;
    case 'course':
      return value === '' ? 'The course is missing.' : `There is no course ${JSON.stringify(value)}.`;
    case 'user':
      return 'The SIS id of the person is missing or malformed.';
    case 'role':
      return value === '' ? 'The role is missing.' : `You may not give the role ${JSON.stringify(value)}.`;
    case 'section':
      return 'The SIS id of the section is malformed.';
    case 'status':
      return `The status should be active or deleted, not ${JSON.stringify(value)}.`;
    default:
      return 'The row does not fit.';
  }
}

function refusal(problems: readonly RowProblem[]): AppError {
  const inOrder = [...problems].sort((a, b) => a.row - b.row);
  return badRequest(inOrder.map((one) => ({ row: one.row, field: one.column, message: sentence(one) })));
}

function badRequest(details: ErrorDetail[]): AppError {
  return new AppError('bad-request', {
    message: 'Rows of the CSV do not fit. Nothing has been sent.',
    next: 'Correct the rows that are named and send the CSV again.',
    details,
  });
}

function tooMany(most: number): AppError {
  const number = new Intl.NumberFormat('en-GB').format(most);
  return new AppError('too-many-rows', {
    message: `The CSV has more than ${number} rows, the most that one submission takes.`,
    next: 'Send it in parts. Nothing has been sent.',
  });
}
