/** Access records in the database, with their history. Changes are written one at a time across all servers. */
import type { AccessRecord } from '@lms-admin/contract/access';
import { subAccount } from '@lms-admin/contract/session';
import { loginKey } from '@lms-admin/domain/access-records';
import { eq, sql } from 'drizzle-orm';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { accessHistory, accessRecords, accessState } from '../platform/schema.ts';

/** A record with the columns that the table adds. */
export interface StoredRecord extends AccessRecord {
  version: number;
  updatedAt: Date;
  updatedBy: string;
}

/** Key of the only row in `access_state`. */
const STATE = 1;

/** Rows per statement. */
const AT_ONCE = 500;

export async function readEntries(db: Db): Promise<Map<string, StoredRecord>> {
  const rows = await db.select().from(accessRecords).orderBy(accessRecords.key);
  return new Map(rows.map((row) => [row.key, storedOf(row)]));
}

function storedOf(row: typeof accessRecords.$inferSelect): StoredRecord {
  return {
    login: row.login,
    // Fields newer than the row get their defaults; all fields get the order of the schema.
    record: subAccount.parse(row.record),
    reason: row.reason,
    expires_at: row.expiresAt?.toISOString() ?? null,
    disabled: row.disabled,
    version: row.version,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
  };
}

/** Returns the record without the table's columns. */
export function plain({ login, record, reason, expires_at, disabled }: AccessRecord): AccessRecord {
  return { login, record, reason, expires_at, disabled };
}

/** Makes other access changes wait until the transaction ends. @returns when the file was imported */
export async function lockAccess(tx: Db): Promise<Date | null> {
  await tx.insert(accessState).values({ id: STATE }).onConflictDoNothing();
  const [state] = await tx.select().from(accessState).where(eq(accessState.id, STATE)).for('update');
  return state?.importedAt ?? null;
}

export type HistoryKind = 'import' | 'add' | 'change' | 'disable' | 'enable' | 'grant';

export interface Written {
  before: StoredRecord | null;
  after: AccessRecord;
  kind: HistoryKind;
}

export interface WrittenBy {
  login: string;
  why: string;
  approvedBy?: string | null;
  requestId?: string | null;
}

/** Writes records with their history and audit, within the lock of `lockAccess`. */
export async function writeRecords(
  tx: Db,
  audit: Audit,
  written: readonly Written[],
  by: WrittenBy,
): Promise<void> {
  const rows = written.map(({ after }) => ({
    key: loginKey(after.login),
    login: after.login,
    record: after.record,
    reason: after.reason,
    expiresAt: after.expires_at === null ? null : new Date(after.expires_at),
    disabled: after.disabled,
    updatedBy: by.login,
  }));
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await tx
      .insert(accessRecords)
      .values(rows.slice(at, at + AT_ONCE))
      .onConflictDoUpdate({
        target: accessRecords.key,
        set: {
          login: sql`excluded.login`,
          record: sql`excluded.record`,
          reason: sql`excluded.reason`,
          expiresAt: sql`excluded.expires_at`,
          disabled: sql`excluded.disabled`,
          updatedBy: sql`excluded.updated_by`,
          updatedAt: sql`now()`,
          version: sql`${accessRecords.version} + 1`,
        },
      });
    await tx.insert(accessHistory).values(
      written.slice(at, at + AT_ONCE).map(({ before, after, kind }) => ({
        by: by.login,
        key: loginKey(after.login),
        kind,
        before: before && plain(before),
        after: plain(after),
        why: by.why,
        approvedBy: by.approvedBy ?? null,
        requestId: by.requestId ?? null,
      })),
    );
  }
  await tx.update(accessState).set({ version: sql`${accessState.version} + 1` });
  await audit.writeAll(
    tx,
    written.map(({ after, kind }) => ({
      login: by.login,
      tool: 'access',
      event: `access-${kind}`,
      detail: { person: after.login, why: by.why },
      requestId: by.requestId ?? null,
    })),
  );
}

/** Returns the name of a change in the history. */
export function kindOfChange(before: AccessRecord | null, after: AccessRecord): HistoryKind {
  if (before === null) return 'add';
  if (before.disabled === after.disabled) return 'change';
  return after.disabled ? 'disable' : 'enable';
}

export function isSame(one: AccessRecord, other: AccessRecord): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}
