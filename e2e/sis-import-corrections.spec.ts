/**
 * A rejected SIS file is corrected in place: equal problems, marked cells, matched columns (SIS-05, SIS-06).
 */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import yazl from 'yazl';
import { importsOf, next, peopleLike, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  choose,
  csv,
  HEADER as ENROL,
  mbaCourses,
  PATH,
  picker,
  submit,
  toUpload,
  upload,
} from './support/sis-import.ts';

const HEADER = 'user_id,login_id,first_name,last_name,status';
const groups = (page: Page) => page.getByRole('list', { name: 'Identical problems' }).getByRole('listitem');
const table = (page: Page) => page.getByRole('table', { name: 'Problems in the file' });
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const person = (prefix: string, at: number, { id = `${prefix}${at}`, status = 'active', mail = '' } = {}) =>
  `${id},${mail || `${prefix}${at}@northbridge.example`.toLowerCase()},Zoë,O’Neill–Łukasz ${at},${status}`;

/** Counts presses: clicks, and keys other than letters. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as unknown as { presses: number };
    counter.presses = 0;
    const count = (event: Event) => {
      if (event.isTrusted) counter.presses++;
    };
    document.addEventListener('pointerdown', count, true);
    document.addEventListener('keydown', count, true);
  });
  return () => page.evaluate(() => (window as unknown as { presses: number }).presses);
}

test('SIS-05 5,000 rows with 300 problems of four kinds are corrected in place and submitted, with few clicks and keys', async ({
  page,
  campus,
  signIn,
}) => {
  test.setTimeout(240_000);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rows = Array.from({ length: 5_000 }, (_, at) => {
    if (at >= 1_000 && at < 1_100) return person('MEND', at, { status: 'actif' });
    if (at >= 2_000 && at < 2_075) return person('MEND', at, { mail: `correct ${at}@northbridge.example` });
    if (at >= 3_000 && at < 3_075) return person('MEND', at, { id: '' });
    // The same people as in the fifty rows above.
    if (at >= 4_000 && at < 4_050) return person('MEND', at - 50);
    return person('MEND', at);
  });
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await upload(page, csv('autumn.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '300 of 5,000 rows have a problem')).toBeVisible({ timeout: 30_000 });
  await expect(groups(page)).toHaveCount(5);
  await expect(groups(page).first()).toContainText('status');
  await expect(groups(page).first()).toContainText('100 rows · Rows 1,002, 1,003, 1,004, 1,005, 1,006 …');
  const presses = await countPresses(page);

  await page.getByRole('button', { name: 'Use this value in all 100 rows' }).click();
  await expect(said(page, '200 of 5,000 rows have a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the spaces in all 75 rows' }).click();
  await expect(said(page, '125 of 5,000 rows have a problem')).toBeVisible();
  const twice = groups(page).filter({ hasText: 'is already in an earlier row' }).first();
  await twice.getByRole('button', { name: 'Skip these 50 rows' }).click();
  await expect(said(page, '75 of 4,950 rows have a problem')).toBeVisible();
  // The missing ids are pasted as a column.
  await page.evaluate(
    (ids) => navigator.clipboard.writeText(ids),
    Array.from({ length: 75 }, (_, at) => `MEND${3_000 + at}`).join('\n'),
  );
  await cell(page, 'user_id, row 3,002').click();
  await page.keyboard.press('Control+v');
  await expect(said(page, 'No problems left')).toBeVisible();
  await goOn(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 60_000 });
  await expect(said(page, '“Submit Data to LMS” sends 4,950 rows of users: 4,950 active.')).toBeVisible();
  await expect(page.getByText('You have skipped 50 rows.')).toBeVisible();
  expect(await importsOf(campus)).toBe(before);
  await submit(page).click();
  // Control and v count as two.
  expect(await presses()).toBeLessThanOrEqual(8);
  await expect(said(page, 'The import is complete and all records were successfully imported.')).toBeVisible({
    timeout: 90_000,
  });
  expect(await importsOf(campus)).toBe(before + 1);
  await expect(page.getByText('Expected changes, compared with the LMS before sending')).toBeVisible();
  await expect(page.getByText('New people')).toBeVisible();
});

test('SIS-05, corrections in place: the keyboard alone is enough, a reload in the middle loses nothing, and the last step can be undone', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = [
    person('KEYS', 1, { status: 'gone' }),
    person('KEYS', 2, { id: '' }),
    person('KEYS', 3, { id: '' }),
    person('KEYS', 4),
  ];
  await upload(page, csv('keys.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '3 of 4 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await expect(submit(page)).toBeDisabled();
  await expect(goOn(page)).toBeDisabled();
  await axe();

  await cell(page, 'user_id, row 3').focus();
  await page.keyboard.type('KEYS2');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'user_id, row 4')).toBeFocused();
  await expect(said(page, '2 of 4 rows have a problem')).toBeVisible();
  // The corrected row keeps its position, and the active cell keeps the focus.
  await expect(table(page).getByRole('row').filter({ hasText: 'KEYS2' })).toContainText('Corrected');
  await expect(cell(page, 'user_id, row 4')).toBeFocused();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Escape');
  await expect(cell(page, 'user_id, row 4')).toHaveValue('');
  await page.keyboard.type('KEYS2');
  await page.keyboard.press('ArrowUp');
  await expect(table(page)).toContainText('"KEYS2" is already in row 3');

  await page.reload();
  await expect(said(page, '2 of 4 rows have a problem')).toBeVisible({ timeout: 20_000 });
  const order = async () => (await table(page).getByRole('columnheader').allTextContents()).slice(3, 5);
  expect(await order()).toEqual(['user_id', 'status']);
  await cell(page, 'user_id, row 4').fill('KEYS3');
  await page.keyboard.press('Enter');
  await expect(said(page, '1 of 4 rows has a problem')).toBeVisible();
  // Columns keep their order while the file is corrected.
  expect(await order()).toEqual(['user_id', 'status']);
  await page.getByRole('button', { name: 'Undo: cells' }).click();
  await expect(said(page, '2 of 4 rows have a problem')).toBeVisible();
  await cell(page, 'user_id, row 4').fill('KEYS3');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Skip row 2' }).click();
  await expect(said(page, 'No problems left')).toBeVisible();
  await expect(page.getByText('3 rows are ready, 1 skipped.')).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('keys-corrected.csv');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.replace('\ufeff', '').trim().split('\r\n')).toEqual([
    HEADER,
    ...[2, 3, 4].map((at) => person('KEYS', at)),
  ]);
  await goOn(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  await expect(step(page)).toBeFocused();
  await axe();
});

test('SIS-05, corrections in place: a header that is not SIS is matched, checked, and applied with one click; ignored columns are named', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  const rows = ['PS100;p s100@northbridge.example;Zoë;42', 'PS101;ps101@northbridge.example;Ann;43'];
  await choose(page, csv('list.csv', ['PeopleSoft ID;E-mail;Prénom;Shoe size', ...rows].join('\n')));
  await expect(page.getByRole('group', { name: 'list.csv' })).toContainText('you can match its columns');
  await next(page).click();
  await expect(said(page, 'Match the columns of your file')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel('File type')).toHaveValue('user');
  for (const [name, value] of [
    ['PeopleSoft ID', 'user_id'],
    ['E-mail', 'login_id'],
    ['Prénom', 'first_name'],
    ['Shoe size', ''],
  ] as const) {
    await expect(page.getByLabel(`“${name}” contains`, { exact: true })).toHaveValue(value);
  }
  await expect(page.getByText('PS100 · PS101')).toBeVisible();
  await expect(page.getByText('This column is not sent: Shoe size.')).toBeVisible();
  await expect(page.getByLabel('status in all rows')).toHaveValue('active');
  await page.getByLabel('“Shoe size” contains', { exact: true }).selectOption('user_id');
  await expect(page.getByText('Two columns contain user_id.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use these columns' })).toBeDisabled();
  await page.getByLabel('“Shoe size” contains', { exact: true }).selectOption('');
  await axe();
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await expect(said(page, '1 of 2 rows has a problem')).toBeVisible();
  await expect(page.getByText('This column is not sent: Shoe size.')).toBeVisible();
  await cell(page, 'login_id, row 2').fill('ps100@northbridge.example');
  await page.keyboard.press('Enter');
  await goOn(page).click();
  await expect(page.getByRole('table', { name: 'First rows: Users' }).getByRole('columnheader')).toHaveText(
    ['user_id', 'login_id', 'first_name', 'status'],
    { timeout: 20_000 },
  );
});

test('SIS-05, corrections in place: a lost correction is reported, and can be repeated; focus stays in place', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = [1, 2].map((at) => person('SLOW', at, { status: 'actif' }));
  await upload(page, csv('slow.csv', [HEADER, ...rows, person('SLOW', 3, { id: '' })].join('\n')));
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await page.route('**/corrections', (route) => route.abort());
  await page.getByRole('button', { name: 'Use this value in all 2 rows' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The correction could not be saved.' });
  await expect(alert).toBeVisible();
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible();
  await page.unroute('**/corrections');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(said(page, '1 of 3 rows has a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Skip this row' }).click();
  // The clicked button has disappeared.
  await expect(page.getByRole('main').getByText('No problems left', { exact: true })).toBeFocused();
  await expect(page.locator('[aria-live="polite"]').first()).toHaveText('No problems left.');
});

