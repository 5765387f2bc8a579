/**
 * Activity while work is running: returning to a wizard, cancelling, the page title, notices and the layout.
 */
import type { Page } from '@playwright/test';
import { entry, fact, leaveTo, list, PATH, row, rows, sendFile, title } from './support/activity.ts';
import { PATH as COURSES, fault, MIM, mimMaterial, said, toReview } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

// Slow enough for a person, or a test, to see the states in between.
test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

test('a wizard with a running import says so when a person returns to it, and links to the progress', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/sis-import');
  await sendFile(page, 'long.csv', 'ACTL', 60);
  await expect(entry(page)).toHaveAccessibleName('Activity, 1 running');
  await expect(page).toHaveTitle('(1) SIS Import · LMS Admin');
  await leaveTo(page, 'Search Users');
  await leaveTo(page, 'SIS Import');
  const notice = page.getByRole('region', { name: /^Your import from \d\d:\d\d is at \d+%\.$/ });
  await expect(notice).toContainText('long.csv');
  await axe();
  // Other tools have no running import.
  await leaveTo(page, 'Create Users');
  await expect(page.getByRole('region', { name: /^Your import/ })).toHaveCount(0);
  await leaveTo(page, 'SIS Import');
  await notice.getByRole('link', { name: 'Show the import' }).click();
  await expect(title(page)).toContainText('long.csv');
  await expect(title(page)).toBeFocused();
  await expect(fact(page, 'State')).toContainText('Running');
  await expect(said(page, 'The request is currently processing.')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress of the import' })).toHaveAttribute(
    'aria-valuenow',
    '70',
  );
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await expect(said(page, 'All done: the LMS applied all 60 rows that were sent.')).toBeVisible({
    timeout: 60_000,
  });
  await expect(entry(page)).toHaveAccessibleName('Activity');
  await expect(page).toHaveTitle('Activity · LMS Admin');
});

test('a wizard shows an import that was just sent from another tab, and then its result, until the result is opened', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/search-users');
  const another = await context.newPage();
  await another.goto('/sis-import');
  await expect(title(another)).toHaveText('SIS Import');
  await sendFile(page, 'seen-later.csv', 'ENDS', 60);
  const goesOn = another.getByRole('region', { name: /^Your import from \d\d:\d\d is / });
  await expect(goesOn).toContainText('seen-later.csv', { timeout: 10_000 });
  // A person who leaves before the end has not seen it.
  await page.close();
  const ended = another.getByRole('region', { name: /^Your import from \d\d:\d\d has ended: done\.$/ });
  await expect(ended).toContainText('seen-later.csv', { timeout: 60_000 });
  await axe(another);
  await ended.getByRole('link', { name: 'Show the import' }).click();
  await expect(title(another)).toContainText('seen-later.csv');
  await leaveTo(another, 'SIS Import');
  await expect(another.getByRole('region', { name: /^Your import/ })).toHaveCount(0);
});

test('a review continues when its screen is closed, and can be cancelled from Activity', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses } = await mimMaterial(campus);
  await signIn('alma.reyes', COURSES);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'latency', ms: 30_000 });
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 1),
    people: Array.from({ length: 40 }, (_, index) => `nobody.here${index}@northbridge.example`),
  });
  await expect(said(page, 'Looking up people')).toBeVisible();
  await entry(page).click();
  const review = row(page, 'Running').filter({ hasText: 'Course Enrollment' });
  await review.getByRole('link').click();
  await expect(said(page, 'Looking up people')).toBeVisible();
  await axe();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(fact(page, 'State')).toContainText('Cancelled', { timeout: 30_000 });
  await expect(page.getByRole('alert')).toContainText('Nothing was sent');
  await axe();
  // The wizard that requested it shows the same.
  await page.goto(COURSES);
  await expect(said(page, 'The review was cancelled. Nothing has been sent.')).toBeVisible();
  await slow();
});

