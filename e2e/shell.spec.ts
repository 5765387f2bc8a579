/** The frame around the tools (requirements SHELL and PERM). */
import { TOOLS } from '@lms-admin/contract/tools';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Tools' }).getByRole('link');
const tab = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Tools' })
    // 'Kaltura Recording Access' also contains the word.
    .getByRole('link', { name, exact: name === 'Access' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const path = (page: Page) => new URL(page.url()).pathname;

/** Tools with a tab and a screen. */
const SCREENS = TOOLS.flatMap(({ tab: name, path: at, guide }) =>
  name !== null && at !== null ? [{ name, guide }] : [],
);

/** Headings that differ from their tab (IMG-02). */
const HEADED: Readonly<Record<string, string>> = { 'Aws S3 Icons': 'Aws Icons / Image Uploader' };

test('SHELL-05 to SHELL-16 PERM-05 every flag shows its tab, and its screen opens', async ({
  page,
  signIn,
}) => {
  test.slow();
  await signIn('alma.reyes');
  await expect(tabs(page)).toHaveText([...SCREENS.map(({ name }) => name), /^Kaltura Recording Access/]);
  for (const { name } of SCREENS) {
    await tab(page, name).click();
    await expect(title(page)).toHaveText(HEADED[name] ?? name);
    await expect(tab(page, name)).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveTitle(`${name} · LMS Admin`);
    // Reading starts at the heading of the new screen.
    await expect(title(page)).toBeFocused();
  }
  await page.goto('/best-teaching-award-import');
  await expect(title(page)).toHaveText('Best Teaching Award Report Data Configuration');
});

test('SHELL-17 OP-15 the recordings tab opens the request page in a new window', async ({ page, signIn }) => {
  await signIn('alma.reyes');
  const link = tab(page, 'Kaltura Recording Access');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', /noopener/);
  await expect(link).toHaveAttribute('href', /\/recordings$/);
});

for (const [login, tool, to] of [
  ['bruno.keller', 'Course Enrollment', '/course-level-admin'],
  ['carla.singh', 'SIS Import', '/sis-import'],
  ['dev.oduya', 'Search Users', '/users'],
  // OP-16: taken literally, the documented order would lead her to a page that does not exist for her.
  ['elena.marsh', 'Group Enrollment', '/group-level-admin'],
] as const) {
  test(`SHELL-20 / leads ${login} to ${to}`, async ({ page, signIn }) => {
    await signIn(login);
    await expect(title(page)).toHaveText(tool);
    expect(path(page)).toBe(to);
  });
}

test('SHELL-22 SHELL-23 OP-17 tabs without a screen are above the no-permission message', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('farid.noor');
  await expect(tabs(page)).toHaveText([/^Kaltura Recording Access/]);
  const main = page.getByRole('main');
  await expect(main).toContainText(
    "You don't have enough permission to view this page. Please contact IT Support",
  );
  await expect(main.getByRole('link', { name: 'IT Support' })).toHaveAttribute(
    'href',
    'mailto:it.support@northbridge.example',
  );
  await inEveryLook(page, () => axe());
});

test('PERM-02 PERM-07 without flags, the no-permission message is shown and no tabs are', async ({
  page,
  signIn,
}) => {
  await signIn('greta.lind');
  await expect(page.getByRole('main')).toContainText("You don't have enough permission to view this page.");
  await expect(tabs(page)).toHaveCount(0);
});

test('SHELL-03 SHELL-18 SHELL-19 OP-19 a path that does not exist for this administrator is not found', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('dev.oduya');
  for (const address of ['/course-level-admin', '/error_permission', '/users/7', '/nowhere']) {
    await page.goto(address);
    await expect(page.getByText('404 page not found.', { exact: true })).toBeVisible();
  }
  await inEveryLook(page, () => axe());
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(title(page)).toHaveText('Search Users');
});

test('OP-18 prefixes match whole segments', async ({ page, signIn }) => {
  await signIn('elena.marsh');
  await page.goto('/group-level-admin/17');
  await expect(title(page)).toHaveText('Group Enrollment');
  await page.goto('/group-level-adminx');
  await expect(title(page)).toHaveText('404 page not found.');
});

test('SHELL-24 the tabs scroll, and the open one is visible', async ({ page, signIn }) => {
  await signIn('alma.reyes', '/create_user');
  await expect(tab(page, 'Create Users')).toBeInViewport();
  await expect(tab(page, 'Course Enrollment')).not.toBeInViewport();
  // The open tab stays visible when the window becomes narrower or wider.
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(tab(page, 'Create Users')).toBeInViewport({ ratio: 1 });
  }
  // This takes one click or two, depending on the width; the button disappears at the first tab.
  await expect(async () => {
    await page
      .getByRole('button', { name: 'Scroll tabs left' })
      .click({ timeout: 1_000 })
      .catch(() => {});
    await expect(tab(page, 'Course Enrollment')).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await sidewaysOverflow(page)).toBe(0);
});

