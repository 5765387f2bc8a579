/**
 * Which LMS a database belongs to. What was made for one must not be done in another: a console that falls into practice mode by a
 * lost setting would send production's pending imports to the practice LMS, and let people in without a password.
 */
import { desc, ne } from 'drizzle-orm';
import { type Config, ConfigError } from './config.ts';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';
import { RELEASE } from './release.ts';
import { installation, jobs } from './schema.ts';

const ONLY = 1;

/** What a database was used for. `mode` is null where only its jobs tell. */
interface Known {
  mode: 'practice' | 'production' | null;
  lms: string;
}

/**
 * Notes what the database is used for at the first start, and holds every further one to it. A practice LMS may be reset and
 * have another port; another address of a real LMS has to be said.
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

/** Whether a record of that time came with a backup that was restored: what it says may have been overtaken. */
export async function isFromBackup(db: Db, recordedAt: Date): Promise<boolean> {
  const [row] = await db.select({ restoredAt: installation.restoredAt }).from(installation);
  return row?.restoredAt != null && recordedAt <= row.restoredAt;
}

/** Whether work that changes something outside waits for an operator, since a restore. */
export async function isHeld(db: Db): Promise<boolean> {
  const [row] = await db.select({ heldAt: installation.heldAt }).from(installation);
  return row?.heldAt != null;
}

/**
 * For what is done immediately, and not as a job that can wait.
 * @param system what would be changed, as texts name it
 * @throws AppError conflict
 */
export async function requireNotHeld(db: Db, system: string): Promise<void> {
  if (!(await isHeld(db))) return;
  throw new AppError('conflict', {
    message: `LMS Admin was restored from a backup and does not change ${system} yet. Nothing was changed.`,
    next: 'Ask IT Support to release held work on the system page (or with lms-admin release), then try again.',
  });
}

const modeOf = (config: Config) => (config.practice ? 'practice' : 'production');

/** Holds a database to what it was used for, and notes nothing. @throws ConfigError */
export async function requireOwn(db: Db, config: Config): Promise<void> {
  const known = (await recorded(db)) ?? (await toldByJobs(db));
  if (known) refuseAnother(known, modeOf(config), config);
}

/** What the LMS is, in words for the start. */
export function lmsInWords({ practice, lms }: Config): string {
  return practice ? `practice mode, with the practice LMS on ${lms.url}` : `with the LMS on ${lms.url}`;
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
      'LMS_URL names a real LMS, and this database is that of practice mode: ' +
        'LMS_ADMIN_DATA (or DATABASE_URL) should name another database',
    ]);
  }
  if (mode === 'production' && known.lms !== lms.url && known.lms !== formerLmsUrl) {
    throw new ConfigError([
      `LMS_URL is ${lms.url}, and this database belongs to the LMS on ${known.lms}. If that one has moved to the new address, ` +
        `LMS_FORMER_URL should hold ${known.lms}; else LMS_ADMIN_DATA (or DATABASE_URL) should name another database`,
    ]);
  }
}

async function recorded(db: Db): Promise<Known | null> {
  const [row] = await db.select({ mode: installation.mode, lms: installation.lms }).from(installation);
  return row ?? null;
}

/** A database that was used before this was noted. */
async function toldByJobs(db: Db): Promise<Known | null> {
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
