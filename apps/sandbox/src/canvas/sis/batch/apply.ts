import type { Applied } from '../../store/sis-batch.ts';
import { type Cells, type CsvFile, cellReader, isBlank } from '../csv/files.ts';
import { readRows } from '../csv/reader.ts';
import type { Importer, Work } from '../importers/work.ts';
import type { Pace } from './pace.ts';

/** Canvas's database takes no NUL; a file that brings one to it crashes the worker. */
export class NulInText extends Error {}

/** The worker died: data.error_message and data.stack_trace, and no file-level message (§7.2). */
export class WorkerCrash extends Error {}

interface Applying {
  importer: Importer;
  work: Work;
  pace: Pace;
  /** Told how many rows went by, for the progress. */
  advance: (rows: number) => void;
  /** What was done of this file before; kept up to date. */
  applied: Applied;
  /** After so many rows of this file the worker crashes, when that fault was asked for. */
  crashAfter: number;
}

/**
 * Applies a checked file row by row. Rows wait in a buffer of the importer's size, so that basic messages
 * of a buffer come before its lookup messages (§7.4).
 */
export async function applyFile(
  file: CsvFile,
  { importer, work, pace, advance, applied, crashAfter }: Applying,
): Promise<void> {
  const read = cellReader(importer.columns, file.header);
  const skipDeletes = work.options.skip_deletes;
  let buffer: Cells<string>[] = [];
  work.fileName = file.name;

  /** All rows up to this one are done with then. */
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

/** Kinds that refuse a row with a NUL in words of their own. */
const SAY_NUL: ReadonlySet<string> = new Set(['user', 'login']);

function refuseNul(row: Cells<string>): void {
  for (const value of Object.values(row))
    if (typeof value === 'string' && value.includes('\0')) throw new NulInText('string contains null byte');
}
