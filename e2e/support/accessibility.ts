/** Checks with axe: every rule once a screen, and only what colours can break in the other scheme. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Pages that stand in the dark scheme after every rule was checked in the light one. */
const otherScheme = new WeakSet<Page>();

/** Says whether a page is shown again, unchanged, in the other colour scheme. */
export function inOtherScheme(page: Page, is: boolean): void {
  if (is) otherScheme.add(page);
  else otherScheme.delete(page);
}

/** Brings what still moves to its end, so that no colour is read halfway from one state to the next. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (Number.isFinite(endTime)) animation.finish();
    }
  });
}

/** What breaks an accessibility rule on the page, one text a rule. */
export async function violationsOf(page: Page): Promise<string[]> {
  await endAnimations(page);
  // Half a megabyte that the builder would otherwise send and have read twice for each run.
  const there = await page.evaluate(() => 'axe' in window);
  // No frames here, so nothing is lost by running in the page itself; without that, axe opens a page for each run.
  const axe = new AxeBuilder({ page, ...(there ? { axeSource: 'void 0' } : {}) }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(otherScheme.has(page) ? { runOnly: ['color-contrast'] } : {}),
  });
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html} ${node.failureSummary ?? ''}`).join('\n')}`,
  );
}
