/** Before anything is sent, the review names everything that a change ends or adds in the LMS (CE-12). */
import {
  type LmsCourse,
  type LmsEnrollment,
  type LmsPerson,
  type LmsSection,
  lmsList,
  next,
  officeImport,
  PATH,
  said,
  toReview,
} from './support/course-enrollment.ts';
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
import type { Campus } from './support/processes.ts';

const NOBODY = 'no.one@northbridge.example';

test('CE-12 CE-16 people who are removed from a course also leave its groups, and the review names and counts them', async ({
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
    people: [grouped.login_id, other.login_id, NOBODY],
  });
  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  await expect(dialog).toContainText('Continue and remove the other people?');
  await expect(dialog).not.toContainText(/enroll|create these users/);
  await axe();
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click();
  const notice = page.getByRole('region', { name: '1 group membership also ends', exact: true });
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

/** Finds a course whose default section can be recognised: it has the course's name, and no SIS ID. */
async function courseWithDefault(campus: Campus): Promise<LmsCourse> {
  for (let index = 5; ; index++) {
    const course = await bareCourse(campus, index);
    const sections = await lmsList<LmsSection>(campus, `courses/${course.id}/sections`);
    if (sections.some((one) => one.name === course.name && one.sis_section_id === null)) return course;
  }
}

test('CE-12 the review of an addition names observers who are added, and dates that are removed; undo restores them', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const course = await courseWithDefault(campus);
  const [paused, student] = await studentsOf(campus, course.id);
  const [observer] = await lmsList<LmsPerson>(campus, 'accounts/1/users?search_term=Abbott');
  if (!paused || !student || !observer) throw new Error('the campus has no such course');
  const all = await lmsList<LmsEnrollment>(campus, `courses/${course.id}/enrollments`);
  // Removed from every section; the first person returns to the default one, inactive and with dates.
  const out = all.flatMap(({ user_id, sis_user_id, sis_section_id }) =>
    user_id === paused.id || user_id === student.id
      ? [[course.sis_course_id, sis_user_id, 3, sis_section_id ?? '', 'deleted', '', ''].join(',')]
      : [],
  );
  const back = [course.sis_course_id, paused.sis_user_id, 3, '', 'inactive', '2027-02-01', '2027-03-01'];
  await officeImport(
    campus,
    ['course_id,user_id,role_id,section_id,status,start_date,end_date', ...out, back.join(',')].join('\n'),
  );
  await officeImport(
    campus,
    `observer_id,student_id,status\n${observer.sis_user_id},${student.sis_user_id},active`,
  );
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    programme: 'MBA',
    terms: [TERM],
    courses: [course],
    role: 'Student',
    action: 'Add',
    people: [paused.login_id, student.login_id],
  });
  const ends = page.getByRole('region', { name: '1 enrolment loses its own start or end date', exact: true });
  await expect(ends).toBeVisible({ timeout: 30_000 });
  await expect(ends.getByRole('listitem')).toHaveText(
    new RegExp(`^${paused.name} – .* – from 1 Feb 2027.* until 1 Mar 2027`),
  );
  const along = page.getByRole('region', {
    name: '1 enrolment of a linked observer is also added or changed',
    exact: true,
  });
  await expect(along.getByRole('listitem')).toHaveText(
    `${observer.name} – observes ${student.name} – 1 section`,
  );
  await inEveryLook(page, async (look) => {
    await axe();
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
  });
  await next(page).click();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Undo this import' }).click();
  const set = page.getByRole('region', { name: '1 enrolment gets its own dates again', exact: true });
  await expect(set.getByRole('listitem')).toHaveText(new RegExp(`^${paused.name} – .* – from 1 Feb 2027`), {
    timeout: 30_000,
  });
  await axe();
});
