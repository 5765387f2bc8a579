/** The database for a test: PGlite in memory, or a new separate database on a PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export type TestDatabase = 'pglite' | 'postgres';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** The setting that names a run's migrated database. */
export const MADE = 'TEST_DATABASE_MADE';

/** Reads the database from the environment: `TEST_DATABASE`. */
export function chosenDatabase(): TestDatabase {
  return process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';
}

/**
 * Creates an empty database. `drop` removes it, even with open connections.
 * @param migrated as a copy of the run's migrated database, if there is one (template-postgres.ts)
 */
export async function freshDatabase({ migrated = false } = {}): Promise<{
  url: string;
  name: string;
  drop: () => Promise<void>;
}> {
  const name = `lms_admin_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const made = migrated && process.env[MADE] ? ` TEMPLATE ${process.env[MADE]}` : '';
  await onServer(
    `CREATE DATABASE ${name}${made}`,
    // Tests only kill server processes, never PostgreSQL, so nothing has to wait for the disk.
    `ALTER DATABASE ${name} SET synchronous_commit = off`,
  );
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Runs statements on the tests' PostgreSQL server, outside any of their databases. */
export async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
