import { defineConfig } from 'vitest/config';
import { findPostgres } from './scripts/postgres.mjs';

/**
 * The server's tests run on PostgreSQL where one answers, and these on the embedded PGlite as well: what asks something of a
 * database that depends on which one it is. The statements of all others are sent to both (docs/decisions/suite.md).
 */
const ON_BOTH = [
  'auth/sign-in.test.ts',
  'database/*',
  'imports/{imports,large,queue}.test.ts',
  'jobs/{items,jobs}.test.ts',
  'kill/{items,kill,starts}.test.ts',
  'platform/restarts.test.ts',
  'sis-files/{drafts,effect,large}.test.ts',
  'zoom/{queue-rounds,run}.test.ts',
].map((path) => `apps/server/test/${path}`);

const SERVER = 'apps/server/test/**/*.test.ts';
const STATEMENTS = 'apps/server/test/statements/*.test.ts';

const postgres = process.env.TEST_DATABASE === 'pglite' ? null : await findPostgres();

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
        test: {
          name: 'server',
          include: [SERVER],
          exclude: [STATEMENTS],
          ...(postgres
            ? {
                globalSetup: ['apps/server/test/support/made-postgres.ts'],
                setupFiles: ['apps/server/test/support/noted-statements.ts'],
                env: { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: postgres },
              }
            : { env: { TEST_DATABASE: 'pglite' } }),
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'server-pglite',
          include: process.env.DATABASES === 'all' ? [SERVER] : ON_BOTH,
          exclude: [STATEMENTS],
          env: { TEST_DATABASE: 'pglite' },
          ...patience,
        },
      },
      // After the others, with what they noted.
      ...(process.env.TEST_STATEMENTS
        ? [{ extends: true as const, test: { name: 'statements', include: [STATEMENTS], ...patience } }]
        : []),
    ],
  },
});
