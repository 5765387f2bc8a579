/** Best Teaching Award Report by hand, with the practice survey (requirements BTA). */
import { readFileSync } from 'node:fs';
import { read, utils } from '@e965/xlsx';
import type { Page } from '@playwright/test';
import { rows as activityRows } from './support/activity.ts';
import {
  chart,
  chip,
  IMPORT,
  OPENING,
  practiceList,
  putList,
  putOpening,
  qualtrics,
  REPORTS,
  readSurvey,
  report,
} from './support/awards.ts';
import { back, fault, next, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'award' });
test.describe.configure({ mode: 'serial' });

const campusOf = (page: Page) => page.getByLabel('Campus', { exact: true });
const typeOf = (page: Page) => page.getByLabel('Course Type', { exact: true });
const options = (page: Page) => campusOf(page).locator('option');
const unmatched = (page: Page) => page.getByRole('table', { name: 'Votes that do not match the list' });
const card = (page: Page) => page.getByRole('region', { name: 'Responses', exact: true });
const failed = (page: Page) => page.getByRole('alert').filter({ hasText: 'failed' });

test('BTA-02 BTA-04 BTA-05 BTA-06 BTA-07 BTA-08 BTA-09 BTA-10 BTA-11 OP-87 the setup follows its rules, and survives a reload', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', REPORTS);
  await putOpening(page, campus, OPENING);
  await putList(page, campus, await practiceList(campus));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Best Teaching Award Report');
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toContainText([
    'Setup',
    'View Result',
  ]);
  await expect(page.locator('dl', { hasText: 'BTA Vote Opening Date' })).toContainText('07 Sep 2026');
  await expect(page.getByRole('tab')).toHaveText(['By Campus & Course', 'By Professor']);
  await expect(options(page)).toHaveText(['FBL', 'SGP', 'FBLSG', 'ABD']);
  await expect(campusOf(page)).toHaveValue('SGP');
  await expect(typeOf(page)).toHaveValue('elective');
  await expect(typeOf(page).locator('option')).toHaveText(['Elective', 'Core']);
  await axe();

  const core = typeOf(page).locator('option', { hasText: 'Core' });
  await typeOf(page).selectOption('core');
  await campusOf(page).selectOption('FBL');
  await expect(typeOf(page)).toHaveValue('core');
  await campusOf(page).selectOption('FBLSG');
  await expect(typeOf(page)).toHaveValue('elective');
  await expect(core).toBeDisabled();
  await page.getByRole('tab', { name: 'By Professor' }).click();
  await expect(campusOf(page).locator('option:checked')).toHaveText('Every campus');
  await expect(core).toBeEnabled();
  await campusOf(page).selectOption('FBL');
  await expect(core).toBeDisabled();
  await axe();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'By Professor' })).toHaveAttribute('aria-selected', 'true');
  await expect(campusOf(page)).toHaveValue('FBL');
  await page.getByRole('tab', { name: 'By Campus & Course' }).click();
  await expect(campusOf(page)).toHaveValue('SGP');
  await page.getByRole('link', { name: 'Configure' }).click();
  await expect(page).toHaveURL(new RegExp(`${IMPORT}$`));
});

test('BTA-55 OP-91 if the opening date and the campuses cannot be read, no error is shown, and all campuses are offered', async ({
  page,
  signIn,
}) => {
  for (const path of ['opening-date', 'campus'])
    await page.route(`**/best-teaching-reports/api/${path}`, (route) =>
      route.fulfill({ status: 500, body: '' }),
    );
  await signIn('alma.reyes', REPORTS);
  await expect(page.locator('dl', { hasText: 'BTA Vote Opening Date' })).toContainText('–');
  await expect(options(page)).toHaveText(['FBL', 'SGP', 'FBLSG', 'ABD']);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('BTA-12 BTA-13 BTA-15 BTA-17 BTA-18 OP-90 while the survey is read, the job is found again after leaving the page; then the votes appear', async ({
  page,
  campus,
  signIn,
}) => {
  await qualtrics(campus, { exportMs: 6_000 });
  await signIn('alma.reyes', REPORTS);
  await page.route('**/best-teaching-reports/api/stats', async (route) => {
    await loaded;
    await route.continue();
  });
  let go = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    go = resolve;
  });
  await next(page).click();
  await expect(page.getByText('Survey results are loading.. please wait.').first()).toBeVisible();
  go();
  await expect(card(page)).toContainText('Responses: 0');
  await expect(card(page)).toContainText('The survey has not been read yet.');
  await page.unrouteAll();
  await chip(page, 'Refresh').click();
  await expect(page.getByRole('status').getByText('Refreshing Data from Qualtrics')).toBeVisible();
  const work = page.getByRole('group', { name: 'Survey refresh' });
  await expect(work.getByRole('progressbar')).toBeVisible();
  await expect(chip(page, 'Refresh')).toBeDisabled();
  await page.goto(IMPORT);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(work.getByRole('progressbar')).toBeVisible();
  await expect(chip(page, 'Up to date')).toBeVisible({ timeout: 60_000 });
  await expect(card(page)).toContainText('Responses: 383');
  await expect(work).toHaveCount(0);
  await qualtrics(campus, { exportMs: 200 });
});

