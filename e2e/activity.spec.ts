/** Activity: running work and the results of everything that was started (a screen that the documents do not have). */
import { entry, fact, list, PATH, row, rows, sendFile, title } from './support/activity.ts';
import {
  PATH as COURSES,
  fault,
  MIM,
  mimMaterial,
  next,
  said,
  toReview,
} from './support/course-enrollment.ts';
import { PATH as CREATE, fillRow, newcomers, submitButton } from './support/create-users.ts';
import { expect, test } from './support/fixtures.ts';
import {
  assign,
  openDialog,
  pickCourses,
  recordsSection,
  SECTIONS_PATH,
  save,
  submitButton as submitSections,
} from './support/section-enrollment.ts';

test.describe.configure({ timeout: 120_000 });

test('every import from the four tools is in the list, with its own page, even after a reload', async ({
  page,
  campus,
  signIn,
}) => {
  test.slow();
  await signIn('alma.reyes', COURSES);
  const { term, courses, people } = await mimMaterial(campus);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 2),
    people: people.slice(0, 3).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });

  await page.goto(SECTIONS_PATH);
  const { course, section, ids } = await recordsSection(campus, 0);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  await next(page).click();
  await expect(submitSections(page)).toBeEnabled({ timeout: 30_000 });
  await submitSections(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });

  await page.goto(CREATE);
  const [person] = newcomers(710_000, 1);
  if (!person) throw new Error('nobody');
  await fillRow(page, 1, person);
  await next(page).click();
  await submitButton(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });

  await sendFile(page, 'newcomers.csv', 'ACTA', 4);
  await expect(said(page, 'The import is complete')).toBeVisible({ timeout: 30_000 });

  await entry(page).click();
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
  await expect(page).toHaveTitle('Activity · LMS Admin');
  await expect(title(page)).toBeFocused();
  // Entries are listed newest first; a review that became an import is not listed twice.
  await expect(rows(page)).toHaveCount(4);
  await expect(list(page).getByRole('cell')).toHaveText([
    /newcomers\.csv/,
    'Done',
    'just now',
    'SIS Import',
    'Create 1 user',
    'Done',
    /now|minute/,
    'Create Users',
    /^Enrol 2 people/,
    'Done',
    /now|minute/,
    'Section Enrollment',
    /^Add 3 people to 2 courses/,
    'Done',
    /now|minute/,
    'Course Enrollment',
  ]);
  // Finished work is listed here, and the tool does not offer to restore it.
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0);

  await row(page, 'Section Enrollment').getByRole('link').click();
  await expect(title(page)).toHaveText(/^Enrol 2 people/);
  await expect(title(page)).toBeFocused();
  await page.reload();
  await expect(title(page)).toHaveText(/^Enrol 2 people/);
  await expect(fact(page, 'State')).toContainText('Done');
  await expect(fact(page, 'Started by')).toContainText('Alma Reyes (you)');
  await expect(fact(page, 'Started')).toContainText(/\d{1,2} \w{3,4} \d{4}, \d\d:\d\d/);
  await expect(said(page, 'All done: the LMS applied all 2 rows that were sent.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText('2');
  await fact(page, 'Tool').getByRole('link', { name: 'Section Enrollment' }).click();
  await expect(title(page)).toHaveText('Section Enrollment');
  await page.goBack();
  await expect(title(page)).toHaveText(/^Enrol 2 people/);
  await page.getByRole('link', { name: 'All activity' }).click();
  await expect(rows(page)).toHaveCount(4);
});

