/** The SQL files that make the schema, and whether a database was made by a newer version than this one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';

/** Beside the built server, else where the source keeps them. */
export function migrationsFolder(): string {
  const built = fileURLToPath(new URL('./migrations', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../migrations', import.meta.url));
}

/** When the newest migration was carried out in a database, in the numbers that migrations have. */
export const MIGRATED = '(SELECT max(created_at) FROM drizzle.__drizzle_migrations)';

/** The newest number of a migration that this version knows. */
export function newestKnown(): number {
  const path = join(migrationsFolder(), 'meta', '_journal.json');
  const { entries } = JSON.parse(readFileSync(path, 'utf8')) as { entries: { when: number }[] };
  return Math.max(...entries.map(({ when }) => when));
}

/** A newer version has been started on this database: this one would misread what it holds. */
export class NewerDatabase extends Error {
  constructor() {
    super(
      'LMS Admin cannot start: a newer version of it has used this database. Start that version again, or restore the backup that was made before the upgrade.',
    );
    this.name = 'NewerDatabase';
  }
}

/** @throws NewerDatabase */
export async function requireNotNewer(exec: Database['exec']): Promise<void> {
  const {
    rows: [table],
  } = await exec("SELECT to_regclass('drizzle.__drizzle_migrations') AS name");
  // A database without it is new.
  if (table?.name == null) return;
  const {
    rows: [row],
  } = await exec(`SELECT ${MIGRATED} AS migrated`);
  if (Number(row?.migrated ?? 0) > newestKnown()) throw new NewerDatabase();
}
