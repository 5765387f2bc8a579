/** The people in a course, with their enrolments and groups (reference §16). */
import { z } from 'zod';
import { pages, type Reader } from './reading.ts';

const id = z.number().int().positive();
/** Missing rather than null if the token has no permission to see it; callers need the difference. */
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
  /** Missing if the LMS does not return it. */
  group_ids: z.array(id).optional(),
});
export type CoursePerson = z.output<typeof person>;

/** Filter for the people in a course. */
export interface PeopleFilter {
  /** States of the people's enrolments; by default the LMS returns active and invited ones. */
  states?: readonly string[];
  /** Students only. */
  students?: boolean;
  /** Includes the people's groups: one pass through the list instead of a call for each group. */
  groups?: boolean;
}

/** Returns the people in a course, page by page, by sortable name. @throws CanvasError */
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

/** Returns whether an enrolment counts. An enrolment in a deleted section is listed with the state `deleted`. */
export const isThere = ({ type, enrollment_state }: CoursePerson['enrollments'][number]) =>
  type !== 'StudentViewEnrollment' && enrollment_state !== 'deleted';

/** Returns whether a person has an enrolment that counts and is not a student preview. */
export const isInCourse = ({ enrollments }: CoursePerson) =>
  enrollments.length === 0 || enrollments.some(isThere);
