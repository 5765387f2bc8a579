/** Enrolment rows made by hand: every row is checked like a planned one before anything is sent (OP-34, OP-43, OP-53). */
import type { Course } from '@lms-admin/contract/canvas-objects';
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import { csvLine } from '@lms-admin/domain/csv';
import {
  type CheckedRow,
  COURSE_LEVEL_HEADER,
  checkEnrollmentRow,
  enrollmentColumns,
  type RowProblem,
  SECTION_LEVEL_HEADER,
} from '@lms-admin/domain/enrollment-csv';
import { type Admin, mayGiveRole, mayUse } from '../access/admin.ts';
import { requireTool } from '../access/require.ts';
import type { AppError } from '../platform/errors.ts';
import type { CoreServices } from '../services.ts';
import { csvRows, MOST_DETAILS, rowsDoNotFit } from './csv-rows.ts';
import { foreignSections } from './named-sections.ts';
import { tooManyCsvRows } from './payload.ts';

/** Courses asked for together: a file of courses that do not exist is refused before all of them are looked up. */
const COURSES_AT_ONCE = 100;
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
 * @throws AppError not-allowed (no enrolment tool); bad-request with row and column of up to 100 problems; too-many-rows
 */
export async function checkCsv(
  services: Pick<CoreServices, 'config' | 'scope' | 'canvas'>,
  admin: Admin,
  csv: string | readonly (readonly string[])[],
  signal?: AbortSignal,
): Promise<CheckedCsv> {
  requireTool(admin, ...SUBMIT_TOOLS['section-rows']);
  const most = services.config.maxEnrollmentRows;
  const problems: RowProblem[] = [];
  const report = (problem: RowProblem) => {
    if (problems.push(problem) >= MOST_DETAILS) throw refusal(problems);
  };
  const writer = rowWriter();
  /** The first rows of each course, for naming them if it is out of reach. */
  const rowsOf = new Map<string, number[]>();
  /** The first rows of each section that is named, by course. */
  const sectionsOf = new Map<string, Map<string, number[]>>();
  let columns: Map<string, number> | null = null;
  let row = 0;
  for await (const cells of csvRows(csv)) {
    row++;
    if (columns === null) {
      columns = enrollmentColumns(cells);
      if (columns === null) throw refusal([problem('header', cells.join(','), row)]);
      requireTool(admin, ...SUBMIT_TOOLS[columns.has('section_id') ? 'section-rows' : 'course-rows']);
      writer.header(columns.has('section_id'));
      continue;
    }
    if (row - 1 > most) throw tooManyCsvRows(most);
    const checked = checkEnrollmentRow(cells, columns, row);
    if ('code' in checked) {
      report(checked);
      continue;
    }
    if (!mayEnrol(admin, checked)) {
      report({ code: 'role', row, column: 'role_id', value: String(checked.roleId) });
      continue;
    }
    note(rowsOf, checked.courseId, row);
    if (checked.sectionId !== '') {
      const sections = sectionsOf.get(checked.courseId) ?? new Map<string, number[]>();
      note(sections, checked.sectionId, row);
      sectionsOf.set(checked.courseId, sections);
    }
    writer.row(checked);
  }
  if (columns === null || row === 1) throw refusal([problem('empty', '', Math.max(1, row))]);
  const known = new Map<string, Course>();
  const asked = [...rowsOf.keys()];
  for (let at = 0; at < asked.length; at += COURSES_AT_ONCE) {
    const some = asked.slice(at, at + COURSES_AT_ONCE);
    const found = await services.scope.coursesBySisId(admin, some, signal);
    for (const sisId of some) {
      const course = found.get(sisId);
      if (course) known.set(sisId, course);
      else for (const at of rowsOf.get(sisId) ?? []) report(outOf('course', sisId, at));
    }
  }
  for (const { section, rows } of await foreignSections(services.canvas, admin, known, sectionsOf, signal)) {
    for (const at of rows) report(outOf('section', section, at));
  }
  if (problems.length > 0) throw refusal(problems);
  return { texts: writer.end(), rows: row - 1, courses: rowsOf.size };
}

/** By the tool, and the role list, of the row's level: one that names a section may be of either (OP-34). */
function mayEnrol(admin: Admin, { roleId, sectionId }: CheckedRow): boolean {
  return (
    (mayUse(admin, 'course-enrollment') && mayGiveRole(admin, roleId, 'course')) ||
    (sectionId !== '' && mayUse(admin, 'section-enrollment') && mayGiveRole(admin, roleId, 'section'))
  );
}

/** Keeps the row under the name, unless enough rows are kept already. */
function note(rowsOf: Map<string, number[]>, name: string, row: number): void {
  const rows = rowsOf.get(name) ?? [];
  if (rows.length < MOST_DETAILS) rows.push(row);
  rowsOf.set(name, rows);
}

function outOf(code: 'course' | 'section', value: string, row: number): RowProblem {
  return { code, row, column: `${code}_id`, value };
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
      return `The course has no section ${JSON.stringify(value)}.`;
    case 'status':
      return `The status should be active or deleted, not ${JSON.stringify(value)}.`;
    default:
      return 'The row does not fit.';
  }
}

function refusal(problems: readonly RowProblem[]): AppError {
  const inOrder = [...problems].sort((a, b) => a.row - b.row);
  return rowsDoNotFit(inOrder.map((one) => ({ row: one.row, field: one.column, message: sentence(one) })));
}
