/**
 * The Group Enrollment dialog: wrong input, stored entries, failures of the LMS (requirements GRP and ERR).
 */
import { fault, importsOf } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  categoriesOf,
  categoryWithGroups,
  chooseFile,
  confirmation,
  courseBox,
  dialogOf,
  GROUPS_PATH,
  groupsOf,
  makeCategory,
  membersOf,
  openCourse,
  openPanel,
  removeCategory,
  removeGroup,
  rowOf,
  studentsOf,
  tick,
  typeRanges,
} from './support/group-enrollment.ts';
import { duplicateOf } from './support/tabs.ts';

test('GRP-10 GRP-11 GRP-12 OP-76 OP-108 names in use are rejected; a category without an SIS ID is given one', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  await makeCategory(campus, course.id, 'Case Teams');
  await makeCategory(campus, course.id, 'Sprints', `${sis}_A_B`);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  const list = dialog.getByRole('table', { name: 'Group categories' });
  await expect(list).toContainText('Case Teams');
  const name = dialog.getByRole('textbox', { name: 'Name of the category' });
  const create = dialog.getByRole('button', { name: 'Create', exact: true });
  await expect(create).toBeDisabled();
  await name.fill('   ');
  await expect(create).toBeDisabled();
  for (const taken of [' case teams ', 'A B']) {
    await name.fill(taken);
    await create.click();
    await expect(name).toHaveAccessibleDescription(/Group name already existing\./);
    await expect(name).toBeFocused();
    await expect(create).toBeDisabled();
  }
  await axe();
  // A name changed by a spreadsheet is reported at its field, and not sent.
  await name.fill('#N/A');
  await expect(name).toHaveAccessibleDescription(
    '“#N/A” is an error value of a spreadsheet. Enter the name itself.',
  );
  await create.click();
  await expect(name).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await name.fill('A B C');
  await expect(create).toBeEnabled();
  expect(await categoriesOf(campus, course.id)).toHaveLength(2);

  // Another person was faster: the server checks again.
  await makeCategory(campus, course.id, 'a b c');
  await name.press('Enter');
  await expect(name).toHaveAccessibleDescription(/Group name already existing\./);
  expect(await categoriesOf(campus, course.id)).toHaveLength(3);

  // A category deleted by another person does not count, although the list still shows it.
  const gone = (await categoriesOf(campus, course.id)).find((one) => one.name === 'a b c');
  await expect(list).toContainText('a b c');
  await removeCategory(campus, gone?.id ?? 0);
  await name.fill('');
  await name.fill('A B C');
  await create.click();
  await expect.poll(() => rowOf(list, 'A B C')).toMatchObject({ 'SIS ID': `${sis}_A_B C` });
  await expect(list).not.toContainText('a b c');

  await list.getByRole('button', { name: 'Add an SIS ID to Case Teams' }).click();
  await expect.poll(() => rowOf(list, 'Case Teams')).toMatchObject({ 'SIS ID': `${sis}_Case_Teams` });
  expect(await categoriesOf(campus, course.id)).toContainEqual(
    expect.objectContaining({ name: 'Case Teams', sis_group_category_id: `${sis}_Case_Teams` }),
  );
  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await expect(dialog.getByRole('combobox', { name: 'Group category' }).locator('option')).toHaveText([
    'Choose a group category',
    'Case Teams (no groups)',
    'Sprints (no groups)',
    'A B C (no groups)',
  ]);
});

