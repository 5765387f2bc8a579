/** Who is who in the LMS, for one upload: asked one by one where few are named, else read from the list of everybody. */
import { type FormerPerson, type HeldPerson, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { type LmsUser, loginsOf, userAt, walkUsers } from '../../canvas/resources/users.ts';
import { integrationSegment, sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { type FormerOwner, otherLogins } from '../../users/former.ts';
import { type Asking, AT_ONCE, FEW } from './ask.ts';

/** People asked about by their integration id: no list shows these. */
const MOST_BY_INTEGRATION_ID = 10 * FEW;

export type Found = Answer<HeldPerson>;

/** How owners of deleted logins are looked for. */
export interface Tracing {
  /** The list of them is read again where it was begun before this moment. */
  since?: number | undefined;
  /** Whether the upload changes ids, so that the list has others. */
  renamed?: boolean;
}

export class PeopleOfLms {
  readonly #asking: Asking;
  readonly #byId = new Map<string, HeldPerson>();
  /** By login in lower case. */
  readonly #byLogin = new Map<string, HeldPerson>();
  /** Logins whose holder the list does not tell for certain. */
  readonly #doubtful = new Set<string>();
  readonly #asked = new Map<string, Found>();
  /** People whose login was deleted, by its SIS ID. */
  readonly #former = new Map<string, FormerPerson>();
  /** Further SIS IDs of people that are those of logins in use. */
  readonly #inUse = new Set<string>();
  /** SIS IDs that no one has now, of which it was found out whether someone had them. */
  readonly #traced = new Set<string>();
  readonly #tracing: Tracing;
  /** Whether the list was read to its end: then who is not in it does not exist. */
  #whole = false;

  constructor(asking: Asking, tracing: Tracing = {}) {
    this.#asking = asking;
    this.#tracing = tracing;
  }

  /** How many people there are; null where they were not all read. */
  get all(): number | null {
    return this.#whole ? this.#count : null;
  }
  #count = 0;

  /**
   * Gets ready for questions about these.
   * @param ids SIS IDs
   * @param logins in lower case
   */
  async prepare(ids: ReadonlySet<string>, logins: ReadonlySet<string>): Promise<void> {
    const questions = ids.size + logins.size;
    if (questions <= FEW || this.#asking.admin.record.perm !== 'ALL') return;
    const wanted = (
      texts: string | null | undefined,
      those: ReadonlySet<string>,
      map: (one: string) => string,
    ) =>
      (texts ?? '')
        .split(',')
        .map(map)
        .filter((one) => those.has(one));
    let every = true;
    const read = await walkUsers(this.#asking, { email: true, deleted: true }, questions, (found) => {
      // Where the LMS does not tell every id, who is not found is asked about.
      if (typeof found.sis_user_ids !== 'string' || typeof found.login_ids !== 'string') every = false;
      // Who has neither is deleted: their ids are free, or bring them back.
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
        // Another login of theirs, or one that was deleted: then it is free.
        else this.#doubtful.add(ownText(each));
      }
    });
    this.#whole = read && every;
  }

  /** People by SIS ID. @throws CanvasError when the token is refused */
  async byId(ids: Iterable<string>): Promise<(sisId: string) => Found> {
    const distinct = [...new Set(ids)];
    await this.#each(
      distinct.filter((sisId) => !this.#whole && !this.#byId.has(sisId)),
      (sisId) => `id ${sisId}`,
      (sisId) => sisSegment('user', sisId),
    );
    await this.#checkOthers(distinct);
    await this.#trace(distinct.filter((sisId) => this.#asked.get(`id ${sisId}`) === 'missing'));
    return (sisId) =>
      this.#byId.get(sisId) ?? (this.#whole ? 'missing' : (this.#asked.get(`id ${sisId}`) ?? 'unread'));
  }

  /** Whether an SIS ID that no one has now may be that of a deleted login whose owner was not found out. */
  mayBeFormer(sisId: string): boolean {
    const owner = this.#former.get(sisId);
    // Of someone who is deleted altogether the LMS shows no enrolments, and takes rows that remove them anyway.
    if (owner) return owner.keeps === null;
    return !this.#whole && !this.#traced.has(sisId);
  }

  /** Whose deleted login had this SIS ID, of those that were asked about. */
  former(sisId: string): FormerPerson | null {
    return this.#former.get(sisId) ?? null;
  }

  /** Finds out whose deleted logins had these SIS IDs; where the list cannot be read, or not be told, that stays open. */
  async #trace(missing: readonly string[]): Promise<void> {
    const { services, admin, signal } = this.#asking;
    const { since, renamed = false } = this.#tracing;
    // The list has the ids from before the upload, and people whom an admin of limited reach may not see.
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

  /** The list shows deleted logins among the others of a person: these SIS IDs mean no one any more. */
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

  /** People by login, in any letter case. @throws like `byId` */
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
        this.#byLogin.get(key) ?? this.#asked.get(`login ${key}`) ?? (this.#whole ? 'missing' : 'unread')
      );
    };
  }

  /** People by integration id, each asked about; beyond a number of them no one is. @throws like `byId` */
  async byIntegrationId(ids: Iterable<string>): Promise<(integrationId: string) => Found> {
    const distinct = [...new Set(ids)].slice(0, MOST_BY_INTEGRATION_ID);
    await this.#each(distinct, (one) => `integration ${one}`, integrationSegment);
    for (const one of distinct) {
      const found = this.#asked.get(`integration ${one}`);
      if (typeof found === 'object' && found.sisUserId !== null) this.#byId.set(found.sisUserId, found);
    }
    return (integrationId) => this.#asked.get(`integration ${integrationId}`) ?? 'unread';
  }

  /**
   * People whose login with an SIS ID was deleted: a row brings it back. The LMS finds them by name, address or another login only,
   * so someone of whom the file says nothing that the LMS knows is taken for new.
   * @param named SIS IDs that no one has now, with what the LMS may find the person by
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

  /** Who has another login beside a deleted one with this SIS ID, of those that were asked about. */
  besides(sisId: string): FormerPerson | null {
    const former = this.former(sisId);
    return former?.keeps == null ? null : former;
  }

  /** Notes a person one of whose logins was deleted. */
  #noteFormer(found: LmsUser, wanted: (sisId: string) => boolean): void {
    for (const { sisId, login } of otherLogins(found)) {
      if (!wanted(sisId)) continue;
      const held = heldAs(found);
      const keeps = found.login_id ?? null;
      // The address of someone who is deleted is not shown, nor is the integration id of a login.
      const email = keeps === null ? undefined : held.email;
      this.#former.set(ownText(sisId), { ...held, login, email, integrationId: undefined, keeps });
    }
  }

  /** People by their number in the LMS, each asked about. @throws like `byId` */
  async byNumber(numbers: Iterable<string>): Promise<(number: string) => Found> {
    const distinct = [...new Set(numbers)].filter((one) => /^[1-9]\d{0,15}$/.test(one));
    await this.#each(
      distinct,
      (one) => `number ${one}`,
      (one) => one,
    );
    return (number) =>
      /^[1-9]\d{0,15}$/.test(number) ? (this.#asked.get(`number ${number}`) ?? 'unread') : 'missing';
  }

  async #each(keys: readonly string[], nameOf: (key: string) => string, segmentOf: (key: string) => string) {
    const open = keys.filter((key) => !this.#asked.has(nameOf(key)));
    await mapLimited(open, AT_ONCE, async (key) => {
      const found = await answered(this.#asking, () => userAt(this.#asking, segmentOf(key)));
      this.#asked.set(nameOf(key), typeof found === 'object' ? heldAs(found) : found);
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
    // What is not shown is not compared.
    email: found.email,
    pronouns: found.pronouns,
    integrationId: found.integration_id,
  };
}
