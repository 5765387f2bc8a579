/** Changes to access records: one at a time across all servers and commands, and never one that locks everyone out. */
import type { AccessRecord } from '@lms-admin/contract/access';
import {
  adminKeys,
  type CanSignIn,
  type ChangeRefusal,
  loginKey,
  refusedChange,
} from '@lms-admin/domain/access-records';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { cookieProblem } from './file.ts';
import { refusalError } from './refusals.ts';
import { whoSignedIn } from './sign-ins.ts';
import {
  type HistoryKind,
  isSame,
  kindOfChange,
  lockAccess,
  plain,
  readEntries,
  type StoredRecord,
  type WrittenBy,
  writeRecords,
} from './table.ts';

export interface ChangeParts {
  db: Db;
  audit: Audit;
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

/** The author of a change; `person` is null for an operator at the machine. */
export interface ChangedBy extends WrittenBy {
  person: string | null;
  kind?: HistoryKind;
  /** Logins of access administrators that the LMS does not have, by `loginKey`. */
  missing?: ReadonlySet<string>;
}

export type Stored = ReadonlyMap<string, StoredRecord>;

/** Work done within the lock, given all current records. */
export type Within<T> = (tx: Db, before: Stored) => Promise<T>;

/** Runs work while other access changes wait. @throws AppError before the first start */
export function withinLock<T>({ db }: Pick<ChangeParts, 'db'>, act: Within<T>): Promise<T> {
  return db.transaction(async (tx) => {
    if ((await lockAccess(tx)) === null)
      throw new AppError('conflict', {
        message: 'The database contains no access records.',
        next: 'LMS Admin reads them from LMS_ADMIN_ACCESS at the first start, unless ACCESS_SOURCE is file.',
      });
    return act(tx, await readEntries(tx));
  });
}

/**
 * Writes the wanted records within the lock.
 * @returns how many records changed
 * @throws AppError if the change is refused: nothing is written then
 */
export async function writeChange(
  { audit, now }: ChangeParts,
  tx: Db,
  before: Stored,
  wanted: readonly AccessRecord[],
  by: ChangedBy,
): Promise<number> {
  const written = wanted.flatMap((given) => {
    const after = plain(given);
    const former = before.get(loginKey(after.login)) ?? null;
    if (former && isSame(former, after)) return [];
    return [{ before: former, after, kind: by.kind ?? kindOfChange(former, after) }];
  });
  const refusal = await refusalOf(tx, before, wanted, by.person, now(), by.missing);
  if (refusal !== null) throw refusalError(refusal);
  for (const { after } of written) {
    const tooLong = cookieProblem(after);
    if (tooLong !== null)
      throw new AppError('bad-request', { message: `The record of ${after.login} ${tooLong}.` });
  }
  if (written.length > 0) await writeRecords(tx, audit, written, by);
  return written.length;
}

/**
 * Returns why a change of records is refused, or null. Remaining access administrators count only if they have signed
 * in and exist in the LMS.
 * @param missing logins that the LMS does not have; a login that was not looked up counts by its sign-ins
 */
export async function refusalOf(
  db: Db,
  before: Stored,
  wanted: readonly AccessRecord[],
  by: string | null,
  now: number,
  missing: ReadonlySet<string> = new Set(),
): Promise<ChangeRefusal | null> {
  const after = afterChange(before, wanted);
  const signedIn = await whoSignedIn(db, [...new Set([...adminKeys(before, now), ...adminKeys(after, now)])]);
  const canSignIn: CanSignIn = (key) => signedIn(key) && !missing.has(key);
  return refusedChange(before, after, by, now, canSignIn);
}

/** Returns all records as they would be after the change. */
export function afterChange(before: Stored, wanted: readonly AccessRecord[]): Map<string, AccessRecord> {
  const after = new Map<string, AccessRecord>(before);
  for (const record of wanted) after.set(loginKey(record.login), record);
  return after;
}
