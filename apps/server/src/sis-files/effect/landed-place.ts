/** A place of rows of enrolments with its people, as the rows of the tables before leave them. */
import { begins } from '@lms-admin/domain/sis-effect';
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import type { CourseRef } from './course-enrolments.ts';
import type { Evaluation } from './evaluation.ts';
import type { PackedEnrolment } from './gathered.ts';
import type { Holding } from './holdings.ts';
import type { Found } from './people.ts';
import type { RolesOfLms } from './roles.ts';

/** A place as it was found. */
export interface FoundPlace {
  /** `id` null for a course of the same upload. */
  course: { id: number | null; sisId: string; name: string };
  term: string | null;
  /** Whether the upload restores it: the sections that come back with it are not among these. */
  restored: boolean;
  holding: Holding;
  /** Numbers of the sections by SIS ID, those of the same upload too. */
  sections: ReadonlyMap<string, number>;
  people: ReadonlyMap<string, { id: number; name: string }>;
  called: (user: string) => string;
  exists: (user: string) => boolean | null;
  byDeletedLogin: (user: string) => boolean;
  mayBeFormer: (user: string) => boolean;
  hadLogin: (user: string) => boolean;
  /** Linked observers of the students whose enrolments may end; others are not asked about. */
  observers: ReadonlyMap<number, ReadonlySet<number> | null>;
}

export interface Course extends CourseRef {
  id: number | null;
  sisId: string;
  name: string;
  term: string | null;
  /** Restored by the same upload: the LMS does not show yet what is in it. */
  hidden?: boolean;
}

/** The people that the rows name, by the SIS IDs in the rows. */
async function seenIn({ made, people }: Evaluation, users: ReadonlySet<string>, holding: Holding) {
  const shown = new Map(holding.enrolments.map((one) => [one.user, one]));
  // An enrolment may show another of a person's SIS IDs, or none: whom the place does not show is asked about.
  const byId = await people.byId([...users].filter((user) => !shown.has(user)));
  const seen = new Map<string, { id: number; name: string }>();
  for (const user of users) {
    const there = shown.get(user);
    const asked = there ? null : (made.people.get(user) ?? people.besides(user) ?? byId(user));
    if (there) seen.set(user, { id: there.userId, name: there.name ?? user });
    if (asked !== null && typeof asked === 'object') seen.set(user, { id: asked.id, name: asked.name });
  }
  // Of several SIS IDs of a person the one that the course shows is theirs, else any.
  const named = new Map<number, string>();
  for (const [user, { id }] of seen) if (shown.has(user) || !named.has(id)) named.set(id, user);
  return { shown, byId, seen, named };
}

/** The place as the rows name its people. */
export async function placeOf(
  evaluation: Evaluation,
  rows: readonly PackedEnrolment[],
  course: Course,
  holding: Holding,
  roles: RolesOfLms,
): Promise<FoundPlace> {
  const { made, people, observers: links, gathered } = evaluation;
  const users = new Set(
    rows.flatMap(([, , user, , , , , , , , student]) => (student === '' ? [user] : [user, student])),
  );
  const { shown, byId, seen, named } = await seenIn(evaluation, users, holding);
  const sections = numbersOf(holding.sections);
  let next = 0;
  for (const [sisId, one] of made.sections)
    if (one.course === course.sisId && !sections.has(sisId)) sections.set(sisId, --next);
  const { broughtIn } = holding;
  const defaultSection =
    broughtIn === null ? holding.defaultSection : (sections.get(broughtIn) ?? holding.defaultSection);
  const enrolments = holding.enrolments.map((one) => ({ ...one, user: named.get(one.userId) ?? one.user }));
  // Before it is sent only losses are counted.
  const coming = gathered.onlyTaking
    ? []
    : studentsComing(rows, roles, ({ user, section, role, state }) => {
        const id = seen.get(user)?.id ?? null;
        const number = section === '' ? defaultSection : sections.get(section);
        // An observer follows into each section, whatever others the student is in.
        const active = enrolments.some(
          (one) =>
            one.userId === id && one.sectionId === number && one.roleId === role && one.state === 'active',
        );
        return active === (state === 'active') ? null : id;
      });
  return {
    course,
    term: course.term,
    restored: course.hidden ?? false,
    holding: { ...holding, enrolments, defaultSection },
    sections,
    people: seen,
    called: (user) => named.get(seen.get(user)?.id ?? 0) ?? made.whose(user),
    observers: await observersIn(links, rows, enrolments, coming),
    hadLogin: (user) => hadLoginBy(made, user, shown.has(user) ? 'shown' : byId(user)),
    mayBeFormer: (user) => formerIn({ made, people }, user),
    byDeletedLogin(user) {
      const here = made.has('user', user);
      // One that an earlier row restores is in use by then.
      if (here !== undefined) return !here && made.people.has(user);
      return people.besides(user) !== null;
    },
    exists(user) {
      const here = made.has('user', user);
      return here === undefined && shown.has(user) ? true : existsBy(made, people, user, byId(user));
    },
  };
}

/** Numbers of sections by their SIS IDs. */
export const numbersOf = (sections: Holding['sections']): Map<string, number> =>
  new Map(sections.flatMap(({ sisId, id }) => (sisId === null ? [] : [[sisId, id]])));

/** Whether someone has an SIS ID, by the rows so far and by what the LMS says; null where no one can say. */
export function existsBy(
  made: Evaluation['made'],
  people: Evaluation['people'],
  user: string,
  found: Found,
): boolean | null {
  // A deleted login of someone who has another one still means them.
  if (made.people.has(user) || people.besides(user) !== null) return true;
  const here = made.has('user', user);
  if (here !== undefined) return here;
  return found === 'unread' ? null : found !== 'missing';
}

/** Whether an SIS ID is that of a login that the upload deletes, or makes as a deleted one. */
export function hadLoginBy(made: Evaluation['made'], user: string, found: Found | 'shown'): boolean {
  if (made.deletedLogins.has(user)) return true;
  return made.has('user', user) === false && (found === 'shown' || typeof found === 'object');
}

/** Whether an SIS ID that no one has may be that of a deleted login, which the upload does not touch. */
export function formerIn({ made, people }: Pick<Evaluation, 'made' | 'people'>, user: string): boolean {
  return made.has('user', user) === undefined && people.mayBeFormer(user);
}

interface Coming {
  user: string;
  section: string;
  role: number;
  state: 'active' | 'ended';
}

/** Numbers of the students whose state in a section rows change, other than by removing them. @param absent the number of a person who has another one there */
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

/** Observers of the students whose enrolments rows may end, where the course shows any, and of those who come in. */
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
    const those = await links.of(student);
    found.set(student, typeof those === 'string' ? null : those);
  });
  return found;
}
