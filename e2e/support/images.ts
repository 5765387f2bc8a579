/** Pictures to upload, and the screen that accepts them. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';

export const PATH = '/aws-s3-manager';
export const LIMIT = 100_000;

export interface Picture {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const picture = (name: string, mimeType: string, buffer: Buffer): Picture => ({ name, mimeType, buffer });

/** Draws an icon with a transparent margin. @param hue 0 to 359 */
export async function icon(name: string, hue = 160, side = 96): Promise<Picture> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="${side}" height="${side}">
    <circle cx="48" cy="48" r="44" fill="hsl(${hue} 55% 36%)"/>
    <path d="M30 62V40l18-12 18 12v22z" fill="hsl(${hue} 40% 94%)"/><path d="M42 62V50h12v12z" fill="hsl(${hue} 55% 36%)"/></svg>`;
  return picture(name, 'image/png', await sharp(Buffer.from(drawing)).png().toBuffer());
}

/** Draws the given number of different icons. */
export function icons(count: number): Promise<Picture[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => icon(`icon-${at + 1}.png`, (at * 47) % 360, 64 + (at % 30))),
  );
}

/**
 * Creates a picture in a file of exactly this many bytes; bytes after its end are not part of the picture.
 */
export async function ofSize(name: string, bytes: number): Promise<Picture> {
  const { buffer } = await icon(name);
  return picture(name, 'image/png', Buffer.concat([buffer, Buffer.alloc(bytes - buffer.length)]));
}

/** Creates a landscape with grain, far above the limit. */
export async function photo(name: string, width = 1_600, height = 1_200): Promise<Picture> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <linearGradient id="s" x2="0" y2="1"><stop stop-color="#4d86b8"/><stop offset=".6" stop-color="#f3d9b0"/></linearGradient></defs>
    <rect width="100%" height="62%" fill="url(#s)"/><rect y="62%" width="100%" height="38%" fill="#37604a"/>
    <circle cx="72%" cy="46%" r="6%" fill="#ffe9b8"/><path d="M0 ${height * 0.62}L${width * 0.3} ${height * 0.3}L${width * 0.62} ${height * 0.62}z" fill="#4f5f78"/></svg>`;
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 22 },
    },
  })
    .png()
    .toBuffer();
  const buffer = await sharp(Buffer.from(drawing))
    .composite([{ input: grain, blend: 'overlay' }])
    .jpeg({ quality: 92 })
    .toBuffer();
  return picture(name, 'image/jpeg', buffer);
}

/** Creates a drawing with transparency, above the limit: few colours, many of them side by side. */
export async function mosaic(name: string, side = 1_200): Promise<Picture> {
  const pixels = Buffer.alloc(side * side * 4);
  let seed = 7;
  for (let at = 0; at < pixels.length; at += 4) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const shade = 40 + (Math.floor(seed / 65_536) % 8) * 24;
    pixels.set([20, shade, 90, (at / 4) % side < side / 2 ? 255 : 0], at);
  }
  const buffer = await sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
  return picture(name, 'image/png', buffer);
}

/** Creates an animated GIF above the limit. */
export async function animation(name: string): Promise<Picture> {
  const frames = await Promise.all(
    [0, 90, 180].map(async (hue) => {
      const { buffer } = await photo('frame.jpg', 400, 300);
      return sharp(buffer).modulate({ hue }).png().toBuffer();
    }),
  );
  return picture(
    name,
    'image/gif',
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
}

/** Creates a PNG that is cut off in the middle. */
export async function broken(name: string): Promise<Picture> {
  const { buffer } = await icon(name);
  return picture(name, 'image/png', buffer.subarray(0, buffer.length / 2));
}

export const picker = (page: Page) =>
  page.getByLabel('Select images', { exact: true }).and(page.locator('input'));
export const table = (page: Page) => page.getByRole('table', { name: 'Images to upload' });
export const earlier = (page: Page) => page.getByRole('table', { name: 'Earlier images' });
export const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
export const upload = (page: Page) => page.getByRole('button', { name: 'Upload Images', exact: true });
