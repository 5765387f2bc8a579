import { defineConfig } from 'vitest/config';

/**
 * Tests of the server that ask nothing of the database that others do not ask, too: on PGlite only. Everything else runs on
 * PostgreSQL as well (docs/decisions/suite.md).
 */
const ONCE = [
  'access/*',
  'canvas/*',
  'fuzz/*',
  'groups/{group-plans,hand-made,member-*,ways-in}.test.ts',
  'imports/{another-number,clocks,refused-sending}.test.ts',
  'images/{hostile,settings,store,strip}.test.ts',
  'lms/*',
  'outbound/*',
  'qualtrics/*',
  'platform/{config,csv,hostile-requests,json,kept-connections,route,start-failure}.test.ts',
  'sis-files/{check,first-places,hostile,own-account,policies,reach}.test.ts',
  'student-export/*',
  'users/*',
  'zoom-api/*',
  'zoom-api/*',
].map((path) => `apps/server/test/${path}`);

/** Limits for what never comes: on a busy machine everything else may take its time. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

/** `unit` is quick and pure; `sandbox` and the server's talk HTTP. */
export default defineConfig({
  test: {
    // Files share what is loaded and started: a server takes longer to start than most files take to run.
    isolate: false,
    // What two cores carry.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.ts',
            'apps/console/test/**/*.test.ts',
            'scripts/test/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'sandbox', include: ['apps/sandbox/test/**/*.test.ts'], ...patience },
      },
      {
        extends: true,
        test: { name: 'server', include: ['apps/server/test/**/*.test.ts'], ...patience },
      },
      {
        extends: true,
        test: {
          name: 'server-postgres',
          include: ['apps/server/test/**/*.test.ts'],
          exclude: ONCE,
          globalSetup: ['apps/server/test/support/made-postgres.ts'],
          env: { TEST_DATABASE: 'postgres' },
          ...patience,
        },
      },
    ],
  },
});
