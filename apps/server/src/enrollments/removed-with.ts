/** Effects of the removals in a plan, totalled over its courses. */
import { MOST_NAMED_WITH, type RemovedWith } from '@lms-admin/contract/enrollments';
import type { RowStatus } from '@lms-admin/domain/enrollment-states';
import {
  type AddedEnrollment,
  type CourseEnrollment,
  type RemovalEffects,
  type RemovedEnrollment,
  removalEffects,
} from '@lms-admin/domain/removal-effects';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { LinkedObservers } from './linked-observers.ts';
import { type Reading, readCourse, readOrWhy } from './read-lms.ts';

/** Number of students whose observers are looked up at once. */
const STUDENTS_AT_ONCE = 8;
/** Number of courses read at once; the client limits the calls in flight. */
const COURSES_AT_ONCE = 32;

export interface CourseEffects {
  course: string;
  /** Null if the effects could not be read. */
  effects: RemovalEffects | null;
}

export function removedWithOf(courses: readonly CourseEffects[]): RemovedWith {
  const sum = (of: (effects: RemovalEffects) => number) =>
    courses.reduce((total, { effects }) => total + (effects ? of(effects) : 0), 0);
  return {
    members: sum(({ members }) => members),
    observers: sum(({ observers }) => observers),
    who: courses
      .flatMap(({ course, effects }) => (effects?.who ?? []).map((one) => ({ ...one, course })))
      .slice(0, MOST_NAMED_WITH),
    unread: courses.flatMap(({ course, effects }) => (effects ? [] : [course])),
  };
}

/** A section with the people who get a row in it. */
interface SectionRows {
  section: { course: { id: number; name: string }; sectionId: number; roleId: number; status: RowStatus };
  people: readonly { id: number }[];
  difference: { rows: readonly number[]; unread: string | null };
}

/** Enrolments that rows of one course change; the additions are sent first (`planBlocks`). */
export interface ChangedEnrollments {
  removed: RemovedEnrollment[];
  added: AddedEnrollment[];
}

/**
 * Returns the effects of removals from single sections, reading their courses.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function sectionEffects(
  canvas: CanvasClient,
  sections: readonly SectionRows[],
  reading: Reading,
): Promise<CourseEffects[]> {
  const byCourse = new Map<number, { name: string } & ChangedEnrollments>();
  for (const { section, people, difference } of sections) {
    const { course, roleId, sectionId, status } = section;
    const known = byCourse.get(course.id) ?? { name: course.name, removed: [], added: [] };
    for (const at of difference.rows) {
      const userId = people[at]?.id ?? 0;
      if (status === 'deleted') known.removed.push({ userId, roleId, sectionId });
      else known.added.push({ userId, roleId });
    }
    byCourse.set(course.id, known);
  }
  const observers = new LinkedObservers(canvas, reading);
  const removing = [...byCourse].filter(([, { removed }]) => removed.length > 0);
  return mapLimited(removing, COURSES_AT_ONCE, async ([id, { name, ...changed }]) => {
    const read = await readOrWhy({ read: 'enrolments', of: 'this course' }, reading.signal, () =>
      readCourse(canvas, id, reading),
    );
    const effects = 'unread' in read ? null : await courseEffects(read.all, changed, observers);
    return { course: name, effects };
  });
}

/**
 * Returns the effects of removals from one course. Observers enrolled for a student but not linked to them stay.
 * @param all enrolments of the course
 * @param observers shared by the courses of a plan
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function courseEffects(
  all: readonly CourseEnrollment[],
  { removed, added }: ChangedEnrollments,
  observers: LinkedObservers,
): Promise<RemovalEffects> {
  const leaving = new Set(removed.map(({ userId }) => userId));
  const observed = new Set(
    all.flatMap(({ observes }) => (observes !== null && leaving.has(observes) ? [observes] : [])),
  );
  const linked = new Map(
    await mapLimited(
      [...observed],
      STUDENTS_AT_ONCE,
      async (student) => [student, await observers.of(student)] as const,
    ),
  );
  // If the link is unknown, the review says that the observer will be removed.
  return removalEffects(all, removed, {
    added,
    isLinked: (observer, student) => linked.get(student)?.has(observer) ?? true,
  });
}
