/**
 * Which LMS a database belongs to. What was made for one must not be done in another: a console that falls into practice mode by a
 * lost setting would send production's pending imports to the practice campus, and let people in without a password.
 */
import { desc, ne } from 'drizzle-orm';
import { type Config, ConfigError } from './config.ts';
import type { Db } from './database.ts';
import { installation, jobs } from './schema.ts';

const ONLY = 1;

/** What a database was used for. `mode` is null where only its jobs tell. */
interface Known {
  mode: 'practice' | 'production' | null;
  lms: string;
}

/**
 * Notes what the database is used for at the first start, and holds every further one to it. A practice campus may be reset and
 * have another port; another address of a real LMS has to be said.
 * @throws ConfigError
 */
export async function claimDatabase(db: Db, config: Config): Promise<void> {
  const mode = config.practice ? 'practice' : 'production';
  const lms = config.lms.url;
  const known = (await recorded(db)) ?? (await toldByJobs(db));
  if (known) refuseAnother(known, mode, config);
  await db
    .insert(installation)
    .values({ id: ONLY, mode, lms })
    .onConflictDoUpdate({ target: installation.id, set: { mode, lms, updatedAt: new Date() } });
}

/** What the LMS is, in words for the start. */
export function lmsInWords({ practice, lms }: Config): string {
  return practice ? `practice mode, with the practice campus on ${lms.url}` : `with the LMS on ${lms.url}`;
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
