/** Merging events into one meeting and unmerging them, with the practice Canvas and Zoom. */
import { expect, test } from './support/fixtures.ts';
import {
  cellsOf,
  eventTable,
  lookUp,
  makeEvent,
  makeSectionEvent,
  mergeDialog,
  preview,
  publish,
  quietCourse,
  rowOf,
  saveAndDone,
  select,
  shownMeeting,
  unmergeDialog,
  ZOOM_PATH,
} from './support/zoom.ts';

test('ZC-05 ZC-09 ZC-17 ZC-30 ZC-31 ZC-32 ZC-33 OP-71 merging gives several events one meeting, and unmerging restores the old ones', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const main = await makeEvent(campus, course.id, 'Main lecture', 2);
  const child = await makeEvent(campus, course.id, 'Own meeting', 3);
  await makeEvent(campus, course.id, 'No link yet', 4);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await publish(page, 'Alma Reyes', 'Main lecture', 'Own meeting');
  const [mains, own] = [await shownMeeting(campus, main.id), await shownMeeting(campus, child.id)];
  expect(own).not.toBe(mains);

  await select(page, 'Own meeting');
  await page.getByRole('button', { name: 'Merge Zoom Link', exact: true }).click();
  const dialog = mergeDialog(page);
  await expect(dialog.getByRole('table', { name: 'Events to merge' })).toContainText('Own meeting');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const warning = page.getByRole('alertdialog', { name: 'Warning!!' });
  await expect(warning).toContainText('Please select a parent event.');
  await warning.getByRole('button', { name: 'Ok' }).click();
  const field = dialog.getByRole('combobox', { name: 'Select Main event', exact: true });
  await expect(field).toBeFocused();
  await field.press('ArrowDown');
  // Neither selected events nor those without a link are offered.
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByRole('option', { name: /Main lecture/ }).click();
  const words = await preview(dialog);
  await expect(words).toContainText('1 event will have a different join link:');
  await expect(words).toContainText('it gets the link of the main event.');
  await axe();
  await saveAndDone(dialog);

  await expect(rowOf(page, 'Own meeting')).toBeHidden();
  await eventTable(page)
    .getByRole('button', { name: /^1 row below Main lecture/ })
    .click();
  await expect(rowOf(page, /^.*Own meeting/).getByRole('checkbox')).toHaveCount(0);
  expect((await cellsOf(page, 'Own meeting'))['Zoom Link']).toBe(mains);
  expect(await shownMeeting(campus, child.id)).toBe(mains);

  await rowOf(page, 'Own meeting').getByRole('button', { name: 'Unmerge Own meeting' }).click();
  const question = unmergeDialog(page);
  await expect(question).toContainText('Own meeting leaves the meeting of Main lecture,');
  await expect(await preview(question)).toContainText('it gets its own link again.');
  await axe();
  await saveAndDone(question, 'Unmerge');
  await expect(rowOf(page, 'Own meeting').getByRole('checkbox')).toHaveCount(1);
  expect((await cellsOf(page, 'Own meeting'))['Zoom Link']).toBe(own);
  expect(await shownMeeting(campus, child.id)).toBe(own);
  expect(await shownMeeting(campus, main.id)).toBe(mains);
});

test('ZC-06 ZC-12 ZC-16 OP-66 section events are below the event of the course, two levels deep if that event is merged', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus, 2);
  await makeEvent(campus, course.id, 'Plenary', 2);
  const given = await makeSectionEvent(campus, course.id, 'Workshop', 3);
  await signIn('alma.reyes', ZOOM_PATH);
  const dialog = await lookUp(page, course);
  const table = eventTable(page);
  await expect(rowOf(page, 'Workshop')).toContainText('By section, see below');
  await table.getByRole('button', { name: /below Workshop/ }).click();
  const sections = rowOf(page, /Workshop \(/);
  await expect(sections.first()).toBeVisible();
  await expect(sections.getByRole('checkbox')).toHaveCount(0);
  await publish(page, 'Bruno Keller', 'Plenary');
  // The text that they share has one link for each section.
  await rowOf(page, 'Workshop').first().getByRole('checkbox').press('Space');
  await dialog.getByRole('button', { name: 'Merge Zoom Link', exact: true }).click();
  const merging = mergeDialog(page);
  const field = merging.getByRole('combobox', { name: 'Select Main event', exact: true });
  await field.press('ArrowDown');
  await page.getByRole('option', { name: /Plenary/ }).click();
  await saveAndDone(merging);
  await table.getByRole('button', { name: /^1 row below Plenary/ }).click();
  const workshop = rowOf(page, 'Workshop').first();
  await expect(workshop.getByRole('checkbox')).toHaveCount(0);
  await expect(workshop.getByRole('button', { name: 'Unmerge Workshop' })).toBeVisible();
  await expect(sections.first()).toBeVisible();
  expect(await shownMeeting(campus, given.id)).not.toBeNull();
});
