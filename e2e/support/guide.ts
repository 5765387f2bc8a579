/**
 * The guide's pictures, taken by the tests of its examples when `UPDATE_GUIDE_IMAGES=1` (`npm run
 * guide-pictures`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { NOTED, PICTURES, sumOfScreen } from '../../scripts/guide-pictures.mjs';

export const WRITE = process.env.UPDATE_GUIDE_IMAGES === '1';
/**
 * Almost as wide as the guide's pages, so that letters in a picture are about as large as those beside it;
 * high enough for a dialog.
 */
const PICTURE_VIEW = { width: 900, height: 1_500 };
/** The address that the example school would see instead of the test's addresses. */
const ADDRESS = 'https://lms-admin.northbridge.example';
const MARGIN = 12;
const MOST_BYTES = 100_000;

/** Returns the rectangle around all of these parts, with a margin. */
async function around(page: Page, parts: readonly Locator[]) {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const seen = boxes.filter((box) => box !== null);
  const left = Math.max(0, Math.min(...seen.map(({ x }) => x)) - MARGIN);
  const top = Math.max(0, Math.min(...seen.map(({ y }) => y)) - MARGIN);
  const most = page.viewportSize()?.width ?? PICTURE_VIEW.width;
  const right = Math.min(most, Math.max(...seen.map(({ x, width }) => x + width)) + MARGIN);
  const bottom = Math.max(...seen.map(({ y, height }) => y + height)) + MARGIN;
  const scrolled = await page.evaluate(() => window.scrollY);
  return { x: left, y: top + scrolled, width: right - left, height: bottom - top };
}

/** Replaces the test's addresses, which belong to this machine and change with each run. */
async function withoutTestAddresses(page: Page): Promise<void> {
  await page.evaluate((address) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue?.replace(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, address);
      if (text !== undefined && text !== node.nodeValue) node.nodeValue = text;
    }
  }, ADDRESS);
}

/** Compresses a picture with the best quality within the repository's size limit. */
async function small(shot: Buffer): Promise<Buffer> {
  for (const quality of [82, 70, 55, 45]) {
    const made = await sharp(shot).webp({ quality, effort: 6 }).toBuffer();
    if (made.length < MOST_BYTES) return made;
  }
  throw new Error('The picture is too large: let it show less.');
}

function note(name: string): void {
  const noted = JSON.parse(readFileSync(NOTED, 'utf8')) as Record<string, string>;
  const all = Object.entries({ ...noted, [name]: sumOfScreen(name) }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  writeFileSync(NOTED, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/**
 * Takes a picture of these parts of the page, with no pointer, cursor or movement. @param name begins with
 * the tool's name
 */
export async function picture(page: Page, name: string, ...parts: readonly Locator[]): Promise<void> {
  if (!WRITE) return;
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  await withoutTestAddresses(page);
  const clip = await around(page, parts);
  const shot = await page.screenshot({ clip, fullPage: true, animations: 'disabled', caret: 'hide' });
  writeFileSync(join(PICTURES, `${name}.webp`), await small(shot));
  note(name);
}

/** Browser options for the examples: new, as wide as a picture, in the practice school's time zone. */
export const EXAMPLES = {
  campusKind: 'examples',
  ownContext: true,
  viewport: PICTURE_VIEW,
  deviceScaleFactor: 2,
  locale: 'en-GB',
  timezoneId: 'Europe/Paris',
} as const;

/** Finds the card of a wizard's open step. */
export const stepCard = (page: Page): Locator => page.locator('[data-wizard] > .MuiPaper-root');

/**
 * Checks that the guide describes the example with these names and numbers, which the test then finds on the
 * screen. @returns the names and numbers
 */
export function example(page: string, told: readonly string[]): readonly string[] {
  const text = readFileSync(join(process.cwd(), `docs/guide/${page}.md`), 'utf8');
  const part = /^## Example$[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(text)?.[0] ?? '';
  for (const one of told) expect(part, page).toContain(one);
  return told;
}