test('OP-108 a double click gives one category an SIS ID and no others, wherever the list moves', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 1);
  const sis = course.sis_course_id ?? '';
  const names = Array.from({ length: 14 }, (_, at) => `Team ${String.fromCharCode(65 + at)}`);
  for (const name of names) await makeCategory(campus, course.id, name);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  const list = dialog.getByRole('table', { name: 'Group categories' });
  const named = async () =>
    (await categoriesOf(campus, course.id)).flatMap((one) => one.sis_group_category_id ?? []).sort();

  const given: string[] = [];
  for (const name of ['Team A', 'Team H', 'Team N', 'Team B']) {
    const give = list.getByRole('button', { name: `Add an SIS ID to ${name}` });
    await give.scrollIntoViewIfNeeded();
    await give.dblclick();
    given.push(`${sis}_${name.replace(' ', '_')}`);
    await expect.poll(() => rowOf(list, name)).toMatchObject({ 'SIS ID': given.at(-1) });
    expect(await named()).toEqual(given.toSorted());
  }

  // A rejection that arrives late does not move any row either.
  const refusing = await fault(campus, { match: '/api/v1/group_categories/*', kind: 'status', status: 500 });
  const next = list.getByRole('button', { name: 'Add an SIS ID to Team C' });
  const other = list.getByRole('button', { name: 'Add an SIS ID to Team F' });
  await next.scrollIntoViewIfNeeded();
  await next.hover();
  const before = await other.boundingBox();
  await next.dblclick();
  await expect(dialog.getByRole('alert')).toContainText('The SIS ID of Team C could not be set.');
  await expect(dialog.getByRole('alert')).toBeInViewport();
  await refusing();
  expect(await other.boundingBox()).toEqual(before);
  expect(await named()).toEqual(given.toSorted());
});

test('GRP-19 a double click on Remove removes one group row', async ({ page, campus, signIn }) => {
  const course = await bareCourse(campus, 0);
  await makeCategory(campus, course.id, 'Rows', `${course.sis_course_id}_Rows`);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await typeRanges(dialog, [
    ['A', '01', '02'],
    ['B', '01', '02'],
    ['C', '01', '02'],
    ['D', '01', '02'],
  ]);
  await dialog.getByRole('button', { name: /^Remove.*1$/ }).dblclick();
  const prefixes = dialog.getByRole('textbox', { name: 'Group Prefix' });
  await expect(prefixes).toHaveCount(3);
  await expect(prefixes.first()).toHaveValue('B');
});

test('GRP-12 ERR-03 after a lost answer the list is read again and shows the result; a list that fails can be read again', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  await signIn('alma.reyes', GROUPS_PATH);
  const corrected = await fault(campus, {
    match: `/api/v1/courses/${course.id}/group_categories`,
    kind: 'status',
    status: 500,
  });
  const dialog = await openCourse(page, course);
  const failed = dialog.getByRole('alert').filter({ hasText: 'The group categories could not be loaded.' });
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await axe();
  await corrected();
  const slow = await fault(campus, {
    match: `/api/v1/courses/${course.id}/group_categories*`,
    kind: 'latency',
    ms: 3_000,
  });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('region', { name: 'Group categories' })).toHaveAttribute('aria-busy', 'true');
  await slow();
  await expect(dialog).toContainText('This course has no group category yet');

  // The answer is lost after the category was created.
  let lose = true;
  await page.route('**/api/auth/invoke', async (route) => {
    const made = route.request().postDataJSON() as { type: string };
    if (!lose || made.type !== 'POST') return route.continue();
    lose = false;
    await route.fetch();
    return route.abort();
  });
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Pairs');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Group Created' })).toBeVisible();
  expect(await categoriesOf(campus, course.id)).toHaveLength(1);

  // The request is lost before it reaches the server: the list shows this as well.
  lose = true;
  await page.unroute('**/api/auth/invoke');
  await page.route('**/api/auth/invoke', async (route) => {
    const made = route.request().postDataJSON() as { type: string };
    return made.type === 'POST' ? route.abort() : route.continue();
  });
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Trios');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog).toContainText('The category was not created.');
  await page.unroute('**/api/auth/invoke');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Group Created' })).toBeVisible();
  expect((await categoriesOf(campus, course.id)).map((one) => one.name)).toEqual(['Pairs', 'Trios']);
});

