/** The tables of a backup, and their rows as text: the same on both databases. */
import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../../platform/schema.ts';

export interface BackupTable {
  name: string;
  columns: readonly { name: string; type: string }[];
  /** The column whose numbers the database assigns. */
  numbered: string | null;
}

/**
 * Tells whether a table belongs to the directory, which is read again from the LMS, so that a backup does not restore
 * people deleted there.
 */
const isCopy = (name: string) => name.startsWith('directory_');

/** Returns all tables except the directory's; tables that others refer to come first. */
export function backupTables(): BackupTable[] {
  const tables = Object.values(schema)
    .filter((one) => is(one, PgTable))
    .filter((one) => !isCopy(getTableConfig(one).name));
  const sorted: BackupTable[] = [];
  const add = (table: PgTable) => {
    const { name, foreignKeys } = getTableConfig(table);
    if (sorted.some((one) => one.name === name)) return;
    for (const key of foreignKeys) add(key.reference().foreignTable);
    const columns = Object.values(getTableColumns(table));
    sorted.push({
      name,
      columns: columns.map((column) => ({ name: column.name, type: column.getSQLType() })),
      numbered: columns.find((column) => column.generatedIdentity)?.name ?? null,
    });
  };
  tables.forEach(add);
  return sorted;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
