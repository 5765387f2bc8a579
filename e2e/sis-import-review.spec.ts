/**
 * The SIS Import review before submitting, and how it handles the LMS's answers (requirements SIS and IMP).
 */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import {
  enrollmentsIn,
  fault,
  importsOf,
  next,
  officeImport,
  peopleLike,
  said,
  step,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  choose,
  csv,
  HEADER,
  mbaCourses,
  newPeople,
  PATH,
  submit,
  toReview,
  upload,
} from './support/sis-import.ts';
import { duplicateOf } from './support/tabs.ts';

test.describe.configure({ timeout: 120_000 });

const TOKEN = { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' };
const home = (page: Page) => page.getByRole('button', { name: 'Back to Home' });
const typed = (page: Page) => page.getByRole('textbox', { name: 'Number of removals' });
/** Reads the number that the review asks for. */
async function askedNumber(notice: Locator): Promise<number> {
  const text = await notice.innerText();
  return Number(/confirm the number of removals: ([\d,]+)\./.exec(text)?.[1]?.replace(',', ''));
}

test('SIS-06 rows for a course that the LMS does not have are pointed out before they are sent', async ({
  page,
  signIn,
  axe,
}) => {
  // The screen is a phone's, and the name is wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  const name = `${'typing errors, corrected again '.repeat(3)}${'x'.repeat(60)}.csv`;
  await signIn('alma.reyes', PATH);
  await toReview(page, csv(name, [HEADER, 'NO-SUCH-1,1,3,,active', 'NO-SUCH-2,1,3,,deleted'].join('\n')));
  const courses = page.getByRole('table', { name: 'Courses in the file' });
  await expect(courses).toContainText('NO-SUCH-1', { timeout: 20_000 });
  await expect(courses).toContainText('NO-SUCH-2');
  await expect(courses).toContainText('The LMS does not have this course or section.');
  expect(await sidewaysOverflow(page)).toBe(0);
  await axe();
  // A removal row in a course that was not found counts: the LMS's answer may be wrong.
  const notice = page.getByRole('region', { name: 'This file could remove 1 enrolment' });
  await expect(notice).toContainText('1 enrolment could not be compared with the LMS');
  await expect(submit(page)).toBeDisabled();
  await typed(page).fill('1');
  await submit(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 40_000 });
  expect(await sidewaysOverflow(page)).toBe(0);
});

test('SIS-06 people removed from a course are shown with the group and the observer affected', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const id = course?.id ?? 0;
  const student = (await enrollmentsIn(campus, id)).find(
    ({ sis_user_id: sis, sis_section_id: section }) => sis !== null && section,
  );
  const call = (path: string, body: object) =>
    fetch(`${campus.lms}/api/v1/${path}`, { method: 'POST', headers: TOKEN, body: JSON.stringify(body) });
  const made = async (path: string, body: object) =>
    (await (await call(path, body)).json()) as { id: number };
  const category = await made(`courses/${id}/group_categories`, { name: 'Debates' });
  const group = await made(`group_categories/${category.id}/groups`, { name: 'Debate north' });
  await made(`groups/${group.id}/memberships`, { user_id: student?.user_id });
  const observer = (await peopleLike(campus, 'moreau')).find(
    (one) => one.sis_user_id !== student?.sis_user_id,
  );
  const link = `observer_id,student_id,status\n${observer?.sis_user_id},${student?.sis_user_id},active`;
  await officeImport(campus, link);
  await signIn('alma.reyes', PATH);
  const row = `${course?.sis_course_id},${student?.sis_user_id},3,${student?.sis_section_id},deleted`;
  await toReview(page, csv('leaves.csv', [HEADER, row].join('\n')));
  await expect(page.getByRole('region', { name: /^This file removes/ })).toBeVisible({ timeout: 20_000 });
  const line = page
    .getByRole('table', { name: 'Courses in the file' })
    .getByRole('row')
    .filter({ hasText: 'removed' })
    .filter({ hasText: /leaves the groups? (?:.+, )?Debate north(?:, .+)?, with 1 observer/ });
  await expect(line).toBeVisible();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBe(0);
    await axe();
  });
});

