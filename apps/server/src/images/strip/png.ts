/** PNG, including animated ones: chunks that the image needs are kept; all others are removed. */
import { crc32 } from 'node:zlib';
import { Broken, letters, part, type Removed, type Stripped } from './bytes.ts';
import { orientationBlock, orientationIn } from './exif.ts';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a chunk's length, name and checksum. */
const FRAME_BYTES = 12;

/** Chunks for pixels, their colours, their shape, and frames. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);
const WORDS = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME']);

export interface Chunk {
  type: string;
  data: Buffer;
  /** Includes length, name and checksum. */
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
    // A capital letter marks a critical chunk: a reader that does not know it cannot show the image.
    if (/^[A-Z]/.test(type)) throw new Broken(`an unknown chunk ${type}`);
    const orientation = type === 'eXIf' ? orientationIn(data) : null;
    const upright = orientation === null ? null : orientationBlock(orientation);
    if (upright) kept.push(chunk(type, upright));
    if (!upright?.equals(data)) {
      removed.add(
        type === 'eXIf'
          ? 'location and camera'
          : WORDS.has(type)
            ? 'descriptions and comments'
            : 'other data',
      );
    }
  }
  if (end < bytes.length) removed.add('bytes after its end');
  return { content: Buffer.concat(kept), removed };
}

/** Returns the chunks of a PNG with corrected checksums, and the end of the file. @throws Broken */
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

/** Chunk at the start of an animation frame, with its width and height. */
const FRAME_CONTROL = 'fcTL';

/**
 * Returns the frames of an animated PNG after the first, each as a separate PNG, since the decoder only reads the
 * first.
 * @throws Broken
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
    // The default image may be the first frame, or come before all frames.
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
