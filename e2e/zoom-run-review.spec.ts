/** The review of a single Zoom run matches the state of the LMS and Zoom after the run (requirements ZR). */
import { lmsList, next } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import { inZoom, makeEvent, quietCourse, shownMeeting, zoomFault } from './support/zoom.ts';
import {
  COMPLETED,
  type Course,
  confirm,
  eventIn,
  field,
  heading,
  PATH,
  publish,
  shown,
} from './support/zoom-run.ts';

test('ZR-05 OP-60 OP-102 the review names every event that changes, and the run does exactly that', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const course = await quietCourse(campus);
  const make = (title: string, days: number) => makeEvent(campus, course.id, title, days);
  const [lost, kept, bare] = [await make('Lost', 2), await make('Kept', 3), await make('Bare', 4)];
  await signIn('alma.reyes', PATH);
  for (const { id } of [lost, kept]) await publish(page, campus, { id, html_url: '', description: null });
  const meetingOf = async () => ({
    lost: await shownMeeting(campus, lost.id),
    kept: await shownMeeting(campus, kept.id),
    bare: await shownMeeting(campus, bare.id),
  });
  const before = await meetingOf();
  expect(await inZoom(campus, `/meetings/${before.lost}`, 'DELETE')).toBe(204);

  // Zoom is down: the page says why the review is missing, and nothing can be confirmed.
  const corrected = await zoomFault(campus, { match: '/zoom/v2/*', kind: 'status', status: 503 });
  await field(page).fill(String(course.id));
  await next(page).click();
  await expect(heading(page)).toHaveText('Upload Data (s3)');
  await expect(confirm(page)).toBeDisabled();
  await expect(shown(page, 'The review could not be completed.')).toBeVisible({ timeout: 120_000 });
  await expect(confirm(page)).toBeDisabled();
  await axe();
  await corrected();
  await page.getByRole('button', { name: 'Review again' }).click();

  const sentence = '3 events: 1 gets a new link, 1 gets a new meeting, 1 stays as it is.';
  await expect(shown(page, sentence)).toBeVisible({ timeout: 60_000 });
  await expect(shown(page, 'In Zoom: 2 meetings will be created.')).toBeVisible();
  const table = page.getByRole('table', { name: 'Events that change or need attention' });
  await expect(
    table.getByRole('row', { name: /Lost .*\d\d:\d\d.*Gets a new link. Students can see/ }),
  ).toBeVisible();
  await expect(
    table.getByRole('row', { name: /Bare .*\d\d:\d\d.*Gets a new meeting, hidden/ }),
  ).toBeVisible();
  await expect(table.getByRole('row', { name: /Kept/ })).toHaveCount(0);
  // None of the events has a note.
  await expect(table.getByRole('columnheader', { name: 'Note' })).toHaveCount(0);
  await inEveryLook(page, async (view) => {
    expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
    await axe();
  });
  expect(await meetingOf()).toEqual(before);

  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await expect.poll(() => shownMeeting(campus, lost.id), { timeout: 60_000 }).not.toBe(before.lost);
  await page.getByRole('link', { name: 'Show the run in Activity' }).click();
  await expect(page.getByRole('row', { name: /Bare/ })).toContainText(/Done/, { timeout: 60_000 });
  const after = await meetingOf();
  expect(after.lost).not.toBeNull();
  expect(await inZoom(campus, `/meetings/${after.lost}`)).toBe(200);
  expect({ kept: after.kept, bare: after.bare }).toEqual({ kept: before.kept, bare: null });

  // The previewed changes have been made: the next review finds nothing.
  await page.goto(PATH);
  await field(page).fill(String(course.id));
  await next(page).click();
  await expect(shown(page, 'There is nothing to do. All 3 events are up to date.')).toBeVisible({
    timeout: 60_000,
  });
  await axe();
});

test("ZR-05 the times in the review are in the course's time zone, which it names, as the result does", async ({
  page,
  campus,
  signIn,
}) => {
  const courses = await lmsList<Course & { time_zone: string }>(
    campus,
    'accounts/1/courses?state[]=available',
  );
  const course = courses.find(({ time_zone }) => time_zone === 'Asia/Singapore');
  if (!course) throw new Error('no course in Singapore');
  const { start_at } = await eventIn(campus, course, 'Far away');
  await signIn('alma.reyes', PATH);
  await field(page).fill(String(course.id));
  await next(page).click();
  const row = page
    .getByRole('table', { name: 'Events that change or need attention' })
    .getByRole('row', { name: /Far away/ });
  // The event begins at 10:00 UTC; Alma Reyes's profile is in the Paris time zone.
  expect(start_at).toContain('T10:00');
  await expect(row).toContainText(', 18:00', { timeout: 60_000 });
  await expect(shown(page, 'Times in Asia/Singapore')).toBeVisible();
  await confirm(page).click();
  await page.getByRole('link', { name: 'Show the run in Activity' }).click();
  await expect(page.getByRole('row', { name: /Far away, .*, 18:00 \(Asia\/Singapore\)/ })).toContainText(
    /Done/,
    {
      timeout: 60_000,
    },
  );
});
