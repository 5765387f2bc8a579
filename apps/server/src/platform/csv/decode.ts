/** Turns bytes into text as they come: UTF-8 with or without mark, UTF-16, and the Windows-1252 of older Excels. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { SisEncoding } from '@lms-admin/contract/sis-files';
import { OddWords, type Sample } from '@lms-admin/domain/encodings';

/** The bytes hold characters that their encoding does not have. What came before has been given out. */
export class BadEncoding extends Error {}

/** What the bytes turned out to be; known once they have been read. */
export interface Decoding {
  encoding: SisEncoding;
  /** Other encodings that fit as well, with what words would read as; the first is what was taken. */
  readings?: Sample[];
}

/**
 * The text in pieces, without a byte-order mark.
 * @param found is told the encoding
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

/** By its mark; without one, by the NUL bytes that plain letters have in UTF-16. */
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
 * UTF-8 or Windows-1252: the same for plain letters, told apart by the first character that is none. From then on a UTF-8
 * text must stay one. Words with other letters are gathered, since other encodings may fit as well.
 * @param marked whether it has to be UTF-8
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
          const rest = words ? gathered(chained(bytes, pieces), words) : chained(bytes, pieces);
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

/** The bytes, looked at as they pass. */
async function* gathered(source: AsyncIterable<Buffer>, words: OddWords): AsyncGenerator<Buffer, void, void> {
  for await (const bytes of source) {
    words.add(bytes);
    yield bytes;
  }
}

/** Bytes of the character that begins with this byte; 1 where none does. */
function characterLength(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc0 && first < 0xe0 ? 2 : 1;
}

/** Where to cut so that no character of several bytes is parted. */
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
