/** The review while it works, submitting once, and following the import to each of its ends (areas CE, IMP, LMS). */
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  coursesOf,
  fault,
  importsOf,
  type LmsCourse,
  type LmsPerson,
  lmsList,
  next,
  officeImport,
  PATH,
  peopleLike,
  said,
  step,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

// Slow enough for a person, or a test, to see the states in between.
test.use({ campusEnv: { SANDBOX_IMPORT_PACE: '2', SANDBOX_LATENCY_MS: '60' } });
test.describe.configure({ timeout: 120_000 });

const MIM = { programme: 'MIM', role: 'Observer', action: 'Add' } as const;

interface Campus {
  lms: string;
}

/** A term of the programme with courses in it, those courses, and people to enrol. */
async function material(campus: Parameters<typeof coursesOf>[0]): Promise<{
  term: string;
  courses: LmsCourse[];
  people: LmsPerson[];
}> {
  const term = await firstTerm(campus);
  const all = await coursesOf(campus, 120, term.id);
  return {
    term: term.name,
    courses: all.filter((course) => course.sis_course_id !== null),
    people: await peopleLike(campus, 'abbott'),
  };
}

async function firstTerm(campus: Campus): Promise<{ id: number; name: string }> {
  const response = await fetch(`${campus.lms}/api/v1/accounts/1/terms?per_page=100`, {
    headers: { authorization: 'Bearer sandbox-admin-token' },
  });
  const { enrollment_terms } = (await response.json()) as {
    enrollment_terms: { id: number; name: string }[];
  };
  const term = enrollment_terms.find((one) => one.name.startsWith('MIM'));
  if (!term) throw new Error('no term of the programme');
  return term;
}

test('IMP-01 IMP-04 IMP-05 IMP-06 IMP-07 IMP-09 IMP-11 IMP-12 IMP-19 IMP-20 LMS-11 LMS-12 OP-42 a double press and a reload submit once; the states in their order', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  const submits: string[] = [];
  const polls: number[] = [];
  let inFlight = 0;
  let most = 0;
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('POST_SIS')) submits.push(body);
    if (!body.includes('sis_imports/')) return;
    polls.push(Date.now());
    inFlight++;
    most = Math.max(most, inFlight);
  });
  const settled = (request: { postData(): string | null }) => {
    if (request.postData()?.includes('sis_imports/')) inFlight--;
  };
  page.on('requestfinished', settled);
  page.on('requestfailed', settled);
  const before = await importsOf(campus);

  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 3),
    people: people.slice(0, 5).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await next(page).dblclick();
  await expect(step(page)).toHaveText('Progress');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^(10|40|70)$/);
  await axe();
  await expect(said(page, 'The request is currently processing.')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '70');
  expect(submits).toHaveLength(1);
  await page.reload();
  await expect(step(page)).toHaveText('Progress');
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(submits).toHaveLength(1);
  expect(most).toBe(1);
  expect(await importsOf(campus)).toBe(before + 1);
  // After the end nothing is asked any more.
  const asked = polls.length;
  await page.waitForTimeout(3_000);
  expect(polls.length).toBe(asked);
});

test('OP-42 two tabs with the same review submit it once', async ({ page, context, campus, signIn }) => {
  const { term, courses, people } = await material(campus);
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(3, 4),
    people: people.slice(5, 7).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  // A duplicated tab begins with a copy of the session storage.
  const kept = await page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>);
  const twin = await context.newPage();
  await twin.addInitScript((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value);
  }, kept);
  await twin.goto(PATH);
  await expect(step(twin)).toHaveText('Review and Process');
  await expect(next(twin)).toBeEnabled();
  await Promise.all([next(page).click(), next(twin).click()]);
  for (const one of [page, twin]) {
    await expect(said(one, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  }
  expect(await importsOf(campus)).toBe(before + 1);
});

test('CE-22 OP-48 OP-100 the review shows true numbers, can be cancelled, and looks up again what failed', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  await signIn('alma.reyes', PATH);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'latency', ms: 2_500 });
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

test('CE-22 leaving the review cancels the work', async ({ page, campus, signIn }) => {
  const { term, courses } = await material(campus);
  await signIn('alma.reyes', PATH);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'latency', ms: 2_500 });
  const ended = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/api/enrollments/plans'),
  );
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 1),
    people: Array.from({ length: 60 }, (_, index) => `left.behind${index}@northbridge.example`),
  });
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  expect((await ended).failure()?.errorText).toMatch(/ABORTED/i);
  await slow();
});

