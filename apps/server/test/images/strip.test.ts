/** Removing metadata from images while their pixels stay the same (OP-106). */

import type { ImageType } from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/images/inspect.ts';
import { orientationBlock, orientationIn } from '../../src/images/strip/exif.ts';
import { chunk, chunksIn, SIGNATURE } from '../../src/images/strip/png.ts';
import { bitmap, ico, noise, picture } from './support.ts';

const FORMATS = ['png', 'jpeg', 'gif', 'webp'] as const;

const look = (bytes: Buffer, name = 'x') => inspect({ bytes, declared: '' }, name);
const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();
/** Words that must not appear in stored images. */
const SECRETS = ['51.5074', 'Jane Photographer', 'SECRETCAM', 'internal only'];

const EXIF = {
  IFD0: { Make: 'SECRETCAM', Artist: 'Jane Photographer', ImageDescription: 'internal only' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 26/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 39/1',
  },
};
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="Jane Photographer" dc:place="51.5074"/></rdf:RDF></x:xmpmeta>';

function expectClean(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

describe('IMG-13, OP-106 location, camera and names are removed, and pixels stay the same', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('%s as a camera or an editor writes it', async (format) => {
    const given = await noise(40, 30).withExif(EXIF).withXmp(XMP).toFormat(format).toBuffer();
    expect(given.toString('latin1')).toContain('SECRETCAM');
    const { bytes, removed } = await look(given);
    expect(removed).toContain('location and camera');
    expectClean(bytes);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect((await pixels(bytes)).equals(await pixels(given))).toBe(true);
    // Nothing is left to remove.
    expect(await look(bytes)).toMatchObject({ removed: null, bytes });
  });

  it.each(FORMATS)('%s: if there is nothing to remove, nothing is changed', async (format) => {
    const given = await picture(format);
    const { bytes, removed } = await look(given);
    expect([removed, bytes.equals(given)]).toEqual([null, true]);
  });

  it.each(FORMATS)('%s: bytes after its end are removed', async (format) => {
    const given = await picture(format);
    const { bytes, removed } = await look(
      Buffer.concat([given, Buffer.from('<script>alert("internal only")</script>PK\u0003\u0004')]),
    );
    expect(removed).toBe('bytes after its end');
    expect(bytes.equals(given)).toBe(true);
  });

  it.each([
    ['jpeg', 6],
    ['jpeg', 3],
    ['webp', 8],
    ['png', 6],
  ] as const)('%s that is shown rotated (%i) stays rotated', async (format, orientation) => {
    const given = await noise(40, 30)
      .withMetadata({ orientation })
      .withExifMerge(EXIF)
      .toFormat(format)
      .toBuffer();
    expect((await sharp(given).metadata()).orientation).toBe(orientation);
    const { bytes, width, height } = await look(given);
    expectClean(bytes);
    const { orientation: kept, exif } = await sharp(bytes).metadata();
    expect([kept, (exif?.length ?? 0) < 40]).toEqual([orientation, true]);
    expect([width, height]).toEqual(orientation >= 5 ? [30, 40] : [40, 30]);
    expect(
      (await sharp(bytes).rotate().raw().toBuffer()).equals(await sharp(given).rotate().raw().toBuffer()),
    ).toBe(true);
    expect((await look(bytes)).removed).toBeNull();
  });

  it.each(['gif', 'webp'] as const)('an animated %s stays animated, with its timing', async (format) => {
    const strip = await noise(20, 60).raw().toBuffer();
    const given = await sharp(strip, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
      .toFormat(format, { loop: 3, delay: [100, 200, 300] })
      .toBuffer();
    const comment = Buffer.from([0x21, 0xfe, 13, ...Buffer.from('internal only'), 0]);
    const marked =
      format === 'gif'
        ? Buffer.concat([
            given.subarray(
              0,
              13 + 3 * 2 ** (((given[10] ?? 0) & 7) + 1) * (((given[10] ?? 0) & 0x80) / 0x80),
            ),
            comment,
            given.subarray(13 + 3 * 2 ** (((given[10] ?? 0) & 7) + 1) * (((given[10] ?? 0) & 0x80) / 0x80)),
          ])
        : given;
    const { bytes, width, height } = await look(marked);
    expectClean(bytes);
    const { pages, delay, loop } = await sharp(bytes, { animated: true }).metadata();
    expect({ pages, delay, loop, width, height }).toEqual({
      pages: 3,
      delay: [100, 200, 300],
      loop: 3,
      width: 20,
      height: 20,
    });
    expect((await pixels(bytes)).equals(await pixels(given))).toBe(true);
  });

  it('a colour profile is kept', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const given = await noise(20, 20).withIccProfile('p3').toFormat(format).toBuffer();
      const { bytes } = await look(given);
      expect((await sharp(bytes).metadata()).icc?.length).toBe((await sharp(given).metadata()).icc?.length);
    }
  });

  it('JFIF previews, and images appended to the image, are removed', async () => {
    const given = await picture('jpeg');
    const app0 = Buffer.from([
      0xff,
      0xe0,
      0,
      16 + 12,
      ...Buffer.from('JFIF\0'),
      1,
      1,
      0,
      0,
      1,
      0,
      1,
      2,
      2,
      ...Buffer.alloc(12, 7),
    ]);
    const { bytes, removed } = await look(
      Buffer.concat([given.subarray(0, 2), app0, given.subarray(2), given]),
    );
    expect(removed).toBe('previews, bytes after its end');
    expect((await pixels(bytes)).equals(await pixels(given))).toBe(true);
  });

  it('ICO: its PNGs are cleaned, and data between and after them is removed', async () => {
    const png = await noise(24, 24).withExif(EXIF).png().toBuffer();
    const given = Buffer.concat([
      ico([
        { side: 16, bytes: bitmap(16) },
        { side: 24, bytes: png },
      ]),
      Buffer.from('internal only'),
    ]);
    const { bytes, removed, width } = await look(given);
    expect(removed).toBe('location and camera, bytes after its end');
    expect(width).toBe(24);
    expectClean(bytes);
    expect((await look(bytes)).removed).toBeNull();
  });

  it('the orientation is read safely from any metadata block, and a generated block has the value that was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const found = orientationIn(Buffer.from(bytes));
        expect(found === null || (found >= 2 && found <= 8)).toBe(true);
      }),
    );
    for (let value = 2; value <= 8; value++) expect(orientationIn(orientationBlock(value))).toBe(value);
  });
});

