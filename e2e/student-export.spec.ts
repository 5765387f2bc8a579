/** Course Student Export by hand (requirements EXP). */
import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { rows as activityRows } from './support/activity.ts';
import { fault, next, said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import type { Campus } from './support/processes.ts';

const PATH = '/course-student-export';

const field = (page: Page) => page.getByRole('textbox', { name: 'Course ID' });
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true });
const heading = (page: Page) => page.getByRole('heading', { level: 2 }).first();

interface Listed {
  id: number;
  name: string;
  course_code: string;
  total_students: number;
}

/** Finds a course in the practice LMS with students, or without. */
async function courseWith(campus: Campus, students: (count: number) => boolean): Promise<Listed> {
  const url = `${campus.lms}/api/v1/accounts/86/courses?per_page=100&include[]=total_students`;
  const answer = await fetch(url, { headers: { authorization: 'Bearer sandbox-admin-token' } });
  const found = ((await answer.json()) as Listed[]).find((one) => students(one.total_students));
  if (!found) throw new Error('no such course');
  return found;
}

async function review(page: Page, course: string): Promise<void> {
  await field(page).fill(course);
  await next(page).click();
  await expect(heading(page)).toHaveText('Review Selection');
}

async function saved(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8');
}

test('EXP-01 EXP-02 EXP-03 EXP-04 EXP-07 EXP-11 EXP-12 a course found by its address is exported as CSV with groups', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await courseWith(campus, (count) => count > 5);
  await signIn('alma.reyes', PATH);
  await expect(page.getByRole('tab')).toHaveText(['Quick Export', 'Coming Soon']);
  await page.getByRole('tab', { name: 'Coming Soon' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('More ways to export are planned');
  await page.getByRole('tab', { name: 'Quick Export' }).click();
  await page.getByRole('checkbox', { name: 'Include Groups' }).check();
  await review(page, `${campus.lms}/courses/${course.id}/users`);
  const facts = page.locator('dl', { hasText: 'Requested By' });
  for (const fact of [String(course.id), 'Alma Reyes', course.course_code, String(course.total_students)])
    await expect(facts).toContainText(fact);
  await expect(page.getByRole('radio', { name: /^Excel/ })).toBeChecked();
  const comes = page.getByRole('region', { name: 'File contents' });
  await expect(comes).toContainText(`about ${course.total_students} rows below the header`);
  await expect(comes).toContainText('SIS ID/ PeoplesoftID · Section · Groups · Role');
  await axe();
  await page.getByRole('radio', { name: /^CSV/ }).check();
  const begun = page.waitForEvent('download');
  await exportButton(page).click();
  const download = await begun;
  expect(download.suggestedFilename()).toBe(`course-${course.id}-students-data.csv`);
  const lines = (await saved(download)).trimEnd().split('\r\n');
  expect(lines[0]).toBe('\ufeffName,Login,SIS ID/ PeoplesoftID,Section,Groups,Role,Last Activity');
  expect(lines).toHaveLength(course.total_students + 1);
  await expect(said(page, 'Student data successfully downloaded, If not please')).toBeVisible();
  const receipt = page.locator('dl', { hasText: 'File name' });
  await expect(receipt).toContainText(`course-${course.id}-students-data.csv, `);
  await expect(receipt).toContainText(`Rows, one for each student${course.total_students}`);
  await axe();

  // Downloaded again with the link; after a reload nothing is downloaded automatically.
  const again = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Click Here' }).click();
  expect((await saved(await again)).trimEnd().split('\r\n')).toEqual(lines);
  let more = 0;
  page.on('download', () => more++);
  await page.reload();
  await expect(said(page, 'Student data successfully downloaded')).toBeVisible();
  expect(more).toBe(0);

  await page.goto('/activity');
  await expect(activityRows(page).first()).toContainText(
    `Export the students of ${course.course_code} as CSV`,
  );
  await activityRows(page).first().getByRole('link').click();
  const third = page.waitForEvent('download');
  await page.getByRole('link', { name: /students-data\.csv/ }).click();
  expect((await saved(await third)).trimEnd().split('\r\n')).toEqual(lines);
});

test('EXP-05 EXP-08 EXP-09 OP-14 a missing, inaccessible or empty course is reported, and nothing starts', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('bruno.keller', PATH);
  const none =
    'LMS Admin did not find a course that you have access to. Check the number, the SIS ID or the name.';
  for (const [typed, said] of [
    ['', 'Please Enter Correct Course ID'],
    ['No such course', none],
    ['F', 'Type at least 2 characters of the name.'],
  ] as const) {
    await field(page).fill(typed);
    await next(page).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(dialog).toContainText(said);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(field(page)).toBeFocused();
  }
  await review(page, '99999999');
  await expect(page.getByRole('main').getByText('Course ID not found.').first()).toBeVisible();
  await expect(exportButton(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const made = await fetch(`${campus.lms}/api/v1/accounts/86/courses`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' },
    body: JSON.stringify({ course: { name: 'Nobody yet', course_code: 'NONE' }, offer: true }),
  });
  await review(page, String(((await made.json()) as { id: number }).id));
  await expect(
    page.getByRole('main').getByText('Nothing to export, Student count is 0.').first(),
  ).toBeVisible();
  await expect(exportButton(page)).toBeDisabled();
});

test('EXP-06 EXP-19 a slow LMS is reported, a failure can be retried, and an Excel export survives a reload', async ({
  page,
  campus,
  signIn,
}) => {
  const course = await courseWith(campus, (count) => count > 5);
  await signIn('alma.reyes', PATH);
  const corrected = await fault(campus, {
    match: `/api/v1/courses/${course.id}`,
    kind: 'status',
    status: 500,
  });
  // An address identifies the course; a number is looked up first.
  await review(page, `${campus.lms}/courses/${course.id}`);
  await expect(page.getByText('Course details are loading.. please wait.').first()).toBeVisible();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible({ timeout: 60_000 });
  await corrected();
  await again.click();
  await expect(page.locator('dl', { hasText: 'Requested By' })).toBeVisible({ timeout: 60_000 });
  await fault(campus, {
    match: `/api/v1/courses/${course.id}/users`,
    kind: 'latency',
    ms: 3_000,
    count: 1,
  });
  await exportButton(page).click();
  await expect(said(page, 'Downloading.. Excel export will download automatically.')).toBeVisible();
  const begun = page.waitForEvent('download');
  await page.reload();
  expect((await begun).suggestedFilename()).toBe(`${course.course_code}.xlsx`);
});

test('an export can be cancelled and started again', async ({ page, campus, signIn }) => {
  const course = await courseWith(campus, (count) => count > 5);
  await signIn('alma.reyes', PATH);
  await review(page, String(course.id));
  await fault(campus, {
    match: `/api/v1/courses/${course.id}/users`,
    kind: 'latency',
    ms: 20_000,
    count: 1,
  });
  await exportButton(page).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('The export was cancelled.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the review' }).click();
  const begun = page.waitForEvent('download');
  await exportButton(page).click();
  await begun;
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(field(page)).toHaveValue('');
});

