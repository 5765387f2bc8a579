/** The CSV of an import in the database: pieces of one gzip stream, written and read without holding the whole. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { and, asc, eq, gt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importChunks } from '../platform/schema.ts';

/** Bytes of a stored piece. Writing one holds up the embedded database, and so the process, for some 3 ms. */
const PIECE_BYTES = 16_384;
/** Pieces read in one statement, and bytes unpacked at once: many small steps would cost more than the work itself. */
const PIECES_AT_ONCE = 8;
const UNPACKED_AT_ONCE = 131_072;

/**
 * Replaces the CSV of an import, or one of its files. The texts are taken one by one, with a pause for other work after
 * each.
 * @param part which file of the import, counted from 0
 */
export async function storeCsv(
  db: Db,
  importId: string,
  texts: AsyncIterable<string>,
  part = 0,
): Promise<void> {
  await db.delete(importChunks).where(ofPart(importId, part));
  let seq = 0;
  const store = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const data = bytes.subarray(at, at + PIECE_BYTES);
      await db.insert(importChunks).values({ importId, part, seq: seq++, data });
      await breathe();
    }
  };
  await pipeline(
    Readable.from(encoded(texts), { objectMode: false }),
    createGzip({ level: 3 }),
    async (stream: AsyncIterable<Buffer>) => {
      let held: Buffer[] = [];
      let size = 0;
      for await (const bytes of stream) {
        held.push(bytes);
        size += bytes.length;
        if (size < PIECE_BYTES) continue;
        await store(Buffer.concat(held));
        held = [];
        size = 0;
      }
      if (size > 0) await store(Buffer.concat(held));
    },
  );
}

/** The CSV of an import, or one of its files, as UTF-8, from its start each time it is iterated. */
export function readCsv(db: Db, importId: string, part = 0): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      const gunzip = createGunzip({ chunkSize: UNPACKED_AT_ONCE });
      const fed = pipeline(Readable.from(pieces(db, importId, part), { objectMode: false }), gunzip);
      // A failure shows while reading; this only keeps it from being reported twice.
      fed.catch(() => {});
      yield* gunzip as AsyncIterable<Uint8Array>;
      await fed;
    },
  };
}

/** Removes every file of an import. */
export async function deleteCsv(db: Db, importId: string): Promise<void> {
  await db.delete(importChunks).where(eq(importChunks.importId, importId));
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void, void> {
  for await (const text of texts) {
    yield Buffer.from(text, 'utf8');
    await breathe();
  }
}

function ofPart(importId: string, part: number) {
  return and(eq(importChunks.importId, importId), eq(importChunks.part, part));
}

async function* pieces(db: Db, importId: string, part: number): AsyncGenerator<Uint8Array, void, void> {
  let seq = -1;
  for (;;) {
    const rows = await db
      .select({ seq: importChunks.seq, data: importChunks.data })
      .from(importChunks)
      .where(and(ofPart(importId, part), gt(importChunks.seq, seq)))
      .orderBy(asc(importChunks.seq))
      .limit(PIECES_AT_ONCE);
    for (const row of rows) {
      yield row.data;
      seq = row.seq;
    }
    if (rows.length < PIECES_AT_ONCE) return;
  }
}
