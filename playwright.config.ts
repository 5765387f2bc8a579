import { defineConfig } from '@playwright/test';
import { browserLaunch } from './e2e/support/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  workers: 2,
  // One more try where the machine is shared; the report tells such a test as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/browser.json' }],
  ],
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: await browserLaunch(),
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
