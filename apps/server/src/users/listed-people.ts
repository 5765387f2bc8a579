/** People of a bulk lookup who are taken from the LMS's list of everybody, where that saves calls. */
import { emailKey } from '@lms-admin/domain/emails';
import type { Reader } from '../canvas/resources/reading.ts';
import type { LmsUser } from '../canvas/resources/users.ts';
import { Turns } from '../platform/turns.ts';
import type { PeopleList } from './people-list.ts';

/** Below so many lookups the list is not considered: they take a few round trips. */
const MIN_LOOKUPS = 200;
/** Looked up singly while the LMS is asked how long its list is. */
const MEANWHILE = 8;
/** What the LMS certainly compares as we do: other letters have two ways to be written, or of lower case. */
const PLAIN = /^[\x21-\x7e]{3,}$/;

/** What people are looked up by, and how the list answers that. */
export interface ListedBy {
  name: string;
  /** The form in which a text is compared. */
  normal: (asked: string) => string;
  /** By which text a row is someone's, in that form. */
  textOf: (row: LmsUser) => string | null;
  /** Whether a lookup of that text would certainly show this person: nothing of them is hidden, or in two places. */
  isCertain: (row: LmsUser) => boolean;
  /** Whether several people can have the same text: then only the whole list tells that they do not. */
  canBeShared: boolean;
}

const isShown = ({ login_id, sis_user_id }: LmsUser) => login_id !== null && sis_user_id !== null;

/** The search passes over suspended logins, and does not over addresses: who has the login as their address is found by it. */
export const BY_LOGIN: ListedBy = {
  name: 'login',
  normal: (asked) => asked.toLowerCase(),
  textOf: ({ login_id }) => (login_id === null ? null : emailKey(login_id)),
  isCertain: (row) =>
    isShown(row) &&
    PLAIN.test(row.login_id ?? '') &&
    row.email?.toLowerCase() === row.login_id?.toLowerCase(),
  canBeShared: true,
};
export const BY_SIS_ID: ListedBy = {
  name: 'sis',
  normal: (asked) => asked,
  textOf: ({ sis_user_id }) => sis_user_id,
  isCertain: isShown,
  canBeShared: false,
};
export const BY_NUMBER: ListedBy = {
  name: 'number',
  normal: (asked) => asked,
  textOf: ({ id }) => String(id),
  isCertain: isShown,
  canBeShared: false,
};

interface Lookups {
  by: ListedBy;
  /** Those still to be looked up, when the first of them is. */
  open: () => Iterable<string>;
}

/** The people of one bulk lookup. */
export class ListedPeople {
  readonly #list: PeopleList;
  readonly #reader: Reader;
  readonly #lookups: Lookups;
  readonly #stop = new AbortController();
  readonly #turns = new Turns();
  #reading: Promise<ReadonlyMap<string, LmsUser>> | null = null;
  #meanwhile = 0;

  constructor(list: PeopleList, reader: Reader, lookups: Lookups) {
    this.#list = list;
    const { signal } = this.#stop;
    this.#reader = { ...reader, signal: reader.signal ? AbortSignal.any([reader.signal, signal]) : signal };
    this.#lookups = lookups;
  }

  /** The person of whom the list is certain; null for those who have to be looked up. @throws like `PeopleList.read` */
  async person(asked: string): Promise<LmsUser | null> {
    if (this.#reading === null) {
      this.#reading = this.#read();
      // Thrown to those who wait for it.
      this.#reading.catch(() => undefined);
    }
    if (this.#meanwhile++ < MEANWHILE) return null;
    const found = await this.#reading;
    await this.#turns.pass();
    return found.get(this.#lookups.by.normal(asked)) ?? null;
  }

  /** No one else is to be found: what is being read ends. */
  stop(): void {
    this.#stop.abort(new DOMException('the lookups have ended', 'AbortError'));
  }

  async #read(): Promise<ReadonlyMap<string, LmsUser>> {
    const { by, open } = this.#lookups;
    const wanted = new Set<string>();
    for (const asked of open()) if (PLAIN.test(asked)) wanted.add(by.normal(asked));
    const found = new Map<string, LmsUser>();
    if (wanted.size < MIN_LOOKUPS) return found;
    const shared = new Set<string>();
    const take = (row: LmsUser) => {
      const text = by.textOf(row);
      if (text === null || !wanted.has(text)) return;
      const other = found.get(text);
      if (other !== undefined && other.id !== row.id) shared.add(text);
      found.set(text, row);
    };
    const isWhole = await this.#list.read(
      this.#reader,
      `${this.#reader.token.bucket} ${by.name}`,
      wanted.size,
      (rows) => {
        for (const row of rows) take(row);
        return rows.some(by.isCertain);
      },
    );
    for (const [text, row] of found) if (shared.has(text) || !by.isCertain(row)) found.delete(text);
    if (by.canBeShared && !isWhole) found.clear();
    return found;
  }
}
