import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  attemptsFor,
  firstThatFits,
  isAnimated,
  lookOf,
  renamed,
  sizesOf,
} from '../../src/tools/images/shrink-plan.ts';

const drawn = { transparent: false, fewColours: true };
const photo = { transparent: false, fewColours: false };
const formats = (...args: Parameters<typeof attemptsFor>) => attemptsFor(...args).map(([format]) => format);

describe('making a picture fit', () => {
  it('OP-93 drawings and transparent pictures never become JPEG; photographs never become PNG', () => {
    expect(formats('image/png', drawn)).toEqual(['image/png', 'image/webp']);
    expect(formats('image/png', { transparent: true, fewColours: false })).toEqual([
      'image/png',
      'image/webp',
    ]);
    expect(formats('image/png', photo)).toEqual(['image/jpeg']);
    expect(formats('image/webp', photo)).toEqual(['image/webp']);
    // A JPEG with few colours stays a JPEG: its flat areas are not really flat.
    expect(formats('image/jpeg', drawn)).toEqual(['image/jpeg']);
  });

  it('OP-93 sizes keep their proportions, start with the original, and stop before nothing is left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }), (width, height) => {
        const sizes = sizesOf({ width, height });
        if (width * height <= 3_000_000) expect(sizes[0]).toEqual({ width, height });
        for (const one of sizes) {
          expect(Math.min(one.width, one.height)).toBeGreaterThanOrEqual(1);
          expect(one.width).toBeLessThanOrEqual(width);
          if (Math.min(one.width, one.height) > 50)
            expect(one.width / one.height / (width / height)).toBeCloseTo(1, 1);
        }
        expect(sizes.length).toBeLessThan(50);
      }),
    );
  });

  /** Replaces the canvas: each attempt has a given number of bytes per pixel, for example by quality. */
  const encoder = (perPixel: (attempt: Attempt) => number | null, tried: Attempt[] = []) => ({
    tried,
    encode: async (attempt: Attempt) => {
      tried.push(attempt);
      const each = perPixel(attempt);
      return each === null ? null : { size: Math.ceil(attempt.width * attempt.height * each) };
    },
  });

  it('OP-93 reduces quality before size, and neither by more than necessary', async () => {
    const from = { width: 1_000, height: 1_000 };
    const { encode } = encoder(({ quality }) => quality / 8);
    const found = await firstThatFits('image/jpeg', from, photo, encode);
    expect(found?.attempt).toMatchObject({ width: 1_000, height: 1_000, quality: 0.74 });
    const smaller = await firstThatFits(
      'image/jpeg',
      from,
      photo,
      encoder(({ quality }) => quality / 5).encode,
    );
    expect(smaller?.attempt).toMatchObject({ width: 800, quality: 0.74 });
  });

  it('OP-93 a format that the browser cannot write is skipped; a picture that never fits is reported', async () => {
    const from = { width: 600, height: 600 };
    const noWebp = encoder(({ format }) => (format === 'image/webp' ? null : 0.4));
    const found = await firstThatFits('image/png', from, drawn, noWebp.encode);
    expect(found?.attempt).toMatchObject({ format: 'image/png', width: 480 });
    const never = await firstThatFits('image/png', from, drawn, async () => ({ size: IMAGE_MAX_BYTES + 1 }));
    expect(never).toBeNull();
  });

  it('OP-93 accepts exactly 100,000 bytes', async () => {
    const found = await firstThatFits('image/jpeg', { width: 9, height: 9 }, photo, async () => ({
      size: IMAGE_MAX_BYTES,
    }));
    expect(found?.attempt).toMatchObject({ width: 9, height: 9, quality: 0.9 });
  });

  it('OP-93 few colours and transparency are detected from the pixels', () => {
    const pixels = (colour: (at: number) => number[], count = 600) =>
      Uint8ClampedArray.from(Array.from({ length: count }, (_, at) => colour(at)).flat());
    expect(lookOf(pixels((at) => [at % 4, 0, 0, 255]))).toEqual(drawn);
    expect(lookOf(pixels((at) => [at % 256, at >> 8, 7, 255]))).toEqual(photo);
    expect(lookOf(pixels((at) => [0, 0, 0, at === 599 ? 254 : 255]))).toEqual({
      ...drawn,
      transparent: true,
    });
  });

  it('OP-93 the name follows the format', () => {
    expect(renamed('Photo.JPEG', 'image/jpeg')).toBe('Photo.JPEG');
    expect(renamed('Zoë O’Neill–Łukasz.png', 'image/webp')).toBe('Zoë O’Neill–Łukasz.webp');
    expect(renamed('no ending', 'image/png')).toBe('no ending.png');
    expect(renamed('v1.2 final', 'image/png')).toBe('v1.2 final.png');
  });
});

describe('animated pictures', () => {
  const frame = (red: number) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png()
      .toBuffer();

  it('OP-93 are recognised by their contents, in GIF, WebP and PNG', async () => {
    const frames = [await frame(0), await frame(255)];
    const moving = sharp(frames, { join: { animated: true } });
    expect(isAnimated('image/gif', await moving.clone().gif().toBuffer())).toBe(true);
    expect(isAnimated('image/webp', await moving.clone().webp().toBuffer())).toBe(true);
    const still = sharp(frames[0]);
    expect(isAnimated('image/gif', await still.clone().gif().toBuffer())).toBe(false);
    expect(isAnimated('image/webp', await still.clone().webp().toBuffer())).toBe(false);
    const png = frames[0] as Buffer;
    expect(isAnimated('image/png', png)).toBe(false);
    const control = Buffer.concat([Buffer.from('\0\0\0\x08acTL', 'latin1'), Buffer.alloc(12)]);
    const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
    expect(isAnimated('image/png', apng)).toBe(true);
  });

  it('OP-93 detection ends without an error, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const type of ['image/gif', 'image/webp', 'image/png'] as const)
          expect(typeof isAnimated(type, bytes)).toBe('boolean');
      }),
    );
  });
});
