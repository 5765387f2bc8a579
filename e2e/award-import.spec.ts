/** Best Teaching Award Report Data Configuration by hand (requirements BTA). */
import { readFileSync } from 'node:fs';
import { read } from '@e965/xlsx';
import type { Page } from '@playwright/test';
import { IMPORT, practiceList, putList, REPORTS, type Row, workbook } from './support/awards.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import type { Upload } from './support/sis-import.ts';

test.use({ campusKind: 'award' });
test.describe.configure({ mode: 'serial' });

const picker = (page: Page) => page.getByLabel('Upload File', { exact: true });
const list = (page: Page) => page.getByRole('table', { name: 'Professor and Course List' });
const problems = (page: Page) => page.getByRole('table', { name: 'Problems in the list' });
const changes = (page: Page) => page.getByRole('table', { name: 'Changes to the list' });
const dialog = (page: Page) => page.getByRole('alertdialog');
const date = (page: Page) => page.getByLabel('BTA Vote Opening Date', { exact: true });
const replace = (page: Page) => page.getByRole('button', { name: 'Replace the list', exact: true });
const figures = (page: Page) => page.locator('dl[aria-label="Changes in this file"]');
const upload = (page: Page, file: Upload) => picker(page).setInputFiles(file);

/** Returns the list with two rows removed, one changed and one new. */
function changed(rows: readonly Row[]): Row[] {
  const next = rows.slice(2).map((row, at) => (at === 3 ? { ...row, Enrolled: row.Enrolled + 1 } : row));
  return [...next, { ...(rows[0] as Row), 'Course ID': 'NEW-1' }];
}

test('BTA-03 BTA-27 BTA-32 BTA-43 OP-88 the configuration is empty at first, and a date is saved once it is complete', async ({
  page,
  signIn,
  axe,
}) => {
  const saved: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/opening-date'))
      saved.push(request.postDataJSON().opening_date as string);
  });
  await signIn('alma.reyes', IMPORT);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Best Teaching Award Report Data Configuration',
  );
  await expect(page.getByText('No data found')).toBeVisible();
  await expect(page.getByText('No date is saved yet, so all votes count.')).toBeVisible();
  await axe();
  await date(page).focus();
  await page.keyboard.type('09072026');
  await expect(page.getByText(/^07 Sep 2026 is saved\. Last updated .+ by Alma Reyes\.$/)).toBeVisible();
  expect(saved).toEqual(['2026-09-07']);
  await date(page).fill('');
  await expect(
    page
      .getByText('Enter a complete date. Nothing has been saved.')
      .or(page.getByText(/The saved date is still 07 Sep 2026/)),
  ).toBeVisible();
  await page.reload();
  await expect(date(page)).toHaveValue('2026-09-07');
  expect(saved).toHaveLength(1);
});

test('BTA-30 BTA-33 BTA-34 BTA-35 BTA-36 OP-92 the template can be downloaded; a file that is not the template, or not a workbook, is rejected', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', IMPORT);
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download BTA template' }).click();
  const template = await begun;
  expect(template.suggestedFilename()).toBe('Template_Setup_DDMMYYYY.xls');
  const bytes = readFileSync(await template.path());
  expect(bytes.subarray(0, 4).toString('hex')).toBe('d0cf11e0');
  const sheet = Object.values(read(bytes).Sheets)[0];
  const header = ['A1', 'B1', 'C1', 'D1', 'E1', 'F1', 'G1'].map((cell) => sheet?.[cell]?.v as unknown);
  expect(header).toEqual(['Campus', 'Course', 'Course ID', 'Enrolled', 'Prof ID', 'Professor', 'Type']);

  await upload(page, workbook('other.xlsx', [{ Campus: 'SGP', Course: 'Game Theory' }]));
  await expect(page.getByRole('alertdialog', { name: 'Warning' })).toContainText('Template not valid');
  await expect(dialog(page)).toContainText('The first row does not contain Course ID');
  await page.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(picker(page)).toBeFocused();

  await upload(page, { name: 'letter.xlsx', mimeType: 'text/plain', buffer: Buffer.from('Dear office,') });
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Upload failed: Invalid excel file');
  await expect(alert).toContainText('The current list was not changed.');
  await expect(page.getByText('No data found')).toBeVisible();
});

