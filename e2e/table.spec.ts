/** The console's table, with the courses of a programme (PICK-05 to PICK-07). */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const region = (page: Page) => page.getByRole('region', { name: 'Courses' });
const rows = (page: Page) => region(page).locator('tbody tr');
const boxes = (page: Page) => region(page).locator('tbody').getByRole('checkbox');
const box = (page: Page, index: number) => boxes(page).nth(index);
const all = (page: Page) => region(page).getByRole('checkbox', { name: /^select all/i });
const search = (page: Page) => page.getByRole('searchbox', { name: /search/i });
const names = (page: Page) => rows(page).locator('td:last-child').allInnerTexts();

/** Opens the MBA courses in as many terms as allowed. */
async function openCourses(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Programme' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'MBA', exact: true }).click();
  await page.getByRole('combobox', { name: 'Terms' }).click();
  const terms = page.getByRole('listbox').getByRole('option', { name: /^MBA/ });
  await terms.first().waitFor();
  for (let index = 0; index < 6; index += 1) await terms.nth(index).click();
  await page.keyboard.press('Escape');
  await expect(rows(page)).toHaveCount(25);
  await expect(region(page)).not.toHaveAttribute('aria-busy');
}

test.beforeEach(async ({ signIn }) => {
  await signIn('alma.reyes', '/course-level-admin');
});

test('PICK-07 without rows the table says why', async ({ page, axe }) => {
  await expect(region(page)).toContainText('Please select programme and correct term.');
  await expect(all(page)).toBeDisabled();
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
});

test('PICK-05 PICK-06 the table has the documented columns and page sizes of 25, 50 and 100, and its pages can be turned', async ({
  page,
  axe,
}) => {
  await openCourses(page);
  await expect(region(page).getByRole('columnheader')).toHaveText([
    '',
    'Course ID',
    'Term',
    'Campus',
    'Course Name',
  ]);
  const size = page.getByRole('combobox', { name: 'Rows per page' });
  await expect(size.locator('option')).toHaveText(['25', '50', '100']);
  await expect(size).toHaveValue('25');
  const first = await names(page);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => names(page)).not.toEqual(first);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect.poll(() => names(page)).toEqual(first);
  await size.selectOption('50');
  await expect(rows(page)).toHaveCount(50);
  await expect(page.getByText(/^1–50 of \d+$/)).toBeVisible();
  await inEveryLook(page, async () => {
    await axe();
    // Wide tables scroll in their own region, which cards do not need; the page does not scroll.
    expect(await sidewaysOverflow(page)).toBe(0);
  });
});

test('PICK-05 the search finds every word in any column, and says how many match', async ({ page }) => {
  await openCourses(page);
  await search(page).fill('fbl finance');
  await expect(page.getByText(/^\d+ of \d+ match$/)).toBeVisible();
  for (const text of await rows(page).allInnerTexts())
    expect(text.toLowerCase()).toMatch(/fbl[^]*finance|finance[^]*fbl/);
  await search(page).fill('zzz');
  await expect(region(page)).toContainText('Nothing matches “zzz”.');
  await search(page).press('Escape');
  await expect(search(page)).toHaveValue('');
  await expect(rows(page)).toHaveCount(25);
});

test('columns sort ascending, descending, and back to the original order', async ({ page }) => {
  await openCourses(page);
  const before = await names(page);
  const header = region(page).getByRole('columnheader', { name: 'Course Name' });
  const sort = header.getByRole('button');
  await sort.click();
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  await expect(async () => {
    const up = await names(page);
    expect(up).toEqual([...up].sort(compare));
  }).toPass();
  await sort.click();
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await sort.click();
  await expect(header).not.toHaveAttribute('aria-sort');
  await expect.poll(() => names(page)).toEqual(before);
});

test('rows are selected by click and Shift-click, and the count stays visible', async ({ page }) => {
  await openCourses(page);
  await rows(page).nth(1).locator('td').last().click();
  await expect(box(page, 1)).toBeChecked();
  await rows(page)
    .nth(4)
    .locator('td')
    .last()
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected', { exact: true })).toBeVisible();
  for (const index of [1, 2, 3, 4]) await expect(box(page, index)).toBeChecked();
  await box(page, 2).click();
  await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText('0 selected', { exact: true })).toBeVisible();
});

test('rows are selected with the keyboard only', async ({ page }) => {
  await openCourses(page);
  await box(page, 0).focus();
  await page.keyboard.press('Space');
  await expect(box(page, 0)).toBeChecked();
  await page.keyboard.press('ArrowDown');
  await expect(box(page, 1)).toBeFocused();
  await expect(box(page, 1)).not.toBeChecked();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('4 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('End');
  await expect(box(page, 24)).toBeFocused();
  await expect(box(page, 24)).toBeInViewport();
  // All checkboxes on the page share one Tab stop.
  await expect(region(page).locator('tbody input[type=checkbox][tabindex="0"]')).toHaveCount(1);
});

test('Select all selects the rows that match the search, and does not change the rest', async ({ page }) => {
  await openCourses(page);
  await box(page, 0).click();
  await search(page).fill('sgp');
  const match = page.getByText(/^\d+ of \d+ match$/);
  await expect(match).toBeVisible();
  const found = Number((await match.innerText()).split(' ')[0]);
  await all(page).click();
  await expect(page.getByText(`${found + 1} selected`)).toBeVisible();
  await expect(page.getByText('1 of them hidden by this search')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(search(page)).toBeFocused();
  await expect(page.getByText(`${found + 1} selected`)).toBeVisible();
  await expect(all(page)).toHaveJSProperty('indeterminate', true);
});

test('PICK-06 a course opens in the LMS, in a new tab, without selecting its row', async ({
  page,
  campus,
}) => {
  await openCourses(page);
  const link = rows(page).first().getByRole('link');
  await expect(link).toHaveAttribute('href', new RegExp(`^${campus.lms}/courses/\\d+$`));
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', /noopener/);
  const opened = page.context().waitForEvent('page');
  await link.click();
  await (await opened).close();
  await expect(page.getByText('0 selected', { exact: true })).toBeVisible();
});

test('the head stays visible while the rows scroll, and the keyboard reaches the region', async ({
  page,
}) => {
  await openCourses(page);
  await region(page).focus();
  await expect(region(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect(box(page, 24)).toBeInViewport();
  await expect(region(page).getByRole('columnheader', { name: 'Course Name' })).toBeInViewport();
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights.map(Math.round))).toEqual(new Set([40]));
});
