/**
 * The SIS Import upload: real progress, failures, cancelling, and the state after a reload (SIS-08, SIS-09).
 */
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { back, fault, importsOf, next, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { card, choose, csv, newPeople, PATH, submit, toUpload, upload } from './support/sis-import.ts';

const preview = (page: Page) => page.getByRole('heading', { name: /^First rows/ });
const again = (page: Page) => page.getByRole('button', { name: 'Try again' });
/** Records the uploads of the file, not the requests for the page at the same address. */
const posts = (page: Page) => {
  const all: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === PATH) all.push(request.url());
  });
  return all;
};

/** Slows the connection down so much that a file of half a megabyte takes seconds. */
async function slowLine(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const line = await page.context().newCDPSession(page);
  const set = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await set(bytesPerSecond);
  return async () => {
    await set(-1);
  };
}

const LONG = csv('long.csv', newPeople('SISL', 9_000));

test('SIS-08 the upload shows real bytes, can be cancelled, and restarted with one click', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  const fast = await slowLine(page, 15_000);
  await upload(page, LONG);
  const bar = page.getByRole('progressbar', { name: 'Uploading' });
  await expect(bar).toHaveAttribute('aria-valuetext', /^\d+ KB of \d+ KB$/);
  const first = Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(first);
  await expect(said(page, 'left')).toBeVisible();
  await axe();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(said(page, 'Upload failed')).toBeVisible();
  await expect(said(page, 'You cancelled the upload. Nothing has been sent to the LMS.')).toBeVisible();
  await expect(again(page)).toBeFocused();
  await expect(submit(page)).toBeDisabled();
  await axe();
  await fast();
  await again(page).click();
  await expect(step(page)).toBeFocused();
  await expect(preview(page)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText('9,000 rows');
});

test('SIS-09 ERR-03 an interrupted upload says so, and that nothing was sent; one click starts the upload again', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await page.route(`**${PATH}`, async (route) => {
    if (route.request().method() === 'POST') await route.abort('connectionreset');
    else await route.continue();
  });
  await upload(page, csv('cut.csv', newPeople('SISC', 3)));
  const alert = page.getByRole('alert').filter({ hasText: 'Upload failed' });
  await expect(alert).toContainText('could not be reached');
  await expect(alert).toContainText('Nothing has been sent to the LMS.');
  // Screen readers get no message about an upload in progress.
  await expect(page.locator('[aria-live="polite"]').first()).toHaveText('');
  await axe();
  await again(page).click();
  await expect(alert).toBeVisible();
  await page.unroute(`**${PATH}`);
  await again(page).click();
  await expect(preview(page)).toBeVisible({ timeout: 20_000 });
  expect(await importsOf(campus)).toBe(before);
});

test('SIS-09 ERR-03 any status other than 200, from any server, is a failed upload', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await page.route(`**${PATH}`, async (route) => {
    if (route.request().method() === 'POST') await route.fulfill({ status: 413, body: '<h1>Too large</h1>' });
    else await route.continue();
  });
  await upload(page, csv('proxy.csv', newPeople('SISD', 3)));
  await expect(page.getByRole('alert').filter({ hasText: 'Upload failed' })).toBeVisible();
  await page.getByRole('button', { name: 'Select another file' }).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await expect(card(page, 'proxy.csv')).toBeVisible();
});

test('SIS-09 ERR-03 if the LMS is down, the check stops with a message and can be retried', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const clear = await fault(campus, { match: '/api/v1/accounts/1/roles*', kind: 'status', status: 503 });
  // The role is given by name, which only the LMS can resolve.
  await upload(page, csv('roles.csv', 'course_id,user_id,role,status\nC1,1,student,active'));
  const alert = page.getByRole('alert').filter({ hasText: 'Upload failed' });
  await expect(alert).toBeVisible({ timeout: 40_000 });
  await expect(alert).toContainText('LMS');
  await expect(alert).toContainText('Reference');
  await clear();
  await again(page).click();
  await expect(preview(page)).toBeVisible({ timeout: 20_000 });
});