test('EXP-02 every step works in both schemes and both widths, and with the keyboard only', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await courseWith(campus, (count) => count > 5);
  await signIn('alma.reyes', PATH);
  const looks = () =>
    inEveryLook(page, async (view) => {
      expect(await sidewaysOverflow(page), view).toBeLessThanOrEqual(0);
      await axe();
    });
  await looks();
  await field(page).focus();
  await page.keyboard.type(String(course.id));
  await expect(next(page)).toBeEnabled();
  await next(page).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await expect(page.locator('dl', { hasText: 'Requested By' })).toBeVisible();
  await looks();
  const begun = page.waitForEvent('download');
  await exportButton(page).focus();
  await page.keyboard.press('Enter');
  await begun;
  await expect(heading(page)).toBeFocused();
  await looks();
});

test('EXP-03 a course is found by its SIS ID or part of its name, several matches are listed, and Enter goes to the next step', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const made: { id: number; name: string }[] = [];
  for (const [index, name] of ['Quaternions A', 'Quaternions B'].entries()) {
    const answer = await fetch(`${campus.lms}/api/v1/accounts/86/courses`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' },
      body: JSON.stringify({ course: { name, course_code: `QT${index}`, sis_course_id: `qt-sis-${index}` } }),
    });
    made.push((await answer.json()) as { id: number; name: string });
  }
  await signIn('bruno.keller', PATH);
  await field(page).fill('quaternions');
  const list = page.getByRole('list', { name: /2 courses were found/ });
  await expect(list).toBeVisible();
  await axe();
  await field(page).press('Enter');
  const warning = page.getByRole('alertdialog');
  await expect(warning).toContainText('2 courses were found. Choose one of them.');
  await expect(warning).not.toContainText('Please Enter Correct Course ID');
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: /Quaternions B/ }).click();
  await expect(field(page)).toHaveValue(String(made[1]?.id));
  await expect(field(page)).toBeFocused();
  await field(page).press('Enter');
  await expect(page.getByRole('main').getByText('Quaternions B', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  // If Enter is pressed before the server's answer, it takes effect afterwards.
  await field(page).fill('qt-sis-0');
  await field(page).press('Enter');
  await expect(page.getByRole('main').getByText('Quaternions A', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await field(page).fill(`https://elsewhere.example/courses/${made[0]?.id}`);
  await expect(page.getByRole('alert')).toContainText('This is not the address of a course in the LMS.');
  await field(page).press('Enter');
  await expect(warning).toContainText('Please Enter Correct Course ID');
});

test("EXP-03 if a number is also another course's SIS ID, one of the two courses has to be selected", async ({
  page,
  campus,
  signIn,
}) => {
  const made: number[] = [];
  const make = async (name: string, sis: string) => {
    const answer = await fetch(`${campus.lms}/api/v1/accounts/86/courses`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' },
      body: JSON.stringify({ course: { name, course_code: name, sis_course_id: sis } }),
    });
    made.push(((await answer.json()) as { id: number }).id);
  };
  await make('Numbered', 'numbered');
  // One of them has the form in which the records office writes class numbers.
  await make('Same number', String(made[0]));
  await make('Leading zero', `0${made[0]}`);
  await signIn('bruno.keller', PATH);
  for (const [typed, name] of [
    [`0${made[0]}`, 'Leading zero'],
    [String(made[0]), 'Same number'],
  ] as const) {
    await field(page).fill(typed);
    // Immediately, before the server has answered.
    await field(page).press('Enter');
    await expect(page.getByRole('alertdialog')).toContainText('2 courses were found. Choose one of them.');
    await page.keyboard.press('Escape');
    const list = page.getByRole('list', { name: /2 courses were found/ });
    await expect(list.getByRole('button')).toHaveCount(2);
    await list.getByRole('button', { name }).click();
    await field(page).press('Enter');
    await expect(page.getByRole('main').getByText(name, { exact: true }).first()).toBeVisible();
    await expect(heading(page)).toHaveText('Review Selection');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
  }
  // If the server does not answer, it is unknown which of them is meant.
  await page.route('**/api/courses/find*', (route) => route.abort());
  await field(page).fill('4321');
  await expect(page.getByText('The course could not be looked up.').first()).toBeVisible({ timeout: 60_000 });
  await expect(next(page)).toBeDisabled();
  await page.unroute('**/api/courses/find*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(next(page)).toBeEnabled();
});
