/**
 * Files that are being corrected are found again: after the tab was closed, in another tab, until discarded
 * or submitted (SIS-05).
 */
import type { Page } from '@playwright/test';
import { fault, peopleLike, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { sidewaysOverflow } from './support/looks.ts';
import { csv, PATH, picker, submit, upload } from './support/sis-import.ts';

const HEADER = 'user_id,login_id,first_name,last_name,status';
const person = (prefix: string, at: number, status = 'active') =>
  `${prefix}${at},${prefix.toLowerCase()}${at}@northbridge.example,Zoë,Sample ${at},${status}`;
const drafts = (page: Page) => page.getByRole('region', { name: 'Files that you are correcting' });
const draft = (page: Page, name: string) => drafts(page).getByRole('listitem').filter({ hasText: name });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });

test.use({ ownContext: true });

test('SIS-05 a corrected file is found again after its tab was closed, can be continued, and leaves the list once it is submitted', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = [person('LEFT', 1, 'x'), person('LEFT', 2, 'x'), person('LEFT', 3, 'y')];
  await upload(page, csv('left.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('textbox', { name: 'Replace “x” in 2 rows' }).fill('active');
  await page.getByRole('button', { name: 'Use this value in all 2 rows' }).click();
  await expect(said(page, '1 of 3 rows has a problem')).toBeVisible();
  await page.close();

  const second = await context.newPage();
  await second.goto(PATH);
  await expect(draft(second, 'left.csv')).toContainText('Users · 1 of 3 rows has a problem · 1 correction');
  await expect(draft(second, 'left.csv')).toContainText(/Uploaded .+, kept until .+/);
  await expect(drafts(second)).toContainText('A file is kept for a day after its upload');
  await axe(second);
  await second.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysOverflow(second)).toBe(0);
  await second.setViewportSize({ width: 1280, height: 900 });
  await second.goto('/activity');
  // Other tests with the same person may have left a file of their own.
  await expect(
    second.getByRole('main').getByText(/^You are correcting (a file|\d+ files) in SIS Import\.$/),
  ).toBeVisible();
  await second.getByRole('link', { name: 'Open SIS Import' }).click();
  await second.getByRole('button', { name: 'Continue with left.csv' }).click();
  await expect(step(second)).toHaveText('Status and Review');
  await expect(said(second, '1 of 3 rows has a problem')).toBeVisible();
  await second.getByRole('textbox', { name: 'status, row 4' }).fill('active');
  await second.keyboard.press('Enter');
  await goOn(second).click();
  await expect(second.getByRole('heading', { name: /^First rows/ })).toBeVisible({ timeout: 20_000 });
  await second.close();

  // Checked, but not submitted: the corrections are not lost in this case either.
  const third = await context.newPage();
  await third.goto(PATH);
  await expect(draft(third, 'left.csv')).toContainText('Not submitted yet: no problems left · 2 corrections');
  await third.getByRole('button', { name: 'Continue with left.csv' }).click();
  await expect(said(third, 'No problems left')).toBeVisible();
  await goOn(third).click();
  await expect(submit(third)).toBeEnabled({ timeout: 20_000 });
  await submit(third).click();
  await third.getByRole('button', { name: 'Back to Home' }).click({ timeout: 60_000 });
  await expect(third.getByRole('table', { name: 'CSV templates' })).toBeVisible();
  await expect(draft(third, 'left.csv')).toHaveCount(0);
  expect(await peopleLike(campus, 'left2@northbridge.example')).toHaveLength(1);
});

test('SIS-05 if one tab discards the file that another is correcting, both say so, and the file leaves the list', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await upload(page, csv('apart.csv', [HEADER, person('APART', 1, 'x'), person('APART', 2)].join('\n')));
  await expect(said(page, '1 of 2 rows has a problem')).toBeVisible({ timeout: 20_000 });
  const other = await context.newPage();
  await other.goto(PATH);
  const discard = other.getByRole('button', { name: 'Discard apart.csv' });
  await discard.click();
  const dialog = other.getByRole('alertdialog', { name: 'Discard apart.csv?' });
  await expect(dialog).toContainText('The uploaded file is deleted from LMS Admin.');
  await axe(other);
  await dialog.getByRole('button', { name: 'Keep file' }).click();
  await expect(draft(other, 'apart.csv')).toBeVisible();
  await discard.click();
  await dialog.getByRole('button', { name: 'Discard file' }).click();
  await expect(draft(other, 'apart.csv')).toHaveCount(0);

  await page.getByRole('textbox', { name: 'status, row 2' }).fill('active');
  await page.keyboard.press('Enter');
  await expect(
    said(page, 'apart.csv is no longer available, because it was discarded or uploaded'),
  ).toBeVisible();
  await expect(picker(page)).toBeVisible();
});

