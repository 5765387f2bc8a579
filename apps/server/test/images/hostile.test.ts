/**
 * Files that are not images, or are malicious: each gets a clear answer, and nothing is stored (IMG-03,
 * IMG-05, OP-93, OP-94).
 */
import { gzipSync } from 'node:zlib';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { images, objects } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer } from '../support/harness.ts';
import { bitmap, dataUrl, flatPng, ico, ownImages, picture, send, uploaded } from './support.ts';

let minutes = 0;
/** The time at which the clock is stopped. */
let still: number | null = null;
const test = await startTestServer({ server: { now: () => still ?? Date.now() + minutes * 60_000 } });
afterAll(() => test.close());
const alma = await test.signIn(PEOPLE.all);
const { db } = test.server.services.db;
const stored = async () => [await db.$count(images), await db.$count(objects)];

async function refused(
  response: Promise<Response>,
): Promise<{ status: number; message: string; next: string }> {
  const answer = await response;
  const { error } = (await answer.json()) as { error: { message: string; next: string } };
  return { status: answer.status, ...error };
}

/** Creates a PNG of exactly this size, padded with a chunk that is kept. */
async function pngOf(bytes: number): Promise<Buffer> {
  const { chunk } = await import('../../src/images/strip/png.ts');
  const whole = await picture('png');
  const end = whole.length - 12;
  return Buffer.concat([
    whole.subarray(0, end),
    chunk('IDAT', Buffer.alloc(bytes - whole.length - 12)),
    whole.subarray(end),
  ]);
}

