/**
 * Other ways of using Group Enrollment: pasting, distributing, many rows, limited administrators, rejected
 * imports.
 */
import { fault, importsOf, lmsList } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  categoryWithGroups,
  chooseFile,
  confirmation,
  GROUPS_PATH,
  groupByHand,
  groupsOf,
  makeLeader,
  membersOf,
  openCourse,
  openPanel,
  putInto,
  studentsOf,
  tick,
} from './support/group-enrollment.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test('GRP-25 OP-107 students are distributed over groups, and moved by pasted rows', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const course = await bareCourse(campus, 0, 9);
  const category = await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02', 'Team-G03']);
  const students = await studentsOf(campus, course.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  const enroll = page.locator('#group-enroll');
  const send = async () => {
    await enroll.click();
    await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
    const done = dialog
      .getByRole('region', { name: 'Adding people to groups' })
      .getByRole('button', { name: 'Done' });
    await expect(done).toBeInViewport();
    await done.click();
  };
  await dialog.getByRole('radio', { name: 'Distribute the students' }).check();
  await expect(enroll).toHaveAccessibleDescription(/Choose the category/);
  await dialog
    .getByRole('combobox', { name: 'Category of the groups to fill' })
    .selectOption({ label: 'Teams (3 groups)' });
  await tick(dialog, 'Simulate the distribution');
  await expect(dialog).toContainText(`This adds ${students.length} memberships.`);
  // A different method of distribution needs another simulation.
  await dialog.getByRole('radio', { name: /^Sections mixed/ }).check();
  await expect(dialog).toContainText(`This adds ${students.length} memberships.`);
  await send();
  const sizes = (await groupsOf(campus, category.id)).map((group) => group.members_count);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(students.length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  await tick(dialog, 'Simulate the distribution');
  // People without an SIS ID are rejected; without them, no one is left to distribute.
  await expect(enroll).toHaveAccessibleDescription(
    /[Nn]othing (to send|can be sent)|^The message above says what to do first\.$/,
  );

  // People by email, login and SIS ID, with groups by name or ID.
  const [group] = await groupsOf(campus, category.id);
  const inGroup = new Set(
    (await lmsList<{ id: number }>(campus, `groups/${group?.id}/users`)).map(({ id }) => id),
  );
  const [stays] = students.filter(({ id }) => inGroup.has(id));
  const [moves] = students.filter(({ id }) => !inGroup.has(id));
  for (const one of await groupsOf(campus, category.id)) {
    const members = await lmsList<{ id: number }>(campus, `groups/${one.id}/users`);
    if (moves && members.some(({ id }) => id === moves.id)) await makeLeader(campus, one.id, moves.id);
  }
  await dialog.getByRole('radio', { name: 'Paste from a spreadsheet' }).check();
  await expect(enroll).toHaveAccessibleDescription('Paste people and groups first.');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    [
      `${stays?.login_id}\tTeam-G01`,
      `${moves?.sis_user_id}\tTeam-G01`,
      'nobody@northbridge.example\tTeam-G01',
      `${stays?.sis_user_id}\tTeam-G99`,
    ].join('\r\n'),
  );
  await dialog.getByRole('textbox', { name: 'People and groups' }).focus();
  await page.keyboard.press('ControlOrMeta+V');
  await tick(dialog, 'Simulate the pasted rows');
  const rows = dialog.getByRole('table', { name: 'Simulated rows' });
  await expect(dialog).toContainText('This moves 1 person to another group.');
  await expect(rows.getByRole('row').filter({ hasText: moves?.name ?? '' })).toContainText(
    /To move from Team-G0[23]/,
  );
  await expect(
    dialog.getByRole('region', { name: 'List: 1 person will leave a group that they lead' }),
  ).toContainText(new RegExp(`${moves?.name} – Team-G0[23]`));
  await expect(rows.getByRole('row').filter({ hasText: 'nobody@' })).toContainText('Not possible');
  await expect(rows.getByRole('row').filter({ hasText: 'Team-G99' })).toContainText('Not possible');
  await axe();
  await send();
  const now = await lmsList<{ id: number }>(campus, `groups/${group?.id}/users`);
  expect(now.map(({ id }) => id)).toContain(moves?.id);
  expect(now).toHaveLength(inGroup.size + 1);
});

