/**
 * Publishing, hiding, another host, the calendar file, failures and coming back, with the practice Canvas and
 * Zoom.
 */
import { expect, test } from './support/fixtures.ts';
import {
  cellsOf,
  chooseHost,
  courseDialog,
  eventOf,
  inDays,
  joinPage,
  lookUp,
  mail,
  makeEvent,
  preview,
  publish,
  publishDialog,
  quietCourse,
  rowOf,
  saveAndDone,
  saved,
  select,
  shownMeeting,
  ZOOM_PATH,
  zoomFault,
} from './support/zoom.ts';

test('ZC-01 ZC-18 ZC-19 ZC-20 ZC-23 ZC-24 ZC-41 OP-103 publishing and hiding change the link in the LMS event and its meeting', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const first = await makeEvent(campus, course.id, 'Opening lecture', 2, {
    description: '<p>Bring your notes.</p>',
  });
  const second = await makeEvent(campus, course.id, 'Second lecture', 3);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Opening lecture', 'Second lecture');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await expect(dialog.getByRole('img', { name: '2 events selected' })).toBeVisible();
  await expect(dialog.getByRole('switch', { name: 'Owner', exact: true })).not.toBeChecked();
  await expect(dialog.getByRole('combobox', { name: 'Zoom Owner' })).toHaveValue('LMS Admin');
  await expect(dialog.getByRole('table', { name: 'Selected Events' })).toContainText('Second lecture');

  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  const hosts = dialog.getByRole('textbox', { name: 'Alternative hosts' });
  await hosts.fill(mail('hugo.tan'));
  await hosts.press('Enter');
  const words = await preview(dialog);
  await expect(words).toContainText('2 meetings will be created in Zoom.');
  await expect(words).toContainText('Students will see the links of 2 events in the LMS.');
  await expect(words).toContainText(/Alma Reyes: this uses 2 of the \d+ Zoom changes left today\./);
  await axe();
  await saveAndDone(dialog);

  const cells = await cellsOf(page, 'Opening lecture');
  expect(cells).toMatchObject({
    'Zoom Host': 'Alma Reyes',
    'Co Host': 'Hugo Tan',
    'Zoom Link Visibility': 'Published',
  });
  const meeting = await shownMeeting(campus, first.id);
  expect(cells['Zoom Link']).toBe(meeting);
  const { description, start_at } = await eventOf(campus, first.id);
  expect(description).toContain('<p>Bring your notes.</p>');
  expect(start_at).toBe(first.start_at);
  const link = await rowOf(page, 'Opening lecture')
    .getByRole('link', { name: /^Zoom link of/ })
    .getAttribute('href');
  const seen = await joinPage(page, link ?? '');
  expect(seen).toContain('Opening lecture');
  expect(seen).toContain('Host: Alma Reyes');
  expect(seen).toContain('The passcode in this link is right.');

  await select(page, 'Second lecture');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  // The form starts from the current values.
  await expect(dialog.getByRole('combobox', { name: 'Zoom Owner' })).toHaveValue('Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).uncheck();
  await expect(await preview(dialog)).toContainText(
    'Students will no longer see the link of 1 event in the LMS.',
  );
  await saveAndDone(dialog);
  await expect(rowOf(page, 'Second lecture')).toContainText('Hidden');
  expect(await shownMeeting(campus, second.id)).toBeNull();
  expect((await eventOf(campus, second.id)).location_address ?? '').toBe('');
  expect(await shownMeeting(campus, first.id)).toBe(meeting);
});

test('ZC-22 ZC-25 ZC-26 ZC-27 ZC-28 ZC-29 OP-67 OP-70 a form that cannot be saved shows the documented texts', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'Checks', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  const manage = page.getByRole('button', { name: 'Manage Zoom Links' });
  const warning = page.getByRole('alertdialog', { name: 'Warning!!' });
  const warned = async (text: string) => {
    await expect(warning).toContainText(text);
    await warning.getByRole('button', { name: 'Ok' }).click();
    await expect(warning).toBeHidden();
  };
  await expect(page.getByRole('button', { name: 'Merge Zoom Link', exact: true })).toBeDisabled();
  await manage.click();
  const dialog = publishDialog(page);
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await warned('Select a zoom event(s) before you click Publish.');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(manage).toBeFocused();

  await select(page, 'Checks');
  await manage.click();
  const visible = dialog.getByRole('switch', { name: 'Visibility', exact: true });
  await visible.press('Space');
  await warned('Please select owner, before making link visible');
  await expect(visible).not.toBeChecked();
  await chooseHost(page, 'Bruno Keller');
  await visible.check();
  await chooseHost(page, 'LMS Admin');
  await save.click();
  await warned('Please change Zoom Owner.');
  const owner = dialog.getByRole('combobox', { name: 'Zoom Owner' });
  await expect(owner).toBeFocused();
  await owner.fill('');
  await save.click();
  await warned('Zoom owner cannot be empty.');
  await dialog.getByRole('switch', { name: 'Owner', exact: true }).uncheck();
  await expect(owner).toHaveValue('LMS Admin');
  await expect(visible).not.toBeChecked();

  const hosts = dialog.getByRole('textbox', { name: 'Alternative hosts' });
  await hosts.fill('hugo');
  await hosts.press('Tab');
  await expect(hosts).toHaveAccessibleDescription(/hugo is not a valid email address\./);
  await hosts.fill(mail('hugo.tan'));
  await hosts.press(',');
  await hosts.fill(mail('hugo.tan'));
  await hosts.press('Enter');
  await expect(hosts).toHaveAccessibleDescription(/hugo\.tan@northbridge\.example has already been added\./);
  // A person without a Zoom licence cannot be an alternative host: the server says so before saving.
  await hosts.fill(mail('greta.lind'));
  await hosts.press('Enter');
  await expect(await preview(dialog)).toContainText(
    `Zoom does not accept ${mail('greta.lind')} as an alternative host.`,
  );
});