it('IMG-05, OP-93 100,000 bytes are accepted; with one byte more, the limit is named', async () => {
  const most = await pngOf(IMAGE_MAX_BYTES);
  expect((await uploaded(alma, 'most.png', most)).image.bytes).toBe(100_000);
  expect(await refused(send(alma, 'more.png', await pngOf(IMAGE_MAX_BYTES + 1)))).toMatchObject({
    status: 413,
    message: 'more.png has 100,001 bytes. Maximum file size is 100KB (100,000 bytes).',
  });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const utf16 = Buffer.from(`\ufeff${SVG}`, 'utf16le');
it.each([
  ['plain', 'a.svg', Buffer.from(SVG)],
  ['named as a PNG', 'a.png', Buffer.from(SVG)],
  [
    'after a declaration and a comment',
    'a.png',
    Buffer.from(`<?xml version="1.0"?><!-- ${'x'.repeat(5_000)} -->${SVG}`),
  ],
  [
    'with a doctype and a prefix',
    'a.gif',
    Buffer.from(`<!DOCTYPE svg><s:svg xmlns:s="http://www.w3.org/2000/svg"/>`),
  ],
  ['in UTF-16', 'a.jpg', utf16],
  ['in UTF-16 with the other byte order', 'a.jpg', Buffer.from(utf16).swap16()],
  ['in capitals', 'a', Buffer.from(SVG.toUpperCase())],
  ['packed', 'a.svgz', gzipSync(SVG)],
])('OP-94 an SVG %s is rejected with the reason', async (_, name, bytes) => {
  const before = await stored();
  const { status, message } = await refused(send(alma, name, bytes));
  expect([status, message]).toEqual([
    400,
    expect.stringContaining('is an SVG image. SVG images can contain scripts'),
  ]);
  expect(await stored()).toEqual(before);
});

const png = await picture('png');
it.each([
  ['HTML', Buffer.from('<html><script>alert(1)</script>')],
  ['nothing', Buffer.alloc(0)],
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ')],
  ['a GIF that is a script', Buffer.from('GIF89a/*<script>*/=1;alert(1)//')],
  ['a WebP that is a script', Buffer.from('RIFF\u0014\0\0\0WEBP<script>alert()')],
  ['a PNG that is cut off', png.subarray(0, 40)],
  ['a PNG whose pixels are cut off', png.subarray(0, png.length - 20)],
  ['a gigapixel', flatPng(40_000, 25_000, 1_000)],
  ['an image with one pixel too many', flatPng(5_000, 5_001)],
  ['an ICO without pictures', Buffer.from([0, 0, 1, 0, 0, 0])],
  ['an ICO whose directory is cut off', Buffer.from([0, 0, 1, 0, 9, 0, 1, 1])],
  [
    'an ICO with a picture that is not an image',
    ico([{ side: 16, bytes: Buffer.from('<script>alert(1)</script>') }]),
  ],
  [
    'an ICO with a damaged PNG',
    ico([{ side: 24, bytes: Buffer.concat([png.subarray(0, 60), Buffer.from('x'), png.subarray(61)]) }]),
  ],
  ['an ICO with a large PNG', ico([{ side: 0, bytes: flatPng(300, 300) }])],
  ['an ICO with a bitmap that is cut off', ico([{ side: 16, bytes: bitmap(16).subarray(0, 300) }])],
])('OP-94 %s is rejected with an explanation, and nothing is stored', async (_, bytes) => {
  const before = await stored();
  const { status, message, next } = await refused(send(alma, 'Zoë’s.png', bytes));
  expect([status, message, next]).toEqual([
    400,
    expect.stringContaining('Zoë’s.png'),
    expect.stringMatching(/\.$/),
  ]);
  expect(await stored()).toEqual(before);
});

it('25,000,000 pixels are accepted, and several such images together use little memory', async () => {
  const large = flatPng(5_000, 5_000);
  await uploaded(alma, 'large.png', large);
  const before = process.memoryUsage().rss;
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await Promise.all(Array.from({ length: 20 }, (__, at) => uploaded(alma, `large-${at}.png`, large)));
  await Promise.all(Array.from({ length: 20 }, () => send(alma, 'giga.png', flatPng(40_000, 25_000, 1_000))));
  clearInterval(watch);
  // One decoded image takes 75 MB, and all forty together 3 GB. The process also needs memory for other
  // things.
  expect((peak - before) / 1e6).toBeLessThan(600);
});

it('a file of two formats at once is stored only as an image', async () => {
  const both = Buffer.concat([png, Buffer.from('<html><script>alert(1)</script>PK\u0005\u0006')]);
  const { fileName, removed } = await uploaded(alma, 'both.html', both);
  expect([removed, fileName.endsWith('.png')]).toEqual(['bytes after its end', true]);
  expect(Buffer.from(await (await fetch(fileName)).arrayBuffer()).equals(png)).toBe(true);
});

it('OP-97 any upload gets a proper answer, and nothing is stored', async () => {
  const before = await stored();
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => dataUrl(bytes)),
    fc.string({ maxLength: 60 }).map((text) => `data:${text}`),
    fc.constantFrom(
      '',
      'data:',
      'data:,',
      'data:;base64,',
      'data:image/png;base64,AAA',
      'data:image/png;base64,AB==',
      'data:image/png;base64,A A=',
      `data:image/png;base64,${'A'.repeat(400_000)}`,
    ),
    fc.anything(),
  );
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('../../etc/passwd', 'a\u0000b', '\ud800', '', ' ', '.', '/', 'C:\\x\\y.png', '#N/A'),
    fc.anything(),
  );
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(names, anything, async (name, file) => {
      if (++sent % 250 === 0) minutes++;
      const response = await post(alma, { name, file });
      expect([400, 413]).toContain(response.status);
      expect(((await response.json()) as { error: { next: string } }).error.next).not.toBe('');
    }),
    { numRuns: 300 },
  );
  expect(await stored()).toEqual(before);
});

it('OP-97 whatever its name, an image is stored under a generated key and found again', async () => {
  minutes += 2;
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }), async (name) => {
      fc.pre(name.trim() !== '');
      const response = await post(alma, { name, file: dataUrl(png) });
      if (response.status === 400) return expect(name.length).toBeGreaterThan(200);
      const { data } = (await response.json()) as { data: { fileName: string } };
      expect(data.fileName).toMatch(/\/images\/icons\/[a-z0-9-]{1,60}-[0-9a-f]{24}\.png$/);
      expect((await ownImages(alma)).images.some(({ link }) => link === data.fileName)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('more uploads in a minute than a person would send get a 429, without affecting others', async () => {
  // All uploads are made within one minute of the stopped clock, however slow the machine is.
  still = Date.now() + (minutes += 2) * 60_000;
  const bruno = await test.signIn(PEOPLE.all);
  const statuses = new Set<number>();
  for (let round = 0; round < 11; round++) {
    const some = await Promise.all(
      Array.from({ length: 30 }, () => post(bruno, { name: 'x', file: 'data:,' })),
    );
    some.forEach(({ status }) => statuses.add(status));
  }
  expect(statuses).toEqual(new Set([400, 429]));
});

async function post(browser: Browser, body: unknown): Promise<Response> {
  return browser.post(ENDPOINTS.imageUpload, body);
}
