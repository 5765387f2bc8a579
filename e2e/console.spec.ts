/** Requirements for the console as a whole. */
import { expect, test } from './support/fixtures.ts';

test('AUTH-01 LMS-01 SHELL-01 after signing in at the LMS, the browser calls only the back end', async ({
  page,
  campus,
  signInSeparately: signInAfresh,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' || request.resourceType() === 'xhr')
      calls.push(new URL(request.url()).origin);
  });
  await signInAfresh('alma.reyes');
  await expect(page.getByRole('heading', { level: 1, name: 'Course Enrollment' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Programme' }).click();
  await page.getByRole('option', { name: 'MBA', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Terms' })).toBeEnabled();
  // A HEAD request gets the same status, without the page.
  for (const path of ['/', '/course-enrollment', '/guide/']) {
    const told = await page.request.head(`${campus.url}${path}`);
    expect([path, told.status(), (await told.body()).length]).toEqual([path, 200, 0]);
  }
  expect(calls.length).toBeGreaterThan(2);
  expect(new Set(calls)).toEqual(new Set([campus.url]));
  // The policy does not allow other calls either.
  const refused = await page.evaluate(
    (lms) =>
      fetch(lms).then(
        () => false,
        () => true,
      ),
    campus.lms,
  );
  expect(refused).toBe(true);
});

test('AUTH-10 AUTH-15 OP-04 no LMS token and no secret reaches the browser', async ({
  page,
  signInSeparately: signInAfresh,
  context,
}) => {
  const texts: string[] = [];
  page.on('response', (response) => {
    if (/json|javascript|html/.test(response.headers()['content-type'] ?? '')) {
      void response.text().then(
        (text) => texts.push(text),
        () => {},
      );
    }
  });
  await signInAfresh('alma.reyes');
  await expect(page.getByRole('heading', { level: 1, name: 'Course Enrollment' })).toBeVisible();
  const cookies = await context.cookies();
  const seen = [
    ...texts,
    ...cookies.filter((cookie) => cookie.name.startsWith('lms_admin')).map((cookie) => cookie.value),
  ].join('\n');
  for (const secret of ['sandbox-client-secret', 'sandbox-admin-token', 'refresh_token'])
    expect(seen).not.toContain(secret);
  const readable = await page.evaluate(() => document.cookie);
  expect(readable).toContain('lms_admin_profile');
  expect(readable).not.toContain('lms_admin_session');
});

test('K-02 the colours are dark green and teal', async ({ page, signIn }) => {
  await signIn('alma.reyes');
  const colour = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const channels = async (name: string) => (await colour(name)).match(/\d+/g)?.map(Number) ?? [];
  for (const name of ['Next', 'Guide']) {
    const [red = 255, green = 0] = await channels(name);
    expect(green).toBeGreaterThan(red * 3);
    expect(green).toBeLessThan(140);
  }
});
