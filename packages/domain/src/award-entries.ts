/** The list of professors and courses: votes are matched against it, and an upload replaces it. Pure. */
import type { AwardCampus, CourseType } from './award-campuses.ts';
import { nameKey } from './award-text.ts';

/** A row of the list (BTA-38). */
export interface AwardEntry {
  campus: AwardCampus;
  course: string;
  courseId: string;
  enrolled: number;
  professorId: string;
  professor: string;
  type: CourseType;
}

/** Columns of the template, in its order (OP-89). */
export const LIST_HEADER = [
  'Campus',
  'Course',
  'Course ID',
  'Enrolled',
  'Prof ID',
  'Professor',
  'Type',
] as const;
export type ListColumn = (typeof LIST_HEADER)[number];

/** A problem: what it is, where, and what to do; row and column are null for the whole sheet. */
export interface ListProblem {
  /** Row in the sheet: the header is row 1. */
  row: number | null;
  column: ListColumn | null;
  message: string;
  next: string;
}

/** Identifies an entry: a course can have several professors, and a professor several courses. */
export function entryKey({ campus, courseId, professorId }: AwardEntry): string {
  return `${campus}\n${nameKey(courseId)}\n${nameKey(professorId)}`;
}
