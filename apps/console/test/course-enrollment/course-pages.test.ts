import type { Course } from '@lms-admin/contract/canvas-objects';
import { describe, expect, test } from 'vitest';
import {
  addChunk,
  courseRows,
  coursesRead,
  NO_PAGES,
} from '../../src/components/CoursePicker/course-pages.ts';

const course = (id: number, more: Partial<Course> = {}): Course => ({
  id,
  name: `Course ${id}`,
  account_id: 86,
  sis_course_id: `MBA26-FBL-FIN${id}-A`,
  enrollment_term_id: 5,
  course_code: '',
  ...more,
});
const term = { id: 5, name: 'MBA 2026' };

describe('courses while they load', () => {
  test('PICK-16 the same page is added only once', () => {
    const once = addChunk(NO_PAGES, { page: 1, courses: [course(1)] });
    expect(addChunk(once, { page: 1, courses: [course(1), course(2)] })).toBe(once);
    expect(coursesRead([addChunk(once, { page: 2, courses: [course(2)] })])).toBe(2);
    expect(addChunk(once, { done: true })).toMatchObject({ done: true });
  });

  test('PICK-08 PICK-14 OP-28 rows have an SIS ID and a selected term, and each course appears once, with its campus', () => {
    const parent = addChunk(NO_PAGES, {
      page: 1,
      courses: [course(1), course(2, { sis_course_id: null }), course(3, { enrollment_term_id: 6 })],
    });
    const child = addChunk(NO_PAGES, {
      page: 1,
      courses: [course(1), course(4, { sis_course_id: 'PLAIN' })],
    });
    const rows = courseRows([parent, child], [term]);
    expect(rows.map(({ id, term: name, campus }) => [id, name, campus])).toEqual([
      [1, 'MBA 2026', 'FBL'],
      [4, 'MBA 2026', 'Manually Created'],
    ]);
    expect(courseRows([parent, child], [])).toEqual([]);
  });

  test('courses of the copy are shown below the pages until the list is complete', () => {
    const copied = [1, 2, 7].map((id) => ({
      id,
      name: `Copied ${id}`,
      sis_course_id: `S${id}`,
      enrollment_term_id: 5,
    }));
    const begun = { ...addChunk(NO_PAGES, { page: 1, courses: [course(1), course(2)] }), copied };
    const names = (pages: typeof begun) => courseRows([pages], [term]).map((row) => row.name);
    expect(names({ ...begun, pages: new Map() })).toEqual(['Copied 1', 'Copied 2', 'Copied 7']);
    expect(names(begun)).toEqual(['Course 1', 'Course 2', 'Copied 7']);
    expect(names({ ...begun, done: true })).toEqual(['Course 1', 'Course 2']);
    expect(coursesRead([begun])).toBe(2);
  });

  test('pages are in order, however they arrived', () => {
    const late = addChunk(NO_PAGES, { page: 2, courses: [course(2)] });
    const both = addChunk(late, { page: 1, courses: [course(1)] });
    expect(courseRows([both], [term]).map((row) => row.id)).toEqual([1, 2]);
  });
});
