/** WebP: chunks that the image needs are kept; all others are removed. */
import { Broken, letters, part, type Removed, type Stripped } from './bytes.ts';
import { orientationBlock, orientationIn } from './exif.ts';

const HEAD_BYTES = 12;
/** Bytes of a frame's header before its chunks. */
const FRAME_BYTES = 16;
const PIXELS = new Set(['VP8 ', 'VP8L', 'ALPH']);
const KEPT = new Set([...PIXELS, 'VP8X', 'ICCP', 'ANIM', 'ANMF']);
/** VP8X flags for chunks that are removed. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
const PREFIX = 'Exif\0\0';

interface Chunk {
  type: string;
  data: Buffer;
}

/** @throws Broken */
export function stripWebp(bytes: Buffer): Stripped {
  if (letters(bytes, 0, 4) !== 'RIFF' || letters(bytes, 8, 4) !== 'WEBP') throw new Broken('no WebP');
  const length = part(bytes, 4, 4).readUInt32LE();
  const body = part(bytes, HEAD_BYTES, length - 4);
  const removed = new Set<Removed>();
  if (HEAD_BYTES + body.length < bytes.length) removed.add('bytes after its end');
  const kept: Chunk[] = [];
  let upright: Buffer | null = null;
  for (const { type, data } of chunksIn(body)) {
    if (type === 'EXIF') {
      const tiff = data.toString('latin1', 0, PREFIX.length) === PREFIX ? data.subarray(PREFIX.length) : data;
      const orientation = orientationIn(tiff);
      if (orientation !== null) upright = orientationBlock(orientation);
      if (!upright?.equals(data)) removed.add('location and camera');
    } else if (!KEPT.has(type)) removed.add(type === 'XMP ' ? 'descriptions and comments' : 'other data');
    else kept.push(type === 'ANMF' ? { type, data: frame(data, removed) } : { type, data });
  }
  if (!kept.some(({ type }) => type === 'ANMF' || PIXELS.has(type))) throw new Broken('no picture');
  const content = kept.map(({ type, data }) =>
    chunk(type, type === 'VP8X' ? flagged(data, upright !== null) : data),
  );
  // Only a file that starts with VP8X can have more chunks than the image.
  if (upright && kept[0]?.type === 'VP8X') content.push(chunk('EXIF', upright));
  const all = Buffer.concat(content);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(all.length + 4, 4);
  return { content: Buffer.concat([head, all]), removed };
}

function flagged(data: Buffer, hasExif: boolean): Buffer {
  const flags = Buffer.from(part(data, 0, 10));
  flags[0] = ((flags[0] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (hasExif ? HAS_EXIF : 0);
  return flags;
}

function frame(data: Buffer, removed: Set<Removed>): Buffer {
  const kept = [part(data, 0, FRAME_BYTES)];
  for (const { type, data: pixels } of chunksIn(data.subarray(FRAME_BYTES))) {
    if (PIXELS.has(type)) kept.push(chunk(type, pixels));
    else removed.add('other data');
  }
  return Buffer.concat(kept);
}

function* chunksIn(bytes: Buffer): Generator<Chunk> {
  for (let at = 0; at < bytes.length; ) {
    const type = letters(bytes, at, 4);
    const length = part(bytes, at + 4, 4).readUInt32LE();
    yield { type, data: part(bytes, at + 8, length) };
    // An odd length is followed by a padding byte, which may be missing after the last chunk.
    at += 8 + length + (length % 2);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