test('an import that has not reached the LMS can be cancelled after a confirmation', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/sis-import');
  // Before LMS Admin sends anything, it checks which LMS it is talking to.
  const away = await fault(campus, { match: '/api/v1/accounts/1', kind: 'status', status: 503 });
  await sendFile(page, 'called back.csv', 'ACTC', 3);
  await page.goto(PATH);
  await row(page, 'called back.csv').getByRole('link').click();
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.click();
  const question = page.getByRole('alertdialog', { name: 'Stop this work?' });
  await expect(question.getByRole('button', { name: 'Keep running' })).toBeFocused();
  await axe();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();
  await cancel.click();
  await question.getByRole('button', { name: 'Stop' }).click();
  await expect(fact(page, 'State')).toContainText('Cancelled', { timeout: 60_000 });
  await expect(page.getByRole('alert')).toContainText('nothing in the LMS has changed');
  await away();
});

/** Simulates a person looking elsewhere, because a headless browser always counts as being looked at. */
async function look(page: Page, at: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, at);
}

test('a person who is looking elsewhere is notified by the page title, and on request by the browser', async ({
  page,
  signIn,
}) => {
  // A headless browser shows no notifications and always denies them; this one asks, is allowed, and records
  // them.
  await page.addInitScript(() => {
    const shown: string[] = [];
    let asked = Number(localStorage.getItem('asked'));
    class Notices extends EventTarget {
      static get permission() {
        return asked > 0 ? 'granted' : 'default';
      }
      static requestPermission() {
        asked += 1;
        localStorage.setItem('asked', String(asked));
        return Promise.resolve('granted');
      }
      constructor(title: string, { body }: { body: string }) {
        super();
        shown.push(`${title} | ${body}`);
      }
    }
    Object.assign(window, { Notification: Notices, shown });
  });
  await signIn('alma.reyes', PATH);
  const toggle = page.getByRole('switch', { name: 'Notify me when work finishes' });
  await expect(toggle).not.toBeChecked();
  const asked = () => page.evaluate(() => Number(localStorage.getItem('asked')));
  expect(await asked()).toBe(0);
  await toggle.click();
  await expect(toggle).toBeChecked();
  expect(await asked()).toBe(1);
  await sendFile(page, 'told.csv', 'ACTT', 16);
  await expect(page).toHaveTitle(/^\(1\) /);
  await look(page, 'hidden');
  await expect(page).toHaveTitle('✓ SIS Import · LMS Admin', { timeout: 90_000 });
  const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  expect(shown).toEqual([expect.stringMatching(/^Done: .*told\.csv.* \| SIS Import · LMS Admin$/)]);
  await look(page, 'visible');
  await expect(page).toHaveTitle('SIS Import · LMS Admin');
  await page.goto(PATH);
  await expect(toggle).toBeChecked();
  await toggle.uncheck();
  await page.reload();
  await expect(toggle).not.toBeChecked();
});

test('the list works in both schemes, as narrow as a phone, and with the keyboard only', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/sis-import');
  await sendFile(page, `${'a-very-long-name-of-a-file-'.repeat(4)}.csv`, 'ACTW', 2);
  await expect(said(page, 'The import is complete')).toBeVisible({ timeout: 30_000 });
  await entry(page).focus();
  await page.keyboard.press('Enter');
  await expect(title(page)).toBeFocused();
  await expect(rows(page).first()).toBeVisible();
  await inEveryLook(page, async (view) => {
    expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
    const target = await entry(page).boundingBox();
    expect(Math.min(target?.width ?? 0, target?.height ?? 0), view).toBeGreaterThanOrEqual(44);
    // A row is one line; on a phone it is a card small enough for several to be visible.
    const most = view.includes('narrow') ? 240 : 41;
    expect((await rows(page).first().boundingBox())?.height, view).toBeLessThanOrEqual(most);
    await axe();
  });
  await title(page).focus();
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr') !== null);
  for (let press = 0; press < 20 && !(await focused()); press++) await page.keyboard.press('Tab');
  expect(await focused()).toBe(true);
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('a-very-long-name');
  await expect(title(page)).toBeFocused();
  await inEveryLook(page, async (view) => {
    expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
    await axe();
  });
  await page.goBack();
  await expect(list(page)).toBeVisible();
});
