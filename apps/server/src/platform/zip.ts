/** Zips from other programs, read by yauzl: what they declare about their parts is checked while these are unpacked. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** Thrown for a file that is not a zip, or is cut off, damaged, encrypted, or inconsistent. */
export class BadZip extends Error {
  override name = 'BadZip';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the zip cannot be read', { cause });
  }
}

export interface SpooledZip {
  zip: ZipFile;
  /** Size in bytes. */
  size: number;
  /** Closes and deletes the file. */
  close: () => Promise<void>;
}

const OPTIONS = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;

/**
 * Stores a zip in the data folder, because its directory is at its end. The caller closes it.
 * @param named false if the names of its parts do not matter: names that no system accepts are then allowed
 * @throws BadZip; like `bytes`
 */
export async function spooledZip(
  dataFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  named = true,
): Promise<SpooledZip> {
  const folder = join(dataFolder, 'uploads');
  const path = join(folder, `${randomUUID()}.zip`);
  // Synchronous: with an `await` here, the source could fail before anything listens to it.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const out = createWriteStream(path, { mode: 0o600 });
    await pipeline(bytes, out);
    const zip = await opened((done) => yauzl.open(path, { ...OPTIONS, decodeStrings: named }, done));
    const close = async () => {
      zip.close();
      await rm(path, { force: true });
    };
    return { zip, size: out.bytesWritten, close };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes files left behind by a killed process. @param age minimum age of a removed file, in milliseconds */
export async function clearSpool(dataFolder: string, age: number): Promise<void> {
  const folder = join(dataFolder, 'uploads');
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs >= age) await rm(path, { force: true });
  }
}

/** Opens a zip file, which the caller closes. @throws BadZip */
export function openZip(path: string): Promise<ZipFile> {
  return opened((done) => yauzl.open(path, OPTIONS, done));
}

/** Opens a zip in memory. @throws BadZip */
export function zipOf(bytes: Buffer): Promise<ZipFile> {
  return opened((done) => yauzl.fromBuffer(bytes, OPTIONS, done));
}

function opened(open: (done: (error: Error | null, zip: ZipFile) => void) => void): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open((error, zip) => (error ? reject(new BadZip(error)) : resolve(zip)));
  });
}

/** Reads the entries, in the order of the directory. @param most largest number of entries @throws BadZip */
export function entriesOf(zip: ZipFile, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entries.push(entry) > most) reject(new BadZip(new Error(`it has more than ${most} parts`)));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error) => reject(new BadZip(error)));
    zip.readEntry();
  });
}

/** Unpacks an entry as it is read. @throws BadZip, including if its size or checksum differs from the declared one */
export async function* entryBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void, void> {
  try {
    const stream = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, opening) => (error ? reject(error) : resolve(opening)));
    });
    let sum = 0;
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
    if (sum !== entry.crc32) throw new Error('the checksum is wrong');
  } catch (error) {
    throw new BadZip(error);
  }
}