test('GRP-15 GRP-18 GRP-19 GRP-20 OP-77 OP-78 some group rows count and some are rejected; failures are reported', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  await categoryWithGroups(campus, course, 'Old', ['Team-G01']);
  const other = await makeCategory(campus, course.id, 'New', `${sis}_New`);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  const create = dialog.getByRole('button', { name: 'Create Groups', exact: true });
  await expect(create).toHaveAccessibleDescription('Choose a group category first.');
  await dialog.getByRole('combobox', { name: 'Group category' }).selectOption({ label: 'New (no groups)' });
  const row = dialog.getByRole('group', { name: 'Groups, row 1' });
  await expect(row.getByRole('combobox', { name: 'Group Start' }).locator('option')).toHaveCount(50);
  await expect(row.getByRole('combobox', { name: 'Group end' }).locator('option').nth(7)).toHaveText('07');
  await expect(dialog.getByRole('button', { name: 'Remove row 1' })).toHaveCount(0);
  await typeRanges(dialog, [['Team', '5', '2']]);
  await expect(row).toContainText('The start is greater than the end, so this row creates no groups.');
  await expect(create).toBeDisabled();
  await typeRanges(dialog, [
    ['Team', '1', '2'],
    ['Team', '2', '3'],
  ]);
  await tick(dialog, 'Simulate Groups');
  const table = dialog.getByRole('table', { name: 'Simulated groups' });
  // Equal names count once; an id that belongs to another category's group is rejected, with the reason.
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(dialog).toContainText('This creates 2 groups in New.');
  const refused = table.getByRole('row').filter({ hasText: 'Team-G01' });
  await expect(refused).toContainText('Not possible');
  await expect(refused).toContainText('Old');
  await axe();
  await dialog.getByRole('button', { name: 'Remove row 2' }).click();
  await expect(row.getByRole('textbox', { name: 'Group Prefix' })).toBeFocused();
  await expect(table.getByRole('row')).toHaveCount(3);

  // The LMS fails in the middle: the failure is shown, and nothing is lost.
  const corrected = await fault(campus, { match: '/api/v1/**', kind: 'status', status: 503 });
  await row.getByRole('combobox', { name: 'Group end' }).selectOption('3');
  await corrected();
  await expect(create).toBeEnabled({ timeout: 90_000 });
  await create.click();
  // Clicked twice: created once, and the end is visible.
  await confirmation(page, 'Create Groups').getByRole('button', { name: 'Confirm' }).dblclick();
  await dialog
    .getByRole('region', { name: 'Creating the groups' })
    .getByRole('button', { name: 'Done' })
    .click();
  expect((await groupsOf(campus, other.id)).map((group) => group.name)).toEqual(['Team-G02', 'Team-G03']);

  // A second simulation has nothing to do, and the dialog says so.
  await tick(dialog, 'Simulate Groups');
  await expect(dialog).toContainText('2 groups already exist');
  await expect(create).toHaveAccessibleDescription(/Nothing can be sent\. The table gives the reasons/);
  // Another person deletes one of them in the LMS: Refresh also updates the simulation.
  const [gone] = await groupsOf(campus, other.id);
  await removeGroup(campus, gone?.id ?? 0);
  await dialog.getByRole('button', { name: 'Refresh' }).click();
  await expect(dialog).toContainText('This creates 1 group in New.');
});

test('GRP-26 GRP-28 GRP-29 OP-79 wrong files are recognised immediately; the sample is the same as the template', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  await dialog.getByRole('checkbox', { name: 'View Sample CSV file Format' }).check();
  const sample = dialog.getByRole('table', { name: 'Format of the file' });
  await expect(sample.getByRole('columnheader')).toHaveText(['group_id', 'user_id', 'status']);
  const sampleId = sample.getByRole('cell', { name: 'SAMPLE-COURSE-101_Team-G01' });
  expect(await sampleId.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Group Enrollment Csv' }).click(),
  ]);
  expect(new URL(download.url()).pathname).toBe('/csv-templates/Group-User-Enrollment-Template.csv');
  expect(download.suggestedFilename()).toBe('Group-User-Enrollment-Template.csv');

  for (const [name, text, why] of [
    ['teams.txt', CSV_HEADER, 'Only .csv files are accepted here.'],
    ['teams.xlsx', 'PK', 'This is a spreadsheet, not a CSV file.'],
    ['teams.csv', '', 'The file is empty.'],
    ['teams.csv', 'x'.repeat(4_000_001), 'The file is too large'],
    ['teams.csv', 'course_id,user_id,role_id,section_id,status\nA,1,3,,active', 'is not the header'],
  ] as const) {
    await chooseFile(dialog, name, text);
    await expect(dialog.getByText(why).first()).toBeVisible();
    const unusable = why === 'is not the header';
    await expect(page.locator('#group-enroll')).toHaveAccessibleDescription(
      `Please select a file to enable enroll button${unusable ? ' This file cannot be used. Select another one.' : ''}`,
    );
  }
  // Only the server finds that there are no rows: a retry would not help.
  await chooseFile(dialog, 'teams.csv', CSV_HEADER);
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog.getByText('The file has no rows below its header.')).toBeVisible();
  await expect(page.locator('#group-enroll')).toHaveAccessibleDescription(
    'The message above says what to do first.',
  );
  await axe();

  // A file as Excel writes it, with every kind of row that cannot be sent.
  const [person] = await studentsOf(campus, course.id);
  await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02']);
  const id = person?.sis_user_id;
  const lines = [
    'group_id;user_id;status',
    `${sis}_Team-G01;${id};accepted`,
    `${sis}_Team-G02;${id};accepted`,
    `${sis}_Nowhere;${id};accepted`,
    `${sis}_Team-G01;PS-NOBODY;accepted`,
    `${sis}_Team-G01;${id};perhaps`,
  ];
  await chooseFile(dialog, 'grün.csv', Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
  await expect(dialog.getByRole('group', { name: 'grün.csv' })).toContainText('The header is recognised.');
  await tick(dialog, 'Simulate Selected Csv');
  const rows = dialog.getByRole('table', { name: 'Simulated rows' });
  await expect(dialog).toContainText('This adds 1 membership.');
  await expect(dialog).toContainText('4 rows cannot be applied and will be skipped');
  await rows.getByRole('combobox', { name: 'Filter Outcome' }).selectOption('To add');
  await expect(rows.getByRole('row').filter({ hasText: sis })).toHaveCount(1);
  await expect(rows.getByRole('row').filter({ hasText: sis })).toContainText(person?.name ?? '');
  await axe();
});

