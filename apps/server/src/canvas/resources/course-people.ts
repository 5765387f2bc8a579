/** The people of a course, with their enrolments and groups (reference §16). */
import { z } from 'zod';
import { pages, type Reader } from './reading.ts';

const id = z.number().int().positive();
/** Missing, not null, where the rights of the token do not reach: that is told apart. */
const perhaps = z.string().nullish();

const enrollment = z.object({
  course_section_id: id,
  type: z.string(),
  enrollment_state: z.string(),
  last_activity_at: perhaps,
});
const person = z.object({
  id,
  name: z.string(),
  sis_user_id: perhaps,
  login_id: perhaps,
  email: perhaps,
  integration_id: perhaps,
  enrollments: z.array(enrollment).default([]),
  /** Absent where the LMS does not tell. */
  group_ids: z.array(id).optional(),
});
export type CoursePerson = z.output<typeof person>;

/** Which people of a course are read. */
export interface PeopleFilter {
  /** States of their enrolments; without any the LMS takes active and invited ones. */
  states?: readonly string[];
  /** Students only. */
  students?: boolean;
  /** With their groups: one pass of the list instead of a call for each group. */
  groups?: boolean;
}

/** The people of a course, page by page, by sortable name. @throws CanvasError */
export function coursePeople(
  reader: Reader,
  course: number,
  { states = [], students, groups }: PeopleFilter,
) {
  return pages(reader, `courses/${course}/users`, person, [
    ...(students ? [['enrollment_type[]', 'student'] as const] : []),
    ...states.map((state) => ['enrollment_state[]', state] as const),
    ['include[]', 'enrollments'],
    ...(groups ? [['include[]', 'group_ids'] as const] : []),
  ]);
}

/** Whether an enrolment counts: one of a deleted section reads `deleted` in the list of those who are there. */
export const isThere = ({ type, enrollment_state }: CoursePerson['enrollments'][number]) =>
  type !== 'StudentViewEnrollment' && enrollment_state !== 'deleted';

/** Whether someone is in the course by more than a deleted section, or to preview it. */
export const isInCourse = ({ enrollments }: CoursePerson) =>
  enrollments.length === 0 || enrollments.some(isThere);
