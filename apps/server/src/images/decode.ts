/** Decodes images completely, to the last row of the last frame, without holding them in memory. */
import { IMAGE_MAX_PIXELS } from '@lms-admin/domain/image-files';
import { imageSize } from 'image-size';
import { limitOf } from '../platform/limited.ts';

/** Maximum images decoded at once: two cores can handle this, and it limits the memory. */
const AT_ONCE = 2;
const SECONDS = 20;

export interface Size {
  /** In pixels, after rotation to the upright position. */
  width: number;
  height: number;
}

/** `pixels`: the image has too many when decoded; `damaged`: the image cannot be decoded. */
export class NotDecoded extends Error {
  override name = 'NotDecoded';
  readonly why: 'pixels' | 'damaged';
  constructor(why: NotDecoded['why'], cause?: unknown) {
    super(`the image could not be decoded: ${why}`, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}

const limited = limitOf(AT_ONCE);

let library: ReturnType<typeof load> | null = null;

/** Loads the library with the first image, since it is large and most server runs never need it. */
async function load() {
  const { default: sharp } = await import('sharp');
  // No image is decoded twice, and one thread per image leaves the others for the rest of the server.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
const PIXEL_LIMIT = /pixel limit/i;

/**
 * Decodes a PNG, JPEG, GIF or WebP with all frames.
 * @throws NotDecoded
 */
export function decode(bytes: Buffer): Promise<Size> {
  return limited(async () => {
    try {
      return await decoded(bytes);
    } catch (error) {
      if (error instanceof NotDecoded) throw error;
      const text = error instanceof Error ? error.message : '';
      throw new NotDecoded(PIXEL_LIMIT.test(text) ? 'pixels' : 'damaged', error);
    }
  });
}

async function decoded(bytes: Buffer): Promise<Size> {
  const sharp = await (library ??= load());
  const options = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS, animated: true } as const;
  const {
    width,
    height,
    pages = 1,
    pageHeight = height,
    orientation = 1,
  } = await sharp(bytes, options).metadata();
  if (width * pageHeight * pages > IMAGE_MAX_PIXELS) throw new NotDecoded('pixels');
  // Reading the last row decodes all rows before it, one at a time, without keeping them.
  await sharp(bytes, { ...options, sequentialRead: true })
    .extract({ left: 0, top: pageHeight - 1, width: 1, height: 1 })
    .timeout({ seconds: SECONDS })
    .raw()
    .toBuffer();
  return orientation >= 5 ? { width: pageHeight, height: width } : { width, height: pageHeight };
}

/** Returns the largest size in an ICO file. @throws NotDecoded */
export function icoSize(bytes: Buffer): Size {
  try {
    const { width, height, images = [] } = imageSize(bytes);
    const sizes = [{ width, height }, ...images];
    return sizes.reduce((most, one) => (one.width * one.height > most.width * most.height ? one : most));
  } catch (error) {
    throw new NotDecoded('damaged', error);
  }
}
