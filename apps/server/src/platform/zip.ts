/** Zips that others have made, read by yauzl: what they say of their parts is held to while these are unpacked. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** It is no zip, or cut, damaged, protected, or not what it says of itself. */
export class BadZip extends Error {
  override name = 'BadZip';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the zip cannot be read', { cause });
  }
}

export interface SpooledZip {
  zip: ZipFile;
  /** Bytes. */
  size: number;
  /** Removes it. */
  close: () => Promise<void>;
}

const OPTIONS = { lazyEntries: true, autoClose: false, validateEntrySizes: true } as const;

/**
 * Lays a zip down in the data folder: its directory is at its end. Anyone who calls closes it.
 * @param named false where the names of its parts are nothing to us: those that no system takes are then no fault
 * @throws BadZip; what `bytes` throws
 */
export async function spooledZip(
  dataFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  named = true,
): Promise<SpooledZip> {
  const folder = join(dataFolder, 'uploads');
  const path = join(folder, `${randomUUID()}.zip`);
  // Nothing is waited for: a source may fail before someone listens to it.
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

/** Removes what a process that was killed has left behind. @param age milliseconds that a file must have been there */
export async function clearSpool(dataFolder: string, age: number): Promise<void> {
  const folder = join(dataFolder, 'uploads');
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs >= age) await rm(path, { force: true });
  }
}

/** A zip that lies in a file; the caller closes it. @throws BadZip */
export function openZip(path: string): Promise<ZipFile> {
  return opened((done) => yauzl.open(path, OPTIONS, done));
}

/** A zip that is in memory. @throws BadZip */
export function zipOf(bytes: Buffer): Promise<ZipFile> {
  return opened((done) => yauzl.fromBuffer(bytes, OPTIONS, done));
}

function opened(open: (done: (error: Error | null, zip: ZipFile) => void) => void): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open((error, zip) => (error ? reject(new BadZip(error)) : resolve(zip)));
  });
}

/** Its parts, in the order of its directory. @param most of them @throws BadZip */
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

/** A part, unpacked as it is read. @throws BadZip, also for another size or checksum than it says */
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
    if (sum !== entry.crc32) throw new Error('the checksum is another one');
  } catch (error) {
    throw new BadZip(error);
  }
}
