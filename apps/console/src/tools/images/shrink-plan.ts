/** Ways to make a picture fit: the formats, qualities and sizes to try, in order. Pure. */
import { IMAGE_MAX_BYTES, type ImageType } from '@lms-admin/domain/image-files';
import type { Size } from './upload-state.ts';

/** Format that a canvas can write. */
export type Format = 'image/png' | 'image/jpeg' | 'image/webp';

/** Properties of a picture's pixels. */
export interface Look {
  transparent: boolean;
  /** Whether the picture has so few colours that it must have been drawn, not photographed. */
  fewColours: boolean;
}

export interface Attempt extends Size {
  format: Format;
  /** 0 to 1; 1 is lossless for WebP. PNG has no quality. */
  quality: number;
}

/** Maximum number of pixels to decode: four bytes each. */
export const MOST_PIXELS = 64_000_000;
/** Pixels beyond which no picture fits into 100,000 bytes with acceptable quality. */
const PLAUSIBLE_PIXELS = 3_200_000;
const STEP = 0.8;
/** Minimum side in px of a recognisable picture. */
const SMALLEST = 16;

/** Qualities of each format, best first: drawn pictures stay sharp, photographs may lose invisible details. */
const DRAWN: readonly (readonly [Format, readonly number[]])[] = [
  ['image/png', [1]],
  ['image/webp', [1, 0.92, 0.85]],
];
const PHOTO = [0.9, 0.82, 0.74, 0.66] as const;

/** Lists the attempts at each size, best first. Drawn pictures and transparency never become JPEG. */
export function attemptsFor(type: ImageType, { transparent, fewColours }: Look) {
  if (type !== 'image/jpeg' && (fewColours || transparent)) return DRAWN;
  const format: Format = type === 'image/webp' ? 'image/webp' : 'image/jpeg';
  return [[format, PHOTO]] as const;
}

/** Lists the sizes to try, from the picture's own size downwards, without those at which it cannot fit. */
export function sizesOf({ width, height }: Size): Size[] {
  const sizes: Size[] = [];
  let scale = Math.min(1, Math.sqrt(PLAUSIBLE_PIXELS / (width * height)));
  for (;;) {
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    if (sizes.length > 0 && Math.max(size.width, size.height) < SMALLEST) return sizes;
    sizes.push({ width: Math.max(1, size.width), height: Math.max(1, size.height) });
    scale *= STEP;
  }
}

/**
 * Finds the first attempt that fits: quality is reduced before size. At each size the lowest quality is tried first,
 * since all others are larger.
 * @param encode returns null for a format that this browser does not write
 */
export async function firstThatFits<B extends { size: number }>(
  type: ImageType,
  from: Size,
  look: Look,
  encode: (attempt: Attempt) => Promise<B | null>,
): Promise<{ file: B; attempt: Attempt } | null> {
  for (const size of sizesOf(from)) {
    for (const [format, qualities] of attemptsFor(type, look)) {
      const found = await bestQuality({ ...size, format }, qualities, encode);
      if (found !== null) return found;
    }
  }
  return null;
}

async function bestQuality<B extends { size: number }>(
  at: Omit<Attempt, 'quality'>,
  qualities: readonly number[],
  encode: (attempt: Attempt) => Promise<B | null>,
): Promise<{ file: B; attempt: Attempt } | null> {
  const tried = async (quality: number) => {
    const attempt = { ...at, quality };
    const file = await encode(attempt);
    return file !== null && file.size <= IMAGE_MAX_BYTES ? { file, attempt } : null;
  };
  const least = await tried(qualities.at(-1) ?? 1);
  if (least === null) return null;
  for (const quality of qualities.slice(0, -1)) {
    const better = await tried(quality);
    if (better !== null) return better;
  }
  return least;
}

/** Number of colours in the sampled pixels above which a picture counts as a photograph. */
const FEW = 256;

/** @param pixels red, green, blue and alpha of each, as a canvas gives them */
export function lookOf(pixels: Uint8ClampedArray): Look {
  const colours = new Set<number>();
  let transparent = false;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < 255) transparent = true;
    if (colours.size <= FEW) colours.add((red << 16) | (green << 8) | blue);
  }
  return { transparent, fewColours: colours.size <= FEW };
}

const ENDINGS: Readonly<Record<Format, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/**
 * Gives a name the extension of a format: `Photo.HEIC.PNG` as JPEG is `Photo.HEIC.jpg`; a name with the right extension
 * stays as it is.
 */
export function renamed(name: string, format: Format): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name);
  const now = ending?.[1]?.toLowerCase();
  if (now === ENDINGS[format] || (now === 'jpeg' && format === 'image/jpeg')) return name;
  return `${ending === null ? name : name.slice(0, ending.index)}.${ENDINGS[format]}`;
}

const word = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Tells whether a picture is animated: a smaller copy would be its first frame only. */
export function isAnimated(type: ImageType, bytes: Uint8Array): boolean {
  if (type === 'image/gif') return gifFrames(bytes) > 1;
  // The animation flag in the extended header.
  if (type === 'image/webp') return word(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
  return type === 'image/png' && pngMoves(bytes);
}

/** Tells whether a PNG is animated, which the file says before its first frame. */
function pngMoves(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const chunk = word(bytes, at + 4, 4);
    if (chunk === 'acTL') return true;
    if (chunk === 'IDAT') return false;
  }
  return false;
}

/** Counts the frames of a GIF, block by block; counting stops at two. */
function gifFrames(bytes: Uint8Array): number {
  const table = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + table(bytes[10] ?? 0);
  let frames = 0;
  const skipBlocks = () => {
    while ((bytes[at] ?? 0) !== 0) at += (bytes[at] ?? 0) + 1;
    at++;
  };
  while (at < bytes.length && frames < 2) {
    const kind = bytes[at];
    if (kind === 0x21) {
      at += 2;
      skipBlocks();
    } else if (kind === 0x2c) {
      frames++;
      at += 10 + table(bytes[at + 9] ?? 0) + 1;
      skipBlocks();
    } else break;
  }
  return frames;
}
