/** Opens the source of access records at startup: the file alone, or the database after importing the file once. */
import type { AccessRecord } from '@lms-admin/contract/access';
import { ACCESS_ADMIN, FLAGS, hasFlag } from '@lms-admin/domain/access';
import { activeRecord } from '@lms-admin/domain/access-records';
import type { Logger } from 'pino';
import type { Audit } from '../platform/audit.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import type { Db } from '../platform/database.ts';
import { accessState } from '../platform/schema.ts';
import { readAccessFile } from './file.ts';
import { type AccessRecords, databaseRecords, fileRecords, keyed } from './records.ts';
import { isSame, lockAccess, readEntries, writeRecords } from './table.ts';

export interface AccessParts {
  config: Pick<Config, 'accessFile' | 'accessSource'>;
  db: Db;
  audit: Audit;
  log: Logger;
  now: () => number;
}

/** Name in the history for the first import. */
const FIRST_START = 'LMS Admin (first start)';

/** @throws ConfigError for a broken access file, if it is read */
export async function openAccess(parts: AccessParts): Promise<AccessRecords> {
  const { config, db, log, now } = parts;
  if (config.accessSource === 'file') return fileRecords(await readAccessFile(config.accessFile), now);
  const imported = await importOnce(parts);
  const records = await databaseRecords(db, now);
  if (imported !== null)
    log.info(reviewOf(imported, now()), 'the access file was imported into the database');
  const admins = [...records.entries.values()].filter((entry) => {
    const record = activeRecord(entry, now());
    return record !== null && hasFlag(record, ACCESS_ADMIN);
  });
  if (admins.length === 0) log.warn(NO_ACCESS_ADMIN);
  return records;
}

export const NO_ACCESS_ADMIN =
  'No one can change access in LMS Admin. Run "lms-admin access grant LOGIN" for the person who should have this right.';

/** @returns the records, or null if they were already imported */
async function importOnce({ config, db, audit }: AccessParts): Promise<AccessRecord[] | null> {
  const [state] = await db.select().from(accessState);
  if (state?.importedAt) return null;
  // Read outside the transaction, so that a file on a slow disk does not delay others.
  const records = await readAccessFile(config.accessFile);
  return db.transaction(async (tx) => {
    // Another server may have started at the same time.
    if ((await lockAccess(tx)) !== null) return null;
    const written = records.map((after) => ({ before: null, after, kind: 'import' as const }));
    await writeRecords(tx, audit, written, { login: FIRST_START, why: config.accessFile });
    await tx.update(accessState).set({ importedAt: new Date() });
    await requireSame(tx, records);
    return records;
  });
}

/** Checks that the import neither grants nor removes access. @throws ConfigError, which rolls the transaction back */
async function requireSame(tx: Db, records: readonly AccessRecord[]): Promise<void> {
  const stored = await readEntries(tx);
  const different = [...keyed(records)].filter(([key, record]) => {
    const kept = stored.get(key);
    return !kept || !isSame(record, kept);
  });
  if (different.length > 0 || stored.size !== records.length) {
    const who = different.map(([, { login }]) => login).join(', ');
    throw new ConfigError([
      `the access records of the database differ from the file after the import: ${who}`,
    ]);
  }
}

/** Returns a summary of the imported access, for the log. */
function reviewOf(records: readonly AccessRecord[], now: number) {
  const active = records.flatMap((entry) => activeRecord(entry, now) ?? []);
  return {
    administrators: records.length,
    active: active.length,
    whole_school: active.filter(({ perm }) => perm === 'ALL').length,
    tools: Object.fromEntries(
      FLAGS.map((flag) => [flag, active.filter((record) => hasFlag(record, flag)).length]),
    ),
  };
}
