/** The database that everything is kept in: what it offers, whichever of the two it is. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

/** The query builder, the same on both databases. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface Database {
  db: Db;
  kind: 'pglite' | 'postgres';
  /** Whether it lies in the data folder, which this process alone may use meanwhile. */
  ownFolder: boolean;
  /** Runs SQL as text: one statement with values, or several without. Dates come as each database writes them. */
  exec(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Closes every connection; the embedded database's folder is given free. */
  close(): Promise<void>;
}

/**
 * What the schema of a database may be when it is opened. `update`: any that is not newer, which is then brought up to date.
 * `current`: this version's, which is left as it is. `restore`: this version's, or none yet, which is then created.
 */
export type SchemaUse = 'update' | 'current' | 'restore';

export interface DatabaseOptions {
  /** Address of a PostgreSQL server; null for the embedded database. */
  databaseUrl: string | null;
  /** Folder below which the embedded database lives; null keeps it in memory (tests). */
  dataDir: string | null;
  /** Files that a database in memory begins with, as `dumpDataDir` writes them; made again when not given. */
  begin?: Blob;
  /** What its schema may be; brought up to date unless told otherwise. */
  schema?: SchemaUse;
  /** As a PostgreSQL server lists its connections; those of servers have the name that is not given. */
  name?: string;
  /** Most connections to a PostgreSQL server. */
  poolSize?: number;
  /** Milliseconds without a byte from a PostgreSQL server after which a connection counts as dead. */
  silentMs?: number;
}
