/** Reads the stored CSV of an import row by row, without holding it; other work gets its turn in between. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Db } from '../platform/database.ts';
import { csvParser } from './csv-parser.ts';
import { readCsv } from './csv-store.ts';

export interface StoredRow {
  header: string[];
  /** 1-based row of the stored CSV, the header being row 1. */
  row: number;
  cells: string[];
}

/** Every row below the header. @param part which file of the import, counted from 0 */
export async function* storedRows(db: Db, importId: string, part = 0): AsyncGenerator<StoredRow, void, void> {
  const parser = csvParser({ skip_empty_lines: true });
  let failed: Error | null = null;
  parser.on('error', (error) => {
    failed ??= error;
  });
  let header: string[] | null = null;
  let row = 0;
  const taken = function* (): Generator<StoredRow, void, void> {
    for (let cells: string[] | null = parser.read(); cells !== null; cells = parser.read()) {
      row++;
      if (header === null) header = cells;
      else yield { header, row, cells };
    }
  };
  try {
    for await (const bytes of readCsv(db, importId, part)) {
      parser.write(bytes);
      yield* taken();
      await breathe();
      if (failed) throw failed;
    }
    parser.end();
    await breathe();
    yield* taken();
    if (failed) throw failed;
  } finally {
    parser.destroy();
  }
}