test('SIS-06 IMP-15 IMP-18 OP-36 rejected rows are shown beside their problems; once corrected, they succeed', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const people = await peopleLike(campus, 'abbott');
  const line = (id: string | null | undefined) => `${course?.sis_course_id},${id},3,,active`;
  await signIn('alma.reyes', PATH);
  await toReview(
    page,
    csv(
      'autumn.csv',
      [HEADER, line(people[0]?.sis_user_id), line('NOBODY-1'), '', line('NOBODY-2')].join('\n'),
    ),
  );
  await submit(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 40_000 });
  await expect(said(page, '1 of 3 rows were applied. The others were not.')).toBeVisible();
  const table = page.getByRole('table', { name: 'Messages for each row' });
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(3);
  // Row numbers are those of the administrator's own file, including its empty line.
  for (const [at, row, id] of [
    [1, '3', 'NOBODY-1'],
    [2, '5', 'NOBODY-2'],
  ] as const) {
    await expect(rows.nth(at).getByRole('cell').first()).toHaveText(row);
    await expect(rows.nth(at)).toContainText(`user_id: ${id}`);
    await expect(rows.nth(at)).toContainText(`No person in the LMS has the SIS ID '${id}'`);
  }
  await axe();
  await table.getByRole('button', { name: 'Show row 5' }).click();
  const dialog = page.getByRole('dialog', { name: 'Row 5' });
  await expect(dialog).toContainText(course?.sis_course_id ?? '');
  await expect(dialog.getByRole('definition').filter({ hasText: '(empty)' })).toHaveCount(1);
  await axe();
  await dialog.getByRole('button', { name: 'Close' }).click();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download these rows as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('autumn-failed-rows.csv');
  const failed = await readFile(await download.path(), 'utf8');
  expect(failed.replace('\ufeff', '').trim().split('\n')).toEqual([
    HEADER,
    line('NOBODY-1'),
    line('NOBODY-2'),
  ]);

  await home(page).click();
  await expect(step(page)).toHaveText('Select SIS Type');
  const corrected = failed
    .replace('NOBODY-1', people[1]?.sis_user_id ?? '')
    .replace('NOBODY-2', people[2]?.sis_user_id ?? '');
  await toReview(page, csv('autumn-failed-rows.csv', corrected));
  await submit(page).click();
  await expect(said(page, 'The import is complete and all records were successfully imported.')).toBeVisible({
    timeout: 40_000,
  });
  const there = await enrollmentsIn(campus, course?.id ?? 0);
  for (const person of people.slice(0, 3)) {
    expect(there.some((one) => one.sis_user_id === person.sis_user_id)).toBe(true);
  }
});

