/** The review of a removal says what ends with it in the LMS, before anything is sent (CE-12). */
import { next, PATH, said, toReview } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  bareCourse,
  categoryWithGroups,
  groupsOf,
  membersOf,
  putInto,
  studentsOf,
  TERM,
} from './support/group-enrollment.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test('CE-12 people who leave a course leave its groups: named, counted, and so it happens', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await bareCourse(campus, 4);
  const category = await categoryWithGroups(campus, course, 'Leaving', ['Red']);
  const [group] = await groupsOf(campus, category.id);
  const [grouped, other] = await studentsOf(campus, course.id);
  if (!group || !grouped || !other) throw new Error('the campus has no such course');
  await putInto(campus, group.id, grouped.id);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    programme: 'MBA',
    terms: [TERM],
    courses: [course],
    role: 'Student',
    action: 'Remove',
    people: [grouped.login_id, other.login_id],
  });
  const notice = page.getByRole('region', { name: '1 group membership ends as well', exact: true });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await expect(notice).toContainText('Undo does not restore group memberships.');
  await expect(notice.getByRole('listitem')).toHaveText([new RegExp(`${course.name} – leaves 1 group$`)]);
  await inEveryLook(page, async (look) => {
    await axe();
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
  });
  await expect(next(page)).toBeHidden();
  await page.getByRole('button', { name: /^Remove \d enrolments?$/ }).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(await membersOf(campus, group.id)).toEqual([]);
});
