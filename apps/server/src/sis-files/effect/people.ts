/** The people in an upload: looked up one by one if they are few, otherwise read from the list of all people. */
import { type FormerPerson, type HeldPerson, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { type LmsUser, loginsOf, userAt, walkUsers } from '../../canvas/resources/users.ts';
import { integrationSegment, sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { type FormerOwner, otherLogins } from '../../users/former.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';

/** Maximum number of people looked up by integration id: no list shows these ids. */
const MOST_BY_INTEGRATION_ID = 10 * FEW;

export type Found = Answer<HeldPerson>;

/** Options for finding the owners of deleted logins. */
export interface Tracing {
  /** Reads the list again if its reading began before this moment. */
  since?: number | undefined;
  /** Whether the upload changes ids, so that those in the list are out of date. */
  renamed?: boolean;
}

export class PeopleOfLms {
  readonly #asking: Asking;
  readonly #byId = new Map<string, HeldPerson>();
  /** People by login in lower case. */
  readonly #byLogin = new Map<string, HeldPerson>();
  /** Logins whose owner the list does not show with certainty. */
  readonly #doubtful = new Set<string>();
  readonly #answers = new Map<string, Found>();
  /** People by the SIS ID of a deleted login. */
  readonly #former = new Map<string, FormerPerson>();
  /** Further SIS IDs of people, from logins in use. */
  readonly #inUse = new Set<string>();
  /** Unused SIS IDs whose former owners have been looked up. */
  readonly #traced = new Set<string>();
  readonly #tracing: Tracing;
  /** Whether the list was read to its end: then a person who is not in it does not exist. */
  #whole = false;

  constructor(asking: Asking, tracing: Tracing = {}) {
    this.#asking = asking;
    this.#tracing = tracing;
  }

  /** Returns the number of all people; null if not all were read. */
  get all(): number | null {
    return this.#whole ? this.#count : null;
  }
  #count = 0;

  /**
   * Prepares for questions about these people.
   * @param ids SIS IDs
   * @param logins in lower case
   */
  async prepare(ids: ReadonlySet<string>, logins: ReadonlySet<string>): Promise<void> {
    const questions = ids.size + logins.size;
    if (questions <= FEW || this.#asking.admin.record.perm !== 'ALL') return;
    const wanted = (
      texts: string | null | undefined,
      wantedIds: ReadonlySet<string>,
      map: (one: string) => string,
    ) =>
      (texts ?? '')
        .split(',')
        .map(map)
        .filter((one) => wantedIds.has(one));
    let every = true;
    const read = await walkUsers(this.#asking, { email: true, deleted: true }, questions, (found) => {
      // If the LMS does not show every id, people who are not found are looked up.
      if (typeof found.sis_user_ids !== 'string' || typeof found.login_ids !== 'string') every = false;
      // A person with neither is deleted: a row either finds their ids free, or restores them.
      if (found.sis_user_id === null && found.login_id === null) {
        this.#noteFormer(found, (sisId) => ids.has(sisId));
        return;
      }
      this.#count++;
      const named = new Set(wanted([found.sis_user_ids, found.sis_user_id].join(), ids, (one) => one));
      const login = new Set(
        wanted([found.login_ids, found.login_id].join(), logins, (one) => one.toLowerCase()),
      );
      if (named.size === 0 && login.size === 0) return;
      const person = heldAs(found);
      for (const each of named) this.#byId.set(ownText(each), person);
      for (const each of login) {
        if (sameLogin(found.login_id, each)) this.#byLogin.set(ownText(each), person);
        // The login may be another one of theirs, or a deleted one, which is free.
        else this.#doubtful.add(ownText(each));
      }
    });
    this.#whole = read && every;
  }

  /** Finds people by SIS ID. @throws CanvasError when the token is refused */
  async byId(ids: Iterable<string>): Promise<(sisId: string) => Found> {
    const distinct = [...new Set(ids)];
    await this.#each(
      distinct.filter((sisId) => !this.#whole && !this.#byId.has(sisId)),
      (sisId) => `id ${sisId}`,
      (sisId) => sisSegment('user', sisId),
    );
    await this.#checkOthers(distinct);
    await this.#trace(distinct.filter((sisId) => this.#answers.get(`id ${sisId}`) === 'missing'));
    return (sisId) =>
      this.#byId.get(sisId) ?? (this.#whole ? 'missing' : (this.#answers.get(`id ${sisId}`) ?? 'unread'));
  }

  /** Returns whether an unused SIS ID may be that of a deleted login whose owner is unknown. */
  mayBeFormer(sisId: string): boolean {
    const owner = this.#former.get(sisId);
    // If all logins of a person are deleted, the LMS shows no enrolments, but still accepts rows that remove them.
    if (owner) return owner.keeps === null;
    return !this.#whole && !this.#traced.has(sisId);
  }

  /** Returns the person whose deleted login had this SIS ID, if it was looked up. */
  former(sisId: string): FormerPerson | null {
    return this.#former.get(sisId) ?? null;
  }

  /** Finds the former owners of these SIS IDs; if the list cannot be read, they stay unknown. */
  async #trace(missing: readonly string[]): Promise<void> {
    const { services, admin, signal } = this.#asking;
    const { since, renamed = false } = this.#tracing;
    // The list has the ids from before the upload, and people whom a limited admin cannot see.
    if (renamed || this.#whole || admin.record.perm !== 'ALL') return;
    const open = missing.filter(
      (sisId) => sisId !== '' && !this.#traced.has(sisId) && !this.#former.has(sisId),
    );
    const found = await answered(this.#asking, async () => {
      const owners: [string, FormerOwner][] = [];
      for (const sisId of open) {
        const owner = await services.people.formerOwner(admin, sisId, { signal, since });
        if (owner === null) this.#traced.add(ownText(sisId));
        else owners.push([ownText(sisId), owner]);
      }
      return owners;
    });
    if (typeof found === 'string') return;
    await mapLimited(found, AT_ONCE, async ([sisId, { person, sortableName, shortName, keeps }]) => {
      const { id, name, login_id: login } = person;
      const gone = { id, name, sisUserId: null, sortableName, shortName, email: undefined };
      const shown = keeps === null ? null : await answered(this.#asking, () => userAt(this.#asking, id));
      const held = shown !== null && typeof shown === 'object' ? heldAs(shown) : gone;
      this.#former.set(sisId, { ...held, login, integrationId: undefined, keeps });
    });
  }

  /** Checks further SIS IDs of people: the list also shows deleted logins, whose SIS IDs identify no one. */
  async #checkOthers(ids: readonly string[]): Promise<void> {
    const doubtful = ids.flatMap((sisId) => {
      const person = this.#byId.get(sisId);
      return person === undefined || person.sisUserId === sisId || this.#inUse.has(sisId)
        ? []
        : [{ sisId, person }];
    });
    await mapLimited(doubtful, AT_ONCE, async ({ sisId, person }) => {
      const logins = await answered(this.#asking, async () => {
        const all = await loginsOf(this.#asking, person.id);
        return all.filter(({ workflow_state }) => workflow_state !== 'deleted');
      });
      if (typeof logins === 'string' || logins.some((one) => one.sis_user_id === sisId)) {
        this.#inUse.add(ownText(sisId));
        return;
      }
      this.#byId.delete(sisId);
      const former = { ...person, login: null, integrationId: undefined, keeps: person.login };
      this.#former.set(ownText(sisId), former);
    });
  }

  /** Finds people by login, in any letter case. @throws like `byId` */
  async byLogin(logins: Iterable<string>): Promise<(login: string) => Found> {
    const distinct = new Set([...logins].map((login) => login.toLowerCase()));
    await this.#each(
      [...distinct].filter(
        (login) => !this.#byLogin.has(login) && (!this.#whole || this.#doubtful.has(login)),
      ),
      (login) => `login ${login}`,
      (login) => sisSegment('login', login),
    );
    return (login) => {
      const key = login.toLowerCase();
      return (
        this.#byLogin.get(key) ?? this.#answers.get(`login ${key}`) ?? (this.#whole ? 'missing' : 'unread')
      );
    };
  }

  /** Finds people by integration id, with one call for each, up to a maximum number. @throws like `byId` */
  async byIntegrationId(ids: Iterable<string>): Promise<(integrationId: string) => Found> {
    const distinct = [...new Set(ids)].slice(0, MOST_BY_INTEGRATION_ID);
    await this.#each(distinct, (one) => `integration ${one}`, integrationSegment);
    for (const one of distinct) {
      const found = this.#answers.get(`integration ${one}`);
      if (typeof found === 'object' && found.sisUserId !== null) this.#byId.set(found.sisUserId, found);
    }
    return (integrationId) => this.#answers.get(`integration ${integrationId}`) ?? 'unread';
  }

  /**
   * Finds people whose login with an SIS ID was deleted: a row restores it. The LMS finds them only by name, email
   * address or another login, so a person without any of these in the file counts as new.
   * @param named unused SIS IDs, with the texts to find their owners by
   * @throws like `byId`
   */
  async formerly(
    named: readonly { sisId: string; terms: readonly string[] }[],
  ): Promise<(sisId: string) => FormerPerson | null> {
    const open = this.#whole ? [] : named.slice(0, FEW);
    await mapLimited(open, AT_ONCE, async ({ sisId, terms }) => {
      for (const term of new Set(terms.map((one) => one.trim()))) {
        if (term.length < 3 || this.#former.has(sisId)) continue;
        const named = { search: term, email: true, deleted: true };
        await walkUsers(this.#asking, named, 1, (found) => this.#noteFormer(found, (one) => one === sisId));
      }
    });
    return (sisId) => this.#former.get(sisId) ?? null;
  }

  /** Returns the person who has another login besides a deleted one with this SIS ID, if it was looked up. */
  withOtherLogin(sisId: string): FormerPerson | null {
    const former = this.former(sisId);
    return former?.keeps == null ? null : former;
  }

  /** Records a person with a deleted login. */
  #noteFormer(found: LmsUser, wanted: (sisId: string) => boolean): void {
    for (const { sisId, login } of otherLogins(found)) {
      if (!wanted(sisId)) continue;
      const held = heldAs(found);
      const keeps = found.login_id ?? null;
      // The LMS shows neither the email address of a deleted person nor the integration id of a login.
      const email = keeps === null ? undefined : held.email;
      this.#former.set(ownText(sisId), { ...held, login, email, integrationId: undefined, keeps });
    }
  }

  /** Finds people by their number in the LMS, one by one. @throws like `byId` */
  async byNumber(numbers: Iterable<string>): Promise<(number: string) => Found> {
    const distinct = [...new Set(numbers)].filter((one) => /^[1-9]\d{0,15}$/.test(one));
    await this.#each(
      distinct,
      (one) => `number ${one}`,
      (one) => one,
    );
    return (number) =>
      /^[1-9]\d{0,15}$/.test(number) ? (this.#answers.get(`number ${number}`) ?? 'unread') : 'missing';
  }

  async #each(keys: readonly string[], nameOf: (key: string) => string, segmentOf: (key: string) => string) {
    const open = keys.filter((key) => !this.#answers.has(nameOf(key)));
    await mapLimited(open, AT_ONCE, async (key) => {
      const found = await answered(this.#asking, () => userAt(this.#asking, segmentOf(key)));
      this.#answers.set(nameOf(key), typeof found === 'object' ? heldAs(found) : found);
    });
  }
}

function heldAs(found: LmsUser): HeldPerson {
  return {
    id: found.id,
    name: ownText(found.name),
    sortableName: found.sortable_name,
    shortName: found.short_name,
    sisUserId: found.sis_user_id,
    login: found.login_id,
    // Fields that the LMS does not show are not compared.
    email: found.email,
    pronouns: found.pronouns,
    integrationId: found.integration_id,
  };
}
