/**
 * A browser context that outlives its tests, emptied after each. The page of the console that it keeps open
 * preserves the process that all pages of the context share (`--renderer-process-limit` in
 * playwright.config.ts), with the compiled scripts.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { Campus } from './processes.ts';

/** A page's storage, besides cookies; not the file cache, which is the reason for keeping a context. */
const STORED = 'local_storage,indexeddb,service_workers,cache_storage,file_systems,shared_storage';

interface Kept {
  context: BrowserContext;
  /** The page that stays open. */
  anchor: Page;
  /** Whether a test has changed the context irreversibly. */
  spent: boolean;
}

/** Marks a context whose clock was set, because that cannot be undone. */
function noteClock(kept: Kept): void {
  const { clock } = kept.context;
  for (const name of ['install', 'setFixedTime', 'setSystemTime'] as const) {
    const set = clock[name].bind(clock) as (...args: unknown[]) => Promise<void>;
    clock[name] = (...args: unknown[]) => {
      kept.spent = true;
      return set(...args);
    };
  }
}

export class KeptContexts {
  readonly #browser: Browser;
  readonly #campus: Campus;
  /** Contexts by their options. */
  readonly #kept = new Map<string, Kept>();

  constructor(browser: Browser, campus: Campus) {
    this.#browser = browser;
    this.#campus = campus;
  }

  /** Gives a test the context with these options, and empties it afterwards. */
  async lend(options: BrowserContextOptions, use: (context: BrowserContext) => Promise<void>): Promise<void> {
    const key = JSON.stringify(options);
    const kept = this.#kept.get(key) ?? (await this.#make(options));
    // After a failed test, the next one starts with a new context.
    this.#kept.delete(key);
    await use(kept.context);
    if (kept.spent) return kept.context.close();
    await this.#empty(kept);
    this.#kept.set(key, kept);
  }

  async #make(options: BrowserContextOptions): Promise<Kept> {
    const context = await this.#browser.newContext(options);
    const anchor = await context.newPage();
    // An address in the console that runs no scripts.
    await anchor.goto(`${this.#campus.url}/favicon.svg`);
    const kept = { context, anchor, spent: false };
    noteClock(kept);
    return kept;
  }

  async #empty({ context, anchor }: Kept): Promise<void> {
    await Promise.all(context.pages().flatMap((page) => (page === anchor ? [] : [page.close()])));
    await context.setOffline(false);
    await context.unrouteAll();
    // Clears the copy in the process that the next page will use.
    await anchor.evaluate(() => localStorage.clear());
    const devtools = await context.newCDPSession(anchor);
    for (const origin of [this.#campus.url, this.#campus.lms])
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: STORED });
    await devtools.detach();
    await context.clearCookies();
    await context.clearPermissions();
  }
}
