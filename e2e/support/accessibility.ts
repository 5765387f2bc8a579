/**
 * Accessibility checks with axe: every rule once for each screen, and only colour rules in the other scheme.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

/** Methods of axe's colours that its types do not include. */
interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(text: string): Colour;
}
type WithAxe = typeof globalThis & {
  axe: typeof axe & {
    commons: { color: { Color: new (red: number, green: number, blue: number) => Colour } };
  };
};

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages shown in the dark scheme after every rule was checked in the light one. */
const otherScheme = new WeakSet<Page>();

/** Records whether a page is shown again, unchanged, in the other colour scheme. */
export function inOtherScheme(page: Page, is: boolean): void {
  if (is) otherScheme.add(page);
  else otherScheme.delete(page);
}

/** Finishes running animations, so that no colour is read between two states. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (Number.isFinite(endTime)) animation.finish();
    }
  });
}

/**
 * Makes axe read each colour only once: a page has a dozen, and reading them repeatedly took a fifth of a
 * run.
 */
function readColoursOnce(): void {
  const { Color } = (globalThis as WithAxe).axe.commons.color;
  const read = Color.prototype.parseString as Colour['parseString'];
  const known = new Map<string, Colour>();
  Color.prototype.parseString = function (this: Colour, text: string): Colour {
    const colour = known.get(text) ?? read.call(new Color(0, 0, 0), text);
    known.set(text, colour);
    const { r, g, b, alpha } = colour;
    return Object.assign(this, { r, g, b, alpha });
  };
}

/**
 * Returns the page's accessibility violations, one text for each rule.
 * @param part the part of the page to check; by default the whole page
 * @param rules rules to leave out
 */
export async function violationsOf(
  page: Page,
  { part, rules = {} }: { part?: string; rules?: Record<string, { enabled: false }> } = {},
): Promise<string[]> {
  await endAnimations(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // The script is half a megabyte, so it is sent only once for each page.
    await page.evaluate(SOURCE);
    await page.evaluate(readColoursOnce);
  }
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules,
    ...(otherScheme.has(page) ? { runOnly: ['color-contrast'] } : {}),
  };
  // There are no frames here, so nothing is lost by running in the page itself.
  const violations = await page.evaluate(
    async ([where, how]) => (await (globalThis as WithAxe).axe.run(where ?? document, how)).violations,
    [part, options] as const,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html} ${node.failureSummary ?? ''}`).join('\n')}`,
  );
}
