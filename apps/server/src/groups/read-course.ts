/** Reading a course for the plans of its groups, with the fewest calls that Canvas allows (reference §6.10, §16). */
import { group, groupCategory } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import {
  type CourseCategory,
  type CourseGroup,
  CourseIndex,
  type CoursePerson,
} from '@lms-admin/domain/group-course';
import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { type Reading, readMemberships } from './memberships.ts';

const id = z.number().int().positive();
const categories = z.array(groupCategory.extend({ allows_multiple_memberships: z.boolean().nullish() }));
/** Missing, not null, where the rights of the token do not reach: that is told apart. */
const perhaps = z.string().nullish();
const groups = z.array(group.extend({ sis_group_id: perhaps, leader: z.object({ id }).nullish() }));
const people = z.array(
  z.object({
    id,
    name: z.string(),
    sis_user_id: perhaps,
    login_id: perhaps,
    email: perhaps,
    group_ids: z.array(id).optional(),
    enrollments: z
      .array(z.object({ course_section_id: id, type: z.string(), enrollment_state: z.string() }))
      .default([]),
  }),
);
type Person = z.output<typeof people>[number];

const PER_PAGE = ['per_page', String(LMS_PAGE_SIZE)] as const;
/** Whoever has an enrolment of one of these states may be in a group (reference §15.2). */
const STATES = ['active', 'invited', 'completed', 'inactive'];
/** Categories in which people may be in several groups. */
const SEVERAL: readonly (string | null)[] = ['student_organized', 'communities'];

/** Categories and groups of a course, without its people. @throws CanvasError; AppError where SIS ids are not shown */
export async function readGroups(reading: Reading, course: number): Promise<CourseIndex> {
  return new CourseIndex({ ...(await readPlaces(reading, course)), people: [] });
}

/**
 * The same with everybody who may be in a group.
 * @param onRead called with the number of people read so far
 * @throws CanvasError; AppError where SIS ids are not shown
 */
export async function readGroupCourse(
  reading: Reading,
  course: number,
  onRead: (people: number) => void = () => {},
): Promise<CourseIndex> {
  const [places, found] = await Promise.all([
    readPlaces(reading, course),
    readPeople(reading, course, onRead),
  ]);
  requireShown(found, ({ sis_user_id }) => sis_user_id, 'people');
  const untold = found.some(({ group_ids }) => group_ids === undefined);
  const memberships = untold
    ? await readMemberships(
        reading,
        places.groups.map((one) => one.id),
      )
    : null;
  const all = found.map(
    (one): CoursePerson => ({
      id: one.id,
      name: one.name,
      sisId: one.sis_user_id ?? null,
      logins: [one.login_id, one.email].filter((text): text is string => !!text),
      groups: memberships?.get(one.id) ?? one.group_ids ?? [],
      sections: one.enrollments.filter(isStudying).map(({ course_section_id }) => course_section_id),
    }),
  );
  return new CourseIndex({ ...places, people: all });
}

async function readPlaces({ canvas, token, signal }: Reading, course: number) {
  const read = <T>(path: string, answer: z.ZodType<T[]>) =>
    canvas.list({
      token,
      method: 'GET',
      path: `courses/${course}/${path}`,
      query: [PER_PAGE],
      answer,
      signal,
    });
  const [sets, found] = await Promise.all([read('group_categories', categories), read('groups', groups)]);
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
  { canvas, token, signal }: Reading,
  course: number,
  onRead: (people: number) => void,
): Promise<Person[]> {
  // A page may shift while others are read: nobody is there twice.
  const found = new Map<number, Person>();
  const pages = canvas.pages({
    token,
    method: 'GET',
    path: `courses/${course}/users`,
    query: [
      PER_PAGE,
      ...STATES.map((state) => ['enrollment_state[]', state] as const),
      ['include[]', 'enrollments'],
      // One pass of the list instead of a call for each group.
      ['include[]', 'group_ids'],
    ],
    answer: people,
    signal,
  });
  for await (const { data } of pages) {
    for (const one of data)
      if (one.enrollments.length === 0 || one.enrollments.some(isThere)) found.set(one.id, one);
    onRead(found.size);
  }
  return [...found.values()];
}

type Enrolment = Person['enrollments'][number];

/** An enrolment of a deleted section reads `deleted` in the list of those who are there. */
const isThere = ({ type, enrollment_state }: Enrolment) =>
  type !== 'StudentViewEnrollment' && enrollment_state !== 'deleted';
const isStudying = ({ type, enrollment_state }: Enrolment) =>
  type === 'StudentEnrollment' && (enrollment_state === 'active' || enrollment_state === 'invited');

/** Without SIS ids no file can name anything, and nothing can be told apart. @throws AppError */
function requireShown<T>(all: readonly T[], sisId: (one: T) => unknown, what: string): void {
  if (all.length === 0 || all.some((one) => sisId(one) !== undefined)) return;
  throw new AppError('lms-refused', {
    message: `The LMS does not show the SIS ids of ${what} to LMS Admin.`,
    next: 'Ask IT Support for the right to read SIS data in this course.',
  });
}
