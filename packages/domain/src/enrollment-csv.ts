/** The enrolment CSV of the console: headers, writing in chunks, checking rows posted by hand (CE-20, OP-52). */
import { csvCell } from './csv.ts';
import type { EnrollmentStatus } from './enrollment-plan.ts';

export const COURSE_LEVEL_HEADER = ['course_id', 'user_id', 'role_id', 'status'] as const;
export const SECTION_LEVEL_HEADER = ['course_id', 'user_id', 'role_id', 'section_id', 'status'] as const;

/** Rows that share course, section, role and status; `users` are SIS user ids. */
export interface EnrollmentBlock {
  sisCourseId: string;
  /** Empty leaves the section to Canvas (the default section). */
  sisSectionId: string;
  roleId: number;
  status: EnrollmentStatus;
  users: readonly string[];
}

/**
 * Writes blocks as CSV in texts of about `chunkRows` rows, so that the caller can pause between them. What the rows of a
 * block share is quoted once. The five-column header is used when any block names a section.
 */
export function* enrollmentCsv(
  blocks: readonly EnrollmentBlock[],
  chunkRows = 5_000,
): Generator<string, void, void> {
  const withSections = blocks.some((block) => block.sisSectionId !== '');
  let out = (withSections ? SECTION_LEVEL_HEADER : COURSE_LEVEL_HEADER).join(',');
  let rows = 0;
  for (const block of blocks) {
    const before = `\n${csvCell(block.sisCourseId)},`;
    const section = withSections ? `${csvCell(block.sisSectionId)},` : '';
    const after = `,${block.roleId},${section}${block.status}`;
    for (const user of block.users) {
      out += before + csvCell(user) + after;
      if (++rows % chunkRows === 0) {
        yield out;
        out = '';
      }
    }
  }
  if (out !== '') yield out;
}

/** Number of rows, the header not counted. */
export function rowCount(blocks: readonly EnrollmentBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.users.length, 0);
}

export type RowProblemCode =
  | 'header'
  | 'empty'
  | 'too-many-rows'
  | 'columns'
  | 'course'
  | 'user'
  | 'role'
  | 'section'
  | 'status';

export interface RowProblem {
  code: RowProblemCode;
  /** 1-based line in the file, the header being row 1. */
  row: number;
  column: string | null;
  value: string;
}

export interface CheckedRow {
  courseId: string;
  userId: string;
  roleId: number;
  sectionId: string;
  status: EnrollmentStatus;
}

/** The column positions of a header in any order, or null when it is none of the two documented headers. */
export function enrollmentColumns(header: readonly string[]): Map<string, number> | null {
  const names = header.map((name) => name.trim().toLowerCase());
  for (const wanted of [COURSE_LEVEL_HEADER, SECTION_LEVEL_HEADER] as readonly (readonly string[])[]) {
    if (names.length === wanted.length && wanted.every((name) => names.includes(name))) {
      return new Map(wanted.map((name) => [name, names.indexOf(name)]));
    }
  }
  return null;
}

/** Checks one row of a hand-made CSV: every cell there, ids without control signs, a role number, a documented status. */
export function checkEnrollmentRow(
  cells: readonly string[],
  columns: ReadonlyMap<string, number>,
  row: number,
): CheckedRow | RowProblem {
  const cell = (name: string) => (cells[columns.get(name) ?? -1] ?? '').trim();
  const problem = (code: RowProblemCode, column: string | null, value: string): RowProblem => ({
    code,
    row,
    column,
    value: value.slice(0, 100),
  });
  if (cells.length !== columns.size) return problem('columns', null, String(cells.length));
  const [courseId, userId, roleId, sectionId, status] = [
    'course_id',
    'user_id',
    'role_id',
    'section_id',
    'status',
  ].map(cell);
  if (!isPlainId(courseId)) return problem('course', 'course_id', courseId ?? '');
  if (!isPlainId(userId)) return problem('user', 'user_id', userId ?? '');
  if (!/^[1-9]\d{0,15}$/.test(roleId ?? '')) return problem('role', 'role_id', roleId ?? '');
  if (sectionId !== '' && !isPlainId(sectionId)) return problem('section', 'section_id', sectionId ?? '');
  if (status !== 'active' && status !== 'deleted') return problem('status', 'status', status ?? '');
  return { courseId, userId, roleId: Number(roleId), sectionId: sectionId ?? '', status };
}

function isPlainId(value: string | undefined): value is string {
  return (
    value !== undefined && value !== '' && value.length <= 255 && !/[\u0000-\u001f\u007f\p{Cs}]/u.test(value)
  );
}
