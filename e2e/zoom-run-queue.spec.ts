/** The queue of Zoom Event Run by hand (requirements ZR and PERM). */
import type { Page } from '@playwright/test';
import { rows as activityRows } from './support/activity.ts';
import { next } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  adding,
  COMPLETED,
  type Course,
  confirm,
  heading,
  PATH,
  queued,
  queueTab,
  queueTable,
  shown,
  someCourses,
} from './support/zoom-run.ts';

const rowOf = (page: Page, { course_code, id }: Course) =>
  queueTable(page).getByRole('row', { name: new RegExp(`${course_code} .*${id}`) });
const remove = (page: Page, { course_code }: Course) =>
  page.getByRole('button', { name: `Remove ${course_code}` });

/** Types courses to add and goes to the review. */
async function toReview(page: Page, courses: readonly Course[]): Promise<void> {
  await adding(page).fill(courses.map(({ id }) => id).join(' '));
  await page.keyboard.press('Enter');
  await next(page).click();
  await expect(heading(page)).toHaveText('Upload Data (s3)');
}

async function home(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await queueTab(page).click();
}

test('ZR-09 ZR-10 ZR-11 ZR-13 ZR-15 ZR-16 OP-62 PERM-15 courses are added to the queue, are run, and can be removed by people with permission', async ({
  page,
  campus,
  browser,
  sessions,
  signIn,
  axe,
}) => {
  test.slow();
  const [first, second, third] = (await someCourses(campus, 86, 10, 3)) as [Course, Course, Course];
  await signIn('alma.reyes', PATH);
  await queueTab(page).click();
  await adding(page).fill('12x4');
  await page.keyboard.press('Enter');
  await expect(shown(page, 'Only numeric values are allowed.')).toBeVisible();
  await next(page).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Only numeric values are allowed.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await adding(page).fill('');
  await page.getByRole('radio', { name: '60 days' }).check();
  await toReview(page, [first, second]);
  await expect(shown(page, '2 courses will be added to the queue.')).toBeVisible();
  for (const { course_code, name } of [first, second])
    await expect(shown(page, `${course_code} · ${name}`)).toBeVisible();
  await expect(shown(page, 'Events in the next 60 days, added by Alma Reyes')).toBeVisible();
  await axe();

  // In the meantime another person adds a course, but cannot remove any.
  const context = await browser.newContext();
  await sessions.give(context, 'bruno.keller');
  const bruno = await context.newPage();
  await bruno.goto(`${campus.url}${PATH}`);
  await queueTab(bruno).click();
  await toReview(bruno, [third]);
  await confirm(bruno).click();
  await expect(shown(bruno, COMPLETED)).toBeVisible();

  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await expect(shown(page, 'The queue has changed since you opened this page.')).toBeVisible();
  await expect(
    shown(page, `Added since you opened this page: ${third.course_code} · ${third.name}.`),
  ).toBeVisible();
  await axe();

  await home(page);
  await expect(queued(page)).toHaveCount(3);
  await expect(rowOf(page, first)).toContainText('Alma Reyes');
  await expect(rowOf(page, first)).toContainText('60');
  await expect(rowOf(page, third)).toContainText('Bruno Keller');
  await expect(rowOf(page, third)).toContainText('30');

  await home(bruno);
  await expect(queued(bruno)).toHaveCount(3);
  await expect(bruno.getByRole('button', { name: /^Remove / })).toHaveCount(0);
  await expect(
    shown(bruno, 'You can add courses to the queue, but you do not have permission to remove them'),
  ).toBeVisible();
  await context.close();

  // Each course has its run, named in Activity.
  await page.goto('/activity?tool=zoom-run&all=1');
  await expect(activityRows(page).filter({ hasText: 'Zoom run of the queue' })).toHaveCount(3, {
    timeout: 150_000,
  });
  await page.goto(PATH);
  await queueTab(page).click();
  const run = rowOf(page, second).getByRole('link');
  await run.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Zoom run of the queue: .*60 days$/);
  await page.goto(PATH);
  await queueTab(page).click();

  // The course is removed, kept after all, then removed: the review asks for confirmation.
  await remove(page, first).click();
  await expect(rowOf(page, first)).toContainText('To be removed');
  await page.getByRole('button', { name: `Keep ${first.course_code}` }).click();
  await remove(page, first).click();
  await remove(page, third).click();
  await page.reload();
  await expect(rowOf(page, third)).toContainText('To be removed');
  await next(page).click();
  await expect(shown(page, 'Remove 2 courses from the queue?')).toBeVisible();
  await expect(shown(page, `${third.course_code} · ${third.name}, added by Bruno Keller`)).toBeVisible();
  await expect(shown(page, '1 course in the queue stays as it is.')).toBeVisible();
  await confirm(page).click();
  await expect(shown(page, 'The queue is saved.')).toBeVisible();
  await expect(shown(page, 'The queue now has 1 course.')).toBeVisible();
  await expect(shown(page, 'Somebody else')).toHaveCount(0);
  await home(page);
  await expect(queued(page)).toHaveCount(1);
  await expect(rowOf(page, second)).toBeVisible();

  // If others remove courses while this person adds one, all of them are named.
  const other = await page.context().newPage();
  await other.goto(`${campus.url}${PATH}`);
  await queueTab(other).click();
  await remove(other, second).click();
  await next(other).click();
  await toReview(page, [first]);
  await confirm(other).click();
  await expect(shown(other, 'The queue is saved.')).toBeVisible();
  await confirm(page).click();
  await expect(
    shown(page, `Removed since you opened this page: ${second.course_code} · ${second.name}.`),
  ).toBeVisible();
});

