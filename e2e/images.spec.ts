/** Aws Icons / Image Uploader by hand (requirements IMG). */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { broken, earlier, icon, icons, PATH, picker, rowOf, table, upload } from './support/images.ts';
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
