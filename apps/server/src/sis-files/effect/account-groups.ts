/** Who is in the groups of accounts: no list of a person shows these, so the groups are read. */

import { type Answer, answered, pages } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';
import type { AccountsAndTerms } from './courses.ts';
import { type Group, group, membersOf } from './groups-of-lms.ts';

/** Accounts, and groups with people in them, up to which they are read: each costs a question. */
const MOST_READ = 10 * FEW;

export class AccountGroups {
  readonly #asking: Asking;
  readonly #around: AccountsAndTerms;
  #byPerson: Promise<ReadonlyMap<number, readonly number[]> | 'unread'> | null = null;

  constructor(asking: Asking, around: AccountsAndTerms) {
    this.#asking = asking;
    this.#around = around;
  }

  /** Numbers of the groups that somebody is in. All groups are read with the first question. @throws CanvasError when the token is refused */
  async of(person: number): Promise<Answer<readonly number[]>> {
    this.#byPerson ??= this.#read();
    const byPerson = await this.#byPerson;
    return byPerson === 'unread' ? byPerson : (byPerson.get(person) ?? []);
  }

  async #read(): Promise<ReadonlyMap<number, readonly number[]> | 'unread'> {
    const below = await this.#around.accounts();
    if (below === null || below.parents.size >= MOST_READ) return 'unread';
    const lists = await mapLimited([1, ...below.parents.keys()], AT_ONCE, (account) =>
      this.#groupsIn(account),
    );
    const groups = lists.flatMap((list) => (typeof list === 'string' ? [] : list));
    if (groups.length > MOST_READ || lists.includes('unread') || lists.includes('missing')) return 'unread';
    const byPerson = new Map<number, number[]>();
    const read = await mapLimited(groups, AT_ONCE, async (one) => {
      const members = await membersOf(this.#asking, one);
      if (typeof members === 'string') return false;
      for (const person of members) byPerson.set(person, [...(byPerson.get(person) ?? []), one.id]);
      return true;
    });
    return read.includes(false) ? 'unread' : byPerson;
  }

  /** Groups that lie in an account itself, without empty ones. */
  #groupsIn(account: number): Promise<Answer<Group[]>> {
    return answered(this.#asking, async () => {
      const all: Group[] = [];
      for await (const { data } of pages(this.#asking, `accounts/${account}/groups`, group))
        all.push(...data.filter(({ members_count }) => members_count !== 0));
      return all;
    });
  }
}
