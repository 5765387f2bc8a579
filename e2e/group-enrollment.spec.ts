/**
 * Group Enrollment, the whole job by hand: a category, its groups, adding people, removing and moving them
 * (requirements GRP).
 */
import {
  chooseMany,
  chooseProgramme,
  coursesOf,
  importsOf,
  next,
  step,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  categoriesOf,
  chooseFile,
  confirmation,
  courseBox,
  findCourse,
  GROUPS_PATH,
  groupsOf,
  membersOf,
  openCourse,
  openPanel,
  rowOf,
  studentsOf,
  tick,
  typeRanges,
} from './support/group-enrollment.ts';
import { tabTo } from './support/keyboard.ts';

test.use({ campusKind: 'slow' });

test('GRP-01 GRP-07 GRP-08 GRP-09 GRP-13 GRP-14 GRP-15 GRP-16 GRP-17 GRP-21 GRP-22 GRP-23 GRP-25 GRP-27 GRP-29 GRP-30 IMP-03 IMP-10 OP-107 category, groups and people are created from nothing, up to the LMS', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  const [one, two, three] = (await studentsOf(campus, course.id)).map((person) => person.sis_user_id ?? '');
  const before = await importsOf(campus);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await expect(dialog).toContainText(`SIS: ${sis} - Term: MBA 2026-27 P1`);
  await expect(dialog.getByRole('tab', { name: 'Create Groups' })).toHaveAttribute('aria-selected', 'true');
  await expect(dialog).toContainText('This course has no group category yet');
  await axe();

  const name = dialog.getByRole('textbox', { name: 'Name of the category' });
  await name.fill(' Case Study Teams ');
  await expect(dialog).toContainText(`Its SIS ID will be ${sis}_Case_Study Teams`);
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Group Created' })).toBeVisible();
  const [category] = await categoriesOf(campus, course.id);
  expect(category).toMatchObject({
    name: 'Case Study Teams',
    sis_group_category_id: `${sis}_Case_Study Teams`,
  });
  const list = dialog.getByRole('table', { name: 'Group categories' });
  await expect.poll(() => rowOf(list, 'Case Study Teams')).toMatchObject({ Groups: '0', Memberships: '0' });

  // The new category is selected for creating groups.
  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await expect(
    dialog.getByRole('combobox', { name: 'Group category' }).locator('option:checked'),
  ).toContainText('Case Study Teams');
  const create = dialog.getByRole('button', { name: 'Create Groups', exact: true });
  await expect(create).toHaveAccessibleDescription(/Enter a prefix/);
  await typeRanges(dialog, [['Team', '1', '3']]);
  await expect(create).toHaveAccessibleDescription(/Select “Simulate Groups”/);
  await tick(dialog, 'Simulate Groups');
  const groups = dialog.getByRole('table', { name: 'Simulated groups' });
  await expect(create).toBeEnabled();
  // The documented columns in order, then the additional ones.
  const heads = ['SIS ID', 'Group SIS ID', 'Group Name', 'Status', 'Outcome'];
  await expect(groups.getByRole('columnheader')).toHaveText(heads);
  await expect
    .poll(() => rowOf(groups, 'Team-G02'))
    .toEqual({
      Outcome: 'New',
      'Group Name': 'Team-G02',
      'Group SIS ID': `${sis}_Team-G02`,
      'SIS ID': sis,
      Status: 'available',
    });
  await axe();
  await create.click();
  const ask = confirmation(page, 'Create Groups');
  await expect(ask).toContainText(
    'Before click on the confirm button, please check the simulation table to verify Groups.',
  );
  await expect(ask).toContainText('This creates 3 groups in Case Study Teams.');
  await axe();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(create).toBeFocused();
  expect(await importsOf(campus)).toBe(before);
  await create.click();
  // The first poll sees the import just after the LMS has accepted it.
  let looks = 0;
  await page.route('**/api/auth/invoke', async (route) => {
    if (!route.request().postData()?.includes('sis_imports/') || looks++ > 0) return route.continue();
    const response = await route.fetch();
    const answer = (await response.json()) as { data: object };
    const data = { ...answer.data, workflow_state: 'created', final: false, verdict: null };
    return route.fulfill({ response, json: { ...answer, data } });
  });
  await ask.getByRole('button', { name: 'Confirm' }).click();
  const run = dialog.getByRole('region', { name: 'Creating the groups' });
  await expect(run.getByText('The request has been created', { exact: true })).toBeVisible();
  await expect(run.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '20');
  await expect(run).toContainText('The import is complete and all records were successfully imported.');
  await axe();
  await run.getByRole('button', { name: 'Done' }).click();
  expect(await importsOf(campus)).toBe(before + 1);
  const made = await groupsOf(campus, category?.id ?? 0);
  expect(made.map((group) => [group.name, group.sis_group_id])).toEqual(
    ['01', '02', '03'].map((number) => [`Team-G${number}`, `${sis}_Team-G${number}`]),
  );
  await expect.poll(() => rowOf(list, 'Case Study Teams')).toMatchObject({ Groups: '3', Memberships: '0' });

  // People from a file.
  await openPanel(dialog, 'Enroll Users');
  const enroll = dialog
    .getByRole('button', { name: 'Enroll Users', exact: true })
    .and(page.locator('#group-enroll'));
  await expect(enroll).toBeDisabled();
  await expect(enroll).toHaveAccessibleDescription('Please select a file to enable enroll button');
  const row = (group: string, person: string | undefined, status = 'accepted') =>
    `${sis}_Team-${group},${person},${status}`;
  await chooseFile(
    dialog,
    'teams.csv',
    [CSV_HEADER, row('G01', one), row('G01', two), row('G02', three)].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog).toContainText('This adds 3 memberships.');
  await axe();
  await enroll.click();
  const people = confirmation(page, 'Enroll Users to groups');
  await expect(people).toContainText(
    'Before click on the confirm button, please check the simulation csv to verify Groups and users.',
  );
  await expect(people).toContainText('This adds 3 memberships.');
  await people.getByRole('button', { name: 'Confirm' }).click();
  const enrolling = dialog.getByRole('region', { name: 'Adding people to groups' });
  await expect(enrolling.getByRole('button', { name: 'Done' })).toBeVisible();
  await expect.poll(() => rowOf(list, 'Case Study Teams')).toMatchObject({ Groups: '3', Memberships: '3' });
  await enrolling.getByRole('button', { name: 'Done' }).click();
  const [first, second] = made;
  expect(new Set(await membersOf(campus, first?.id ?? 0))).toEqual(new Set([one, two]));
  expect(await membersOf(campus, second?.id ?? 0)).toEqual([three]);

  // One person moves, one stays, one is removed, and one is not found.
  await dialog.getByRole('button', { name: 'Remove teams.csv' }).click();
  await chooseFile(
    dialog,
    'changes.csv',
    [
      CSV_HEADER,
      row('G02', one),
      row('G01', two),
      row('G02', three, 'deleted'),
      row('G02', 'PS-NOBODY'),
    ].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  const rows = dialog.getByRole('table', { name: 'Simulated rows' });
  await expect(rows).toBeVisible();
  // Rows that need attention are above the rest.
  await expect(rows.getByRole('row').filter({ hasText: sis })).toContainText([
    /Not possible/,
    /To remove/,
    /To move from Team-G01/,
    /Already there/,
  ]);
  await expect(dialog).toContainText('This moves 1 person to another group and removes 1 membership.');
  await expect(dialog).toContainText('1 row cannot be applied and will be skipped');
  const touched = dialog.getByRole('table', { name: 'Group sizes after this change' });
  await expect
    .poll(() => rowOf(touched, 'Team-G01'))
    .toMatchObject({ 'People now': '2', 'After this change': '1' });
  await enroll.click();
  await people.getByRole('button', { name: 'Confirm' }).click();
  await enrolling.getByRole('button', { name: 'Done' }).click();
  expect(await membersOf(campus, first?.id ?? 0)).toEqual([two]);
  expect(await membersOf(campus, second?.id ?? 0)).toEqual([one]);
  expect(await importsOf(campus)).toBe(before + 3);
});

