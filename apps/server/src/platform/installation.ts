/**
 * The LMS that a database belongs to. Data of one LMS must not be used with another: a server that starts in practice
 * mode because of a lost setting would send production's pending imports to the practice LMS, and let people in without
 * a password.
 */
import { desc, ne } from 'drizzle-orm';
import { type Config, ConfigError } from './config.ts';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';
import { RELEASE } from './release.ts';
import { installation, jobs } from './schema.ts';

const ONLY = 1;

/** Previous use of a database. `mode` is null if only its jobs show the use. */
interface Known {
  mode: 'practice' | 'production' | null;
  lms: string;
}

/**
 * Records the use of the database at the first start, and requires the same use at later starts. A practice LMS may be
 * reset and change its port; a new address of a real LMS must be confirmed in the settings.
 * @throws ConfigError
 */
export async function claimDatabase(db: Db, config: Config): Promise<void> {
  const mode = modeOf(config);
  const lms = config.lms.url;
  await requireOwn(db, config);
  await db
    .insert(installation)
    .values({ id: ONLY, mode, lms, release: RELEASE })
    .onConflictDoUpdate({
      target: installation.id,
      set: { mode, lms, release: RELEASE, updatedAt: new Date() },
    });
}

/** Returns whether a record of that time came from a restored backup, and so may be out of date. */
export async function isFromBackup(db: Db, recordedAt: Date): Promise<boolean> {
  const [row] = await db.select({ restoredAt: installation.restoredAt }).from(installation);
  return row?.restoredAt != null && recordedAt <= row.restoredAt;
}

/** Returns whether work that changes another system is held for an operator after a restore. */
export async function isHeld(db: Db): Promise<boolean> {
  const [row] = await db.select({ heldAt: installation.heldAt }).from(installation);
  return row?.heldAt != null;
}

/**
 * Requires that work is not held, for actions that happen immediately, not as a job that can wait.
 * @param system the system to change, as texts name it
 * @throws AppError conflict
 */
export async function requireNotHeld(db: Db, system: string): Promise<void> {
  if (!(await isHeld(db))) return;
  throw new AppError('conflict', {
    message: `LMS Admin was restored from a backup and is not allowed to change ${system} yet. Nothing was changed.`,
    next: 'Ask IT Support to release held work on the system page (or with lms-admin release), then try again.',
  });
}

const modeOf = (config: Config) => (config.practice ? 'practice' : 'production');

/** Requires that the database has this use, without recording anything. @throws ConfigError */
export async function requireOwn(db: Db, config: Config): Promise<void> {
  const known = (await recorded(db)) ?? (await usageByJobs(db));
  if (known) refuseAnother(known, modeOf(config), config);
}

/** Names the LMS for the start message and the doctor. */
export function lmsInWords({ practice, lms }: Config): string {
  return practice ? `the practice LMS on ${lms.url}` : `the LMS on ${lms.url}`;
}

function refuseAnother(known: Known, mode: Known['mode'], { lms, formerLmsUrl }: Config): void {
  const wasPractice = known.mode === null ? isThisMachine(known.lms) : known.mode === 'practice';
  if (mode === 'practice' && !wasPractice) {
    throw new ConfigError([
      `LMS_URL is missing: this database belongs to the LMS on ${known.lms}. ` +
        'For practice mode, LMS_ADMIN_DATA (or DATABASE_URL) should name another database',
    ]);
  }
  if (mode === 'production' && known.mode === 'practice') {
    throw new ConfigError([
      'LMS_URL names a real LMS, but this database belongs to practice mode: ' +
        'LMS_ADMIN_DATA (or DATABASE_URL) should name another database',
    ]);
  }
  if (mode === 'production' && known.lms !== lms.url && known.lms !== formerLmsUrl) {
    throw new ConfigError([
      `LMS_URL is ${lms.url}, but this database belongs to the LMS on ${known.lms}. If that LMS has moved to the new address, ` +
        `LMS_FORMER_URL should be ${known.lms}; otherwise LMS_ADMIN_DATA (or DATABASE_URL) should name another database`,
    ]);
  }
}

async function recorded(db: Db): Promise<Known | null> {
  const [row] = await db.select({ mode: installation.mode, lms: installation.lms }).from(installation);
  return row ?? null;
}

/** Returns the use of a database that was first used before uses were recorded. */
async function usageByJobs(db: Db): Promise<Known | null> {
  const [latest] = await db
    .select({ lms: jobs.lms })
    .from(jobs)
    .where(ne(jobs.lms, ''))
    .orderBy(desc(jobs.createdAt))
    .limit(1);
  const address = latest?.lms.split(' ')[0];
  return address ? { mode: null, lms: address } : null;
}

function isThisMachine(address: string): boolean {
  return address.startsWith('http:');
}
