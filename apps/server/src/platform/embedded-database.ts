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
 * The embedded database with a turn for other work after each query. A query runs on this process's only thread and
 * PGlite's promises resolve without leaving it, so several in a row would hold up everything else as one.
 */
class FairPGlite extends PGlite {
  #told = false;

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

  /** The query builder tells with each query, always the same, how it reads dates; PGlite then copies its readers of all types. */
  #once(options: QueryOptions | undefined): QueryOptions | undefined {
    if (!options?.parsers) return options;
    const { parsers, ...others } = options;
    if (!this.#told) Object.assign(this.parsers, parsers);
    this.#told = true;
    return others;
  }
}

/** Bytes travel as hex digits. PGlite's own way of making and reading them costs more than the query: a call for each byte. */
const BYTES = {
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${asBuffer(bytes).toString('hex')}` },
  parsers: { [types.BYTEA]: (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex') },
};

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Brings its schema up to date: this process alone has it open. */
export async function migrateEmbeddedDatabase(client: PGlite, use: SchemaUse = 'update'): Promise<void> {
  if (!(await checkSchema((text) => client.query<Record<string, unknown>>(text), use))) return;
  await migrate(drizzle(client), { migrationsFolder: migrationsFolder() });
}

/**
 * Opens it and brings its schema up to date.
 * @param dataDir null keeps it in memory (tests), beginning with the files in `begin`
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
    // What only reads a database does not leave an empty one behind.
    if (use === 'current' && !existsSync(join(dataDir, 'db', 'PG_VERSION')))
      throw new OtherDatabase('none-yet');
    // PGlite makes its files readable for everybody: the folder around them must not be.
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
    // The two drivers differ only in the raw result of `execute`, which nothing here reads.
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
    // There is one connection: a transaction that the text began must not stay open on it.
    await client.exec('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Makes the database's files on the first start. Done by a child process, because it leaves some 500 MB of memory behind,
 * and under another name, so that a start that is killed midway leaves nothing half made.
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
        throw await notMade(folder, error);
      },
    );
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  }
  await chmod(folder, 0o700);
  await setBuffers(join(folder, 'postgresql.conf'));
}

/** A database takes some 40 MB when it is made. */
const NEEDED_BYTES = 67_108_864;

/** Why it could not be made: the child process tells of a full disk in many ways, the disk in one. */
async function notMade(folder: string, cause: unknown): Promise<Error> {
  const { bavail, bsize } = await statfs(dirname(folder));
  const error = new Error(`The database could not be made in ${folder}`, { cause });
  return bavail * bsize < NEEDED_BYTES ? Object.assign(error, { code: 'ENOSPC' }) : error;
}

/** The database's own cache: its files are in the system's cache anyway, and 128 MB (the default) stay resident. */
const BUFFERS = 'shared_buffers = 16MB';

/** Writes the setting at the end of the file, where it wins, once. */
async function setBuffers(file: string): Promise<void> {
  if (!(await readFile(file, 'utf8')).includes(BUFFERS)) await appendFile(file, `\n${BUFFERS}\n`);
}
