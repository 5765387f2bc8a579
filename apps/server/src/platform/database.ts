/** The database that everything is kept in: what it offers, whichever of the two it is. */
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

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
