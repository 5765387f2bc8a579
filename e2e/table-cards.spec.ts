/** The table on a phone: each row is a card, and nothing is out of view. */
import { violationsOf } from './support/accessibility.ts';
import { expect, test } from './support/fixtures.ts';
import { sidewaysOverflow } from './support/looks.ts';
import { serveTable } from './support/table-page.ts';

const PHONE = { width: 390, height: 844 };

test('at 390 px a row is a card: each value has its label; selecting, sorting and searching are available', async ({
  page,
}) => {
  const table = await serveTable();
  try {
    await page.setViewportSize(PHONE);
    await page.goto(table.url);
    const list = page.getByRole('table', { name: 'Courses' });
    const region = page.getByRole('region', { name: 'Courses' });
    const first = list.getByRole('row').nth(1);
    await expect(first.getByRole('cell')).toHaveText(['', '1', 'MBA 2026-27 P1', 'FBL', /^FIN100 /]);
    // Nothing scrolls sideways, and nothing is cut off.
    expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await sidewaysOverflow(page)).toBe(0);
    const beyond = () =>
      first.evaluate((row, width) => {
        const past = [...row.querySelectorAll('td')].map((cell) => [
          cell.getBoundingClientRect().right - width,
          cell.scrollWidth - cell.clientWidth,
        ]);
        return past.length === 5 ? Math.max(0, ...past.flat()) : 'another row';
      }, PHONE.width);
    await expect.poll(beyond).toBe(0);
    const name = first.getByRole('cell').last();
    // The row may be rendered again in the meantime.
    const labelOfCell = () => name.evaluate((element) => getComputedStyle(element, '::before').content);
    await expect.poll(labelOfCell).toContain('Course Name');
    expect(await violationsOf(page, { part: 'table' })).toEqual([]);
    await name.click();
    await expect(first.getByRole('checkbox')).toBeChecked();
    await expect(page.getByText('1 selected', { exact: true })).toBeVisible();
    // The head of a column further to the right is scrolled into view.
    const head = list.getByRole('columnheader', { name: 'Course Name' });
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(first.getByRole('cell').last()).toHaveText(/^ECO100 /);
    await page.getByRole('searchbox').fill('fin104');
    await expect(page.getByText(/of 20,000 match$/)).toBeVisible();
    await expect(first.getByRole('cell').last()).toContainText('FIN');
  } finally {
    table.close();
  }
});

test('at 390 px 20,000 cards scroll to their end without overlapping, and only a few are rendered at a time', async ({
  page,
}) => {
  const table = await serveTable();
  try {
    await page.setViewportSize(PHONE);
    await page.goto(table.url);
    const region = page.getByRole('region', { name: 'Courses' });
    const cards = region.locator('tr[data-index]');
    await expect(cards.first()).toBeVisible();
    for (const part of [0.3, 0.7, 1]) {
      await region.evaluate((element, share) => {
        element.scrollTop = element.scrollHeight * share;
      }, part);
      // Cards are measured as they are rendered: then each begins where the one above it ends, on screen as
      // well.
      await expect(async () => {
        const boxes = await cards.evaluateAll((rows) =>
          rows.map((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return { index: Number((row as HTMLElement).dataset.index), top, bottom };
          }),
        );
        expect(boxes.length).toBeLessThan(40);
        for (const [place, box] of boxes.entries()) {
          const above = boxes[place - 1];
          if (above && above.index === box.index - 1)
            expect(Math.abs(box.top - above.bottom)).toBeLessThan(1);
        }
        const middle = 350;
        expect(boxes.some(({ top, bottom }) => top < middle && bottom > middle)).toBe(true);
      }).toPass();
    }
    // The end moves while the last cards are measured, so the bar has to be dragged again.
    await expect(async () => {
      await region.evaluate((element) => {
        element.scrollTop = element.scrollHeight;
      });
      await expect(region.locator('tr[data-index="19999"]')).toBeInViewport({ timeout: 1_000 });
    }).toPass();
    // The keys move from card to card, as they do from row to row.
    const last = region.locator('tr[data-index="19999"]').getByRole('checkbox');
    await last.click();
    await page.keyboard.press('Home');
    await expect(region.locator('tr[data-index="0"]').getByRole('checkbox')).toBeFocused();
    await expect(region.locator('tr[data-index="0"]')).toBeInViewport();
  } finally {
    table.close();
  }
});
