/** Permissions in SIS Import: limited access, zips for the whole school, changes after the check (OP-53). */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { importsOf, next, officeImport, peopleLike, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  card,
  choose,
  csv,
  HEADER,
  mbaCourses,
  newPeople,
  PATH,
  picker,
  submit,
  toReview,
  toUpload,
} from './support/sis-import.ts';

test.describe.configure({ timeout: 120_000 });

test("OP-53 an administrator with limited access sees what is allowed, on the page and in the server's answers", async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const before = await importsOf(campus);
  const [foreign] = await mbaCourses(campus);
  const [known] = await peopleLike(campus, 'abbott');
  await signIn('carla.singh', PATH);
  const may = page.getByRole('region', { name: 'What you can import' });
  await expect(may).toContainText('people who do not exist in the LMS yet');
  await expect(may).toContainText('courses of your own programmes');
  await expect(may).not.toContainText('zip');
  await axe();
  await toUpload(page);
  await picker(page).setInputFiles(csv('all.zip', Buffer.from('PK\u0003\u0004 users.csv')));
  await expect(card(page, 'all.zip')).toContainText('You do not have permission to upload zip files.');
  await picker(page).setInputFiles(
    csv('courses.csv', 'course_id,short_name,long_name,status\nC1,C,C,active'),
  );
  await expect(card(page, 'courses.csv')).toContainText('You can import only users and enrollments.');

  const table = page.getByRole('table', { name: 'Problems in the file' });
  const refused = async (name: string, content: string, problem: string | RegExp) => {
    await choose(page, csv(name, content));
    await next(page).click();
    await expect(table).toContainText(problem, { timeout: 20_000 });
    await page.getByRole('button', { name: 'Select another file' }).click();
    await expect(step(page)).toHaveText('Upload Csv');
  };
  await refused(
    'foreign.csv',
    `${HEADER}\n${foreign?.sis_course_id},${known?.sis_user_id},3,,active`,
    /was not found/,
  );
  await refused(
    'known.csv',
    `user_id,login_id,first_name,last_name,status\n${known?.sis_user_id},${known?.login_id},A,B,active`,
    /is already in the LMS/,
  );
  await refused(
    'delete.csv',
    `user_id,login_id,status\n${known?.sis_user_id},${known?.login_id},deleted`,
    /status/,
  );
  await choose(page, csv('new.csv', newPeople('CARLA', 2)));
  await next(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  expect(await importsOf(campus)).toBe(before);
  await submit(page).click();
  await expect(said(page, 'The import is complete and all records were successfully imported.')).toBeVisible({
    timeout: 40_000,
  });
});

test('OP-53 IMP-18 a zip is shown with the kind, rows and preview of each file, and failed rows by file', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(newPeople('ZIP', 2)), 'people/users.csv');
  zip.addBuffer(
    Buffer.from(
      [
        HEADER,
        `${course?.sis_course_id},ZIP001,3,,active`,
        `${course?.sis_course_id},NOBODY-9,3,,active`,
      ].join('\n'),
    ),
    'enrolments.csv',
  );
  zip.end();
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  await choose(page, csv('term.zip', await buffer(zip.outputStream)));
  await expect(card(page, 'term.zip')).toContainText('Zip archive');
  await next(page).click();
  const files = page.getByRole('table', { name: 'Files in the zip' });
  await expect(files.getByRole('row').nth(1)).toContainText('users.csv');
  await expect(files.getByRole('row').nth(2)).toContainText('enrolments.csv');
  await expect(page.getByRole('table', { name: 'First rows: Users' })).toContainText('ZIP002');
  await page.getByRole('combobox', { name: 'Preview of' }).selectOption({ label: 'enrolments.csv' });
  await expect(page.getByRole('table', { name: 'First rows: Enrollments' })).toContainText('NOBODY-9');
  // File name and row number are in separate columns, and neither is cut off.
  await page.getByLabel('Show', { exact: true }).selectOption({ label: '2 new people' });
  const rows = page.getByRole('table', { name: '2 new people' });
  await expect(rows.getByRole('columnheader', { name: 'File' })).toBeVisible();
  await expect(rows.getByRole('row').nth(2).getByRole('cell').first()).toHaveText('3');
  await expect(rows.getByRole('row').nth(2).getByRole('cell').nth(1)).toHaveText('users.csv');
  await axe();
  await submit(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 40_000 });
  const row = page.getByRole('table', { name: 'Messages for each row' }).getByRole('row').nth(1);
  await expect(row.getByRole('cell').first()).toHaveText('enrolments.csv');
  await expect(row).toContainText('NOBODY-9');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the rows of enrolments.csv as CSV' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('NOBODY-9');
});

test('OP-53 changes between check and submission are rejected with an explanation, and the file is checked again', async ({
  page,
  campus,
  signIn,
}) => {
  const before = await importsOf(campus);
  await signIn('carla.singh', PATH);
  await toReview(page, csv('late.csv', newPeople('LATE', 1)));

  await officeImport(campus, newPeople('LATE', 1));
  await submit(page).click();
  const alert = page.getByRole('alert').filter({ hasText: 'could not be sent' });
  await expect(alert).toContainText('Nothing has been sent.', { timeout: 20_000 });
  await expect(alert).toContainText('Check the file again and read the new review.');
  await page.getByRole('button', { name: 'Check the file again' }).click();
  await expect(page.getByRole('table', { name: 'Problems in the file' })).toContainText(
    'is already in the LMS',
    {
      timeout: 20_000,
    },
  );
  expect(await importsOf(campus)).toBe(before + 1);
});
