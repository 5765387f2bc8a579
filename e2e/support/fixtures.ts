/** What every browser test has: a campus of its worker, sign-in through the real pages, and a check with axe. */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { type Campus, startCampus } from './processes.ts';

export type Login =
  | 'alma.reyes'
  | 'bruno.keller'
  | 'carla.singh'
  | 'dev.oduya'
  | 'elena.marsh'
  | 'farid.noor'
  | 'greta.lind'
  | 'hugo.tan';

interface Fixtures {
  /** Signs in on the sandbox's pages, from the console's welcome screen, and waits until the console is back. */
  signIn: (login: Login, path?: string) => Promise<void>;
  /** Fails with the list of violations when the page, or a part of it, breaks an accessibility rule. */
  axe: (page?: Page) => Promise<void>;
}

interface WorkerFixtures {
  /** Settings for the campus, for specs that need their own (`test.use` at the top of a file). */
  campusEnv: Record<string, string>;
  campus: Campus;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  campusEnv: [{}, { scope: 'worker', option: true }],
  campus: [
    async ({ campusEnv }, use) => {
      const campus = await startCampus(campusEnv);
      await use(campus);
      await campus.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ campus }, use) => use(campus.url),
  signIn: async ({ page, campus }, use) => {
    await use(async (login, path = '/') => {
      await page.goto(path);
      await page
        .getByRole('link', { name: /sign in/i })
        .or(page.getByRole('button', { name: /sign in/i }))
        .click();
      await page.waitForURL((url) => url.origin === campus.lms);
      await page.getByRole('button', { name: new RegExp(login.replace('.', '[ .]'), 'i') }).click();
      const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
      await allow.or(page.getByRole('banner')).first().waitFor();
      if (await allow.isVisible()) await allow.click();
      await page.waitForURL((url) => url.origin === campus.url && !url.searchParams.has('code'));
    });
  },
  axe: async ({ page }, use) => {
    await use(async (target = page) => {
      const { violations } = await new AxeBuilder({ page: target }).analyze();
      const told = violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map((node) => `  ${node.html} ${node.failureSummary ?? ''}`).join('\n')}`,
      );
      expect(told).toEqual([]);
    });
  },
});
export { expect };
