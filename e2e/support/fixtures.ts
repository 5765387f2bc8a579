/**
 * Fixtures of every browser test: the worker's practice LMS, sign-in, and an accessibility check with axe.
 */
import { test as base, expect, type Page } from '@playwright/test';
import { violationsOf } from './accessibility.ts';
import { CAMPUSES, type CampusKind } from './campuses.ts';
import { KeptContexts } from './kept-contexts.ts';
import { type Campus, startCampus } from './processes.ts';
import { KeptSessions, type Login, screenIsThere, signInAtLms } from './sign-in.ts';

interface Fixtures {
  /**
   * Uses a context that no other test has used, like a new browser; set by `test.use` at the top of a file.
   */
  ownContext: boolean;
  /**
   * Opens a path as this person, with the session that the worker keeps for them, and waits until the screen
   * is loaded.
   */
  signIn: (login: Login, path?: string) => Promise<void>;
  /**
   * Signs in on the LMS's pages: a session of the test's own, for tests about sign-in or tests that end the
   * session.
   */
  signInSeparately: (login: Login, path?: string) => Promise<void>;
  /** Fails with the list of violations if the page, or a part of it, breaks an accessibility rule. */
  axe: (page?: Page) => Promise<void>;
}

interface WorkerFixtures {
  /**
   * The practice LMS that the specs in a file need (`test.use` at its top); files with the same one share it
   * within a worker.
   */
  campusKind: CampusKind;
  campus: Campus;
  sessions: KeptSessions;
  keptContexts: KeptContexts;
}

/**
 * Returns the text of the page when a test failed (scripts/test.mjs prints it). Playwright itself records
 * only the first page of a context.
 */
async function screenOf(page: Page): Promise<string> {
  const screen = await page.ariaSnapshot({ timeout: 5_000 }).catch(String);
  return `${page.url()}\n${screen}`;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  campusKind: ['quick', { scope: 'worker', option: true }],
  campus: [
    async ({ campusKind }, use) => {
      const campus = await startCampus(CAMPUSES[campusKind]);
      await use(campus);
      await campus.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  sessions: [async ({ browser, campus }, use) => use(new KeptSessions(browser, campus)), { scope: 'worker' }],
  keptContexts: [
    async ({ browser, campus }, use) => use(new KeptContexts(browser, campus)),
    { scope: 'worker' },
  ],
  baseURL: async ({ campus }, use) => use(campus.url),
  ownContext: [false, { option: true }],
  context: async (
    { browser, keptContexts, ownContext, timezoneId, locale, deviceScaleFactor, viewport },
    use,
  ) => {
    if (!ownContext) return keptContexts.lend({ timezoneId }, use);
    const own = await browser.newContext({ timezoneId, locale, deviceScaleFactor, viewport });
    await use(own);
    await own.close();
  },
  /**
   * Fails a test whose page's scripts violate its own content policy, because they would hide the report of a
   * real attack.
   */
  page: async ({ page }, use, test) => {
    const broken: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy.*script-src/s.test(message.text())) broken.push(message.text());
    });
    await use(page);
    if (test.errors.length > 0) await test.attach('screen', { body: await screenOf(page) });
    expect(broken).toEqual([]);
  },
  signIn: async ({ page, context, sessions }, use) => {
    await use(async (login, path = '/') => {
      await sessions.give(context, login);
      await page.goto(path);
      await screenIsThere(page);
    });
  },
  signInSeparately: async ({ page, campus }, use) => {
    await use((login, path) => signInAtLms(page, campus, login, path));
  },
  axe: async ({ page }, use) => {
    await use(async (target = page) => expect(await violationsOf(target)).toEqual([]));
  },
});
export { expect };
