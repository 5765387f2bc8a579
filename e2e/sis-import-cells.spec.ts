/** The table of cells that are corrected: what follows a pasted column, room for each marked cell, values as they are (SIS-05). */
import type { Page } from '@playwright/test';
import { said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { sidewaysOverflow } from './support/looks.ts';
import { csv, PATH, upload } from './support/sis-import.ts';

const HEADER = 'user_id,login_id,first_name,last_name,status';
const table = (page: Page) => page.getByRole('table', { name: 'Problems in the file' });
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('SIS-05 after a column is pasted into 75 rows, the next 50 are in sight, and the focus is in the first of them', async ({
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
  await expect(table(page).getByText('Corrected', { exact: true })).toHaveCount(0);
  // A cell that is typed stays where it is.
  await page.keyboard.press('Control+a');
  await page.keyboard.type('cell75@northbridge.example');
  await page.keyboard.press('Enter');
  await expect(said(page, '49 of 125 rows have a problem')).toBeVisible();
  await expect(table(page).getByText('Corrected', { exact: true })).toHaveCount(1);
});

test('SIS-05 problems in several columns: no marked cell is squeezed, at any width; a quoted value is shown as it is', async ({
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