test('BTA-14 BTA-16 BTA-19 BTA-20 BTA-22 BTA-25 OP-81 OP-86 OP-105 the votes for a campus have figures, reasons, search, pages, a file and a chart', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', REPORTS);
  await next(page).click();
  await expect(card(page)).toContainText(/Last updated \d{1,2} \w{3,4} \d{4}/);
  await expect(card(page)).toContainText('39 of 422 responses are not counted:');
  await expect(card(page).getByRole('listitem')).toContainText([
    /preview/,
    /test response/,
    '2 responses marked as spam',
    '15 unfinished responses',
    '3 responses from before the opening date',
    '5 earlier responses from people who voted again',
  ]);
  await chip(page, 'Up to date').click();
  await expect(
    page.getByRole('status').getByText('Data up to date, Please refresh after an hour'),
  ).toBeVisible();

  const table = report(page, 'Singapore Campus - Elective Course');
  await expect(table.getByRole('columnheader')).toHaveText([
    'Course Name',
    'Faculty',
    'Campus',
    'Npax (Excel)',
    'Nvotes',
    '% of Votes',
  ]);
  const first = table.locator('tbody tr').first();
  await expect(first.getByRole('cell')).toHaveText([
    'Customer Insight',
    'François Nakamura',
    'SGP',
    '39',
    '21',
    '53.8',
  ]);
  await expect(page.getByRole('combobox', { name: 'Rows per page' }).first().locator('option')).toHaveText([
    '10',
    '20',
    '30',
  ]);
  await page.getByRole('searchbox', { name: 'Search courses and faculty' }).fill('francois');
  await expect(table.locator('tbody tr')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search courses and faculty' }).fill('');
  await expect(chart(page)).toHaveAccessibleName(
    /^Bar chart of the top 9 rows\. 1: Customer Insight, François Nakamura, 21 votes\. 2: Business Law/,
  );
  await expect(page.getByText('Rows with the same number of votes are ordered by share')).toBeVisible();
  await axe();

  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel', exact: true }).click();
  const download = await begun;
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
  const sheet = Object.values(read(readFileSync(await download.path())).Sheets)[0];
  const cells = utils.sheet_to_json<unknown[]>(sheet ?? {}, { header: 1 });
  expect(cells).toContainEqual(['Customer Insight', 'François Nakamura', 'SGP', 39, 21, 53.8]);
  await expect(page.getByRole('button', { name: 'Excel', exact: true })).toBeEnabled();
  await page.goto('/activity');
  await expect(activityRows(page).first()).toContainText('Singapore Campus');
});

test('BTA-21 BTA-26 OP-105 the votes for professors can be filtered; a misspelt name is shown beside the closest ones', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', REPORTS);
  await page.getByRole('tab', { name: 'By Professor' }).click();
  await typeOf(page).selectOption('core');
  await next(page).click();
  const table = report(page, 'Core Course - By Prof');
  await expect(table.getByRole('columnheader')).toHaveText([
    'Faculty',
    'Course Name',
    'Campus',
    'Nvotes',
    '% of Votes',
  ]);
  await expect(table.getByRole('searchbox')).toHaveCount(3);
  await expect(page.getByRole('searchbox')).toHaveCount(3);
  const name = (await table.locator('tbody tr').nth(1).getByRole('cell').first().textContent()) ?? '';
  await table.getByLabel('Filter Faculty').fill(name);
  await expect(table.locator('tbody tr')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('heading', { name: 'Votes that do not match the list: 3' })).toBeVisible();
  await expect(unmatched(page)).toContainText('Not in the list');
  await expect(unmatched(page).getByRole('listitem').first()).toContainText(/ – .+ \((FBL|SGP|ABD|FBLSG)\)$/);
  await axe();
});

test('BTA-52 OP-90 a failed refresh keeps the votes and says what to do; so does a report that cannot be read', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('alma.reyes', REPORTS);
  await next(page).click();
  await expect(chip(page, 'Up to date')).toBeVisible();
  // With another opening date, the votes of an hour ago are out of date.
  await putOpening(page, campus, '2026-09-08');
  await page.reload();
  await expect(page.getByText('The opening date has changed since these votes were counted.')).toBeVisible();
  const corrected = await fault(campus, { system: 'qualtrics', kind: 'export-fail' });
  await chip(page, 'Refresh').click();
  await expect(failed(page)).toBeVisible({ timeout: 120_000 });
  await expect(card(page)).toContainText('Responses: 383');
  await expect(report(page, 'Singapore Campus - Elective Course')).toContainText('François Nakamura');
  await corrected();
  await failed(page).getByRole('button', { name: 'Try again' }).click();
  await expect(chip(page, 'Up to date')).toBeVisible({ timeout: 60_000 });
  await expect(failed(page)).toHaveCount(0);
  await expect(card(page)).toContainText('Counted from 08 Sep 2026.');

  await page.route('**/best-teaching-reports/api/stats', (route) => route.fulfill({ status: 500, body: '' }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Error Fetching Data');
  await page.unrouteAll();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(report(page, 'Singapore Campus - Elective Course')).toBeVisible();
});

test('BTA-11 every step works in every scheme and width, and with the keyboard only', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', REPORTS);
  await putOpening(page, campus, OPENING);
  const look = () =>
    inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  await look();
  await tabTo(page, page.getByRole('tab', { name: 'By Campus & Course' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'By Professor' })).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, next(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toHaveText('View Result');
  await expect(step(page)).toBeFocused();
  await readSurvey(page);
  await expect(chart(page)).toBeVisible();
  await look();
  await expect(next(page)).toHaveCount(0);
  await tabTo(page, back(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toHaveText('Setup');
});
