import { defineConfig } from 'vitest/config';

/**
 * Tests of the server that ask nothing of the database that others do not ask, too: on PGlite only. Everything else runs on
 * PostgreSQL as well (docs/decisions/suite.md).
 */
const ONCE = [
  'access/*',
  'auth/limits.test.ts',
  'awards/list-hostile.test.ts',
  'canvas/*',
  'enrollments/{astray,changed-since,generated}.test.ts',
  'fuzz/*',
  'groups/{generator,group-plans,hand-made,member-*,ways-in}.test.ts',
  'imports/{another-number,clocks,odd-answers,record,refused-sending}.test.ts',
  'jobs/others.test.ts',
  'images/{hostile,settings,store,strip}.test.ts',
  'lms/*',
  'outbound/*',
  'qualtrics/*',
  'platform/{config,csv,doors,grouped,hostile-requests,json,kept-connections,networks,read-only,route,start-failure,warm-thread}.test.ts',
  'sis-files/generated/*',
  'sis-files/{check,effect-enrolments,effect-places,effect-removals,effect-tables,effect-targets,first-places,hostile,open-drafts,own-account,policies,reach}.test.ts',
  'student-export/*',
  'timetable/*',
  'users/*',
  'zoom/{calendar,double-bookings,hard-times,hostile,hostile-times,refused-token,seen-links,seen-links-random}.test.ts',
  'zoom-api/*',
].map((path) => `apps/server/test/${path}`);

/** Limits for what never comes: on a busy machine everything else may take its time. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

/** `unit` is quick and pure; `sandbox` and the server's talk HTTP. */
export default defineConfig({
  test: {
    // A limit for what never comes, as above: a second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
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
          ...patience,
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
