/** Undoing an import: from the end of the wizard to Activity, reviewed before anything is sent. */
import {
  enrollmentsIn,
  fault,
  importsOf,
  MIM,
  mimMaterial,
  next,
  officeImport,
  PATH,
  said,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  categoryWithGroups,
  chooseFile,
  confirmation,
  GROUPS_PATH,
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

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

/** The 'Observer' role in the practice LMS. */
const OBSERVER = 7;

test('an import is undone once, with one click after a review', async ({ page, campus, signIn, axe }) => {
  const { term, courses, people } = await mimMaterial(campus);
  const [course] = courses.slice(5, 6);
  if (!course) throw new Error('no course');
  const there = async () => (await enrollmentsIn(campus, course.id, OBSERVER)).length;
  const before = await there();
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: [course],
    people: people.slice(0, 4).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(await there()).toBe(before + 4);

  await page.getByRole('link', { name: 'Undo this import' }).click();
  await expect(page).toHaveURL(/\/activity\/[0-9a-f-]+#undo$/);
  const undo = page.getByRole('region', { name: 'Undo this import' });
  await expect(undo.getByText(/^Undo removes 4 enrolments from 1 section\./)).toBeVisible({
    timeout: 60_000,
  });
  expect(await there()).toBe(before + 4);
  await undo.getByRole('button', { name: /^View List/ }).click();
  const list = page.getByRole('dialog', { name: /User List/ });
  await expect(list.getByRole('cell', { name: 'Is removed' })).toHaveCount(4);
  await page.keyboard.press('Escape');
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBe(0);
    await axe();
  });

  // Leaving changes nothing, and the review can be opened again.
  await undo.getByRole('button', { name: 'Keep the import' }).click();
  await expect(undo).toBeFocused();
  await undo.getByRole('button', { name: 'Undo this import' }).click();
  const press = undo.getByRole('button', { name: 'Remove 4 enrolments' });
  await expect(press).toBeVisible({ timeout: 60_000 });
  const sent = await importsOf(campus);
  await press.dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Undo: Remove 4 people from 1 section/);
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(await importsOf(campus)).toBe(sent + 1);
  expect(await there()).toBe(before);

  // Each links to the other, and undo is not offered for the first one any more.
  const toImport = page.getByRole('link', { name: 'Open the import' });
  await toImport.click();
  const toUndo = page.getByRole('link', { name: 'This import was undone. Open the undo' });
  await expect(toUndo).toBeVisible({ timeout: 60_000 });
  await expect(undo).toHaveCount(0);

  // The undo is undone: the first import looks as if it had never been undone, and both say so.
  await toUndo.click();
  await undo.getByRole('button', { name: 'Undo this import' }).click();
  await undo.getByRole('button', { name: 'Restore 4 enrolments' }).click({ timeout: 60_000 });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Redo: Restore 4 people in 1 section/);
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(await there()).toBe(before + 4);
  await toImport.click();
  await expect(toUndo).toBeVisible({ timeout: 60_000 });
  await toImport.click();
  await expect(
    page.getByRole('link', { name: 'This import was undone and redone. Open the undo' }),
  ).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'All activity' }).click();
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Redo: Restore 4 people');
  await expect(rows.nth(1)).not.toContainText('ndone');
  await expect(rows.nth(2)).toContainText(/Undo: Remove 4 people.*Undone ·/);
  await expect(rows.nth(3)).toContainText(/Add 4 people.*Undone, then redone ·/);

  // Another administrator removes the people: undo is still offered, and says that nothing is left to undo.
  const added = people.slice(0, 4).map(({ sis_user_id }) => sis_user_id);
  const lines = (await enrollmentsIn(campus, course.id, OBSERVER))
    .filter(({ sis_user_id }) => added.includes(sis_user_id))
    .map(({ sis_section_id, sis_user_id }) => `${sis_section_id},${sis_user_id},${OBSERVER},deleted`);
  await officeImport(campus, ['section_id,user_id,role_id,status', ...lines].join('\n'));
  expect(await there()).toBe(before);
  await rows.nth(3).getByRole('link').click();
  await undo.getByRole('button', { name: 'Undo this import' }).click();
  await expect(undo.getByText(/^There is nothing to undo/)).toBeVisible({ timeout: 60_000 });
  await expect(undo.getByRole('button', { name: 'Keep the import' })).toBeVisible();
  await expect(undo.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
});

