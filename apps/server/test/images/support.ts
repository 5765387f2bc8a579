/** Images created for tests, and how they are uploaded. */
import { deflateSync } from 'node:zlib';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type ImagesPage,
  type ImageUploadAnswer,
  imagesPage,
  imageUploadAnswer,
} from '@lms-admin/contract/images';
import sharp from 'sharp';
import { chunk, SIGNATURE } from '../../src/images/strip/png.ts';
import type { Browser } from '../support/browser.ts';

/** Creates an image of coloured noise, the same for the same seed. */
export function noise(width: number, height: number, seed = 1): ReturnType<typeof sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    pixels[at] = state >> 16;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export function picture(format: 'png' | 'jpeg' | 'gif' | 'webp', seed = 1, side = 24): Promise<Buffer> {
  return noise(side, side, seed).toFormat(format).toBuffer();
}

/** Creates a PNG of any size in a single colour. @param rows number of rows that the PNG really has */
export function flatPng(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates an ICO of these images. */
export function ico(pictures: readonly { side: number; bytes: Buffer }[]): Buffer {
  const head = Buffer.from([0, 0, 1, 0, pictures.length, 0]);
  let at = 6 + 16 * pictures.length;
  const entries = pictures.map(({ side, bytes }) => {
    const entry = Buffer.alloc(16);
    entry[0] = entry[1] = side % 256;
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(bytes.length, 8);
    entry.writeUInt32LE(at, 12);
    at += bytes.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...pictures.map(({ bytes }) => bytes)]);
}

/** Creates a 32-bit bitmap in the form used inside an ICO, with its mask. */
export function bitmap(side: number): Buffer {
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(side, 4);
  head.writeInt32LE(side * 2, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  return Buffer.concat([
    head,
    Buffer.alloc(side * side * 4, 0x7f),
    Buffer.alloc(Math.ceil(side / 32) * 4 * side),
  ]);
}

export function dataUrl(bytes: Uint8Array, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

export function send(browser: Browser, name: string, bytes: Uint8Array, upload?: string): Promise<Response> {
  return browser.post(ENDPOINTS.imageUpload, { name, file: dataUrl(bytes), ...(upload ? { upload } : {}) });
}

/** Uploads an image that is accepted. */
export async function uploaded(
  browser: Browser,
  name: string,
  bytes: Uint8Array,
  upload?: string,
): Promise<ImageUploadAnswer> {
  const response = await send(browser, name, bytes, upload);
  const body = (await response.json()) as { data: unknown };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return imageUploadAnswer.parse(body.data);
}

export async function ownImages(browser: Browser, query: Record<string, string> = {}): Promise<ImagesPage> {
  const response = await browser.fetch(`${ENDPOINTS.images}?${new URLSearchParams(query)}`);
  return imagesPage.parse(((await response.json()) as { data: unknown }).data);
}
