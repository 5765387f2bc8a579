/** Access records as the guards read them, from the database or from the access file alone. */
import type { AccessRecord } from '@lms-admin/contract/access';
import type { SubAccount } from '@lms-admin/contract/session';
import { activeRecord, type Entries, loginKey } from '@lms-admin/domain/access-records';
import type { FindRecord } from '../auth/admin.ts';
import type { Db } from '../platform/database.ts';
import { accessState } from '../platform/schema.ts';
import { readEntries } from './table.ts';

export interface AccessRecords extends FindRecord {
  /** `file` if only the access file changes them. */
  readonly source: 'database' | 'file';
  /** Number of records. */
  readonly size: number;
  /** All records by `loginKey`, including disabled and expired ones. */
  readonly entries: Entries<SubAccount>;
  /** Reads changes immediately. */
  reread(): Promise<void>;
  /** Reads changes repeatedly, for code that cannot wait for a query. @returns a function that stops it */
  watch(): () => void;
}

/**
 * Milliseconds for which cached records are trusted; a change by another server is seen after this time plus one
 * query.
 */
const GOOD_MS = 1_000;
const WATCH_MS = 2_000;

/** Records of the access file, which is only read at startup. */
export function fileRecords(records: readonly AccessRecord[], now: () => number): AccessRecords {
  return new Records('file', now, keyed(records), null);
}

/** Records of the database. */
export async function databaseRecords(db: Db, now: () => number): Promise<AccessRecords> {
  const records = new Records('database', now, new Map(), db);
  await records.reread();
  return records;
}

export function keyed(records: readonly AccessRecord[]): Map<string, AccessRecord> {
  return new Map(records.map((record) => [loginKey(record.login), record]));
}

class Records implements AccessRecords {
  readonly source: 'database' | 'file';
  readonly #now: () => number;
  readonly #db: Db | null;
  #entries: Entries<SubAccount>;
  #version = -1;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(source: 'database' | 'file', now: () => number, entries: Entries<SubAccount>, db: Db | null) {
    this.source = source;
    this.#now = now;
    this.#entries = entries;
    this.#db = db;
  }

  get size(): number {
    return this.#entries.size;
  }

  get entries(): Entries<SubAccount> {
    return this.#entries;
  }

  find(login: string): SubAccount | null {
    return activeRecord(this.#entries.get(loginKey(login)), this.#now());
  }

  until(login: string): string | null {
    return this.#entries.get(loginKey(login))?.expires_at ?? null;
  }

  // Uses its own clock, because tests may move the clock of sessions.
  async fresh(): Promise<void> {
    if (performance.now() - this.#readAt >= GOOD_MS) await this.#read();
  }

  async reread(): Promise<void> {
    // A read that is under way may have started before the change.
    await this.#reading?.catch(() => undefined);
    await this.#read();
  }

  watch(): () => void {
    if (this.#db === null) return () => {};
    const timer = setInterval(() => void this.fresh().catch(() => undefined), WATCH_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  #read(): Promise<void> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #load(): Promise<void> {
    if (this.#db === null) return;
    const began = performance.now();
    const [state] = await this.#db.select({ version: accessState.version }).from(accessState);
    const version = state?.version ?? 0;
    if (version !== this.#version) {
      this.#entries = await readEntries(this.#db);
      this.#version = version;
    }
    this.#readAt = began;
  }
}