describe('OP-94 an image is complete, or not stored at all', () => {
  it.each(FORMATS)(
    '%s: an image truncated anywhere is rejected without an internal error',
    async (format) => {
      const whole = await picture(format, 5, 12);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
          await expect(look(whole.subarray(0, length))).rejects.toMatchObject({ code: 'bad-request' });
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each([...FORMATS, 'ico'] as const)(
    '%s: an image with any modification is stored clean or rejected with an explanation',
    async (format) => {
      const whole =
        format === 'ico'
          ? ico([
              { side: 8, bytes: bitmap(8) },
              { side: 12, bytes: await picture('png', 2, 12) },
            ])
          : await picture(format, 6, 12);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
          async (changes) => {
            const bytes = Buffer.from(whole);
            for (const [at, value] of changes) bytes[at] = value;
            const taken = await look(bytes).catch((error: unknown) => error);
            if (taken instanceof Error)
              expect(taken).toMatchObject({ code: 'bad-request', next: expect.any(String) });
            else expect((await look((taken as { bytes: Buffer }).bytes)).removed).toBeNull();
          },
        ),
        { numRuns: 80 },
      );
    },
  );

  it('any bytes after a valid beginning are stored clean or rejected with an explanation', async () => {
    const heads: [ImageType, Buffer][] = [
      ['image/png', SIGNATURE],
      ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
      ['image/gif', Buffer.from('GIF89a')],
      ['image/webp', Buffer.from('RIFF\u0024\0\0\0WEBP')],
      ['image/x-icon', Buffer.from([0, 0, 1, 0])],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...heads),
        fc.uint8Array({ maxLength: 300 }),
        async ([, head], rest) => {
          await expect(look(Buffer.concat([head, rest]))).rejects.toMatchObject({ code: 'bad-request' });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('in an animated PNG, later frames count and are decoded as well', async () => {
    const { chunks } = chunksIn(await picture('png'));
    const control = (side: number) => {
      const data = Buffer.alloc(26);
      data.writeUInt32BE(side, 4);
      data.writeUInt32BE(side, 8);
      return chunk('fcTL', data);
    };
    const moving = (side: number, pixelsOfNext: Buffer) =>
      Buffer.concat([
        SIGNATURE,
        ...chunks.flatMap(({ type, data }) => {
          const plain = chunk(type, data);
          if (type === 'IHDR')
            return [plain, chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), control(24)];
          if (type === 'IEND')
            return [control(side), chunk('fdAT', Buffer.concat([Buffer.alloc(4), pixelsOfNext])), plain];
          return [plain];
        }),
      ]);
    const idat = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
    const good = moving(24, idat);
    expect(await look(good)).toMatchObject({ type: 'image/png', removed: null, bytes: good });
    await expect(look(moving(24, Buffer.from('no pixels')))).rejects.toThrow('damaged');
    await expect(look(moving(4_000, idat))).rejects.toThrow('damaged');
  });
});
