/**
 * The SIS Import review before submitting, and how it handles the LMS's answers (requirements SIS and IMP).
 */
import type { Page } from '@playwright/test';
import { enrollmentsIn, fault, importsOf, next, peopleLike } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { sidewaysOverflow } from './support/looks.ts';
import { choose, csv, HEADER, mbaCourses, newPeople, PATH, submit, toReview } from './support/sis-import.ts';
import { duplicateOf } from './support/tabs.ts';

test.describe.configure({ timeout: 120_000 });

const home = (page: Page) => page.getByRole('button', { name: 'Back to Home' });
const typed = (page: Page) => page.getByRole('textbox', { name: 'Number of removals' });

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