test('ZR-17 a queue that does not load says so, can be loaded again, and a single run still works', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await someCourses(campus, 86, 20, 1);
  await page.route('**/api/auth/zoom-s3-course-queue-data', (route) => route.abort());
  await signIn('alma.reyes', PATH);
  await queueTab(page).click();
  await expect(shown(page, 'The queue could not be loaded.')).toBeVisible({ timeout: 60_000 });
  await expect(next(page)).toBeDisabled();
  await axe();
  await page.getByRole('tab', { name: 'One Time Run' }).click();
  await page.getByRole('textbox', { name: 'Course ID' }).fill(String(course?.id));
  await next(page).click();
  await expect(confirm(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await queueTab(page).click();
  await expect(shown(page, 'The queue could not be loaded.')).toBeVisible({ timeout: 60_000 });
  await page.unroute('**/api/auth/zoom-s3-course-queue-data');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(shown(page, /Each course runs once a day/)).toBeVisible();
  await expect(next(page)).toBeEnabled();
});

test('ZR-09 OP-62 unknown and inaccessible courses cannot be added; existing ones stay', async ({
  page,
  campus,
  signIn,
}) => {
  const [one] = (await someCourses(campus, 120, 10, 1)) as [Course];
  const [outside] = (await someCourses(campus, 138, 0, 1)) as [Course];
  await signIn('bruno.keller', PATH);
  await queueTab(page).click();
  await next(page).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog).toContainText('Add a course to the queue, or remove one.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await toReview(page, [one, outside]);
  await expect(
    shown(page, `Course ${outside.id} was not found, or you do not have access to it.`),
  ).toBeVisible();
  await expect(confirm(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: `Remove ${outside.id}` }).click();
  await next(page).click();
  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await home(page);
  await expect(rowOf(page, one)).toBeVisible();
  await toReview(page, [one]);
  await expect(shown(page, 'The queue would not change.')).toBeVisible();
  await expect(shown(page, `Course ${one.id} is already in the queue and is not changed.`)).toBeVisible();
  await expect(confirm(page)).toBeDisabled();
});

test('ZR-04 the queue works in both schemes and both widths, and with the keyboard only', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [one, two] = (await someCourses(campus, 86, 30, 2)) as [Course, Course];
  await signIn('alma.reyes', PATH);
  const looks = () =>
    inEveryLook(page, async (view) => {
      expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
      await axe();
    });
  await tabTo(page, page.getByRole('tab', { name: 'One Time Run' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await tabTo(page, adding(page));
  await page.keyboard.type(`${one.id},${two.id}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Remove ${two.id}` })).toBeVisible();
  await looks();
  await tabTo(page, next(page));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await expect(shown(page, '2 courses will be added to the queue.')).toBeVisible();
  await looks();
  await tabTo(page, confirm(page));
  await page.keyboard.press('Enter');
  await expect(shown(page, COMPLETED)).toBeVisible();
  await looks();
  await home(page);
  await tabTo(page, remove(page, one));
  await page.keyboard.press('Enter');
  await expect(rowOf(page, one)).toContainText('To be removed');
  await looks();
});
