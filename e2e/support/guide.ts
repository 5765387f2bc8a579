/** The images of the guide, made by the specs of the tools when `UPDATE_GUIDE_IMAGES=1`. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';

export const WRITE = process.env.UPDATE_GUIDE_IMAGES === '1';
/** Greatest height in px of an image; what is below it is left out, as on a screen. */
const MOST_HEIGHT = 1_080;

/** The screen from its top, about as high as what it shows; no pointer, no blinking cursor, nothing that moves. */
export async function picture(page: Page, ...files: string[]): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const height = await page.evaluate(() => {
    const shown = document.querySelector('[data-wizard]') ?? document.querySelector('main > :last-child');
    return shown?.getBoundingClientRect().bottom ?? 0;
  });
  await page.setViewportSize({ width: 1200, height: Math.min(Math.ceil(height) + 32, MOST_HEIGHT) });
  for (const file of files) {
    const path = join(process.cwd(), file);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
  await page.setViewportSize({ width: 1200, height: 900 });
}