test('SIS-06 SIS-08 after a reload the file has to be selected again, or the review returns, and nothing is uploaded twice', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const uploads = posts(page);
  await toUpload(page);
  await choose(page, csv('kept.csv', newPeople('SISE', 3)));
  await page.reload();
  await expect(step(page)).toHaveText('Upload Csv');
  await expect(said(page, 'The page was reloaded before kept.csv had been uploaded.')).toBeVisible();
  await expect(card(page, 'kept.csv')).toHaveCount(0);

  const fast = await slowLine(page, 50_000);
  await choose(page, LONG);
  await next(page).click();
  await expect(page.getByRole('progressbar', { name: 'Uploading' })).toBeVisible();
  await page.reload();
  await fast();
  await expect(step(page)).toHaveText('Upload Csv');
  await expect(said(page, 'before long.csv had been uploaded')).toBeVisible();

  await choose(page, csv('kept.csv', newPeople('SISE', 3)));
  await next(page).click();
  await expect(preview(page)).toBeVisible({ timeout: 20_000 });
  const done = uploads.length;
  await page.reload();
  await expect(step(page)).toHaveText('Status and Review');
  await expect(preview(page)).toBeVisible();
  await back(page).click();
  await expect(card(page, 'kept.csv')).toContainText('Uploaded and checked.');
  await page.reload();
  await next(page).click();
  await expect(preview(page)).toBeVisible();
  expect(uploads).toHaveLength(done);

  await submit(page).click();
  await expect(step(page)).toHaveText('Progress');
  await page.reload();
  await expect(step(page)).toHaveText('Progress');
  await expect(page.getByRole('button', { name: 'Back to Home' })).toBeVisible({ timeout: 30_000 });
  expect(uploads).toHaveLength(done);
});

test('SIS-06 going back during the upload stops the upload, and another file replaces the first', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const stopped = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  const fast = await slowLine(page, 50_000);
  await upload(page, LONG);
  await expect(page.getByRole('progressbar', { name: 'Uploading' })).toBeVisible();
  await back(page).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await stopped;
  await fast();
  await choose(page, csv('short.csv', newPeople('SISF', 2)));
  await next(page).click();
  await expect(preview(page)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText('short.csv · 2 rows');
});

test('SIS-08 the progress of a file of 100 MB is shown, and the page stays responsive', async ({
  page,
  signIn,
}) => {
  test.slow();
  const path = join(tmpdir(), `sis-import-${process.pid}.csv`);
  const rows = 100_000;
  const remark = 'x'.repeat(990);
  const head = 'user_id,login_id,status,remark\n';
  await writeFile(
    path,
    head +
      Array.from({ length: rows }, (_, at) => `B${at},b${at}@northbridge.example,active,${remark}\n`).join(
        '',
      ),
  );
  try {
    await signIn('alma.reyes', PATH);
    await toUpload(page);
    await page.getByLabel('Select Csv File').setInputFiles(path);
    await expect(page.getByRole('group', { name: /^sis-import-\d+\.csv$/ })).toContainText('Users · 9');
    await page.evaluate(() => {
      const seen = { texts: new Set<string>(), frames: 0 };
      Object.assign(window, { seen });
      const look = () => {
        seen.frames++;
        const text = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuetext');
        if (text) seen.texts.add(text);
        requestAnimationFrame(look);
      };
      look();
    });
    await next(page).click();
    await expect(preview(page)).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText('100,000 rows');
    const seen = await page.evaluate(() => {
      const { texts, frames } = (window as unknown as { seen: { texts: Set<string>; frames: number } }).seen;
      return { texts: [...texts], frames };
    });
    expect(seen.texts.length).toBeGreaterThan(3);
    expect(seen.frames).toBeGreaterThan(30);
  } finally {
    await rm(path, { force: true });
  }
});
