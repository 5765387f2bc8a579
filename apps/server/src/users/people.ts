/** Bulk lookups of people: by email address (OP-45, OP-48), by SIS ID (OP-50, OP-55) and by login (OP-57). */
import type { WhyThere } from '@lms-admin/contract/enrollments';
import type { LookedUpPerson } from '@lms-admin/contract/people';
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { emailKey } from '@lms-admin/domain/emails';
import { LRUCache } from 'lru-cache';
import type { Admin } from '../auth/admin.ts';
import { type LmsUser, userAt, users } from '../canvas/resources/users.ts';
import { integrationSegment, sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { type FormerOwner, FormerPeople } from './former.ts';
import { BY_LOGIN, BY_NUMBER, BY_SIS_ID, type ListedBy, ListedPeople } from './listed-people.ts';
import { PeopleList } from './people-list.ts';

export interface FoundPerson {
  /** Id in the LMS. */
  id: number;
  name: string;
  login: string | null;
  sisUserId: string;
  /** Set if the person is from the directory's copy and the LMS was not asked. */
  copied?: true;
}

/** A person who is in the LMS but cannot be enrolled by their email address. */
export interface Unreachable {
  why: WhyThere;
  /** The person, if exactly one has this login. */
  person: LookedUpPerson | null;
}

/** A deleted person in the LMS: a row with their former SIS ID restores them. */
export interface Deleted {
  deleted: LookedUpPerson;
}

/** Result of a lookup: the person, `not-found`, or `failed`, which says nothing about the person. */
export type Lookup<P> = P | 'not-found' | 'failed';

export interface LookupOptions<P> {
  signal: AbortSignal;
  /** Called after each lookup. */
  onResult?: (result: Lookup<P>, value: string) => void;
  /** Set right before sending: nothing is answered from the cache. */
  fresh?: boolean;
}

/**
 * Milliseconds for which found people are cached. Others are looked up again, because they may have been created since.
 */
const KNOWN_MS = 300_000;
/** Maximum number of people in the cache. */
const MAX_KNOWN = 200_000;
/** Lookups passed to the client together; the client decides how many are in flight. */
const AT_ONCE = 64;

/** Returns the cached fields of a person, without those that are never needed. */
function lookedUp({ id, name, login_id, sis_user_id, created_at }: LmsUser): LookedUpPerson {
  // Only the result of an import needs the time of creation.
  return { id, name, login_id, sis_user_id, ...(created_at == null ? {} : { created_at }) };
}

/** Returns the key of a remembered result: results depend on the permissions of the token, so tokens share nothing. */
function memoryKey({ bucket }: CanvasToken, name: string): string {
  return `${bucket}\n${name}`;
}

/** People who match a search for an email address. */
interface Matches {
  byLogin: LookedUpPerson[];
  byMail: LookedUpPerson[];
}

/** Looks people up and caches those found for a short time. One for each process. */
export class People {
  readonly #canvas: CanvasClient;
  readonly #former: FormerPeople;
  readonly #list = new PeopleList();
  readonly #known = new LRUCache<string, LookedUpPerson>({
    // With `max`, memory for all entries would be allocated at the start.
    maxSize: MAX_KNOWN,
    sizeCalculation: () => 1,
    ttl: KNOWN_MS,
  });

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
    this.#former = new FormerPeople(canvas);
  }

  /** Finds the former owner of an unused SIS ID. @throws like `FormerPeople.withSisId` */
  formerOwner(
    admin: Admin,
    sisId: string,
    options: { signal: AbortSignal; since?: number | undefined },
  ): Promise<FormerOwner | null> {
    return this.#former.owner(admin, sisId, options);
  }

  /** Clears the cache when the LMS changes. */
  forgetAll(): void {
    this.forgetFound();
    this.#former.forgetAll();
    this.#list.forgetAll();
  }

  /** Forgets found people: SIS IDs have changed owners, and other cached data may be out of date too. */
  forgetFound(): void {
    this.#known.clear();
  }

  /**
   * Finds people who can be enrolled, by email address, in the given order: exactly one person must have that login,
   * and they need an SIS ID (OP-45). For other people in the LMS, tells why they cannot be enrolled.
   * @throws the signal's reason, or CanvasError when a token is refused: no other lookup would succeed either
   */
  byEmail(
    admin: Admin,
    emails: readonly string[],
    options: LookupOptions<FoundPerson | Unreachable>,
  ): Promise<Lookup<FoundPerson | Unreachable>[]> {
    const nameOf = (email: string) => `email ${emailKey(email)}`;
    const listed = this.#listed(admin, { by: BY_LOGIN, keys: emails, nameOf }, options);
    return this.#each(emails, { ...options, listed }, async (email) => {
      let why: Unreachable | 'not-found' = 'not-found';
      const ask = async () => {
        const shown = await listed.person(email);
        if (shown !== null) return lookedUp(shown);
        const matches = await this.#search(admin, email, options.signal);
        const [only, ...others] = matches.byLogin;
        if (others.length === 0 && only?.sis_user_id) return only;
        why = await this.#whyThere(admin, email, matches, options.signal);
        return null;
      };
      const result = options.fresh ? await ask() : await this.#recall(admin, nameOf(email), ask);
      if (!result?.sis_user_id) return why;
      return { id: result.id, name: result.name, login: result.login_id, sisUserId: result.sis_user_id };
    });
  }

  /** Returns why a person with the login cannot be enrolled. */
  async #whyThere(
    admin: Admin,
    email: string,
    { byLogin, byMail }: Matches,
    signal: AbortSignal,
  ): Promise<Unreachable | 'not-found'> {
    const [only = null] = byLogin;
    if (byLogin.length > 1) return { why: 'several', person: null };
    if (only !== null) return { why: 'no-sis-id', person: only };
    // The search shows one login of each person and skips suspended ones.
    const person = await this.#one(admin, sisSegment('login', email), signal);
    const [mailed = null, ...others] = byMail;
    if (person === null)
      return mailed === null
        ? 'not-found'
        : { why: 'mail-address', person: others.length === 0 ? mailed : null };
    return { why: person.sis_user_id ? 'another-login' : 'no-sis-id', person };
  }

  /** Finds people by SIS ID, in the given order. @throws like `byEmail` */
  bySisId(
    admin: Admin,
    sisIds: readonly string[],
    options: LookupOptions<LookedUpPerson>,
  ): Promise<Lookup<LookedUpPerson>[]> {
    const nameOf = (sisId: string) => `sis ${sisId}`;
    const listed = this.#listed(admin, { by: BY_SIS_ID, keys: sisIds, nameOf }, options);
    return this.#each(sisIds, { ...options, listed }, async (sisId) => {
      const ask = async () => {
        const shown = await listed.person(sisId);
        return shown ? lookedUp(shown) : this.#one(admin, sisSegment('user', sisId), options.signal);
      };
      const person = options.fresh ? await ask() : await this.#recall(admin, nameOf(sisId), ask);
      return person ?? 'not-found';
    });
  }

  /** Finds people by their number in the LMS, in the given order; never from the cache. @throws like `byEmail` */
  byNumber(
    admin: Admin,
    numbers: readonly string[],
    options: LookupOptions<LookedUpPerson>,
  ): Promise<Lookup<LookedUpPerson>[]> {
    const listed = this.#listed(admin, { by: BY_NUMBER, keys: numbers }, options);
    return this.#each(numbers, { ...options, listed }, async (number) => {
      const shown = await listed.person(number);
      return shown ? lookedUp(shown) : ((await this.#one(admin, number, options.signal)) ?? 'not-found');
    });
  }

  /**
   * Tells whether people can be created with these SIS IDs, in the given order: `not-found` only if neither an existing
   * nor a deleted person has the id.
   * @param options with `integration` the people's integration ids will be the same, so these must be free too
   * @throws like `byEmail`
   */
  byNewId(
    admin: Admin,
    sisIds: readonly string[],
    options: LookupOptions<LookedUpPerson | Deleted> & { integration?: boolean },
  ): Promise<Lookup<LookedUpPerson | Deleted>[]> {
    const { signal, fresh, integration = false } = options;
    const since = fresh ? Date.now() : undefined;
    // If the list of all people cannot be read, it is not tried again for each person.
    let failure: unknown = null;
    return this.#each(sisIds, options, async (sisId) => {
      const ask = () => this.#one(admin, sisSegment('user', sisId), signal);
      const person = fresh ? await ask() : await this.#recall(admin, `sis ${sisId}`, ask);
      const holder =
        person ?? (integration ? await this.#one(admin, integrationSegment(sisId), signal) : null);
      if (holder !== null) return holder;
      if (failure !== null) throw failure;
      const deleted = await this.#former
        .withSisId(admin, sisId, { signal, since })
        .catch((error: unknown) => {
          failure = error;
          throw error;
        });
      return deleted === null ? 'not-found' : { deleted };
    });
  }

  /**
   * Finds people with these logins, with or without an SIS ID, in the given order, to decide whether a person can be
   * created. The search shows one login of each person and skips suspended ones, so people it does not find are also
   * requested by login. Never from the cache.
   * @param options with `expected` most are expected to exist, so that reading the list of all people is worthwhile
   * @throws like `byEmail`
   */
  byLogin(
    admin: Admin,
    logins: readonly string[],
    options: LookupOptions<LookedUpPerson> & { expected?: boolean },
  ): Promise<Lookup<LookedUpPerson>[]> {
    const listed = options.expected && this.#listed(admin, { by: BY_LOGIN, keys: logins }, options);
    return this.#each(logins, { ...options, ...(listed && { listed }) }, async (login) => {
      const shown = listed ? await listed.person(login) : null;
      if (shown !== null) return lookedUp(shown);
      if (login.length >= MIN_SEARCH_LENGTH) {
        const { byLogin } = await this.#search(admin, login, options.signal);
        if (byLogin[0]) return byLogin[0];
      }
      return (await this.#one(admin, sisSegment('login', login), options.signal)) ?? 'not-found';
    });
  }

  /** Reads the list of all people, for keys that are not cached. */
  #listed(
    { token }: Admin,
    { by, keys, nameOf }: { by: ListedBy; keys: readonly string[]; nameOf?: (key: string) => string },
    { signal, fresh = false }: Pick<LookupOptions<never>, 'signal' | 'fresh'>,
  ): ListedPeople {
    const isKnown = (key: string) =>
      !fresh && nameOf !== undefined && this.#known.has(memoryKey(token, nameOf(key)));
    const open = () => keys.filter((key) => !isKnown(key));
    return new ListedPeople(this.#list, { canvas: this.#canvas, token, signal }, { by, open });
  }

  #each<P>(
    keys: readonly string[],
    { signal, onResult, listed }: LookupOptions<P> & { listed?: ListedPeople },
    ask: (key: string) => Promise<P | 'not-found'>,
  ): Promise<Lookup<P>[]> {
    const looked = mapLimited(keys, AT_ONCE, async (key): Promise<Lookup<P>> => {
      let result: Lookup<P>;
      try {
        result = await ask(key);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof CanvasError) || error.ofToken) throw error;
        result = 'failed';
      }
      onResult?.(result, key);
      return result;
    });
    return looked.finally(() => listed?.stop());
  }

  /**
   * Returns the people whose login or email address equals this one, in any letter case; the search also finds longer
   * ones.
   */
  async #search(admin: Admin, address: string, signal: AbortSignal): Promise<Matches> {
    const found: LmsUser[] = [];
    const reader = { canvas: this.#canvas, token: admin.token, signal };
    for await (const { data } of users(reader, { search: address, email: true })) found.push(...data);
    const wanted = emailKey(address);
    const having = (of: (one: LmsUser) => string | null | undefined) =>
      found.filter((one) => emailKey(of(one) ?? '') === wanted).map(lookedUp);
    return { byLogin: having(({ login_id }) => login_id), byMail: having(({ email }) => email) };
  }

  async #one(admin: Admin, segment: string, signal: AbortSignal): Promise<LookedUpPerson | null> {
    try {
      return lookedUp(await userAt({ canvas: this.#canvas, token: admin.token, signal }, segment));
    } catch (error) {
      if (error instanceof CanvasError && error.kind === 'not-found') return null;
      throw error;
    }
  }

  async #recall(admin: Admin, name: string, ask: () => Promise<LookedUpPerson | null>) {
    const key = memoryKey(admin.token, name);
    const known = this.#known.get(key);
    if (known) return known;
    const person = await ask();
    if (person) this.#known.set(key, person);
    return person;
  }
}
