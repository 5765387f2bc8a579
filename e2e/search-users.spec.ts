/** Search Users by hand (requirements USR). */
import { officeImport } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ campusKind: 'slow' });

test('USR-01 USR-02 USR-03 USR-04 LMS-23 OP-96 a search shows its results, or says that there are none, or that it has too few letters', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await signIn('dev.oduya');
  await expect(page).toHaveURL(`${campus.url}/users`);
  const field = page.getByRole('searchbox', { name: 'Search Users' });
  await axe();

  await field.fill('al');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('at least 3 letters');
  await expect(field).toBeFocused();

  await field.fill('#N/A');
  await field.press('Enter');
  await expect(page.getByRole('main').getByText('No Users Found.')).toBeVisible();
  await expect(page.getByText("'#N/A' looks like an error value of a spreadsheet.")).toBeVisible();
  await axe();

  // Names may be equal, so the query in the LMS decides.
  await officeImport(
    campus,
    'user_id,login_id,full_name,status\nPS-NA,na@northbridge.example,Ada #N/A,active',
  );
  await field.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'Ada #N/A' })).toHaveCount(1);

  await field.fill('alma.reyes');
  await field.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'alma.reyes@northbridge.example' });
  await expect(row).toHaveCount(1);
  await expect(page.getByRole('columnheader')).toHaveText(['ID', 'Name', 'Login Id', 'SIS ID', 'Created At']);
  const link = row.getByRole('link', { name: /Alma Reyes/ });
  await expect(link).toHaveAttribute('href', new RegExp(`^${campus.lms}/users/\\d+$`));
  await expect(link).toHaveAttribute('rel', /noopener/);
  // For text that cannot be searched for, no result is shown, not even the previous one.
  await field.fill('in');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('at least 3 letters');
  await expect(row).toHaveCount(0);
  await field.fill('alma.reyes');
  await field.press('Enter');
  await expect(row.getByRole('cell').last()).toHaveText(/^\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}$/);
  await axe();

  await field.fill('nobody at all');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('main').getByText('No Users Found.')).toBeVisible();
  await axe();
});

test('USR-02 SHELL-28 a long login is shown in full, whatever the width of the window', async ({
  page,
  campus,
  signIn,
}) => {
  const login = 'firstname.von-longfamilyname-otherpart@campus.northbridge.example';
  await officeImport(campus, `user_id,login_id,full_name,status\nPS-LONG,${login},Zoë O’Neill–Łukasz,active`);
  await signIn('dev.oduya', '/users?q=von-longfamilyname');
  const cell = page.getByRole('cell').filter({ hasText: login });
  for (const width of [1024, 1440, 1920, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(cell).toBeVisible();
    await expect
      .poll(
        () =>
          cell.evaluate((element) =>
            [element, ...element.querySelectorAll('span')]
              .filter(
                (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1,
              )
              .map((one) => `${one.className}: ${one.scrollWidth} of ${one.clientWidth}`),
          ),
        { message: `${width} px` },
      )
      .toEqual([]);
  }
});

test('USR-01 the search is kept in the address, for a reload, going back and a shared link', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('dev.oduya', '/users?q=bruno.keller');
  const person = page.getByRole('row').filter({ hasText: 'bruno.keller@northbridge.example' });
  await expect(person).toHaveCount(1);
  const field = page.getByRole('searchbox', { name: 'Search Users' });
  await expect(field).toHaveValue('bruno.keller');
  await field.fill('carla.singh');
  await field.press('Enter');
  await expect(page).toHaveURL(`${campus.url}/users?q=carla.singh`);
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'carla.singh@northbridge.example' })).toHaveCount(1);
  await page.goBack();
  await expect(person).toHaveCount(1);
  await expect(field).toHaveValue('bruno.keller');
});

test('USR-02 login and ids are copied with one click; more than one page of results is reported', async ({
  page,
  context,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn('dev.oduya', '/users?q=northbridge');
  await expect(page.getByRole('status').filter({ hasText: 'first 100' })).toBeVisible();
  await page.goto('/users?q=alma.reyes');
  await page.getByRole('button', { name: /^Copy Login Id alma\.reyes/ }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('alma.reyes@northbridge.example');
});

test('USR-03 a failed search says so and can be retried', async ({ page, campus, signIn, request }) => {
  await signIn('dev.oduya');
  const faults = `${campus.lms}/sandbox/faults`;
  await request.post(faults, {
    data: { match: '/api/v1/accounts/1/users*', kind: 'status', status: 500, count: 20 },
  });
  const field = page.getByRole('searchbox', { name: 'Search Users' });
  await field.fill('alma.reyes');
  await field.press('Enter');
  await expect(page.getByText('The search failed.')).toBeVisible({ timeout: 30_000 });
  await request.delete(faults);
  await page.getByRole('button', { name: /try again|again/i }).click();
  await expect(page.getByRole('row').filter({ hasText: 'alma.reyes@' })).toHaveCount(1);
});
