/** Search by name in the copy: an index in memory finds the ids, and the database returns the people. */

import type { FoundNames } from '@lms-admin/contract/directory';
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { directoryLogins, directoryUsers } from '../platform/schema.ts';
import { type BaseParts, usableBase } from './base.ts';
import { NameIndex } from './name-index.ts';

/** People in one answer. */
const MOST = 100;
/** Matches of each rank that are sorted; a search text with more matches is too short to be useful. */
const MOST_SORTED = 200;
/** Rows read in one statement while the index is built, so that other requests are served in between. */
const AT_ONCE = 1_000;

interface BuiltIndex {
  base: number;
  /** Number of rows in the table, used to notice that someone was erased. */
  users: number;
  names: NameIndex;
}

const collator = new Intl.Collator('en', { sensitivity: 'base' });

/** One instance per process. */
export class NameSearch {
  readonly #parts: BaseParts;
  #built: BuiltIndex | null = null;
  #building: Promise<BuiltIndex> | null = null;

  constructor(parts: BaseParts) {
    this.#parts = parts;
  }

  /**
   * Finds people by part of their name, login or SIS ID. Only people with one login: the LMS decides which of several it
   * shows. Returns null if there is no copy that can be used.
   */
  async find(text: string): Promise<FoundNames | null> {
    const base = await usableBase(this.#parts);
    if (base === null) return null;
    if (text.trim().length < MIN_SEARCH_LENGTH)
      return { as_of: base.startedAt.getTime(), people: [], more: false };
    const { names } = await this.#current(base.number);
    const { first, others, more } = names.find(text, MOST_SORTED);
    const people = [
      ...(await this.#people(first)),
      ...(await this.#people(first.length < MOST ? others : [])),
    ];
    return {
      as_of: base.startedAt.getTime(),
      people: people.slice(0, MOST),
      more: more || first.length + others.length > MOST,
    };
  }

  /** Prepares the index of the copy in use, and drops that of a previous one. */
  async keepCurrent(): Promise<void> {
    const base = await usableBase(this.#parts);
    const { db } = this.#parts.db;
    if (base === null || (this.#built && (await db.$count(directoryUsers)) !== this.#built.users))
      this.#built = null;
    if (base !== null) await this.#current(base.number);
  }

  async #current(base: number): Promise<BuiltIndex> {
    if (this.#built?.base === base) return this.#built;
    this.#built = null;
    this.#building ??= this.#build(base)
      .then((built) => {
        this.#built = built;
        return built;
      })
      .finally(() => {
        this.#building = null;
      });
    return this.#building;
  }

  async #build(base: number): Promise<BuiltIndex> {
    const { db } = this.#parts.db;
    const names = new NameIndex();
    const users = await db.$count(directoryUsers);
    for (let last = 0; ; ) {
      const rows = await db
        .select({
          id: directoryUsers.id,
          name: directoryUsers.name,
          sortableName: directoryUsers.sortableName,
          login: sql<string>`min(${directoryLogins.login})`,
          sisId: sql<string | null>`min(${directoryLogins.sisId})`,
          logins: sql<number>`count(*)::int`,
        })
        .from(directoryUsers)
        .innerJoin(directoryLogins, eq(directoryLogins.userId, directoryUsers.id))
        .where(gt(directoryUsers.id, last))
        .groupBy(directoryUsers.id)
        .orderBy(asc(directoryUsers.id))
        .limit(AT_ONCE);
      for (const row of rows) if (row.logins === 1) names.add(row);
      const end = rows.at(-1);
      if (!end) break;
      last = end.id;
    }
    names.finish();
    return { base, users, names };
  }

  /** Returns the people with these numbers who are still in the copy, by name. */
  async #people(ids: readonly number[]): Promise<FoundNames['people']> {
    if (ids.length === 0) return [];
    const rows = await this.#parts.db.db
      .select({
        id: directoryUsers.id,
        name: directoryUsers.name,
        sortableName: directoryUsers.sortableName,
        login_id: directoryLogins.login,
        sis_user_id: directoryLogins.sisId,
      })
      .from(directoryUsers)
      .innerJoin(directoryLogins, eq(directoryLogins.userId, directoryUsers.id))
      .where(inArray(directoryUsers.id, [...ids]));
    return rows
      .toSorted((a, b) => collator.compare(a.sortableName, b.sortableName) || a.id - b.id)
      .map(({ id, name, login_id, sis_user_id }) => ({ id, name, login_id, sis_user_id, created_at: null }));
  }
}
