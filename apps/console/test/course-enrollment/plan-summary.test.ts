import type { Plan } from '@lms-admin/contract/enrollments';
import { describe, expect, test } from 'vitest';
import {
  sectionsToName,
  summaryTotals,
  unreadCourses,
  whatStays,
  whatWillHappen,
} from '../../src/tools/course-enrollment/plan-summary.ts';
import { nothingToDo, sumOf } from '../../src/tools/course-enrollment/plan-words.ts';

const course = (id: number, more: Partial<Plan['courses'][number]> = {}): Plan['courses'][number] => ({
  id,
  name: `Course ${id}`,
  sis_course_id: `S${id}`,
  term: 'MBA 2026',
  campus: 'FBL',
  add: 12,
  reactivated: 0,
  beside: 0,
  concluded: false,
  already: 0,
  remove: 0,
  not_enrolled: 0,
  unrestorable: [],
  dates_end: [],
  linked: [],
  rows: 12,
  sections: [],
  unread: null,
  ...more,
});
const plan = (more: Partial<Plan> = {}): Plan => ({
  id: '2b1f6c1e-7a51-4c36-9f43-4d1f27a1f001',
  created_at: '2026-01-01T00:00:00Z',
  role: { id: 3, label: 'Student' },
  status: 'active',
  people: { asked: 12, found: 12, not_found: [], there: [], failed: [] },
  courses: [course(1), course(2), course(3)],
  left_out: [],
  copied: null,
  removed_with: { members: 0, observers: 0, who: [], unread: [] },
  added_with: { observers: 0, who: [], unread: 0 },
  totals: { add: 36, already: 0, remove: 0, not_enrolled: 0, rows: 36 },
  import_id: null,
  ...more,
});
const none = { add: 0, already: 0, remove: 0, not_enrolled: 0, rows: 0 };

describe('the review in words', () => {
  test('CE-12 the totals of the summary count an unknown person as missing in every course', () => {
    const people = { asked: 14, found: 12, not_found: ['x@a.example', 'y@a.example'], there: [], failed: [] };
    expect(summaryTotals(plan({ people }))).toEqual({
      count: 36,
      add: 36,
      already: 0,
      remove: 0,
      notEnrolled: 0,
    });
    const unread = plan({ courses: [course(1, { unread: 'The LMS did not answer.' })] });
    expect(summaryTotals(unread)).not.toHaveProperty('already');
    expect(summaryTotals(unread)).not.toHaveProperty('notEnrolled');
  });

  test('CE-12 the summary says what Next will do, with figures', () => {
    expect(whatWillHappen(plan())).toBe('“Next” adds 36 enrolments: 12 people as Student in 3 courses.');
    const one = plan({
      status: 'deleted',
      people: { asked: 1, found: 1, not_found: [], there: [], failed: [] },
      courses: [course(1, { add: 0, remove: 1, rows: 1 }), course(2, { add: 0, rows: 0, not_enrolled: 1 })],
      totals: { ...none, remove: 1, not_enrolled: 1, rows: 1 },
    });
    expect(whatWillHappen(one)).toContain(
      'You are about to remove 1 enrolment: 1 person with the role Student in 1 course.',
    );
    expect(whatStays(one)).toMatch(/^1 enrolment does not exist/);
    expect(whatStays(plan())).toBeNull();
    expect(whatStays(plan({ courses: [course(1, { beside: 2 })] }))).toMatch(
      /^2 of them have an enrolment in another section/,
    );
    expect(whatStays(plan({ totals: { ...none, already: 2 } }))).toContain('2 enrolments already exist');
  });

  test('CE-12 the summary gives the reason if there is nothing to do', () => {
    expect(nothingToDo(plan())).toBeNull();
    const people = { asked: 1, found: 0, not_found: ['a@b.example'], there: [], failed: [] };
    expect(nothingToDo(plan({ totals: none, people }))).toContain('None of these people');
    expect(nothingToDo(plan({ totals: none, courses: [] }))).toContain('None of the courses');
    expect(nothingToDo(plan({ totals: none }))).toContain('Everyone already has the role');
    expect(nothingToDo(plan({ totals: none, status: 'deleted' }))).toContain('No one has the role');
  });

  test('CE-12 the summary names sections that will get an SIS ID, and courses that could not be compared', () => {
    const named = { id: 9, name: 'Group B', sis_section_id: 'S1-GROUPB', assign: true };
    const sections = [named, { ...named, id: 8, assign: false }];
    const some = plan({ courses: [course(1, { sections }), course(2, { unread: 'lms-down' })] });
    expect(sectionsToName(some)).toEqual([{ course: 'Course 1', section: 'Group B', sisId: 'S1-GROUPB' }]);
    expect(unreadCourses(some).map((one) => one.id)).toEqual([2]);
  });

  test('the summary in the action bar', () => {
    const plan = { people: { found: 12 }, totals: { rows: 36 } };
    expect(sumOf(3, 12, plan)).toBe('3 courses · 12 people · 36 enrolments');
    // Two addresses that belong to no one.
    expect(sumOf(3, 14, plan)).toBe('3 courses · 12 people · 36 enrolments');
    expect(sumOf(3, 14, null)).toBe('3 courses · 14 people');
    expect(sumOf(0, 0, null)).toBe('');
    expect(sumOf(1, 1, null)).toBe('1 course · 1 person');
  });
});
