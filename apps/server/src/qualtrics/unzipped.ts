/**
 * The one file of an export's zip, unpacked as it comes. The zip says its sizes and its checksum only at its end (reference
 * of Qualtrics §5): the beginning is read by hand, and the end is held against what was unpacked.
 */
import { once } from 'node:events';
import { crc32, createInflateRaw } from 'node:zlib';
import { OutsideError } from '../outbound/errors.ts';
import { QUALTRICS } from './answers.ts';

const LOCAL_HEADER = 0x04034b50;
const LOCAL_BYTES = 30;
const CENTRAL_HEADER = 0x02014b50;
const CENTRAL_BYTES = 46;
const END_HEADER = 0x06054b50;
const END_BYTES = 22;
const DEFLATE = 8;
const ENCRYPTED = 1;
/** Of the end of the zip: its directory of one entry, with the longest name. */
const TAIL_BYTES = 132_000;
/** Names and extra fields of the beginning. */
const MOST_HEAD_BYTES = LOCAL_BYTES + 2 * 65_535;

/** The bytes. @param most of them @throws OutsideError `odd` for anything else than one whole entry, `too-much` */
export async function* unzipped(
  source: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Buffer, void, void> {
  const pieces = source[Symbol.asyncIterator]();
  const tail = new Tail();
  let head = Buffer.alloc(0);
  const next = async (): Promise<Buffer | null> => {
    const { done, value } = await pieces.next();
    if (done) return null;
    tail.add(value);
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  };
  try {
    let begins: number | null = null;
    while (begins === null) {
      const piece = await next();
      if (piece === null) throw odd('the file is no zip');
      head = Buffer.concat([head, piece]);
      begins = dataBegins(head);
    }
    const inflate = createInflateRaw();
    let over = false;
    inflate.once('end', () => {
      over = true;
    });
    const fed = (async () => {
      for (let piece: Buffer | null = head.subarray(begins); piece !== null; piece = await next()) {
        // Behind the data there is only the directory, which the tail has.
        if (over || inflate.destroyed || inflate.write(piece)) continue;
        await Promise.race([once(inflate, 'drain'), once(inflate, 'end'), once(inflate, 'close')]);
      }
      if (!over) inflate.end();
    })();
    // Whatever is wrong with the source ends the reading of what it gave.
    fed.catch((error: unknown) => inflate.destroy(error as Error));
    let [bytes, sum] = [0, 0];
    try {
      for await (const piece of inflate as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > most) throw tooMuch(most);
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
        ? odd('the file is cut or damaged')
        : error;
    }
    await fed;
    requireWhole(tail.bytes(), bytes, sum);
  } finally {
    await pieces.return?.();
  }
}

/** Where the packed data begin; null while too little of the head is there. @throws OutsideError */
function dataBegins(head: Buffer): number | null {
  if (head.length < LOCAL_BYTES) return null;
  if (head.readUInt32LE(0) !== LOCAL_HEADER) throw odd('the file is no zip');
  if ((head.readUInt16LE(6) & ENCRYPTED) !== 0 || head.readUInt16LE(8) !== DEFLATE)
    throw odd('the zip is packed in an unknown way');
  const begins = LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (head.length >= begins) return begins;
  if (head.length > MOST_HEAD_BYTES) throw odd('the file is no zip');
  return null;
}

/** The directory must name this one file, of this size and checksum. */
function requireWhole(tail: Buffer, bytes: number, sum: number): void {
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_HEADER) end--;
  if (end < 0) throw odd('the file is cut or damaged');
  const entries = tail.readUInt16LE(end + 10);
  if (entries !== 1) throw odd(`the zip has ${entries} files instead of one`);
  const entry = end - tail.readUInt32LE(end + 12);
  const isEntry = entry >= 0 && entry + CENTRAL_BYTES <= end && tail.readUInt32LE(entry) === CENTRAL_HEADER;
  if (!isEntry || tail.readUInt32LE(entry + 16) !== sum || tail.readUInt32LE(entry + 24) !== bytes)
    throw odd('the file is cut or damaged');
}

/** The last bytes of what went by. */
class Tail {
  #pieces: Uint8Array[] = [];
  #held = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#held += piece.byteLength;
    while (this.#held - (this.#pieces[0]?.byteLength ?? 0) >= TAIL_BYTES) {
      this.#held -= this.#pieces.shift()?.byteLength ?? 0;
    }
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

function odd(detail: string): OutsideError {
  return new OutsideError(QUALTRICS, 'odd', { sent: 'answered', detail });
}

function tooMuch(most: number): OutsideError {
  return new OutsideError(QUALTRICS, 'too-much', {
    sent: 'answered',
    detail: `an export of more than ${most} bytes`,
  });
}
