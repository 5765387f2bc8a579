/** Looking up a course, and its table of events. */
import { fault, lmsList, twoCourses } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  cellsOf,
  courseDialog,
  eventTable,
  inDays,
  lookUp,
  makeEvent,
  quietCourse,
  rowOf,
  select,
  ZOOM_PATH,
} from './support/zoom.ts';

// Far from the profile's time zone: the displayed times must not depend on the browser (OP-73).
test.use({ timezoneId: 'America/New_York' });

test('ZC-02 ZC-03 ZC-04 ZC-40 OP-65 a course is opened by its number or its address; Back closes it, and a reload keeps it open', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await quietCourse(campus);
  await signIn('alma.reyes', ZOOM_PATH);
  await expect(page.getByRole('heading', { level: 1, name: 'Zoom Creation' })).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Course ID', exact: true });
  await expect(field).toHaveAccessibleDescription('Type course ID and press enter to continue');
  await axe();
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Type the number of a course');
  await twoCourses(campus, 'Sedenions');
  await field.fill('sedenions');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('2 courses were found. Choose one of them.');
  await field.fill('No such course');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText(
    'LMS Admin did not find a course that you have access to.',
  );
  await field.fill('99999999');
  await field.press('Enter');
  await expect(page.getByText('Unable to find calendar events for requested course.')).toBeVisible();
  await expect(page.getByText(/Check the number \(/)).toBeVisible();
  await axe();
  // An earlier 'not found' does not apply to text that cannot be looked up.
  await field.fill('No such course');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText(
    'LMS Admin did not find a course that you have access to.',
  );
  await expect(page.getByText('Unable to find calendar events for requested course.')).toBeHidden();

  await field.fill(`${campus.lms}/courses/${course.id}/calendar`);
  await page.getByRole('button', { name: 'Open the course' }).click();
  const dialog = courseDialog(page, course);
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText(`Course ID: ${course.id}`)).toBeVisible();
  // A course without events is not a failure.
  await expect(dialog.getByText("Couldn't find the calendar events.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/zoom-creation$/);
  await lookUp(page, course);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(field).toBeFocused();
});

test("ZC-07 ZC-08 ZC-11 ZC-13 ZC-39 OP-64 OP-73 the table has nine columns, times in the profile's time zone and pages, and can start on another day", async ({
  page,
  campus,
  signIn,
}) => {
  const course = await quietCourse(campus);
  for (let n = 0; n < 7; n++) await makeEvent(campus, course.id, `Lecture ${n + 1}`, 1 + n);
  const late = await makeEvent(campus, course.id, 'Far ahead', 40);
  await signIn('alma.reyes', ZOOM_PATH);
  const dialog = await lookUp(page, course);
  const table = eventTable(page);
  for (const name of [
    'Canvas Event ID',
    'TE Reservation ID',
    'Title',
    'Date and Time',
    'Zoom Link',
    'Zoom Host',
    'Co Host',
    'Zoom Link Visibility',
    'Download Calendar (ICS) File',
  ])
    await expect(table.getByRole('columnheader', { name, exact: true })).toBeVisible();
  // The last column fits in a window of 1280 pixels.
  const last = await table.getByRole('columnheader', { name: 'Download Calendar (ICS) File' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 1_280)).toBeLessThan(1_280);
  const paris = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', ...options }).format(date);
  await expect(
    dialog.getByRole('heading', {
      name: `Calendar Events from ${paris(new Date(), { dateStyle: 'medium' })} to Next 30 Days`,
    }),
  ).toBeVisible();
  await expect(dialog.getByText('Times in Europe/Paris')).toBeVisible();
  const cells = await cellsOf(page, 'Lecture 3');
  expect(cells['Date and Time']).toContain(paris(inDays(3), { timeStyle: 'short' }));
  expect(cells['TE Reservation ID']).toBe('');
  expect(cells['Zoom Link Visibility']).toBe('Hidden');
  await expect(rowOf(page, 'Lecture 3').getByRole('link', { name: /opens in the LMS/ })).toHaveAttribute(
    'href',
    new RegExp(`^${campus.lms}/`),
  );
  const sizes = dialog.getByRole('combobox', { name: 'Rows per page' });
  expect(await sizes.getByRole('option').allInnerTexts()).toEqual(['5', '20', '100']);
  await expect(sizes).toHaveValue('20');
  await sizes.selectOption('5');
  await expect(rowOf(page, 'Lecture 7')).toBeHidden();
  await sizes.selectOption('20');

  await select(page, 'Lecture 7');
  const from = new Date(late.start_at).toISOString().slice(0, 10);
  await dialog.getByLabel('From', { exact: true }).fill(from);
  await expect(rowOf(page, 'Far ahead')).toBeVisible();
  await expect(rowOf(page, 'Lecture 1')).toBeHidden();
  // Hidden events cannot stay selected.
  await expect(dialog.getByText('0 selected')).toBeVisible();
  await page.reload();
  await expect(rowOf(page, 'Far ahead')).toBeVisible();
});

test('ZC-15 OP-64 a synchronised event shows the number of its reservation', async ({
  page,
  campus,
  signIn,
}) => {
  interface Seeded {
    id: number;
    start_at: string;
    description: string | null;
    context_code: string;
  }
  const courses = await lmsList<{ id: number; course_code: string }>(campus, 'accounts/1/courses?');
  for (const course of courses) {
    const dates = 'start_date=2026-09-01&end_date=2026-09-30';
    const path = `calendar_events?context_codes[]=course_${course.id}&${dates}`;
    const linked = (await lmsList<Seeded>(campus, path)).find(({ description }) =>
      /ri\.html\?id=/.test(description ?? ''),
    );
    const number = /ri\.html\?id=(\d+)/.exec(linked?.description ?? '')?.[1];
    if (linked === undefined || number === undefined) continue;
    await signIn('alma.reyes', `${ZOOM_PATH}?course=${course.id}&from=2026-09-01`);
    const row = eventTable(page)
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: new RegExp(`^${linked.id}, `) }) });
    await expect(row.getByRole('cell', { name: new RegExp(number) })).toBeVisible();
    return;
  }
  throw new Error('no synchronised event');
});

test('ZC-03 ZC-14 ZC-44 a failed call says so, and can be retried', async ({ page, campus, signIn, axe }) => {
  const course = await quietCourse(campus);
  await makeEvent(campus, course.id, 'Read at last', 2);
  const correct = await fault(campus, {
    match: '/api/v1/calendar_events',
    method: 'GET',
    kind: 'status',
    status: 400,
  });
  await signIn('alma.reyes', `${ZOOM_PATH}?course=${course.id}`);
  const dialog = courseDialog(page, course);
  await expect(dialog.getByRole('alert')).toContainText(
    'Unable to find calendar events for requested course.',
  );
  await axe();
  await correct();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(rowOf(page, 'Read at last')).toBeVisible();
  await expect(dialog.getByRole('alert')).toBeHidden();
});
