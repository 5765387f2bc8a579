/**
 * Rows with an id that the LMS does not have are corrected; possible removals are not described as certain
 * (SIS-05, SIS-06).
 */

import { enrollmentsIn, lmsOne, said } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { csv, HEADER, mbaCourses, PATH, submit, toReview } from './support/sis-import.ts';

test('SIS-05 SIS-06 a mistyped course in a removal can be corrected, and the review is correct before and after', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = await mbaCourses(campus);
  const [one] = await enrollmentsIn(campus, course?.id ?? 0);
  const user = await lmsOne<{ sis_user_id: string }>(campus, `users/${one?.user_id}`);
  await signIn('alma.reyes', PATH);
  await toReview(page, csv('typo.csv', [HEADER, `NO-SUCH-9,${user.sis_user_id},3,,deleted`].join('\n')));
  await expect(page.getByRole('region', { name: 'This file could remove 1 enrolment' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(said(page, '1 row names an ID that the LMS does not have')).toBeVisible();
  await expect(page.getByText('Could remove 1 enrolment', { exact: true })).toBeVisible();
  await axe();
  await page.getByRole('button', { name: 'Correct these IDs' }).click();
  await expect(said(page, '1 of 1 row has a problem')).toBeVisible();
  await page.getByRole('textbox', { name: /^Replace “NO-SUCH-9”/ }).fill(course?.sis_course_id ?? '');
  await page.getByRole('button', { name: 'Use this value' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('region', { name: /could remove/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Correct these IDs' })).toHaveCount(0);
  await expect(submit(page)).toBeVisible();
});
