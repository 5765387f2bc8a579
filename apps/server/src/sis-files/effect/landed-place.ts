/** A place that rows of enrolments affect, with its people after the rows of earlier tables. */
import { begins } from '@lms-admin/domain/sis-effect';
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import type { CourseRef } from './course-ref.ts';
import type { Evaluation } from './evaluation.ts';
import type { Holding } from './holdings.ts';
import type { Found } from './people.ts';
import type { RolesOfLms } from './roles.ts';
import type { PackedEnrolment } from './upload-rows.ts';

/** A place found in the LMS or the upload. */
export interface FoundPlace {
  /** `id` is null for a course of the same upload. */
  course: { id: number | null; sisId: string; name: string };
  term: string | null;
  /** Whether the upload restores it: sections that are restored with it are not listed. */
  restored: boolean;
  holding: Holding;
  /** Numbers of the sections by SIS ID, including those of the same upload. */
  sections: ReadonlyMap<string, number>;
  people: ReadonlyMap<string, { id: number; name: string }>;
  called: (user: string) => string;
  exists: (user: string) => boolean | null;
  byDeletedLogin: (user: string) => boolean;
  mayBeFormer: (user: string) => boolean;
  hadLogin: (user: string) => boolean;
  /** Linked observers of the students whose enrolments may end; those of others are not looked up. */
  observers: ReadonlyMap<number, ReadonlySet<number> | null>;
}

export interface Course extends CourseRef {
  id: number | null;
  sisId: string;
  name: string;
  term: string | null;
  /** Restored by the same upload: the LMS does not show its contents yet. */
  hidden?: boolean;
}

/** Finds the people in the rows by SIS ID. */
async function seenIn({ uploadState, people }: Evaluation, users: ReadonlySet<string>, holding: Holding) {
  const shown = new Map(holding.enrolments.map((one) => [one.user, one]));
  // An enrolment may show another of a person's SIS IDs, or none: people whom the place does not show are looked up.
  const byId = await people.byId([...users].filter((user) => !shown.has(user)));
  const seen = new Map<string, { id: number; name: string }>();
  for (const user of users) {
    const there = shown.get(user);
    const lookedUp = there
      ? null
      : (uploadState.people.get(user) ?? people.withOtherLogin(user) ?? byId(user));
    if (there) seen.set(user, { id: there.userId, name: there.name ?? user });
    if (lookedUp !== null && typeof lookedUp === 'object')
      seen.set(user, { id: lookedUp.id, name: lookedUp.name });
  }
  // If a person has several SIS IDs, the one that the course shows is used, otherwise any of them.
  const named = new Map<number, string>();
  for (const [user, { id }] of seen) if (shown.has(user) || !named.has(id)) named.set(id, user);
  return { shown, byId, seen, named };
}

/** Describes the place with its people as the rows name them. */
export async function placeOf(
  evaluation: Evaluation,
  rows: readonly PackedEnrolment[],
  course: Course,
  holding: Holding,
  roles: RolesOfLms,
): Promise<FoundPlace> {
  const { uploadState, people, observers: links, uploadRows, tally } = evaluation;
  const users = new Set(
    rows.flatMap(([, , user, , , , , , , , student]) => (student === '' ? [user] : [user, student])),
  );
  const { shown, byId, seen, named } = await seenIn(evaluation, users, holding);
  const sections = numbersOf(holding.sections);
  let next = 0;
  for (const [sisId, one] of uploadState.sections)
    if (one.course === course.sisId && !sections.has(sisId)) sections.set(sisId, --next);
  const { broughtIn } = holding;
  const defaultSection =
    broughtIn === null ? holding.defaultSection : (sections.get(broughtIn) ?? holding.defaultSection);
  const enrolments = holding.enrolments.map((one) => ({ ...one, user: named.get(one.userId) ?? one.user }));
  const coming = studentsComing(rows, roles, ({ user, section, role, state }) => {
    const id = seen.get(user)?.id ?? null;
    const number = section === '' ? defaultSection : sections.get(section);
    // An observer follows the student into each section, whichever other sections the student is in.
    const there = enrolments.filter(
      (one) => one.userId === id && one.sectionId === number && one.roleId === role,
    );
    // Rows of earlier tables may have ended the enrolment.
    const active = there.some((one) => tally.losses.stateOf(one) === 'active');
    if (active === (state === 'active')) return null;
    // Right before sending, only losses are counted. An enrolment that comes back with the student is not a loss.
    const back = state === 'active' && there.some((one) => one.state === 'active');
    return uploadRows.onlyTaking && !back ? null : id;
  });
  return {
    course,
    term: course.term,
    restored: course.hidden ?? false,
    holding: { ...holding, enrolments, defaultSection },
    sections,
    people: seen,
    called: (user) => named.get(seen.get(user)?.id ?? 0) ?? uploadState.personOf(user),
    observers: await observersIn(links, rows, enrolments, coming),
    hadLogin: (user) => hadLoginBy(uploadState, user, shown.has(user) ? 'shown' : byId(user)),
    mayBeFormer: (user) => formerIn({ uploadState, people }, user),
    byDeletedLogin: (user) => byDeletedLogin({ uploadState, people }, user),
    exists(user) {
      const here = uploadState.has('user', user);
      return here === undefined && shown.has(user) ? true : existsBy(uploadState, people, user, byId(user));
    },
  };
}

