/** The console's enrolment CSV: headers, writing in chunks, checking rows entered by hand (CE-20, OP-52). */
import { csvCell } from './csv.ts';
import type { EnrollmentStatus } from './enrollment-plan.ts';
import type { EnrollmentDates, RowStatus } from './enrollment-states.ts';
import { rowCheck, statusProblem } from './sis-row-rules.ts';
import {
  layoutColumns,
  type RoleRules,
  type RowCheck,
  roleCheck,
  type SisProblem,
  shown,
} from './sis-rows.ts';
import {
  COURSE_LEVEL_HEADER,
  DATES_HEADER,
  ENROLLMENTS,
  type EnrollmentsColumn,
  SECTION_LEVEL_HEADER,
} from './sis-tables/enrollments.ts';

/** Rows that share course, section, role and status; `users` are SIS user ids. */
export interface EnrollmentBlock {
  sisCourseId: string;
  /** Empty: Canvas chooses the section (the default one). */
  sisSectionId: string;
  roleId: number;
  status: RowStatus;
  users: readonly string[];
  /** People's own new dates, by SIS user id. */
  dates?: ReadonlyMap<string, EnrollmentDates>;
}

/**
 * Writes blocks as CSV in chunks of about `chunkRows` rows, so that the caller can pause between them. Values shared by
 * a block are quoted once. The five-column header is used if any block names a section; date columns follow if anyone
 * gets their own dates.
 */
export function* enrollmentCsv(
  blocks: readonly EnrollmentBlock[],
  chunkRows = 5_000,
): Generator<string, void, void> {
  const withSections = blocks.some((block) => block.sisSectionId !== '');
  const withDates = blocks.some(({ dates }) => dates !== undefined && dates.size > 0);
  const header = withSections ? SECTION_LEVEL_HEADER : COURSE_LEVEL_HEADER;
  let out = [...header, ...(withDates ? DATES_HEADER : [])].join(',');
  let rows = 0;
  for (const block of blocks) {
    const before = `\n${csvCell(block.sisCourseId)},`;
    const section = withSections ? `${csvCell(block.sisSectionId)},` : '';
    const after = `,${block.roleId},${section}${block.status}`;
    for (const user of block.users) {
      out += before + csvCell(user) + after;
      if (withDates)
        out += `,${(block.dates?.get(user) ?? []).map((date) => csvCell(date ?? '')).join(',') || ','}`;
      if (++rows % chunkRows === 0) {
        yield out;
        out = '';
      }
    }
  }
  if (out !== '') yield out;
}

/** Returns the number of rows, without the header. */
export function rowCount(blocks: readonly EnrollmentBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.users.length, 0);
}

/** Returns the position of each column in one of the two documented headers, in any order; null for any other header. */
export function enrollmentColumns(header: readonly string[]): ReadonlyMap<EnrollmentsColumn, number> | null {
  return layoutColumns(header, COURSE_LEVEL_HEADER) ?? layoutColumns(header, SECTION_LEVEL_HEADER);
}

const STATUSES: readonly EnrollmentStatus[] = ['active', 'deleted'];

/**
 * Creates the check of rows entered by hand: the required cells, and for every row its course, valid ids, a status that
 * the console sends, and a role that can be assigned.
 * @param header one of the two documented ones, in any order
 */
export function manualRowCheck(header: readonly string[], rules: RoleRules): RowCheck {
  const ofTable = rowCheck(ENROLLMENTS, header);
  const ofRoles = roleCheck(ENROLLMENTS, header, rules);
  const ids = (['course_id', 'user_id', 'section_id'] as const).filter((name) => header.includes(name));
  const at = new Map(header.map((name, place) => [name, place]));
  return (cells) => {
    const cell = (name: EnrollmentsColumn) => cells[at.get(name) ?? -1] ?? '';
    if (cells.length !== header.length) {
      const message = `The row has ${cells.length} cells. It should have as many as the header.`;
      return [{ column: null, message }];
    }
    const problems = [...ofTable(cells), ...ofRoles(cells)];
    const add = (problem: SisProblem) => {
      if (!problems.some(({ column }) => column === problem.column)) problems.push(problem);
    };
    if (cell('course_id') === '') add({ column: 'course_id', message: 'The course is missing.' });
    for (const name of ids) {
      if (isPlain(cell(name))) continue;
      const message = `The ID ${shown(cell(name))} is too long, or has a character that cannot be shown.`;
      add({ column: name, message });
    }
    const status = cell('status');
    if (!STATUSES.some((one) => one === status)) add(statusProblem(status, STATUSES));
    return problems;
  };
}

function isPlain(id: string): boolean {
  return id.length <= 255 && !/[\u0000-\u001f\u007f\p{Cs}]/u.test(id);
}
