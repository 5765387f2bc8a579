/** Appearances of a screen: in both schemes, and as narrow as a phone. */
import type { Page } from '@playwright/test';
import { inOtherScheme } from './accessibility.ts';

const WIDE = { width: 1280, height: 900 };
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/**
 * Runs a check in every scheme and width, then returns to the first. In the dark scheme, axe checks only
 * colours.
 */
export async function inEveryLook(page: Page, check: (look: string) => Promise<void>): Promise<void> {
  for (const { name, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    inOtherScheme(page, name === 'dark');
    await drawn(page);
    await check(name);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

/** Waits until everything that depends on the new width has been rendered. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );

/** Fails if the page as a whole scrolls sideways; wide content must scroll in its own region. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
