/** Bytes in the database: parts of a gzip stream, written and read without holding all of it in memory. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { filePieces } from '../platform/schema.ts';

/** Size of a stored part in bytes. Writing one blocks the embedded database, and so the process, for about 3 ms. */
const PIECE_BYTES = 16_384;
/** Parts read per statement, and bytes unpacked at once: many small steps would cost more than the work itself. */
const PIECES_AT_ONCE = 8;
const UNPACKED_AT_ONCE = 131_072;

/**
 * Replaces stored content. Reads the content in parts, with a pause for other work after each.
 * @param part index from 0: an import has one for each of its CSVs
 * @returns the bytes of the content
 */
export async function storePieces(
  db: Db,
  fileId: string,
  content: AsyncIterable<string | Uint8Array>,
  part = 0,
): Promise<number> {
  await db.delete(filePieces).where(ofPart(fileId, part));
  let seq = 0;
  let bytes = 0;
  async function* counted() {
    for await (const piece of content) {
      const buffer = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
      bytes += buffer.length;
      yield buffer;
      await yieldTurn();
    }
  }
  const store = async (packed: Buffer) => {
    for (let at = 0; at < packed.length; at += PIECE_BYTES) {
      const data = packed.subarray(at, at + PIECE_BYTES);
      await db.insert(filePieces).values({ fileId, part, seq: seq++, data });
      await yieldTurn();
    }
  };
  await pipeline(
    Readable.from(counted(), { objectMode: false }),
    createGzip({ level: 3 }),
    async (stream: AsyncIterable<Buffer>) => {
      let held: Buffer[] = [];
      let size = 0;
      for await (const some of stream) {
        held.push(some);
        size += some.length;
        if (size < PIECE_BYTES) continue;
        await store(Buffer.concat(held));
        held = [];
        size = 0;
      }
      if (size > 0) await store(Buffer.concat(held));
    },
  );
  return bytes;
}

/** Returns the stored content, from the start for each iteration. */
export function readPieces(db: Db, fileId: string, part = 0): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      const gunzip = createGunzip({ chunkSize: UNPACKED_AT_ONCE });
      const fed = pipeline(Readable.from(pieces(db, fileId, part), { objectMode: false }), gunzip);
      // The error is thrown while reading; this avoids reporting it twice.
      fed.catch(() => {});
      yield* gunzip as AsyncIterable<Uint8Array>;
      await fed;
    },
  };
}

/** Deletes all parts. */
export async function deletePieces(db: Db, fileId: string): Promise<void> {
  await db.delete(filePieces).where(eq(filePieces.fileId, fileId));
}

function ofPart(fileId: string, part: number) {
  return and(eq(filePieces.fileId, fileId), eq(filePieces.part, part));
}

async function* pieces(db: Db, fileId: string, part: number): AsyncGenerator<Uint8Array, void, void> {
  let seq = -1;
  for (;;) {
    const rows = await db
      .select({ seq: filePieces.seq, data: filePieces.data })
      .from(filePieces)
      .where(and(ofPart(fileId, part), gt(filePieces.seq, seq)))
      .orderBy(asc(filePieces.seq))
      .limit(PIECES_AT_ONCE);
    for (const row of rows) {
      yield row.data;
      seq = row.seq;
    }
    if (rows.length < PIECES_AT_ONCE) return;
  }
}
