/** The ways in which a screen is looked at: both schemes, and as narrow as a phone. */
import type { Page } from '@playwright/test';
import { inOtherScheme } from './accessibility.ts';

const WIDE = { width: 1280, height: 900 };
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/** Runs a check in every look, then goes back to the first. Checks with axe are about colours only in the dark one. */
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

/** Waits until what hears of the new width has been drawn. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  );

/** Fails when the page scrolls sideways as a whole: wide things scroll in a region of their own. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
