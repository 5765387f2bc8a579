/** The guide's examples about people and files; the pictures are taken along the way. */
import { next, said, step } from './support/course-enrollment.ts';
import { asCells, fillRow, input, noteOf, PATH, pasteInto, submitButton } from './support/create-users.ts';
import { expect, test } from './support/fixtures.ts';
import { EXAMPLES, example, picture, stepCard } from './support/guide.ts';
import { choose, csv, HEADER, PATH as SIS_PATH, submit, toUpload } from './support/sis-import.ts';

test.use(EXAMPLES);

test('guide, create-users: two new people are entered, and one who exists', async ({ page, signIn }) => {
  example('create-users', ['6700201', '6700202', '5003909', 'NEWMAN, Nora', '2 of 2 people created']);
  const people = [
    { psID: '6700201', email: 'nora.newman@northbridge.example', firstName: 'nora', lastName: 'newman' },
    { psID: '6700202', email: 'zoe.newman@northbridge.example', firstName: 'zoë', lastName: 'newman' },
  ];
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await page.getByRole('button', { name: 'Add row' }).click();
  await fillRow(page, 3, {
    psID: '5003909',
    email: 'aicha.abbott@northbridge.example',
    firstName: 'Aïcha',
    lastName: 'Abbott',
  });
  await input(page, 'PeopleSoft ID', 1).focus();
  await expect.poll(() => noteOf(page, 'PeopleSoft ID', 3)).toContain('Already exists');
  await expect(stepCard(page).getByRole('progressbar')).toHaveCount(0);
  await picture(page, 'create-users-form', stepCard(page));

  await page.getByRole('button', { name: 'Remove row 3' }).click();
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await expect(stepCard(page)).toContainText('NEWMAN, Nora');
  await picture(page, 'create-users-review', stepCard(page));
  await submitButton(page).click();
  await expect(said(page, '2 of 2 people created.')).toBeVisible();
  await picture(page, 'create-users-result', stepCard(page));
});

test('guide, search-users: people are found by their family name', async ({ page, signIn }) => {
  example('search-users', ['andersson', '30 people', 'Alice Andersson', '5001117']);
  await signIn('dev.oduya', '/users');
  const field = page.getByRole('searchbox', { name: 'Search Users' });
  await field.fill('andersson');
  await field.press('Enter');
  const main = page.getByRole('main');
  await expect(main.getByRole('row').filter({ hasText: 'Alice Andersson' })).toContainText('5001117');
  await expect(main).toContainText('30 rows');
  await picture(page, 'search-users', main);
});

test('guide, student-export: the class list of a course is exported', async ({ page, signIn }) => {
  example('student-export', ['1046', 'Business Law B FBL', 'LAW101.xlsx', '36 students']);
  await signIn('alma.reyes', '/course-student-export');
  await page.getByRole('main').getByRole('textbox').fill('1046');
  await next(page).click();
  await expect(stepCard(page)).toContainText('Business Law B FBL');
  await expect(stepCard(page)).toContainText('LAW101.xlsx');
  await expect(stepCard(page)).toContainText('36 students');
  await picture(page, 'student-export', stepCard(page));
});

const COURSE = 'MBA26-SGP-ORG103-D';
const line = (who: string, status: string, section = '', course = COURSE) =>
  `${course},${who},3,${section},${status}`;

test('guide, sis-import: a file is corrected, reviewed and sent', async ({ page, signIn }) => {
  const rows = [
    line('5001117', 'active'),
    line('5002551', 'aktiv'),
    line('5002391', 'aktiv'),
    line('5002034', 'deleted', `${COURSE}-S1`),
  ];
  example('sis-import', rows);
  example('sis-import-correct', ['2 of 4 rows', 'aktiv']);
  example('sis-import-review', [
    '3 new enrolments',
    '1 enrolment and 1 group membership',
    'Tariq Adeyemi',
    '4 rows',
  ]);
  await signIn('alma.reyes', SIS_PATH);
  await toUpload(page);
  await choose(page, csv('autumn.csv', [HEADER, ...rows].join('\n')));
  await next(page).click();
  await expect(page.getByRole('heading', { name: '2 of 4 rows have a problem' })).toBeVisible();
  await picture(page, 'sis-import-problems', stepCard(page));
  await expect(page.getByRole('textbox', { name: 'Replace “aktiv” in 2 rows' })).toHaveValue('active');
  await page.getByRole('button', { name: /^Use this value in all 2/ }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(submit(page)).toBeEnabled();
  const figures = page.getByRole('main').locator('dl');
  await expect(figures.filter({ hasText: 'New enrolments' })).toContainText('3');
  await expect(stepCard(page)).toContainText('Tariq Adeyemi');
  await expect(stepCard(page)).toContainText('removes 1 enrolment and 1 group membership');
  await picture(
    page,
    'sis-import-review',
    page.getByText(/^“Submit Data to LMS” sends 4 rows/),
    page.getByRole('table', { name: 'Courses in the file' }),
  );
  await submit(page).click();
  await expect(said(page, 'All done: the LMS applied all 4 rows that were sent.')).toBeVisible();
});

test('guide, sis-import: a list with other columns is matched, and a row that the LMS would reject is shown', async ({
  page,
  signIn,
}) => {
  const list = [
    'PeopleSoft ID;Email;Name;Intake',
    '5001117;alice.andersson@northbridge.example;Alice Andersson;Spring',
    '5002551;amir.andersson@northbridge.example;Amir Andersson;Spring',
  ];
  await signIn('alma.reyes', SIS_PATH);
  await toUpload(page);
  await choose(page, csv('list.csv', list.join('\n')));
  await next(page).click();
  await expect(page.getByRole('button', { name: 'Use these columns' })).toBeVisible();
  await picture(page, 'sis-import-columns', stepCard(page));
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const winter = ['5001117', '9990001'].map((who) => line(who, 'active', '', 'MBA26-FBL-DSC102-D'));
  await choose(page, csv('winter.csv', [HEADER, ...winter].join('\n')));
  await next(page).click();
  await expect(submit(page)).toBeEnabled();
  await submit(page).click();
  const messages = page.getByRole('table', { name: 'Messages for each row' });
  await expect(messages).toContainText('9990001');
  await picture(page, 'sis-import-messages', stepCard(page));
});
