/**
 * Finds people who are added or removed along with the rows of a plan although the review did not show them: until
 * sending, observers can be linked to students and people put into groups. The comparison runs right before sending.
 */

import { type AddedWith, MOST_NAMED_WITH, type RemovedWith } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import type { Admin } from '../auth/admin.ts';
import { readPlan, type StoredPerson, type StoredPlan } from '../plans/store.ts';
import { mapLimited } from '../platform/limited.ts';
import { addedWithOf, type StateRows } from './added-with.ts';
import { LinkedObservers } from './linked-observers.ts';
import type { PlanServices } from './plan-checks.ts';
import type { StoredCourse } from './plan-store.ts';
import { type Reading, readCourse, readOrWhy } from './read-lms.ts';
import { type ChangedEnrollments, courseEffects, removedWithOf } from './removed-with.ts';

/** Number of courses read at once; the client limits the calls in flight. */
const AT_ONCE = 32;

/** The parts of a review that are compared. */
interface Reviewed {
  import_id: string | null;
  added_with: AddedWith | null;
  removed_with: RemovedWith;
  courses?: readonly { id: number; name: string }[];
  entries?: readonly { course: { id: number; name: string } }[];
}

interface ToSend {
  admin: Admin;
  plan: StoredPlan;
  people: readonly StoredPerson[];
  /** With only the rows that are sent. */
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

/**
 * Returns a sentence for each person who is added or removed along with others and was not in the review.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function companionsSince(
  services: Pick<PlanServices, 'canvas' | 'roles'> & { db: PlanServices['db']['db'] },
  of: ToSend,
): Promise<string[]> {
  const { admin, plan, signal } = of;
  const reviewed = await readPlan<Reviewed>(services.db, admin.login, plan.kind, plan.id, plan.lms);
  // Reviews of earlier versions did not check this.
  if (!reviewed?.added_with) return [];
  const reading = { admin, signal };
  const added = await addedWithOf(services, comingIn(of), { ...reading, onStep() {} });
  const removed = await removedNow(services, of, reviewed, reading);
  return [...newcomers(reviewed.added_with, added), ...leavers(reviewed.removed_with, removed)];
}

function rowsOf({ plan, people, courses }: ToSend) {
  // One entry per person, however many rows name them.
  const known = people.map(([, name, , id]) => (id === undefined ? null : { id, name }));
  return courses.flatMap(({ courseId, rows }) =>
    rows.flatMap(({ people: indices, section, ...one }) => {
      const [roleId, status] = [one.role ?? plan.roleId, one.status ?? plan.status];
      if (roleId === null || status === null) return [];
      const who = (indices ?? [...known.keys()]).flatMap((index) => known[index] ?? []);
      return [{ courseId, sectionId: section ?? one.made ?? null, roleId, status, people: who }];
    }),
  );
}

function comingIn(of: ToSend): StateRows[] {
  return rowsOf(of).flatMap(({ status, ...one }) => (status === 'deleted' ? [] : [{ ...one, status }]));
}

async function removedNow(
  { canvas }: Pick<PlanServices, 'canvas'>,
  of: ToSend,
  { courses = [], entries = [] }: Reviewed,
  reading: Reading,
): Promise<RemovedWith> {
  const nameOf = new Map(
    [...courses, ...entries.map(({ course }) => course)].map((one) => [one.id, one.name]),
  );
  const byCourse = new Map<number, ChangedEnrollments>();
  for (const { courseId, sectionId, roleId, status, people } of rowsOf(of)) {
    const known = byCourse.get(courseId) ?? { removed: [], added: [] };
    byCourse.set(courseId, known);
    for (const { id: userId } of people) {
      if (status !== 'deleted') known.added.push({ userId, roleId });
      else if (sectionId !== null) known.removed.push({ userId, roleId, sectionId });
    }
  }
  const observers = new LinkedObservers(canvas, reading);
  const removing = [...byCourse].filter(([, { removed }]) => removed.length > 0);
  const effects = await mapLimited(removing, AT_ONCE, async ([id, changed]) => {
    const read = await readOrWhy({ read: 'enrolments', of: 'this course' }, reading.signal, () =>
      readCourse(canvas, id, reading),
    );
    const course = nameOf.get(id) ?? `Course ${id}`;
    return {
      course,
      effects: 'unread' in read ? null : await courseEffects(read.all, changed, observers),
    };
  });
  return removedWithOf(effects);
}

function newcomers(reviewed: AddedWith, now: AddedWith): string[] {
  const unread = now.unread - reviewed.unread;
  const unsaid =
    unread > 0
      ? [
          `Before the rows were sent, LMS Admin could not look up the observers of ${counted(unread, 'student')}.`,
        ]
      : [];
  const more = now.observers - reviewed.observers;
  if (reviewed.who.length >= MOST_NAMED_WITH)
    return more > 0
      ? [
          ...unsaid,
          `The LMS adds or changes ${counted(more, 'enrolment')} of observers that the review did not show.`,
        ]
      : unsaid;
  const [known, found] = [reviewed, now].map(({ who }) =>
    summed(who, ({ person, student, places }) => [JSON.stringify([person, student]), places]),
  );
  return [
    ...unsaid,
    ...moreThan(known, found).map(([key, count]) => {
      const [person, student] = JSON.parse(key) as string[];
      return `${person} observes ${student}, which the review did not show. The LMS also adds or changes ${counted(count, 'enrolment')} of this observer.`;
    }),
  ];
}

function leavers(reviewed: RemovedWith, now: RemovedWith): string[] {
  const known = new Set(reviewed.unread);
  const unsaid = now.unread
    .filter((course) => !known.has(course))
    .map((course) => `Before the rows were sent, LMS Admin could not check what else ends in ${course}.`);
  if (reviewed.who.length >= MOST_NAMED_WITH) return unsaid;
  const both = [reviewed, now];
  const [groupsWere, groupsAre] = both.map(({ who }) =>
    summed(who, ({ person, course, groups }) => [JSON.stringify([person, course]), groups]),
  );
  const [were, are] = both.map(({ who }) =>
    summed(who, ({ person, course, observer }) => [JSON.stringify([person, course]), observer ? 1 : 0]),
  );
  const lineOf = (key: string, does: string) => {
    const [person, course] = JSON.parse(key) as string[];
    return `${person} ${does} in ${course}, which the review did not show.`;
  };
  return [
    ...unsaid,
    ...moreThan(were, are).map(([key]) => lineOf(key, 'loses their enrolment together with a student')),
    ...moreThan(groupsWere, groupsAre).map(([key, count]) =>
      lineOf(key, `leaves ${counted(count, 'group')}`),
    ),
  ];
}

type Sums = ReadonlyMap<string, number>;

/** Adds up counts by name, because several people can have the same name. */
function summed<T>(all: readonly T[], of: (one: T) => [key: string, count: number]): Sums {
  const sums = new Map<string, number>();
  for (const one of all) {
    const [key, count] = of(one);
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return sums;
}

function moreThan(known: Sums = new Map(), found: Sums = new Map()): [key: string, count: number][] {
  return [...found].flatMap(([key, count]): [string, number][] => {
    const more = count - (known.get(key) ?? 0);
    return more > 0 ? [[key, more]] : [];
  });
}