test('GRP-25 a group that a teacher created by hand cannot be filled, and is counted and named before anything is sent', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0, 9);
  const category = await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02']);
  const byHand = await groupByHand(campus, category.id, 'Team by hand');
  const [student] = await studentsOf(campus, course.id);
  await putInto(campus, byHand.id, student?.id ?? 0);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  await dialog.getByRole('radio', { name: 'Distribute the students' }).check();
  await dialog
    .getByRole('combobox', { name: 'Category of the groups to fill' })
    .selectOption({ label: 'Teams (2 of 3 groups)' });
  const notice = dialog.getByRole('region', {
    name: '1 group of this category cannot be filled',
    exact: true,
  });
  await expect(notice).toContainText('Team by hand');
  await expect(notice).toContainText('Students in it count as having a group and stay there.');
  const only = dialog.getByRole('checkbox', {
    name: /^Only students who are not yet in one of these groups/,
  });
  await only.uncheck();
  await expect(notice).toContainText('undo cannot move them back');
  await only.check();
  await tick(dialog, 'Simulate the distribution');
  const said = 'The group Team by hand gets no students, because it has no SIS ID.';
  await expect(dialog).toContainText(said);
  await axe();
  await page.locator('#group-enroll').click();
  const asks = confirmation(page, 'Enroll Users to groups');
  await expect(asks).toContainText(said);
  await asks.getByRole('button', { name: 'Cancel' }).click();
  expect(await membersOf(campus, byHand.id)).toHaveLength(1);
});

test('GRP-27 five thousand rows are filtered, searched and scrolled without a delay', async ({
  page,
  campus,
  signIn,
}) => {
  test.slow();
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  await categoryWithGroups(campus, course, 'Teams', ['Team-G01']);
  const [person] = await studentsOf(campus, course.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  const lines = Array.from({ length: 5_000 }, (_, index) => `${sis}_Team-G01,PS-${index},accepted`);
  await chooseFile(
    dialog,
    'many.csv',
    [CSV_HEADER, ...lines, `${sis}_Team-G01,${person?.sis_user_id},accepted`].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog).toContainText('5,000 rows cannot be applied and will be skipped', {
    timeout: 120_000,
  });
  const rows = dialog.getByRole('table', { name: 'Simulated rows' });
  await expect(rows).toHaveAttribute('aria-rowcount', '5002');
  // Only the visible rows are rendered.
  expect(await rows.getByRole('row').count()).toBeLessThan(80);
  await rows.getByRole('searchbox', { name: 'Filter Person' }).fill(person?.name ?? '');
  await expect(rows).toHaveAttribute('aria-rowcount', '2');
  await page.reload();
  await expect(dialog).toContainText('This adds 1 membership.');
});

test('GRP-17 GRP-32 IMP-03 IMP-16 AUTH-21 an import that the LMS aborts is reported; one without a session is not sent', async ({
  page,
  campus,
  signInSeparately: signInAfresh,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  const category = await categoryWithGroups(campus, course, 'Teams', ['Team-G01']);
  const [one, two] = await studentsOf(campus, course.id);
  await signInAfresh('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  const line = (person: typeof one) => `${sis}_Team-G01,${person?.sis_user_id},accepted`;
  await chooseFile(dialog, 'teams.csv', [CSV_HEADER, line(one), line(two)].join('\n'));
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog).toContainText('This adds 2 memberships.');
  const before = await importsOf(campus);
  await fault(campus, { kind: 'import-fail', count: 1 });
  const confirm = async () => {
    await page.locator('#group-enroll').click();
    await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
  };
  await confirm();
  const run = dialog.getByRole('region', { name: 'Adding people to groups' });
  await expect(run.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 60_000 });
  await expect(run).toContainText('The import stopped.');
  await axe();
  await run.getByRole('button', { name: 'Done' }).click();
  expect(await importsOf(campus)).toBe(before + 1);

  // The choices are still there, and are compared again.
  await tick(dialog, 'Simulate Selected Csv');
  await expect(page.locator('#group-enroll')).toBeEnabled();
  await page.context().clearCookies({ name: 'lms_admin_session' });
  await confirm();
  const over = page.getByRole('alertdialog', { name: 'Login session expired.' });
  await expect(over).toBeVisible();
  expect(await importsOf(campus)).toBe(before + 1);
  await over.getByRole('button', { name: 'Back to login' }).click();
  await page.getByRole('button', { name: /sign in with single sign-on/i }).click();
  await page.getByRole('button', { name: /allow|authori[sz]e/i }).click();
  await expect(dialog.getByRole('group', { name: 'teams.csv' })).toBeVisible();
  await expect(page.locator('#group-enroll')).toBeEnabled();
  expect(await importsOf(campus)).toBe(before + 1);
  await confirm();
  await expect(run.getByRole('button', { name: 'Done' })).toBeVisible();
  expect((await groupsOf(campus, category.id)).map((group) => group.members_count)).toEqual([2]);
});

test('GRP-01 OP-14 OP-53 an administrator of one programme works in its courses, and sees no others', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('elena.marsh', GROUPS_PATH);
  await page.getByRole('combobox', { name: 'Programme', exact: true }).click();
  const options = page.getByRole('listbox', { name: 'Programme', exact: true }).getByRole('option');
  await expect(options).toHaveCount(1);
  const name = (await options.first().innerText()).trim();
  await options.first().click();
  expect(name).not.toBe('MBA');
  const course = await bareCourse(campus, 0);
  const asked = await page.request.post('/api/auth/invoke', {
    data: { url: `courses/${course.id}/group_categories?per_page=100`, type: 'GET' },
    headers: { origin: campus.url },
  });
  expect(asked.status()).toBe(404);
});

