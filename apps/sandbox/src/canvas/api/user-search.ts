/**
 * The people in an account, and searching them (reference §6.6): substrings, any case, in names, logins, SIS
 * IDs and email addresses. All people form one long text, so a search among 60,000 takes less than a
 * millisecond. People who have changed since then are searched individually.
 */

import type { View } from '../http/view.ts';
import { peopleUnder } from '../store/account-people.ts';
import type { User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { compareNames } from './lists.ts';

/** The people of an account in order. */
type List = {
  accountId: number;
  deletedToo: boolean;
  /** Null: the root account, which has everyone. */
  members: ReadonlySet<number> | null;
  /** Version of the enrolments and admins, which determine the members of a sub-account. */
  version: number;
  users: User[];
};

/** The texts of `users`, one user after the other; the text of user i ends at `ends[i]`. */
type Haystack = { users: readonly User[]; text: string; ends: Int32Array; stale: Set<number> };

/** From this many changed people on, all lists are rebuilt. */
const MOST_STALE = 500;
const MOST_LISTS = 32;
const MOST_HAYSTACKS = 8;

const byName = (a: User, b: User): number => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id;

/** The directory of one world. */
export class UserDirectory {
  readonly #world: World;
  #order: User[] | null = null;
  readonly #lists = new Map<string, List>();
  readonly #haystacks = new Map<string, Haystack>();
  /** People who changed since the lists were last updated. */
  readonly #changed = new Set<number>();

  constructor(world: World) {
    this.#world = world;
    const note = (row: { user_id: number }) => void this.#changed.add(row.user_id);
    world.users.onChange((user) => this.#changed.add(user.id));
    world.pseudonyms.onChange(note);
    world.channels.onChange(note);
    world.onReset(() => this.#forget());
  }

  /**
   * Returns the people of an account, by sortable name; the root account has everyone with a login (§6.6).
   */
  inAccount(accountId: number, deletedToo = false): readonly User[] {
    return this.#list(accountId, deletedToo).users;
  }

  /** Returns the people of an account whose texts contain the lower-cased term, by sortable name. */
  search(accountId: number, term: string, view: View, deletedToo = false): User[] {
    const list = this.#list(accountId, deletedToo);
    const haystack = this.#haystack(list, view);
    const found = new Set(find(haystack, term).filter((user) => !haystack.stale.has(user.id)));
    const sorted = found.size;
    for (const id of haystack.stale) {
      const user = this.#world.users.get(id);
      if (user && this.#belongs(list, user) && this.#textOf(user, view).includes(term)) found.add(user);
    }
    const byId = /^\d{1,15}$/.test(term) ? this.#world.users.get(Number(term)) : undefined;
    if (byId && this.#belongs(list, byId)) found.add(byId);
    return found.size === sorted ? [...found] : [...found].sort(byName);
  }

  #forget(): void {
    this.#order = null;
    this.#lists.clear();
    this.#haystacks.clear();
    this.#changed.clear();
  }

  /** Moves changed people to their new places; after many changes, everything is rebuilt. */
  #settle(): void {
    if (this.#changed.size === 0) return;
    if (this.#changed.size > MOST_STALE) {
      this.#forget();
      return;
    }
    const changed = [...this.#changed].flatMap((id) => this.#world.users.get(id) ?? []);
    if (this.#order) this.#order = moved(this.#order, this.#changed, changed);
    for (const list of this.#lists.values())
      list.users = moved(
        list.users,
        this.#changed,
        changed.filter((user) => this.#belongs(list, user)),
      );
    for (const [name, haystack] of this.#haystacks) {
      for (const id of this.#changed) haystack.stale.add(id);
      if (haystack.stale.size > MOST_STALE) this.#haystacks.delete(name);
    }
    this.#changed.clear();
  }

  #list(accountId: number, deletedToo: boolean): List {
    this.#settle();
    const world = this.#world;
    const name = `${accountId} ${deletedToo}`;
    const isRoot = accountId === world.rootAccount.id;
    const version = isRoot
      ? 0
      : world.enrollments.version +
        world.accountUsers.version +
        world.courses.version +
        world.accounts.version;
    const held = this.#lists.get(name);
    if (held?.version === version) return held;
    const members = isRoot ? null : peopleUnder(world, accountId);
    const list: List = { accountId, deletedToo, members, version, users: [] };
    this.#order ??= [...world.users.values()].sort(byName);
    list.users = this.#order.filter((user) => this.#belongs(list, user));
    keep(this.#lists, name, list, MOST_LISTS);
    for (const key of this.#haystacks.keys()) if (key.startsWith(`${name} `)) this.#haystacks.delete(key);
    return list;
  }

  #belongs({ members, deletedToo }: List, user: User): boolean {
    if (members && !members.has(user.id)) return false;
    return deletedToo || (user.workflow_state !== 'deleted' && hasLogin(this.#world, user.id));
  }

  #haystack(list: List, view: View): Haystack {
    const name = `${list.accountId} ${list.deletedToo} ${view.sis} ${view.logins} ${view.emails}`;
    let haystack = this.#haystacks.get(name);
    if (!haystack) {
      haystack = this.#stack(list.users, view);
      keep(this.#haystacks, name, haystack, MOST_HAYSTACKS);
    }
    return haystack;
  }

  #stack(users: readonly User[], view: View): Haystack {
    const ends = new Int32Array(users.length);
    const parts: string[] = [];
    let length = 0;
    for (const [at, user] of users.entries()) {
      const text = `${this.#textOf(user, view)}\n`;
      parts.push(text);
      length += text.length;
      ends[at] = length;
    }
    return { users, text: parts.join(''), ends, stale: new Set() };
  }

  #textOf(user: User, view: View): string {
    const fields = [user.name];
    if (user.short_name !== user.name) fields.push(user.short_name);
    for (const login of this.#world.pseudonyms.by.user.get(user.id)) {
      if (login.workflow_state === 'deleted') continue;
      // A suspended login is found only by its SIS IDs (§6.6).
      if (view.logins && login.workflow_state === 'active') fields.push(login.unique_id);
      if (view.sis && login.sis_user_id !== null) fields.push(login.sis_user_id);
      if (view.sis && login.integration_id !== null && login.integration_id !== login.sis_user_id) {
        fields.push(login.integration_id);
      }
    }
    if (view.emails) {
      for (const channel of this.#world.channels.by.user.get(user.id)) {
        // Canvas also searches emails, so a suspended login's address would find the person after all.
        if (channel.workflow_state !== 'retired' && !fields.includes(channel.path)) fields.push(channel.path);
      }
    }
    return fields.join('\n').toLowerCase();
  }
}

function hasLogin(world: World, userId: number): boolean {
  return world.pseudonyms.by.user.get(userId).some((login) => login.workflow_state !== 'deleted');
}

/** Returns the list with changed people in their new places, if they still belong to it. */
function moved(list: readonly User[], changed: ReadonlySet<number>, arriving: readonly User[]): User[] {
  const users = list.filter((user) => !changed.has(user.id));
  for (const user of arriving) {
    let low = 0;
    let high = users.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byName(users[middle] as User, user) > 0) high = middle;
      else low = middle + 1;
    }
    users.splice(low, 0, user);
  }
  return users;
}

function keep<V>(map: Map<string, V>, name: string, value: V, most: number): void {
  map.delete(name);
  map.set(name, value);
  if (map.size <= most) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}

function find({ users, text, ends }: Haystack, term: string): User[] {
  const found: User[] = [];
  let from = 0;
  for (;;) {
    const hit = text.indexOf(term, from);
    if (hit < 0) return found;
    const at = firstEndAfter(ends, hit);
    found.push(users[at] as User);
    from = ends[at] as number;
  }
}

function firstEndAfter(ends: Int32Array, position: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
