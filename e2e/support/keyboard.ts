/** Keyboard navigation: to a control by Tab, to an option by the arrow keys. */
import type { Locator, Page } from '@playwright/test';

/** Presses Tab until the control has focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('not reached by Tab');
}

/** Types into the focused list, moves to the option with the arrow keys, and selects it. */
export async function takeOption(page: Page, list: string, option: string): Promise<void> {
  await page.keyboard.type(option);
  await page.getByRole('option', { name: option, exact: true }).waitFor();
  const box = page.getByRole('combobox', { name: list, exact: true });
  for (let presses = 0; presses < 20; presses++) {
    // Finds the option by its name, because its id is an index in a list that may still change.
    const active = await box.evaluate((field) => {
      const here = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
      return (here?.querySelector('span') ?? here)?.textContent ?? null;
    });
    if (active === option) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`${option} not reached by the arrows`);
}
