/** A zip of CSVs as the LMS takes it: laid down in the data folder while it is read, and removed whatever happens. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';
import { isWorkbookEntry, refuseWorkbook } from './kind-of-file.ts';
import { fileRefused } from './problems.ts';

/** Most files of a zip, most bytes that they unpack to, and how many times the bytes of the zip that may be. */
export const MAX_ZIP_FILES = 50;
export const MAX_ZIP_BYTES = 536_870_912;
const MAX_GROWTH = 100;
/** Small files pack well without being a bomb. */
const GROWTH_FROM_BYTES = 10_485_760;
/** Entries that are looked at before it counts as no zip of ours. */
const MOST_ENTRIES = 1_000;
/** What systems leave in archives, which is passed over without a word. */
const IGNORED = /__macosx|desktop d[bf]|(?:^|\/)\./i;

export interface Member {
  /** File name without folders. */
  name: string;
  bytes(): AsyncGenerator<Uint8Array, void, void>;
}

export interface Spooled {
  zip: ZipFile;
  size: number;
}

/** Lays a zip down, has it worked on, and removes it. @throws AppError bad-request when it is no zip */
export async function withSpooled(
  dataFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  work: (spooled: Spooled) => Promise<void>,
): Promise<void> {
  const folder = join(dataFolder, 'uploads');
  const path = join(folder, `${randomUUID()}.zip`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let zip: ZipFile | null = null;
  try {
    const out = createWriteStream(path, { mode: 0o600 });
    await pipeline(Readable.from(bytes, { objectMode: false }), out);
    zip = await opened(path);
    await work({ zip, size: out.bytesWritten });
  } finally {
    zip?.close();
    await rm(path, { force: true });
  }
}

/** Removes what a process that was killed has left behind. @param age milliseconds that a file must have been there */
export async function clearSpool(dataFolder: string, age: number): Promise<void> {
  const folder = join(dataFolder, 'uploads');
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs >= age) await rm(path, { force: true });
  }
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(brokenZip(error));
      else resolve(zip);
    });
  });
}

/** The CSVs of a zip, in the order in which they lie there. @throws AppError bad-request */
export async function membersOf({ zip, size }: Spooled): Promise<Member[]> {
  const entries = await entriesOf(zip);
  if (entries.some((entry) => isWorkbookEntry(entry.fileName))) refuseWorkbook('workbook');
  const files = entries.filter(({ fileName }) => !fileName.endsWith('/') && !IGNORED.test(fileName));
  const other = files.filter(({ fileName }) => !/\.csv$/i.test(fileName));
  if (other.length > 0) {
    throw fileRefused(
      'The zip has files that are no CSV files. Nothing has been sent.',
      other
        .slice(0, 100)
        .map(({ fileName }) => ({ row: null, field: null, message: `${plain(fileName)} is no CSV file.` })),
      'Remove them from the zip and upload it again.',
    );
  }
  if (files.length === 0) throw fileRefused('There is no CSV file in the zip.');
  if (files.length > MAX_ZIP_FILES) {
    throw fileRefused(
      `The zip has more than ${MAX_ZIP_FILES} files, the most that one upload takes.`,
      [],
      'Upload them in parts.',
    );
  }
  const unpacked = files.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > MAX_ZIP_BYTES) {
    throw fileRefused(
      `The zip unpacks to more than ${MAX_ZIP_BYTES / 1_048_576} MB, the most that one upload takes.`,
      [],
      'Upload its files in parts.',
    );
  }
  if (unpacked > Math.max(GROWTH_FROM_BYTES, size * MAX_GROWTH)) {
    throw fileRefused(
      `The zip unpacks to more than ${MAX_GROWTH} times its own size; the LMS refuses such files.`,
    );
  }
  const names = new Set<string>();
  return files.map((entry) => {
    const name = unused(plain(entry.fileName), names);
    names.add(name);
    return { name, bytes: () => unpackedBytes(zip, entry) };
  });
}

/** Two folders may each have a users.csv. */
function unused(name: string, names: ReadonlySet<string>): string {
  let one = name;
  for (let number = 2; names.has(one); number++) one = name.replace(/(\.csv)?$/i, ` (${number}).csv`);
  return one;
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entries.push(entry) > MOST_ENTRIES) reject(brokenZip(null));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error) => reject(brokenZip(error)));
    zip.readEntry();
  });
}

/** What the entry says about its size and its checksum is held to while it is unpacked. */
async function* unpackedBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, void> {
  try {
    const stream = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
    });
    let sum = 0;
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
    if (sum !== entry.crc32) throw new Error('the checksum is another one');
  } catch (error) {
    throw brokenZip(error);
  }
}

/** The last part of a path, fit to be shown. */
function plain(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return storable(name.replace(/\p{C}/gu, ' ').slice(-150)).trim() || 'file.csv';
}

function brokenZip(cause: unknown): AppError {
  const refused = fileRefused(
    'The zip cannot be read: it is damaged, or protected by a password.',
    [],
    'Make the zip again and upload it.',
  );
  refused.cause = cause;
  return refused;
}
