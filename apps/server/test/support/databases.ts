/** Which database a test runs on: PGlite in memory, or a fresh database of its own on a PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export type TestDatabase = 'pglite' | 'postgres';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** From the environment: `TEST_DATABASE`. */
export function chosenDatabase(): TestDatabase {
  return process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';
}

/** Makes an empty database. `drop` removes it, whoever is still connected. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `lms_admin_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
