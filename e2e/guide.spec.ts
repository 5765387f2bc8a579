/** The console's guide: each of its pages, its search, and the links to it. */
import { TOOLS } from '@lms-admin/contract/tools';
import type { Page } from '@playwright/test';
import { guidePages } from '../scripts/guide-pages.mjs';
import { PATH } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const GUIDE = '/guide/course-enrollment.html';
const OVERVIEW = '/guide/index.html';
const SEARCH = '/guide/search.html';
const PAGES = guidePages();

test.use({ campusKind: 'examples' });

/** Finds images that are broken, or have no alternative text. */
const brokenImages = (page: Page) =>
  page.evaluate(async () => {
    const images = [...document.images];
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.filter((image) => image.naturalWidth === 0 || image.alt === '').map((image) => image.src);
  });

test("SHELL-26 OP-15 the Guide button opens the console's own guide, in a new tab", async ({
  page,
  context,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Guide', exact: true }).click();
  const guide = await opened;
  await expect(guide).toHaveURL(new RegExp(`${GUIDE}$`));
  await expect(guide.getByRole('heading', { level: 1, name: 'Course Enrollment' })).toBeVisible();
});

test('SHELL-26 every page of the guide is complete, without accessibility violations, in both schemes and as narrow as a phone', async ({
  page,
  axe,
}) => {
  test.slow();
  for (const { name } of PAGES) {
    const answer = await page.goto(`/guide/${name}.html`);
    expect(answer?.status(), name).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }), name).toHaveCount(1);
    expect(await brokenImages(page), name).toEqual([]);
    await inEveryLook(page, async (look) => {
      expect(await sidewaysOverflow(page), `${name}, ${look}`).toBeLessThanOrEqual(0);
      await axe();
    });
  }
});

test('every link in the guide leads to a page, and to a heading if it names one', async ({ page }) => {
  test.slow();
  /** The addresses of the headings on each page, read once. */
  const ids = new Map<string, string[]>();
  for (const { name } of PAGES) {
    await page.goto(`/guide/${name}.html`);
    ids.set(
      `/guide/${name}.html`,
      await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id)),
    );
  }
  for (const { name } of PAGES) {
    await page.goto(`/guide/${name}.html`);
    const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
    for (const link of new Set(links)) {
      const { pathname, hash } = new URL(link);
      if (hash === '') expect((await page.request.get(link)).status(), `${link} on ${name}`).toBe(200);
      else expect(ids.get(pathname), `${link} on ${name}`).toContain(hash.slice(1));
      if (pathname.startsWith('/guide/') && pathname.endsWith('.html'))
        expect([...ids.keys(), SEARCH], `${link} on ${name}`).toContain(pathname);
    }
  }
});

test('the links to the previous and next page go through all pages in the order of the contents', async ({
  page,
}) => {
  await page.goto(OVERVIEW);
  const turns = page.getByRole('navigation', { name: 'Previous and next page' });
  await expect(turns.getByRole('link')).toHaveCount(1);
  for (const { name, title } of PAGES.slice(1)) {
    await turns.getByRole('link').last().click();
    await expect(page).toHaveURL(new RegExp(`/guide/${name}\\.html$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    const current = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current=page]');
    await expect(current).toHaveText(title);
  }
  await expect(turns.getByRole('link')).toHaveCount(1);
  await turns.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PAGES.at(-2)?.title ?? '');
});

test('the guide can be searched with the keyboard only, from any page to the relevant heading', async ({
  page,
  axe,
}) => {
  await page.goto(GUIDE);
  const field = page.getByRole('searchbox', { name: 'Search the guide' });
  await tabTo(page, field);
  await page.keyboard.type('undo group');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${SEARCH}\\?q=undo`));
  await expect(field).toHaveValue('undo group');
  await expect(page.getByRole('status')).toHaveText(/^\d+ results for “undo group”/);
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('undo', {
    ignoreCase: true,
  });
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });

  // The word with a typing error, and then other words.
  await field.fill('cross-listd');
  await expect(
    page
      .getByRole('main')
      .getByText(/cross-listed/)
      .first(),
  ).toBeVisible();
  await field.fill('enrolment dates');
  const first = page.getByRole('main').getByRole('listitem').getByRole('link').first();
  await expect(first).toBeVisible();
  await tabTo(page, first);
  const target = await first.getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${target}$`));
  // Back restores the search text.
  await page.goBack();
  await expect(field).toHaveValue('enrolment dates');
  await expect(first).toBeVisible();
});

test('a search without results says what to do, and so does a search that cannot be loaded', async ({
  page,
  axe,
}) => {
  await page.goto(`${SEARCH}?q=quetzalcoatl`);
  await expect(page.getByRole('status')).toHaveText('Nothing in the guide matches “quetzalcoatl”.');
  await expect(page.getByText('Try fewer or simpler words')).toBeVisible();
  await axe();
  await page.getByRole('main').getByRole('link', { name: 'I want to …' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'I want to …' })).toBeVisible();
  await page.route('**/guide/search.json', (route) => route.abort());
  await page.goto(`${SEARCH}?q=undo`);
  await expect(page.getByRole('status')).toHaveText(/^The search could not be loaded\. Reload the page/);
});

test('All tools searches the guide for words that are not the name of a tool', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Find a tool' }).fill('cross-listed');
  const opened = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  const guide = await opened;
  await expect(guide).toHaveURL(new RegExp(`${SEARCH}\\?q=cross-listed$`));
  await expect(guide.getByRole('status')).toHaveText(/results for “cross-listed”/);
});

test('SHELL-26 the guide also opens at its folder, and links back to the console', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  for (const path of ['/guide', '/guide/', '/guide/?from=mail']) {
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`${OVERVIEW}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.getByRole('link', { name: 'To LMS Admin' }).click();
  await expect(page.getByRole('navigation', { name: 'Tools' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${OVERVIEW}$`));
});

test('SHELL-27 every screen links to its page in the guide, with the button or without it', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/sis-import');
  for (const { path, id } of TOOLS) {
    if (path === null) continue;
    await page.goto(path);
    const help = page.getByRole('link', { name: 'Help with this page' });
    await expect(help, id).toHaveAttribute('href', /^\/guide\/(?!index)[\w-]+\.html$/);
    const answer = await page.request.get((await help.getAttribute('href')) ?? '');
    expect(answer.status(), id).toBe(200);
  }
});
