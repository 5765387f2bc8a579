/**
 * Section Enrollment, the whole job by hand: adding and removing in sections (requirements SE, PERM, IMP).
 */
import {
  back,
  chooseCourses,
  chooseMany,
  chooseProgramme,
  importsOf,
  next,
  said,
  sectionsOf,
  step,
  summaryOf,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  assign,
  assignDialog,
  card,
  coursesWithSections,
  idsOf,
  inSection,
  MBA_TERM,
  namesOf,
  openDialog,
  outsiders,
  pickCourses,
  replaceIds,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  submitButton,
} from './support/section-enrollment.ts';

const NOBODY = 'PS-NOBODY';

test('SE-01 SE-02 SE-03 SE-04 SE-05 SE-06 SE-07 SE-12 SE-13 SHELL-32 LMS-14 OP-49 OP-50 OP-51 IMP-12 people are added to one section and removed from another, each with its SIS ID', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  // A section created by hand, without an SIS ID, to add to; and one from the student records to remove from.
  let job = null;
  for (const { course, sections } of await coursesWithSections(campus, { unnamed: true })) {
    const unnamed = sections.find((one) => one.sis_section_id === null);
    const named = sections.find((one) => one.sis_section_id !== null);
    const there = named ? sisIdsOf(await inSection(campus, course.id, named.id)) : [];
    if (unnamed && named && there.length > 2) job = { course, unnamed, named, there };
    if (job) break;
  }
  if (!job) throw new Error('no course with both kinds of sections');
  const { course, unnamed, named, there } = job;
  const fresh = await outsiders(campus, course.id);
  const adding = fresh.slice(0, 3);
  const removing = there.slice(0, 2);
  const stranger = fresh[4]?.sis_user_id ?? '';
  const already = sisIdsOf(await inSection(campus, course.id, unnamed.id)).slice(0, 1);
  const before = await importsOf(campus);

  await signIn('alma.reyes', SECTIONS_PATH);
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(2);
  await expect(step(page)).toHaveText('Programme and Term');
  await pickCourses(page, []);
  // The button beside the course selects it and opens its dialog.
  const row = page.getByRole('row').filter({ hasText: course.sis_course_id ?? '' });
  await row.getByRole('button', { name: `Assign people: ${course.name}` }).click();
  const dialog = assignDialog(page);
  await expect(dialog).toContainText(course.sis_course_id ?? '');
  await expect(card(page, unnamed.name)).toContainText('No SIS ID yet. It will get');
  await expect(card(page, named.name)).toContainText(named.sis_section_id ?? '');
  await expect(card(page, named.name)).toContainText(/\d+ students now/);
  await axe();

  await assign(page, unnamed.name, { ids: [...sisIdsOf(adding), ...already, NOBODY] });
  await expect(namesOf(page, unnamed.name)).toContainText(adding[0]?.name ?? '');
  await expect(namesOf(page, unnamed.name)).toContainText(adding[0]?.login_id ?? '');
  await expect(namesOf(page, unnamed.name).getByRole('listitem').filter({ hasText: NOBODY })).toContainText(
    'Not found',
  );
  await assign(page, named.name, { ids: [...removing, stranger], action: 'Remove' });
  await axe();
  await save(page);
  const people = adding.length + already.length + 1 + 3;
  const assigned = row.getByRole('button', { name: `2 sections · ${people} people: ${course.name}` });
  await expect(assigned).toBeFocused();
  await expect(row.getByRole('checkbox')).toBeChecked();
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText(
    `2 sections · ${people} people`,
  );
  await axe();

  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: /^User Not Found \(1\)/ })).toContainText(NOBODY);
  await expect(page.getByRole('region', { name: /^User Not Found \(1\)/ })).toContainText(
    `${course.name}, ${unnamed.name}`,
  );
  const willGet = page.getByRole('region', { name: '1 section will get an SIS ID' });
  await expect(willGet).toContainText(`${course.sis_course_id}-`);
  await expect(
    said(page, `Submitting adds 3 enrolments in 1 section and removes 2 enrolments`),
  ).toBeVisible();
  const table = page.getByRole('table', { name: 'Summary of the changes' });
  await expect(table.getByRole('row').last()).toContainText('Total of 2 sections');
  const rowOf = async (section: string) => {
    const heads = await table.getByRole('columnheader').allInnerTexts();
    const cells = await table
      .getByRole('row')
      .filter({
        has: page.getByRole('button', { name: `View List: ${course.name}, ${section}`, exact: true }),
      })
      .getByRole('cell')
      .allInnerTexts();
    return Object.fromEntries(heads.map((head, index) => [head.trim(), cells[index]?.trim() ?? '']));
  };
  expect(await rowOf(unnamed.name)).toMatchObject({
    'Course Name': expect.stringContaining(`${course.name}\n${course.sis_course_id} · `),
    Section: unnamed.name,
    'Action Type': 'Add',
    'Enroll Count': '3',
    'To add': '3',
    'To remove': '–',
    'No change': String(already.length),
    'User List': 'View List',
  });
  expect(await rowOf(named.name)).toMatchObject({
    'Action Type': 'Remove',
    'Enroll Count': '2',
    'To remove': '2',
    'No change': '1',
  });
  await axe();
  await page.getByRole('button', { name: `View List: ${course.name}, ${named.name}`, exact: true }).click();
  const list = page.getByRole('dialog', { name: 'User List' });
  await expect(list.getByRole('row').filter({ hasText: removing[0] ?? '' })).toContainText('To remove');
  await expect(list.getByRole('row').filter({ hasText: stranger })).toContainText('Not enrolled');
  await axe();
  await list.getByRole('button', { name: 'Close' }).click();

  expect(await importsOf(campus)).toBe(before);
  await submitButton(page).click();
  await expect(step(page)).toHaveText('Progress');
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText('5');
  // People who were not found are named again, because they are easily missed in the review.
  await expect(page.getByRole('region', { name: /^User Not Found \(1\)/ })).toContainText(NOBODY);
  await axe();
  expect(await importsOf(campus)).toBe(before + 1);

  const nowNamed = (await sectionsOf(campus, course.id)).find(({ id }) => id === unnamed.id);
  expect(nowNamed?.sis_section_id).toContain(`${course.sis_course_id}-`);
  const added = new Set(sisIdsOf(await inSection(campus, course.id, unnamed.id)));
  for (const id of sisIdsOf(adding)) expect(added.has(id)).toBe(true);
  const left = new Set(sisIdsOf(await inSection(campus, course.id, named.id)));
  for (const id of removing) expect(left.has(id)).toBe(false);
  for (const id of there.slice(2)) expect(left.has(id)).toBe(true);

  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Programme and Term');
  await expect(page.getByRole('table', { name: 'Selected courses' })).toBeHidden();
});