test('BTA-28 BTA-31 BTA-37 BTA-54 OP-89 a list with mistakes is corrected, its changes are shown, the list is replaced, and the previous list can be restored', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const rows = await practiceList(campus);
  await signIn('alma.reyes', IMPORT);
  const bad = rows.map((row, at) => {
    if (at === 3) return { ...row, Campus: 'LON' };
    return at === 5 ? { ...row, Enrolled: 'many' } : row;
  });
  await upload(page, workbook('bad.xlsx', bad));
  await expect(page.getByRole('heading', { name: 'Check results for bad.xlsx' })).toBeFocused();
  await expect(problems(page).getByRole('row', { name: /^5 .*LON.* is not a campus/ })).toContainText(
    'Campus',
  );
  await expect(problems(page).getByRole('row', { name: /^7 .*many.* is not a whole number/ })).toContainText(
    'Enrolled',
  );
  await expect(replace(page)).toHaveCount(0);
  await axe();

  await upload(page, workbook('list.xls', rows));
  await expect(page.getByRole('heading', { name: 'Check results for list.xls' })).toBeFocused();
  await expect(figures(page)).toContainText(String(rows.length));
  await replace(page).click();
  await expect(dialog(page)).toContainText(`${rows.length} rows replaces the current list`);
  await dialog(page).getByRole('button', { name: 'Keep the list' }).click();
  await expect(list(page)).not.toContainText(rows[0]?.Course ?? '');
  await replace(page).click();
  await dialog(page).getByRole('button', { name: 'Replace the list' }).click();
  const toast = page.getByRole('status').getByText('Data has been uploaded successfully');
  await expect(toast).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Professor and Course List' })).toBeFocused();
  await expect(list(page).getByRole('columnheader')).toHaveText([
    'Professor',
    'Prof ID',
    'Course',
    'Campus',
    'Enrolled',
    'Type',
    'Course ID',
  ]);
  await expect(list(page).locator('tbody tr')).toHaveCount(10);
  await expect(page.getByText(`1–10 of ${rows.length}`)).toBeVisible();
  await expect(page.locator('dl[aria-label="About the list"]')).toContainText('Alma Reyes');
  await expect(toast).toBeHidden({ timeout: 15_000 });

  await upload(page, workbook('next.xlsx', changed(rows)));
  await expect(changes(page).locator('tbody tr')).toHaveCount(4);
  const before = rows[5]?.Enrolled ?? 0;
  await expect(changes(page)).toContainText(`Enrolled: ${before} → ${before + 1}`);
  await changes(page).getByLabel('Filter Change').selectOption('Removed');
  await expect(changes(page).locator('tbody tr')).toHaveCount(2);
  await axe();
  await changes(page).getByLabel('Filter Change').selectOption('All');
  await replace(page).click();
  await expect(dialog(page)).toContainText('1 new, 1 changed, 2 removed');
  await dialog(page).getByRole('button', { name: 'Replace the list' }).click();
  await expect(page.getByText(`1–10 of ${rows.length - 1}`)).toBeVisible();

  await page.getByRole('button', { name: 'Restore the list' }).click();
  await expect(dialog(page)).toContainText('2 new, 1 changed, 1 removed');
  await dialog(page).getByRole('button', { name: 'Restore the list' }).click();
  await expect(page.getByText('The previous list was restored.')).toBeVisible();
  await expect(page.getByText(`1–10 of ${rows.length}`)).toBeVisible();

  await upload(page, workbook('same.xlsx', rows));
  await expect(page.getByText('This list is the same as the current one.')).toBeVisible();
  await expect(replace(page)).toHaveCount(0);
});

test('OP-89 a list that was replaced in the meantime is not overwritten unseen; after a reload the page says what was lost', async ({
  page,
  campus,
  signIn,
}) => {
  const rows = await practiceList(campus);
  await signIn('alma.reyes', IMPORT);
  await putList(page, campus, rows);
  await page.reload();
  await upload(page, workbook('next.xlsx', changed(rows)));
  await expect(replace(page)).toBeVisible();
  await putList(page, campus, rows.slice(1));
  await replace(page).click();
  await dialog(page).getByRole('button', { name: 'Replace the list' }).click();
  await expect(dialog(page)).toContainText('The current list has changed since the file was checked.');
  await dialog(page).getByRole('button', { name: 'Check the file again' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(changes(page).locator('tbody tr')).toHaveCount(3);
  await page.reload();
  await expect(page.getByText('The page was reloaded, so next.xlsx was not used')).toBeVisible();
  await expect(changes(page)).toHaveCount(0);
});

test('BTA-53 failed reads are reported by toasts, and can be retried', async ({ page, signIn }) => {
  await signIn('alma.reyes', REPORTS);
  const paths = ['opening-date', 'last-updated-info', 'import/excel'];
  const broken = JSON.stringify({
    error: { code: 'internal', message: 'Out of order.', next: 'Try again.', requestId: 'r-1' },
  });
  for (const path of paths) {
    await page.route(`**/best-teaching-reports/api/${path}`, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: broken }),
    );
  }
  await page.getByRole('link', { name: 'Configure' }).click();
  const toasts = page.getByRole('status');
  await expect(toasts.getByText('Error when get last updated at')).toBeVisible();
  await expect(toasts.getByText('Error when get opening date')).toBeVisible();
  await expect(toasts.getByText('Error when get excel data')).toBeVisible();
  await toasts.getByRole('button', { name: 'Close this message' }).first().click();
  await expect(toasts.getByRole('button', { name: 'Close this message' })).toHaveCount(2);
  await page.unrouteAll();
  await page
    .getByRole('alert')
    .filter({ hasText: 'excel data' })
    .getByRole('button', { name: 'Try again' })
    .click();
  await expect(list(page).locator('tbody tr')).toHaveCount(10);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(new RegExp(`${REPORTS}$`));
});

test('BTA-29 BTA-31 a list can be uploaded by drag and drop and with the keyboard only, in every scheme and width', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const rows = await practiceList(campus);
  await signIn('alma.reyes', IMPORT);
  await putList(page, campus, rows);
  await page.reload();
  await expect(list(page).locator('tbody tr')).toHaveCount(10);
  const look = () =>
    inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  await look();

  const file = workbook('dropped.xlsx', [...changed(rows), { ...rows[4], Campus: '' }]);
  const data = await page.evaluateHandle(
    ({ name, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    { name: file.name, bytes: [...file.buffer] },
  );
  await page.getByRole('group', { name: 'Upload a list' }).dispatchEvent('drop', { dataTransfer: data });
  await expect(problems(page)).toContainText('Campus is empty.');
  await look();

  await upload(page, workbook('next.xlsx', changed(rows)));
  await expect(replace(page)).toBeVisible();
  await look();
  await tabTo(page, replace(page));
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Replace the list' })).toBeFocused();
  await axe();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(replace(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Replace the list' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Professor and Course List' })).toBeFocused();
  await axe();
});