test('GRP-02 GRP-05 GRP-07 GRP-31 GRP-33 SHELL-32 OP-22 OP-74 OP-75 only one course can be open at a time, and the second step stays empty', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  await signIn('alma.reyes', GROUPS_PATH);
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveText([
    /Programme and Term/,
    /Review and Process/,
  ]);
  await expect(page.getByRole('link', { name: 'Guide' })).toHaveCount(0);
  await findCourse(page, course);
  const box = courseBox(page, course);
  await expect(page.getByRole('checkbox', { name: 'Select all' })).toHaveCount(0);
  await box.press('Space');
  const dialog = page.getByRole('dialog', { name: course.name, exact: true });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(box).toBeFocused();
  await expect(box).not.toBeChecked();
  await box.press('ControlOrMeta+a');
  await expect(dialog).toBeHidden();
  await box.press('Space');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  const table = page.getByRole('table', { name: 'Summary of the changes' });
  await expect(table.getByRole('columnheader')).toHaveText([
    /Course Name/,
    'Section',
    'Role',
    'Action Type',
    'Enroll Count',
    'User List',
  ]);
  await expect(page.getByRole('main')).toContainText('You cannot submit anything here');
  await expect(page.getByRole('button', { name: 'Submit Data to LMS' })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveCount(0);
  await axe();
  await page.getByRole('button', { name: 'Back to the courses' }).click();
  await expect(step(page)).toHaveText('Programme and Term');
});

