/**
 * Cross-listing into a course that the LMS does not have: nothing is sent until the course is allowed by its
 * SIS ID (requirements SIS).
 */
import {
  enrollmentsIn,
  type LmsCourse,
  lmsList,
  lmsOne,
  said,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import { csv, PATH, submit, toReview } from './support/sis-import.ts';

test.describe.configure({ timeout: 120_000 });

const ID = 'MBA26-TYPO-É';

test('SIS-06 a mistyped course in a cross-listing is created only after it is allowed', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { id: term } = await termLike(campus, 'MIM 2026-27 S2');
  const courses = await lmsList<LmsCourse>(campus, `accounts/1/courses?enrollment_term_id=${term}`);
  // A course that other specs do not use.
  const course = courses.at(-1);
  if (!course) throw new Error('no course');
  const sitting = async (section: number) =>
    (await enrollmentsIn(campus, course.id)).filter(({ course_section_id }) => course_section_id === section);
  const one = (await enrollmentsIn(campus, course.id)).find(({ sis_section_id }) => sis_section_id !== null);
  if (!one) throw new Error(`nobody in a section with an SIS ID of ${course.name}`);
  const there = () => lmsOne<{ name: string }>(campus, `courses/sis_course_id:${encodeURIComponent(ID)}`);

  await signIn('alma.reyes', PATH);
  await toReview(
    page,
    csv('listing.csv', `xlist_course_id,section_id,status\n${ID},${one.sis_section_id},active`),
  );
  const notice = page.getByRole('region', { name: 'The LMS would create a course for a cross-listing' });
  const tick = notice.getByRole('checkbox', {
    name: new RegExp(`^Create the course ${ID}, named “${course.name}”`),
  });
  await expect(tick).not.toBeChecked({ timeout: 30_000 });
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByText('Allow the new course above, or correct the file.')).toBeVisible();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  // Clearing the checkbox withdraws the permission.
  await tick.check();
  await tick.uncheck();
  await expect(submit(page)).toBeDisabled();
  await tick.check();
  const removals = page.getByRole('textbox', { name: 'Number of removals' });
  if (await removals.isVisible()) {
    const words = await page.getByRole('region', { name: /^This file removes/ }).innerText();
    await removals.fill(
      /confirm the number of removals: ([\d,]+)\./.exec(words)?.[1]?.replace(',', '') ?? '',
    );
  }
  await expect(there()).rejects.toThrow();
  await submit(page).click();
  await expect(said(page, 'The import is complete')).toBeVisible({ timeout: 60_000 });
  expect((await there()).name).toBe(course.name);
  expect(await sitting(one.course_section_id)).toEqual([]);
});