test('PERM-11 OP-34 a CUSTOM administrator can only assign section-level roles, and completes the job', async ({
  page,
  campus,
  signIn,
}) => {
  const [, { course, sections } = { course: null, sections: [] }] = await coursesWithSections(campus);
  const section = sections.at(-1);
  if (!course || !section) throw new Error('no course');
  const [person] = await outsiders(campus, course.id, 'ibrahim');
  await signIn('bruno.keller', SECTIONS_PATH);
  await page.getByRole('combobox', { name: 'Programme' }).click();
  await expect(page.getByRole('listbox', { name: 'Programme' }).getByRole('option')).toHaveText([
    'MBA',
    'MIM',
  ]);
  await page.keyboard.press('Escape');
  await pickCourses(page, [course]);
  await openDialog(page, course);
  // At course level this administrator has a second role, which is irrelevant here.
  await expect(
    assignDialog(page)
      .getByRole('combobox', { name: `Role in ${section.name}`, exact: true })
      .locator('option'),
  ).toHaveText(['Choose role', 'Student']);
  await assign(page, section.name, { ids: [person?.sis_user_id ?? ''] });
  await save(page);
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  expect(await summaryOf(page, course.name)).toMatchObject({ 'Enroll Count': '1' });
  await expect(page.getByRole('main')).toContainText('Role: Student · Action Type: ');
  await submitButton(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });
  expect(sisIdsOf(await inSection(campus, course.id, section.id))).toContain(person?.sis_user_id);
});

test('OP-18 SHELL-27 a longer path shows the same screen, with the same guide', async ({ page, signIn }) => {
  await signIn('alma.reyes', `${SECTIONS_PATH}/86/anything`);
  await expect(page.getByRole('heading', { level: 1, name: 'Section Enrollment' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Guide' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toBeVisible();
  await page.goto('/section-level-adminx');
  await expect(page.getByText('404 page not found.')).toBeVisible();
});

test('SE-08 SE-09 ERR-01 OP-50 each step says what is missing, in the documented words', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [{ course, sections } = { course: null, sections: [] }] = await coursesWithSections(campus);
  const [section] = sections;
  if (!course || !section) throw new Error('no course');
  await signIn('alma.reyes', SECTIONS_PATH);
  const alert = page.getByRole('alertdialog', { name: 'Warning!!' });
  const warned = async (text: string) => {
    await expect(alert).toContainText(text);
    await alert.getByRole('button', { name: 'Ok' }).click();
    await expect(alert).toBeHidden();
  };
  await next(page).click();
  await warned('Please select programme and the term');
  await expect(page.locator('#picker-programme')).toBeFocused();
  await chooseProgramme(page, 'MBA');
  await next(page).click();
  await warned('Please select programme and the term');
  await chooseMany(page, 'Terms', [MBA_TERM]);
  await next(page).click();
  await warned('Please select courses to proceed next');
  await chooseCourses(page, [course]);
  await next(page).click();

  await expect(step(page)).toHaveText('Review and Process');
  await expect(said(page, 'No one is assigned to a section yet')).toBeVisible();
  await axe();
  await submitButton(page).click();
  const nobody = 'Users could not be found in the LMS. Please go back and edit the list of SIS ids.';
  await axe();
  await warned(nobody);
  await expect(page.locator('#section-review')).toBeFocused();
  await page.getByRole('button', { name: 'Back to the courses' }).click();
  await expect(step(page)).toBeFocused();

  await openDialog(page, course);
  await assign(page, section.name, { ids: [NOBODY] });
  await save(page);
  await next(page).click();
  await expect(said(page, 'None of these people were found, so there is nothing to send.')).toBeVisible();
  await submitButton(page).click();
  await warned(nobody);
  await axe();
  await back(page).click();
  await openDialog(page, course);
  await expect(idsOf(page, section.name)).toContainText([NOBODY]);
  const [there] = sisIdsOf(await inSection(campus, course.id, section.id));
  await replaceIds(page, section.name, [there ?? '']);
  await save(page);
  await next(page).click();
  await expect(said(page, 'Everything is already as requested').first()).toBeVisible();
  await expect(submitButton(page)).toBeDisabled();
  await expect(submitButton(page)).toHaveAccessibleDescription(/nothing to send/);
});
