import { type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { Kept } from '../../files/spool.ts';

/** A file that Canvas does not unpack: not an archive, or one that expands too much (§7.1). */
export class BadArchive extends Error {}

/** A file in an archive; it is unpacked for each reading and never kept unpacked. */
export interface Member {
  /** Path including folders. */
  path: string;
  size: number;
  open: () => Promise<AsyncIterable<Buffer>>;
}

/** Canvas unpacks an archive to less than a hundred times its size, and to 50 GB at most. */
const MOST_GROWTH = 100;
const MOST_BYTES = 50 * 1024 ** 3;
const MOST_MEMBERS = 100_000;

/** Files that systems add to archives, which are silently skipped. */
const IGNORED = /__macosx|desktop d[bf]|(?:^|\/)\./i;

/** Lists the files in an archive, in order of their paths. @throws BadArchive */
export async function membersOf(kept: Kept): Promise<Member[]> {
  const zip = await openZip(kept.source);
  const members: Member[] = [];
  let unpacked = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      unpacked += entry.uncompressedSize;
      if (unpacked >= Math.min(kept.size * MOST_GROWTH, MOST_BYTES) || members.length >= MOST_MEMBERS)
        throw new BadArchive('the archive unpacks to too much');
      if (entry.fileName.endsWith('/') || IGNORED.test(entry.fileName)) continue;
      members.push({
        path: entry.fileName,
        size: entry.uncompressedSize,
        open: () => openMember(zip, entry),
      });
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive(String(error));
  }
  return members.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function openZip(source: Buffer | FileHandle): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false };
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile) => {
      if (error) reject(new BadArchive(error.message));
      else resolve(zip);
    };
    if (Buffer.isBuffer(source)) yauzl.fromBuffer(source, options, opened);
    else yauzl.fromFd(source.fd, options, opened);
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (let read = 0; read < zip.entryCount; read++) {
    yield await new Promise<Entry>((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('error', reject);
      zip.readEntry();
    });
    zip.removeAllListeners('error');
  }
}

function openMember(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error: Error | null, stream: Readable) => {
      if (error) reject(new BadArchive(error.message));
      else resolve(checked(stream));
    });
  });
}

/**
 * Checks a member while it is unpacked, because an archive can misstate a member's size or contain damaged
 * data.
 */
async function* checked(stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new BadArchive(String(error));
  }
}
