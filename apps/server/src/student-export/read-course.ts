/** Reading the students of a course, with the fewest calls that Canvas allows (reference §16). */
import { type ExportedStudent, type ExportNames, exportedGroup } from '@lms-admin/domain/student-export';
import { z } from 'zod';
import { type Reading, readMemberships } from '../groups/memberships.ts';

const id = z.number().int().positive();
/** Missing where the rights of the token do not reach. */
const perhaps = z.string().nullish();

const student = z.object({
  id,
  name: z.string(),
  login_id: perhaps,
  integration_id: perhaps,
  enrollments: z
    .array(
      z.object({
        course_section_id: id,
        type: z.string(),
        enrollment_state: z.string(),
        last_activity_at: perhaps,
      }),
    )
    .default([]),
  group_ids: z.array(id).optional(),
});
type Student = z.infer<typeof student>;

const named = z.object({ id, name: z.string() });
const group = named.extend({ group_category_id: id.nullish() });

export interface CourseRead {
  /** In the order of the LMS: by sortable name. */
  students: ExportedStudent[];
  names: Omit<ExportNames, 'moment'>;
  /** Columns that stay empty because the LMS does not tell the account that reads. */
  untold: string[];
}

/**
 * Everything that an export of this course holds: active and invited students (OP-82), never the test student.
 * @param onRead called with the number of students read so far
 * @throws CanvasError
 */
export async function readCourse(
  { canvas, token, signal }: Reading,
  course: number,
  withGroups: boolean,
  onRead: (students: number) => void,
): Promise<CourseRead> {
  const list = <T>(path: string, item: z.ZodType<T>, query: readonly (readonly [string, string])[] = []) =>
    canvas.list({ token, method: 'GET', path, query: [PER_PAGE, ...query], answer: z.array(item), signal });

  async function readStudents(): Promise<Student[]> {
    // A page may shift while others are read: nobody stands in the file twice.
    const found = new Map<number, Student>();
    const pages = canvas.pages({
      token,
      method: 'GET',
      path: `courses/${course}/users`,
      query: [
        PER_PAGE,
        ['enrollment_type[]', 'student'],
        ['include[]', 'enrollments'],
        // One pass of the roster instead of a call for each group.
        ...(withGroups ? ([['include[]', 'group_ids']] as const) : []),
      ],
      answer: z.array(student),
      signal,
    });
    for await (const { data } of pages) {
      for (const one of data) found.set(one.id, one);
      onRead(found.size);
    }
    return [...found.values()];
  }

  const [people, sections, groups, categories] = await Promise.all([
    readStudents(),
    list(`courses/${course}/sections`, named),
    withGroups ? list(`courses/${course}/groups`, group) : [],
    withGroups ? list(`courses/${course}/group_categories`, named) : [],
  ]);
  const students = people.filter(isStudent);
  const untoldGroups = withGroups && students.some(({ group_ids }) => group_ids === undefined);
  const memberships = untoldGroups
    ? await readMemberships(
        { canvas, token, signal },
        groups.map((one) => one.id),
      )
    : null;
  const categoryOf = new Map(categories.map((one) => [one.id, one.name]));
  return {
    students: students.map((one) => ({
      name: one.name,
      login_id: one.login_id ?? null,
      integration_id: one.integration_id ?? null,
      enrollments: one.enrollments.filter(isThere).map(({ course_section_id, last_activity_at }) => ({
        course_section_id,
        last_activity_at: last_activity_at ?? null,
      })),
      group_ids: memberships?.get(one.id) ?? one.group_ids ?? [],
    })),
    names: {
      sections: new Map(sections.map((one) => [one.id, one.name])),
      groups: withGroups
        ? new Map(
            groups.map((one) => [
              one.id,
              exportedGroup(one.name, categoryOf.get(one.group_category_id ?? 0) ?? ''),
            ]),
          )
        : null,
    },
    untold: untold(students),
  };
}

const PER_PAGE = ['per_page', '100'] as const;

type Enrolment = Student['enrollments'][number];

/** An enrolment of a deleted section reads `deleted` in the list of those who are there. */
const isThere = ({ type, enrollment_state }: Enrolment) =>
  type !== 'StudentViewEnrollment' && enrollment_state !== 'deleted';

/** Who is in the course by nothing but a deleted section, or to preview it, is no student of it. */
const isStudent = ({ enrollments }: Student) => enrollments.length === 0 || enrollments.some(isThere);

/** Keys are missing, not null, where the account that reads may not see them. */
function untold(students: readonly Student[]): string[] {
  if (students.length === 0) return [];
  const never = (told: (one: Student) => boolean) => !students.some(told);
  return [
    // People who are only invited have none.
    ...(never((one) => one.login_id !== undefined || isInvited(one)) ? ['Login'] : []),
    ...(never((one) => one.integration_id !== undefined) ? ['SIS ID/ PeoplesoftID'] : []),
    ...(never((one) => one.enrollments.some((each) => each.last_activity_at !== undefined))
      ? ['Last Activity']
      : []),
  ];
}

const isInvited = ({ enrollments }: Student) =>
  enrollments.every(({ enrollment_state }) => enrollment_state === 'invited');
