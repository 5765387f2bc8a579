/** Aws Icons / Image Uploader by hand (requirements IMG). */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import {
  animation,
  broken,
  earlier,
  icon,
  icons,
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
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'images' });
test.describe.configure({ mode: 'serial' });

const ODD = 'Zoë O’Neill–Łukasz.png';
const rows = (page: Page) => table(page).locator('tbody tr.row');
const status = (page: Page, name: string) => rowOf(page, name).getByRole('cell').last();
const copyLink = (page: Page, name: string) =>
  table(page).getByRole('button', { name: `Copy the link of ${name}` });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const notTaken = (page: Page) => page.getByRole('list', { name: /^Not added/ });

/** Holds uploads back until they are released: a slow network that the test controls. */
async function heldUploads(page: Page): Promise<() => Promise<void>> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/api/aws/aws-upload', async (route) => {
    await opened;
    // If the page has been left in the meantime, nothing waits for the answer.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    open();
    await page.unroute('**/api/aws/aws-upload');
  };
}

test('IMG-02 IMG-03 IMG-04 IMG-06 IMG-09 before files are selected, the screen fits in every scheme and width', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Aws Icons / Image Uploader');
  await expect(page.getByRole('link', { name: 'Aws S3 Icons' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('heading', { name: 'Select files', exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    'Take icons from a stock icon site.',
    'Always use the school’s branding.',
    'Maximum file size is 100KB.',
    'If an image is larger, use an image compressor.',
  ]);
  await expect(picker(page)).toHaveAttribute('accept', /^image\/png,image\/jpeg,image\/gif,image\/webp/);
  await expect(picker(page)).not.toHaveAttribute('accept', /svg/);
  await expect(table(page).getByRole('columnheader')).toHaveText(['Number', 'File Name', 'Image', 'Status']);
  await expect(page.getByText('No images are selected yet.')).toBeVisible();
  await expect(page.getByText('You have not uploaded any images yet.')).toBeVisible();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  // Without images to upload, a warning says what is missing, and where.
  await upload(page).click();
  await expect(page.getByRole('alertdialog')).toContainText('Select at least one image.');
  await page.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(picker(page)).toBeFocused();
});

test('IMG-01 IMG-07 IMG-08 IMG-11 IMG-12 IMG-13 two images are uploaded and their links copied; an image added later is uploaded on its own', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn('alma.reyes', PATH);
  const pictures = [await icon('house.png'), await icon(ODD, 20)];
  await picker(page).setInputFiles(pictures);
  await expect(rows(page)).toHaveCount(2);
  await expect(rowOf(page, ODD).getByRole('cell').first()).toHaveText('2');
  const preview = rowOf(page, ODD).locator('img');
  await expect.poll(() => preview.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(96);
  // Images selected again are not added twice.
  await picker(page).setInputFiles(pictures);
  await expect(page.getByText(/^Not added: 2\./)).toBeVisible();
  await expect(notTaken(page).getByRole('listitem').first()).toHaveText(
    /^house\.png – it is already in the list/,
  );
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await picker(page).setInputFiles([await icon('third.png', 300)]);
  await expect(page.getByRole('button', { name: 'Delete third.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete third.png' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: `Delete ${ODD}` })).toBeFocused();

  const sent: { name: string; file: string; upload: string }[] = [];
  page.on('request', (request) => {
    if (request.url() === `${campus.url}/api/aws/aws-upload`) sent.push(request.postDataJSON());
  });
  const goOn = await heldUploads(page);
  await upload(page).dblclick();
  await expect(upload(page)).toBeDisabled();
  await expect(page.getByRole('progressbar', { name: `Uploading ${ODD}` })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Uploading images' })).toBeVisible();
  await axe();
  await goOn();
  await expect(status(page, 'house.png')).toHaveText('Uploaded');
  await expect(status(page, ODD)).toHaveText('Uploaded');
  await expect(table(page).getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expect(upload(page)).toBeDisabled();
  await axe();
  expect(sent.map(({ name }) => name)).toEqual(['house.png', ODD]);
  expect(sent[0]?.file).toBe(`data:image/png;base64,${pictures[0]?.buffer.toString('base64')}`);
  expect(sent[0]?.upload).toBe(sent[1]?.upload);
  // Text selected by the double click should not be in the picture.
  await page.evaluate(() => getSelection()?.removeAllRanges());

  // A click on the preview also copies; a toast confirms it for a second.
  await page.clock.install();
  await copyLink(page, ODD).locator('img').click();
  const toast = page.getByRole('status').getByText('Link Copied', { exact: true });
  await expect(toast).toBeVisible();
  await page.clock.pauseAt(Date.now() + 20_000);
  await expect(toast).toHaveCount(0);
  await copyLink(page, 'house.png').press('Enter');
  await expect(toast).toBeVisible();
  await page.clock.runFor(990);
  await expect(toast).toBeVisible();
  await page.clock.runFor(20);
  await expect(toast).toHaveCount(0);
  await page.clock.resume();
  const link = await clipboard(page);
  expect(link).toMatch(new RegExp(`^${campus.url}/images/icons/house-[0-9a-f]{24}\\.png$`));
  const stored = await page.request.get(link);
  expect(stored.headers()['content-type']).toBe('image/png');

  await page.getByRole('button', { name: 'Copy names and links' }).click();
  await expect(page.getByRole('status').getByText('2 names with their links copied')).toBeVisible();
  const lines = (await clipboard(page)).split('\n').map((line) => line.split('\t'));
  expect(lines.map(([name]) => name)).toEqual(['house.png', ODD]);
  expect(lines[0]?.[1]).toBe(link);

  // Adding an image makes the state NEW again; only that image is sent.
  await picker(page).setInputFiles([await icon('late.png', 90)]);
  await expect(upload(page)).toBeEnabled();
  await upload(page).click();
  await expect(status(page, 'late.png')).toHaveText('Uploaded');
  expect(sent.map(({ name }) => name)).toEqual(['house.png', ODD, 'late.png']);

  await expect(earlier(page).locator('tbody tr.row')).toHaveCount(3);
  await expect(earlier(page).locator('tbody tr.row').first()).toContainText('late.png');
  const again = earlier(page).getByRole('button', { name: `Copy the link of ${ODD}` });
  await again.click();
  expect(await clipboard(page)).toBe(lines[1]?.[1]);
  await page.goto('/activity');
  await page.getByRole('link', { name: 'Upload 2 images' }).click();
  const steps = page.getByRole('table', { name: 'Step by step' });
  await expect(steps.getByRole('row').filter({ hasText: 'house.png' }).getByRole('link')).toHaveAttribute(
    'href',
    link,
  );
  await axe();
});

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

test('IMG-14 ERR-03 OP-95 one image fails with its reason, and the others succeed; after a lost connection it can be retried', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles([
    await icon('first.png', 10),
    await broken('half.png'),
    await icon('last.png', 50),
  ]);
  await upload(page).click();
  await expect(status(page, 'half.png')).toContainText('Upload failed');
  await expect(status(page, 'first.png')).toHaveText('Uploaded');
  await expect(status(page, 'last.png')).toHaveText('Uploaded');
  await expect(rowOf(page, 'half.png')).toContainText('It is damaged or incomplete');
  await expect(rowOf(page, 'half.png')).toContainText('save it again');
  // Not every image has succeeded, so the upload is not finished.
  await expect(upload(page)).toBeEnabled();
  await expect(page.getByText('3 images · 2 uploaded · 1 failed')).toBeVisible();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await page.getByRole('button', { name: 'Delete half.png' }).click();
  await expect(upload(page)).toBeDisabled();

  await picker(page).setInputFiles([await icon('offline.png', 130)]);
  await page.route('**/api/aws/aws-upload', (route) => route.abort('connectionreset'));
  await upload(page).click();
  await expect(status(page, 'offline.png')).toContainText('Upload failed');
  await page.unroute('**/api/aws/aws-upload');
  await upload(page).click();
  await expect(status(page, 'offline.png')).toHaveText('Uploaded');
  await expect(upload(page)).toBeDisabled();
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

test('IMG-10 IMG-11 Start Over reloads the page; during an upload, it and leaving the page ask first', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles(await icons(3));
  await expect(rows(page)).toHaveCount(3);
  const loads: string[] = [];
  page.on('load', () => loads.push(page.url()));
  const startOver = page.getByRole('button', { name: 'Start Over', exact: true });
  await startOver.click();
  await expect(rows(page)).toHaveCount(0);
  expect(loads).toHaveLength(1);
  await expect(page.getByText('The page was reloaded')).toHaveCount(0);

  await picker(page).setInputFiles(await icons(3));
  let goOn = await heldUploads(page);
  await upload(page).click();
  await startOver.click();
  const dialog = page.getByRole('alertdialog', { name: 'Stop the upload?' });
  await expect(dialog).toContainText(
    'No image has been uploaded yet. If you stop, you have to select 3 images again.',
  );
  await axe();
  await dialog.getByRole('button', { name: 'Keep uploading' }).click();
  await expect(upload(page)).toBeDisabled();

  // The browser asks as well; staying loses nothing.
  const asked: string[] = [];
  page.once('dialog', (one) => {
    asked.push(one.type());
    void one.dismiss();
  });
  await page.evaluate(() => window.location.reload());
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await expect(page.getByRole('progressbar', { name: 'Uploading images' })).toBeVisible();
  page.once('dialog', (one) => void one.accept());
  await page.reload();
  await expect(page.getByText('The page was reloaded while images were being uploaded.')).toBeVisible();
  await expect(
    page.getByText(
      'Being uploaded at that moment: icon-1.png, icon-2.png, icon-3.png. Select again only the images that are not among your earlier images.',
    ),
  ).toBeVisible();
  await goOn();
  await page.getByRole('button', { name: 'Dismiss' }).click();

  await picker(page).setInputFiles(await icons(3));
  goOn = await heldUploads(page);
  await upload(page).click();
  await startOver.click();
  await dialog.getByRole('button', { name: 'Stop and start over' }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText('The page was reloaded')).toHaveCount(0);
  await goOn();
});

test('IMG-11 the upload continues while another tool is open; after it is stopped, the remaining images are kept', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles(await icons(6));
  // All of them are in the list, so the button has stopped moving.
  await expect(table(page).getByRole('row')).toHaveCount(7);
  let goOn = await heldUploads(page);
  await upload(page).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Activity' }).first().click();
  await goOn();
  await page.getByRole('link', { name: 'Aws S3 Icons' }).click();
  await expect(page.getByText('6 images · 6 uploaded')).toBeVisible();

  await picker(page).setInputFiles([await icon('wait.png', 5)]);
  goOn = await heldUploads(page);
  await upload(page).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Delete wait.png' })).toBeVisible();
  await goOn();
  await upload(page).click();
  await expect(page.getByText('7 images · 7 uploaded')).toBeVisible();
});

test('IMG-11 IMG-13 200 images are uploaded with the keyboard only, and listed in every scheme and width: the latest 50 first, found by name', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await picker(page).setInputFiles(await icons(200));
  await expect(page.getByText('200 images', { exact: true })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Delete icon-1.png', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('199 images', { exact: true })).toBeVisible();
  await upload(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('199 images · 199 uploaded')).toBeVisible({ timeout: 120_000 });
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await expect(earlier(page).locator('tbody tr.row')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(earlier(page).locator('tbody tr.row')).toHaveCount(100);
  const search = page.getByRole('searchbox', { name: 'Search earlier images' });
  await search.fill('icon-150');
  await expect(earlier(page).locator('tbody tr.row')).toHaveCount(1);
  await search.fill('no such name');
  await expect(page.getByText('None of your images match “no such name”.')).toBeVisible();
  await axe();
});

test('IMG-12 earlier images that cannot be loaded say so, and can be loaded again', async ({
  page,
  signIn,
  axe,
}) => {
  await page.route('**/api/images*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: JSON.stringify({
        status: 500,
        error: { code: 'internal', message: 'Out of order.', next: 'Try again.', requestId: 'r-1' },
      }),
    }),
  );
  await signIn('alma.reyes', PATH);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Your earlier images could not be loaded.');
  await axe();
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(earlier(page).locator('tbody tr.row')).toHaveCount(50);
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
