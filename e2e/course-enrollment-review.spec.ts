/**
 * The review while it is prepared and afterwards; the whole job by keyboard and at both widths (requirements
 * CE and SHELL).
 */
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  fault,
  type LmsCourse,
  lmsList,
  MIM,
  mimMaterial,
  next,
  officeImport,
  PATH,
  said,
  step,
  summaryOf,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo, takeOption } from './support/keyboard.ts';
import { duplicateOf } from './support/tabs.ts';

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

test('CE-22 OP-48 OP-100 the review shows real numbers, can be cancelled, and retries failed lookups', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  await signIn('alma.reyes', PATH);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'hold' });
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(4, 5),
    people: [
      ...people.slice(7, 9).map((person) => person.login_id),
      ...Array.from({ length: 40 }, (_, index) => `made.up${index}@northbridge.example`),
    ],
  });
  await expect(said(page, 'Looking up people')).toBeVisible();
  await expect(page.getByRole('main').getByText(/^\d+ of 42$/)).toBeVisible();
  await expect(next(page)).toBeDisabled();
  await expect(next(page)).toHaveAccessibleDescription('The review is not ready yet.');
  await axe();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(said(page, 'The review was cancelled. Nothing has been sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review again' })).toBeFocused();
  await axe();
  await slow();

  const broken = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'status', status: 500 });
  await page.getByRole('button', { name: 'Review again' }).click();
  const notice = page.getByRole('region', { name: /could not be looked up/ });
  await expect(notice).toBeVisible({ timeout: 60_000 });
  await axe();
  await broken();
  await notice.getByRole('button', { name: 'Look up again' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  await dialog.getByRole('button', { name: 'Continue' }).click({ timeout: 60_000 });
  await expect(notice).toBeHidden();
  await expect(page.getByRole('region', { name: 'User Not Found (40)' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all 40' }).click();
  await expect(page.getByRole('dialog', { name: 'User Not Found' })).toContainText(
    'made.up0@northbridge.example',
  );
  await axe();
});

test('CE-22 the comparison continues after leaving the review: Next, a reload and a second tab find it; another selection cancels it', async ({
  page,
  campus,
  signIn,
}) => {
  const { term, courses } = await mimMaterial(campus);
  const started: string[] = [];
  const cancelled: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    if (request.url().endsWith('/api/jobs/start/course-plan')) started.push(request.postDataJSON().key);
    if (request.url().endsWith('/cancel')) cancelled.push(request.url());
  });
  await signIn('alma.reyes', PATH);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'latency', ms: 20_000 });
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 1),
    people: Array.from({ length: 60 }, (_, index) => `left.behind${index}@northbridge.example`),
  });
  await expect(said(page, 'Looking up people')).toBeVisible();
  const activity = page.getByRole('link', { name: /^Activity/ });
  await expect(activity).toHaveAccessibleName('Activity, 1 running');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await next(page).click();
  await expect(said(page, 'Looking up people')).toBeVisible();
  await page.reload();
  await expect(said(page, 'Looking up people')).toBeVisible();
  const twin = await duplicateOf(page);
  await twin.goto(PATH);
  await expect(said(twin, 'Looking up people')).toBeVisible();
  await twin.close();
  // All requests for the review lead to one job.
  expect(new Set(started).size).toBe(1);
  await expect(activity).toHaveAccessibleName('Activity, 1 running');
  expect(cancelled).toEqual([]);

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('radio', { name: 'Remove' }).check();
  await expect(activity).toHaveAccessibleName('Activity', { timeout: 30_000 });
  expect(cancelled).toHaveLength(1);
  await slow();
});

test('CE-12 a course that cannot be compared is named, can be compared again, and can be submitted', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  const [course] = courses.slice(5);
  if (!course) throw new Error('too few courses');
  await signIn('alma.reyes', PATH);
  // Faults apply in the order they were set: each comparison takes a while, then it fails.
  const slow = await fault(campus, {
    match: `/api/v1/courses/${course.id}/enrollments`,
    kind: 'latency',
    ms: 1_000,
  });
  const broken = await fault(campus, {
    match: `/api/v1/courses/${course.id}/enrollments`,
    kind: 'status',
    status: 500,
  });
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: [course],
    people: people.slice(9, 11).map((person) => person.login_id),
  });
  await expect(page.getByRole('region', { name: '1 course could not be compared' })).toContainText(
    course.name,
    {
      timeout: 60_000,
    },
  );
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '2', 'Already enrolled': '–' });
  await axe();
  await page.getByRole('button', { name: 'Compare again' }).click();
  await expect(step(page)).toBeFocused();
  await expect(said(page, 'Comparing with the courses')).toBeVisible();
  await slow();
  await expect(page.getByRole('region', { name: '1 course could not be compared' })).toBeVisible({
    timeout: 60_000,
  });
  await broken();
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});

