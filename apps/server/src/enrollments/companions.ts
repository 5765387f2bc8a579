/**
 * Who comes along with the rows of a plan, or leaves with them, otherwise than its review said: observers may be linked to a student,
 * and people put into groups, until the rows are sent. Compared right before that; what is new is named in the result.
 */

import { type AddedWith, MOST_NAMED_WITH, type RemovedWith } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import type { RemovedEnrollment } from '@lms-admin/domain/removal-effects';
import type { Admin } from '../auth/admin.ts';
import { readPlan, type StoredPerson, type StoredPlan } from '../plans/store.ts';
import { mapLimited } from '../platform/limited.ts';
import { addedWithOf, type StateRows } from './added-with.ts';
import type { PlanServices } from './plan-checks.ts';
import type { StoredCourse } from './plan-store.ts';
import { type Reading, readCourse, readOrWhy } from './read-lms.ts';
import { courseEffects, removedWithOf } from './removed-with.ts';

/** Courses being read at once; the client decides how many calls of them are in flight. */
const AT_ONCE = 32;

/** What of a review is compared. */
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
  /** With the rows that are sent. */
  courses: readonly StoredCourse[];
  signal: AbortSignal;
}

/**
 * A sentence for everybody who comes along, or leaves, and whom the review did not name.
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function companionsSince(
  services: Pick<PlanServices, 'canvas' | 'roles'> & { db: PlanServices['db']['db'] },
  of: ToSend,
): Promise<string[]> {
  const { admin, plan, signal } = of;
  const reviewed = await readPlan<Reviewed>(services.db, admin.login, plan.kind, plan.id, plan.lms);
  // Reviews of earlier versions did not look.
  if (!reviewed?.added_with) return [];
  const reading = { admin, signal };
  const added = await addedWithOf(services, comingIn(of), { ...reading, onStep() {} });
  const removed = await removedNow(services, of, reviewed, reading);
  return [...newcomers(reviewed.added_with, added), ...leavers(reviewed.removed_with, removed)];
}

function rowsOf({ plan, people, courses }: ToSend) {
  // One for each person, however many rows name them.
  const known = people.map(([, name, , id]) => (id === undefined ? null : { id, name }));
  return courses.flatMap(({ courseId, rows }) =>
    rows.flatMap(({ people: those, section, ...one }) => {
      const [roleId, status] = [one.role ?? plan.roleId, one.status ?? plan.status];
      if (roleId === null || status === null) return [];
      const who = (those ?? [...known.keys()]).flatMap((index) => known[index] ?? []);
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
  const byCourse = new Map<number, RemovedEnrollment[]>();
  for (const { courseId, sectionId, roleId, status, people } of rowsOf(of)) {
    if (status !== 'deleted' || sectionId === null || people.length === 0) continue;
    const removed = byCourse.get(courseId) ?? [];
    byCourse.set(courseId, removed);
    for (const { id: userId } of people) removed.push({ userId, roleId, sectionId });
  }
  const effects = await mapLimited([...byCourse], AT_ONCE, async ([id, removed]) => {
    const read = await readOrWhy({ read: 'enrolments', of: 'this course' }, reading.signal, () =>
      readCourse(canvas, id, reading),
    );
    const course = nameOf.get(id) ?? `Course ${id}`;
    return {
      course,
      effects: 'unread' in read ? null : await courseEffects(canvas, read.all, removed, reading),
    };
  });
  return removedWithOf(effects);
}

function newcomers(reviewed: AddedWith, now: AddedWith): string[] {
  const unread = now.unread - reviewed.unread;
  const unsaid =
    unread > 0
      ? [`Who observes ${counted(unread, 'student')} could not be looked up before the rows were sent.`]
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
      return `${person} observes ${student}, which the review did not show: the LMS adds or changes ${counted(count, 'enrolment')} of theirs as well.`;
    }),
  ];
}

function leavers(reviewed: RemovedWith, now: RemovedWith): string[] {
  const known = new Set(reviewed.unread);
  const unsaid = now.unread
    .filter((course) => !known.has(course))
    .map((course) => `What ends as well in ${course} could not be looked up before the rows were sent.`);
  if (reviewed.who.length >= MOST_NAMED_WITH) return unsaid;
  const both = [reviewed, now];
  const [groupsWere, groupsAre] = both.map(({ who }) =>
    summed(who, ({ person, course, groups }) => [JSON.stringify([person, course]), groups]),
  );
  const [were, are] = both.map(({ who }) =>
    summed(who, ({ person, course, observer }) => [JSON.stringify([person, course]), observer ? 1 : 0]),
  );
  const said = (key: string, does: string) => {
    const [person, course] = JSON.parse(key) as string[];
    return `${person} ${does} in ${course}, which the review did not show.`;
  };
  return [
    ...unsaid,
    ...moreThan(were, are).map(([key]) => said(key, 'leaves with a student')),
    ...moreThan(groupsWere, groupsAre).map(([key, count]) => said(key, `leaves ${counted(count, 'group')}`)),
  ];
}

type Sums = ReadonlyMap<string, number>;

/** Several people may have the same name: what is said of one name is added up. */
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