test('SIS-05: a zip is not corrected in place; its problems are listed, equal ones only once with their number', async ({
  page,
  signIn,
}) => {
  const zip = new yazl.ZipFile();
  const rows = Array.from({ length: 30 }, (_, at) => person('ZIPPED', at, { status: 'actif' }));
  zip.addBuffer(Buffer.from([HEADER, ...rows, person('ZIPPED', 50, { id: '' })].join('\n')), 'people.csv');
  zip.end();
  await signIn('alma.reyes', PATH);
  await upload(page, csv('all.zip', await buffer(zip.outputStream)));
  await expect(page.getByRole('alert')).toContainText('upload the file with the problems separately', {
    timeout: 20_000,
  });
  const lines = table(page).getByRole('row');
  await expect(lines).toHaveCount(3);
  await expect(lines.nth(1).getByRole('cell')).toHaveText([
    '2, 3, 4, 5 …',
    /people.csv: The status/,
    'status',
    '30',
  ]);
  await expect(lines.nth(2).getByRole('cell')).toHaveText(['32', /missing/, 'user_id', '1']);
});

test('SIS-05, corrections in place: of two tabs, the later one gets a message; at 390 px rows are cards', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = Array.from({ length: 3 }, (_, at) => person('TABS', at, { status: at < 2 ? 'x' : 'y' }));
  await upload(page, csv('tabs.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  const path = new URL(
    (await page.getByRole('link', { name: 'Save as file' }).getAttribute('href')) ?? '',
    page.url(),
  );
  const answer = await context.request.post(path.href.replace('/file.csv', '/corrections'), {
    headers: { origin: path.origin },
    data: { version: 1, step: { does: 'replace', column: 4, from: 'y', to: 'active' } },
  });
  expect(answer.status()).toBe(200);
  await page.getByRole('textbox', { name: 'Replace “x” in 2 rows' }).fill('active');
  await page.getByRole('button', { name: 'Use this value in all 2 rows' }).click();
  await expect(page.getByText('corrected in another tab or window')).toBeVisible();
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: 'Problems in the file' }).getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('Row 2');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await axe();
  await cell(page, 'status, row 2').fill('active');
  await cell(page, 'status, row 3').fill('active');
  await page.keyboard.press('Enter');
  await expect(said(page, 'No problems left')).toBeVisible();
  await page.getByRole('button', { name: 'Select another file' }).click();
  await expect(picker(page)).toBeVisible();
});