test('CE-12 a course that cannot be compared is named, and can be submitted', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  const [course] = courses.slice(5);
  if (!course) throw new Error('too few courses');
  await signIn('alma.reyes', PATH);
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
  await axe();
  await broken();
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});

test('IMP-01 IMP-15 IMP-18 OP-36 OP-37 OP-40 some rows refused: CSV error, attachment, counts, messages, what to do', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  const [gone, stays] = people.slice(11, 13);
  if (!gone || !stays) throw new Error('too few people');
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(6, 7),
    people: [gone.login_id, stays.login_id],
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  // Between the review and the last press the records office gives one of the two another id.
  await officeImport(campus, `old_id,new_id,type\n${gone.sis_user_id},${gone.sis_user_id}-NEW,user`);
  await next(page).click();
  const alert = page.getByRole('alert').filter({ hasText: 'CSV error' });
  await expect(alert).toBeVisible({ timeout: 60_000 });
  await expect(alert).toContainText(gone.sis_user_id ?? '');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
  const link = alert.getByRole('link', { name: 'Download Error Attachment' });
  await expect(link).toHaveAttribute('rel', /noopener/);
  expect(await link.getAttribute('href')).toContain(campus.lms);
  await expect(said(page, '1 of 2 rows were applied, the others were not.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText('1');
  const table = page.getByRole('table', { name: 'Messages for each row' });
  await expect(table).toContainText(gone.sis_user_id ?? '');
  await axe();
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Programme and Term');
});

test('IMP-16 IMP-17 OP-35 an import that fails says so, and what to do', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(7, 8),
    people: people.slice(13, 14).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await fault(campus, { kind: 'import-fail', count: 1 });
  await next(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 60_000 });
  await expect(said(page, 'The import stopped.')).toBeVisible();
  await axe();
});

test('IMP-22 OP-39 looks that fail are silent, then a hint; it goes on by itself', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await material(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(8, 12),
    people: people.slice(14, 24).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await page.route('**/api/auth/invoke', async (route) => {
    if (route.request().postData()?.includes('sis_imports/')) await route.abort();
    else await route.continue();
  });
  await next(page).click();
  await expect(said(page, 'Processing,Please wait..')).toBeVisible();
  await expect(said(page, 'The import cannot be seen at the moment.')).toBeVisible({ timeout: 40_000 });
  await axe();
  await page.unroute('**/api/auth/invoke');
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});

test('SHELL-31 the whole job with the keyboard alone', async ({ page, campus, signIn }) => {
  const { term, courses, people } = await material(campus);
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
  const tabTo = async (target: ReturnType<typeof next>) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('not reached by Tab');
  };
  await tabTo(page.getByRole('combobox', { name: 'Programme' }));
  await page.keyboard.type('MIM');
  await expect(page.getByRole('option', { name: 'MIM', exact: true })).toBeVisible();
  await press('Enter');
  await tabTo(page.getByRole('combobox', { name: 'Terms' }));
  await page.keyboard.type(term);
  await expect(page.getByRole('option', { name: term, exact: true })).toBeVisible();
  await press('ArrowDown', 'Enter', 'Escape');
  await tabTo(page.getByRole('searchbox', { name: 'Search courses' }));
  await page.keyboard.type(course.sis_course_id ?? '');
  const box = page.getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') });
  await expect(box).toBeVisible();
  await tabTo(box);
  await press('Space');
  await tabTo(next(page));
  await press('Enter');
  await expect(step(page)).toBeFocused();
  await tabTo(page.getByRole('combobox', { name: 'Role' }));
  await page.keyboard.type('Observer');
  await expect(page.getByRole('option', { name: 'Observer', exact: true })).toBeVisible();
  await press('ArrowDown', 'Enter');
  await tabTo(page.getByRole('radio', { name: 'Add' }));
  await press('Space');
  await tabTo(page.getByRole('textbox', { name: 'E-mail addresses' }));
  await page.keyboard.type(person.login_id);
  await press('Tab');
  await tabTo(next(page));
  await press('Enter');
  await expect(step(page)).toHaveText('Review and Process');
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await tabTo(next(page));
  await press('Enter');
  await expect(step(page)).toHaveText('Progress');
  await expect(step(page)).toBeFocused();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});

test('PICK-02 PICK-21 LMS-05 a sub-account brings its own courses only', async ({ page, campus, signIn }) => {
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
  const terms = await page.getByRole('listbox', { name: 'Terms' }).getByRole('option').count();
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
    const { term, courses, people } = await material(campus);
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
    expect(await list.evaluate((element) => getComputedStyle(element).maxHeight)).toBe('300px');
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
