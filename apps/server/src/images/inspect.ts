/** Determines a file's type from its content, and the part of it that is stored (OP-94, OP-106). */
import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_PIXELS,
  IMAGE_TYPES,
  type ImageType,
} from '@lms-admin/domain/image-files';
import { fileTypeFromBuffer } from 'file-type';
import type { DataUrl } from './data-url.ts';
import { NotDecoded, type Size } from './decode.ts';
import { growsTooLarge, hasTooManyPixels, isDamaged, isEmpty, isNoImage, isSvg } from './refusals.ts';
import { Broken } from './strip/bytes.ts';
import { cleaned } from './strip/strip.ts';

export interface Inspected extends Size {
  type: ImageType;
  /** The stored file: the same pixels, without data that is not needed to show them. */
  bytes: Buffer;
  /** Description of the removed data, or null if none was removed. */
  removed: string | null;
}

/**
 * Inspects a file.
 * @param name of the file, for messages
 * @throws AppError for a rejected file
 */
export async function inspect({ bytes, declared }: DataUrl, name: string): Promise<Inspected> {
  if (bytes.length === 0) throw isEmpty(name);
  const type = await typeOf(bytes);
  if (type === null) {
    throw looksLikeSvg(bytes) || /\.svgz?$/i.test(name) || declared.startsWith('image/svg')
      ? isSvg(name)
      : isNoImage(name);
  }
  try {
    const { content, removed, width, height } = await cleaned(type, bytes);
    if (content.length > IMAGE_MAX_BYTES) throw growsTooLarge(name, IMAGE_MAX_BYTES);
    return { type, bytes: content, removed, width, height };
  } catch (error) {
    if (error instanceof Broken) throw isDamaged(name);
    if (!(error instanceof NotDecoded)) throw error;
    throw error.why === 'pixels' ? hasTooManyPixels(name, IMAGE_MAX_PIXELS) : isDamaged(name);
  }
}

async function typeOf(bytes: Buffer): Promise<ImageType | null> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  // An animated PNG counts as a PNG.
  const mime = found?.mime === 'image/apng' ? 'image/png' : found?.mime;
  return mime !== undefined && Object.hasOwn(IMAGE_TYPES, mime) ? (mime as ImageType) : null;
}

/** Detects an SVG in any text encoding that browsers support. */
function looksLikeSvg(bytes: Buffer): boolean {
  return ['utf8', 'utf16le', 'utf16be'].some((encoding) => {
    const text =
      encoding === 'utf16be'
        ? swapped(bytes).toString('utf16le')
        : bytes.toString(encoding as BufferEncoding);
    return /<(?:[\w-]+:)?svg[\s>/]/i.test(text);
  });
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
