/**
 * Which files the Image Uploader accepts, shrinks and rejects (requirements IMG). The tests do not depend on the images
 * that were uploaded before, so they need no practice LMS of their own.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import {
  animation,
  icon,
  LIMIT,
  mosaic,
  ofSize,
  PATH,
  photo,
  picker,
  rowOf,
  table,
  upload,
} from './support/images.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const rows = (page: Page) => table(page).locator('tbody tr.row');
const status = (page: Page, name: string) => rowOf(page, name).getByRole('cell').last();
const notTaken = (page: Page) => page.getByRole('list', { name: /^Not added/ });

test('IMG-05 OP-93 100,000 bytes are accepted; an image with one byte more is named, with the limit', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles([await ofSize('full.png', LIMIT), await ofSize('over.png', LIMIT + 1)]);
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, 'full.png')).toContainText('100,000 bytes');
  const large = page.getByRole('region', { name: 'Images that are too large' });
  await expect(large).toContainText(
    'over.png has 100,001 bytes. Maximum file size is 100KB (100,000 bytes).',
  );
  await upload(page).click();
  // Data after the end of the picture is dropped, and this is reported.
  await expect(status(page, 'full.png')).toHaveText(
    /^Uploaded.*Removed from the file: bytes after its end\.$/,
  );
  await large.getByRole('button', { name: 'Remove over.png' }).click();
  await expect(large).toHaveCount(0);
  await expect(picker(page)).toBeFocused();
});

test('IMG-05 OP-93 photographs and drawings that are too large are shrunk on request; animations and damaged images are reported', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  const cut = await photo('cut.jpg');
  await picker(page).setInputFiles([
    await photo('campus.jpg'),
    await mosaic('mosaic.png'),
    await animation('moving.gif'),
    { ...cut, buffer: cut.buffer.subarray(0, 150_000).fill(0, 3) },
  ]);
  const large = page.getByRole('region', { name: 'Images that are too large' });
  const of = (name: string) => large.getByRole('listitem').filter({ hasText: name });
  await expect(large).toContainText('4 images are too large and were not added');
  await axe();
  await large.getByRole('button', { name: 'Shrink campus.jpg to fit' }).click();
  const smaller = large.getByRole('img', { name: 'The smaller campus.jpg' });
  await expect.poll(() => smaller.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(600);
  await expect(large.getByRole('button', { name: 'Add the smaller campus.jpg' })).toBeFocused();
  const bytes = /→ ([\d,]+) bytes/.exec((await of('campus.jpg').textContent()) ?? '')?.[1];
  expect(Number(bytes?.replaceAll(',', ''))).toBeLessThanOrEqual(LIMIT);
  await expect(of('campus.jpg')).toContainText('1,600 × 1,200 →');
  // Images are added only on request.
  await expect(rows(page)).toHaveCount(0);
  await large.getByRole('button', { name: 'Shrink all 3 to fit' }).click();
  await expect(of('moving.gif')).toContainText('It cannot be shrunk here: it is animated');
  await expect(of('cut.jpg')).toContainText('It cannot be shrunk here: it could not be opened');
  await expect(of('mosaic.png')).toContainText(/It will be uploaded as mosaic\.webp|1,200 × 1,200 →/);
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await large.getByRole('button', { name: 'Add all 2 smaller images' }).click();
  await expect(rows(page)).toHaveCount(2);
  await upload(page).click();
  await expect(status(page, 'campus.jpg')).toHaveText('Uploaded');
  await expect(status(page, 'mosaic')).toHaveText('Uploaded');
  // The transparent half stays transparent.
  const clear = await rowOf(page, 'mosaic')
    .locator('img')
    .evaluate((one: HTMLImageElement) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [one.naturalWidth, one.naturalHeight];
      const drawing = canvas.getContext('2d');
      drawing?.drawImage(one, 0, 0);
      const alpha = (x: number) => drawing?.getImageData(x, one.naturalHeight >> 1, 1, 1).data[3];
      return [alpha(Math.floor(one.naturalWidth / 4)), alpha(Math.floor((one.naturalWidth * 3) / 4))];
    });
  expect(clear).toEqual([255, 0]);
});

test('IMG-03 OP-94 a folder, an SVG and a text are rejected, each with its reason; images beside them are added', async ({
  page,
  signIn,
}, info) => {
  const { mkdirSync, writeFileSync } = await import('node:fs');
  const folder = info.outputPath('brand icons');
  mkdirSync(folder, { recursive: true });
  const file = info.outputPath('dropped.png');
  writeFileSync(file, (await icon('dropped.png', 200)).buffer);
  const svg = info.outputPath('logo.svg');
  writeFileSync(svg, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await signIn('alma.reyes', PATH);

  // A real drag over the area and a real drop, as the operating system makes them.
  const box = await page.getByRole('group', { name: 'Select images' }).boundingBox();
  const at = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 40 };
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder, file, svg], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, 'dropped.png')).toBeVisible();
  await expect(notTaken(page).getByRole('listitem')).toHaveText([
    /^brand icons – it is a folder\./,
    /^logo\.svg – SVG images can contain scripts/,
  ]);
  await picker(page).setInputFiles([
    { name: 'letter.png', mimeType: 'image/png', buffer: Buffer.from('Dear office,') },
    { name: 'none.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
  ]);
  // Files rejected earlier stay in the list.
  await expect(notTaken(page).getByRole('listitem')).toHaveText([
    /^brand icons –/,
    /^logo\.svg –/,
    /^letter\.png – it has the name of an image/,
    /^none\.png – the file is empty/,
  ]);
});

test('IMG-03 a pasted image gets its own name; pasted text does nothing', async ({
  page,
  context,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn('alma.reyes', PATH);
  await page.evaluate(() => navigator.clipboard.writeText('only words'));
  await page.keyboard.press('Control+V');
  const { buffer } = await icon('x.png', 280);
  await page.evaluate(
    async (bytes) => {
      const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    },
    [...buffer],
  );
  await page.keyboard.press('Control+V');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(/Pasted image \d+ \w+ \d{4}, \d\d\.\d\d\.\d\d\.png/);
  await page.keyboard.press('Control+V');
  await expect(rows(page)).toHaveCount(2);
  await upload(page).click();
  await expect(page.getByText('2 images · 2 uploaded')).toBeVisible();
});

test('IMG-09 clicking upload while files are still being read includes them', async ({ page, signIn }) => {
  // A slow disk that the test controls.
  await page.addInitScript(() => {
    const { value } = Object.getOwnPropertyDescriptor(Blob.prototype, 'arrayBuffer') ?? {};
    const read = value as (this: Blob) => Promise<ArrayBuffer>;
    const ready = new Promise((resolve) => window.addEventListener('disk-is-ready', resolve, { once: true }));
    Blob.prototype.arrayBuffer = async function () {
      await ready;
      return read.call(this);
    };
  });
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles([await icon('slow-1.png', 10), await icon('slow-2.png', 20)]);
  await expect(page.getByText('Checking the files …')).toBeVisible();
  await upload(page).click();
  await expect(upload(page)).toBeDisabled();
  await page.evaluate(() => window.dispatchEvent(new Event('disk-is-ready')));
  await expect(status(page, 'slow-1.png')).toHaveText('Uploaded');
  await expect(status(page, 'slow-2.png')).toHaveText('Uploaded');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
