import type { Applied } from '../../store/sis-batch.ts';
import { type Cells, type CsvFile, cellReader, isBlank } from '../csv/files.ts';
import { readRows } from '../csv/reader.ts';
import type { Importer, Work } from '../importers/work.ts';
import type { Pace } from './pace.ts';

/** Canvas's database does not accept NUL; a file that contains one crashes the worker. */
export class NulInText extends Error {}

/** The worker crashed: data.error_message and data.stack_trace, and no file-level message (§7.2). */
export class WorkerCrash extends Error {}

interface Applying {
  importer: Importer;
  work: Work;
  pace: Pace;
  /** Called with the number of rows processed, for the progress. */
  advance: (rows: number) => void;
  /** How much of this file was applied before; kept up to date. */
  applied: Applied;
  /** After this many rows of the file the worker crashes, if that fault was requested. */
  crashAfter: number;
}

/**
 * Applies a checked file row by row. Rows wait in a buffer of the importer's size, so that a buffer's basic messages
 * come before its lookup messages (§7.4).
 */
export async function applyFile(
  file: CsvFile,
  { importer, work, pace, advance, applied, crashAfter }: Applying,
): Promise<void> {
  const read = cellReader(importer.columns, file.header);
  const skipDeletes = work.options.skip_deletes;
  let buffer: Cells<string>[] = [];
  work.fileName = file.name;

  /** Applies the buffered rows. After the call, all rows up to this one are done. */
  const flush = (rows: number): void => {
    for (const row of buffer) {
      const outcome = importer.apply(row, work);
      if (outcome === true) applied.counted++;
      else if (outcome !== false) work.warn(row.row, outcome);
    }
    buffer = [];
    applied.rows = rows;
    work.world.sisBatches.touch(work.batch);
  };

  const before = applied.rows;
  let header = true;
  let rows = 0;
  let since = 0;
  for await (const group of readRows(file.open, file.layout)) {
    for (const raw of group) {
      if (header) {
        header = false;
        continue;
      }
      rows = raw.row - 1;
      if (rows <= before) continue;
      if (rows > crashAfter) {
        flush(rows - 1);
        throw new WorkerCrash('The worker was killed');
      }
      since++;
      if (!isBlank(raw)) {
        const row = read(raw);
        if (file.layout.hasNul && !SAY_NUL.has(importer.kind)) refuseNul(row);
        const refusal = importer.check(row, work);
        if (refusal !== undefined) work.warn(row.row, refusal);
        else if (!(skipDeletes && /deleted/i.test(row['status'] ?? ''))) {
          buffer.push(row);
          if (buffer.length >= importer.buffer) flush(rows);
        }
      }
      if (since >= pace.step) {
        advance(since);
        await pace.done(since);
        since = 0;
      }
    }
  }
  flush(rows);
  advance(since);
  await pace.done(since);
}

/** Kinds that reject a row with a NUL in their own words. */
const SAY_NUL: ReadonlySet<string> = new Set(['user', 'login']);

function refuseNul(row: Cells<string>): void {
  for (const value of Object.values(row))
    if (typeof value === 'string' && value.includes('\0')) throw new NulInText('string contains null byte');
}
