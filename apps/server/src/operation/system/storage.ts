/** Storage in use: tables, files and images in the database, and the data folder. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemStorage } from '@lms-admin/contract/system';
import { count, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { files, images } from '../../platform/schema.ts';

export async function storageOf(database: Database, dataFolder: string): Promise<SystemStorage> {
  const { db } = database;
  const [whole, tables, [kept], [shown], folder] = await Promise.all([
    database.exec('SELECT pg_database_size(current_database())::float8 AS bytes'),
    database.exec(
      'SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class ' +
        "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC, 1",
    ),
    db.select({ number: count(), bytes: sum(files.bytes) }).from(files),
    db.select({ number: count(), bytes: sum(images.bytes) }).from(images),
    bytesBelow(dataFolder),
  ]);
  return {
    database: Number(whole.rows[0]?.bytes),
    tables: tables.rows.map(({ name, bytes }) => ({ table: String(name), bytes: Number(bytes) })),
    folder,
    files: kept ?? { number: 0, bytes: 0 },
    images: shown ?? { number: 0, bytes: 0 },
  };
}

const sum = (column: typeof files.bytes | typeof images.bytes) =>
  sql<number>`coalesce(sum(${column}), 0)::float8`;

/** Counts the bytes of all files below a folder; files removed during the count are ignored. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await bytesBelow(path);
    else if (entry.isFile())
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
