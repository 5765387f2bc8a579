/**
 * The Section Enrollment review while it is prepared, on failures, from two tabs, and by keyboard
 * (requirements SE, IMP, SHELL).
 */
import {
  back,
  fault,
  importsOf,
  next,
  officeImport,
  said,
  step,
  summaryOf,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  assign,
  openDialog,
  pickCourses,
  recordsSection,
  SECTIONS_PATH,
  save,
  submitButton,
} from './support/section-enrollment.ts';
import { duplicateOf } from './support/tabs.ts';

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

const DONE = 'The request has completed successfully.';

test('SE-02 CE-22 OP-48 OP-100 the review shows real numbers and can be cancelled; a lost lookup and a section that was not read can be retried', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await recordsSection(campus, 0);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const strangers = Array.from({ length: 40 }, (_, index) => `PS-GONE${index}`);
  await assign(page, section.name, { ids: [...ids.slice(0, 2), ...strangers] });
  await save(page);
  const slow = await fault(campus, { match: '/api/v1/users/*', kind: 'hold' });
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
  const uncompared = await fault(campus, {
    match: `/api/v1/sections/${section.id}/enrollments`,
    kind: 'status',
    status: 500,
  });
  await failed.getByRole('button', { name: 'Look up again' }).click();
  await expect(step(page)).toBeFocused();
  const notCompared = page.getByRole('region', { name: '1 section could not be compared' });
  await expect(notCompared).toContainText(section.name, { timeout: 60_000 });
  await expect(page.getByRole('region', { name: /^User Not Found \(40\)/ })).toBeVisible();
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '2', 'Already enrolled': '–' });
  await axe();
  await uncompared();
  await notCompared.getByRole('button', { name: 'Compare again' }).click();
  await expect(notCompared).toBeHidden();
  await expect(submitButton(page)).toBeEnabled({ timeout: 60_000 });
  expect(await summaryOf(page, course.name)).toMatchObject({ 'To add': '2', 'Already enrolled': '0' });

  // Next opens the review, which is prepared again because people were missing.
  await back(page).click();
  await expect(step(page)).toHaveText('Programme and Term');
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled();
});

test('SE-05 OP-50 people created in the meantime are found when the review is opened again, or looked up again', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, section, ids } = await recordsSection(campus, 0);
  const create = (id: string) =>
    officeImport(
      campus,
      `user_id,login_id,first_name,last_name,status\n${id},${id}@northbridge.example,New,Comer,active`,
    );
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: [...ids.slice(0, 1), '657001', '657002', '657003'] });
  await save(page);
  await next(page).click();
  const missing = (count: number) => page.getByRole('region', { name: `User Not Found (${count})` });
  await expect(missing(3)).toBeVisible({ timeout: 60_000 });
  await create('657001');
  await page.reload();
  await expect(missing(2)).toBeVisible({ timeout: 60_000 });
  await create('657002');
  await page.getByRole('button', { name: 'Look up again' }).click();
  await expect(missing(1)).toContainText('657003', { timeout: 60_000 });
  await create('657003');
  await back(page).click();
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 60_000 });
  await expect(page.getByRole('region', { name: /^User Not Found/ })).toHaveCount(0);
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '4' });
});

test('SE-05 OP-50 AUTH-21 if the session expires before submitting, the missing people are looked up again after signing in', async ({
  page,
  campus,
  signInSeparately: signInAfresh,
}) => {
  const { course, section, ids } = await recordsSection(campus, 0);
  const before = await importsOf(campus);
  await signInAfresh('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: [...ids.slice(0, 1), '657011', '657012'] });
  await save(page);
  await next(page).click();
  const missing = (count: number) => page.getByRole('region', { name: `User Not Found (${count})` });
  await expect(missing(2)).toBeVisible({ timeout: 60_000 });
  await officeImport(
    campus,
    'user_id,login_id,first_name,last_name,status\n657011,657011@northbridge.example,New,Comer,active',
  );
  await page.context().clearCookies({ name: 'lms_admin_session' });
  await submitButton(page).click();
  await page.getByRole('button', { name: 'Back to login', exact: true }).click();
  await page.getByRole('button', { name: /sign in with single sign-on/i }).click();
  await page.getByRole('button', { name: /allow|authori[sz]e/i }).click();
  await expect(missing(1)).toContainText('657012', { timeout: 60_000 });
  await expect(submitButton(page)).toBeEnabled();
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '2' });
  // Only the records office has imported: the new review waits for its own click.
  expect(await importsOf(campus)).toBe(before + 1);
});

test('SE-12 OP-48 if sections are skipped because the LMS did not answer, the review can be prepared again', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, section, ids } = await recordsSection(campus, 0);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  const lost = await fault(campus, {
    match: `/api/v1/courses/${course.id}/sections`,
    kind: 'status',
    status: 503,
  });
  await next(page).click();
  const leftOut = page.getByRole('region', { name: '1 section skipped' });
  await expect(leftOut).toContainText('The LMS did not answer', { timeout: 60_000 });
  await lost();
  await leftOut.getByRole('button', { name: 'Review again' }).click();
  await expect(step(page)).toBeFocused();
  await expect(submitButton(page)).toBeEnabled({ timeout: 60_000 });
  await expect(leftOut).toHaveCount(0);
});

test('SE-04 IMP-19 OP-42 a double click, a reload on the review and one during the progress submit once', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, section, ids } = await recordsSection(campus, 1);
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
    if (request.method() === 'POST' && request.url().endsWith('/api/jobs/start/section-plan')) planned++;
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

test('OP-42 two tabs with the same review submit it once, and the later one is taken to the import', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await recordsSection(campus, 2);
  const before = await importsOf(campus);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  const twin = await duplicateOf(page);
  await twin.goto(SECTIONS_PATH);
  await expect(submitButton(twin)).toBeEnabled();
  await Promise.all([submitButton(page).click(), submitButton(twin).click()]);
  for (const one of [page, twin]) await expect(said(one, DONE)).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(before + 1);

  // The second tab's storage is reset to the review at each load: the review was submitted elsewhere.
  await twin.goto(SECTIONS_PATH);
  const notice = twin.getByRole('region', { name: 'This review has already been submitted' });
  await expect(notice).toBeVisible();
  await expect(submitButton(twin)).toBeDisabled();
  await axe(twin);
  await notice.getByRole('button', { name: 'Follow the import' }).click();
  await expect(said(twin, DONE)).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(before + 1);
});

test('IMP-16 OP-35 if LMS Admin does not answer and then an import fails, both are reported, with what to do', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, section, ids } = await recordsSection(campus, 3);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, section.name, { ids: ids.slice(0, 2) });
  await save(page);
  await page.route('**/api/jobs/start/section-plan', (route) => route.abort());
  await next(page).click();
  await expect(said(page, 'The review could not be completed.')).toBeVisible();
  await expect(said(page, 'Nothing has been sent.').first()).toBeVisible();
  await axe();
  await page.unroute('**/api/jobs/start/section-plan');
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
