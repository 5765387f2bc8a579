/** Layout of the Group Enrollment dialog in every scheme and width. */
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  CSV_HEADER,
  categoryWithGroups,
  chooseFile,
  courseBox,
  dialogOf,
  findCourse,
  GROUPS_PATH,
  makeCategory,
  openPanel,
  studentsOf,
  tick,
  typeRanges,
} from './support/group-enrollment.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'slow' });

const WIDTH = 1200;

test('GRP-08 GRP-16 GRP-26 GRP-27 OP-108 each part of the dialog fits in every scheme and width', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const course = await bareCourse(campus, 3, 12);
  const sis = course.sis_course_id ?? '';
  await categoryWithGroups(campus, course, 'Teams', ['Team-G01', 'Team-G02', 'Team-G03']);
  await makeCategory(campus, course.id, 'Study Circles');
  const people = (await studentsOf(campus, course.id)).map((person) => person.sis_user_id ?? '');
  const look = async () => {
    await inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  };

  await signIn('alma.reyes', GROUPS_PATH);
  await page.setViewportSize({ width: WIDTH, height: 900 });
  await findCourse(page, course);
  await courseBox(page, course).click();
  const dialog = dialogOf(page, course);
  const list = dialog.getByRole('table', { name: 'Group categories' });
  await list.getByRole('button', { name: '3 rows below Teams' }).click();
  await expect(list).toContainText('Team-G03');
  await expect(list).toContainText('No SIS ID, so it cannot be used here');
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Case Teams');
  await look();

  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await dialog.getByRole('combobox', { name: 'Group category' }).selectOption({ label: 'Teams (3 groups)' });
  await typeRanges(dialog, [
    ['Team', '2', '6'],
    ['Lab', '0', '1'],
  ]);
  await tick(dialog, 'Simulate Groups');
  await expect(dialog).toContainText('This creates 5 groups in Teams.');
  await expect(dialog).toContainText('2 groups already exist');
  await look();

  await openPanel(dialog, 'Enroll Users');
  await dialog.getByRole('checkbox', { name: 'View Sample CSV file Format' }).check();
  const lines = people
    .slice(0, 11)
    .map((person, index) => `${sis}_Team-G0${(index % 3) + 1},${person},accepted`);
  await chooseFile(
    dialog,
    'teams.csv',
    [CSV_HEADER, ...lines, `${sis}_Team-G01,PS-4711,accepted`].join('\n'),
  );
  await tick(dialog, 'Simulate Selected Csv');
  await expect(dialog).toContainText('This adds 11 memberships.');
  await look();
  await dialog.getByRole('checkbox', { name: 'View Sample CSV file Format' }).uncheck();
  await dialog.getByRole('radio', { name: 'Distribute the students' }).check();
  await dialog
    .getByRole('combobox', { name: 'Category of the groups to fill' })
    .selectOption({ label: 'Teams (3 groups)' });
  await expect(dialog.getByRole('table', { name: 'Group sizes after this change' })).toBeVisible();
  await look();
  await dialog.getByRole('radio', { name: 'Paste from a spreadsheet' }).check();
  await look();
});