test('GRP-27 SHELL-25 OP-41 entries are kept when the dialog is closed and opened again, after a reload, and when the tab is selected', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 0);
  const sis = course.sis_course_id ?? '';
  const category = await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02']);
  const [one, two] = await studentsOf(campus, course.id);
  await signIn('alma.reyes', GROUPS_PATH);
  let dialog = await openCourse(page, course);
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Half typed');
  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await typeRanges(dialog, [['Lab', '3', '4']]);
  await openPanel(dialog, 'Enroll Users');
  await chooseFile(
    dialog,
    'teams.csv',
    [
      CSV_HEADER,
      `${sis}_Team-G01,${one?.sis_user_id},accepted`,
      `${sis}_Team-G02,${two?.sis_user_id},accepted`,
    ].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog).toContainText('This adds 2 memberships.');
  await page.reload();
  const stays = async () => {
    await expect(dialog.getByRole('textbox', { name: 'Name of the category' })).toHaveValue('Half typed');
    await expect(dialog.getByRole('textbox', { name: 'Group Prefix' })).toHaveValue('Lab');
    await expect(dialog.getByRole('group', { name: 'teams.csv' })).toBeVisible();
    await expect(dialog).toContainText('This adds 2 memberships.');
  };
  dialog = dialogOf(page, course);
  await stays();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page
    .getByRole('navigation', { name: 'Tools' })
    .getByRole('link', { name: 'Group Enrollment' })
    .click();
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toHaveValue('');
  await openCourse(page, course);
  await stays();

  // Two tabs: the second one finds the first one's import, and sends nothing.
  const before = await importsOf(campus);
  const twin = await duplicateOf(page);
  await twin.goto(GROUPS_PATH);
  const other = dialogOf(twin, course);
  const enroll = (at: typeof page) => at.locator('#group-enroll');
  await expect(enroll(twin)).toBeEnabled();
  await enroll(page).click();
  await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
  await enroll(twin).click();
  await confirmation(twin, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
  for (const at of [dialog, other]) {
    const run = at.getByRole('region', { name: 'Adding people to groups' });
    await expect(run).toContainText('The import is complete and all records were successfully imported.');
  }
  expect(await importsOf(campus)).toBe(before + 1);
  await twin.close();

  // The import is found again after a reload, until 'Done' dismisses it.
  await page.reload();
  await expect(dialog.getByRole('region', { name: 'Adding people to groups' })).toContainText(
    'Imported Items',
  );
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(enroll(page)).toBeVisible();
  const [first] = await groupsOf(campus, category.id);
  expect(await membersOf(campus, first?.id ?? 0)).toEqual([one?.sis_user_id]);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(courseBox(page, course)).not.toBeChecked();
});
