/** Summary of one course in a Course Enrollment plan, and the plan's label. */

import type { Plan, PlanRequest } from '@lms-admin/contract/enrollments';
import { campusOf } from '@lms-admin/domain/courses';
import { isRowStatus } from '@lms-admin/domain/enrollment-states';
import { counted } from '@lms-admin/domain/numbers';
import type { FoundPerson } from '../users/people.ts';
import type { ReadDifference } from './course-difference.ts';
import { isConcluded, type PlannableCourse } from './plan-checks.ts';
import { datedPerson, withoutLinked } from './section-reading.ts';

export function summaryOf(
  course: PlannableCourse,
  status: PlanRequest['status'],
  people: readonly FoundPerson[],
  { rows, untouched, linked = [], unread }: ReadDifference,
): Plan['courses'][number] {
  const adding = status === 'active';
  const [touched, left] = [people.length - untouched.length, untouched.length];
  return {
    id: course.id,
    name: course.name,
    sis_course_id: course.sis_course_id,
    term: course.term?.name ?? null,
    campus: campusOf(course.sis_course_id),
    add: adding ? touched : 0,
    reactivated: adding ? rows.reduce((sum, one) => sum + (one.before?.length ?? 0), 0) : 0,
    beside: rows.reduce((sum, one) => sum + (one.beside ?? 0), 0),
    already: adding ? left : 0,
    remove: adding ? 0 : touched,
    not_enrolled: adding ? 0 : withoutLinked(untouched, linked),
    unrestorable: rows.flatMap(({ target, before = [] }) =>
      before.flatMap(([at, state]) =>
        isRowStatus(state) ? [] : [{ person: people[at]?.name ?? '', section: target.name ?? '', state }],
      ),
    ),
    dates_end: rows.flatMap(({ target, dated: datedPeople = [] }) =>
      datedPeople.map(([at, dates]) => datedPerson(people[at]?.name, target.name, dates)),
    ),
    linked: linked.map((at) => people[at]?.name ?? ''),
    concluded: isConcluded(course),
    rows: rows.reduce((total, one) => total + one.people.length, 0),
    sections: rows.flatMap(({ target }) =>
      // Rows that add people at course level have no section (CE-12).
      target.name === null || (adding && target.sisSectionId === '')
        ? []
        : [
            {
              id: target.sectionId,
              name: target.name,
              sis_section_id: target.sisSectionId,
              assign: target.assign,
            },
          ],
    ),
    unread,
  };
}

/** Labels a plan: `Add 12 people to 3 courses as Student` */
export function labelOf(
  status: PlanRequest['status'],
  people: number,
  courses: number,
  role: string,
): string {
  const who = counted(people, 'person', 'people');
  const where = counted(courses, 'course', 'courses');
  return status === 'active' ? `Add ${who} to ${where} as ${role}` : `Remove ${who} from ${where} as ${role}`;
}
