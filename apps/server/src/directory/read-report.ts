/** Reads the file of a report into the tables being filled: one batch at a time, each under the job's lease. */
import { BadCsv, CsvReader } from '@lms-admin/domain/csv-reader';
import type { DirectoryTable } from '@lms-admin/domain/directory';
import type { Entry, ZipFile } from 'yauzl';
import { Cancelled, type JobWork } from '../jobs/kind.ts';
import { csvBatches } from '../platform/csv/batches.ts';
import { storable } from '../platform/text.ts';
import { Turns } from '../platform/turns.ts';
import { BadZip, entriesOf, entryBytes, spooledZip } from '../platform/zip.ts';
import { addRows, BadRow, emptyFilled, REPORT_FILES, rowOf } from './tables.ts';

/** The file is incomplete, damaged, or lacks a column. The message says where, and names no person. */
export class BadReport extends Error {
  override name = 'BadReport';
}

/** Rows per transaction. */
const AT_ONCE = 500;
const MOST_ENTRIES = 100;
/** Reports of the LMS may contain long names, and quotes. */
const LONGEST = { line: 200_000, row: 200_000 };

/**
 * Reads the whole file, holding only a few hundred rows in memory.
 * @param folder for the zip while it is read, because its list of files is at the end
 * @throws BadReport; Cancelled; errors of `bytes`
 */
export async function readReportFile(
  work: JobWork,
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
  untouched: string,
): Promise<void> {
  try {
    const { zip, close } = await spooledZip(folder, bytes);
    try {
      await work.save({ stage: 'Reading the report', done: 0, total: null, unit: 'rows' }, emptyFilled);
      const entries = await entriesOf(zip, MOST_ENTRIES);
      const progress = { rows: 0 };
      for (const one of REPORT_FILES) {
        const entry = entries.find(({ fileName }) => fileName.split('/').at(-1) === `${one.file}.csv`);
        if (!entry) throw new BadReport(`it has no ${one.file}.csv`);
        await readFile(work, { zip, entry, ...one }, progress, untouched);
      }
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof BadZip) throw new BadReport('the file is incomplete or damaged');
    throw error;
  }
}

type Rows = Record<string, string | null>[];

async function readFile(
  work: JobWork,
  { zip, entry, file, tables }: { zip: ZipFile; entry: Entry } & (typeof REPORT_FILES)[number],
  progress: { rows: number },
  untouched: string,
): Promise<void> {
  const all = Object.entries(tables) as [DirectoryTable, NonNullable<(typeof tables)[DirectoryTable]>][];
  let header: string[] | null = null;
  let held: Map<DirectoryTable, Rows> = new Map(all.map(([table]) => [table, []]));
  let number = 0;
  const flush = async () => {
    if (work.cancel.aborted) throw new Cancelled(untouched);
    const rows = held;
    held = new Map(all.map(([table]) => [table, []]));
    progress.rows += number;
    number = 0;
    await work.save({ done: progress.rows }, async (tx) => {
      for (const [table, columns] of all) await addRows(tx, table, columns, rows.get(table) ?? []);
    });
  };
  const turns = new Turns();
  try {
    for await (const batch of csvBatches(wholeText(entryBytes(zip, entry)), new CsvReader(',', LONGEST))) {
      for (const { cells } of batch) {
        await turns.pass();
        if (header === null) {
          header = cells;
          const missing = all.flatMap(([, columns]) => columns).find(({ from }) => !cells.includes(from));
          if (missing) throw new BadReport(`${file}.csv has no column ${missing.from}`);
          continue;
        }
        if (cells.length !== header.length) throw new BadReport(`a line of ${file}.csv is incomplete`);
        const named = new Map(header.map((name, at) => [name, storable(cells[at] ?? '')]));
        for (const [table, columns] of all) held.get(table)?.push(rowOf(columns, named));
        if (++number >= AT_ONCE) await flush();
      }
    }
  } catch (error) {
    if (error instanceof BadCsv || error instanceof BadRow)
      throw new BadReport(`a line of ${file}.csv cannot be read`);
    throw error;
  }
  if (header === null) throw new BadReport(`${file}.csv is empty`);
  if (number > 0) await flush();
}

/** Returns the text of a file, which must end with a line break. @throws BadReport for an incomplete file */
async function* wholeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Buffer) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new BadReport('it contains characters that are not valid UTF-8');
    }
  };
  let last = '';
  for await (const piece of bytes) {
    const text = decode(piece);
    last = text.at(-1) ?? last;
    yield text;
  }
  last = decode().at(-1) ?? last;
  if (last !== '\n') throw new BadReport('its last line is incomplete');
}
