/**
 * People and courses from the directory's copy: shown immediately with the age of the copy, in fields, lists,
 * Search Users and a review.
 */
import type { Page } from '@playwright/test';
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  chooseRole,
  courseTable,
  field,
  MIM,
  mimMaterial,
  next,
  PATH,
  paste,
  peopleLike,
  step,
  toPeople,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook } from './support/looks.ts';

test.use({ campusKind: 'directory' });

/** `As of 02:10.`, with a date if it is not from today. */
const AS_OF = /As of (\d{1,2} \w{3,4} \d{4}, )?\d{2}:\d{2}\./;

async function refreshed(page: Page): Promise<void> {
  const done = page.getByRole('region', { name: 'Directory' }).getByRole('row').filter({ hasText: 'Done' });
  const before = await done.count();
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await expect.poll(() => done.count()).toBeGreaterThan(before);
}

test('OP-45 OP-96 OP-104 people from the copy are shown with its age, and the LMS answers afterwards', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/system');
  await refreshed(page);
  const [person] = await peopleLike(campus, 'abbott');
  if (!person) throw new Error('nobody has this name');
  // While the LMS does not answer, people come only from the local copy.
  await page.route('**/api/auth/invoke', (route) =>
    route.request().postData()?.includes('search_term') ? new Promise(() => {}) : route.continue(),
  );
  await page.goto('/users?q=abbott');
  await expect(page.getByRole('status').filter({ hasText: AS_OF })).toContainText('is searching the LMS');
  await expect(page.getByRole('row').filter({ hasText: person.login_id })).toHaveCount(1);
  await inEveryLook(page, () => axe());

  await page.goto(PATH);
  await toPeople(page);
  const options = page.getByRole('listbox', { name: 'People with this name' }).getByRole('option');
  await field(page).pressSequentially('Abb');
  await expect(options.first()).toBeVisible();
  await expect(page.getByText(AS_OF)).toBeVisible();
  await inEveryLook(page, () => axe());
  await field(page).press('ArrowDown');
  await field(page).press('Enter');
  await page.unroute('**/api/auth/invoke');
});

test('PICK-16 OP-104 courses from the copy can be selected while the LMS lists them; a review says who is from the copy', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  const [course] = courses;
  if (!course) throw new Error('no course');
  await signIn('alma.reyes', '/system');
  await refreshed(page);
  const waiting: (() => void)[] = [];
  let breaks: boolean | null = null;
  await page.route('**/api/auth/invoke/pages', async (route) => {
    if (!/accounts\/\d+\/courses/.test(route.request().postData() ?? '')) return route.continue();
    if (breaks === null) await new Promise<void>((resolve) => waiting.push(resolve));
    return breaks ? route.abort() : route.continue();
  });
  await page.goto(PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  const note = page.getByText(/^0 courses loaded from the LMS, others as of \d{2}:\d{2}$/);
  await expect(note).toBeVisible();
  await chooseCourses(page, [course]);
  await inEveryLook(page, () => axe());

  // The list breaks off: the selected course stays in view.
  const checkbox = courseTable(page).getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') });
  breaks = true;
  for (const open of waiting) open();
  const failure = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expect(failure).toContainText(/are shown as of \d{2}:\d{2}\. They may have changed since then\./);
  await expect(checkbox).toBeChecked();
  await axe();

  breaks = false;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toHaveCount(0);
  await expect(page.getByText('others as of')).toHaveCount(0);
  await expect(checkbox).toBeChecked();
  await page.unrouteAll({ behavior: 'wait' });

  await next(page).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await chooseRole(page, MIM.role, MIM.action);
  await paste(page, people.map(({ login_id }) => login_id).join('\n'));
  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(page.getByText(/^\d+ (person is|people are) shown as of /)).toBeVisible();
  await inEveryLook(page, () => axe());
});
