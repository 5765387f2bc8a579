/** A second tab of the same browser. */
import type { Page } from '@playwright/test';

/** Opens a tab as 'Duplicate tab' does, with a copy of the session storage, and with no page open yet. */
export async function duplicateOf(page: Page): Promise<Page> {
  const kept = await page.evaluate(
    (): Record<string, string> => Object.fromEntries(Object.entries(sessionStorage)),
  );
  const twin = await page.context().newPage();
  await twin.addInitScript((entries) => {
    for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value);
  }, kept);
  return twin;
}
