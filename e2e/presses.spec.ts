/** The second click of a double click has no effect on a control that has moved under the pointer. */
import { chip, next, paste, said, step, toPeople, warning } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { csv, PATH, toUpload, upload } from './support/sis-import.ts';

test('SHELL-32 a double click on Next goes one step forward; a second click after a pause goes further', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await next(page).dblclick();
  await expect(step(page)).toHaveText('Upload Csv');
  await expect(warning(page)).toHaveCount(0);
  await next(page).click();
  await expect(warning(page)).toContainText('Please Select a CSV File.');
  // The second click on a dialog's button does not reach the page behind it either.
  await warning(page).getByRole('button', { name: 'Ok' }).dblclick();
  await expect(warning(page)).toHaveCount(0);
  await expect(step(page)).toHaveText('Upload Csv');
});

test('CE-09 a double click removes one address, not the one that takes its place', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/course-level-admin');
  await toPeople(page);
  const emails = ['aa@northbridge.example', 'bb@northbridge.example', 'cc@northbridge.example'];
  await paste(page, emails.join('\n'));
  await expect(chip(page, 'cc@northbridge.example')).toBeVisible();
  await chip(page, 'aa@northbridge.example').dblclick();
  await expect(chip(page, 'aa@northbridge.example')).toHaveCount(0);
  await expect(chip(page, 'bb@northbridge.example')).toBeVisible();
  await expect(chip(page, 'cc@northbridge.example')).toBeVisible();
});

test('SIS-05 a double click on a group of problems skips only its rows, and one on Undo undoes one correction', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const rows = [
    'PRESS1,press1@northbridge.example,A,B,x',
    'PRESS2,press2@northbridge.example,A,B,x',
    ',press3@northbridge.example,A,B,active',
    ',press4@northbridge.example,A,B,active',
    'PRESS5,press 5@northbridge.example,A,B,active',
  ];
  await upload(page, csv('press.csv', ['user_id,login_id,first_name,last_name,status', ...rows].join('\n')));
  await expect(said(page, '5 of 5 rows have a problem')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Skip these 2 rows' }).first().dblclick();
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Skip this row' }).click();
  await expect(said(page, '2 of 2 rows have a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: skipped rows' }).dblclick();
  await expect(said(page, '3 of 3 rows have a problem')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo: skipped rows' })).toBeVisible();
});

test('SHELL-32 holding Enter down presses the button once: the focus moves on, but the press is not repeated', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  await next(page).focus();
  await page.keyboard.down('Enter');
  await expect(warning(page)).toBeVisible();
  // Playwright sends a repeat for a key that is already down.
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await expect(warning(page)).toBeVisible();
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await expect(warning(page)).toHaveCount(0);
});
