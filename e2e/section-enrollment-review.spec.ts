/** The review of Section Enrollment while it works, when it fails, from two tabs, and by keyboard (areas SE, IMP, SHELL). */
import {
  back,
  chooseCourses,
  fault,
  importsOf,
  next,
  said,
  step,
  summaryOf,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import type { Campus } from './support/processes.ts';
import {
  assign,
  assignButton,
  assignDialog,
  chooseIn,
  coursesWithSections,
  inSection,
  MBA_TERM,
  openDialog,
  outsiders,
  pasteIds,
  pickCourses,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  submitButton,
} from './support/section-enrollment.ts';

// Slow enough for a person, or a test, to see the states in between.
test.use({ campusEnv: { SANDBOX_IMPORT_PACE: '2', SANDBOX_LATENCY_MS: '40' } });
test.describe.configure({ timeout: 120_000 });

const DONE = 'The request has completed successfully.';

async function material(campus: Campus, index: number, search = 'abbott') {
  const one = (await coursesWithSections(campus))[index];
  const section = one?.sections.find(({ sis_section_id }) => sis_section_id !== null);
  if (!one || !section) throw new Error('no course with a section of the records');
  return { course: one.course, section, ids: sisIdsOf(await outsiders(campus, one.course.id, search)) };
}

test('SE-02 CE-22 OP-48 OP-100 true numbers, cancel, a lost lookup, an unread section; each can be tried again', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await material(campus, 0);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const strangers = Array.from({ length: 40 }, (_, index) => `PS-GONE${index}`);
  await assign(page, section.name, { ids: [...ids.slice(0, 2), ...strangers] });
  await save(page);
  const slow = await fault(campus, { match: '/api/v1/users/*', kind: 'latency', ms: 2_500 });
  await next(page).click();
  await expect(said(page, 'Looking up people')).toBeVisible();
  await expect(page.getByRole('main').getByText(/^\d+ of 42$/)).toBeVisible();
  await expect(submitButton(page)).toBeDisabled();
  await expect(submitButton(page)).toHaveAccessibleDescription('The review is not ready yet.');
  await axe();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(said(page, 'The review was cancelled. Nothing has been sent.')).toBeVisible();
  await slow();

  const lost = await fault(campus, { match: '/api/v1/users/*', kind: 'status', status: 500 });
  const unread = await fault(campus, {
    match: `/api/v1/sections/${section.id}/enrollments`,
    kind: 'status',
    status: 500,
  });
  await page.getByRole('button', { name: 'Review again' }).click();
  const failed = page.getByRole('region', { name: /could not be looked up/ });
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await axe();
  await lost();
  await unread();
  await fault(campus, { match: `/api/v1/sections/${section.id}/enrollments`, kind: 'status', status: 500 });
  await failed.getByRole('button', { name: 'Look up again' }).click();
  await expect(step(page)).toBeFocused();
  const notCompared = page.getByRole('region', { name: '1 section could not be compared' });
  await expect(notCompared).toContainText(section.name, { timeout: 60_000 });
  await expect(page.getByRole('region', { name: /^User Not Found \(40\)/ })).toBeVisible();
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '2', 'Already there': '–' });
  await axe();
  await unread();
  await notCompared.getByRole('button', { name: 'Compare again' }).click();
  await expect(notCompared).toBeHidden();
  await expect(submitButton(page)).toBeEnabled({ timeout: 60_000 });
  expect(await summaryOf(page, course.name)).toMatchObject({ 'To add': '2', 'Already there': '0' });

  // Back ends what is under way; the same review again is there at once.
  await back(page).click();
  await expect(step(page)).toHaveText('Programme and Term');
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled();
});

test('SE-04 IMP-19 OP-42 a double press, a reload on the review and one in the progress submit once', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, section, ids } = await material(campus, 1);
  const before = await importsOf(campus);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 4) });
  await save(page);
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  let planned = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/section-plans')) planned++;
  });
  await page.reload();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(submitButton(page)).toBeEnabled();
  expect(planned).toBe(0);
  await submitButton(page).dblclick();
  await expect(step(page)).toHaveText('Progress');
  await page.reload();
  await expect(step(page)).toHaveText('Progress');
  await expect(said(page, DONE)).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(before + 1);
});

test('OP-42 two tabs with the same review submit it once, and a late one is led to the import', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await material(campus, 2);
  const before = await importsOf(campus);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  const kept = await page.evaluate(
    (): Record<string, string> => Object.fromEntries(Object.entries(sessionStorage)),
  );
  const twin = await context.newPage();
  await twin.addInitScript((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value);
  }, kept);
  await twin.goto(SECTIONS_PATH);
  await expect(submitButton(twin)).toBeEnabled();
  await Promise.all([submitButton(page).click(), submitButton(twin).click()]);
  for (const one of [page, twin]) await expect(said(one, DONE)).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(before + 1);

  // The twin's storage is that of the review again at each load: it was submitted elsewhere.
  await twin.goto(SECTIONS_PATH);
  const notice = twin.getByRole('region', { name: 'This review has been submitted already' });
  await expect(notice).toBeVisible();
  await expect(submitButton(twin)).toBeDisabled();
  await axe(twin);
  await notice.getByRole('button', { name: 'Follow the import' }).click();
  await expect(said(twin, DONE)).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(before + 1);
});

