/**
 * The table of corrected cells: after pasting a column, the width of marked cells, and unchanged values
 * (SIS-05).
 */
import type { Page } from '@playwright/test';
import { said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { sidewaysOverflow } from './support/looks.ts';
import { csv, PATH, upload } from './support/sis-import.ts';

const HEADER = 'user_id,login_id,first_name,last_name,status';
const table = (page: Page) => page.getByRole('table', { name: 'Problems in the file' });
const rowOf = (page: Page, row: number) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: String(row), exact: true }) });
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('SIS-05 after a column is pasted into 75 rows, the next 50 are visible, and the focus is in the first of them', async ({
  page,
  signIn,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rows = Array.from({ length: 125 }, (_, at) => {
    const mail = at < 75 ? `cell${at}` : `cell ${at}`;
    return `${at < 75 ? '' : `CELL${at}`},${mail}@northbridge.example,Zoë,Sample ${at},active`;
  });
  await signIn('alma.reyes', PATH);
  await upload(page, csv('cells.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '125 of 125 rows have a problem')).toBeVisible({ timeout: 30_000 });
  const ids = Array.from({ length: 75 }, (_, at) => `CELL${at}`).join('\n');
  await page.evaluate((text) => navigator.clipboard.writeText(text), ids);
  await cell(page, 'user_id, row 2').click();
  await page.keyboard.press('Control+v');
  await expect(said(page, '50 of 125 rows have a problem')).toBeVisible();
  await expect(cell(page, 'login_id, row 77')).toBeFocused();
  await expect(cell(page, 'login_id, row 77')).toBeInViewport();
  // The pasted cells stay above, with their values.
  await expect(rowOf(page, 76)).toContainText('Corrected');
  await expect(cell(page, 'user_id, row 76')).toHaveValue('CELL74');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('cell75@northbridge.example');
  await page.keyboard.press('Enter');
  await expect(said(page, '49 of 125 rows have a problem')).toBeVisible();
  await expect(rowOf(page, 77)).toContainText('Corrected');
  await expect(cell(page, 'login_id, row 78')).toBeFocused();
});

test('SIS-05 typed and pasted cells stay in their rows, marked as corrected; one click on Undo undoes the pasted column', async ({
  page,
  signIn,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rows = [1, 2, 3, 4].map((at) => `,stay${at}@northbridge.example,Zoë,Sample ${at},active`);
  await signIn('alma.reyes', PATH);
  await upload(page, csv('stay.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '4 of 4 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await cell(page, 'user_id, row 2').fill('STAY1');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 2)).toContainText('Corrected');
  await expect(cell(page, 'user_id, row 3')).toBeFocused();
  await page.evaluate(() => navigator.clipboard.writeText('STAY2\nSTAY3'));
  await page.keyboard.press('Control+v');
  await expect(said(page, '1 of 4 rows has a problem')).toBeVisible();
  for (const at of [1, 2, 3]) {
    await expect(rowOf(page, at + 1)).toContainText('Corrected');
    await expect(cell(page, `user_id, row ${at + 1}`)).toHaveValue(`STAY${at}`);
  }
  await expect(cell(page, 'user_id, row 5')).toBeFocused();
  await page.getByRole('button', { name: 'Undo: cells' }).click();
  await expect(said(page, '3 of 4 rows have a problem')).toBeVisible();
  await expect(cell(page, 'user_id, row 3')).toHaveValue('');
});

test('SIS-05 a column longer than the list fills it and says so; the rest is pasted into the next rows', async ({
  page,
  signIn,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rows = Array.from(
    { length: 130 },
    (_, at) => `,long${at}@northbridge.example,Zoë,Sample ${at},active`,
  );
  const paste = async (from: number) => {
    const ids = Array.from({ length: 130 - from }, (_, at) => `LONG${from + at}`).join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), ids);
    await page.keyboard.press('Control+v');
  };
  await signIn('alma.reyes', PATH);
  await upload(page, csv('long.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '130 of 130 rows have a problem')).toBeVisible({ timeout: 30_000 });
  await cell(page, 'user_id, row 2').click();
  await paste(0);
  await expect(said(page, '30 of 130 rows have a problem')).toBeVisible();
  const left = page.getByText('30 pasted lines were not used: up to 100 rows are listed at once.');
  await expect(left).toBeVisible();
  await expect(cell(page, 'user_id, row 102')).toBeFocused();
  await expect(cell(page, 'user_id, row 102')).toBeInViewport();
  await paste(100);
  await expect(said(page, 'No problems left')).toBeVisible();
  await expect(left).toHaveCount(0);
});

test('SIS-05 with problems in several columns, no marked cell is too narrow at any width, and a quoted value is shown unchanged', async ({
  page,
  signIn,
  axe,
}) => {
  const rows = [
    ',wide1@northbridge.example,B,C,active',
    'WIDE2,wide 2@northbridge.example,B,C,active',
    'WIDE3,wide3@northbridge.example,B,C,"ac""tive"',
    'WIDE4,wide4@northbridge.example,B,C,active,more',
  ];
  await signIn('alma.reyes', PATH);
  await upload(page, csv('wide.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '4 of 4 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('main')).toContainText('“ac"tive”');
  await expect(page.getByRole('main')).not.toContainText('\\"');
  for (const width of [768, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await sidewaysOverflow(page), `at ${width}`).toBe(0);
    const fields = await table(page).getByRole('textbox').all();
    const widths = await Promise.all(fields.map(async (one) => (await one.boundingBox())?.width ?? 0));
    expect(widths.length, `at ${width}`).toBeGreaterThan(0);
    expect(Math.min(...widths), `at ${width}`).toBeGreaterThanOrEqual(150);
  }
  await axe();
});

test('SIS-05 leaving a cell with Enter or an arrow key makes one correction, which one click on Undo undoes', async ({
  page,
  signIn,
}) => {
  const rows = ['ONE1', 'ONE2', 'ONE3'].map(
    (id) => `${id},${id.toLowerCase()}@northbridge.example,Zoë,Sample,`,
  );
  await signIn('alma.reyes', PATH);
  await upload(page, csv('one.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/corrections')) sent++;
  });
  await cell(page, 'status, row 2').focus();
  await page.keyboard.type('active');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'status, row 3')).toBeFocused();
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();
  await page.keyboard.type('active');
  await page.keyboard.press('ArrowDown');
  await expect(cell(page, 'status, row 4')).toBeFocused();
  await expect(said(page, '1 of 3 rows has a problem')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo: cells' });
  await undo.click();
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();
  await undo.click();
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  expect(sent).toBe(4);
});
