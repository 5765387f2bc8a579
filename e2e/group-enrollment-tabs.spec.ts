/**
 * Group Enrollment in several tabs: an import is shown wherever its course is opened; and the texts about
 * pasted rows are correct.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  categoryWithGroups,
  confirmation,
  courseBox,
  GROUPS_PATH,
  groupByHand,
  groupsOf,
  inactivate,
  openCourse,
  openPanel,
  putInto,
  rowOf,
  studentsOf,
  tick,
} from './support/group-enrollment.ts';
import { screenIsThere } from './support/sign-in.ts';

// Imports are slow here, so that another tab can show them.
test.use({ campusKind: 'slow' });

const run = (dialog: Locator) => dialog.getByRole('region', { name: 'Adding people to groups' });
const imports = (dialog: Locator) => dialog.getByRole('region', { name: 'Your imports into this course' });

async function paste(dialog: Locator, lines: readonly string[], category?: string): Promise<void> {
  await openPanel(dialog, 'Enroll Users');
  await dialog.getByRole('radio', { name: 'Paste from a spreadsheet' }).check();
  if (category !== undefined)
    await dialog.getByRole('combobox', { name: 'Look for group names in' }).selectOption({ label: category });
  await dialog.getByRole('textbox', { name: 'People and groups' }).fill(lines.join('\n'));
  await tick(dialog, 'Simulate the pasted rows');
  await expect(dialog.getByRole('table', { name: 'Simulated rows' })).toBeVisible();
}

async function send(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Enroll Users', exact: true }).last().click();
  await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
}

test('GRP-30 GRP-32 an import is shown when its course is opened in another tab, until it is dismissed', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 0, 9);
  await categoryWithGroups(campus, course, 'Teams', ['Team-G01']);
  const students = await studentsOf(campus, course.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const first = await openCourse(page, course);
  await paste(
    first,
    students.map((one) => `${one.sis_user_id}\tTeam-G01`),
  );
  await send(page, first);
  await expect(run(first)).toContainText(/The request|Processing/);
  // The tab that sent it does not show it twice.
  await expect(imports(first)).toBeHidden();
  await page.close();

  const open = async () => {
    const another = await context.newPage();
    await another.goto(GROUPS_PATH);
    await screenIsThere(another);
    return { another, dialog: await openCourse(another, course) };
  };
  const { another, dialog } = await open();
  await expect(imports(dialog)).toContainText(/Your import from .+ (is|has ended)/);
  await expect(imports(dialog)).toContainText(course.name);
  await axe(another);
  await imports(dialog).getByRole('button', { name: 'Show the import' }).click();
  await expect(imports(dialog)).toBeHidden();
  const done = run(dialog).getByRole('button', { name: 'Done' });
  await expect(done).toBeVisible({ timeout: 60_000 });
  await expect(run(dialog)).toContainText('all records were successfully imported');

  // The end of the import counts as seen only once the import is dismissed.
  await another.close();
  const { another: third, dialog: again } = await open();
  await expect(imports(again)).toContainText(/has ended: done/);
  await imports(again).getByRole('button', { name: 'Show the import' }).click();
  const seen = third.waitForResponse((one) => /\/api\/jobs\/[0-9a-f-]{36}$/.test(one.url()));
  await run(again).getByRole('button', { name: 'Done' }).click();
  await seen;
  await expect(imports(again)).toBeHidden();
  await again.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(again).toBeHidden();
  const listed = third.waitForResponse((one) => one.url().endsWith(`/groups/courses/${course.id}/imports`));
  await courseBox(third, course).click();
  await (await listed).finished();
  await expect(again.getByRole('tab')).toBeVisible();
  await expect(imports(again)).toBeHidden();
});

test('GRP-32 IMP-13 if the same people are confirmed in two tabs, the second one says that nothing had to be sent', async ({
  page,
  context,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 0);
  const category = await categoryWithGroups(campus, course, 'Teams', ['Team-G01']);
  const [one, two] = await studentsOf(campus, course.id);
  const lines = [`${one?.sis_user_id}\tTeam-G01`, `${two?.sis_user_id}\tTeam-G01`];
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await paste(dialog, lines);
  const second = await context.newPage();
  await second.goto(GROUPS_PATH);
  await screenIsThere(second);
  const other = await openCourse(second, course);
  await paste(other, lines);
  await send(page, dialog);
  await expect(run(dialog).getByRole('button', { name: 'Done' })).toBeVisible({ timeout: 60_000 });
  await send(second, other);
  await expect(run(other).getByRole('button', { name: 'Done' })).toBeVisible({ timeout: 60_000 });
  await expect(run(other)).toContainText('There was nothing to send');
  await expect(run(other)).not.toContainText('successfully imported');
  // The first import was the same person's, from the other tab.
  await expect(run(other)).not.toContainText('others');
  expect((await groupsOf(campus, category.id)).map((group) => group.members_count)).toEqual([2]);
});

test("GRP-27 OP-79 in pasted rows, names mean groups of the selected category, and 'not found' is shown only after a search", async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 0);
  const teams = await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02']);
  await categoryWithGroups(campus, course, 'Extra', ['Extra-G01']);
  await groupByHand(campus, teams.id, 'Hand');
  const [one] = await studentsOf(campus, course.id);
  if (!one) throw new Error('nobody');
  const [team] = await groupsOf(campus, teams.id);
  await putInto(campus, team?.id ?? 0, one.id);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  const rows = dialog.getByRole('table', { name: 'Simulated rows' });
  await paste(dialog, [`${one.sis_user_id}\tTeam-G02`, `${one.name}\tExtra-G01`], 'Extra (1 group)');
  const other = await rowOf(rows, 'Team-G02');
  expect(other.Group).toBe('not found');
  expect(other.Note).toContain('"Extra" has no group "Team-G02", but there is one in "Teams"');
  const named = await rowOf(rows, 'LMS Admin does not look up names');
  expect(named.Note).toContain(one.name);
  expect(named.Note).not.toContain('No person in the LMS');
  await expect(dialog.getByRole('button', { name: 'Enroll Users', exact: true }).last()).toBeDisabled();
  await paste(dialog, [`${one.sis_user_id}\tHand`], 'Teams (3 groups)');
  await expect(rows.getByRole('row').filter({ hasText: 'has no SIS ID' })).toBeVisible();
  expect((await rowOf(rows, 'has no SIS ID')).Group).toBe('Hand');
});

test('GRP-27 people whose enrolment is inactive are counted and noted before they are added', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 2);
  await categoryWithGroups(campus, course, 'Ended', ['E01']);
  const [one, two] = await studentsOf(campus, course.id);
  if (!one || !two) throw new Error('nobody to put into a group');
  const restore = await inactivate(campus, course.id, two.id);
  try {
    await signIn('alma.reyes', GROUPS_PATH);
    const dialog = await openCourse(page, course);
    await paste(dialog, [`${one.sis_user_id}\tE01`, `${two.sis_user_id}\tE01`]);
    const warning = 'The enrolment of 1 person in the course is concluded or inactive';
    await expect(dialog.getByRole('region', { name: warning })).toBeVisible();
    const rows = dialog.getByRole('table', { name: 'Simulated rows' }).getByRole('row');
    await expect(rows.filter({ hasText: two.sis_user_id ?? '' })).toContainText(
      'Their enrolment in the course is inactive. The LMS still accepts them in a group.',
    );
    await page.locator('#group-enroll').click();
    await expect(confirmation(page, 'Enroll Users to groups')).toContainText(`${warning}.`);
  } finally {
    await restore();
  }
});
