/**
 * People in the copy by login and by SIS ID. They are only a hint: what is sent must be checked in the LMS. Uncertain
 * matches are not returned, so that the caller looks these people up in the LMS.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { eq, inArray, sql } from 'drizzle-orm';
import { CanvasError, type CanvasToken } from '../canvas/types.ts';
import { directoryLogins, directoryUsers } from '../platform/schema.ts';
import { type Base, type BaseParts, usableBase } from './base.ts';

/** A person in the copy who has only one login. */
export interface CopiedPerson {
  id: number;
  name: string;
  login: string;
  sisId: string;
}

/**
 * People in the copy by the text that they were requested by, and the age of the copy; null if no person in the copy
 * can be used.
 */
export interface Copied {
  people: ReadonlyMap<string, CopiedPerson>;
  /** When the LMS started the report. Milliseconds since 1970. */
  asOf: number;
}

interface CopiedPeopleParts extends BaseParts {
  /** Returns whether imports may have changed people since then. @throws CanvasError; DOMException */
  changedSince(token: CanvasToken, of: { lms: string; since: Date }): Promise<boolean>;
}

/** Keys in one statement. */
const AT_ONCE = 1_000;
/** Texts that the LMS compares exactly as the database does. */
const PLAIN = /^[\x21-\x7e]{3,}$/;
/** Milliseconds for which the LMS is not asked again about imports. */
const KEPT_MS = 60_000;

/** One instance per process. */
export class CopiedPeople {
  readonly #parts: CopiedPeopleParts;
  #touched: { base: number; at: number; result: Promise<boolean> } | null = null;

  constructor(parts: CopiedPeopleParts) {
    this.#parts = parts;
  }

  /**
   * Finds people by their login, which is also their email address.
   * @throws the signal's reason
   */
  byEmail(token: CanvasToken, emails: readonly string[], signal: AbortSignal): Promise<Copied | null> {
    return this.#find(token, emails, signal, {
      normal: emailKey,
      column: sql`lower(${directoryLogins.login})`,
      isOf: ({ login, email }, key) => emailKey(login) === key && email !== null && emailKey(email) === key,
    });
  }

  /** Finds people by SIS ID. @throws the signal's reason */
  bySisId(token: CanvasToken, sisIds: readonly string[], signal: AbortSignal): Promise<Copied | null> {
    return this.#find(token, sisIds, signal, {
      normal: (sisId) => sisId,
      column: sql`${directoryLogins.sisId}`,
      isOf: ({ sisId }, key) => sisId === key,
    });
  }

  /** Removes people from the copy whose data differs in the LMS. The next report contains them again. */
  async forget(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const { db } = this.#parts.db;
    await db.transaction(async (tx) => {
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const some = ids.slice(at, at + AT_ONCE);
        // In the same order in which replacing the copy locks the tables.
        await tx.delete(directoryUsers).where(inArray(directoryUsers.id, some));
        await tx.delete(directoryLogins).where(inArray(directoryLogins.userId, some));
      }
    });
  }

  async #find(
    token: CanvasToken,
    texts: readonly string[],
    signal: AbortSignal,
    by: {
      normal: (text: string) => string;
      column: ReturnType<typeof sql>;
      isOf: (row: { login: string; sisId: string | null; email: string | null }, key: string) => boolean;
    },
  ): Promise<Copied | null> {
    const keys = [...new Set(texts.filter((text) => PLAIN.test(text)).map(by.normal))];
    const base = keys.length === 0 ? null : await usableBase(this.#parts);
    if (!base?.isRecent || (await this.#isTouched(token, base, signal))) return null;
    const found = new Map<string, CopiedPerson | null>();
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      signal.throwIfAborted();
      // People first, in the same order in which replacing the copy locks the tables: otherwise each could wait for the other.
      const rows = await this.#parts.db.db
        .select({
          key: sql<string>`${by.column}`,
          id: directoryUsers.id,
          name: directoryUsers.name,
          email: directoryUsers.email,
          login: directoryLogins.login,
          sisId: directoryLogins.sisId,
          logins: sql<number>`(select count(*)::int from directory_logins own where own.user_id = ${directoryUsers.id})`,
        })
        .from(directoryUsers)
        .innerJoin(directoryLogins, eq(directoryLogins.userId, directoryUsers.id))
        .where(inArray(by.column, keys.slice(at, at + AT_ONCE)));
      for (const { key, logins, email, ...row } of rows) {
        const { id, name, login, sisId } = row;
        const isCertain = logins === 1 && !found.has(key) && by.isOf({ ...row, email }, key);
        found.set(key, isCertain && sisId ? { id, name, login, sisId } : null);
      }
    }
    const people = new Map<string, CopiedPerson>();
    for (const text of texts) {
      const person = PLAIN.test(text) ? found.get(by.normal(text)) : null;
      if (person) people.set(text, person);
    }
    return { people, asOf: base.startedAt.getTime() };
  }

  /** Returns whether an import has changed people since the report, or may have. */
  async #isTouched(token: CanvasToken, base: Base, signal: AbortSignal): Promise<boolean> {
    const at = this.#parts.now();
    if (this.#touched?.base !== base.number || at - this.#touched.at > KEPT_MS) {
      const { lms, startedAt: since } = base;
      const result = this.#parts.changedSince(token, { lms, since }).catch((error: unknown) => {
        // If the LMS does not answer about its imports, a change cannot be ruled out.
        if (!(error instanceof CanvasError) && !(error instanceof DOMException)) throw error;
        return true;
      });
      // The failure is thrown to the callers that await the result.
      result.catch(() => undefined);
      this.#touched = { base: base.number, at, result };
    }
    const touched = await this.#touched.result;
    signal.throwIfAborted();
    return touched;
  }
}
