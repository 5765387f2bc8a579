/** How the dialog of Group Enrollment looks in every scheme and width, its guide page, and the images made with `UPDATE_GUIDE_IMAGES=1`. */
import type { Locator, Page } from '@playwright/test';
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
import { WRITE } from './support/guide.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'slow' });

const WIDTH = 1200;

/** The screen as high as told, from the place that it is about; written only when the images are to be made anew. */
async function picture(page: Page, name: string, height: number, from: Locator | null): Promise<void> {
  if (!WRITE) return;
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width: WIDTH, height });
  await from?.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const path = `docs/guide/images/group-enrollment-${name}.png`;
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

/** The accordion of a title. */
const accordion = (dialog: Locator, title: string) =>
  dialog.locator('.MuiAccordion-root').filter({ has: dialog.page().getByRole('button', { name: title }) });

test('GRP-08 GRP-16 GRP-26 GRP-27 OP-108 SHELL-26 each part of the dialog in every look, and the guide with the real screens', async ({
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
  await picture(page, 'courses', 900, null);
  await courseBox(page, course).click();
  const dialog = dialogOf(page, course);
  const list = dialog.getByRole('table', { name: 'Group categories' });
  await list.getByRole('button', { name: '3 rows below Teams' }).click();
  await expect(list).toContainText('Team-G03');
  await expect(list).toContainText('No SIS id: files cannot name it');
  await dialog.getByRole('textbox', { name: 'Name of the category' }).fill('Case Teams');
  await look();
  await picture(page, 'category', 760, null);

  await openPanel(dialog, 'Create Groups (G01,G02 etc)');
  await dialog.getByRole('combobox', { name: 'Group category' }).selectOption({ label: 'Teams (3 groups)' });
  await typeRanges(dialog, [
    ['Team', '2', '6'],
    ['Lab', '0', '1'],
  ]);
  await tick(dialog, 'Simulate Groups');
  await expect(dialog).toContainText('This makes 5 groups in Teams.');
  await expect(dialog).toContainText('2 groups there already');
  await look();
  await picture(page, 'groups', 980, accordion(dialog, 'Create Groups (G01,G02 etc)'));

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
  await picture(page, 'people', 1_080, accordion(dialog, 'Enroll Users'));
  await dialog.getByRole('radio', { name: 'Distribute the students' }).check();
  await dialog
    .getByRole('combobox', { name: 'Over the groups of' })
    .selectOption({ label: 'Teams (3 groups)' });
  await expect(dialog.getByRole('table', { name: 'Groups afterwards' })).toBeVisible();
  await look();
  await picture(page, 'distribute', 1_080, accordion(dialog, 'Enroll Users'));
  await dialog.getByRole('radio', { name: 'Paste from a spreadsheet' }).check();
  await look();

  await page.goto('/guide/group-enrollment.html');
  await expect(page.getByRole('heading', { level: 1, name: 'Group Enrollment' })).toBeVisible();
  const broken = await page.evaluate(async () => {
    const images = [...document.images];
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.filter((image) => image.naturalWidth === 0 || image.alt === '').map((image) => image.src);
  });
  expect(broken).toEqual([]);
  await look();
  for (const link of await page.getByRole('main').getByRole('link').all()) {
    const target = new URL((await link.getAttribute('href')) ?? '', page.url()).href;
    expect((await page.request.get(target)).status()).toBe(200);
  }
});
