/** Restores a backup into an empty installation. Every reason to refuse is checked before anything is written. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createAudit } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { createLog } from '../../platform/log.ts';
import { openDatabase } from '../../platform/open-database.ts';
import { createSecrets, decodedKey, installationKey, keyPath } from '../../platform/secrets.ts';
import { operator } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { fillDatabase } from './fill.ts';
import { layKeyDown, openKey } from './key.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, openBackup } from './read.ts';

export interface RestoreOptions {
  file: string;
  /** File to write the key of the backup to; null leaves the key in the backup. */
  keyFile: string | null;
  passphrase: () => Promise<string>;
  /** Whether work that changes another system waits until an operator releases it. */
  held: boolean;
}

/**
 * @returns the restored contents, and the id of the key configured here; null if there is none yet
 * @throws Refusal; FolderInUse; OtherDatabase
 */
export async function restoreBackup(
  config: Config,
  { file, keyFile, passphrase, held }: RestoreOptions,
): Promise<{ manifest: Manifest; keyId: string | null }> {
  const manifest = await checkBackup(file);
  requireSameUse(manifest, config);
  await requireNoCampus(config.campusFolder);
  const key = keyFile === null ? null : await keyOf(manifest, passphrase);
  const { databaseUrl, dataFolder: dataDir } = config;
  const db = await openDatabase({ databaseUrl, dataDir, schema: 'restore' });
  try {
    await requireNoServer(db);
    if (keyFile !== null && key !== null) await layKeyDown(keyFile, key);
    try {
      await fill(config, db, { file, manifest, held });
    } catch (error) {
      if (keyFile !== null) await rm(keyFile, { force: true });
      throw error;
    }
  } finally {
    await db.close();
  }
  return { manifest, keyId: await keyHere(config) };
}

async function fill(
  config: Config,
  db: Database,
  { file, manifest, held }: { file: string; manifest: Manifest; held: boolean },
): Promise<void> {
  const backup = await openBackup(file);
  const { campusFolder } = config;
  const laid = campusFolder === null || manifest.campus === 0 ? null : `${campusFolder}.restored`;
  try {
    if (laid !== null) {
      await rm(laid, { recursive: true, force: true });
      await mkdir(laid, { recursive: true, mode: 0o700 });
      await backup.campusTo(laid);
    }
    const audit = createAudit(db.db, createLog('silent'));
    await fillDatabase(db.db, backup.lines(), manifest, audit, { login: operator(), held });
    if (laid === null || campusFolder === null) return;
    await rm(campusFolder, { recursive: true, force: true });
    await mkdir(dirname(campusFolder), { recursive: true, mode: 0o700 });
    await rename(laid, campusFolder);
  } finally {
    backup.close();
    if (laid !== null) await rm(laid, { recursive: true, force: true });
  }
}

/**
 * Requires the same mode and LMS: a backup of practice mode must never act on a real LMS, and one of production must
 * never run in practice mode.
 */
function requireSameUse({ mode, lms }: Manifest, config: Config): void {
  if (mode === (config.practice ? 'practice' : 'production')) return;
  const what = mode === 'practice' ? 'practice mode' : `the LMS on ${lms}`;
  throw new Refusal(
    `The backup is of ${what}, but the settings here are for something else. Nothing was changed.`,
    mode === 'practice'
      ? 'Remove LMS_URL from the settings.'
      : `Set LMS_URL to ${lms}, with the settings that belong to it.`,
  );
}

async function requireNoCampus(folder: string | null): Promise<void> {
  if (folder === null || (await readdir(folder).catch(() => [])).length === 0) return;
  throw new Refusal(
    `The practice LMS in ${folder} already contains data. Nothing was changed.`,
    'Set LMS_ADMIN_DATA (or SANDBOX_DATA) to a new folder, and restore there.',
  );
}

/**
 * Requires that no server runs on the database; for the embedded database, the lock on its folder already ensures this.
 */
async function requireNoServer(db: Database): Promise<void> {
  if (db.kind !== 'postgres') return;
  const { rows } = await db.exec(
    "SELECT count(*)::int AS others FROM pg_stat_activity WHERE application_name = 'lms-admin' AND datname = current_database() AND pid <> pg_backend_pid()",
  );
  if (Number(rows[0]?.others) === 0) return;
  throw new Refusal(
    'A server is running on the database in DATABASE_URL. Nothing was changed.',
    'Stop every server on it, or name a new, empty database.',
  );
}

async function keyOf({ key }: Manifest, passphrase: () => Promise<string>): Promise<string> {
  if (key !== null) return openKey(key, await passphrase());
  throw new Refusal(
    'The key is not in this backup. Nothing was changed.',
    'Remove --key-file, and start with the key that was in LMS_ADMIN_KEY when the backup was made.',
  );
}

async function keyHere(config: Config): Promise<string | null> {
  if (config.encryptionKey === null && !existsSync(keyPath(config.dataFolder))) return null;

  return createSecrets(decodedKey(await installationKey(config), config)).keyId;
}
