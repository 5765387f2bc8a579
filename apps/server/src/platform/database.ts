/** The database: PostgreSQL inside this process (PGlite) in the data folder, or a PostgreSQL server by its address. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PGlite, type QueryOptions, type Results, type Transaction, types } from '@electric-sql/pglite';
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite';
import pg from 'pg';
import { lockFolder, type Release } from './lock.ts';
import { migrateEmbeddedDatabase, migrateServerDatabase } from './migrate.ts';
import * as schema from './schema.ts';

/** The query builder, the same on both databases. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface Database {
  db: Db;
  kind: 'pglite' | 'postgres';
  /** Runs SQL as text: one statement with values, or several without. Dates come as each database writes them. */
  exec(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Closes every connection; the embedded database's folder is given free. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Address of a PostgreSQL server; null for the embedded database. */
  databaseUrl: string | null;
  /** Folder below which the embedded database lives; null keeps it in memory (tests). */
  dataDir: string | null;
  /** Files that a database in memory begins with, as `dumpDataDir` writes them; made anew when not given. */
  begin?: Blob;
  /** Most connections to a PostgreSQL server. */
  poolSize?: number;
  /** Milliseconds without a byte from a PostgreSQL server after which a connection counts as dead. */
  silentMs?: number;
}

const CONNECT_MS = 10_000;
/** No statement of ours takes so long. */
const SILENT_MS = 30_000;

/**
 * Opens the database and brings its schema up to date.
 * @throws FolderInUse when another process has the embedded database open
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  return databaseUrl ? openServer({ ...options, databaseUrl }) : openEmbedded(options.dataDir, options.begin);
}

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

async function openServer({
  databaseUrl: connectionString,
  poolSize: max = 10,
  silentMs = SILENT_MS,
}: DatabaseOptions & { databaseUrl: string }): Promise<Database> {
  // Another server may be bringing the schema up to date: waiting for it is no silence.
  const migrating = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_MS });
  surviveBroken(migrating);
  try {
    await migrateServerDatabase(migrating);
  } finally {
    await migrating.end();
  }
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'lms-admin',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    // A connection that dies without a word would keep its place, and whoever waits for it, for good.
    stream: () => {
      const socket = new Socket();
      return socket.setTimeout(silentMs, () => socket.destroy(new Error('the database has fallen silent')));
    },
  });
  surviveBroken(pool);
  return {
    db: drizzleServer(pool, { schema }),
    kind: 'postgres',
    exec: (text, values) => (values?.length ? pool.query(text, values) : pool.query(text)),
    close: () => pool.end(),
  };
}

/**
 * A connection that breaks is replaced by the pool, and whoever waits for its answer is told. Without listeners it would end the
 * process: idle, or lent to a transaction that is between two queries.
 */
function surviveBroken(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
}

async function openEmbedded(dataDir: string | null, begin?: Blob): Promise<Database> {
  let release: Release | null = null;
  let client: PGlite;
  if (dataDir === null) {
    client = new FairPGlite({ ...BYTES, ...(begin ? { loadDataDir: begin } : {}) });
  } else {
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
    await migrateEmbeddedDatabase(client);
  } catch (error) {
    await client.close().catch(() => {});
    await release?.();
    throw error;
  }
  return {
    // The two drivers differ only in the raw result of `execute`, which nothing here reads.
    db: drizzleEmbedded(client, { schema }) as unknown as Db,
    kind: 'pglite',
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
