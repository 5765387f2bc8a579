/** Sign-in, the session and its end, through the real pages (requirements AUTH). */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ ownContext: true });

const PROFILE = 'lms_admin_profile';
const SESSION = 'lms_admin_session';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const welcome = (page: Page) => heading(page, 'Welcome to LMS Admin');
const ssoButton = (page: Page) => page.getByRole('button', { name: /sign in with single sign-on/i });

async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name);
}

test('AUTH-02 AUTH-03 AUTH-04 without a session the welcome screen is shown, on every path', async ({
  page,
  axe,
}) => {
  for (const path of ['/', '/users', '/nowhere']) {
    await page.goto(path);
    await expect(welcome(page)).toBeVisible();
    await expect(ssoButton(page)).toBeVisible();
  }
  await expect(page).toHaveTitle('LMS Admin');
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
});

test('AUTH-05 the button goes to the login endpoint, with the requested page', async ({ page }) => {
  const asked = page.waitForRequest((request) => request.url().includes('/api/auth/login'));
  await page.goto('/users?from=mail');
  await ssoButton(page).click();
  const url = new URL((await asked).url());
  expect(url.pathname).toBe('/api/auth/login');
  expect(url.searchParams.get('return')).toBe('/users?from=mail');
});

test('AUTH-06 OP-06 the screen says that the code is being exchanged, and code and state are removed', async ({
  page,
  axe,
}) => {
  let answer = () => undefined as void;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/auth/token', async (route) => {
    expect(route.request().postDataJSON()).toEqual({
      grant_type: 'authorization_code',
      code: 'abc',
      state: 'xyz',
    });
    await waiting;
    await route.continue();
  });
  await page.goto('/?code=abc&state=xyz');
  await expect(heading(page, 'Authenticating')).toBeVisible();
  await expect(page.getByText('Please wait while we authenticate.', { exact: true })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await inEveryLook(page, () => axe());
  answer();
  // AUTH-12: the state is invented, so the exchange fails with a status other than 401, and the person ends
  // up at the welcome screen.
  await expect(welcome(page)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('AUTH-07 AUTH-09 AUTH-11 AUTH-15 signing in stores the session and shows the console', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes');
  await expect(page.getByRole('banner').getByText('Hi Alma')).toBeVisible();
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === SESSION)?.httpOnly).toBe(true);
  const profile = JSON.parse(decodeURIComponent(cookies.find(({ name }) => name === PROFILE)?.value ?? ''));
  expect(profile).toMatchObject({ user: { name: 'Alma Reyes' }, sub_account: { perm: 'ALL' } });
  expect(await page.evaluate(() => document.cookie)).not.toContain(SESSION);
});

test('OP-07 sign-in returns to the requested page', async ({ page, signInSeparately: signInAfresh }) => {
  await signInAfresh('alma.reyes', '/users');
  await expect(heading(page, 'Search Users')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/users');
});

test('OP-06 a valid session takes priority over a code, which is removed', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes', '/users');
  await expect(heading(page, 'Search Users')).toBeVisible();
  const exchanged: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/token')) exchanged.push(request.url());
  });
  await page.goto('/users?code=abc&state=xyz');
  await expect(heading(page, 'Search Users')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(exchanged).toEqual([]);
});