test('OP-102 for a change of host, the dialog says which links change, and students get the new ones', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  const event = await makeEvent(campus, course.id, 'Handed over', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await publish(page, 'Hugo Tan', 'Handed over');
  const before = await shownMeeting(campus, event.id);
  await select(page, 'Handed over');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  await chooseHost(page, 'Alma Reyes');
  const dialog = publishDialog(page);
  const words = await preview(dialog);
  await expect(words).toContainText('1 event will have a different join link:');
  await expect(words).toContainText('cannot be transferred from Hugo Tan to Alma Reyes');
  await expect(words).toContainText('Students already have the current link.');
  await expect(words).not.toContainText('The links that students see do not change.');
  await saveAndDone(dialog);
  await expect(rowOf(page, 'Handed over')).toContainText('Alma Reyes');
  const after = await shownMeeting(campus, event.id);
  expect(after).not.toBe(before);
  expect(await joinPage(page, `${campus.lms}/zoom/j/${before}`)).toContain('Meeting deleted');
});

test('OP-102 a change that another person made since the preview is not overwritten: the dialog says so, marks what is new, and can then be saved', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const event = await makeEvent(campus, course.id, 'In two hands', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'In two hands');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  const words = await preview(dialog);
  await expect(words).toContainText('1 meeting will be created in Zoom.');

  const other = await context.newPage();
  await other.goto(ZOOM_PATH);
  await lookUp(other, course);
  await publish(other, 'Hugo Tan', 'In two hands');
  const theirs = await shownMeeting(campus, event.id);

  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const refused = dialog.getByRole('region', {
    name: 'Nothing was saved: this event has changed since the preview. It is still selected.',
  });
  await expect(refused).toBeVisible({ timeout: 60_000 });
  await expect(refused).toContainText('New items are marked');
  expect(await shownMeeting(campus, event.id)).toBe(theirs);
  await preview(dialog);
  await expect(words).toContainText('New: 1 event will have a different join link:');
  await expect(words).toContainText('cannot be transferred from Hugo Tan to Alma Reyes');
  await expect(dialog.getByRole('table', { name: 'Selected Events' })).toContainText('Hugo Tan');
  await axe();
  await saveAndDone(dialog);
  expect(await shownMeeting(campus, event.id)).not.toBe(theirs);
  await expect(rowOf(page, 'In two hands')).toContainText('Alma Reyes');
});

test('OP-102 an event deleted in the LMS since the preview is named as missing, and cannot be saved again', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const [one, two] = [
    await makeEvent(campus, course.id, 'Deleted first', 2),
    await makeEvent(campus, course.id, 'Deleted then', 3),
  ];
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Deleted first', 'Deleted then');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Alma Reyes');
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  const deleteInLms = async (id: number) => {
    const headers = { authorization: 'Bearer sandbox-admin-token' };
    const answer = await page.request.delete(`${campus.lms}/api/v1/calendar_events/${id}`, { headers });
    expect(answer.ok()).toBe(true);
  };
  await preview(dialog);
  await deleteInLms(one.id);
  await save.click();
  const some = dialog.getByRole('region', { name: /^Nothing was saved: .* 1 of them is still selected\.$/ });
  await expect(some).toContainText(/Deleted first \(.*\): no longer in the calendar/, { timeout: 60_000 });
  await expect(some).toContainText('save again');

  await preview(dialog);
  await deleteInLms(two.id);
  await save.click();
  const none = dialog.getByRole('region', {
    name: 'Nothing was saved: the event is no longer in the calendar of the course.',
  });
  await expect(none).toContainText(/Deleted then \(.*\): no longer/, { timeout: 60_000 });
  await expect(none).toContainText('select other events in the table');
  await expect(none).not.toContainText('save again');
  await expect(dialog).toContainText('No event is selected, so nothing will happen.');
  await axe();
});

