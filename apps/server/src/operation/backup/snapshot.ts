/**
 * The rows of the whole database as lines of text, all as of one moment. A cursor in one read-only transaction works
 * on both databases, uses little memory, and lets servers on PostgreSQL keep writing (docs/decisions/backup.md).
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { backupTables, quoted } from './tables.ts';

/** Receives a piece of text; the snapshot waits until it has been processed. */
export type Hear = (text: string) => Promise<void>;

/** Rows read together, initially and at most, and the number of characters to aim for. */
const FIRST_ROWS = 50;
const MOST_ROWS = 2_000;
const PIECE = 2_000_000;
/** Times in UTC and bytes as hex digits, whatever the server's settings. */
const SETTINGS = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL DateStyle = 'ISO'",
  "SET LOCAL bytea_output = 'hex'",
];

/**
 * Yields `{"table":…,"columns":[…]}` before the rows of each table, and each row as a list of texts.
 * @returns the number of rows of each table
 */
export function readSnapshot(db: Db, hear: Hear): Promise<Record<string, number>> {
  return db.transaction(
    async (tx) => {
      const counts: Record<string, number> = {};
      const rowsOf = async (statement: SQL) => (await tx.execute(statement)) as { rows: { row: string }[] };
      for (const setting of SETTINGS) await tx.execute(sql.raw(setting));
      for (const { name, columns } of backupTables()) {
        await hear(`${JSON.stringify({ table: name, columns: columns.map((one) => one.name) })}\n`);
        const texts = columns.map((one) => `${quoted(one.name)}::text`).join(', ');
        await tx.execute(
          sql.raw(
            `DECLARE backup NO SCROLL CURSOR FOR SELECT json_build_array(${texts})::text AS row FROM ${quoted(name)}`,
          ),
        );
        counts[name] = 0;
        for (let size = FIRST_ROWS; ; ) {
          const { rows } = await rowsOf(sql.raw(`FETCH ${size} FROM backup`));
          if (rows.length === 0) break;
          const text = `${rows.map(({ row }) => row).join('\n')}\n`;
          await hear(text);
          counts[name] += rows.length;
          if (text.length > PIECE) size = Math.max(1, Math.floor(size / 2));
          else if (text.length < PIECE / 4) size = Math.min(MOST_ROWS, size * 2);
        }
        await tx.execute(sql.raw('CLOSE backup'));
      }
      return counts;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
