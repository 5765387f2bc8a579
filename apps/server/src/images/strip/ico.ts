/** ICO: a directory and its images, which are PNGs or bitmaps. Rewritten without any data between or after them. */
import { Broken, byteAt, part, type Removed, type Stripped } from './bytes.ts';
import { isPng, stripPng } from './png.ts';

const HEAD_BYTES = 6;
const ENTRY_BYTES = 16;
const MOST_PICTURES = 64;
const MOST_SIDE = 256;
/** Header size of a bitmap. */
const BITMAP_BYTES = 40;
const DEPTHS = new Set([1, 4, 8, 24, 32]);

export interface StrippedIco extends Stripped {
  /** The images that are PNGs, for decoding. */
  pngs: Buffer[];
}

/** @throws Broken */
export function stripIco(bytes: Buffer): StrippedIco {
  const head = part(bytes, 0, HEAD_BYTES);
  const count = head.readUInt16LE(4);
  if (head.readUInt32LE(0) !== 0x00010000) throw new Broken('no ICO');
  if (count === 0 || count > MOST_PICTURES) throw new Broken(`${count} pictures`);
  const removed = new Set<Removed>();
  const pngs: Buffer[] = [];
  const directory: Buffer[] = [];
  const pictures: Buffer[] = [];
  const places = new Map<string, { at: number; length: number }>();
  let at = HEAD_BYTES + count * ENTRY_BYTES;
  let end = at;
  for (let index = 0; index < count; index++) {
    const entry = Buffer.from(part(bytes, HEAD_BYTES + index * ENTRY_BYTES, ENTRY_BYTES));
    const [length, from] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
    if (from < HEAD_BYTES + count * ENTRY_BYTES) throw new Broken('a picture within the directory');
    const given = part(bytes, from, length);
    end = Math.max(end, from + length);
    // Several entries may share one image.
    let place = places.get(`${from} ${length}`);
    if (!place) {
      const picture = isPng(given) ? png(given, removed) : bitmap(given, removed);
      if (isPng(given)) pngs.push(picture);
      place = { at, length: picture.length };
      places.set(`${from} ${length}`, place);
      pictures.push(picture);
      at += picture.length;
    }
    entry.writeUInt32LE(place.length, 8);
    entry.writeUInt32LE(place.at, 12);
    directory.push(entry);
  }
  if (end < bytes.length) removed.add('bytes after its end');
  return { content: Buffer.concat([head, ...directory, ...pictures]), removed, pngs };
}

function png(given: Buffer, removed: Set<Removed>): Buffer {
  // The declared size; decoding checks whether it is correct.
  const [width, height] = [part(given, 16, 4).readUInt32BE(), part(given, 20, 4).readUInt32BE()];
  if (width > MOST_SIDE || height > MOST_SIDE) throw new Broken(`${width} × ${height}`);
  const stripped = stripPng(given);
  for (const what of stripped.removed) removed.add(what);
  return stripped.content;
}

/** Returns a bitmap with its mask, of the size that its header declares. */
function bitmap(given: Buffer, removed: Set<Removed>): Buffer {
  const head = part(given, 0, BITMAP_BYTES);
  const [size, width, doubled] = [head.readUInt32LE(0), head.readInt32LE(4), head.readInt32LE(8)];
  const [planes, depth, packing, used] = [
    head.readUInt16LE(12),
    head.readUInt16LE(14),
    head.readUInt32LE(16),
    head.readUInt32LE(32),
  ];
  // The declared height covers the image and its mask.
  const height = doubled / 2;
  if (size !== BITMAP_BYTES || planes > 1 || packing !== 0 || !DEPTHS.has(depth))
    throw new Broken('no bitmap');
  if (width < 1 || width > MOST_SIDE || height < 1 || height > MOST_SIDE || !Number.isInteger(height)) {
    throw new Broken(`${width} × ${height}`);
  }
  const colours = depth > 8 ? used : used === 0 ? 2 ** depth : used;
  if (colours > 256) throw new Broken(`${colours} colours`);
  const rows = (bits: number) => Math.ceil((width * bits) / 32) * 4 * height;
  const pixels = BITMAP_BYTES + colours * 4 + rows(depth);
  // With 32 bits per pixel the mask has no meaning and is often missing.
  byteAt(given, pixels - 1);
  const whole = pixels + rows(1);
  if (given.length < whole && depth !== 32) throw new Broken('a picture without its mask');
  const length = given.length < whole ? pixels : whole;
  if (length < given.length) removed.add('other data');
  return given.subarray(0, length);
}
