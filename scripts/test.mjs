/** `npm test`: everything. Checks, unit, sandbox, server on both databases, real browser, sizes; then a summary. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { bin, ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

ensureInstalled();
const { check } = await import('./check.mjs');

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const failedParts = [];
const total = { passed: 0, failed: 0 };
const started = Date.now();

/** Adds what a JSON report of Vitest counted; a report that is missing counts as a failure. */
function countVitest(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests;
    return report.numTotalTests > 0;
  } catch {
    return false;
  }
}

async function vitest(name, project, env = {}) {
  const file = join(results, `${name}.json`);
  const code = await run(
    bin('vitest'),
    ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    { env: { ...process.env, ...env } },
  );
  if (!countVitest(file) || code !== 0) failedParts.push(name);
}

/** Address of a PostgreSQL to test on: TEST_DATABASE_URL, else the one that answers on this machine, else null. */
async function findPostgres() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  const answers = await new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: 5432, timeout: 1_000 });
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
  return answers ? 'postgres://postgres@127.0.0.1:5432/postgres' : null;
}

failedParts.push(...(await check()));
await ensureBuilt();
if ((await run(bin('size-limit'), [])) !== 0) failedParts.push('sizes');

await vitest('unit', 'unit');
await vitest('sandbox', 'sandbox');
await vitest('server on PGlite', 'server', { TEST_DATABASE: 'pglite' });
const postgres = await findPostgres();
if (postgres) {
  await vitest('server on PostgreSQL', 'server', { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: postgres });
}

const browserReport = join(results, 'browser.json');
if (
  (await run(bin('playwright'), ['test'], {
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
  })) !== 0
) {
  failedParts.push('browser');
}
try {
  const { stats } = JSON.parse(readFileSync(browserReport, 'utf8'));
  total.passed += stats.expected + stats.flaky;
  total.failed += stats.unexpected;
} catch {
  if (!failedParts.includes('browser')) failedParts.push('browser');
}

console.log(
  `\nDatabases: PGlite${postgres ? ', PostgreSQL' : ' only (no PostgreSQL answered; set TEST_DATABASE_URL)'}`,
);
console.log(`Time: ${Math.round((Date.now() - started) / 1000)} s`);
if (failedParts.length > 0) console.log(`Failed: ${failedParts.join(', ')}`);
console.log(
  `${total.passed} passed, ${total.failed + (failedParts.length > 0 && total.failed === 0 ? failedParts.length : 0)} failed`,
);
process.exit(failedParts.length > 0 ? 1 : 0);
