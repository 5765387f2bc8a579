import { defineConfig } from '@playwright/test';
import { browserLaunch } from './e2e/support/browser.ts';
import { WRITE } from './e2e/support/guide.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // What two cores carry.
  workers: 2,
  // A test that needs a second try is broken.
  retries: 0,
  forbidOnly: true,
  // Limits for what never comes; on a busy machine everything else may take its time.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/browser.json' }],
  ],
  use: {
    // Nothing that is checked moves: transitions that nobody waits for, and spinners that are drawn anew sixty times a second.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
    // Pages of one context share a process: it stays, with the scripts that it has compiled (e2e/support/kept-contexts.ts).
    // The guide is written in British English, and so are the date fields in its pictures.
    launchOptions: await browserLaunch([
      '--renderer-process-limit=1',
      ...(WRITE ? ['--lang=en-GB', '--accept-lang=en-GB'] : []),
    ]),
    // Recording costs a quarter of the time of every test, so only when it is asked for.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
