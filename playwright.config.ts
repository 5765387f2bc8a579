import { defineConfig } from '@playwright/test';
import { browserLaunch } from './e2e/support/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  workers: 2,
  retries: 0,
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
