/**
 * Effects of removing enrolments (LMS reference, removing people): observers linked to a student leave the section with
 * the student, and a person without any other enrolment in the course leaves its groups. Pure.
 */
import type { EnrollmentState } from './enrollment-states.ts';

/** An enrolment of a course with its dependent data. */
export interface CourseEnrollment {
  userId: number;
  name: string;
  /** `StudentEnrollment` and so on; a custom role has its base type. */
  type: string;
  roleId: number;
  sectionId: number;
  state: EnrollmentState;
  /** The student whom an observer follows. */
  observes: number | null;
  /** Groups of the course with the person as a member. */
  groups: readonly number[];
}

/** An enrolment that rows remove. */
export type RemovedEnrollment = Pick<CourseEnrollment, 'userId' | 'roleId' | 'sectionId'>;

/** An enrolment in the course that rows of the same file add first, for example in another section. */
export type AddedEnrollment = Pick<CourseEnrollment, 'userId' | 'roleId'>;

export interface RemovalEffects {
  /** Group memberships that end. */
  members: number;
  /** Enrolments of linked observers that end. */
  observers: number;
  /** Everyone who loses a group membership, or an enrolment as an observer. */
  who: { person: string; groups: number; observer: boolean; students: string[] }[];
}

/**
 * @param all the enrolments of one course, in every state
 * @param options with `isLinked` whether the observer follows the student everywhere: only then do their enrolments
 * end together. People in `added` stay in the course, and so in its groups
 */
export function removalEffects(
  all: readonly CourseEnrollment[],
  removed: readonly RemovedEnrollment[],
  {
    added = [],
    isLinked = () => true,
  }: {
    added?: readonly AddedEnrollment[];
    isLinked?: (observer: number, student: number) => boolean;
  } = {},
): RemovalEffects {
  const wanted = new Set(removed.map(keyOf));
  const there = all.filter(({ state }) => state !== 'deleted');
  const ending = new Set(there.filter((one) => one.observes === null && wanted.has(keyOf(one))));
  const students = new Set(
    [...ending].flatMap(({ type, userId, sectionId }) =>
      type === 'StudentEnrollment' ? [`${userId} ${sectionId}`] : [],
    ),
  );
  const observers = there.filter(
    (one) =>
      one.observes !== null &&
      students.has(`${one.observes} ${one.sectionId}`) &&
      isLinked(one.userId, one.observes),
  );
  for (const one of observers) ending.add(one);
  const staying = new Set(there.flatMap((one) => (ending.has(one) ? [] : [one.userId])));
  for (const { userId } of added) staying.add(userId);
  // Observers are enrolled together with an added student.
  const studentRoles = new Set(all.flatMap((one) => (one.type === 'StudentEnrollment' ? one.roleId : [])));
  const addedStudents = new Set(added.flatMap((one) => (studentRoles.has(one.roleId) ? one.userId : [])));
  for (const { userId, observes } of observers) if (addedStudents.has(observes ?? 0)) staying.add(userId);
  const leaving = new Map([...ending].map((one) => [one.userId, one]));
  const names = new Map(all.map(({ userId, name }) => [userId, name]));
  const observing = new Map<number, Set<string>>();
  for (const { userId, observes } of observers) {
    const students = observing.get(userId) ?? new Set<string>();
    observing.set(userId, students.add(names.get(observes ?? 0) ?? ''));
  }
  const who = [...leaving.values()].flatMap(({ userId, name, groups }) => {
    const left = staying.has(userId) ? 0 : new Set(groups).size;
    const students = [...(observing.get(userId) ?? [])];
    const observer = students.length > 0;
    return left > 0 || observer ? [{ person: name, groups: left, observer, students }] : [];
  });
  return {
    members: who.reduce((sum, { groups }) => sum + groups, 0),
    observers: observers.length,
    who,
  };
}

const keyOf = ({ userId, roleId, sectionId }: RemovedEnrollment): string =>
  `${userId} ${roleId} ${sectionId}`;
