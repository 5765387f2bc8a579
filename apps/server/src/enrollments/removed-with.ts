/** What ends in the LMS with the enrolments that a plan removes, summed over its courses. */
import { MOST_NAMED_WITH, type RemovedWith } from '@lms-admin/contract/enrollments';
import type { RowStatus } from '@lms-admin/domain/enrollment-states';
import {
  type CourseEnrollment,
  type RemovalEffects,
  type RemovedEnrollment,
  removalEffects,
} from '@lms-admin/domain/removal-effects';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { type Reading, readCourse, readObservers, readOrWhy } from './read-lms.ts';

/** Students whose observers are asked for at once. */
const STUDENTS_AT_ONCE = 8;
/** Courses being read at once; the client decides how many calls of them are in flight. */
const COURSES_AT_ONCE = 32;

export interface CourseEffects {
  /** Name of the course. */
  course: string;
  /** Null where they could not be read. */
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

/** A section with who gets a row in it. */
interface SectionRows {
  section: { course: { id: number; name: string }; sectionId: number; roleId: number; status: RowStatus };
  people: readonly { id: number }[];
  difference: { rows: readonly number[]; unread: string | null };
}

/**
 * What ends with removals from single sections, whose courses are read for it.
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function sectionEffects(
  canvas: CanvasClient,
  sections: readonly SectionRows[],
  reading: Reading,
): Promise<CourseEffects[]> {
  const byCourse = new Map<number, { name: string; removed: RemovedEnrollment[] }>();
  for (const { section, people, difference } of sections) {
    if (section.status !== 'deleted' || difference.rows.length === 0) continue;
    const { course, roleId, sectionId } = section;
    const known = byCourse.get(course.id) ?? { name: course.name, removed: [] };
    for (const at of difference.rows) known.removed.push({ userId: people[at]?.id ?? 0, roleId, sectionId });
    byCourse.set(course.id, known);
  }
  return mapLimited([...byCourse], COURSES_AT_ONCE, async ([id, { name, removed }]) => {
    const read = await readOrWhy({ read: 'enrolments', of: 'this course' }, reading.signal, () =>
      readCourse(canvas, id, reading),
    );
    const effects = 'unread' in read ? null : await courseEffects(canvas, read.all, removed, reading);
    return { course: name, effects };
  });
}

/**
 * What ends with removals from one course. An observer who was enrolled for a student without being linked to them stays.
 * @param all its enrolments
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function courseEffects(
  canvas: CanvasClient,
  all: readonly CourseEnrollment[],
  removed: readonly RemovedEnrollment[],
  reading: Reading,
): Promise<RemovalEffects> {
  const leaving = new Set(removed.map(({ userId }) => userId));
  const observed = new Set(
    all.flatMap(({ observes }) => (observes !== null && leaving.has(observes) ? [observes] : [])),
  );
  const linked = new Map<number, ReadonlySet<number>>();
  await mapLimited([...observed], STUDENTS_AT_ONCE, async (student) => {
    const read = await readOrWhy({ read: 'observers', of: 'a student' }, reading.signal, async () => ({
      observers: await readObservers(canvas, student, reading),
    }));
    if ('observers' in read) linked.set(student, new Set(read.observers.map(({ id }) => id)));
  });
  // Where no one tells, they are announced to end.
  return removalEffects(all, removed, (observer, student) => linked.get(student)?.has(observer) ?? true);
}
