/** Clicking Save, and cancelling it: every entry counts, and a cancelled change stops (requirements ZC). */
import { PATH as ACTIVITY_PATH } from './support/activity.ts';
import { expect, test } from './support/fixtures.ts';
import {
  chooseHost,
  lookUp,
  mail,
  makeEvent,
  preview,
  publishDialog,
  quietCourse,
  saved,
  select,
  shownMeeting,
  ZOOM_PATH,
  zoomFault,
} from './support/zoom.ts';

test('ZC-22 OP-70 Save works immediately after the last alternative host was typed, if its preview has been shown', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'Seminar', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Seminar');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('textbox', { name: 'Alternative hosts' }).fill(mail('farid.noor'));
  await expect(await preview(dialog)).toContainText('1 meeting will be created in Zoom.');
  // This click turns the address into a chip without changing the request.
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText('1 selected event, with its sections and merged events.')).toBeVisible();
});

test('OP-64 OP-69 a cancelled save says how many events are done, and only the others stay selected; Activity lists those as not done', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const course = await quietCourse(campus);
  const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  const events = await Promise.all(titles.map((title, n) => makeEvent(campus, course.id, title, 2 + n)));
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, ...titles);
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  await preview(dialog);
  const slow = { method: 'POST', match: '/zoom/v2/users/*/meetings', kind: 'latency', ms: 1_500 };
  const restore = await zoomFault(campus, slow);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel saving' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  const title = dialog.getByText(/^Cancelled: \d of 6 events were done; /).first();
  await expect(title).toBeVisible({ timeout: 60_000 });
  const shown = await Promise.all(events.map(({ id }) => shownMeeting(campus, id)));
  const done = shown.filter((number) => number !== null).length;
  expect(done).toBeLessThan(titles.length);
  await expect(title).toContainText(`Cancelled: ${done} of 6 events were done`);
  await expect(dialog.getByRole('img', { name: `${6 - done} events selected` })).toBeVisible();
  await axe();
  await restore();
  // The same click completes the rest.
  await preview(dialog);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  expect(await Promise.all(events.map(({ id }) => shownMeeting(campus, id)))).not.toContain(null);

  await page.goto(ACTIVITY_PATH);
  await page
    .getByRole('row', { name: /Cancelled/ })
    .getByRole('link')
    .first()
    .click();
  const steps = page.getByRole('table', { name: 'Step by step' });
  await expect(steps.getByRole('row', { name: /Not done/ })).toHaveCount(6 - done);
  await expect(page.getByRole('main')).not.toContainText('To do');
});
