/** Unsaved entries in Zoom Creation survive Escape, a session that expires on Save, and a failure of Zoom. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import {
  chooseHost,
  courseDialog,
  lookUp,
  mail,
  makeEvent,
  makeSectionEvent,
  preview,
  publishDialog,
  quietCourse,
  rowOf,
  saveAndDone,
  select,
  shownMeeting,
  ZOOM_PATH,
  zoomFault,
} from './support/zoom.ts';

async function openForm(page: Page, ...titles: string[]) {
  await select(page, ...titles);
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await expect(dialog).toBeVisible();
  return dialog;
}

test('OP-09 ZC-43 a session that expires on Save, even twice, does not lose the selection, the host or the alternative hosts', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  const first = await makeEvent(campus, course.id, 'Kept one', 2);
  await makeEvent(campus, course.id, 'Kept two', 3);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  const dialog = await openForm(page, 'Kept one', 'Kept two');
  await chooseHost(page, 'Alma Reyes');
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  const hosts = dialog.getByRole('textbox', { name: 'Alternative hosts' });
  await hosts.fill(mail('hugo.tan'));
  await hosts.press('Enter');
  for (let round = 0; round < 2; round++) {
    await preview(dialog);
    await page.context().clearCookies({ name: 'lms_admin_session' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const over = page.getByRole('alertdialog', { name: 'Login session expired.' });
    await over.getByRole('button', { name: 'Back to login' }).click();
    await page.getByRole('button', { name: /sign in with single sign-on/i }).click();
    const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
    await allow.or(dialog).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    await expect(dialog.getByRole('img', { name: '2 events selected' })).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Zoom Owner' })).toHaveValue('Alma Reyes');
    await expect(dialog.getByRole('switch', { name: 'Visibility', exact: true })).toBeChecked();
    await expect(dialog).toContainText(mail('hugo.tan'));
    expect(await shownMeeting(campus, first.id)).toBeNull();
  }
  await saveAndDone(dialog);
  expect(await shownMeeting(campus, first.id)).not.toBeNull();
  // A reload does not restore saved entries.
  await page.reload();
  await expect(rowOf(page, 'Kept one')).toContainText('Published');
  await expect(rowOf(page, 'Kept one').getByRole('checkbox')).not.toBeChecked();
  await expect(dialog).toBeHidden();
});

test('OP-67 a form with entries asks before Escape or Cancel closes it; one without entries does not', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'Asked', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  const dialog = await openForm(page, 'Asked');
  await preview(dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  await chooseHost(page, 'Bruno Keller');
  await preview(dialog);
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await axe();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(dialog.getByRole('combobox', { name: 'Zoom Owner' })).toHaveValue('Bruno Keller');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, 'Asked').getByRole('checkbox')).toBeChecked();
});

test("ZC-43 while Zoom is down the course's dialog says so, and it works again once Zoom answers", async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'Down', 2);
  await signIn('alma.reyes', ZOOM_PATH);
  const correct = await zoomFault(campus, { match: '/zoom/v2/users*', kind: 'status', status: 500 });
  await lookUp(page, course);
  const alert = courseDialog(page, course).getByRole('alert').filter({ hasText: 'Zoom cannot be used' });
  // People in Zoom are cached for a minute: only after that does the failure show.
  await expect(async () => {
    await page.reload();
    await expect(alert).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await axe();
  await expect(page.getByRole('button', { name: 'Manage Zoom Links' })).toBeDisabled();
  await correct();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Manage Zoom Links' })).toBeEnabled();
  await expect(alert).toBeHidden();
});

test("ZC-23 the dialog names an event's sections with their times, and distinguishes identical events", async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus, 2);
  await makeSectionEvent(campus, course.id, 'By section', 2);
  const twins = [
    await makeEvent(campus, course.id, 'Twin', 4),
    await makeEvent(campus, course.id, 'Twin', 4),
  ];
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await expect(rowOf(page, 'Twin')).toHaveCount(twins.length);
  for (const row of await rowOf(page, /By section|Twin/).all()) {
    const box = row.getByRole('checkbox');
    if ((await box.count()) > 0 && (await box.isEnabled())) await box.press('Space');
  }
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const table = publishDialog(page).getByRole('table', { name: 'Selected Events' });
  for (const { id } of twins) await expect(table).toContainText(`event ${id}`);
  const rows = await table.getByRole('row').allInnerTexts();
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.filter((text) => text.includes('By section') && /\d\d:\d\d/.test(text)).length).toBeGreaterThan(
    1,
  );
});
