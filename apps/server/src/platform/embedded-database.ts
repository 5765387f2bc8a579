/** PostgreSQL inside this process (PGlite), in the data folder. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PGlite, type QueryOptions, type Results, type Transaction, types } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Database, DatabaseOptions, Db, SchemaUse } from './database.ts';
import { lockFolder, type Release } from './lock.ts';
import { checkSchema, migrationsFolder, OtherDatabase } from './migrations.ts';
import * as schema from './schema.ts';

/**
 * The embedded database with a turn for other work after each query. A query blocks this process's only thread, and
 * PGlite's promises resolve without yielding, so several in a row would block everything else like one long query.
 */
class FairPGlite extends PGlite {
  #hasParsers = false;

  override async query<T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    const results = await super.query<T>(text, values, this.#once(options));
    await yieldToOthers();
    return results;
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((tx) => {
      const query = tx.query.bind(tx);
      tx.query = (text, values, options) => query(text, values, this.#once(options));
      return work(tx);
    });
  }

  /**
   * Creates the options for reading dates once. The query builder passes the same ones with each query, and PGlite
   * would copy its parsers of all types each time.
   */
  #once(options: QueryOptions | undefined): QueryOptions | undefined {
    if (!options?.parsers) return options;
    const { parsers, ...others } = options;
    if (!this.#hasParsers) Object.assign(this.parsers, parsers);
    this.#hasParsers = true;
    return others;
  }
}

/** Bytes are sent as hex digits. PGlite's own conversion makes a call for each byte, and costs more than the query. */
const BYTES = {
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${asBuffer(bytes).toString('hex')}` },
  parsers: { [types.BYTEA]: (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex') },
};

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Updates the schema; only this process has the database open. */
export async function migrateEmbeddedDatabase(client: PGlite, use: SchemaUse = 'update'): Promise<void> {
  if (!(await checkSchema((text) => client.query<Record<string, unknown>>(text), use))) return;
  await migrate(drizzle(client), { migrationsFolder: migrationsFolder() });
}

/**
 * Opens the database and updates its schema.
 * @param dataDir null keeps it in memory (tests), starting with the files in `begin`
 * @throws FolderInUse when another process has it open; OtherDatabase
 */
export async function openEmbedded({
  dataDir,
  begin,
  schema: use = 'update',
}: DatabaseOptions): Promise<Database> {
  let release: Release | null = null;
  let client: PGlite;
  if (dataDir === null) {
    client = new FairPGlite({ ...BYTES, ...(begin ? { loadDataDir: begin } : {}) });
  } else {
    // A command that only reads must not create an empty database.
    if (use === 'current' && !existsSync(join(dataDir, 'db', 'PG_VERSION')))
      throw new OtherDatabase('none-yet');
    // PGlite makes its files readable for all users, so the folder around them must be private.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    release = await lockFolder(dataDir);
    try {
      const folder = join(dataDir, 'db');
      await prepareFolder(folder);
      client = new FairPGlite(folder, BYTES);
    } catch (error) {
      await release();
      throw error;
    }
  }
  const close = async () => {
    await client.close();
    await release?.();
  };
  try {
    await client.waitReady;
    await migrateEmbeddedDatabase(client, use);
  } catch (error) {
    await client.close().catch(() => {});
    await release?.();
    throw error;
  }
  return {
    // The two drivers differ only in the raw result of `execute`, which is not read through `db`.
    db: drizzle(client, { schema }) as unknown as Db,
    kind: 'pglite',
    ownFolder: dataDir !== null,
    exec: (text, values) => execEmbedded(client, text, values),
    close,
  };
}

async function execEmbedded(client: PGlite, text: string, values: unknown[] | undefined) {
  if (values?.length) return client.query<Record<string, unknown>>(text, values);
  try {
    const results = await client.exec(text);
    const rows = results.findLast((result) => result.fields.length > 0)?.rows ?? [];
    return { rows: rows as Record<string, unknown>[] };
  } catch (error) {
    // The database has one connection: a transaction begun by the text must not stay open on it.
    await client.exec('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Creates the database's files at the first start. A child process does it because it uses about 500 MB of memory that
 * would not be freed, and under a temporary name, so that a killed start leaves no incomplete database.
 */
async function prepareFolder(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    const fresh = `${folder}.new`;
    await rm(fresh, { recursive: true, force: true });
    const module = createRequire(import.meta.url).resolve('@electric-sql/pglite');
    const script =
      'const { PGlite } = require(process.argv[1]);' +
      'PGlite.create(process.argv[2]).then((db) => db.close()).then(() => process.exit(0));';
    await promisify(execFile)(process.execPath, ['-e', script, module, fresh], { timeout: 120_000 }).catch(
      async (error: unknown) => {
        throw await notCreated(folder, error);
      },
    );
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  }
  await chmod(folder, 0o700);
  await setBuffers(join(folder, 'postgresql.conf'));
}

/** A new database takes about 40 MB. */
const NEEDED_BYTES = 67_108_864;

/** Explains a failed creation: the child process reports a full disk in many ways, so the disk itself is checked. */
async function notCreated(folder: string, cause: unknown): Promise<Error> {
  const { bavail, bsize } = await statfs(dirname(folder));
  const error = new Error(`The database could not be created in ${folder}`, { cause });
  return bavail * bsize < NEEDED_BYTES ? Object.assign(error, { code: 'ENOSPC' }) : error;
}

/** The database's own cache: the system caches its files anyway, and the default of 128 MB stays resident. */
const BUFFERS = 'shared_buffers = 16MB';

/** Appends the setting to the file once; the last value wins. */
async function setBuffers(file: string): Promise<void> {
  if (!(await readFile(file, 'utf8')).includes(BUFFERS)) await appendFile(file, `\n${BUFFERS}\n`);
}