test('AUTH-13 AUTH-14 AUTH-18 OP-10 a person unknown to LMS Admin gets a message, once', async ({
  page,
  campus,
  axe,
}) => {
  await page.goto('/');
  await ssoButton(page).click();
  await page.waitForURL((url) => url.origin === campus.lms);
  await page.getByRole('button', { name: /hugo tan/i }).click();
  const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
  const alert = page.getByRole('alert');
  await allow.or(alert).first().waitFor();
  if (await allow.isVisible()) await allow.click();

  await expect(alert).toHaveText('User not found in LMS Admin. Please contact IT Support');
  await expect(alert.getByText('User not found in LMS Admin', { exact: true })).toBeVisible();
  await expect(alert.getByRole('link', { name: 'IT Support' })).toHaveAttribute(
    'href',
    'mailto:it.support@northbridge.example',
  );
  await expect(welcome(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await inEveryLook(page, () => axe());
  await page.reload();
  await expect(welcome(page)).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('AUTH-19 a session older than one hour is removed when the console loads', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes', '/users');
  await expect(heading(page, 'Search Users')).toBeVisible();
  const all = await page.context().cookies();
  const cookie = all.find(({ name }) => name === PROFILE);
  if (!cookie) throw new Error('no profile cookie');
  const profile = JSON.parse(decodeURIComponent(cookie.value));
  const old = encodeURIComponent(JSON.stringify({ ...profile, time: Date.now() - 3_600_001 }));
  await page.context().addCookies([{ ...cookie, value: old }]);
  await page.reload();
  await expect(welcome(page)).toBeVisible();
  expect(await cookieNames(page)).not.toContain(PROFILE);
});

test('AUTH-21 AUTH-22 a 401 opens the session-expired dialog; its button leads back to this page', async ({
  page,
  signInSeparately: signInAfresh,
  axe,
}) => {
  await signInAfresh('alma.reyes', '/course-level-admin');
  await expect(heading(page, 'Course Enrollment')).toBeVisible();
  await page.context().clearCookies({ name: SESSION });
  await page.reload();

  const dialog = page.getByRole('alertdialog', { name: 'Login session expired.', exact: true });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('Please click here to login again.', { exact: true })).toBeVisible();
  const back = dialog.getByRole('button', { name: 'Back to login', exact: true });
  await expect(back).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await inEveryLook(page, () => axe());

  await back.click();
  await expect(welcome(page)).toBeVisible();
  expect(await cookieNames(page)).not.toContain(PROFILE);
  expect(new URL(page.url()).pathname).toBe('/course-level-admin');
  // The LMS still knows the person and only asks whether LMS Admin may act for them.
  await ssoButton(page).click();
  await page.getByRole('button', { name: /allow|authori[sz]e/i }).click();
  await expect(heading(page, 'Course Enrollment')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/course-level-admin');
});

test('AUTH-22 the button on a page with an expired session keeps the session that was started in another tab', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('alma.reyes', '/users');
  const other = await page.context().newPage();
  await other.goto('/course-level-admin');
  await expect(heading(other, 'Course Enrollment')).toBeVisible();
  await page.getByRole('button', { name: /account of alma reyes/i }).click();
  await page.getByRole('menuitem', { name: 'Logout', exact: true }).click();
  await expect(welcome(page)).toBeVisible();
  await other.getByRole('link', { name: 'Activity' }).first().click();
  const dialog = other.getByRole('alertdialog', { name: 'Login session expired.', exact: true });
  await expect(dialog).toBeVisible();

  await ssoButton(page).click();
  await page.getByRole('button', { name: /allow|authori[sz]e/i }).click();
  await expect(page.getByRole('button', { name: /account of alma reyes/i })).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to login', exact: true }).click();
  await expect(heading(other, 'Activity')).toBeVisible();
  await page.goto('/users');
  await expect(heading(page, 'Search Users')).toBeVisible();
});

test('AUTH-23 AUTH-24 AUTH-25 Logout calls the back end, removes the cookies and goes home', async ({
  page,
  signInSeparately: signInAfresh,
  axe,
}) => {
  await signInAfresh('alma.reyes', '/users');
  const account = page.getByRole('button', { name: /account of alma reyes/i });
  await account.click();
  const logout = page.getByRole('menuitem', { name: 'Logout', exact: true });
  await expect(logout).toBeVisible();
  await inEveryLook(page, () => axe());
  const call = page.waitForRequest((request) => request.url().endsWith('/api/auth/invoke'));
  await logout.click();
  expect((await call).postDataJSON()).toEqual({ url: 'login/oauth2/token', type: 'DELETE' });
  await expect(welcome(page)).toBeVisible();
  await page.waitForURL(({ pathname }) => pathname === '/');
  const names = await cookieNames(page);
  expect(names).not.toContain(PROFILE);
  expect(names).not.toContain(SESSION);
});

test('AUTH-26 OP-11 a failing Logout shows no message and still signs out', async ({
  page,
  signInSeparately: signInAfresh,
}) => {
  await signInAfresh('dev.oduya');
  await page.route('**/api/auth/invoke', (route) => route.fulfill({ status: 401, json: {} }));
  await page.getByRole('button', { name: /account of dev oduya/i }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(welcome(page)).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await cookieNames(page)).not.toContain(PROFILE);
});
