/**
 * People from the directory's local copy: shown immediately with its age, in fields, in Search Users and in a
 * review.
 */
import { field, PATH, peopleLike, toPeople } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook } from './support/looks.ts';

test.use({ campusKind: 'directory' });

/** `As of 02:10.`, with a date if it is not from today. */
const AS_OF = /As of (\d{1,2} \w{3,4} \d{4}, )?\d{2}:\d{2}\./;

test('OP-45 OP-96 OP-104 people from the local copy are shown with its age, and the LMS answers afterwards', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/system');
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await expect(page.getByRole('region', { name: 'Directory' })).toContainText('Done');

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
