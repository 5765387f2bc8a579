/** The table on its own: nested rows, and filters below the heads (ZC-06, ZC-12, BTA-21). */
import { test as base, expect, type Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import { serveTable } from './support/table-page.ts';

const test = base.extend<object, { tableUrl: string }>({
  tableUrl: [
    // Playwright reads the required fixtures from the first parameter.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const table = await serveTable();
      await use(table.url);
      table.close();
    },
    { scope: 'worker' },
  ],
});

const table = (page: Page) => page.getByRole('table', { name: 'Events' });
const rows = (page: Page) => table(page).locator('tbody tr');
const titles = (page: Page) => rows(page).locator('.content').allTextContents();
const branch = (page: Page, row: string) =>
  table(page).getByRole('button', { name: new RegExp(`below ${row}$`) });
const boxes = (page: Page) => table(page).locator('tbody').getByRole('checkbox');

async function accessible(page: Page): Promise<void> {
  // The page that has only the table has no heading.
  expect(await violationsOf(page, { rules: { 'page-has-heading-one': { enabled: false } } })).toEqual([]);
}

test('ZC-06 rows with nested rows are opened and closed with the mouse, and keep their position', async ({
  page,
  tableUrl,
}) => {
  await page.goto(`${tableUrl}?nested`);
  await expect(rows(page)).toHaveCount(10);
  const first = branch(page, 'Corporate Finance 1');
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await expect(first).toHaveAccessibleName('2 rows below Corporate Finance 1');
  await first.click();
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await expect(rows(page)).toHaveCount(12);
  await branch(page, 'Corporate Finance 1 morning').click();
  await expect
    .poll(() => titles(page).then((all) => all.slice(0, 5)))
    .toEqual([
      'Corporate Finance 1',
      'Corporate Finance 1 morning, below Corporate Finance 1',
      'Corporate Finance 1 early group, below Corporate Finance 1 morning',
      'Corporate Finance 1 evening, below Corporate Finance 1',
      'Marketing 2',
    ]);
  // The deeper a row is, the further right it begins.
  const lefts = await rows(page)
    .locator('.content')
    .evaluateAll((all) => all.slice(0, 4).map((one) => one.getBoundingClientRect().left));
  expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
  expect(lefts[1]).toBeLessThan(lefts[2] ?? 0);
  expect(lefts[3]).toBe(lefts[1]);
  await inEveryLook(page, async () => {
    await accessible(page);
    expect(await sidewaysOverflow(page)).toBe(0);
  });
  await first.click();
  await expect(rows(page)).toHaveCount(10);
  // A page counts top-level rows.
  await expect(page.getByText('1–10 of 30')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(rows(page)).toHaveCount(10);
});

test('ZC-06 the keyboard alone is enough: there is one Tab stop; the right arrow opens a row, the left arrow closes it and goes to the parent', async ({
  page,
  tableUrl,
}) => {
  await page.goto(`${tableUrl}?nested`);
  const first = branch(page, 'Corporate Finance 1');
  await expect(first).toBeVisible();
  await expect(table(page).locator('tbody [tabindex="0"]')).toHaveCount(1);
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const inner = branch(page, 'Corporate Finance 1 morning');
  await expect(inner).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inner).toHaveAttribute('aria-expanded', 'true');
  // Rows without nested rows have no action, so the arrow keys skip them.
  await page.keyboard.press('ArrowDown');
  await expect(branch(page, 'Marketing 2')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(inner).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(inner).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowLeft');
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await expect(rows(page)).toHaveCount(10);
});

test('ZC-12 only some rows can be selected; their checkboxes are the Tab stops, and open rows too', async ({
  page,
  tableUrl,
}) => {
  await page.goto(`${tableUrl}?nested&selecting`);
  await expect(boxes(page)).toHaveCount(10);
  await boxes(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(rows(page)).toHaveCount(12);
  await expect(boxes(page)).toHaveCount(10);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  // The inner row cannot be selected; the button that opens it gets the focus.
  await expect(branch(page, 'Corporate Finance 1 morning')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(boxes(page).nth(1)).toBeFocused();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+A');
  await expect(page.getByText('30 selected', { exact: true })).toBeVisible();
  // Clicking a row that cannot be selected selects nothing.
  await rows(page).nth(1).locator('td').last().click();
  await expect(page.getByText('30 selected', { exact: true })).toBeVisible();
  await accessible(page);
});

test('a match is shown at any depth, with the rows that lead to it', async ({ page, tableUrl }) => {
  await page.goto(`${tableUrl}?nested`);
  const search = page.getByRole('searchbox', { name: 'Search events' });
  await search.fill('finance 13 early');
  await expect(page.getByText('1 of 90 match')).toBeVisible();
  await expect
    .poll(() => titles(page))
    .toEqual([
      'Corporate Finance 13',
      'Corporate Finance 13 morning, below Corporate Finance 13',
      'Corporate Finance 13 early group, below Corporate Finance 13 morning',
    ]);
  await branch(page, 'Corporate Finance 13').click();
  await expect(rows(page)).toHaveCount(1);
  await search.fill('finance 13 ning');
  await expect(page.getByText('2 of 90 match')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await search.press('Escape');
  await expect(rows(page)).toHaveCount(10);
  await expect(table(page).locator('[aria-expanded=true]')).toHaveCount(0);
});

test('BTA-21 filters below the heads match words in one column, a value of another, or both together', async ({
  page,
  tableUrl,
}) => {
  await page.goto(`${tableUrl}?nested`);
  const title = page.getByRole('searchbox', { name: 'Filter Title' });
  const campus = page.getByRole('combobox', { name: 'Filter Campus' });
  await expect(campus.locator('option')).toHaveText(['All', 'Abu Dhabi', 'Fontainebleau', 'Singapore']);
  await title.fill('evening');
  await expect(page.getByText('20 of 90 match')).toBeVisible();
  await campus.selectOption('Abu Dhabi');
  await expect(page.getByText('10 of 90 match')).toBeVisible();
  for (const row of await rows(page).filter({ hasText: 'evening' }).allInnerTexts())
    expect(row).toContain('Abu Dhabi');
  await inEveryLook(page, async () => {
    await accessible(page);
    expect(await sidewaysOverflow(page)).toBe(0);
  });
  await title.fill('no such title');
  await expect(page.getByText('No rows match the filters.')).toBeVisible();
  await title.press('Escape');
  await expect(title).toHaveValue('');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(campus).toHaveValue('');
  await expect(rows(page)).toHaveCount(10);
  // The fields stay visible with the heads.
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50');
  await page.getByRole('region', { name: 'Events' }).focus();
  await page.keyboard.press('End');
  await expect(title).toBeInViewport();
  await expect(table(page).getByRole('columnheader', { name: 'Title' })).toBeInViewport();
});
