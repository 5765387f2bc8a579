/** Zoom Creation with the keyboard only, and in every scheme and width. */
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  chooseHost,
  eventTable,
  lookUp,
  mail,
  makeEvent,
  makeSectionEvent,
  mergeDialog,
  preview,
  publish,
  publishDialog,
  quietCourse,
  rowOf,
  saveAndDone,
  saved,
  select,
  unmergeDialog,
  ZOOM_PATH,
} from './support/zoom.ts';

test('ZC-06 ZC-09 ZC-18 ZC-30 the table and each dialog fit in every scheme and width', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const course = await quietCourse(campus, 2);
  const titles = ['Opening lecture', 'Case: Volkswagen', 'Case: Danone', 'Guest lecture', 'Revision'];
  for (const [index, title] of titles.entries()) await makeEvent(campus, course.id, title, 2 + index);
  await makeSectionEvent(campus, course.id, 'Workshop', 8);
  const look = () =>
    inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  await signIn('alma.reyes', ZOOM_PATH);
  await look();
  const dialog = await lookUp(page, course);
  await publish(page, 'Hugo Tan', 'Opening lecture', 'Case: Volkswagen');
  await publish(page, 'Bruno Keller', 'Case: Danone');
  await select(page, 'Case: Volkswagen');
  await dialog.getByRole('button', { name: 'Merge Zoom Link', exact: true }).click();
  const merging = mergeDialog(page);
  await merging.getByRole('combobox', { name: 'Select Main event' }).press('ArrowDown');
  await page.getByRole('option', { name: /Opening lecture/ }).click();
  await preview(merging);
  await look();
  await saveAndDone(merging);
  await eventTable(page)
    .getByRole('button', { name: /below Opening lecture/ })
    .click();
  await eventTable(page)
    .getByRole('button', { name: /below Workshop/ })
    .click();
  await look();
  await page.setViewportSize({ width: 1280, height: 900 });

  await rowOf(page, 'Case: Volkswagen')
    .getByRole('button', { name: /^Unmerge/ })
    .click();
  await preview(unmergeDialog(page));
  await look();
  await unmergeDialog(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await select(page, 'Opening lecture', 'Guest lecture');
  await dialog.getByRole('button', { name: 'Manage Zoom Links' }).click();
  await chooseHost(page, 'Alma Reyes');
  const form = publishDialog(page);
  await form.getByRole('switch', { name: 'Visibility', exact: true }).check();
  const hosts = form.getByRole('textbox', { name: 'Alternative hosts' });
  await hosts.fill(mail('farid.noor'));
  await hosts.press('Enter');
  await preview(form);
  await look();
});

test('ZC-02 ZC-12 ZC-18 ZC-24 the keyboard alone is enough, from the course to the saved link', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'By keyboard', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await tabTo(page, page.getByRole('textbox', { name: 'Course ID', exact: true }));
  await page.keyboard.type(String(course.id));
  await page.keyboard.press('Enter');
  const box = rowOf(page, 'By keyboard').getByRole('checkbox');
  await expect(box).toBeVisible();
  await tabTo(page, box);
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+Tab');
  await tabTo(page, page.getByRole('button', { name: 'Manage Zoom Links' }));
  await page.keyboard.press('Enter');
  const dialog = publishDialog(page);
  await expect(dialog).toBeVisible();
  await tabTo(page, dialog.getByRole('switch', { name: 'Owner', exact: true }));
  await page.keyboard.press('Space');
  const owner = dialog.getByRole('combobox', { name: 'Zoom Owner', exact: true });
  await tabTo(page, owner);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('alma');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(owner).toHaveValue('Alma Reyes');
  const visible = dialog.getByRole('switch', { name: 'Visibility', exact: true });
  await page.keyboard.press('Shift+Tab');
  await expect(visible).toBeFocused();
  await page.keyboard.press('Space');
  await expect(visible).toBeChecked();
  await preview(dialog);
  await tabTo(page, dialog.getByRole('button', { name: 'Save', exact: true }));
  await page.keyboard.press('Enter');
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Manage Zoom Links' })).toBeFocused();
});
