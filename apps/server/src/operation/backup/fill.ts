/** Fills an empty database with the rows of a backup, in one transaction. */
import { sql } from 'drizzle-orm';
import { createAudit } from '../../platform/audit.ts';
import type { Db } from '../../platform/database.ts';
import { installation } from '../../platform/schema.ts';
import { Refusal } from '../refusal.ts';
import type { Manifest } from './manifest.ts';
import { type BackupTable, backupTables, quoted } from './tables.ts';

/** Maximum number of rows inserted together, and of characters in them. */
const MOST_ROWS = 1_000;
const PIECE = 4_000_000;

const headOf = (line: string) => JSON.parse(line) as { table: string; columns: string[] };

/**
 * @param lines from `readSnapshot`
 * @param held whether work that changes another system waits for an operator
 * @throws Refusal if the database is not empty
 */
export async function fillDatabase(
  db: Db,
  lines: AsyncIterable<string>,
  { madeAt: createdAt, version }: Manifest,
  audit: ReturnType<typeof createAudit>,
  { login, held }: { login: string; held: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    // A server that starts during the restore waits here, and then finds the restored data.
    await tx.execute(sql.raw('LOCK TABLE installation IN ACCESS EXCLUSIVE MODE'));
    await requireEmpty(tx);
    const tables = new Map(backupTables().map((one) => [one.name, one]));
    let insert: ((rows: string) => Promise<unknown>) | null = null;
    let [rows, size]: [string[], number] = [[], 0];
    const flush = async () => {
      if (rows.length > 0) await insert?.(`[${rows.join(',')}]`);
      [rows, size] = [[], 0];
    };
    for await (const line of lines) {
      if (line.startsWith('{')) {
        await flush();
        const { table, columns } = headOf(line);
        const known = tables.get(table);
        if (!known)
          throw new Error(`the backup contains the table ${table}, which this version does not know`);
        const statement = insertOf(known, columns);
        insert = (values) =>
          tx.execute(sql`${sql.raw(statement[0])}${sql.param(values)}${sql.raw(statement[1])}`);
        continue;
      }
      rows.push(line);
      size += line.length;
      if (rows.length >= MOST_ROWS || size >= PIECE) await flush();
    }
    await flush();
    for (const { name, numbered } of tables.values()) {
      if (numbered === null) continue;
      const last = `(SELECT max(${quoted(numbered)}) FROM ${quoted(name)})`;
      await tx.execute(
        sql.raw(
          `SELECT setval(pg_get_serial_sequence('${name}', '${numbered}'), ${last}) WHERE ${last} IS NOT NULL`,
        ),
      );
    }
    await tx.update(installation).set({
      restoredAt: new Date(),
      backupOf: new Date(createdAt),
      restoreReportedAt: null,
      heldAt: held ? new Date() : null,
    });
    await audit.writeAll(tx, [
      { login, tool: 'operation', event: 'backup-restored', detail: { backup: createdAt, version, held } },
    ]);
  });
}

async function requireEmpty(tx: Db): Promise<void> {
  for (const { name } of backupTables()) {
    const found = await tx.execute(sql.raw(`SELECT 1 FROM ${quoted(name)} LIMIT 1`));
    if ((found as { rows: unknown[] }).rows.length > 0) {
      throw new Refusal(
        'The database is not empty, and nothing was changed in it.',
        'Set LMS_ADMIN_DATA to a new folder, or DATABASE_URL to a new database, and restore there.',
      );
    }
  }
}

/** Creates a statement with one parameter: a JSON list of rows, each a list of texts. */
function insertOf({ name, columns }: BackupTable, given: readonly string[]): [string, string] {
  const values = given.map((column, at) => {
    const type = columns.find((one) => one.name === column)?.type;
    if (type === undefined)
      throw new Error(`the backup contains the column ${name}.${column}, which this version does not know`);
    return `(row->>${at})::${type}`;
  });
  return [
    `INSERT INTO ${quoted(name)} (${given.map(quoted).join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM jsonb_array_elements(`,
    '::jsonb) AS row',
  ];
}
