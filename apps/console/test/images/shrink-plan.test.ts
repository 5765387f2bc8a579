import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  firstThatFits,
  isAnimated,
  lookOf,
  renamed,
  sizesOf,
  waysOf,
} from '../../src/tools/images/shrink-plan.ts';

const drawn = { transparent: false, fewColours: true };
const photo = { transparent: false, fewColours: false };
const formats = (...args: Parameters<typeof waysOf>) => waysOf(...args).map(([format]) => format);

describe('how a picture is made to fit', () => {
  it('OP-93 drawn and transparent pictures never become JPEG; photographs do not become PNG', () => {
    expect(formats('image/png', drawn)).toEqual(['image/png', 'image/webp']);
    expect(formats('image/png', { transparent: true, fewColours: false })).toEqual([
      'image/png',
      'image/webp',
    ]);
    expect(formats('image/png', photo)).toEqual(['image/jpeg']);
    expect(formats('image/webp', photo)).toEqual(['image/webp']);
    // A JPEG with few colours is a JPEG: its flat parts are not flat.
    expect(formats('image/jpeg', drawn)).toEqual(['image/jpeg']);
  });

  it('OP-93 sizes keep their shape, begin with the own one, and end before nothing is left', () => {
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

  /** A stand-in for a canvas: so many bytes a pixel at a quality. */
  const encoder = (perPixel: (attempt: Attempt) => number | null, tried: Attempt[] = []) => ({
    tried,
    encode: async (attempt: Attempt) => {
      tried.push(attempt);
      const each = perPixel(attempt);
      return each === null ? null : { size: Math.ceil(attempt.width * attempt.height * each) };
    },
  });

  it('OP-93 gives up quality before size, and no more of either than is needed', async () => {
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

  it('OP-93 a format that the browser does not write is passed over; what never fits is said', async () => {
    const from = { width: 600, height: 600 };
    const noWebp = encoder(({ format }) => (format === 'image/webp' ? null : 0.4));
    const found = await firstThatFits('image/png', from, drawn, noWebp.encode);
    expect(found?.attempt).toMatchObject({ format: 'image/png', width: 480 });
    const never = await firstThatFits('image/png', from, drawn, async () => ({ size: IMAGE_MAX_BYTES + 1 }));
    expect(never).toBeNull();
  });

  it('OP-93 100,000 bytes fit', async () => {
    const found = await firstThatFits('image/jpeg', { width: 9, height: 9 }, photo, async () => ({
      size: IMAGE_MAX_BYTES,
    }));
    expect(found?.attempt).toMatchObject({ width: 9, height: 9, quality: 0.9 });
  });

  it('OP-93 few colours and transparency are seen in the pixels', () => {
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

describe('pictures that move', () => {
  const frame = (red: number) =>
    sharp({ create: { width: 4, height: 4, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png()
      .toBuffer();

  it('OP-93 are known by what is in them, in GIF, WebP and PNG', async () => {
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

  it('OP-93 bytes of whatever kind end the look at them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const type of ['image/gif', 'image/webp', 'image/png'] as const)
          expect(typeof isAnimated(type, bytes)).toBe('boolean');
      }),
    );
  });
});
