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
  names: Omit<ExportNames, 'moment'>;
  /** Pages of students in the order of the LMS, by sortable name; each once. To be read once. */
  students: AsyncIterable<ExportedStudent[]>;
  /** Columns that stay empty because the LMS does not tell the account that reads; known when all students are read. */
  untold: () => Untold;
}

/**
 * Everything that an export of this course holds: active and invited students (OP-82), never the test student. Students are
 * on their way when the names are there, and come page by page, so that a file is written while they are read.
 * @throws CanvasError, while students are read too
 */
export async function readCourse(
  { canvas, token, signal }: Reading,
  course: number,
  withGroups: boolean,
): Promise<CourseRead> {
  const list = <T>(path: string, item: z.ZodType<T>, query: readonly (readonly [string, string])[] = []) =>
    canvas.list({ token, method: 'GET', path, query: [PER_PAGE, ...query], answer: z.array(item), signal });

  // Before the students: their names are needed with the first of them.
  const names = Promise.all([
    list(`courses/${course}/sections`, named),
    withGroups ? list(`courses/${course}/groups`, group) : [],
    withGroups ? list(`courses/${course}/group_categories`, named) : [],
  ]);
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
  const first = pages.next();
  // Its failure is thrown when the students are read.
  first.catch(() => undefined);
  const [sections, groups, categories] = await names;
  const categoryOf = new Map(categories.map((one) => [one.id, one.name]));
  const told = new Told();

  async function* students(): AsyncGenerator<ExportedStudent[], void, void> {
    // A page may shift while others are read: nobody stands in the file twice.
    const seen = new Set<number>();
    let memberships: Map<number, number[]> | null = null;
    try {
      for (let page = await first; !page.done; page = await pages.next()) {
        const people = page.value.data.filter((one) => isStudent(one) && !seen.has(one.id));
        for (const one of people) {
          seen.add(one.id);
          told.see(one);
        }
        if (withGroups && people.some(({ group_ids }) => group_ids === undefined)) {
          memberships ??= await readMemberships(
            { canvas, token, signal },
            groups.map((one) => one.id),
          );
        }
        yield people.map((one) => exported(one, memberships?.get(one.id) ?? one.group_ids ?? []));
      }
    } finally {
      await pages.return();
    }
  }

  return {
    students: students(),
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
    untold: () => told.untold(),
  };
}

function exported(one: Student, groups: readonly number[]): ExportedStudent {
  return {
    name: one.name,
    login_id: one.login_id ?? null,
    integration_id: one.integration_id ?? null,
    enrollments: one.enrollments.filter(isThere).map(({ course_section_id, last_activity_at }) => ({
      course_section_id,
      last_activity_at: last_activity_at ?? null,
    })),
    group_ids: groups,
  };
}

const PER_PAGE = ['per_page', '100'] as const;

type Enrolment = Student['enrollments'][number];

/** An enrolment of a deleted section reads `deleted` in the list of those who are there. */
const isThere = ({ type, enrollment_state }: Enrolment) =>
  type !== 'StudentViewEnrollment' && enrollment_state !== 'deleted';

/** Who is in the course by nothing but a deleted section, or to preview it, is no student of it. */
const isStudent = ({ enrollments }: Student) => enrollments.length === 0 || enrollments.some(isThere);

/** What the LMS does not show: columns that are empty throughout, and how many people without a login are only invited. */
export interface Untold {
  columns: string[];
  invited: number;
}

/** What of the columns was told of anybody: keys are missing, not null, where the account that reads may not see them. */
class Told {
  #anybody = false;
  #login = false;
  #id = false;
  #activity = false;
  #invited = 0;

  see(one: Student): void {
    this.#anybody = true;
    // The LMS shows it of nobody who is only invited.
    const invited = one.login_id === undefined && isInvited(one);
    if (invited) this.#invited++;
    this.#login ||= one.login_id !== undefined || invited;
    this.#id ||= one.integration_id !== undefined;
    this.#activity ||= one.enrollments.some((each) => each.last_activity_at !== undefined);
  }

  untold(): Untold {
    if (!this.#anybody) return { columns: [], invited: 0 };
    const columns = [
      ...(this.#login ? [] : ['Login']),
      ...(this.#id ? [] : ['SIS ID/ PeoplesoftID']),
      ...(this.#activity ? [] : ['Last Activity']),
    ];
    return { columns, invited: this.#invited };
  }
}

const isInvited = ({ enrollments }: Student) =>
  enrollments.every(({ enrollment_state }) => enrollment_state === 'invited');
