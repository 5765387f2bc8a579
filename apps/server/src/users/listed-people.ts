/** People of a bulk lookup, taken from the LMS's list of all people if that saves calls. */
import { emailKey } from '@lms-admin/domain/emails';
import type { Reader } from '../canvas/resources/reading.ts';
import type { LmsUser } from '../canvas/resources/users.ts';
import { Turns } from '../platform/turns.ts';
import type { PeopleList } from './people-list.ts';

/** Fewer lookups are done directly: they take only a few round trips. */
const MIN_LOOKUPS = 200;
/** People looked up individually while the length of the list is being determined. */
const MEANWHILE = 8;
/** Texts that the LMS compares exactly as LMS Admin does: other characters have several forms. */
const PLAIN = /^[\x21-\x7e]{3,}$/;

/** The key of a lookup, and how the list provides it. */
export interface ListedBy {
  name: string;
  /** Normalises a text for comparison. */
  normal: (value: string) => string;
  /** The normalised key of a list row. */
  textOf: (row: LmsUser) => string | null;
  /** Whether a direct lookup would certainly return this person: nothing hidden, and no second match. */
  isCertain: (row: LmsUser) => boolean;
  /** Whether several people can share the text: then only the whole list can exclude that. */
  canBeShared: boolean;
}

const isShown = ({ login_id, sis_user_id }: LmsUser) => login_id !== null && sis_user_id !== null;

/** The search skips suspended logins, and also finds people who have the login as their email address. */
export const BY_LOGIN: ListedBy = {
  name: 'login',
  normal: (value) => value.toLowerCase(),
  textOf: ({ login_id }) => (login_id === null ? null : emailKey(login_id)),
  isCertain: (row) =>
    isShown(row) &&
    PLAIN.test(row.login_id ?? '') &&
    row.email?.toLowerCase() === row.login_id?.toLowerCase(),
  canBeShared: true,
};
export const BY_SIS_ID: ListedBy = {
  name: 'sis',
  normal: (value) => value,
  textOf: ({ sis_user_id }) => sis_user_id,
  isCertain: isShown,
  canBeShared: false,
};
export const BY_NUMBER: ListedBy = {
  name: 'number',
  normal: (value) => value,
  textOf: ({ id }) => String(id),
  isCertain: isShown,
  canBeShared: false,
};

interface Lookups {
  by: ListedBy;
  /** Lookups that remain when the first one starts. */
  open: () => Iterable<string>;
}

/** The people in one bulk lookup. */
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

  /** Returns the person, if the list is certain; null if a direct lookup is needed. @throws like `PeopleList.read` */
  async person(value: string): Promise<LmsUser | null> {
    if (this.#reading === null) {
      this.#reading = this.#read();
      // The failure is thrown to its callers.
      this.#reading.catch(() => undefined);
    }
    if (this.#meanwhile++ < MEANWHILE) return null;
    const found = await this.#reading;
    await this.#turns.pass();
    return found.get(this.#lookups.by.normal(value)) ?? null;
  }

  /** Stops the reading once everyone has been found. */
  stop(): void {
    this.#stop.abort(new DOMException('the lookups have ended', 'AbortError'));
  }

  async #read(): Promise<ReadonlyMap<string, LmsUser>> {
    const { by, open } = this.#lookups;
    const wanted = new Set<string>();
    for (const value of open()) if (PLAIN.test(value)) wanted.add(by.normal(value));
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