test('GRP-07 GRP-12 GRP-17 the keyboard alone creates a category and its groups, and focus is never lost', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 1);
  await signIn('alma.reyes', GROUPS_PATH);
  await findCourse(page, course);
  await courseBox(page, course).press('Space');
  const dialog = page.getByRole('dialog', { name: course.name, exact: true });
  const name = dialog.getByRole('textbox', { name: 'Name of the category' });
  await expect(dialog).toContainText('This course has no group category yet');
  await tabTo(page, name);
  await page.keyboard.type('Pairs');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status').filter({ hasText: 'Group Created' })).toBeVisible();
  await expect(name).toBeFocused();
  await tabTo(page, dialog.getByRole('textbox', { name: 'Group Prefix' }));
  await page.keyboard.type('Pair');
  await page.keyboard.press('Tab');
  await page.keyboard.type('01');
  await tabTo(page, dialog.getByRole('checkbox', { name: 'Simulate Groups' }));
  await page.keyboard.press('Space');
  const create = dialog.getByRole('button', { name: 'Create Groups', exact: true });
  await expect(create).toBeEnabled();
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  const ask = confirmation(page, 'Create Groups');
  await expect(ask.getByRole('button', { name: 'Confirm' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(create).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ask.getByRole('button', { name: 'Confirm' })).toBeFocused();
  await page.keyboard.press('Enter');
  const panel = dialog.getByRole('button', { name: 'Create Groups (G01,G02 etc)' });
  await expect(panel).toBeFocused();
  const done = dialog.getByRole('button', { name: 'Done' });
  await expect(done).toBeVisible();
  await tabTo(page, done);
  await page.keyboard.press('Enter');
  await expect(panel).toBeFocused();
  const [category] = await categoriesOf(campus, course.id);
  expect((await groupsOf(campus, category?.id ?? 0)).map((group) => group.name)).toEqual(['Pair-G01']);
  // Escape closes the dialog, and the focus returns to the course.
  await page.keyboard.press('Escape');
  await expect(courseBox(page, course)).toBeFocused();
});

test('GRP-03 GRP-04 GRP-05 GRP-06 the course picker has its lists, columns, pages and empty message', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 0);
  await signIn('alma.reyes', GROUPS_PATH);
  await expect(page.getByRole('main')).toContainText('Please select programme and correct term.');
  await expect(page.getByRole('combobox', { name: 'Disabled, No Sub Accounts' })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: 'Disabled, Select Programme' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Programme', exact: true }).click();
  const options = page.getByRole('listbox', { name: 'Programme', exact: true }).getByRole('option');
  await expect(options).not.toHaveCount(0);
  const names = await options.allInnerTexts();
  const letters = names.map((name) => name.trim().charAt(0).toUpperCase());
  expect(letters).toEqual([...letters].sort());
  await page.keyboard.press('Escape');
  await findCourse(page, course);
  await expect(page.getByRole('combobox', { name: 'Sub Account (Programme)' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Terms', exact: true })).toBeEnabled();
  const table = page.getByRole('table', { name: 'Courses' });
  await expect(table.getByRole('columnheader')).toHaveText([/Course ID/, /Term/, /Campus/, /Course Name/]);
  await expect(
    table.getByRole('link', { name: `${course.sis_course_id}, opens in the LMS` }),
  ).toHaveAttribute('target', '_blank');
  await expect(page.getByRole('combobox', { name: 'Rows per page' }).locator('option')).toHaveText([
    '25',
    '50',
    '100',
  ]);
});

test('GRP-05 PICK-08 OP-108 courses without an SIS ID are not listed, with the reason', async ({
  page,
  campus,
  signIn,
}) => {
  const { id, name } = await termLike(campus, 'MBA 2026-27 P1');
  const answer = await fetch(`${campus.lms}/api/v1/accounts/86/courses`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' },
    body: JSON.stringify({ course: { name: 'By hand', course_code: 'HAND', term_id: id }, offer: true }),
  });
  expect(answer.status).toBe(200);
  const bare = (await coursesOf(campus, 86, id)).filter((one) => one.sis_course_id === null).length;
  expect(bare).toBeGreaterThan(0);
  await signIn('alma.reyes', GROUPS_PATH);
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', [name]);
  await expect(page.getByRole('main')).toContainText(
    `${bare} ${bare === 1 ? 'course' : 'courses'} in the chosen terms ${bare === 1 ? 'is' : 'are'} not listed.`,
  );
});
