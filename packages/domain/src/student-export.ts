/** Contents of an export of the students of a course (area EXP). Pure. */

/** Maximum number of students in a workbook; above that, only a CSV is created, which needs less memory. */
export const MAX_WORKBOOK_ROWS = 20_000;

export const EXPORT_FORMATS = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A student of a course as the export reads them; null for data that the LMS does not return. */
export interface ExportedStudent {
  name: string;
  login_id: string | null;
  integration_id: string | null;
  /** Enrolments in this course. */
  enrollments: readonly { course_section_id: number; last_activity_at: string | null }[];
  /** Groups of this course. */
  group_ids: readonly number[];
}

/** Names behind a student's ids. */
export interface ExportNames {
  sections: ReadonlyMap<number, string>;
  /** `group_category` of each group (EXP-15); null for an export without groups. */
  groups: ReadonlyMap<number, string> | null;
  /** Formats a moment for people, from ISO. */
  moment: (iso: string) => string;
}

const JOINED = ', ';

/** Returns the column headings, in order (EXP-04, EXP-13 to EXP-17). */
export function exportColumns(groups: boolean): string[] {
  const last = ['Role', 'Last Activity'];
  return ['Name', 'Login', 'SIS ID/ PeoplesoftID', 'Section', ...(groups ? ['Groups'] : []), ...last];
}

/** Returns the row of a student, in the order of `exportColumns`. The role is fixed (EXP-16, OP-82). */
export function exportRow(student: ExportedStudent, { sections, groups, moment }: ExportNames): string[] {
  const named = student.enrollments.map((one) => sections.get(one.course_section_id) ?? '');
  const active = student.enrollments.flatMap(({ last_activity_at: at }) => (at === null ? [] : [moment(at)]));
  const cells = [
    student.name,
    student.login_id ?? '',
    student.integration_id ?? '',
    [...new Set(named)].filter((name) => name !== '').join(JOINED),
  ];
  if (groups !== null) cells.push(student.group_ids.flatMap((id) => groups.get(id) ?? []).join(JOINED));
  cells.push('Student', active.join(JOINED));
  return cells;
}

/** Returns the name of a group in an export (EXP-15). */
export function exportedGroup(group: string, category: string): string {
  return `${group}_${category}`;
}

/** Characters that file systems do not accept, and spaces around them. */
const REFUSED = /[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST_NAME = 100;

/**
 * Returns the name of the file (EXP-19, EXP-21, OP-83): the course code, if any, without characters that file systems
 * reject.
 * @param course number of the course
 */
export function exportFileName(format: ExportFormat, course: number, code: string): string {
  if (format === 'csv') return `course-${course}-students-data.csv`;
  const clean = Array.from(code.normalize('NFC').replace(REFUSED, '-').trim())
    .slice(0, LONGEST_NAME)
    .join('');
  const name = clean.replace(/^[.\s-]+|[.\s-]+$/g, '');
  return `${name === '' || RESERVED.test(name) ? course : name}.xlsx`;
}
