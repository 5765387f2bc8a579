/** The guide's examples about enrolments; the pictures are taken along the way. */
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  chooseRole,
  lmsPut,
  next,
  PATH,
  paste,
  said,
  step,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { EXAMPLES, example, picture, stepCard } from './support/guide.ts';
import {
  assign,
  assignDialog,
  card,
  openDialog,
  SECTIONS_PATH,
  save,
  submitButton,
} from './support/section-enrollment.ts';

test.use(EXAMPLES);

const TERM = 'MBA 2026-27 P1';
const POWER = { id: 1006, name: 'Power and Politics A FBL', sis: 'MBA26-FBL-ORG103-A' };
const ACCOUNTING = { id: 1026, name: 'Managerial Accounting A ABD', sis: 'MBA26-ABD-ACC102-A' };
const INSIGHT = { id: 1016, name: 'Customer Insight A SGP', sis: 'MBA26-SGP-MKT104-A' };
const ABBOTTS = ['aicha.abbott', 'akira.abbott', 'daria.abbott', 'visiting.scholar'];

const inLms = ({ sis, ...course }: typeof POWER) => ({
  ...course,
  sis_course_id: sis,
  enrollment_term_id: 15,
});

/** Independent of the date: otherwise the review warns that the courses are concluded. */
test.beforeEach(async ({ campus }) => {
  const { id } = await termLike(campus, TERM);
  const end_at = new Date(Date.now() + 100 * 86_400_000).toISOString();
  await lmsPut(campus, `accounts/1/terms/${id}`, { enrollment_term: { end_at } });
});

test('guide, course-enrollment: three people are added to two courses, one is not found, and all of it is undone', async ({
  page,
  signIn,
}) => {
  const told = example('course-enrollment', [POWER.name, ACCOUNTING.name, ...ABBOTTS, '6 enrolments']);
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', [TERM]);
  await chooseCourses(page, [inLms(POWER), inLms(ACCOUNTING)]);
  await picture(page, 'course-enrollment-courses', stepCard(page));

  await next(page).click();
  await chooseRole(page, 'Student', 'Add');
  await paste(page, ABBOTTS.map((one) => `${one}@northbridge.example`).join('\n'));
  await expect(stepCard(page)).toContainText('3 found · 1 not found');
  await picture(page, 'course-enrollment-people', stepCard(page));

  await next(page).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(next(page)).toBeEnabled();
  await expect(stepCard(page)).toContainText(told.at(-1) ?? '');
  await picture(page, 'course-enrollment-review', stepCard(page));
  await next(page).click();
  await expect(said(page, 'All done: the LMS applied all 6 rows that were sent.')).toBeVisible();

  await page.getByRole('link', { name: 'Undo this import' }).click();
  const undo = page.getByRole('region', { name: 'Undo this import' });
  await expect(undo.getByText(/^Undo removes 6 enrolments from 2 sections\./)).toBeVisible();
  await picture(page, 'undo', undo);
  await undo.getByRole('button', { name: 'Remove 6 enrolments' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Undo: Remove 3 people from 2 sections/);
  await expect(said(page, 'All done: the LMS applied all 6 rows that were sent.')).toBeVisible();
});

test('guide, section-enrollment and activity: a student moves to another section, and another one joins', async ({
  page,
  signIn,
}) => {
  example('section-enrollment', [INSIGHT.name, 'Emma Larsson', '5001362', '5003909', '3 enrolments']);
  await signIn('alma.reyes', SECTIONS_PATH);
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', [TERM]);
  await chooseCourses(page, [inLms(INSIGHT)]);
  await openDialog(page, inLms(INSIGHT));
  await assign(page, 'Section A', { ids: ['5001362'], action: 'Remove' });
  await assign(page, 'Section B', { ids: ['5001362', '5003909'] });
  await expect(card(page, 'Section B')).toContainText('2 found');
  await expect(card(page, 'Section A')).toContainText('Emma Larsson');
  await expect(assignDialog(page)).toContainText('2 sections · 2 people');
  await picture(page, 'section-enrollment-dialog', card(page, 'Section A'), card(page, 'Section B'));

  await save(page);
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled();
  await expect(stepCard(page)).toContainText('2 people · 3 enrolments');
  await picture(page, 'section-enrollment-review', stepCard(page));
  await submitButton(page).click();
  await expect(said(page, 'All done: the LMS applied all 3 rows that were sent.')).toBeVisible();

  await page.getByRole('link', { name: 'Activity', exact: false }).first().click();
  const table = page.getByRole('main').getByRole('table');
  await expect(table.getByRole('row').nth(1)).toContainText(/Enrol 2 and remove 1 person/);
  await picture(page, 'activity-list', page.getByRole('main'));
  await table.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Enrol 2 and remove 1 person/);
  await expect(said(page, 'All done: the LMS applied all 3 rows that were sent.')).toBeVisible();
  await picture(page, 'activity-entry', page.getByRole('main'));
});
