/** Which database a test runs on: PGlite in memory, or a fresh database of its own on a PostgreSQL server. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migrateEmbeddedDatabase } from '../../src/platform/migrate.ts';

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

const ROOT = resolve(import.meta.dirname, '../../../..');
let made: Promise<Blob> | undefined;

/** The files of an empty, migrated PGlite. Making them takes some seconds, so they are kept until something about them changes. */
export function madeDatabase(): Promise<Blob> {
  made ??= readMade();
  return made;
}

async function readMade(): Promise<Blob> {
  const migrations = join(ROOT, 'apps/server/migrations');
  const sources = (await readdir(migrations))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(migrations, name));
  sources.push(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const hash = createHash('sha256');
  for (const source of sources.sort()) hash.update(await readFile(source));
  const folder = join(ROOT, 'node_modules', '.cache', 'lms-admin');
  const file = join(folder, `pglite-${hash.digest('hex').slice(0, 16)}.tar`);
  if (!existsSync(file)) {
    const client = new PGlite();
    await migrateEmbeddedDatabase(client);
    const files = await client.dumpDataDir('none');
    await client.close();
    await mkdir(folder, { recursive: true });
    // Under its name only when it is whole; another process may be doing the same.
    const part = `${file}.${process.pid}`;
    await writeFile(part, Buffer.from(await files.arrayBuffer()));
    await rename(part, file);
  }
  return new Blob([new Uint8Array(await readFile(file))]);
}
