/** The courses of one account as they arrive, page by page. Pure. */
import type { Course } from '@lms-admin/contract/canvas-objects';
import type { CopiedCourses } from '@lms-admin/contract/directory';
import { campusOf, coursesToList } from '@lms-admin/domain/courses';
import type { PickedCourse } from './picker-state.ts';

export interface CoursePages {
  pages: ReadonlyMap<number, readonly Course[]>;
  done: boolean;
  /** Courses of the directory's copy, which are shown until the list is complete. */
  copied?: CopiedCourses['courses'];
}

export const NO_PAGES: CoursePages = { pages: new Map(), done: false };

export type CourseChunk = { page: number; courses: readonly Course[] } | { done: true };

/** Adds a page unless it is already there (PICK-16): a stream that resumes after a break repeats its first pages. */
export function addChunk(state: CoursePages, chunk: CourseChunk): CoursePages {
  if ('done' in chunk) return { ...state, done: true };
  if (state.pages.has(chunk.page)) return state;
  return { ...state, pages: new Map(state.pages).set(chunk.page, chunk.courses) };
}

/** A course as a row of the table. */
export interface CourseRow extends PickedCourse {
  term: string;
  campus: string;
}

/**
 * Lists the rows of all accounts that have an SIS ID and a chosen term, each course once, in the order of accounts and
 * pages.
 */
export function courseRows(
  accounts: readonly CoursePages[],
  terms: readonly { id: number; name: string }[],
): CourseRow[] {
  const names = new Map(terms.map((term) => [term.id, term.name]));
  const rows: CourseRow[] = [];
  for (const course of coursesToList(allCourses(accounts), new Set(names.keys()))) {
    const { id, name, sis_course_id, enrollment_term_id } = course;
    if (sis_course_id === null) continue;
    const term = ('term' in course ? course.term?.name : null) ?? names.get(enrollment_term_id) ?? '';
    rows.push({ id, name, sis_course_id, enrollment_term_id, term, campus: campusOf(sis_course_id) });
  }
  return rows;
}

/** Counts the courses read so far, listed or not, for the progress line. */
export function coursesRead(accounts: readonly CoursePages[]): number {
  let read = 0;
  for (const { pages } of accounts) for (const page of pages.values()) read += page.length;
  return read;
}

type AnyCourse = Course | CopiedCourses['courses'][number];

function* allCourses(accounts: readonly CoursePages[]): Generator<AnyCourse> {
  for (const { pages, done, copied = [] } of accounts) {
    for (const number of [...pages.keys()].sort((a, b) => a - b)) yield* pages.get(number) ?? [];
    // Read and copied courses are both in the order of their numbers, so rows keep their places while pages arrive.
    if (!done) yield* copied;
  }
}