test('SHELL-31 the whole job can be done with the keyboard only', async ({ page, campus, signIn }) => {
  const { term, courses, people } = await mimMaterial(campus);
  const course = courses[12] ?? courses[0];
  const person = people[24] ?? people[0];
  if (!course || !person) throw new Error('too little to do');
  await signIn('alma.reyes', PATH);
  await expect(step(page)).toBeVisible();
  const press = (...keys: string[]) =>
    keys.reduce(async (before, key) => {
      await before;
      await page.keyboard.press(key);
    }, Promise.resolve());
  await tabTo(page, page.getByRole('combobox', { name: 'Programme' }));
  await takeOption(page, 'Programme', 'MIM');
  await tabTo(page, page.getByRole('combobox', { name: 'Terms' }));
  await takeOption(page, 'Terms', term);
  await press('Escape');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search courses' }));
  await page.keyboard.type(course.sis_course_id ?? '');
  const box = page.getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') });
  await expect(box).toBeVisible();
  await tabTo(page, box);
  await press('Space');
  await tabTo(page, next(page));
  await press('Enter');
  await expect(step(page)).toBeFocused();
  await tabTo(page, page.getByRole('combobox', { name: 'Role' }));
  await takeOption(page, 'Role', 'Observer');
  await tabTo(page, page.getByRole('radio', { name: 'Add' }));
  await press('Space');
  await tabTo(page, page.getByRole('textbox', { name: 'Email addresses' }));
  await page.keyboard.type(person.login_id);
  await press('Tab');
  await tabTo(page, next(page));
  await press('Enter');
  await expect(step(page)).toHaveText('Review and Process');
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await tabTo(page, next(page));
  await press('Enter');
  await expect(step(page)).toHaveText('Progress');
  await expect(step(page)).toBeFocused();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});

test('PICK-02 PICK-21 LMS-05 a sub-account shows only its own courses', async ({ page, campus, signIn }) => {
  const [account] = await lmsList<{ id: number; name: string }>(
    campus,
    'accounts/210/sub_accounts?recursive=true',
  );
  const all = await lmsList<LmsCourse>(campus, `accounts/${account?.id}/courses`);
  const course = all.find((one) => one.sis_course_id !== null);
  if (!account || !course) throw new Error('no course below the programme');
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, 'Company Specific Programmes');
  await chooseMany(page, 'Sub-accounts', [account.name]);
  await page.getByRole('combobox', { name: 'Terms' }).click();
  const options = page.getByRole('listbox', { name: 'Terms' }).getByRole('option');
  await expect(options).not.toHaveCount(0);
  const terms = await options.count();
  for (let index = 0; index < Math.min(10, terms); index++) {
    await page.getByRole('listbox', { name: 'Terms' }).getByRole('option').nth(index).click();
  }
  await page.keyboard.press('Escape');
  const names = await lmsList<{ id: number }>(campus, 'accounts/210/courses');
  expect(all.length).toBeLessThan(names.length);
  const listed = await page.getByRole('table', { name: 'Courses' }).getByRole('link').allInnerTexts();
  const allowed = new Set(all.map((one) => one.sis_course_id));
  for (const id of listed) expect(allowed.has(id.trim())).toBe(true);
  if (listed.some((id) => id.trim() === course.sis_course_id)) await chooseCourses(page, [course]);
});

for (const [name, viewport, colorScheme] of [
  ['narrow and dark', { width: 390, height: 844 }, 'dark'],
  ['wide and light', { width: 1440, height: 900 }, 'light'],
] as const) {
  test(`SHELL-28 CE-14 ${name}: review, user list and progress fit`, async ({
    page,
    campus,
    signIn,
    axe,
  }) => {
    const { term, courses, people } = await mimMaterial(campus);
    await signIn('alma.reyes', PATH);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const from = viewport.width < 500 ? 0 : 2;
    await toReview(page, {
      ...MIM,
      terms: [term],
      courses: courses.slice(10, 12),
      people: people.slice(from, from + 2).map((person) => person.login_id),
    });
    await expect(next(page)).toBeEnabled({ timeout: 30_000 });
    await expect(next(page)).toBeInViewport();
    expect(await sideways()).toBe(0);
    const list = page.getByRole('region', { name: 'Summary of the changes' });
    // A single card would fill that height, so cards use most of the phone's screen.
    const height = await list.evaluate((element) => Number.parseFloat(getComputedStyle(element).maxHeight));
    if (viewport.width < 500) expect(height).toBeGreaterThan(500);
    else expect(height).toBe(300);
    await axe();
    await page
      .getByRole('button', { name: /^View List/ })
      .first()
      .click();
    await expect(page.getByRole('dialog', { name: 'User List' }).getByRole('row')).toHaveCount(3);
    await axe();
    await page.keyboard.press('Escape');
    await next(page).click();
    await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
    expect(await sideways()).toBe(0);
    await axe();
  });
}

test('CE-12 people added to a concluded course have read-only access, and the review says so', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  const course = courses.at(-1);
  if (!course) throw new Error('no course');
  const become = (status: string) =>
    officeImport(
      campus,
      `course_id,short_name,long_name,status\n${course.sis_course_id},"${course.name}","${course.name}",${status}`,
    );
  await become('completed');
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: [course],
    people: people.slice(9, 10).map((person) => person.login_id),
  });
  const notice = page.getByRole('region', { name: 'People are added to a concluded course', exact: true });
  await expect(notice).toContainText(`${course.name} (${course.sis_course_id}): adds 1 enrolment`, {
    timeout: 60_000,
  });
  await expect(notice).toContainText('can only view it.');
  await axe();
  await become('active');
});