test('failures that have not been seen are marked until their page is opened; the address has the filters', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('carla.singh', '/sis-import');
  await sendFile(page, 'fine.csv', 'ACTF', 3);
  await expect(said(page, 'The import is complete')).toBeVisible({ timeout: 30_000 });
  await fault(campus, { kind: 'import-fail', count: 1 });
  // The end is not seen, because the wizard is left before its next poll.
  await page.route('**/api/auth/invoke', async (route) => {
    if (route.request().postData()?.includes('sis_imports/')) await route.abort();
    else await route.continue();
  });
  await sendFile(page, 'unlucky.csv', 'ACTU', 3);
  await entry(page).click();
  await expect(entry(page)).toHaveAccessibleName('Activity, 1 needs attention', { timeout: 60_000 });
  await expect(row(page, 'unlucky.csv')).toContainText('Failed', { timeout: 20_000 });
  await expect(row(page, 'fine.csv')).toContainText('Done');

  const state = page.getByRole('combobox', { name: 'State' });
  await state.selectOption({ label: 'Failed' });
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/state=failed/);
  await page.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'Create Users' });
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'SIS Import' });
  await page.getByRole('searchbox', { name: 'Search activity' }).fill('unluck');
  await expect(page).toHaveURL(/text=unluck/);
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('From', { exact: true }).fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-12-31');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  await page.getByLabel('From', { exact: true }).fill('');
  await page.getByLabel('To', { exact: true }).fill('');
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(state).toHaveValue('failed');
  await expect(page.getByRole('searchbox', { name: 'Search activity' })).toHaveValue('unluck');

  // Two filters that are changed before the screen renders again are both in the address.
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(state).toHaveValue('');
  await page.evaluate(() => {
    for (const [label, value] of [
      ['State', 'failed'],
      ['Tool', 'sis-import'],
    ] as const) {
      const select = [...document.querySelectorAll('select')].find(
        (one) => one.labels[0]?.textContent === label,
      );
      if (!select) throw new Error(`no choice of ${label}`);
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
  await expect(page).toHaveURL(/tool=sis-import&state=failed/);
  await expect(rows(page)).toHaveCount(1);
  await row(page, 'unlucky.csv').getByRole('link').click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible();
  await expect(entry(page)).toHaveAccessibleName('Activity');
  await page.goBack();
  await expect(state).toHaveValue('failed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test("OP-40 administrators with perm ALL see everyone's work; others see their own, and no one else's page", async ({
  page,

  signIn,
}) => {
  await signIn('carla.singh', '/sis-import');
  await sendFile(page, 'mine alone.csv', 'ACTM', 2);
  await expect(said(page, 'The import is complete')).toBeVisible({ timeout: 30_000 });
  await page.goto(`${PATH}?all=1`);
  await expect(row(page, 'mine alone.csv')).toHaveCount(1);
  await expect(page.getByRole('switch', { name: 'Show everyone’s activity' })).toHaveCount(0);
  await expect(list(page).getByRole('columnheader', { name: 'Who' })).toHaveCount(0);
  await row(page, 'mine alone.csv').getByRole('link').click();
  await expect(title(page)).toContainText('mine alone.csv');
  const address = page.url();

  await page.context().clearCookies();
  await signIn('alma.reyes', PATH);
  await expect(list(page)).toBeVisible();
  await expect(row(page, 'mine alone.csv')).toHaveCount(0);
  // The address has the filter a moment after the click.
  await page.getByRole('switch', { name: 'Show everyone’s activity' }).click();
  await expect(page.getByRole('switch', { name: 'Show everyone’s activity' })).toBeChecked();
  await expect(row(page, 'mine alone.csv')).toContainText('Carla Singh');
  await row(page, 'mine alone.csv').getByRole('link').click();
  await expect(fact(page, 'Started by')).toContainText('Carla Singh');

  await page.context().clearCookies();
  await signIn('bruno.keller', COURSES);
  await expect(title(page)).toHaveText('Course Enrollment');
  await page.goto(address);
  await expect(said(page, 'This entry could not be loaded.')).toBeVisible();
  await expect(said(page, 'The entry was not found.')).toBeVisible();
});

test('a person without a tool has no Activity', async ({ page, signIn }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/jobs')) asked.push(request.url());
  });
  await signIn('greta.lind');
  await expect(page.getByRole('main')).toContainText("You don't have enough permission");
  await expect(entry(page)).toHaveCount(0);
  await page.goto(PATH);
  await expect(title(page)).toHaveText('404 page not found.');
  expect(asked).toEqual([]);
});

test('an entry whose details were deleted says when, and shows the recorded outcome instead of mistaking missing messages for success', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/sis-import');
  await sendFile(page, 'cleared.csv', 'CLRD', 2);
  await expect(said(page, 'All done: the LMS applied all 2 rows that were sent.')).toBeVisible({
    timeout: 60_000,
  });
  // The server's answer after 30 days: messages about rows are deleted, the outcome is recorded.
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const cleared = {
      ...data,
      forgotten: true,
      kept_days: 30,
      outcome: 'partly',
      items: null,
      files: [],
      result: null,
    };
    await route.fulfill({ response, json: { ...rest, data: cleared } });
  });
  await page.goto(PATH);
  await row(page, 'cleared.csv').getByRole('link').first().click();
  await expect(title(page)).toContainText('cleared.csv');
  const notice = page.getByRole('region', {
    name: 'The details of this entry were deleted 30 days after it ended.',
  });
  await expect(notice).toContainText('The result and the totals are kept.');
  await expect(said(page, 'Partly completed.')).toBeVisible();
  await expect(page.getByText(/All done: the LMS applied/)).toHaveCount(0);
  await axe();
});
