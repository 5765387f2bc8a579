/** The database interface, shared by PostgreSQL and the embedded database. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

/** The query builder, the same on both databases. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface Database {
  db: Db;
  kind: 'pglite' | 'postgres';
  /** Whether the database is in the data folder, which only this process can use while it is open. */
  ownFolder: boolean;
  /** Runs SQL as text: one statement with values, or several without. Dates keep the format of the database. */
  exec(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Closes every connection, and releases the embedded database's folder. */
  close(): Promise<void>;
}

/**
 * Accepted schema when a database is opened. `update`: any that is not newer; it is then updated. `current`: this
 * version's, left unchanged. `restore`: this version's, or none yet; it is then created. `any`: whichever it is, left
 * unchanged.
 */
export type SchemaUse = 'update' | 'current' | 'restore' | 'any';

export interface DatabaseOptions {
  /** Address of a PostgreSQL server; null for the embedded database. */
  databaseUrl: string | null;
  /** Folder above the embedded database; null keeps it in memory (tests). */
  dataDir: string | null;
  /** Initial files of a database in memory, as `dumpDataDir` writes them; created if not given. */
  begin?: Blob;
  /** Accepted schema. By default the schema is updated. */
  schema?: SchemaUse;
  /** Name in a PostgreSQL server's list of connections; by default that of servers. */
  name?: string;
  /** Maximum number of connections to a PostgreSQL server. */
  poolSize?: number;
  /** Milliseconds to wait for a PostgreSQL server that is starting; none by default. */
  startMs?: number;
  /** Milliseconds without a byte from PostgreSQL after which a connection counts as dead. */
  silentMs?: number;
}
