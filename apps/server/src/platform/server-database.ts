/** A database on a PostgreSQL server. */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Database, DatabaseOptions, SchemaUse } from './database.ts';
import { checkSchema, migrationsFolder } from './migrations.ts';
import * as schema from './schema.ts';
import { codesOf } from './start-failure.ts';

const CONNECT_MS = 10_000;
/** Milliseconds without a byte after which a connection counts as dead: no statement of LMS Admin takes this long. */
const SILENT_MS = 30_000;
/** Name of servers in PostgreSQL's list of connections. */
export const SERVER_NAME = 'lms-admin';
/** An arbitrary number for the lock that makes servers that start together migrate one after the other. */
const MIGRATION_LOCK = 570_100_001;

export async function openServer({
  databaseUrl: connectionString,
  poolSize: max = 10,
  silentMs = SILENT_MS,
  startMs = 0,
  schema: use = 'update',
  name = SERVER_NAME,
}: DatabaseOptions & { databaseUrl: string }): Promise<Database> {
  // Another server may be updating the schema: waiting for it does not count as silence.
  const migrating = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_MS });
  surviveBroken(migrating);
  try {
    await migrateOnce(await connected(migrating, startMs), use);
  } finally {
    await migrating.end();
  }
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    // A connection that dies silently would keep its place in the pool, and block everything that waits for it.
    stream: () => {
      const socket = new Socket();
      return socket.setTimeout(silentMs, () =>
        socket.destroy(new Error('the database has stopped answering')),
      );
    },
  });
  surviveBroken(pool);
  return {
    db: drizzle(pool, { schema }),
    kind: 'postgres',
    ownFolder: false,
    exec: (text, values) => (values?.length ? pool.query(text, values) : pool.query(text)),
    close: () => pool.end(),
  };
}

/**
 * Keeps the process running when connections break: the pool replaces them and reports the failure to the query.
 * Without listeners, the break of a connection that is idle, or between two queries of a transaction, would end the
 * process.
 */
function surviveBroken(pool: pg.Pool): void {
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
}

/** Errors of a PostgreSQL server that is starting, restarting or full, or whose name the network does not know yet. */
const STARTING = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '55000', '53300']);
const STARTING_PAUSE_MS = 1_000;

/** Connects to PostgreSQL. If it is starting, tries again for this long. */
async function connected(pool: pg.Pool, startMs: number): Promise<pg.PoolClient> {
  const end = Date.now() + startMs;
  for (let told = false; ; told = true) {
    try {
      return await pool.connect();
    } catch (error) {
      if (Date.now() >= end || !codesOf(error).some((code) => STARTING.has(code))) throw error;
      if (!told)
        console.error(
          `PostgreSQL does not answer yet. LMS Admin waits for it for up to ${startMs / 1_000} s.`,
        );
      await sleep(STARTING_PAUSE_MS);
    }
  }
}

/** Updates the schema; waits while another process does the same. */
async function migrateOnce(client: pg.PoolClient, use: SchemaUse): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await checkSchema((text) => client.query(text), use)) {
      await migrate(drizzle(client), { migrationsFolder: migrationsFolder() });
    }
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    client.release();
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true);
    throw error;
  }
}
