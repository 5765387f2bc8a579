/** Reads the students of a course, with the fewest calls that Canvas allows (reference §16). */
import { type ExportedStudent, type ExportNames, exportedGroup } from '@lms-admin/domain/student-export';
import { type CoursePerson, coursePeople, isInCourse, isThere } from '../canvas/resources/course-people.ts';
import { categoriesOf, groupsByPerson, groupsOf } from '../canvas/resources/groups.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { sectionsOf } from '../canvas/resources/sections.ts';

export interface CourseRead {
  names: Omit<ExportNames, 'moment'>;
  /** Pages of students in the order of the LMS, by sortable name, each student once. Can be read only once. */
  students: AsyncIterable<ExportedStudent[]>;
  /** Columns that the LMS does not show to the reading account; known when all students are read. */
  untold: () => Untold;
}

/**
 * Reads everything for an export of this course: active and invited students (OP-82), never the test student. Students
 * are yielded page by page once the names are known, so that a file is written during the reading.
 * @throws CanvasError, even while students are read
 */
export async function readCourse(reader: Reader, course: number, withGroups: boolean): Promise<CourseRead> {
  // Requested before the students, whose first page needs the names.
  const names = Promise.all([
    sectionsOf(reader, course),
    withGroups ? groupsOf(reader, `courses/${course}`) : [],
    withGroups ? categoriesOf(reader, `courses/${course}`) : [],
  ]);
  const pages = coursePeople(reader, course, { students: true, groups: withGroups });
  const first = pages.next();
  // The failure is thrown when the students are read.
  first.catch(() => undefined);
  const [sections, groups, categories] = await names;
  const categoryOf = new Map(categories.map((one) => [one.id, one.name]));
  const seenColumns = new SeenColumns();

  async function* students(): AsyncGenerator<ExportedStudent[], void, void> {
    // Pages may shift during the reading: a person must not appear twice.
    const seen = new Set<number>();
    let memberships: Map<number, number[]> | null = null;
    try {
      for (let page = await first; !page.done; page = await pages.next()) {
        const people = page.value.data.filter((one) => isInCourse(one) && !seen.has(one.id));
        for (const one of people) {
          seen.add(one.id);
          seenColumns.see(one);
        }
        if (withGroups && people.some(({ group_ids }) => group_ids === undefined)) {
          memberships ??= await groupsByPerson(reader, groups);
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
    untold: () => seenColumns.untold(),
  };
}

function exported(one: CoursePerson, groups: readonly number[]): ExportedStudent {
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

/** Data that the LMS does not show: columns without any values, and the number of invited people without a login. */
export interface Untold {
  columns: string[];
  invited: number;
}

/** Columns seen for any person: keys are missing, not null, if the reading account cannot see them. */
class SeenColumns {
  #anybody = false;
  #login = false;
  #id = false;
  #activity = false;
  #invited = 0;

  see(one: CoursePerson): void {
    this.#anybody = true;
    // The LMS does not show it for people who are only invited.
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

const isInvited = ({ enrollments }: CoursePerson) =>
  enrollments.every(({ enrollment_state: state }) => state === 'invited' || state === 'creation_pending');
