/** When a session expires, none of a file's corrections is lost (SIS-05, OP-09). */
import type { Page } from '@playwright/test';
import { said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { csv, PATH, upload } from './support/sis-import.ts';

const HEADER = 'user_id,login_id,first_name,last_name,status';
const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const rowOf = (page: Page, row: number) =>
  page
    .getByRole('table', { name: 'Problems in the file' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: String(row), exact: true }) });
const person = (at: number, status: string) =>
  `OVER${at},over${at}@northbridge.example,Zoë,Sample ${at},${status}`;

/** Ends the session; the next call shows that it has ended. */
const endSession = (page: Page) => page.context().clearCookies({ name: 'lms_admin_session' });

async function renewSignIn(page: Page): Promise<void> {
  const over = page.getByRole('alertdialog', { name: 'Login session expired.' });
  await over.getByRole('button', { name: 'Back to login' }).click();
  await page.getByRole('button', { name: /sign in with single sign-on/i }).click();
  const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
  await allow
    .or(page.getByRole('button', { name: 'Save as file' }))
    .or(page.getByRole('main'))
    .first()
    .waitFor();
  if (await allow.isVisible()) await allow.click();
}

test('SIS-05 OP-09 a typed correction that is sent after the session has expired is made after signing in again', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes', PATH);
  await upload(
    page,
    csv('over.csv', [HEADER, person(1, '#N/A'), person(2, '#N/A'), person(3, '')].join('\n')),
  );
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await endSession(page);
  await cell(page, 'status, row 2').fill('active');
  await page.keyboard.press('Enter');
  await renewSignIn(page);
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  // The row shows only the typed value, not the previous one.
  const row = rowOf(page, 2);
  await expect(row).toContainText('Corrected');
  await expect(cell(page, 'status, row 2')).toHaveValue('active');
  await expect(row).not.toContainText('#N/A');
  await page.getByRole('button', { name: 'Undo: cells' }).click();
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible();

  // The same happens with a value for all rows, even after a reload.
  await endSession(page);
  await page.getByRole('textbox', { name: 'Replace “#N/A” in 2 rows' }).fill('active');
  await page.getByRole('button', { name: 'Use this value in all 2 rows' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Login session expired.' })).toBeVisible();
  await page.reload();
  await renewSignIn(page);
  await expect(said(page, '1 of 3 rows has a problem')).toBeVisible({ timeout: 20_000 });
});

test('SIS-05 OP-09 a column pasted after the session has expired is applied after signing in again', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAfresh('alma.reyes', PATH);
  await upload(
    page,
    csv('pasted.csv', [HEADER, person(4, '#N/A'), person(5, ''), person(6, 'x')].join('\n')),
  );
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await page.evaluate(() => navigator.clipboard.writeText('active\tA\nactive'));
  await endSession(page);
  await cell(page, 'status, row 2').click();
  await page.keyboard.press('Control+v');
  await renewSignIn(page);
  await expect(said(page, '1 of 3 rows has a problem')).toBeVisible({ timeout: 20_000 });
  await expect(cell(page, 'status, row 4')).toHaveValue('x');
  // The part of the paste that was not used is still reported.
  await expect(page.getByText('Only the first column of what you pasted was used.')).toBeVisible();
  for (const row of [2, 3]) {
    await expect(rowOf(page, row)).toContainText('Corrected');
    await expect(cell(page, `status, row ${row}`)).toHaveValue('active');
  }
});

test("SIS-05 OP-09 the choices for a file's columns are restored after signing in again", async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes', PATH);
  await upload(page, csv('mine.csv', 'PeopleSoft ID;E-mail;Office\nOVER7;over7@northbridge.example;B2\n'));
  await expect(said(page, 'Match the columns of your file')).toBeVisible({ timeout: 20_000 });
  await page.getByLabel('“Office” contains', { exact: true }).selectOption('short_name');
  await page.getByLabel('status in all rows').fill('suspended');
  await endSession(page);
  await page.reload();
  await renewSignIn(page);
  await expect(page.getByLabel('“Office” contains', { exact: true })).toHaveValue('short_name', {
    timeout: 20_000,
  });
  await expect(page.getByLabel('status in all rows')).toHaveValue('suspended');
});
