/** The SQL files that make the schema, and whether a database was made by a newer version than this one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database, SchemaUse } from './database.ts';
import { RELEASE } from './release.ts';

/** Beside the built server, else where the source keeps them. */
export function migrationsFolder(): string {
  const built = fileURLToPath(new URL('./migrations', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../migrations', import.meta.url));
}

/** When the newest migration was carried out in a database, in the numbers that migrations have. */
export const MIGRATED = '(SELECT max(created_at) FROM drizzle.__drizzle_migrations)';

/** The numbers of the migrations that this version knows. */
export function knownMigrations(): number[] {
  const path = join(migrationsFolder(), 'meta', '_journal.json');
  const { entries } = JSON.parse(readFileSync(path, 'utf8')) as { entries: { when: number }[] };
  return entries.map(({ when }) => when);
}

/** The newest of them. */
export function newestKnown(): number {
  return Math.max(...knownMigrations());
}

/** How many a database has, and the newest of them; null: none. */
export async function carriedOut(
  database: Pick<Database, 'exec'>,
): Promise<{ applied: number; newest: number | null }> {
  const { rows } = await database.exec(
    'SELECT count(*)::int AS applied, max(created_at)::float8 AS newest FROM drizzle.__drizzle_migrations',
  );
  const [row] = rows;
  return { applied: Number(row?.applied ?? 0), newest: row?.newest == null ? null : Number(row.newest) };
}

/** A newer version has been started on this database: this one would misread what it holds. */
export class NewerDatabase extends Error {
  /** @param release that was last started on it; null where it does not say */
  constructor(release: string | null) {
    const newer = release === null ? 'a newer version of it' : `a newer release, ${release},`;
    const again = release === null ? 'that version' : `LMS Admin ${release}`;
    super(
      `LMS Admin ${RELEASE} cannot start: ${newer} has used this database. Start ${again} again, or restore the backup that was made before the upgrade.`,
    );
    this.name = 'NewerDatabase';
  }
}

/** A command met a database that another version has made, or none. */
export class OtherDatabase extends Error {
  override name = 'OtherDatabase';
  readonly why: 'none-yet' | 'older' | 'foreign';

  constructor(why: OtherDatabase['why']) {
    super(WHY_OTHER[why]);
    this.why = why;
  }
}

const WHY_OTHER = {
  'none-yet':
    'LMS Admin has not been started on this database yet. Look at LMS_ADMIN_DATA and DATABASE_URL, or start it first.',
  older:
    'An earlier version of LMS Admin used this database last. Use the command of that version, or start this version first, which updates the database.',
  foreign:
    'The database holds tables that are not those of LMS Admin. Create an empty database, and name it in DATABASE_URL.',
} as const;

/**
 * Says whether the schema has to be brought up to date.
 * @throws NewerDatabase; OtherDatabase
 */
export async function checkSchema(exec: Database['exec'], use: SchemaUse): Promise<boolean> {
  await requireNotNewer(exec);
  if (use === 'update') return true;
  const {
    rows: [table],
  } = await exec("SELECT to_regclass('drizzle.__drizzle_migrations') AS name");
  if (table?.name == null) {
    if (use === 'current') throw new OtherDatabase('none-yet');
    const { rows } = await exec(
      "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public' LIMIT 1",
    );
    if (rows.length > 0) throw new OtherDatabase('foreign');
    return true;
  }
  const {
    rows: [row],
  } = await exec(`SELECT ${MIGRATED} AS migrated`);
  if (Number(row?.migrated ?? 0) < newestKnown()) throw new OtherDatabase('older');
  return false;
}

/** The release that was last started on a database. Read as JSON: a database of an earlier version has no such column. */
async function lastRelease(exec: Database['exec']): Promise<string | null> {
  const { rows } = await exec("SELECT to_jsonb(installation) ->> 'release' AS release FROM installation");
  const release = rows[0]?.release;
  return typeof release === 'string' ? release : null;
}

/** @throws NewerDatabase */
async function requireNotNewer(exec: Database['exec']): Promise<void> {
  const {
    rows: [table],
  } = await exec("SELECT to_regclass('drizzle.__drizzle_migrations') AS name");
  // A database without it is new.
  if (table?.name == null) return;
  const {
    rows: [row],
  } = await exec(`SELECT ${MIGRATED} AS migrated`);
  if (Number(row?.migrated ?? 0) > newestKnown()) throw new NewerDatabase(await lastRelease(exec));
}
