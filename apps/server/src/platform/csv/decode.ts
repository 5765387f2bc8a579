/** Decodes bytes as they arrive: UTF-8 with or without a mark, UTF-16, and the Windows-1252 of older Excels. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { SisEncoding } from '@lms-admin/contract/sis-files';
import { OddWords, type Sample } from '@lms-admin/domain/encodings';

/** The bytes are not valid in their encoding. The text before them has already been yielded. */
export class BadEncoding extends Error {}

/** The encoding that was detected; known once all bytes have been read. */
export interface Decoding {
  encoding: SisEncoding;
  /** Other encodings that fit as well, with sample words; the first is the one used. */
  readings?: Sample[];
}

/**
 * Yields the text in pieces, without a byte-order mark.
 * @param found receives the encoding
 * @throws BadEncoding
 */
export async function* decoded(
  source: AsyncIterable<Uint8Array>,
  found: Decoding = { encoding: 'utf-8' },
): AsyncGenerator<string, void, void> {
  const pieces = source[Symbol.asyncIterator]();
  const head = await atLeast(pieces, 4);
  const mark = markOf(head);
  found.encoding = mark.encoding;
  const rest = chained(head.subarray(mark.bytes), pieces);
  if (mark.encoding === 'utf-8') yield* fromBytes(rest, found, mark.bytes > 0);
  else yield* through(new TextDecoder(mark.encoding, { fatal: true, ignoreBOM: true }), rest);
}

async function atLeast(pieces: AsyncIterator<Uint8Array>, bytes: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < bytes) {
    const next = await pieces.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/** Detects the encoding by its byte-order mark, or by the NUL bytes that plain letters have in UTF-16. */
function markOf(head: Buffer): { encoding: SisEncoding; bytes: number } {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  if (a !== undefined && a !== 0 && b === 0) return { encoding: 'utf-16le', bytes: 0 };
  if (a === 0 && b !== undefined && b !== 0) return { encoding: 'utf-16be', bytes: 0 };
  return { encoding: 'utf-8', bytes: 0 };
}

async function* chained(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  if (first.length > 0) yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done) return;
    yield asBuffer(next.value);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function* through(
  decoder: TextDecoder,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<string, void, void> {
  const decode = (bytes?: Buffer) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new BadEncoding();
    }
  };
  for await (const bytes of source) yield decode(bytes);
  const last = decode();
  if (last !== '') yield last;
}

/**
 * Decodes UTF-8 or Windows-1252: they differ from the first non-ASCII character on, and UTF-8 must stay valid after it.
 * Words with such characters are collected, since other encodings may fit as well.
 * @param marked whether it must be UTF-8
 */
async function* fromBytes(
  source: AsyncIterable<Buffer>,
  found: Decoding,
  marked: boolean,
): AsyncGenerator<string, void, void> {
  let sure = marked;
  let held = Buffer.alloc(0);
  const words = marked ? null : new OddWords();
  const pieces = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await pieces.next();
    const bytes: Buffer = next.done ? held : held.length > 0 ? Buffer.concat([held, next.value]) : next.value;
    held = Buffer.alloc(0);
    if (bytes.length > 0 && !isAscii(bytes)) {
      const cut = next.done ? bytes.length : wholeCharacters(bytes);
      const whole = bytes.subarray(0, cut);
      if (!sure && !isAscii(whole)) {
        if (!isUtf8(firstOddCharacter(whole))) {
          found.encoding = 'windows-1252';
          const rest = words ? buffered(chained(bytes, pieces), words) : chained(bytes, pieces);
          yield* through(new TextDecoder('windows-1252'), rest);
          if (words) found.readings = words.samples();
          return;
        }
        sure = true;
      }
      held = Buffer.from(bytes.subarray(cut));
      if (!isUtf8(whole)) {
        yield whole.toString('utf8', 0, goodLength(whole));
        throw new BadEncoding();
      }
      words?.add(whole);
      if (whole.length > 0) yield whole.toString('utf8');
    } else if (bytes.length > 0) {
      words?.add(bytes);
      yield bytes.toString('latin1');
    }
    if (next.done) break;
  }
  if (words) found.readings = words.strange();
}

/** Passes the bytes on while collecting sample words. */
async function* buffered(source: AsyncIterable<Buffer>, words: OddWords): AsyncGenerator<Buffer, void, void> {
  for await (const bytes of source) {
    words.add(bytes);
    yield bytes;
  }
}

/** Returns the length in bytes of the character that begins with this byte; 1 if the byte begins none. */
function characterLength(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc0 && first < 0xe0 ? 2 : 1;
}

/** Returns the position of a cut that does not split a character. */
function wholeCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    const byte = bytes[at] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return at + characterLength(byte) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function firstOddCharacter(bytes: Buffer): Buffer {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return bytes.subarray(at, at + characterLength(bytes[at] as number));
}

function goodLength(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const length = characterLength(bytes[at] as number);
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}
