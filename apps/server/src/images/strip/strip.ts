/**
 * Removes data that is not needed to show an image: place, camera, author, comments, previews, and bytes after its
 * end. The pixels are unchanged. The result is decoded completely.
 */
import { IMAGE_MAX_PIXELS, type ImageType } from '@lms-admin/domain/image-files';
import { decode, icoSize, NotDecoded, type Size } from '../decode.ts';
import type { Removed, Stripped } from './bytes.ts';
import { stripGif } from './gif.ts';
import { stripIco } from './ico.ts';
import { stripJpeg } from './jpeg.ts';
import { framesOf, stripPng } from './png.ts';
import { stripWebp } from './webp.ts';

export interface Cleaned extends Size {
  content: Buffer;
  /** Description of the removed data, or null if none was removed. */
  removed: string | null;
}

const STRIPPERS: Record<Exclude<ImageType, 'image/x-icon'>, (bytes: Buffer) => Stripped> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/gif': stripGif,
  'image/webp': stripWebp,
};

/** @throws Broken, NotDecoded */
export async function cleaned(type: ImageType, bytes: Buffer): Promise<Cleaned> {
  if (type === 'image/x-icon') {
    const { content, removed, pngs } = stripIco(bytes);
    for (const png of pngs) await decode(png);
    return { content, removed: inWords(removed), ...icoSize(content) };
  }
  const { content, removed } = STRIPPERS[type](bytes);
  const size = await decode(content);
  if (type === 'image/png') await decodeFrames(content);
  return { content, removed: inWords(removed), ...size };
}

/** Decodes every frame, because the decoder reads only the first picture of an animated PNG. */
async function decodeFrames(content: Buffer): Promise<void> {
  let pixels = 0;
  for (const frame of framesOf(content)) {
    pixels += frame.readUInt32BE(16) * frame.readUInt32BE(20);
    if (pixels > IMAGE_MAX_PIXELS) throw new NotDecoded('pixels');
    await decode(frame);
  }
}

const ORDER: readonly Removed[] = [
  'location and camera',
  'descriptions and comments',
  'previews',
  'other data',
  'bytes after its end',
];

/** Lists removed parts: `location and camera, previews` */
function inWords(removed: ReadonlySet<Removed>): string | null {
  return removed.size === 0 ? null : ORDER.filter((what) => removed.has(what)).join(', ');
}
