/** Opens the database: PostgreSQL inside this process (PGlite) in the data folder, or a PostgreSQL server by its address. */
import type { Database, DatabaseOptions } from './database.ts';

/**
 * Opens the database and updates its schema.
 * @throws FolderInUse when another process has the embedded database open; OtherDatabase when its schema is not the
 * accepted one
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  // Loading takes time and memory: a server loads only the database that it has.
  if (databaseUrl) {
    const { openServer } = await import('./server-database.ts');
    return openServer({ ...options, databaseUrl });
  }
  const { openEmbedded } = await import('./embedded-database.ts');
  return openEmbedded(options);
}
