/** Opens the database: PostgreSQL inside this process (PGlite) in the data folder, or a PostgreSQL server by its address. */
import type { Database, DatabaseOptions } from './database.ts';
import { openServer } from './server-database.ts';

/**
 * Opens the database and brings its schema up to date.
 * @throws FolderInUse when another process has the embedded database open; OtherDatabase when its schema is not what was asked for
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  if (databaseUrl) return openServer({ ...options, databaseUrl });
  // Loading it takes time and memory that a server with PostgreSQL has no use for.
  const { openEmbedded } = await import('./embedded-database.ts');
  return openEmbedded(options);
}
