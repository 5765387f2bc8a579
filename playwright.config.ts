import { defineConfig } from '@playwright/test';
import { browserLaunch } from './e2e/support/browser.ts';
import { WRITE } from './e2e/support/guide.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // As many as two cores can handle.
  workers: 2,
  // A test that needs a second attempt is broken.
  retries: 0,
  forbidOnly: true,
  // Time limits for events that never happen. On a busy machine, everything else can take long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/browser.json' }],
  ],
  use: {
    // The tests do not need movement: there are no transitions to wait for, and no spinners that are drawn all the time.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
    // Pages of one context share a process, which keeps its compiled scripts (e2e/support/kept-contexts.ts). The guide
    // is written in British English, and so are the date fields in its pictures.
    launchOptions: await browserLaunch([
      '--renderer-process-limit=1',
      ...(WRITE ? ['--lang=en-GB', '--accept-lang=en-GB'] : []),
    ]),
    // Recording takes a quarter of the time of every test, so it is done only on request.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
