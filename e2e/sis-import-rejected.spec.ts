/** Rows that the check or the LMS rejects, shown beside their problems and corrected (requirements SIS and IMP). */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enrollmentsIn, importsOf, next, peopleLike, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  choose,
  csv,
  HEADER,
  mbaCourses,
  newPeople,
  PATH,
  submit,
  toReview,
  upload,
} from './support/sis-import.ts';

test.describe.configure({ timeout: 120_000 });

const home = (page: Page) => page.getByRole('button', { name: 'Back to Home' });

test('SIS-06 IMP-15 IMP-18 OP-36 rejected rows are shown beside their problems; once corrected, they succeed', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const people = await peopleLike(campus, 'abbott');
  const line = (id: string | null | undefined) => `${course?.sis_course_id},${id},3,,active`;
  await signIn('alma.reyes', PATH);
  await toReview(
    page,
    csv(
      'autumn.csv',
      [HEADER, line(people[0]?.sis_user_id), line('NOBODY-1'), '', line('NOBODY-2')].join('\n'),
    ),
  );
  await submit(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 40_000 });
  await expect(said(page, '1 of 3 rows were applied. The others were not.')).toBeVisible();
  const table = page.getByRole('table', { name: 'Messages for each row' });
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(3);
  // Row numbers are those of the administrator's own file, including its empty line.
  for (const [at, row, id] of [
    [1, '3', 'NOBODY-1'],
    [2, '5', 'NOBODY-2'],
  ] as const) {
    await expect(rows.nth(at).getByRole('cell').first()).toHaveText(row);
    await expect(rows.nth(at)).toContainText(`user_id: ${id}`);
    await expect(rows.nth(at)).toContainText(`No person in the LMS has the SIS ID '${id}'`);
  }
  await axe();
  await table.getByRole('button', { name: 'Show row 5' }).click();
  const dialog = page.getByRole('dialog', { name: 'Row 5' });
  await expect(dialog).toContainText(course?.sis_course_id ?? '');
  await expect(dialog.getByRole('definition').filter({ hasText: '(empty)' })).toHaveCount(1);
  await axe();
  await dialog.getByRole('button', { name: 'Close' }).click();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download these rows as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('autumn-failed-rows.csv');
  const failed = await readFile(await download.path(), 'utf8');
  expect(failed.replace('\ufeff', '').trim().split('\n')).toEqual([
    HEADER,
    line('NOBODY-1'),
    line('NOBODY-2'),
  ]);

  await home(page).click();
  await expect(step(page)).toHaveText('Select SIS Type');
  const corrected = failed
    .replace('NOBODY-1', people[1]?.sis_user_id ?? '')
    .replace('NOBODY-2', people[2]?.sis_user_id ?? '');
  await toReview(page, csv('autumn-failed-rows.csv', corrected));
  await submit(page).click();
  await expect(said(page, 'The import is complete and all records were successfully imported.')).toBeVisible({
    timeout: 40_000,
  });
  const there = await enrollmentsIn(campus, course?.id ?? 0);
  for (const person of people.slice(0, 3)) {
    expect(there.some((one) => one.sis_user_id === person.sis_user_id)).toBe(true);
  }
});

test('SIS-06 OP-53 problems in rows are shown in a table of these rows with the marked cell; another file can be selected with one click', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await upload(
    page,
    csv('wrong.csv', [HEADER, 'C1,7,3,,active', 'C1,,3,,active', 'C1,7,3,,gone'].join('\n')),
  );
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();
  const table = page.getByRole('table', { name: 'Problems in the file' });
  const cells = (row: number) => table.getByRole('row').nth(row).getByRole('cell');
  await expect(cells(1).first()).toHaveText('3');
  await expect(cells(1).nth(1)).toContainText('missing');
  await expect(cells(2).nth(1)).toContainText('"gone"');
  await expect(page.getByRole('textbox', { name: 'status, row 4' })).toHaveValue('gone');
  // The problem can be read without scrolling sideways.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 390, height });
  const field = page.getByRole('textbox', { name: 'status, row 4' });
  // The rows have become cards by then.
  await expect(async () => {
    await field.scrollIntoViewIfNeeded();
    const box = await field.boundingBox();
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }).toPass();
  await page.setViewportSize({ width, height });
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText(
    'Correct the file above, then select “Continue” there',
  );
  await axe();
  await page.getByRole('button', { name: 'Select another file' }).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await choose(page, csv('right.csv', newPeople('SISG', 1)));
  await next(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  expect(await importsOf(campus)).toBe(before);
});

test('SIS-05 if a login belongs to another person, both cells can be corrected, and the reason is given once', async ({
  page,
  campus,
  signIn,
}) => {
  const [known, other] = (await peopleLike(campus, 'abbott')).filter((one) => one.login_id);
  await signIn('alma.reyes', PATH);
  const row = `${known?.sis_user_id},${other?.login_id},Other Name,active`;
  await toReview(page, csv('both.csv', `user_id,login_id,full_name,status\n${row}`));
  await page.getByRole('button', { name: 'Correct these rows' }).click({ timeout: 20_000 });
  const wrong = page.getByRole('row').filter({ hasText: 'Other Name' });
  await expect(wrong.getByRole('textbox')).toHaveCount(2);
  await expect(wrong.getByText(/belongs to/)).toHaveText(/^(?!.*belongs to.*belongs to)/);
});
