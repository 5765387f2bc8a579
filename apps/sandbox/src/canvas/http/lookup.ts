/** Finds objects by any of Canvas's ID forms (reference §1), including deleted objects. */

import type {
  Account,
  Course,
  Group,
  GroupCategory,
  Pseudonym,
  Section,
  Term,
  User,
} from '../store/model.ts';
import { uuidOf } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { type AddressedKind, parseId } from './ids.ts';

export function lookupAccount(world: World, param: string): Account | undefined {
  return byForm(param, 'account', {
    id: (id) => world.accounts.get(id),
    sis: (value) => world.accounts.by.sis.get(value),
    integration: (value) => world.accounts.by.integration.get(value),
    word: (value) => (value === 'self' || value === 'default' ? world.rootAccount : undefined),
    uuid: (value) => [...world.accounts.values()].find((account) => world.uuidOfAccount(account) === value),
    lti: (value) => scan(world.accounts.values(), 'account-lti', value),
  });
}

export function lookupCourse(world: World, param: string): Course | undefined {
  return byForm(param, 'course', {
    id: (id) => world.courses.get(id),
    sis: (value) => world.courses.by.sis.get(value),
    integration: (value) => world.courses.by.integration.get(value),
    uuid: (value) => scan(world.courses.values(), 'course', value),
    lti: (value) => scan(world.courses.values(), 'course-lti', value),
  });
}

export function lookupSection(world: World, param: string): Section | undefined {
  return byForm(param, 'section', {
    id: (id) => world.sections.get(id),
    sis: (value) => world.sections.by.sis.get(value),
    integration: (value) => world.sections.by.integration.get(value),
  });
}

export function lookupUser(world: World, param: string, self: User): User | undefined {
  return byForm(param, 'user', {
    id: (id) => world.users.get(id),
    sis: (value) => ownerOf(world, world.pseudonyms.by.sis.get(value)),
    login: (value) => ownerOf(world, liveLogin(world, value)),
    integration: (value) => ownerOf(world, world.pseudonyms.by.integration.get(value)),
    word: () => self,
    uuid: (value) => scan(world.users.values(), 'user', value),
    lti: (value) => scan(world.users.values(), 'user-lti', value),
  });
}

export function lookupTerm(world: World, param: string): Term | undefined {
  return byForm(param, 'term', {
    id: (id) => world.terms.get(id),
    sis: (value) => world.terms.by.sis.get(value),
    integration: (value) => world.terms.by.integration.get(value),
    word: (value) => (value === 'default' ? world.defaultTerm : currentTerm(world)),
  });
}

export function lookupGroup(world: World, param: string): Group | undefined {
  return byForm(param, 'group', {
    id: (id) => world.groups.get(id),
    sis: (value) => world.groups.by.sis.get(value),
  });
}

export function lookupGroupCategory(world: World, param: string): GroupCategory | undefined {
  return byForm(param, 'group_category', {
    id: (id) => world.groupCategories.get(id),
    sis: (value) => world.groupCategories.by.sis.get(value),
  });
}

type Found<T> = T | undefined;
type Ways<T> = {
  id: (id: number) => Found<T>;
  sis: (value: string) => Found<T>;
  integration?: (value: string) => Found<T>;
  login?: (value: string) => Found<T>;
  uuid?: (value: string) => Found<T>;
  lti?: (value: string) => Found<T>;
  word?: (value: string) => Found<T>;
};

function byForm<T>(param: string, kind: AddressedKind, ways: Ways<T>): Found<T> {
  const parsed = parseId(kind, param);
  if (!parsed) return undefined;
  if (parsed.form === 'id') return ways.id(Number(parsed.value));
  return ways[parsed.form]?.(parsed.value);
}

/** Finds an active login. A deleted login frees its name, so several logins can share one. */
export function liveLogin(world: World, value: string): Found<Pseudonym> {
  return world.pseudonyms.by.login
    .get(value.toLowerCase())
    .find((login) => login.workflow_state !== 'deleted');
}

function ownerOf(world: World, login: { user_id: number; workflow_state: string } | undefined): Found<User> {
  return login && login.workflow_state !== 'deleted' ? world.users.get(login.user_id) : undefined;
}

/** Finds the only active term that includes the present; if there are two, finds none (§1). */
function currentTerm(world: World): Found<Term> {
  const now = world.now();
  let found: Found<Term>;
  for (const term of world.terms.values()) {
    if (term.workflow_state !== 'active' || (!term.start_at && !term.end_at)) continue;
    // A term can have an open start or end.
    if ((term.start_at ?? now) > now || (term.end_at ?? now) < now) continue;
    if (found) return undefined;
    found = term;
  }
  return found;
}

/** Searches all rows for a UUID, which has no index because it is hardly ever used. */
function scan<T extends { id: number }>(rows: Iterable<T>, kind: string, uuid: string): Found<T> {
  for (const row of rows) if (uuidOf(kind, row.id) === uuid) return row;
  return undefined;
}
