/** Brings a database to the newest schema, from the SQL files in `migrations`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres';
import { migrate as migrateServer } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import type { Pool } from 'pg';

/** Any number that no other user of the database locks: servers that start together migrate one after the other. */
const MIGRATION_LOCK = 570_100_001;

/** Beside the built server, else where the source keeps them. */
function migrationsFolder(): string {
  const built = fileURLToPath(new URL('./migrations', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../migrations', import.meta.url));
}

/** Migrates the embedded database, which this process alone has open. */
export async function migrateEmbeddedDatabase(client: PGlite): Promise<void> {
  await migrateEmbedded(drizzleEmbedded(client), { migrationsFolder: migrationsFolder() });
}

/** Migrates a PostgreSQL server's database; waits while another process does the same. */
export async function migrateServerDatabase(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateServer(drizzleServer(client), { migrationsFolder: migrationsFolder() });
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    client.release();
  } catch (error) {
    // Closing the connection gives the lock free.
    client.release(true);
    throw error;
  }
}
