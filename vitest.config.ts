import { defineConfig } from 'vitest/config';

/** One more try where the machine is shared; the report tells such a test as retried. */
const retry = process.env.CI ? 1 : 0;

/** `unit` is quick and pure; `sandbox` and `server` talk HTTP. The server's suite runs once for each database. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/test/**/*.test.ts', 'apps/console/test/**/*.test.ts'] } },
      {
        test: {
          name: 'sandbox',
          retry,
          include: ['apps/sandbox/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          retry,
          include: ['apps/server/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file starts a server and a sandbox; two at a time is what two cores carry.
          maxWorkers: 2,
        },
      },
    ],
  },
});
