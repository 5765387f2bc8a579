/** Dialogs that select their course: cancelling deselects it again (requirements PICK, SE and GRP). */
import type { Page } from '@playwright/test';
import { chooseMany, chooseProgramme, courseTable, next, warning } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  courseBox,
  dialogOf,
  findCourse,
  GROUPS_PATH,
  openCourse,
} from './support/group-enrollment.ts';
import {
  assign,
  assignDialog,
  MBA_TERM,
  openDialog,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  twoSections,
} from './support/section-enrollment.ts';

const sum = (page: Page) => page.getByRole('region', { name: 'Selected so far' });
const aside = (page: Page) => page.getByRole('region', { name: /with people assigned/ });
const discard = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you entered?' });

test('SE-03 OP-49 a course selected by opening its dialog is deselected when the dialog is cancelled', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, first, people } = await twoSections(campus, 1);
  const [id] = sisIdsOf(people);
  const box = courseBox(page, course);
  const open = courseTable(page).getByRole('button', { name: /^Assign people/ });
  const assigned = courseTable(page).getByRole('button', { name: /^1 section · 1 person/ });
  await signIn('alma.reyes', SECTIONS_PATH);
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', [MBA_TERM]);
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.sis_course_id ?? '');
  await expect(box).not.toBeChecked();

  // Without entries: with the keyboard, then with the button.
  for (const cancel of [
    () => page.keyboard.press('Escape'),
    () => assignDialog(page).getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await open.click();
    await expect(assignDialog(page).getByRole('textbox').first()).toBeVisible();
    await cancel();
    await expect(assignDialog(page)).toBeHidden();
    await expect(box).not.toBeChecked();
    await expect(open).toBeFocused();
    await expect(sum(page)).toContainText('Nothing selected yet');
  }
  // Entries are discarded, even after a reload in between. Nothing is set aside.
  await open.click();
  await assign(page, first.name, { ids: [id ?? ''] });
  await page.reload();
  await assignDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await discard(page).getByRole('button', { name: 'Discard' }).click();
  await expect(assignDialog(page)).toBeHidden();
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.sis_course_id ?? '');
  await expect(box).not.toBeChecked();
  await expect(aside(page)).toHaveCount(0);
  await next(page).click();
  await expect(warning(page)).toContainText('Please select courses to proceed next');
  await page.keyboard.press('Enter');

  // A saved course stays selected, whatever is cancelled later.
  await open.click();
  await assign(page, first.name, { ids: [id ?? ''] });
  await save(page);
  await expect(box).toBeChecked();
  await assigned.click();
  await assignDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(assignDialog(page)).toBeHidden();
  await expect(box).toBeChecked();
  await expect(sum(page)).toContainText('1 course');
});

test('SE-03 a course that was selected before its dialog stays selected when the dialog is cancelled', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, first, people } = await twoSections(campus, 2);
  const [id] = sisIdsOf(people);
  const box = courseBox(page, course);
  await signIn('alma.reyes', SECTIONS_PATH);
  await findCourse(page, course, MBA_TERM);
  await box.check();
  await openDialog(page, course);
  await page.keyboard.press('Escape');
  await expect(assignDialog(page)).toBeHidden();
  await expect(box).toBeChecked();
  await openDialog(page, course);
  await assign(page, first.name, { ids: [id ?? ''] });
  await page.keyboard.press('Escape');
  await discard(page).getByRole('button', { name: 'Discard' }).click();
  await expect(assignDialog(page)).toBeHidden();
  await expect(box).toBeChecked();
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText('No one yet');
});

test("GRP-07 OP-75 closing a course's dialog, by button or keyboard, deselects the course, even after a reload", async ({
  page,
  campus,
  signIn,
}) => {
  const course = await bareCourse(campus, 3);
  const box = courseBox(page, course);
  await signIn('alma.reyes', GROUPS_PATH);
  const dialog = await openCourse(page, course);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(box).not.toBeChecked();
  await expect(box).toBeFocused();
  await page.keyboard.press('Space');
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(dialogOf(page, course)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.sis_course_id ?? '');
  await expect(box).not.toBeChecked();
  await page.reload();
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.sis_course_id ?? '');
  await expect(box).not.toBeChecked();
  await expect(dialog).toBeHidden();
});