test('GRP-27 faulty cells in a file are corrected in place, each problem once; removals are clearly marked', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 3);
  const category = await categoryWithGroups(campus, course, 'Corrected', ['M01', 'M02']);
  const [one] = await groupsOf(campus, category.id);
  const [ann, bob, cem] = await studentsOf(campus, course.id);
  if (!one || !ann || !bob || !cem) throw new Error('no groups, or nobody to put into them');
  await putInto(campus, one.id, cem.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  const wrong = [ann, bob].map((person) => `M-TYPO,${person.sis_user_id},accepted`);
  const rows = [
    ...wrong,
    `${one.sis_group_id},NOBODY-9,accepted`,
    `${one.sis_group_id},${cem.sis_user_id},deleted`,
  ];
  await chooseFile(dialog, 'corrected.csv', [CSV_HEADER, ...rows].join('\n'));
  await tick(dialog, 'Simulate Selected Csv');
  const corrections = dialog.getByRole('region', { name: '2 problems can be corrected here' });
  await expect(corrections).toContainText('2 rows, starting with row 2', { timeout: 30_000 });
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBe(0);
    await axe();
  });
  await corrections
    .getByRole('textbox', { name: 'group_id (currently M-TYPO)' })
    .fill(one.sis_group_id ?? '');
  await corrections.getByRole('button', { name: 'Use this value in all 2 rows' }).click();
  const left = dialog.getByRole('region', { name: '1 problem can be corrected here' });
  await left.getByRole('button', { name: 'Skip the row' }).click();
  const enroll = page.locator('#group-enroll');
  await expect(enroll).toHaveAccessibleDescription('Removes 1 person from their group', { timeout: 30_000 });
  await expect(left).toHaveCount(0);
  await enroll.click();
  await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('link', { name: 'Undo this import' })).toBeVisible({ timeout: 60_000 });
  expect(new Set(await membersOf(campus, one.id))).toEqual(new Set([ann.sis_user_id, bob.sis_user_id]));
});