test('SIS-04 semicolons, Windows-1252 and UTF-16 from Excel are converted correctly, and a notice says so', async ({
  page,
  signIn,
}) => {
  const text =
    'user_id;login_id;first_name;last_name;status\r\nENC1;enc1@northbridge.example;Zoë;Müller;active\r\n';
  await signIn('alma.reyes', PATH);
  await toReview(page, csv('excel.csv', Buffer.from(text, 'latin1')));
  const notices = page.getByRole('region', { name: 'About this file' });
  await expect(notices).toContainText('Windows-1252');
  await expect(notices).toContainText('semicolons');
  await expect(page.getByRole('cell', { name: 'Zoë' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await choose(page, csv('unicode.csv', Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le')));
  await next(page).click();
  await expect(notices).toContainText('UTF-16');
  await expect(notices).toContainText('tabs');
  await expect(page.getByRole('cell', { name: 'Müller' })).toBeVisible();
});

test('SIS-06 OP-53 problems in rows are shown in a table of these rows with the marked cell; another file can be selected with one click', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await upload(
    page,
    csv('wrong.csv', [HEADER, 'C1,7,3,,active', 'C1,,3,,active', 'C1,7,3,,gone'].join('\n')),
  );
  await expect(said(page, '2 of 3 rows have a problem')).toBeVisible();
  const table = page.getByRole('table', { name: 'Problems in the file' });
  const cells = (row: number) => table.getByRole('row').nth(row).getByRole('cell');
  await expect(cells(1).first()).toHaveText('3');
  await expect(cells(1).nth(1)).toContainText('missing');
  await expect(cells(2).nth(1)).toContainText('"gone"');
  await expect(page.getByRole('textbox', { name: 'status, row 4' })).toHaveValue('gone');
  // The problem can be read without scrolling sideways.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 390, height });
  const field = page.getByRole('textbox', { name: 'status, row 4' });
  // The rows have become cards by then.
  await expect(async () => {
    await field.scrollIntoViewIfNeeded();
    const box = await field.boundingBox();
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }).toPass();
  await page.setViewportSize({ width, height });
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText(
    'Correct the file above, then select “Continue” there',
  );
  await axe();
  await page.getByRole('button', { name: 'Select another file' }).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await choose(page, csv('right.csv', newPeople('SISG', 1)));
  await next(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  expect(await importsOf(campus)).toBe(before);
});

test('OP-53 deletions are described in words; if there are many, their number has to be typed', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = (await mbaCourses(campus)).slice(1);
  const there = (await enrollmentsIn(campus, course?.id ?? 0)).filter((one) => one.sis_user_id !== null);
  const removed = there.slice(0, 3);
  const rows = removed.map((one) =>
    [course?.sis_course_id, one.sis_user_id, 3, one.sis_section_id ?? '', 'deleted'].join(','),
  );
  await signIn('alma.reyes', PATH);
  await toReview(page, csv('leavers.csv', [HEADER, ...rows].join('\n')));
  // More than 3 if an observer follows one of them: other tests that share this practice LMS create some.
  const notice = page.getByRole('region', { name: /^This file removes \d+ enrolments/ });
  await expect(notice).toContainText('only from the default section of the course');
  await expect(notice).toContainText(
    /loses \d+ enrolments.*\(\d+ are active now\).*more than 5% of the active enrolments/s,
  );
  const number = await askedNumber(notice);
  expect(number).toBeGreaterThanOrEqual(3);
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText(
    `Type ${number} in the field above`,
  );
  await axe();
  const field = typed(page);
  await field.fill(String(number + 1));
  await expect(submit(page)).toBeDisabled();
  await field.fill(String(number));
  await expect(submit(page)).toBeEnabled();
  // A reload keeps the typed number, and the import receives it.
  await page.reload();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  await submit(page).click();
  await expect(home(page)).toBeVisible({ timeout: 40_000 });
  const left = await enrollmentsIn(campus, course?.id ?? 0);
  expect(left.filter((one) => removed.some((gone) => gone.user_id === one.user_id))).toEqual([]);
});

test('OP-53 deleted people are named as such, and more than 50 rows require the number', async ({
  page,
  campus,
  signIn,
}) => {
  const leavers = (await peopleLike(campus, 'an')).filter((one) => one.sis_user_id && one.login_id);
  const rows = leavers.slice(0, 51).map((one) => `${one.sis_user_id},${one.login_id},deleted`);
  await signIn('alma.reyes', PATH);
  await toReview(page, csv('51.csv', ['user_id,login_id,status', ...rows].join('\n')));
  const notice = page.getByRole('region', { name: /^This file removes 51 people, [\d,]+ enrolments/ });
  await expect(notice).toContainText('Administrator roles of deleted people also end.');
  await expect(notice).toContainText('enrolments and group memberships that end with a person');
  await expect(notice).toContainText('This file removes more than 50 items.');
  await expect(submit(page)).toBeDisabled();
  await typed(page).fill('51');
  await expect(submit(page)).toBeDisabled();
  await typed(page).fill(String(await askedNumber(notice)));
  await expect(submit(page)).toBeEnabled();
});

test('SIS-06 OP-53 the review depends on what the LMS contains: it shows people field by field, rejected rows, rows without effect, and a course with its people', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = (await mbaCourses(campus)).slice(3);
  const [known, other] = (await peopleLike(campus, 'abbott')).filter((one) => one.login_id);
  await signIn('alma.reyes', PATH);
  const users = ['user_id,login_id,full_name,status', 'NEW-77,new77@northbridge.example,New One,active'];
  const show = page.getByRole('combobox', { name: 'Show' });
  await toReview(
    page,
    csv('people.csv', [...users, `${known?.sis_user_id},${known?.login_id},Other Name,active`].join('\n')),
  );
  const figures = page.getByLabel('Changes in this file', { exact: true });
  await expect(figures).toContainText('New people', { timeout: 20_000 });
  const changed = page.getByRole('table', { name: '1 person changed' });
  await expect(changed.getByRole('row').nth(1)).toContainText(`full_name: ${known?.name} → Other Name`);
  await expect(changed.getByRole('link', { name: `Open ${known?.name} in the LMS` })).toHaveAttribute(
    'href',
    new RegExp(`/users/${known?.id}$`),
  );
  await axe();
  await show.selectOption('1 new person');
  await expect(page.getByRole('table', { name: '1 new person' })).toContainText('New One');

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await choose(
    page,
    csv('taken.csv', [...users, `${known?.sis_user_id},${other?.login_id},x,deleted`].join('\n')),
  );
  await next(page).click();
  await expect(
    page.getByRole('region', { name: 'In 1 row, the login and the SIS ID belong to different people' }),
  ).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('table', { name: '1 person will be rejected' })).toContainText(
    `The login "${other?.login_id}" belongs to`,
  );
  await expect(submit(page)).toBeDisabled();
  await axe();

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const [there] = (await enrollmentsIn(campus, course?.id ?? 0)).filter((one) => one.sis_user_id !== null);
  const same = [
    course?.sis_course_id,
    there?.sis_user_id,
    there?.role_id,
    there?.sis_section_id ?? '',
    'active',
  ];
  await choose(page, csv('same.csv', [HEADER, same.join(','), same.join(',')].join('\n')));
  await next(page).click();
  await expect(
    page.getByText('None of these rows changes anything, but the LMS still counts them as imported.'),
  ).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('region', { name: /This file removes/ })).toHaveCount(0);
  await show.selectOption('2 enrolments unchanged');
  await expect(page.getByRole('table', { name: '2 enrolments unchanged' })).toContainText(
    'Row 2 already says the same.',
  );
  await show.selectOption('2 enrolments, course by course');
  const nested = page.getByRole('table', { name: 'Courses in the file' });
  await expect(nested).toContainText('2 unchanged');
  await expect(nested).toContainText('Row 2 already says the same.');
  const toggle = nested.getByRole('button', { name: `2 rows below ${course?.name}` });
  await toggle.click();
  await expect(nested).not.toContainText('Row 2 already says the same.');
  await axe();

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const courses = `course_id,short_name,long_name,status\n${course?.sis_course_id},x,y,deleted`;
  await choose(page, csv('courses.csv', courses));
  await next(page).click();
  const notice = page.getByRole('region', { name: /^This file removes 1 course(,| and) \d+ enrolments/ });
  await expect(notice).toContainText(
    'A course or a section with enrolments in it is deleted, concluded or moved.',
    {
      timeout: 20_000,
    },
  );
  await expect(page.getByRole('table', { name: '1 course deleted' })).toContainText(/with \d+ enrolments/);
  await expect(submit(page)).toBeDisabled();
});

test('SIS-06 ACT-10 the result and Activity show what was confirmed: the deleted course, and everything that ended with it', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [one, two] = (await peopleLike(campus, 'bauer')).map(({ sis_user_id }) => sis_user_id ?? '');
  await officeImport(campus, 'course_id,short_name,long_name,status\nENDS-1,ENDS,Last Course,active');
  await officeImport(
    campus,
    `course_id,user_id,role_id,status\nENDS-1,${one},3,active\nENDS-1,${two},3,active`,
  );
  await signIn('alma.reyes', PATH);
  await toReview(
    page,
    csv('end.csv', 'course_id,short_name,long_name,status\nENDS-1,ENDS,Last Course,deleted'),
  );
  const notice = page.getByRole('region', { name: 'This file removes 1 course and 2 enrolments' });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await typed(page).fill('3');
  await submit(page).click();
  await expect(home(page)).toBeVisible({ timeout: 60_000 });
  const told = async () => {
    await expect(
      said(
        page,
        'Removed, including everything that ends as a result: 1 course and 2 enrolments. The number that you confirmed: 3.',
      ),
    ).toBeVisible();
    await expect(said(page, 'Courses deleted: Last Course (ENDS-1).')).toBeVisible();
    await axe();
  };
  await told();
  await page.goto('/activity');
  await page
    .getByRole('link', { name: /end\.csv/ })
    .first()
    .click();
  await told();
});

