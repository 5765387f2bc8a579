/** Section Enrollment by keyboard, narrow and wide, light and dark (requirements SE and SHELL). */
import { chooseCourses, next, said, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo, takeOption } from './support/keyboard.ts';
import {
  assignButton,
  assignDialog,
  chooseIn,
  coursesWithSections,
  idsOf,
  inSection,
  MBA_TERM,
  openDialog,
  pasteIds,
  pickCourses,
  recordsSection,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  submitButton,
} from './support/section-enrollment.ts';

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

const DONE = 'The request has completed successfully.';

test('SHELL-31 SE-03 the whole job can be done with the keyboard only', async ({ page, campus, signIn }) => {
  const { course, section, ids } = await recordsSection(campus, 4);
  await signIn('alma.reyes', SECTIONS_PATH);
  await expect(step(page)).toBeVisible();
  await tabTo(page, page.getByRole('combobox', { name: 'Programme' }));
  await takeOption(page, 'Programme', 'MBA');
  await tabTo(page, page.getByRole('combobox', { name: 'Terms' }));
  await takeOption(page, 'Terms', MBA_TERM);
  await page.keyboard.press('Escape');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search courses' }));
  await page.keyboard.type(course.sis_course_id ?? '');
  const open = page.getByRole('table', { name: 'Courses' }).getByRole('button', { name: /^Assign people/ });
  await expect(open).toHaveCount(1);
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const dialog = assignDialog(page);
  const role = dialog.getByRole('combobox', { name: `Role in ${section.name}`, exact: true });
  await expect(role).toBeVisible();
  await tabTo(page, role);
  await page.keyboard.type('Stu');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const field = dialog.getByRole('textbox', { name: `SIS IDs for ${section.name}`, exact: true });
  await tabTo(page, field);
  await page.keyboard.type(`${ids[0]} ${ids[1]}`);
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }));
  await expect(idsOf(page, section.name)).toContainText([ids[0] ?? '', ids[1] ?? '']);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await tabTo(page, next(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toBeFocused();
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  await tabTo(page, submitButton(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toHaveText('Progress');
  await expect(step(page)).toBeFocused();
  await expect(said(page, DONE)).toBeVisible({ timeout: 60_000 });
  expect(sisIdsOf(await inSection(campus, course.id, section.id))).toContain(ids[0]);
});

for (const [name, viewport, colorScheme] of [
  ['narrow and light', { width: 390, height: 844 }, 'light'],
  ['wide and dark', { width: 1440, height: 900 }, 'dark'],
] as const) {
  test(`SHELL-28 SE-03 ${name}: each screen fits, and the buttons stay visible`, async ({
    page,
    campus,
    signIn,
    axe,
  }) => {
    const { course, section, ids } = await recordsSection(campus, viewport.width < 500 ? 5 : 6, 'jensen');
    const other = (await coursesWithSections(campus)).at(-1)?.course;
    await signIn('alma.reyes', SECTIONS_PATH);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const fits = async () =>
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0);
    await pickCourses(page, [course]);
    if (other) await chooseCourses(page, [other]);
    await expect(assignButton(page, course)).toBeVisible();
    await assignButton(page, course).scrollIntoViewIfNeeded();
    await fits();
    await openDialog(page, course);
    await pasteIds(page, section.name, [...ids.slice(0, 9), 'PS-NOBODY'].join('\n'));
    await chooseIn(page, section.name, 'Student', 'Add');
    await expect(assignDialog(page)).toContainText('1 not found');
    await expect(assignDialog(page).getByRole('button', { name: 'Save' })).toBeInViewport();
    await fits();
    await axe();
    await save(page);
    await fits();
    await axe();
    await next(page).click();
    await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
    await expect(submitButton(page)).toBeInViewport();
    await fits();
    await axe();
    await submitButton(page).click();
    await expect(said(page, DONE)).toBeVisible({ timeout: 60_000 });
    await fits();
  });
}
