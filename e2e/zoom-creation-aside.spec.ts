/**
 * If another change to the course is opened while one is running, its dialog shows its own form, not the
 * progress of the other change.
 */
import type { Locator, Page } from '@playwright/test';
import { fault } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  eventTable,
  lookUp,
  makeEvent,
  mergeDialog,
  preview,
  publish,
  publishDialog,
  quietCourse,
  rowOf,
  saveAndDone,
  saved,
  select,
  shownMeeting,
  unmergeDialog,
  ZOOM_PATH,
} from './support/zoom.ts';

const RUNNING = 'Another change to this course is still running. You can save this one when it has finished.';

/** Merges the selected event. */
async function chooseMain(page: Page, title: string): Promise<Locator> {
  const dialog = mergeDialog(page);
  await dialog.getByRole('combobox', { name: 'Select Main event', exact: true }).press('ArrowDown');
  await page.getByRole('option', { name: new RegExp(title) }).click();
  return dialog;
}

/** Checks that the form is shown while a change is running. */
async function isForm(dialog: Locator): Promise<void> {
  await expect(dialog.getByRole('region', { name: RUNNING })).toBeVisible();
  await expect(dialog.getByText('You can close this dialog or leave the page')).toHaveCount(0);
  await expect(saved(dialog)).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Cancel saving' })).toHaveCount(0);
}

test('ZC-24 ZC-30 ZC-31 OP-71 a dialog opened during a change shows its own form, and can be saved once that change has ended', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const ids: number[] = [];
  for (const [n, title] of ['Main lecture', 'Seminar', 'Exercise', 'Tutorial'].entries())
    ids.push((await makeEvent(campus, course.id, title, 2 + n)).id);
  const [main = 0, hidden = 0, merged = 0, last = 0] = ids;
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await publish(page, 'Hugo Tan', 'Main lecture', 'Seminar', 'Exercise', 'Tutorial');
  await select(page, 'Exercise');
  await page.getByRole('button', { name: 'Merge Zoom Link', exact: true }).click();
  await saveAndDone(await chooseMain(page, 'Main lecture'));
  const link = await shownMeeting(campus, main);
  const own = await shownMeeting(campus, last);
  expect([await shownMeeting(campus, merged), own]).toEqual([link, expect.not.stringMatching(String(link))]);

  await select(page, 'Seminar');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  await publishDialog(page).getByRole('switch', { name: 'Visibility', exact: true }).uncheck();
  await preview(publishDialog(page));
  await fault(campus, {
    match: `/api/v1/calendar_events/${hidden}`,
    method: 'PUT',
    kind: 'latency',
    ms: 20_000,
    count: 1,
  });
  await publishDialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await publishDialog(page).getByRole('button', { name: 'Close (keeps saving)' }).click();

  await rowOf(page, 'Seminar').getByRole('checkbox').press('Space');
  await select(page, 'Tutorial');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  await isForm(publishDialog(page));
  await expect(publishDialog(page).getByRole('img', { name: '1 event selected' })).toBeVisible();
  await publishDialog(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await eventTable(page)
    .getByRole('button', { name: /below Main lecture/ })
    .press('Enter');
  await page.getByRole('button', { name: 'Unmerge Exercise' }).press('Enter');
  await isForm(unmergeDialog(page));
  await expect(unmergeDialog(page)).toContainText('Exercise leaves the meeting of Main lecture,');
  await unmergeDialog(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Merge Zoom Link', exact: true }).click();
  const dialog = await chooseMain(page, 'Main lecture');
  await isForm(dialog);
  await expect(dialog.getByRole('table', { name: 'Events to merge' })).toContainText('Tutorial');
  await expect(dialog.getByText('Another change is still running.', { exact: true })).toBeVisible();
  await axe();
  expect(await shownMeeting(campus, hidden)).not.toBeNull();

  await expect(dialog.getByRole('region', { name: 'The other change was saved.' })).toBeVisible({
    timeout: 60_000,
  });
  expect([await shownMeeting(campus, hidden), await shownMeeting(campus, last)]).toEqual([null, own]);
  await saveAndDone(dialog);
  expect(await shownMeeting(campus, last)).toBe(link);
});
