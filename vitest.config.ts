import { defineConfig } from 'vitest/config';
import { findPostgres } from './scripts/postgres.mjs';

/**
 * The server tests run on PostgreSQL if it is available. These also run on the embedded PGlite, because their results depend on
 * the database. The statements of all other tests are sent to both databases (docs/decisions/suite.md).
 */
const ON_BOTH = [
  'auth/sign-in.test.ts',
  'database/*.test.ts',
  'directory/*.test.ts',
  'imports/{imports,large}.test.ts',
  'jobs/jobs.test.ts',
  'sis-files/{drafts,effect,large}.test.ts',
  'zoom/run.test.ts',
].map((path) => `apps/server/test/${path}`);
/** The same for tests that wait. */
const WAITING_ON_BOTH = [
  'imports/queue.test.ts',
  'jobs/items.test.ts',
  'kill/{directory,items,kill,starts}.test.ts',
  'operation/{admin,backup,doctor,drill,system,zoom-drill}.test.ts',
  'platform/restarts.test.ts',
  'zoom/queue-rounds.test.ts',
].map((path) => `apps/server/test/${path}`);

const SERVER = 'apps/server/test/**/*.test.ts';
const SOAK = 'apps/server/test/soak/*.test.ts';
const KEEP = 'apps/server/test/keep/*.test.ts';
const STATEMENTS = 'apps/server/test/statements/*.test.ts';

/** Tests that mostly wait: for leases to expire, for processes to start, for a slow LMS. More of them run at the same time. */
const WAITING = [
  'imports/{another-number,clocks,ends,faults,queue,refused-sending,restored}.test.ts',
  'jobs/{items,sign-in}.test.ts',
  'kill/*.test.ts',
  'lms/refused-token.test.ts',
  'operation/*.test.ts',
  'platform/restarts.test.ts',
  'sis-files/twice.test.ts',
  'zoom-api/limits.test.ts',
  'zoom/{hard-times,queue-rounds}.test.ts',
].map((path) => `apps/server/test/${path}`);
/** Number of such files that run at the same time. Two cores are enough for this, because they mostly wait. */
const WAITING_AT_ONCE = 4;

const postgres = process.env.TEST_DATABASE === 'pglite' ? null : await findPostgres();

/** Time limits for events that never happen. On a busy machine, everything else can take long. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

const ON_POSTGRES = {
  globalSetup: ['apps/server/test/support/template-postgres.ts'],
  setupFiles: ['apps/server/test/support/noted-statements.ts'],
  env: { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: postgres ?? '' },
};
const ON_PGLITE = { env: { TEST_DATABASE: 'pglite' } };

/** Projects of the server tests on one database: tests that compute, then tests that wait. */
function serverProjects(name: string, database: typeof ON_POSTGRES | typeof ON_PGLITE, files: string[]) {
  const both = { ...patience, ...database };
  const waiting = files.includes(SERVER) ? WAITING : WAITING_ON_BOTH;
  return [
    {
      extends: true as const,
      test: { name, include: files, exclude: [STATEMENTS, SOAK, KEEP, ...WAITING], ...both },
    },
    {
      extends: true as const,
      test: {
        name: `${name}-waiting`,
        include: waiting,
        maxWorkers: WAITING_AT_ONCE,
        sequence: { groupOrder: 1 },
        ...both,
      },
    },
  ];
}

/** `unit` tests are quick and pure; those of `sandbox` and the server use HTTP. */
export default defineConfig({
  test: {
    // A time limit for events that never happen, as above: a second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Files share loaded modules and started servers: a server takes longer to start than most files take to run.
    isolate: false,
    // As many as two cores can handle.
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
      ...serverProjects('server', postgres ? ON_POSTGRES : ON_PGLITE, [SERVER]),
      ...serverProjects('server-pglite', ON_PGLITE, process.env.DATABASES === 'all' ? [SERVER] : ON_BOTH),
      ...(process.env.SOAK_MINUTES
        ? [{ extends: true as const, test: { name: 'soak', include: [SOAK], ...patience, ...ON_POSTGRES } }]
        : []),
      ...(process.env.KEEP_RELEASE
        ? [{ extends: true as const, test: { name: 'keep', include: [KEEP], ...patience, ...ON_POSTGRES } }]
        : []),
      // Runs after the others, with their recorded statements.
      ...(process.env.TEST_STATEMENTS
        ? [{ extends: true as const, test: { name: 'statements', include: [STATEMENTS], ...patience } }]
        : []),
    ],
  },
});
