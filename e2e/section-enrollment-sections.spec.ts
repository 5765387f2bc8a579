/** A course's dialog in Section Enrollment: existing and missing data, and no answer (requirements SE). */
import {
  back,
  coursesOf,
  fault,
  lmsOne,
  next,
  officeImport,
  step,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  assign,
  assignButton,
  assignDialog,
  card,
  chooseIn,
  idsField,
  MBA_TERM,
  namesOf,
  openDialog,
  outsiders,
  pasteIds,
  pickCourses,
  replaceIds,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  submitButton,
  twoSections,
  typeIds,
} from './support/section-enrollment.ts';

test('SE-03 OP-48 if the LMS does not answer, the list of sections and the lookups say so, and can be requested again', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const { course, first } = await twoSections(campus, 1);
  // People whom no one has looked up yet: the server remembers those it has found.
  const [one, two] = sisIdsOf(await outsiders(campus, course.id, 'jensen'));
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  const down = await fault(campus, {
    match: `/api/v1/courses/${course.id}/sections`,
    kind: 'status',
    status: 500,
  });
  await assignButton(page, course).click();
  const dialog = assignDialog(page);
  await expect(dialog.getByText('The sections could not be loaded.')).toBeVisible({ timeout: 30_000 });
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await axe();
  await down();
  await dialog.getByRole('button', { name: /again/i }).click();
  await expect(idsField(page, first.name)).toBeVisible();

  const silent = await fault(campus, { match: '/api/v1/users/sis_user_id*', kind: 'status', status: 500 });
  await typeIds(page, first.name, [one ?? '', two ?? '']);
  await expect(card(page, first.name)).toContainText('2 could not be looked up', { timeout: 30_000 });
  await expect(namesOf(page, first.name).getByRole('listitem').first()).toContainText(
    'Could not be looked up',
  );
  await axe();
  await silent();
  await dialog.getByRole('button', { name: `Look up again for ${first.name}`, exact: true }).click();
  await expect(card(page, first.name)).toContainText('2 found');

  // The texts are the same if LMS Admin's own server does not answer.
  await page.route('**/api/people/lookup', (route) => route.abort());
  await replaceIds(page, first.name, ['PS-A', 'PS-B']);
  await expect(card(page, first.name)).toContainText('2 could not be looked up');
  // The reason for the failed lookups is shown beside the field.
  await expect(card(page, first.name)).toContainText('LMS Admin could not be reached. Check your connection');
  await page.unroute('**/api/people/lookup');
  await dialog.getByRole('button', { name: `Look up again for ${first.name}`, exact: true }).click();
  await expect(card(page, first.name)).toContainText('2 not found');
});

test('SE-03 SE-06 a course without sections, and a section deleted in the meantime, say so', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const { id } = await termLike(campus, MBA_TERM);
  const [account, terms] = await Promise.all([
    lmsOne<{ sis_account_id: string }>(campus, 'accounts/86'),
    lmsOne<{ enrollment_terms: { id: number; sis_term_id: string }[] }>(
      campus,
      'accounts/1/terms?per_page=100',
    ),
  ]);
  const term = terms.enrollment_terms.find((one) => one.id === id)?.sis_term_id ?? '';
  await officeImport(
    campus,
    `course_id,short_name,long_name,account_id,term_id,status\nMBA26-ONL-NEW100,NEW100,Brand New Course,${account.sis_account_id},${term},active`,
  );
  const course = (await coursesOf(campus, 86, id)).find((one) => one.sis_course_id === 'MBA26-ONL-NEW100');
  if (!course) throw new Error('the course was not made');
  const section = (status: string) =>
    officeImport(
      campus,
      `section_id,course_id,name,status\nMBA26-ONL-NEW100-X,${course.sis_course_id},Evening group,${status}`,
    );

  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await assignButton(page, course).click();
  await expect(assignDialog(page)).toContainText('This course has no sections');
  await axe();
  await page.keyboard.press('Escape');

  await section('active');
  await page.reload();
  await openDialog(page, course);
  await assign(page, 'Evening group', { ids: sisIdsOf(await outsiders(campus, course.id)).slice(0, 1) });
  await save(page);

  await section('deleted');
  await next(page).click();
  const leftOut = page.getByRole('region', { name: '1 section skipped' });
  await expect(leftOut).toContainText('Brand New Course, Evening group');
  await expect(submitButton(page)).toBeDisabled();
  await axe();
  await page.reload();
  await back(page).click();
  await assignButton(page, course).click();
  await expect(assignDialog(page)).toContainText('are no longer in the LMS');
  await expect(assignDialog(page)).toContainText('Evening group');
  await axe();
  await save(page);
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText('No one yet');
});

test('OP-50 closing the dialog cancels the lookups', async ({ page, campus, signIn }) => {
  const { course, first } = await twoSections(campus);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const slow = await fault(campus, { match: '/api/v1/users/sis_user_id*', kind: 'latency', ms: 3_000 });
  const begun = page.waitForRequest('**/api/people/lookup');
  await typeIds(
    page,
    first.name,
    Array.from({ length: 60 }, (_, index) => `PS-${index}`),
  );
  await begun;
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/people/lookup'));
  await assignDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect((await ended).failure()?.errorText).toMatch(/ABORTED/i);
  await slow();
});

test('SE-03 SE-10 a hundred sections can be searched, and saving moves the focus to a hidden one; only the visible part of a long list is rendered', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const { course } = await twoSections(campus, 2);
  const rows = Array.from({ length: 100 }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return `${course.sis_course_id}-T${number},${course.sis_course_id},Tutorial ${number},active`;
  });
  await officeImport(campus, ['section_id,course_id,name,status', ...rows].join('\n'));
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const search = assignDialog(page).getByRole('searchbox', { name: 'Search sections' });
  await search.fill('tutorial 042');
  await expect(assignDialog(page).getByRole('heading', { level: 3 })).toHaveText(['Tutorial 042']);
  const many = Array.from({ length: 1_200 }, (_, index) => `PS-X${index}`);
  await pasteIds(page, 'Tutorial 042', many.join('\n'));
  await search.fill('no such section');
  await expect(assignDialog(page)).toContainText('No section has this text in its name or SIS ID.');
  await assignDialog(page).getByRole('button', { name: 'Save' }).click();
  const alert = page.getByRole('alertdialog', { name: 'Warning!!' });
  await expect(alert).toContainText('Secion Error: Tutorial 042 :: Select Role and Action type');
  await alert.getByRole('button', { name: 'Ok' }).click();
  await expect(
    assignDialog(page).getByRole('combobox', { name: 'Role in Tutorial 042', exact: true }),
  ).toBeFocused();
  await chooseIn(page, 'Tutorial 042', 'Student', 'Add');
  await expect(card(page, 'Tutorial 042')).toContainText('1,200 not found', { timeout: 60_000 });
  expect(await namesOf(page, 'Tutorial 042').getByRole('listitem').count()).toBeLessThan(60);
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
  });
  await axe();
  await save(page);
  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(submitButton(page)).toBeVisible();
});