test('an undo that cannot be compared says so, and can be retried', async ({ page, campus, signIn }) => {
  const { term, courses, people } = await mimMaterial(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(6, 7),
    people: people.slice(6, 7).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  const id = courses[6]?.id ?? 0;
  const end = await fault(campus, { match: `/api/v1/courses/${id}/sections`, kind: 'status', status: 500 });
  await page.getByRole('link', { name: 'Undo this import' }).click();
  const undo = page.getByRole('region', { name: 'Undo this import' });
  await expect(undo.getByText('1 enrolment could not be compared')).toBeVisible({ timeout: 60_000 });
  // Unknown is not the same as nothing to undo.
  await expect(undo.getByText(/^LMS Admin could not compare the import with the LMS/)).toBeVisible();
  await end();
  await undo.getByRole('button', { name: 'Compare again' }).click();
  await expect(undo.getByRole('button', { name: 'Remove 1 enrolment' })).toBeVisible({ timeout: 60_000 });
});

test('OP-107 if an import of group members is undone, people whom others have moved since stay, and are named', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 3);
  const category = await categoryWithGroups(campus, course, 'Undo teams', ['U01', 'U02']);
  const [one, two] = await groupsOf(campus, category.id);
  const [ann, bob, cyd] = await studentsOf(campus, course.id);
  if (!one || !two || !ann || !bob || !cyd) throw new Error('no groups, or nobody to put into them');
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await openPanel(dialog, 'Enroll Users');
  await chooseFile(
    dialog,
    'teams.csv',
    [
      CSV_HEADER,
      ...[ann, bob, cyd].map((person) => `${one.sis_group_id},${person.sis_user_id},accepted`),
    ].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  await expect(page.locator('#group-enroll')).toBeEnabled();
  await putInto(campus, two.id, cyd.id);
  await page.locator('#group-enroll').click();
  await confirmation(page, 'Enroll Users to groups').getByRole('button', { name: 'Confirm' }).click();
  const link = dialog.getByRole('link', { name: 'Undo this import' });
  await expect(link).toBeVisible({ timeout: 60_000 });
  expect(await membersOf(campus, one.id)).toHaveLength(2);
  // A skipped row is listed as well, and was not sent.
  const rows = dialog.getByRole('table', { name: 'Messages for each row' });
  await expect(rows).toContainText(`Row 4 (${cyd.name}, U01) was skipped`);
  await expect(rows.getByRole('columnheader', { name: 'Contents of the row' })).toBeVisible();
  await expect(dialog.getByText('What was sent')).toHaveCount(0);
  await putInto(campus, two.id, bob.id);
  await makeLeader(campus, one.id, ann.id);

  await link.click();
  const undo = page.getByRole('region', { name: 'Undo this import' });
  await expect(undo.getByText('Undo removes 1 person from a group.')).toBeVisible({ timeout: 60_000 });
  await expect(undo.getByRole('region', { name: '1 person stays where they are now' })).toContainText(
    `${bob.name}, U01: they or one of their groups have been moved or removed since the import.`,
  );
  await expect(
    undo.getByRole('region', { name: 'List: 1 person will leave a group that they lead' }),
  ).toContainText(`${ann.name} – U01`);
  await expect(undo.getByRole('table', { name: 'People whose groups change' })).toContainText('Removed');
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBe(0);
    await axe();
  });
  const sent = await importsOf(campus);
  await undo.getByRole('button', { name: 'Remove 1 membership' }).dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Undo: Remove 1 person from 1 group/);
  await expect(page.getByRole('link', { name: 'Undo this import' }).or(undo)).toBeVisible({
    timeout: 60_000,
  });
  expect(await importsOf(campus)).toBe(sent + 1);
  expect(await membersOf(campus, one.id)).toEqual([]);
  expect(new Set(await membersOf(campus, two.id))).toEqual(new Set([bob.sis_user_id, cyd.sis_user_id]));
});
