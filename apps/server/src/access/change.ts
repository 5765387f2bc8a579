/** Changing records: one change after the other, whichever server or command asks, and never one that locks everyone out. */
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
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** Who asks for a change; `person` is null for an operator at the machine. */
export interface ChangedBy extends WrittenBy {
  person: string | null;
  kind?: HistoryKind;
  /** Logins of access administrators that the LMS does not have, by `loginKey`. */
  missing?: ReadonlySet<string>;
}

export type Stored = ReadonlyMap<string, StoredRecord>;

/** What is done within the lock: all records as they are. */
export type Within<T> = (tx: Db, before: Stored) => Promise<T>;

/** Holds up every other change of access meanwhile. @throws AppError before the first start */
export function withinLock<T>({ db }: Pick<ChangeParts, 'db'>, act: Within<T>): Promise<T> {
  return db.transaction(async (tx) => {
    if ((await lockAccess(tx)) === null)
      throw new AppError('conflict', {
        message: 'Access is not in the database.',
        next: 'It is read from LMS_ADMIN_ACCESS at the first start, unless ACCESS_SOURCE is file.',
      });
    return act(tx, await readEntries(tx));
  });
}

/**
 * Writes records as they should be, within the lock.
 * @returns how many became different
 * @throws AppError where the change is refused: nothing is written then
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
 * Why records may not become others; null: they may. Of the access administrators that are left, only those count who have
 * signed in and whom the LMS has.
 * @param missing logins that the LMS does not have; one that it was not asked about counts by its sign-ins
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

/** All records as they would be. */
export function afterChange(before: Stored, wanted: readonly AccessRecord[]): Map<string, AccessRecord> {
  const after = new Map<string, AccessRecord>(before);
  for (const record of wanted) after.set(loginKey(record.login), record);
  return after;
}
