/** JPEG: segments that the image needs are kept; all others are removed. */
import { Broken, byteAt, letters, part, type Removed, type Stripped } from './bytes.ts';
import { orientationBlock, orientationIn } from './exif.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const APP15 = 0xef;
const TEMPORARY = 0x01;

const JFIF = 'JFIF\0';
const EXIF = 'Exif\0\0';
/** Segments with a colour profile or the colour encoding. */
const COLOURS: Record<number, string> = { 0xe2: 'ICC_PROFILE\0', 0xee: 'Adobe' };
/** Length of a JFIF segment without a preview. */
const JFIF_BYTES = 14;
/** Maximum number of scans; a normal file has about ten. */
const MOST_SCANS = 100;

/** @throws Broken */
export function stripJpeg(bytes: Buffer): Stripped {
  if (byteAt(bytes, 0) !== 0xff || byteAt(bytes, 1) !== SOI) throw new Broken('no JPEG');
  const removed = new Set<Removed>();
  const kept: Buffer[] = [];
  let orientation: number | null = null;
  let scans = 0;
  let at = 2;
  for (;;) {
    if (byteAt(bytes, at) !== 0xff) throw new Broken('no segment');
    // Any number of fill bytes may precede a segment.
    if (byteAt(bytes, at + 1) === 0xff) {
      at++;
      continue;
    }
    const marker = byteAt(bytes, at + 1);
    if (marker === EOI) break;
    if (marker === 0 || marker === SOI || marker === TEMPORARY || isRestart(marker))
      throw new Broken('a stray marker');
    const length = part(bytes, at + 2, 2).readUInt16BE();
    if (length < 2) throw new Broken('a segment of no length');
    const segment = part(bytes, at, length + 2);
    at += segment.length;
    if (marker === SOS) {
      if (++scans > MOST_SCANS) throw new Broken('too many passes');
      const end = endOfScan(bytes, at);
      kept.push(segment, bytes.subarray(at, end));
      at = end;
      continue;
    }
    const judged = judge(marker, segment);
    if (judged.kept) kept.push(judged.kept);
    if (judged.removed) removed.add(judged.removed);
    orientation ??= judged.orientation ?? null;
  }
  if (scans === 0) throw new Broken('no picture');
  if (at + 2 < bytes.length) removed.add('bytes after its end');
  const upright = orientation === null ? [] : [exifSegment(orientation)];
  const content = Buffer.concat([Buffer.from([0xff, SOI]), ...upright, ...kept, Buffer.from([0xff, EOI])]);
  return { content, removed };
}

interface Judged {
  kept?: Buffer;
  removed?: Removed;
  orientation?: number | null;
}

/** Selects the parts to keep of a segment without pixel data. */
function judge(marker: number, segment: Buffer): Judged {
  if (marker === COM) return { removed: 'descriptions and comments' };
  if (marker < APP0 || marker > APP15) return { kept: segment };
  const begins = (text: string) =>
    segment.length >= 4 + text.length && letters(segment, 4, text.length) === text;
  if (marker === APP0 && begins(JFIF) && segment.length >= 4 + JFIF_BYTES) return withoutPreview(segment);
  const colours = COLOURS[marker];
  if (colours !== undefined && begins(colours)) return { kept: segment };
  if (marker === APP0) return { removed: 'previews' };
  if (!begins(EXIF))
    return { removed: marker === 0xe1 || marker === 0xed ? 'descriptions and comments' : 'other data' };
  const tiff = segment.subarray(4 + EXIF.length);
  const orientation = orientationIn(tiff);
  const isOurs = orientation !== null && orientationBlock(orientation).equals(tiff);
  return { orientation, ...(isOurs ? {} : { removed: 'location and camera' }) };
}

function withoutPreview(segment: Buffer): Judged {
  const whole = 4 + JFIF_BYTES;
  if (segment.length === whole && segment[whole - 2] === 0 && segment[whole - 1] === 0)
    return { kept: segment };
  const kept = Buffer.from(segment.subarray(0, whole));
  kept.writeUInt16BE(whole - 2, 2);
  // Width and height of the preview.
  kept.writeUInt16BE(0, whole - 2);
  return { kept, removed: 'previews' };
}

function exifSegment(orientation: number): Buffer {
  const block = orientationBlock(orientation);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(2 + EXIF.length + block.length, 2);
  return Buffer.concat([head, Buffer.from(EXIF, 'latin1'), block]);
}

/** Returns the position of the marker that ends a scan's data. @throws Broken */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = byteAt(bytes, at + 1);
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  throw new Broken('no end');
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}