test('IMP-16 OP-35 our server away, then an import that fails: said, with what to do', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await material(campus, 3);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  await page.route('**/api/enrollments/section-plans', (route) => route.abort());
  await next(page).click();
  await expect(said(page, 'The review could not be completed.')).toBeVisible();
  await expect(said(page, 'Nothing has been sent.').first()).toBeVisible();
  await axe();
  await page.unroute('**/api/enrollments/section-plans');
  await page.getByRole('button', { name: 'Review again' }).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });

  await page.route('**/api/auth/invoke', async (route) => {
    if (route.request().postData()?.includes('POST_SIS')) await route.abort();
    else await route.continue();
  });
  await submitButton(page).click();
  await expect(said(page, 'The request could not be sent.')).toBeVisible();
  await axe();
  await page.unroute('**/api/auth/invoke');
  await fault(campus, { kind: 'import-fail', count: 1 });
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 60_000 });
  await axe();
});

test('SHELL-31 SE-03 the whole job with the keyboard alone', async ({ page, campus, signIn }) => {
  const { course, section, ids } = await material(campus, 4);
  await signIn('alma.reyes', SECTIONS_PATH);
  await expect(step(page)).toBeVisible();
  const tabTo = async (target: ReturnType<typeof next>) => {
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('not reached by Tab');
  };
  await tabTo(page.getByRole('combobox', { name: 'Programme' }));
  await page.keyboard.type('MBA');
  const wanted = await page.getByRole('option', { name: 'MBA', exact: true }).getAttribute('id');
  const programme = page.getByRole('combobox', { name: 'Programme' });
  for (let presses = 0; presses < 20; presses++) {
    if ((await programme.getAttribute('aria-activedescendant')) === wanted) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('combobox', { name: 'Terms' }));
  await page.keyboard.type(MBA_TERM);
  await expect(page.getByRole('option', { name: MBA_TERM, exact: true })).toBeVisible();
  for (const key of ['ArrowDown', 'Enter', 'Escape']) await page.keyboard.press(key);
  await tabTo(page.getByRole('searchbox', { name: 'Search courses' }));
  await page.keyboard.type(course.sis_course_id ?? '');
  const open = page.getByRole('table', { name: 'Courses' }).getByRole('button', { name: /^Assign people/ });
  await expect(open).toHaveCount(1);
  await tabTo(open);
  await page.keyboard.press('Enter');
  const dialog = assignDialog(page);
  const role = dialog.getByRole('combobox', { name: `Role in ${section.name}`, exact: true });
  await expect(role).toBeVisible();
  await tabTo(role);
  await page.keyboard.type('Stu');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const field = dialog.getByRole('textbox', { name: `SIS ids for ${section.name}`, exact: true });
  await tabTo(field);
  await page.keyboard.type(`${ids[0]} ${ids[1]}`);
  await tabTo(dialog.getByRole('button', { name: 'Save' }));
  await expect(field).toHaveValue(`${ids[0]}, ${ids[1]}`);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await tabTo(next(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toBeFocused();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  await tabTo(submitButton(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toHaveText('Progress');
  await expect(step(page)).toBeFocused();
  await expect(said(page, DONE)).toBeVisible({ timeout: 60_000 });
  expect(sisIdsOf(await inSection(campus, course.id, section.id))).toContain(ids[0]);
});

for (const [name, viewport, colorScheme] of [
  ['narrow and light', { width: 390, height: 844 }, 'light'],
  ['wide and dark', { width: 1440, height: 900 }, 'dark'],
] as const) {
  test(`SHELL-28 SE-03 ${name}: each screen fits, and the buttons stay in view`, async ({
    page,
    campus,
    signIn,
    axe,
  }) => {
    const { course, section, ids } = await material(campus, viewport.width < 500 ? 5 : 6, 'jensen');
    const other = (await coursesWithSections(campus)).at(-1)?.course;
    await signIn('alma.reyes', SECTIONS_PATH);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const fits = async () =>
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0);
    await pickCourses(page, [course]);
    if (other) await chooseCourses(page, [other]);
    await expect(assignButton(page, course)).toBeVisible();
    await assignButton(page, course).scrollIntoViewIfNeeded();
    await fits();
    await openDialog(page, course);
    await pasteIds(page, section.name, [...ids.slice(0, 9), 'PS-NOBODY'].join('\n'));
    await chooseIn(page, section.name, 'Student', 'Add');
    await expect(assignDialog(page)).toContainText('1 not found');
    await expect(assignDialog(page).getByRole('button', { name: 'Save' })).toBeInViewport();
    await fits();
    await axe();
    await save(page);
    await fits();
    await axe();
    await next(page).click();
    await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
    await expect(submitButton(page)).toBeInViewport();
    await fits();
    await axe();
    await submitButton(page).click();
    await expect(said(page, DONE)).toBeVisible({ timeout: 60_000 });
    await fits();
  });
}
