/** Members of account groups: no list of a person shows these groups, so the groups themselves are read. */

import { groupsOf, type LmsGroup, membersOf } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';
import type { AccountsAndTerms } from './courses.ts';

/** Maximum number of accounts, and of groups with members, that are read: each needs a request. */
const MOST_READ = 10 * FEW;

export class AccountGroups {
  readonly #asking: Asking;
  readonly #around: AccountsAndTerms;
  #byPerson: Promise<ReadonlyMap<number, readonly number[]> | 'unread'> | null = null;

  constructor(asking: Asking, around: AccountsAndTerms) {
    this.#asking = asking;
    this.#around = around;
  }

  /**
   * Returns the numbers of a person's groups; the first call reads all groups.
   * @throws CanvasError when the token is refused
   */
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
      const members = await answered(this.#asking, () => membersOf(this.#asking, one.id));
      if (typeof members === 'string') return false;
      for (const { id: person } of members) byPerson.set(person, [...(byPerson.get(person) ?? []), one.id]);
      return true;
    });
    return read.includes(false) ? 'unread' : byPerson;
  }

  /** Returns the groups directly in an account, without empty ones. */
  #groupsIn(account: number): Promise<Answer<LmsGroup[]>> {
    return answered(this.#asking, async () => {
      const all = await groupsOf(this.#asking, `accounts/${account}`);
      return all.filter(({ members_count }) => members_count !== 0);
    });
  }
}
