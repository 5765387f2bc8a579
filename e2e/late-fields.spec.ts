/** Option lists arrive after the screen: a person who is faster loses nothing. */
import type { Page, Route } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

/** Holds back the script for the lists until it is released. */
async function holdLists(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let free = false;
  await page.route(/\/assets\/OptionField-[^/]*\.js$/, async (route) => {
    if (free) await route.continue();
    else held.push(route);
  });
  return async () => {
    free = true;
    await Promise.all(held.map((route) => route.continue()));
  };
}

const programme = (page: Page) => page.getByRole('combobox', { name: 'Programme' });

test('PICK-01 letters typed before the list is loaded are kept, with the focus, and the list opens with them', async ({
  page,
  signIn,
  axe,
}) => {
  const letGo = await holdLists(page);
  await signIn('alma.reyes', '/course-level-admin');
  await expect(page.getByRole('combobox', { name: 'Terms' })).toBeDisabled();
  await axe();
  const before = await programme(page).boundingBox();
  await programme(page).click();
  await page.keyboard.type('mb');
  await letGo();
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.type('a');
  await expect(programme(page)).toHaveValue('mba');
  await expect(programme(page)).toBeFocused();
  // The field has not moved.
  expect((await programme(page).boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.getByRole('listbox').getByRole('option', { name: 'MBA', exact: true }).click();
  await expect(programme(page)).toHaveValue('MBA');
});

test('PICK-01 a click before the list is loaded opens the list later; without a click, nothing opens and the focus stays', async ({
  page,
  signIn,
}) => {
  const letGo = await holdLists(page);
  await signIn('alma.reyes', '/course-level-admin');
  await programme(page).click();
  await letGo();
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expect(programme(page)).toBeFocused();

  const again = await holdLists(page);
  await page.reload();
  // Waits until the screen is complete: before that, its fields may be rendered again.
  await expect(page.getByRole('combobox', { name: 'Terms' })).toBeDisabled();
  await expect(async () => {
    await programme(page).focus();
    await expect(programme(page)).toBeFocused({ timeout: 500 });
  }).toPass();
  await again();
  await expect(page.locator('.MuiAutocomplete-root')).toHaveCount(3);
  await expect(programme(page)).toBeFocused();
  await expect(page.getByRole('listbox')).toHaveCount(0);
});