test('SIS-05 files are discarded one after another, without a reload', async ({ page, context, signIn }) => {
  await signIn('carla.singh', PATH);
  const names = ['first.csv', 'second.csv', 'third.csv'];
  for (const name of names) {
    await upload(page, csv(name, [HEADER, person('SHED', 1, 'x')].join('\n')));
    await expect(said(page, '1 of 1 row has a problem')).toBeVisible({ timeout: 20_000 });
    await page.close();
    page = await context.newPage();
    await page.goto(PATH);
  }
  for (const name of names) {
    await page.getByRole('button', { name: `Discard ${name}` }).click();
    const dialog = page.getByRole('alertdialog', { name: `Discard ${name}?` });
    await dialog.getByRole('button', { name: 'Discard file' }).click();
    await expect(draft(page, name)).toHaveCount(0);
    await expect(dialog).toBeHidden();
  }
});

test('SIS-05 if the LMS rejects the import of a corrected file, the file is corrected and submitted again, from its result and from Activity', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await upload(page, csv('refused.csv', [HEADER, person('BACK', 1, 'x'), person('BACK', 2)].join('\n')));
  await page.getByRole('textbox', { name: 'status, row 2' }).fill('active');
  await page.keyboard.press('Enter');
  await expect(said(page, 'No problems left')).toBeVisible();
  const refuse = { match: '/api/v1/accounts/1/sis_imports', method: 'POST', kind: 'status', status: 422 };
  const onward = page.getByRole('button', { name: 'Continue with this file' });
  async function send() {
    await goOn(page).click();
    await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
    await submit(page).click();
  }
  const heal = await fault(campus, refuse);
  await send();
  await expect(said(page, 'Your corrections are kept')).toBeVisible({ timeout: 60_000 });
  await axe();
  await onward.click();
  await expect(said(page, 'No problems left')).toBeVisible();
  await page.reload();
  await expect(said(page, 'No problems left')).toBeVisible();
  await send();
  await expect(said(page, 'Your corrections are kept')).toBeVisible({ timeout: 60_000 });
  await heal();
  expect(await peopleLike(campus, 'back1@northbridge.example')).toHaveLength(0);

  await page.goto('/activity');
  await page
    .getByRole('link', { name: /refused\.csv/ })
    .first()
    .click();
  await expect(onward).toBeVisible();
  await axe();
  await onward.click();
  await expect(step(page)).toHaveText('Status and Review');
  await expect(said(page, 'No problems left')).toBeVisible();
  await send();
  await page.getByRole('button', { name: 'Back to Home' }).click({ timeout: 60_000 });
  await expect(draft(page, 'refused.csv')).toHaveCount(0);
  expect(await peopleLike(campus, 'back1@northbridge.example')).toHaveLength(1);
});

test('SIS-05 a tab that is still correcting a file that another tab submitted says so, and links to its import', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await upload(page, csv('two tabs.csv', [HEADER, person('TABS', 1, 'x'), person('TABS', 2)].join('\n')));
  const cell = (at: Page) => at.getByRole('textbox', { name: 'status, row 2' });
  await cell(page).fill('active');
  await page.keyboard.press('Enter');
  await expect(said(page, 'No problems left')).toBeVisible();
  const other = await context.newPage();
  await other.goto(PATH);
  await other.getByRole('button', { name: 'Continue with two tabs.csv' }).click();
  await goOn(other).click();
  await expect(submit(other)).toBeEnabled({ timeout: 20_000 });
  await submit(other).click();
  await expect(other.getByRole('button', { name: 'Back to Home' })).toBeVisible({ timeout: 60_000 });

  await cell(page).fill('deleted');
  await page.keyboard.press('Enter');
  await expect(said(page, 'This file has been submitted')).toBeVisible();
  await expect(said(page, 'Nothing has been sent')).toHaveCount(0);
  await expect(cell(page)).toHaveCount(0);
  await axe();
  await page.reload();
  await expect(said(page, 'This file has been submitted')).toBeVisible();
  await page.getByRole('link', { name: 'Open its import' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /two tabs\.csv/ })).toBeVisible();
});