test('SIS-05 if a login belongs to another person, both cells can be corrected, and the reason is given once', async ({
  page,
  campus,
  signIn,
}) => {
  const [known, other] = (await peopleLike(campus, 'abbott')).filter((one) => one.login_id);
  await signIn('alma.reyes', PATH);
  const row = `${known?.sis_user_id},${other?.login_id},Other Name,active`;
  await toReview(page, csv('both.csv', `user_id,login_id,full_name,status\n${row}`));
  await page.getByRole('button', { name: 'Correct these rows' }).click({ timeout: 20_000 });
  const wrong = page.getByRole('row').filter({ hasText: 'Other Name' });
  await expect(wrong.getByRole('textbox')).toHaveCount(2);
  await expect(wrong.getByText(/belongs to/)).toHaveText(/^(?!.*belongs to.*belongs to)/);
});

test('SIS-06 the comparison can be cancelled and restarted, and a reload finds it', async ({
  page,
  campus,
  signIn,
}) => {
  const [course] = (await mbaCourses(campus)).slice(4);
  const [person] = await peopleLike(campus, 'abbott');
  await fault(campus, { match: '/api/v1/courses/*/enrollments', kind: 'latency', ms: 60_000, count: 1 });
  await signIn('alma.reyes', PATH);
  await toReview(
    page,
    csv('slow.csv', `${HEADER}\n${course?.sis_course_id},${person?.sis_user_id},3,,active`),
  );
  await expect(page.getByText(/^(?:Reading the LMS|Comparing with the LMS)/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const again = page.getByRole('button', { name: 'Compare again' });
  await expect(page.getByText('The comparison was cancelled. Nothing has been sent.')).toBeVisible();
  await expect(submit(page)).toBeDisabled();
  await again.click();
  await expect(submit(page)).toBeEnabled({ timeout: 30_000 });
  await page.reload();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
});

test('OP-42 two tabs with the same file submit it once; the later one follows the import', async ({
  page,
  campus,
  signIn,
}) => {
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, csv('twice.csv', newPeople('SISH', 2)));
  const [twin, late] = [await duplicateOf(page), await duplicateOf(page)];
  await twin.goto(PATH);
  await expect(submit(twin)).toBeEnabled({ timeout: 20_000 });
  await Promise.all([submit(page).click(), submit(twin).click()]);
  for (const one of [page, twin]) await expect(home(one)).toBeVisible({ timeout: 40_000 });
  await late.goto(PATH);
  await expect(late.getByRole('region', { name: 'This file has already been submitted' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(submit(late)).toBeDisabled();
  await late.getByRole('button', { name: 'Follow the import' }).click();
  await expect(home(late)).toBeVisible({ timeout: 40_000 });
  expect(await importsOf(campus)).toBe(before + 1);
});