test("ZC-10 ZC-34 OP-101 an event's calendar file can be downloaded", async ({ page, campus, signIn }) => {
  const course = await quietCourse(campus);
  const start_at = `${inDays(2).toISOString().slice(0, 10)}T23:30:00Z`;
  await makeEvent(campus, course.id, 'With a file', 2, {
    start_at,
    end_at: start_at.replace('23:30', '23:50'),
  });
  await makeEvent(campus, course.id, 'Without', 3);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await publish(page, 'Alma Reyes', 'With a file');
  await expect(rowOf(page, 'Without')).toContainText('N/A');
  const coming = page.waitForEvent('download');
  await rowOf(page, 'With a file')
    .getByRole('link', { name: 'Download the calendar file of With a file' })
    .click();
  const download = await coming;
  // Alma Reyes is in the Paris time zone, where this event at 23:30 UTC is on the next day.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(Date.parse(start_at));
  expect(start_at).not.toContain(day);
  expect(download.suggestedFilename()).toBe(`With a file ${day}.ics`);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString().replaceAll('\r\n ', '');
  expect(text).toContain('BEGIN:VEVENT');
  expect(text).toContain('SUMMARY:With a file');
  expect(text).toContain('/zoom/j/');
});

test('ZC-43 ZC-44 OP-69 failed events stay selected and are named, and the rest is done; a retry completes them', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  const typed = `${campus.lms.replace('127.0.0.1', 'localhost')}/zoom/j/98765432109`;
  await makeEvent(campus, course.id, 'Fine', 2, {
    description: `<p>Guests: <a href="${typed}">${typed}</a></p>`,
  });
  // The event ended before the save, so it cannot have a meeting any more.
  const over = await makeEvent(campus, course.id, 'All day', 3, { all_day: true });
  expect(over.id).toBeGreaterThan(0);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Fine', 'All day');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Farid Noor');
  const words = await preview(dialog);
  await expect(words).toContainText('1 event cannot be changed:');
  await expect(words).toContainText('This event lasts all day');
  await expect(words.getByRole('button', { name: 'Skip these' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const failed = dialog.getByRole('region', { name: '1 event could not be changed. It is still selected.' });
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await expect(failed).toContainText('All day');
  await expect(failed).toContainText('This event lasts all day');
  const stays = 'The text of 1 event still has a Zoom link that LMS Admin did not add: “Fine”';
  await expect(failed).toContainText(stays);
  await expect(dialog.getByRole('img', { name: '1 event selected' })).toBeVisible();
  await expect(dialog.getByText(/Successfully/)).toBeHidden();
  await axe();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toBeHidden();
  const note = page.getByRole('region', { name: '1 event could not be changed. It is still selected.' });
  await expect(note).toContainText(stays);
  await expect(rowOf(page, 'All day').getByRole('checkbox')).toBeChecked();
  await expect(rowOf(page, 'Fine').getByRole('checkbox')).not.toBeChecked();
  await expect(rowOf(page, 'Fine')).toContainText('Farid Noor');
});

test('ZC-43 OP-69 a rejection by Zoom is named, and the retry works once its cause is removed', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  const event = await makeEvent(campus, course.id, 'Refused once', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Refused once');
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  await preview(dialog);
  const correct = await zoomFault(campus, {
    match: '/zoom/v2/users/*/meetings',
    method: 'POST',
    kind: 'status',
    status: 400,
  });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const retry = dialog.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText(/could not be changed/).first()).toBeVisible();
  expect(await shownMeeting(campus, event.id)).toBeNull();
  await correct();
  await expect(dialog.getByRole('switch', { name: 'Visibility', exact: true })).toBeChecked();
  await preview(dialog);
  await retry.click();
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  expect(await shownMeeting(campus, event.id)).not.toBeNull();
});

test('ZC-42 the progress view can be closed: a person who comes back sees the change running, even after a reload, and then its result', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  for (let day = 2; day < 8; day++) await makeEvent(campus, course.id, `Session ${day}`, day);
  await signIn('alma.reyes', ZOOM_PATH);
  const whole = await lookUp(page, course);
  await expect(rowOf(page, 'Session 7')).toBeVisible();
  await whole.getByRole('checkbox', { name: 'Select all' }).press('Space');
  await expect(whole.getByText('6 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await chooseHost(page, 'Bruno Keller');
  await preview(dialog);
  const correct = await zoomFault(campus, {
    match: '/zoom/v2/users/*/meetings',
    method: 'POST',
    kind: 'latency',
    ms: 4_000,
  });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('link', { name: 'Activity' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Close (keeps saving)' }).click();
  await expect(page.getByText('A change to this course is still running.')).toBeVisible();
  await page.reload();
  await expect(courseDialog(page, course)).toBeVisible();
  await page.getByRole('button', { name: 'Show progress' }).click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await correct();
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, 'Session 5')).toContainText('Bruno Keller');
});
