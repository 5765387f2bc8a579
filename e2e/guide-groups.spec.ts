/** The guide's examples about groups, images and the award; the pictures are taken along the way. */
import type { Page } from '@playwright/test';
import {
  IMPORT,
  OPENING,
  practiceList,
  putList,
  putOpening,
  REPORTS,
  readSurvey,
  report,
  workbook,
} from './support/awards.ts';
import { next } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  confirmation,
  GROUPS_PATH,
  openCourse,
  openPanel,
  tick,
  typeRanges,
} from './support/group-enrollment.ts';
import { EXAMPLES, example, picture } from './support/guide.ts';
import { PATH as IMAGES_PATH, icon, photo, picker, rowOf, table, upload } from './support/images.ts';

test.use(EXAMPLES);

test('guide, group-enrollment: a course gets four teams, and its students are put into them', async ({
  page,
  signIn,
}) => {
  example('group-enrollment', [
    'Customer Insight C FBL',
    'Case Teams',
    'Team-G04',
    '22 memberships',
    'Johanna Papadopoulos',
    '6, 6, 5 and 5',
  ]);
  // The window is as high as the whole dialog, which scrolls on its own.
  await page.setViewportSize({ width: 1_000, height: 2_600 });
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, {
    id: 1076,
    name: 'Customer Insight C FBL',
    sis_course_id: 'MBA26-FBL-MKT104-C',
    enrollment_term_id: 15,
  });
  const panel = (title: string) =>
    dialog.locator('.MuiAccordion-root').filter({ has: page.getByRole('button', { name: title }) });
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Case Teams');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('table', { name: 'Group categories' })).toContainText(
    'MBA26-FBL-MKT104-C_Case_Teams',
  );
  await picture(page, 'group-enrollment-category', panel('Create Group Category'));

  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await dialog
    .getByRole('combobox', { name: 'Group category' })
    .selectOption({ label: 'Case Teams (no groups)' });
  await typeRanges(dialog, [['Team', '1', '4']]);
  await tick(dialog, 'Simulate Groups');
  await expect(dialog).toContainText('This creates 4 groups in Case Teams.');
  await picture(page, 'group-enrollment-groups', panel('Create Groups (G01,G02 etc)'));
  await dialog.getByRole('button', { name: 'Create Groups', exact: true }).click();
  await confirmation(page, 'Create Groups').getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await openPanel(dialog, 'Enroll Users');
  await dialog.getByRole('radio', { name: 'Distribute the students' }).check();
  await dialog
    .getByRole('combobox', { name: 'Category of the groups to fill' })
    .selectOption({ label: 'Case Teams (4 groups)' });
  await tick(dialog, 'Simulate the distribution');
  const sizes = dialog.getByRole('table', { name: 'Group sizes after this change' });
  await expect(sizes.getByRole('row').filter({ hasText: 'Team-G04' })).toContainText('5');
  await expect(dialog).toContainText('This adds 22 memberships.');
  await expect(dialog).toContainText('Johanna Papadopoulos has no SIS');
  await picture(
    page,
    'group-enrollment-distribute',
    panel('Enroll Users').getByText('This adds 22 memberships.').first(),
    dialog.getByRole('table', { name: 'Group sizes after this change' }),
  );
});

test('guide, images: two icons are uploaded, and a photo that is too large is shrunk', async ({
  page,
  signIn,
}) => {
  example('images', ['syllabus.png', 'reading-list.png', 'campus.jpg']);
  await signIn('alma.reyes', IMAGES_PATH);
  await picker(page).setInputFiles([await icon('syllabus.png'), await icon('reading-list.png', 20)]);
  await upload(page).click();
  await expect(rowOf(page, 'syllabus.png')).toContainText('Uploaded');
  await expect(rowOf(page, 'reading-list.png')).toContainText('Uploaded');
  await picture(page, 'images-uploaded', table(page));
  await picker(page).setInputFiles([await photo('campus.jpg')]);
  await page.getByRole('button', { name: /^Shrink .*to fit$/ }).click();
  const add = page.getByRole('button', { name: 'Add the smaller campus.jpg' });
  await expect(add).toBeVisible();
  const notice = page
    .getByText('1 image is too large and was not added')
    .locator('xpath=ancestor::*[.//button][1]');
  await expect(notice).toContainText('1,600 × 1,200 → 1,024 × 768');
  await picture(page, 'images-shrink', notice);
});

const uploadList = (page: Page, name: string, rows: readonly object[]) =>
  page.locator('input[type=file]').setInputFiles(workbook(name, rows));

test('guide, award: a list is checked, and the votes are read', async ({ page, campus, signIn }) => {
  example('award-import', ['64 rows', '"LON"', '63 rows']);
  example('award-reports', ['Singapore', 'Customer Insight', 'François Nakamura', '53.8']);
  const rows = await practiceList(campus);
  expect(rows).toHaveLength(64);
  await signIn('alma.reyes', IMPORT);
  await putOpening(page, campus, OPENING);
  await putList(page, campus, rows);
  await page.reload();
  const wrong = rows.map((row, at) => (at === 3 ? { ...row, Campus: 'LON' } : row));
  await uploadList(page, 'award-list.xlsx', wrong);
  const check = page.getByRole('heading', { name: 'Check results for award-list.xlsx' });
  const main = page.getByRole('main');
  await expect(main).toContainText('"LON" is not a campus.');
  await picture(page, 'award-import-problems', check, page.getByRole('button', { name: 'Discard the file' }));
  const changed = rows.slice(1).map((row, at) => (at === 4 ? { ...row, Enrolled: row.Enrolled + 1 } : row));
  await uploadList(page, 'award-list-2.xlsx', changed);
  await expect(page.getByRole('button', { name: /Replace the list/ })).toBeVisible();
  await picture(
    page,
    'award-import-check',
    page.getByRole('heading', { name: 'Check results for award-list-2.xlsx' }),
    page.getByRole('button', { name: 'Discard the file' }),
  );

  await page.setViewportSize({ width: 1_080, height: 1_500 });
  await page.goto(REPORTS);
  await page.getByLabel('Campus', { exact: true }).selectOption('SGP');
  await next(page).click();
  await readSurvey(page);
  const first = report(page, 'Singapore Campus - Elective Course').locator('tbody tr').first();
  await expect(first).toContainText('Customer Insight');
  await expect(first).toContainText('53.8');
  await picture(
    page,
    'award-reports-result',
    page.getByRole('heading', { level: 2 }).first(),
    report(page, 'Singapore Campus - Elective Course'),
  );
});
