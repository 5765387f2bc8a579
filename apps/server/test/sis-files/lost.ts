/**
 * Objects that an upload removes, found by comparing two snapshots of the LMS. The review must have announced
 * each removal.
 */
import type { SisEffect } from '@lms-admin/contract/sis-effects';
import { losesAccess } from '@lms-admin/domain/sis-effect';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import type { World } from '@lms-admin/sandbox/canvas/store/world';

/** An object at one point in time. */
interface Seen {
  kind: SisKind;
  /** `deleted` for an object that has ceased to exist. */
  state: string;
  /** The id of the course in which the object is an enrolment; null for other objects. */
  course: number | null;
}

export type Look = ReadonlyMap<string, Seen>;

/** Records everything that a file can remove, in its current state. */
export function lookAt(world: World): Look {
  const all = new Map<string, Seen>();
  const note = (kind: SisKind, id: number, state: string, course: number | null = null) =>
    all.set(`${kind} ${id}`, { kind, state, course });
  for (const one of world.accounts.values()) note('account', one.id, one.workflow_state);
  for (const one of world.terms.values()) note('term', one.id, one.workflow_state);
  for (const one of world.courses.values()) note('course', one.id, one.workflow_state);
  for (const one of world.sections.values()) note('section', one.id, one.workflow_state);
  for (const one of world.pseudonyms.values()) note('user', one.id, one.workflow_state);
  for (const one of world.enrollments.values()) {
    const places = [world.courses.must(one.course_id), world.sections.must(one.course_section_id)];
    const gone = places.some((place) => place.workflow_state === 'deleted');
    note('enrollment', one.id, gone ? 'deleted' : one.workflow_state, one.course_id);
  }
  for (const one of world.groupCategories.values())
    note('group_category', one.id, one.deleted_at === null ? 'active' : 'deleted');
  for (const one of world.groups.values()) note('group', one.id, one.workflow_state);
  for (const one of world.groupMemberships.values()) {
    const group = world.groups.must(one.group_id);
    const gone = group.workflow_state === 'deleted' || one.workflow_state !== 'accepted';
    const course = group.context_type === 'Course' ? group.context_id : null;
    note('group_membership', one.id, gone ? 'deleted' : 'active', course);
  }
  for (const one of world.userObservers.values()) note('user_observer', one.id, one.workflow_state);
  return all;
}

function isLost(before: Seen, after: Seen | undefined): boolean {
  const state = after?.state ?? 'deleted';
  if (before.state === 'deleted') return false;
  if (before.kind === 'enrollment')
    return losesAccess(before.state, state) || before.course !== after?.course;
  if (before.kind === 'user') return before.state === 'active' ? state !== 'active' : state === 'deleted';
  if (before.kind === 'course') return state !== before.state && ['completed', 'deleted'].includes(state);
  return state === 'deleted';
}

const LOGIN: Seen = { kind: 'login', state: 'deleted', course: null };

/**
 * Returns whether a login is deleted and its person has another one, or suspended while its person can sign
 * in with another.
 */
function keepsOther(key: string, after: Look, world: World): boolean {
  const { user_id: user } = world.pseudonyms.must(Number(key.split(' ')[1]));
  const others = world.loginsOf(user);
  return after.get(key)?.state === 'deleted'
    ? others.length > 0
    : others.some((one) => one.workflow_state === 'active');
}

/** Counts objects removed or ended between two snapshots, as the review does. */
export function lostBetween(before: Look, after: Look, world: World) {
  // Each person once, however many logins they have.
  const gone = new Set<number>();
  const lost = [...before]
    .filter(([key, one]) => isLost(one, after.get(key)))
    .map(([key, one]) => {
      if (one.kind !== 'user') return one;
      const person = world.pseudonyms.must(Number(key.split(' ')[1])).user_id;
      if (gone.has(person) || keepsOther(key, after, world)) return LOGIN;
      gone.add(person);
      return one;
    });
  const takes = SIS_KINDS.flatMap((kind) => {
    const count = lost.filter((one) => one.kind === kind).length;
    return count > 0 ? [{ kind, count }] : [];
  });
  const courses = new Map<string, { taken: number; members: number }>();
  for (const { kind, course } of lost) {
    if (course === null) continue;
    const { sis_source_id, name } = world.courses.must(course);
    const sums = courses.get(sis_source_id ?? name) ?? { taken: 0, members: 0 };
    courses.set(sis_source_id ?? name, sums);
    if (kind === 'enrollment') sums.taken++;
    else sums.members++;
  }
  return { takes, courses };
}

/** Returns the losses that the review announces, in the same form. */
export function announced({ brake }: SisEffect) {
  return {
    takes: brake.takes,
    courses: new Map(
      brake.courses.map(({ sis_course_id, name, taken, members }) => [
        sis_course_id || (name ?? ''),
        { taken, members },
      ]),
    ),
  };
}
