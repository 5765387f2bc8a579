/** Course Enrollment, the whole job by hand: adding and removing (requirements CE, IMP, PERM). */
import {
  chip,
  chooseProgramme,
  coursesOf,
  enrollmentsIn,
  field,
  type LmsEnrollment,
  lmsList,
  next,
  PATH,
  peopleLike,
  said,
  sectionsOf,
  step,
  summaryOf,
  termLike,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

const MBA = { programme: 'MBA', terms: ['MBA 2026-27 P1'], role: 'Student' } as const;
const NOBODY = 'nobody.at.all@northbridge.example';

async function mbaCourses(campus: Parameters<typeof coursesOf>[0]) {
  const { id } = await termLike(campus, MBA.terms[0]);
  const all = await coursesOf(campus, 86, id);
  return all.filter((course) => course.sis_course_id !== null);
}

const login = (one: LmsEnrollment) => one.user.login_id;

test('CE-01 CE-02 CE-05 K-06 CE-12 CE-13 CE-14 CE-15 CE-16 CE-17 CE-18 CE-20 CE-21 CE-23 ERR-02 IMP-07 IMP-12 IMP-14 LMS-24 OP-41 OP-46 people who are found, already enrolled or unknown are added as the review says', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const [first, second] = await mbaCourses(campus);
  if (!first || !second) throw new Error('the practice LMS has no courses');
  const there = (await enrollmentsIn(campus, first.id)).filter((one) => one.sis_user_id).slice(0, 2);
  const taken = new Set(
    (await Promise.all([first, second].map((course) => enrollmentsIn(campus, course.id)))).flat().map(login),
  );
  const outside = (await peopleLike(campus, 'abbott'))
    .filter((person) => !taken.has(person.login_id))
    .slice(0, 3);
  expect([there.length, outside.length]).toEqual([2, 3]);
  const logged: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/log-status')) logged.push(request.postData() ?? '');
  });

  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MBA,
    courses: [first, second],
    action: 'Add',
    people: [...there.map(login), ...outside.map((person) => person.login_id.toUpperCase()), NOBODY],
  });

  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  await expect(dialog).toContainText(
    'Please send an email to LMS Tech team lms.team@northbridge.example to create these users account in LMS.',
  );
  await expect(dialog).toContainText('Continue to enroll the remaining users?');
  await expect(dialog.getByRole('listitem')).toHaveText([NOBODY]);
  await axe();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy all' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(NOBODY);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(chip(page, NOBODY)).toBeVisible();

  // Submitting the same review again: nothing has changed, so review and confirmation open immediately.
  await next(page).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(page.getByRole('region', { name: /^User Not Found/ })).toContainText(NOBODY);
  const alreadySecond = there.filter((one) => taken.has(login(one))).length;
  expect(alreadySecond).toBe(2);
  const row = await summaryOf(page, first.name);
  expect(row).toMatchObject({
    'Course Name': expect.stringContaining(`${first.name}\n${first.sis_course_id} · `),
    'Enroll Count': '3',
    'To add': '3',
    'Already enrolled': '2',
    'User List': 'View List',
  });
  // A value shared by all courses is shown once, above them.
  expect(Object.keys(row)).not.toContain('Role');
  expect(Object.keys(row)).not.toContain('Action Type');
  await expect(said(page, 'Role: Student · Action Type: Add')).toBeVisible();
  const total = page.getByRole('table', { name: 'Summary of the changes' }).getByRole('row').last();
  await expect(total).toContainText(/^Total of 2 courses/);
  const figures = await total.getByRole('cell').allInnerTexts();
  const added = await page.getByRole('definition').first().innerText();
  expect(figures.filter((text) => text !== '').slice(0, 2)).toEqual([added, added]);
  await axe();

  await page.getByRole('button', { name: `View List: ${first.name}` }).click();
  const list = page.getByRole('dialog', { name: 'User List' });
  await expect(list.getByRole('row').filter({ hasText: login(there[0] as LmsEnrollment) })).toContainText(
    'Already enrolled',
  );
  await expect(list.getByRole('row').filter({ hasText: outside[0]?.login_id ?? '' })).toContainText('To add');
  await axe();
  await list.getByRole('button', { name: 'Close' }).click();

  // The course that both are in already adds what the second lacks: the sentence gives the sum.
  const rows = await page.getByRole('definition').first().innerText();
  await expect(page.getByRole('main')).toContainText(`“Next” adds ${rows} enrolments: 5 people as Student`);
  expect(logged).toEqual([]);
  await next(page).click();
  await expect(step(page)).toHaveText('Progress');
  await expect(next(page)).toBeHidden();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText(`Enrollments`);
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText(rows);
  await axe();
  expect(logged).toHaveLength(2);
  expect(logged[1]).toContain('imported');

  const now = new Set((await enrollmentsIn(campus, first.id)).map(login));
  for (const person of outside) expect(now.has(person.login_id)).toBe(true);

  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Programme and Term');
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('');
});