test('SIS-05 SIS-06, corrections in place: rows that the LMS would reject are opened from the review, then corrected or skipped', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const ids = (await peopleLike(campus, 'bauer')).map(({ sis_user_id }) => sis_user_id).slice(0, 10);
  const all = ids.length + 3;
  const of = (id: string | null, place = course?.sis_course_id ?? '') => `${place},${id},3,,active`;
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await upload(
    page,
    csv(
      'who.csv',
      [
        ENROL,
        ...ids.map((id) => of(id)),
        of('NOBODY-1'),
        of('NOBODY-2'),
        of(ids[0] ?? null, 'NO-COURSE'),
      ].join('\n'),
    ),
  );
  const open = page.getByRole('button', { name: 'Correct these rows' });
  await expect(said(page, 'The LMS will reject 3 rows')).toBeVisible({ timeout: 30_000 });
  await axe();
  await open.click();
  await expect(step(page)).toBeFocused();
  await expect(said(page, `3 of ${all} rows have a problem`)).toBeVisible();
  await expect(groups(page)).toHaveCount(2);
  await axe();

  // Leaving the corrections changes nothing; a reload in the middle finds them again.
  await page.getByRole('button', { name: 'Back to the review without changes' }).click();
  await expect(said(page, 'The LMS will reject 3 rows')).toBeVisible();
  await open.click();
  await expect(said(page, `3 of ${all} rows have a problem`)).toBeVisible();
  await page.reload();
  await expect(said(page, `3 of ${all} rows have a problem`)).toBeVisible();
  await page.getByRole('button', { name: 'Skip these 2 rows' }).click();
  await expect(said(page, `1 of ${all - 2} rows has a problem`)).toBeVisible();
  // The corrections are there every time the rows are opened.
  await page.getByRole('button', { name: 'Back to the review without changes' }).click();
  await open.click();
  await expect(said(page, `1 of ${all - 2} rows has a problem`)).toBeVisible();
  await cell(page, `course_id, row ${all + 1}`).fill(course?.sis_course_id ?? '');
  await page.keyboard.press('Tab');
  await expect(goOn(page)).toBeEnabled();
  await goOn(page).click();
  await expect(said(page, 'You have skipped 2 rows.')).toBeVisible({ timeout: 30_000 });
  await expect(open).toHaveCount(0);
  expect(await importsOf(campus)).toBe(before);
});

test('SIS-05, corrections in place: the rows with a single problem can be shown, page by page', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = Array.from({ length: 230 }, (_, at) =>
    person('PAGE', at, at % 2 === 0 ? { status: 'odd' } : { mail: `page ${at}@northbridge.example` }),
  );
  await upload(page, csv('pages.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '230 of 230 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Show these rows: status' }).click();
  await expect(said(page, '1–100 of 115')).toBeVisible();
  await page.getByRole('button', { name: 'Next rows' }).click();
  await expect(said(page, '101–115 of 115')).toBeVisible();
  await expect(cell(page, 'status, row 230')).toHaveValue('odd');
  await expect(page.getByRole('textbox', { name: /^login_id, row/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Previous rows' }).click();
  await expect(said(page, '1–100 of 115')).toBeVisible();
});