/** Returns the numbers of sections by their SIS IDs. */
export const numbersOf = (sections: Holding['sections']): Map<string, number> =>
  new Map(sections.flatMap(({ sisId, id }) => (sisId === null ? [] : [[sisId, id]])));

/** Returns whether an SIS ID belongs to a deleted login of a person who has another one. */
export function byDeletedLogin(
  { uploadState, people }: Pick<Evaluation, 'uploadState' | 'people'>,
  user: string,
): boolean {
  const here = uploadState.has('user', user);
  // A login that an earlier row restores is active again at this point.
  if (here !== undefined) return !here && uploadState.people.has(user);
  return people.withOtherLogin(user) !== null;
}

/** Returns whether a person has an SIS ID, by the rows so far and the LMS; null if not known. */
export function existsBy(
  uploadState: Evaluation['uploadState'],
  people: Evaluation['people'],
  user: string,
  found: Found,
): boolean | null {
  // A deleted login still identifies a person who has another one.
  if (uploadState.people.has(user) || people.withOtherLogin(user) !== null) return true;
  const here = uploadState.has('user', user);
  if (here !== undefined) return here;
  return found === 'unread' ? null : found !== 'missing';
}

/** Returns whether an SIS ID is that of a login that the upload deletes, or creates as a deleted one. */
export function hadLoginBy(
  uploadState: Evaluation['uploadState'],
  user: string,
  found: Found | 'shown',
): boolean {
  if (uploadState.deletedLogins.has(user)) return true;
  return uploadState.has('user', user) === false && (found === 'shown' || typeof found === 'object');
}

/** Returns whether an unknown SIS ID may be that of a deleted login outside the upload. */
export function formerIn(
  { uploadState, people }: Pick<Evaluation, 'uploadState' | 'people'>,
  user: string,
): boolean {
  return uploadState.has('user', user) === undefined && people.mayBeFormer(user);
}

interface Coming {
  user: string;
  section: string;
  role: number;
  state: 'active' | 'ended';
}

/**
 * Returns the numbers of the students whose state in a section rows change, other than by removing them.
 * @param absent number of a person without an enrolment there
 */
function studentsComing(
  rows: readonly PackedEnrolment[],
  roles: RolesOfLms,
  absent: (coming: Coming) => number | null,
): Set<number> {
  const coming = new Set<number>();
  for (const [, , user, section, roleId, roleName, status] of rows) {
    if (begins(status, 'deleted')) continue;
    const [role] = roleId === '' ? roles.named(roleName) : [Number(roleId)];
    const state = begins(status, 'active') ? 'active' : 'ended';
    if (role === undefined || roles.isStudent(role) !== true) continue;
    const id = absent({ user, section, role, state });
    if (id !== null) coming.add(id);
  }
  return coming;
}

/** Finds observers of students whose enrolments rows may end, if the course has any, and of new students. */
async function observersIn(
  links: Evaluation['observers'],
  rows: readonly PackedEnrolment[],
  enrolments: Holding['enrolments'],
  coming: Iterable<number>,
): Promise<Map<number, ReadonlySet<number> | null>> {
  const observed = new Set(enrolments.flatMap(({ observes }) => observes ?? []));
  const found = new Map<number, ReadonlySet<number> | null>();
  await mapLimited([...coming], AT_ONCE, async (student) => {
    found.set(student, await links.comingInWith(student));
  });
  if (observed.size === 0) return found;
  const ending = new Set(rows.flatMap(([, , user, , , , status]) => (mayRemove({ status }) ? [user] : [])));
  const students = new Set(
    enrolments.flatMap(({ user, userId }) => (ending.has(user) && observed.has(userId) ? [userId] : [])),
  );
  await mapLimited([...students], AT_ONCE, async (student) => {
    const observers = await links.of(student);
    found.set(student, typeof observers === 'string' ? null : observers);
  });
  return found;
}