test('CE-05 CE-12 LMS-14 people are removed in the section of each enrolment, and sections without an SIS ID get one', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  // A course with students in a section that has no SIS ID and is not the default one.
  let found: { course: Awaited<ReturnType<typeof mbaCourses>>[number]; people: LmsEnrollment[] } | null =
    null;
  let unnamedSection = '';
  for (const course of await mbaCourses(campus)) {
    const sections = await sectionsOf(campus, course.id);
    const unnamed = sections.find(
      (section) => section.sis_section_id === null && section.name !== course.name,
    );
    if (!unnamed) continue;
    const people = (await enrollmentsIn(campus, course.id)).filter((one) => one.sis_user_id);
    const inIt = people.find((one) => one.course_section_id === unnamed.id);
    const elsewhere = people.find((one) => one.course_section_id !== unnamed.id);
    if (!inIt || !elsewhere) continue;
    found = { course, people: [inIt, elsewhere] };
    unnamedSection = unnamed.name;
    break;
  }
  if (!found) throw new Error('no course with a section by hand');
  const { course, people } = found;
  const all = new Set((await enrollmentsIn(campus, course.id)).map(login));
  const outsider = (await peopleLike(campus, 'abbott')).find((person) => !all.has(person.login_id));

  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MBA,
    courses: [course],
    action: 'Remove',
    people: [...people.map(login), outsider?.login_id ?? ''],
  });
  await expect(page.getByRole('region', { name: '1 section will get an SIS ID' })).toContainText(
    unnamedSection,
  );
  expect(await summaryOf(page, course.name)).toMatchObject({
    'Enroll Count': '2',
    'To remove': '2',
    'Not enrolled': '1',
  });
  await expect(said(page, 'Role: Student · Action Type: Remove')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('You are about to remove 2 enrolments');
  await axe();
  await page.getByRole('button', { name: 'Remove 2 enrolments' }).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });
  const left = new Set((await enrollmentsIn(campus, course.id)).map(login));
  for (const person of people) expect(left.has(login(person))).toBe(false);
});

test('PERM-09 PERM-10 PERM-14 a CUSTOM admin sees their own programmes and roles', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('bruno.keller', PATH);
  await page.getByRole('combobox', { name: 'Programme' }).click();
  await expect(page.getByRole('listbox', { name: 'Programme' }).getByRole('option')).toHaveText([
    'MBA',
    'MIM',
  ]);
  await page.keyboard.press('Escape');
  const [, , third] = await mbaCourses(campus);
  if (!third) throw new Error('too few courses');
  const someone = (await peopleLike(campus, 'abbott')).at(-1);
  await toReview(page, {
    ...MBA,
    role: 'TA',
    courses: [third],
    action: 'Add',
    people: [someone?.login_id ?? ''],
  });
  await expect(page.getByRole('main')).toContainText('as TA in 1 course');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('combobox', { name: 'Role' }).fill('');
  await expect(page.getByRole('listbox', { name: 'Role' }).getByRole('option')).toHaveText(['Student', 'TA']);
});

test('CE-19 ERR-02 OP-46 if no one is found, the only button is Close', async ({ page, campus, signIn }) => {
  const [first] = await mbaCourses(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, { ...MBA, courses: first ? [first] : [], action: 'Add', people: [NOBODY] });
  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeHidden();
  await expect(dialog).not.toContainText('Continue to enroll');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(step(page)).toHaveText('Roles and Users');
});

test('CE-15 OP-45 a person in the LMS without an SIS ID is reported as existing, and not sent to Create Users', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [first] = await mbaCourses(campus);
  const everybody = await lmsList<{ login_id: string; sis_user_id: string | null }>(
    campus,
    'accounts/1/users?search_term=northbridge',
  );
  const bare = everybody.find((person) => !person.sis_user_id && person.login_id.includes('@'));
  if (!first || !bare) throw new Error('the practice LMS has nobody without an SIS ID');
  await signIn('alma.reyes', PATH);
  await toReview(page, { ...MBA, courses: [first], action: 'Add', people: [bare.login_id] });
  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  await expect(dialog).toContainText('1 person is in the LMS without an SIS ID');
  await expect(dialog).toContainText('Ask IT Support or the registrar to add the SIS ID');
  await expect(dialog).not.toContainText('to create these users');
  await expect(dialog.getByRole('button', { name: 'Create these users' })).toBeHidden();
  await axe();
});

test('CE-12 if there is nothing to do, the review says so, and Next is disabled', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [, second] = await mbaCourses(campus);
  if (!second) throw new Error('too few courses');
  const there = (await enrollmentsIn(campus, second.id)).find((one) => one.sis_user_id);
  await signIn('alma.reyes', PATH);
  await toReview(page, { ...MBA, courses: [second], action: 'Add', people: [there ? login(there) : ''] });
  await expect(page.getByRole('main')).toContainText('Everyone already has the role in every course');
  await expect(next(page)).toBeDisabled();
  await expect(next(page)).toHaveAccessibleDescription(/nothing to send/);
  await axe();
});

test('K-04 OP-33 CE-22 more rows than allowed are rejected before anything is sent', async ({
  page,
  signIn,
}) => {
  test.slow();
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, 'MBA');
  await page.getByRole('combobox', { name: 'Terms' }).click();
  for (const term of ['P1', 'P2', 'P3', 'P4', 'P5']) {
    await page.getByRole('option', { name: `MBA 2025-26 ${term}`, exact: true }).click();
    await page.getByRole('option', { name: `MBA 2026-27 ${term}`, exact: true }).click();
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('progressbar')).toBeHidden();
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await next(page).click();
  const many = Array.from({ length: 4_000 }, (_, index) => `p${index}@northbridge.example`).join('\n');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Student', exact: true }).click();
  await page.getByRole('radio', { name: 'Add' }).check();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), many);
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/jobs/start/course-plan')) asked++;
  });
  await next(page).click();
  await expect(page.getByRole('alertdialog', { name: 'Warning!!' })).toContainText('at most 500,000');
  await expect(page.getByRole('alertdialog', { name: 'Warning!!' })).toContainText('Nothing has been sent');
  expect(asked).toBe(0);
});