test('SHELL-24 All tools reaches each tool with two clicks, and by name', async ({ page, signIn, axe }) => {
  await signIn('alma.reyes', '/sis-import');
  const open = page.getByRole('button', { name: 'All tools' });
  const menu = page.getByRole('dialog', { name: 'All tools' });
  await open.click();
  await expect(menu.getByRole('link')).toHaveText([
    ...SCREENS.map(({ name }) => name).flatMap((name) =>
      name === 'Best Teaching Award Report' ? [name, 'Best Teaching Award Import'] : [name],
    ),
    /^Kaltura Recording Access/,
    'System',
    'Activity',
    /^Search the guide/,
  ]);
  await inEveryLook(page, () => axe());
  await menu.getByRole('link', { name: 'Create Users' }).click();
  await expect(title(page)).toHaveText('Create Users');
  await expect(menu).toBeHidden();

  // The keyboard is enough: words in any case and order, arrow keys and Enter; Escape goes back.
  await page.keyboard.press('Control+k');
  const field = menu.getByRole('textbox', { name: 'Find a tool' });
  await expect(field).toBeFocused();
  await field.fill('CREATION zoom');
  await expect(menu.getByRole('link')).toHaveText(['Zoom Creation', 'Search the guide for “CREATION zoom”']);
  await field.fill('no such thing');
  await expect(menu.getByText('You have no tool called “no such thing”.')).toBeVisible();
  await field.fill('enrollment');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('link', { name: 'Section Enrollment' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Section Enrollment');
  await page.keyboard.press('Control+k');
  await field.fill('search');
  await field.press('Enter');
  await expect(title(page)).toHaveText('Search Users');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  expect(await sidewaysOverflow(page)).toBe(0);
});

test('SHELL-25 OP-20 selecting a tab clears the choices; a reload keeps them', async ({ page, signIn }) => {
  await signIn('alma.reyes', '/course-level-admin');
  const programme = page.getByRole('combobox', { name: 'Programme' });
  await programme.click();
  await page.getByRole('listbox', { name: 'Programme' }).getByRole('option').first().click();
  await expect(programme).not.toHaveValue('');
  const chosen = await programme.inputValue();
  await page.reload();
  await expect(programme).toHaveValue(chosen);
  await tab(page, 'SIS Import').click();
  await expect(title(page)).toHaveText('SIS Import');
  await tab(page, 'Course Enrollment').click();
  await expect(programme).toHaveValue('');
});

test('SHELL-26 SHELL-27 the Guide button is where the registry says, and opens a new tab', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes');
  const guide = page.getByRole('link', { name: 'Guide', exact: true });
  for (const { name, guide: offered } of SCREENS) {
    await tab(page, name).click();
    await expect(title(page)).toHaveText(HEADED[name] ?? name);
    await expect(guide).toHaveCount(offered ? 1 : 0);
  }
  await tab(page, 'Search Users').click();
  await expect(guide).toHaveAttribute('target', '_blank');
  await expect(guide).toHaveAttribute('rel', /noopener/);
  const { width, height } = (await guide.boundingBox()) ?? { width: 0, height: 1 };
  expect(width).toBe(height);
});

test('SHELL-28 SHELL-29 SHELL-30 K-01 width, top bar and footer are as documented', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/users');
  // The page is as wide as the window, up to a width at which lines are still readable.
  for (const [width, used] of [
    [1000, 1000],
    [1280, 1280],
    [1440, 1440],
    [1920, 1680],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(async () => (await page.getByRole('main').boundingBox())?.width, { message: `at ${width}` })
      .toBe(used);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const strip = page.getByRole('navigation', { name: 'Tools' }).getByRole('list');
  const { x = 0, width = 0 } = (await strip.boundingBox()) ?? {};
  const tabs = await strip.getByRole('listitem').all();
  const boxes = await Promise.all(tabs.map((one) => one.boundingBox()));
  const seen = boxes.filter((box) => box !== null && box.x >= x && box.x + box.width <= x + width);
  // The open tab is in the middle, so that one more is cut off on each side.
  expect(seen.length).toBeGreaterThanOrEqual(8);
  await page.setViewportSize({ width: 1280, height: 900 });
  const banner = page.getByRole('banner');
  await expect(banner.getByText('Hi Alma', { exact: true })).toBeVisible();
  await expect(banner.getByRole('link', { name: /LMS Admin/ })).toBeVisible();
  await expect(banner.getByRole('button', { name: /account of alma reyes/i })).toBeVisible();
  await expect(banner.getByText('Practice')).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText(`© ${new Date().getFullYear()} Northbridge Business School`);
  await expect(footer).toContainText('5.7.1');
});

test('the keyboard reaches the content, the tabs and the menu', async ({ page, signIn }) => {
  await signIn('alma.reyes', '/sis-import');
  await expect(title(page)).toHaveText('SIS Import');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('button', { name: /account of/i }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Your access' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /account of/i })).toBeFocused();

  await tab(page, 'Search Users').focus();
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Search Users');
  await expect(title(page)).toBeFocused();
});

test('a lost connection is reported until it is restored', async ({ page, signIn, axe }) => {
  await signIn('alma.reyes', '/sis-import');
  await expect(title(page)).toHaveText('SIS Import');
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await inEveryLook(page, () => axe());
  await page.context().setOffline(false);
  await expect(page.getByText('You are offline.')).toHaveCount(0);
});

test('a screen whose script cannot be loaded keeps tabs and account, and offers to load again', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/sis-import');
  await page.route('**/assets/CourseEnrollment-*.js', (route) => route.abort());
  await tab(page, 'Course Enrollment').click();
  await expect(page.getByRole('alert')).toContainText('This screen stopped working.');
  await expect(tab(page, 'SIS Import')).toBeVisible();
  await inEveryLook(page, () => axe());
  await page.unroute('**/assets/CourseEnrollment-*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(title(page)).toHaveText('Course Enrollment');
});
