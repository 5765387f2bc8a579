/** PNG, also moving: chunks that the picture needs are kept as they are, all others are left out. */
import { crc32 } from 'node:zlib';
import { Broken, letters, part, type Removed, type Stripped } from './bytes.ts';
import { orientationBlock, orientationIn } from './exif.ts';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Name, length and checksum. */
const FRAME_BYTES = 12;

/** Pixels, their meaning as colours, their shape, and frames. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);
const WORDS = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME']);

export interface Chunk {
  type: string;
  data: Buffer;
  /** With its length, name and checksum. */
  whole: Buffer;
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** @throws Broken */
export function stripPng(bytes: Buffer): Stripped {
  const { chunks, end } = chunksIn(bytes);
  const removed = new Set<Removed>();
  const kept: Buffer[] = [SIGNATURE];
  for (const { type, data, whole } of chunks) {
    if (KEPT.has(type)) {
      kept.push(whole);
      continue;
    }
    // A capital letter: who does not know it cannot show the picture.
    if (/^[A-Z]/.test(type)) throw new Broken(`an unknown chunk ${type}`);
    const orientation = type === 'eXIf' ? orientationIn(data) : null;
    const upright = orientation === null ? null : orientationBlock(orientation);
    if (upright) kept.push(chunk(type, upright));
    if (!upright?.equals(data)) {
      removed.add(
        type === 'eXIf' ? 'place and camera' : WORDS.has(type) ? 'descriptions and comments' : 'other data',
      );
    }
  }
  if (end < bytes.length) removed.add('bytes after its end');
  return { content: Buffer.concat(kept), removed };
}

/** The chunks of a PNG, each with the checksum that it should have, and where the file ends. @throws Broken */
export function chunksIn(bytes: Buffer): { chunks: Chunk[]; end: number } {
  if (!isPng(bytes)) throw new Broken('no PNG');
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  for (;;) {
    const length = part(bytes, at, 4).readUInt32BE();
    const type = letters(bytes, at + 4, 4);
    const data = part(bytes, at + 8, length);
    const sum = part(bytes, at + 8 + length, 4).readUInt32BE();
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== sum)
      throw new Broken(`a wrong checksum of ${type}`);
    const whole = bytes.subarray(at, at + length + FRAME_BYTES);
    at += whole.length;
    if ((chunks.length === 0) !== (type === 'IHDR')) throw new Broken('the header is not first, or twice');
    chunks.push({ type, data, whole });
    if (type === 'IEND') return { chunks, end: at };
  }
}

export function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + FRAME_BYTES);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}

/** Where a frame of a moving PNG begins: its width and height. */
const FRAME_CONTROL = 'fcTL';

/**
 * The pictures of a moving PNG that are not its first one, each as a PNG of its own: what a decoder that knows only the first
 * would not see. @throws Broken
 */
export function framesOf(bytes: Buffer): Buffer[] {
  const { chunks } = chunksIn(bytes);
  if (!chunks.some(({ type }) => type === FRAME_CONTROL || type === 'fdAT')) return [];
  const header = chunks[0]?.data ?? Buffer.alloc(0);
  const canvas = part(header, 0, 13);
  const shared = chunks.filter(({ type }) => type === 'PLTE' || type === 'tRNS');
  const frames: { header: Buffer; pieces: Buffer[] }[] = [];
  let isFirst = true;
  for (const { type, data } of chunks) {
    if (type === FRAME_CONTROL) {
      const sizes = part(data, 4, 16);
      const [width, height, left, top] = [0, 4, 8, 12].map((at) => sizes.readUInt32BE(at)) as [
        number,
        number,
        number,
        number,
      ];
      if (left + width > canvas.readUInt32BE(0) || top + height > canvas.readUInt32BE(4)) {
        throw new Broken('a frame beyond the picture');
      }
      const own = Buffer.from(canvas);
      sizes.copy(own, 0, 0, 8);
      frames.push({ header: own, pieces: [] });
    }
    // The picture itself may be the first frame, or stand before all of them.
    if (type === 'IDAT' && isFirst) {
      isFirst = false;
      frames.pop();
    }
    if (type === 'fdAT') {
      const frame = frames.at(-1);
      if (!frame) throw new Broken('a frame without its size');
      frame.pieces.push(part(data, 4, data.length - 4));
    }
  }
  return frames.map(({ header: own, pieces }) =>
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', own),
      ...shared.map(({ type, data }) => chunk(type, data)),
      chunk('IDAT', Buffer.concat(pieces)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}
