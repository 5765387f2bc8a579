/**
 * Corrections to an SIS file can be changed until it is submitted, and other problems in the file are
 * reported (SIS-05, SIS-06).
 */
import type { Page } from '@playwright/test';
import { importsOf, peopleLike, said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { csv, HEADER, mbaCourses, newPeople, PATH, submit, upload } from './support/sis-import.ts';

const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const corrected = (page: Page) => page.getByRole('table', { name: 'Corrected rows' });

test("SIS-05 SIS-06 an ID corrected to another person's ID is corrected again from the review", async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const [one, other] = (await peopleLike(campus, 'bauer')).map(({ sis_user_id }) => sis_user_id ?? '');
  const of = (id: string) => `${course?.sis_course_id},${id},3,,active`;
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await upload(page, csv('again.csv', [HEADER, of('NOBODY-A1'), of(one ?? '')].join('\n')));
  const change = page.getByRole('button', { name: 'Change corrections' });
  await page.getByRole('button', { name: 'Correct these rows' }).click({ timeout: 30_000 });
  await expect(said(page, '1 of 2 rows has a problem')).toBeVisible();
  await cell(page, 'user_id, row 2').fill(one ?? '');
  await page.keyboard.press('Tab');
  await expect(said(page, 'No problems left')).toBeVisible();
  // The cell can be changed while the page is still the same. 'Continue' also works if clicking it ends the
  // typing.
  await cell(page, 'user_id, row 2').fill(other ?? '');
  await goOn(page).click();
  await expect(change).toBeVisible({ timeout: 30_000 });
  await page.reload();
  await change.click({ timeout: 30_000 });
  await expect(said(page, 'No problems left')).toBeVisible();
  await expect(corrected(page).getByRole('row')).toHaveCount(2);
  await expect(cell(page, 'user_id, row 2')).toHaveValue(other ?? '');
  await axe();
  // At 390 px the row is a card with the same field.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Corrected rows' }).getByRole('listitem')).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await axe();
  // A value that the check rejects is reported at its cell. Turning the screen while it is typed loses nothing.
  await cell(page, 'user_id, row 2').fill('#N/A');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(said(page, '1 of 2 rows has a problem')).toBeVisible();
  await cell(page, 'user_id, row 2').fill('NOBODY-A2');
  await page.keyboard.press('Enter');
  await expect(said(page, 'No problems left')).toBeVisible();
  await goOn(page).click();
  await expect(said(page, 'The LMS will reject 1 row')).toBeVisible({ timeout: 30_000 });
  await change.click();
  await page.getByRole('button', { name: 'Back to the review without changes' }).click();
  await expect(said(page, 'The LMS will reject 1 row')).toBeVisible({ timeout: 30_000 });
  await expect(submit(page)).toBeEnabled();
  expect(await importsOf(campus)).toBe(before);
});

test('SIS-05 text typed while a correction is being sent stays on the screen, and in the file', async ({
  page,
  campus,
  signIn,
}) => {
  const [course] = await mbaCourses(campus);
  const ids = (await peopleLike(campus, 'bauer')).map(({ sis_user_id }) => sis_user_id ?? '');
  const rows = [1, 2, 3].map(() => `${course?.sis_course_id},#N/A,3,,active`);
  await signIn('alma.reyes', PATH);
  await upload(page, csv('typed.csv', [HEADER, ...rows].join('\n')));
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible({ timeout: 30_000 });
  // Releases the first answer, which arrives only after everything has been typed.
  let release = () => {};
  const typed = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/corrections', async (route) => {
    const response = await route.fetch();
    await typed;
    await route.fulfill({ response });
  });
  for (const [at, id] of ids.slice(0, 3).entries()) {
    await cell(page, `user_id, row ${at + 2}`).fill(id);
    await page.keyboard.press('Enter');
  }
  release();
  await expect(said(page, 'No problems left')).toBeVisible();
  for (const [at, id] of ids.slice(0, 3).entries())
    await expect(cell(page, `user_id, row ${at + 2}`)).toHaveValue(id);
});

test('SIS-06 rows that are still wrong and are opened by the other button are named with their location', async ({
  page,
  campus,
  signIn,
}) => {
  const [course] = await mbaCourses(campus);
  const [id] = (await peopleLike(campus, 'bauer')).map(({ sis_user_id }) => sis_user_id);
  const rows = [
    `${course?.sis_course_id},NOBODY-B1,3,,active`,
    `NO-COURSE-B,${id},3,,deleted`,
    `NO-COURSE-B,${id},4,,deleted`,
    `${course?.sis_course_id},${id},3,,active`,
  ];
  await signIn('alma.reyes', PATH);
  await upload(page, csv('beside.csv', [HEADER, ...rows].join('\n')));
  await page.getByRole('button', { name: 'Correct these rows' }).click({ timeout: 30_000 });
  await expect(said(page, '1 of 4 rows has a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Skip this row' }).click();
  await expect(said(page, 'These rows are corrected, but others still have a problem')).toBeVisible();
  const left =
    '2 other rows name an ID that the LMS does not have. “Correct these IDs” in the review opens them.';
  await expect(page.getByText(left, { exact: true })).toBeVisible();
  await expect(page.locator('[aria-live="polite"]').first()).toHaveText(
    `These rows have no problems left. ${left}`,
  );
  await goOn(page).click();
  await page.getByRole('button', { name: 'Correct these IDs' }).click({ timeout: 30_000 });
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Skip these 2 rows' }).click();
  await expect(said(page, 'No problems left')).toBeVisible();
});

test('SIS-04 SIS-05 ambiguous letters are named during and after the corrections', async ({
  page,
  signIn,
}) => {
  const bytes = Buffer.from(
    'user_id,login_id,full_name,status\n,again1@northbridge.example,Dvo\xf8\xe1k,active\n',
    'latin1',
  );
  await signIn('alma.reyes', PATH);
  await upload(page, csv('letters.csv', bytes));
  await expect(said(page, '1 of 1 row has a problem')).toBeVisible({ timeout: 20_000 });
  const doubt = page.getByText(/^The file does not say which text encoding it uses.*Dvořák in Windows-1250/);
  await expect(doubt).toBeVisible();
  await cell(page, 'user_id, row 2').fill('AGAIN1');
  await page.keyboard.press('Enter');
  await goOn(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  await expect(doubt).toBeVisible();
});

test('SIS-05 a file with every row skipped says so, and Undo restores its rows', async ({ page, signIn }) => {
  await signIn('alma.reyes', PATH);
  await upload(
    page,
    csv('none.csv', 'user_id,login_id,full_name,status\n,none1@northbridge.example,X,active\n'),
  );
  await expect(said(page, '1 of 1 row has a problem')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Skip this row' }).click();
  await expect(said(page, 'All rows are skipped')).toBeVisible();
  await expect(goOn(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo: skipped rows' }).click();
  await expect(said(page, '1 of 1 row has a problem')).toBeVisible();
});

test("SIS-06 the Activity entry shows the file's changes, as the wizard does", async ({ page, signIn }) => {
  await signIn('alma.reyes', PATH);
  await upload(page, csv('activity.csv', newPeople('AGAINACT', 2)));
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  await submit(page).click();
  const compared = page.getByText('Expected changes, compared with the LMS before sending');
  await expect(compared).toBeVisible({ timeout: 60_000 });
  await page
    .getByRole('link', { name: /^Activity/ })
    .first()
    .click();
  await page
    .getByRole('link', { name: /activity\.csv: 2 user rows/ })
    .first()
    .click();
  await expect(compared).toBeVisible();
  await expect(page.getByRole('main')).toContainText('New people');
});
