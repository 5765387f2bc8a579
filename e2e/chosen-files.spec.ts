/**
 * A selected file is discarded as soon as another is selected, even if that one is rejected (SIS-04, GRP-28,
 * BTA-33).
 */
import type { Page } from '@playwright/test';
import { IMPORT, practiceList, workbook } from './support/awards.ts';
import { next, said, step, warning } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  chooseFile,
  GROUPS_PATH,
  openCourse,
  openPanel,
  studentsOf,
  tick,
} from './support/group-enrollment.ts';
import { card, choose, csv, newPeople, PATH, toUpload } from './support/sis-import.ts';

test.use({ campusKind: 'award' });

/** Drops files on the area with this name. */
async function drop(page: Page, place: string, files: readonly { name: string; size: number }[]) {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, size } of all) transfer.items.add(new File([new Uint8Array(size)], name));
    return transfer;
  }, files);
  await page.getByRole('group', { name: place }).dispatchEvent('drop', { dataTransfer: data });
}

test('SIS-04 in SIS Import, dropping two files at once discards the previous one; Next then requires a file', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  await choose(page, csv('first.csv', newPeople('ASIDE', 2)));
  await drop(page, 'CSV file', [
    { name: 'a.csv', size: 3 },
    { name: 'b.csv', size: 3 },
  ]);
  await expect(said(page, 'Select one file only.')).toBeVisible();
  await expect(card(page, 'first.csv')).toHaveCount(0);
  await next(page).click();
  await expect(warning(page)).toContainText('Please Select a CSV File.');
  await expect(step(page)).toHaveText('Upload Csv');
});

test('GRP-28 in Group Enrollment, a rejected file discards the previous one, with its simulation and button', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 0);
  const [person] = await studentsOf(campus, course.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  await chooseFile(dialog, 'first.csv', `${CSV_HEADER}\nNO-GROUP,${person?.sis_user_id},accepted`);
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog.getByRole('table', { name: 'Simulated rows' })).toBeVisible();
  await chooseFile(dialog, 'second.txt', CSV_HEADER);
  await expect(dialog.getByText('Only .csv files are accepted here.').first()).toBeVisible();
  await expect(dialog.getByRole('group', { name: 'first.csv' })).toHaveCount(0);
  await expect(dialog.getByRole('table', { name: 'Simulated rows' })).toHaveCount(0);
  await expect(page.locator('#group-enroll')).toHaveAccessibleDescription(
    'Please select a file to enable enroll button',
  );
  // The announcement about the rejected file does not stay for the next file either.
  await chooseFile(dialog, 'third.csv', `${CSV_HEADER}\nNO-GROUP,${person?.sis_user_id},accepted`);
  await expect(dialog.getByRole('group', { name: 'third.csv' })).toBeVisible();
  await expect(dialog.getByText('Only .csv files are accepted here.')).toHaveCount(0);
});

test('BTA-33 for the award list, a file that is too large discards the checked one, so that it cannot replace the list', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('alma.reyes', IMPORT);
  await page
    .getByLabel('Upload File', { exact: true })
    // This list has one row fewer than the list in other specs, because an identical list replaces nothing.
    .setInputFiles(workbook('first.xlsx', (await practiceList(campus)).slice(0, -1)));
  const replace = page.getByRole('button', { name: 'Replace the list', exact: true });
  await expect(replace).toBeVisible();
  await drop(page, 'Upload a list', [{ name: 'huge.xlsx', size: 6_000_000 }]);
  await expect(said(page, 'huge.xlsx')).toBeVisible();
  await expect(replace).toHaveCount(0);
});
