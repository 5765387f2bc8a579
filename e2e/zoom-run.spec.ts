/** Zoom Event Run by hand: a single run, and the student's view afterwards (requirements ZR). */
import type { Page } from '@playwright/test';
import { rows as activityRows } from './support/activity.ts';
import { fault, next, twoCourses } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  COMPLETED,
  confirm,
  editText,
  eventIn,
  eventNow,
  field,
  heading,
  PATH,
  publish,
  shown,
  someCourses,
} from './support/zoom-run.ts';

async function review(page: Page, course: string): Promise<void> {
  await field(page).fill(course);
  await next(page).click();
  await expect(heading(page)).toHaveText('Upload Data (s3)');
}

test('ZR-01 ZR-02 ZR-03 ZR-04 ZR-05 ZR-06 ZR-08 ZR-14 OP-60 OP-61 OP-63 a run restores a link that was removed by an edit', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await someCourses(campus, 86, 0, 1);
  if (!course) throw new Error('no course');
  const event = await eventIn(campus, course, 'Case day');
  await signIn('alma.reyes', PATH);
  await publish(page, campus, event);
  const student = await context.newPage();
  const link = student.getByRole('link', { name: /\/zoom\/j\/|zoom/i });
  await student.goto(event.html_url);
  await expect(student.getByRole('heading', { level: 1 })).toHaveText('Case day');
  await expect(link).toBeVisible();
  await inEveryLook(student, async (view) => {
    expect(await sidewaysOverflow(student), view).toBeLessThanOrEqual(0);
    await axe(student);
  });
  const joined = await link.getAttribute('href');
  await editText(campus, event, '<p>Only my words.</p>');
  await student.reload();
  await expect(link).toHaveCount(0);

  await expect(page.getByRole('heading', { name: 'Zoom Events run (more than one section)' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['One Time Run', 'Add to Queue']);
  await expect(page.getByRole('radio')).toHaveCount(3);
  await expect(page.getByRole('radiogroup', { name: 'Days' })).toBeVisible();
  await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked();
  await page.getByRole('radio', { name: '60 days' }).check();
  await review(page, `${campus.lms}/courses/${course.id}/calendar`);
  const facts = page.locator('dl', { hasText: 'Requested By' });
  for (const fact of [course.course_code, course.name, String(course.id), '60, until', 'Alma Reyes'])
    await expect(facts).toContainText(fact);
  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await expect(heading(page)).toHaveText('Completed');
  await axe();
  await expect.poll(async () => (await eventNow(campus, event)).description).toContain('lms-admin-zoom');
  await student.reload();
  await expect(student.getByText('Only my words.')).toBeVisible();
  await expect(link).toHaveAttribute('href', joined ?? '');

  // After a reload nothing is started again.
  await page.reload();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await page.getByRole('link', { name: 'Show the run in Activity' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Zoom run: ${course.course_code}, 60 days`,
  );
  await expect(page.getByRole('row', { name: /Case day/ })).toContainText(/put back/i);
  await expect(page.getByRole('link', { name: /zoom-run-.*\.json/ })).toBeVisible();
  await axe();
  await page.goto('/activity?tool=zoom-run');
  await expect(
    activityRows(page).filter({ hasText: `Zoom run: ${course.course_code}, 60 days` }),
  ).toHaveCount(1);
  // A person who has left the tool gets an empty form.
  await page.goto(PATH);
  await expect(heading(page)).toHaveText('Course Data');
  await expect(field(page)).toHaveValue('');
});

test('ZR-12 OP-63 a course that is missing, not a number, unknown or not accessible is reported, and nothing starts', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('bruno.keller', PATH);
  for (const typed of ['', '   ', 'No such course', '12a']) {
    await field(page).fill(typed);
    await next(page).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(dialog).toContainText('Please Enter Correct Course ID');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(field(page)).toBeFocused();
  }
  const [outside] = await someCourses(campus, 138, 0, 1);
  for (const id of [99_999_999, outside?.id]) {
    await review(page, String(id));
    await expect(shown(page, `Course ${id} was not found, or you do not have access to it.`)).toBeVisible();
    await expect(confirm(page)).toBeDisabled();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(field(page)).toHaveValue(String(id));
  }
});

test('ZR-12 if a name matches several courses, the warning asks the person to select one', async ({
  page,
  campus,
  signIn,
}) => {
  const [course] = await twoCourses(campus, 'Octonions');
  await signIn('bruno.keller', PATH);
  await field(page).fill('octonions');
  // Immediately, before the server has answered.
  await field(page).press('Enter');
  const warning = page.getByRole('alertdialog');
  await expect(warning).toContainText('2 courses were found. Choose one of them.');
  await expect(warning).not.toContainText('Please Enter Correct Course ID');
  await page.keyboard.press('Escape');
  await page
    .getByRole('list', { name: /2 courses were found/ })
    .getByRole('button', { name: 'Octonions A' })
    .click();
  await expect(field(page)).toHaveValue(String(course));
  await field(page).fill('octonions of nobody');
  await expect(page.getByRole('main')).toContainText(
    'LMS Admin did not find a course that you have access to.',
  );
});

test('ZR-07 a slow start is reported, a failed one can be retried, and the entries survive a reload', async ({
  page,
  campus,
  signIn,
}) => {
  const [course] = await someCourses(campus, 86, 1, 1);
  await signIn('alma.reyes', PATH);
  await page.getByRole('radio', { name: '90 days' }).check();
  await field(page).fill(String(course?.id));
  await page.reload();
  await expect(field(page)).toHaveValue(String(course?.id));
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked();
  const corrected = await fault(campus, {
    match: `/api/v1/courses/${course?.id}`,
    kind: 'status',
    status: 500,
  });
  await next(page).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible({ timeout: 60_000 });
  await expect(confirm(page)).toBeDisabled();
  await corrected();
  await again.click();
  await expect(page.locator('dl', { hasText: 'Requested By' })).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await expect(page.locator('dl', { hasText: 'Requested By' })).toContainText('90, until');

  // The connection is lost during sending: it is unknown whether the run has started, and retrying means the
  // same run.
  await page.route('**/api/auth/zoom-s3-course-update', (route) => route.abort());
  await confirm(page).click();
  await expect(shown(page, 'Starting the run')).toBeVisible();
  await expect(shown(page, 'The run could not be started.')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Back to the review' }).click();
  await expect(heading(page)).toHaveText('Upload Data (s3)');
  await confirm(page).click();
  await expect(again).toBeVisible({ timeout: 60_000 });
  await page.unroute('**/api/auth/zoom-s3-course-update');
  await again.click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(field(page)).toHaveValue('');
});

test('ZR-03 every step works in both schemes and both widths, and with the keyboard only', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await someCourses(campus, 86, 2, 1);
  await signIn('alma.reyes', PATH);
  const looks = () =>
    inEveryLook(page, async (view) => {
      expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
      await axe();
    });
  await looks();
  await tabTo(page, field(page));
  await page.keyboard.type(String(course?.id));
  await tabTo(page, page.getByRole('radio', { name: '30 days' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '60 days' })).toBeChecked();
  await expect(next(page)).toBeEnabled();
  await tabTo(page, next(page));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await expect(page.locator('dl', { hasText: 'Requested By' })).toBeVisible();
  await looks();
  await tabTo(page, confirm(page));
  await page.keyboard.press('Enter');
  await expect(shown(page, COMPLETED)).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await looks();
});
