/** The migrations of the schema, and checks whether a newer version has used a database. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database, SchemaUse } from './database.ts';
import { RELEASE } from './release.ts';

/** Finds the folder next to the built server, otherwise in the source folder. */
export function migrationsFolder(): string {
  const built = fileURLToPath(new URL('./migrations', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../migrations', import.meta.url));
}

/** SQL for the number of the newest migration of a database. */
export const MIGRATED = '(SELECT max(created_at) FROM drizzle.__drizzle_migrations)';

/** Returns the numbers of this version's migrations. */
export function knownMigrations(): number[] {
  const path = join(migrationsFolder(), 'meta', '_journal.json');
  const { entries } = JSON.parse(readFileSync(path, 'utf8')) as { entries: { when: number }[] };
  return entries.map(({ when }) => when);
}

/** Returns the number of the newest migration of this version. */
export function newestKnown(): number {
  return Math.max(...knownMigrations());
}

/** Returns the number of migrations that a database has had, and the newest; null if there is none. */
export async function carriedOut(
  database: Pick<Database, 'exec'>,
): Promise<{ applied: number; newest: number | null }> {
  const { rows } = await database.exec(
    'SELECT count(*)::int AS applied, max(created_at)::float8 AS newest FROM drizzle.__drizzle_migrations',
  );
  const [row] = rows;
  return { applied: Number(row?.applied ?? 0), newest: row?.newest == null ? null : Number(row.newest) };
}

/** A newer version has used this database: this version would misread its contents. */
export class NewerDatabase extends Error {
  /** @param release the newest one that used it; null if unknown */
  constructor(release: string | null) {
    const newer = release === null ? 'a newer version of it' : `a newer release, ${release},`;
    const version = release === null ? 'that version' : `LMS Admin ${release}`;
    super(
      `LMS Admin ${RELEASE} cannot start: ${newer} has used this database. Start ${version} again, or restore the backup that was made before the upgrade.`,
    );
    this.name = 'NewerDatabase';
  }
}

/** Thrown when the database of a command has another version's schema, or none. */
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
    'LMS Admin has not been started on this database yet. Check LMS_ADMIN_DATA and DATABASE_URL, or start LMS Admin first.',
  older:
    'This database was last used by an earlier version of LMS Admin. Use the command of that version. Or start this version first to update the database.',
  foreign:
    'The database contains tables that do not belong to LMS Admin. Create an empty database, and name it in DATABASE_URL.',
} as const;

/**
 * Tells whether the schema must be updated.
 * @throws NewerDatabase; OtherDatabase
 */
export async function checkSchema(exec: Database['exec'], use: SchemaUse): Promise<boolean> {
  if (use === 'any') return false;
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

/** Reads the release that last used a database. As JSON, since databases of earlier versions lack the column. */
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
  // A database without this table is new.
  if (table?.name == null) return;
  const {
    rows: [row],
  } = await exec(`SELECT ${MIGRATED} AS migrated`);
  if (Number(row?.migrated ?? 0) > newestKnown()) throw new NewerDatabase(await lastRelease(exec));
}
