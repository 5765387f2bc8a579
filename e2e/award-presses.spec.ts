/** The award with double clicks, in two tabs, and during another person's work (requirements BTA). */
import type { Page } from '@playwright/test';
import {
  chip,
  IMPORT,
  practiceList,
  putList,
  putOpening,
  qualtrics,
  REPORTS,
  report,
  workbook,
} from './support/awards.ts';
import { fault } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ campusKind: 'award' });
test.describe.configure({ mode: 'serial' });

const dialog = (page: Page) => page.getByRole('alertdialog');
const heading = (page: Page) => page.getByRole('heading', { name: 'Professor and Course List' });
/** Fires the event that a browser fires when a person comes back to the tab. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));

/** Records the statuses of the requests to a path. */
function sentTo(page: Page, path: string): number[] {
  const statuses: number[] = [];
  page.on('response', (answer) => {
    if (answer.request().method() === 'POST' && new URL(answer.url()).pathname.endsWith(path))
      statuses.push(answer.status());
  });
  return statuses;
}

test('BTA-37 OP-89 a double click replaces the list once and restores it once, and then no button is left', async ({
  page,
  campus,
  signIn,
}) => {
  const rows = await practiceList(campus);
  await signIn('alma.reyes', IMPORT);
  const replaced = sentTo(page, '/import/excel');
  const restored = sentTo(page, '/import/restore');
  for (const count of [rows.length, rows.length - 1]) {
    await page
      .getByLabel('Upload File', { exact: true })
      .setInputFiles(workbook(`${count}.xlsx`, rows.slice(0, count)));
    await page.getByRole('button', { name: 'Replace the list', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Replace the list' }).dblclick();
    await expect(heading(page)).toBeFocused();
    await expect(page.getByRole('heading', { name: /^Check results for/ })).toHaveCount(0);
    await expect(page.getByText(`1–10 of ${count}`)).toBeVisible();
  }
  expect(replaced).toEqual([200, 200]);
  for (const count of [rows.length, rows.length - 1]) {
    await page.getByRole('button', { name: 'Restore the list' }).click();
    await dialog(page).getByRole('button', { name: 'Restore the list' }).dblclick();
    await expect(heading(page)).toBeFocused();
    await expect(page.getByText(`1–10 of ${count}`)).toBeVisible();
  }
  expect(restored).toEqual([200, 200]);
});

test('BTA-27 OP-88 the field shows the saved date, even one saved in another tab; a date in another year is pointed out', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('alma.reyes', IMPORT);
  const date = page.getByLabel('BTA Vote Opening Date', { exact: true });
  await date.fill('2026-10-01');
  await expect(page.getByText(/^01 Oct 2026 is saved\. Last updated/)).toBeVisible();
  await putOpening(page, campus, '2026-09-07');
  await comeBack(page);
  await expect(page.getByText(/^07 Sep 2026 is saved\. Last updated/)).toBeVisible();
  await expect(date).toHaveValue('2026-09-07');
  await date.fill('1900-09-07');
  await expect(
    page.getByText('The year must be from 2000 to 2099. The saved date is still 07 Sep 2026.'),
  ).toBeVisible();
});

test('BTA-19 BTA-20 BTA-52 an open report shows a list that another person has replaced, a double click creates one file, and a failed first refresh is reported', async ({
  page,
  campus,
  signIn,
}) => {
  const rows = await practiceList(campus);
  await signIn('alma.reyes', REPORTS);
  await putList(page, campus, rows);
  await page.getByRole('button', { name: 'Next' }).click();
  const table = report(page, 'Singapore Campus - Elective Course');
  await expect(table).toContainText('Customer Insight');
  await putList(
    page,
    campus,
    rows.map((row) => (row.Course === 'Customer Insight' ? { ...row, Course: 'Renamed Insight' } : row)),
  );
  await comeBack(page);
  await expect(table).toContainText('Renamed Insight');

  // The page has not been reloaded yet: a file must not have figures that differ from the page.
  await putList(page, campus, rows);
  await page.getByRole('button', { name: 'Excel', exact: true }).click();
  const changed = page.getByRole('dialog').filter({ hasText: 'The Excel file could not be created.' });
  await expect(changed).toContainText('The figures have changed since this page was loaded');
  await changed.getByRole('button', { name: 'OK' }).click();
  await expect(table).toContainText('Customer Insight');

  const jobs = async () => {
    const answer = await page.request.get(`${campus.url}/api/jobs`);
    return (await answer.text()).split('"award-export"').length - 1;
  };
  await qualtrics(campus, { exportMs: 2_000 });
  const corrected = await fault(campus, { system: 'qualtrics', kind: 'export-fail' });
  await chip(page, 'Refresh').press('Enter');
  // For keyboard users, focus stays in place even while the survey is read.
  await expect(page.getByRole('group', { name: 'Survey refresh' })).toBeVisible();
  await expect(chip(page, 'Refresh')).toBeFocused();
  const failed = page.getByRole('alert').filter({ hasText: 'failed' });
  await expect(failed).toContainText('Qualtrics could not create the export.');
  // The survey has never been read successfully, so there are no previous votes.
  await expect(failed).not.toContainText('shows the previous votes');
  // The notice about the running refresh is not shown beside its result.
  await expect(page.getByRole('status').getByText('Refreshing Data from Qualtrics')).toHaveCount(0, {
    timeout: 3_000,
  });
  await corrected();

  const before = await jobs();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel', exact: true }).dblclick();
  await file;
  await expect(page.getByRole('button', { name: 'Excel', exact: true })).toBeEnabled();
  expect(await jobs()).toBe(before + 1);
});
