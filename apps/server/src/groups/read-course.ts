/** Reads a course for its group plans, with the fewest calls that Canvas allows (reference §6.10, §16). */
import {
  type CourseCategory,
  type CourseGroup,
  CourseIndex,
  type CoursePerson,
  type EndedEnrolment,
} from '@lms-admin/domain/group-course';
import {
  coursePeople,
  isInCourse,
  isThere,
  type CoursePerson as LmsPerson,
} from '../canvas/resources/course-people.ts';
import { categoriesOf, groupsByPerson, groupsOf } from '../canvas/resources/groups.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { AppError } from '../platform/errors.ts';

/** States of enrolments with which a person can be in a group (reference §15.2). */
const STATES = ['active', 'invited', 'creation_pending', 'completed', 'inactive'];
/** States of students who take part. An invitation to an unpublished course is pending. */
const STUDYING: readonly string[] = ['active', 'invited', 'creation_pending'];
/** Categories in which people can be in several groups. */
const SEVERAL: readonly (string | null)[] = ['student_organized', 'communities'];

/** Returns a course's categories and groups, without people. @throws CanvasError; AppError if SIS IDs are not shown */
export async function readGroups(reader: Reader, course: number): Promise<CourseIndex> {
  return new CourseIndex({ ...(await readPlaces(reader, course)), people: [] });
}

/**
 * Returns the index with everyone who can be in a group.
 * @param onRead called with the number of people read so far
 * @throws CanvasError; AppError if SIS IDs are not shown
 */
export async function readGroupCourse(
  reader: Reader,
  course: number,
  onRead: (people: number) => void = () => {},
): Promise<CourseIndex> {
  const [places, found] = await Promise.all([readPlaces(reader, course), readPeople(reader, course, onRead)]);
  requireShown(found, ({ sis_user_id }) => sis_user_id, 'people');
  const untold = found.some(({ group_ids }) => group_ids === undefined);
  const memberships = untold ? await groupsByPerson(reader, places.groups) : null;
  const all = found.map(
    (one): CoursePerson => ({
      id: one.id,
      name: one.name,
      sisId: one.sis_user_id ?? null,
      logins: [one.login_id, one.email].filter((text): text is string => !!text),
      groups: memberships?.get(one.id) ?? one.group_ids ?? [],
      sections: one.enrollments.filter(isStudying).map(({ course_section_id }) => course_section_id),
      ended: endedOf(one),
    }),
  );
  return new CourseIndex({ ...places, people: all });
}

async function readPlaces(reader: Reader, course: number) {
  const of = `courses/${course}`;
  const [sets, found] = await Promise.all([categoriesOf(reader, of), groupsOf(reader, of)]);
  requireShown(found, ({ sis_group_id }) => sis_group_id, 'groups');
  return {
    categories: sets.map(
      (one): CourseCategory => ({
        id: one.id,
        name: one.name,
        sisId: one.sis_group_category_id,
        limit: one.group_limit,
        several: one.allows_multiple_memberships ?? SEVERAL.includes(one.role),
      }),
    ),
    groups: found.map(
      (one): CourseGroup => ({
        id: one.id,
        name: one.name,
        category: one.group_category_id,
        sisId: one.sis_group_id ?? null,
        limit: one.max_membership,
        members: one.members_count,
        leader: one.leader?.id ?? null,
      }),
    ),
  };
}

async function readPeople(
  reader: Reader,
  course: number,
  onRead: (people: number) => void,
): Promise<LmsPerson[]> {
  // Pages may shift during the read, so duplicates are removed.
  const found = new Map<number, LmsPerson>();
  for await (const { data } of coursePeople(reader, course, { states: STATES, groups: true })) {
    for (const one of data) if (isInCourse(one)) found.set(one.id, one);
    onRead(found.size);
  }
  return [...found.values()];
}

const isStudying = ({ type, enrollment_state }: LmsPerson['enrollments'][number]) =>
  type === 'StudentEnrollment' && STUDYING.includes(enrollment_state);

/** Returns the way in which a person's enrolment has ended; null also for a person without an enrolment that counts. */
function endedOf({ enrollments }: LmsPerson): EndedEnrolment | null {
  const states = enrollments.filter(isThere).map(({ enrollment_state }) => enrollment_state);
  if (states.length === 0 || states.some((one) => one !== 'completed' && one !== 'inactive')) return null;
  return states.includes('inactive') ? 'inactive' : 'concluded';
}

/** Requires SIS IDs, because files cannot name anything without them. @throws AppError */
function requireShown<T>(all: readonly T[], sisId: (one: T) => unknown, what: string): void {
  if (all.length === 0 || all.some((one) => sisId(one) !== undefined)) return;
  throw new AppError('lms-refused', {
    message: `The LMS does not show the SIS IDs of ${what} to LMS Admin.`,
    next: 'Ask IT Support for permission to read SIS data in this course.',
  });
}
