/**
 * `npm test`: runs everything. Checks, unit, sandbox, server on both databases, real browser, sizes; then a summary.
 * `npm test -- <name>`: runs only one area, quickly (test-area.mjs).
 * `npm run test:all`: the same as `npm test`, with random and kill tests at full length.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findPostgres } from './postgres.mjs';
import { bin, ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

ensureInstalled();
const names = process.argv.slice(2).filter((name) => name !== '--all');
if (names.length > 0) {
  const { testArea } = await import('./test-area.mjs');
  process.exit((await testArea(names)) ? 0 : 1);
}
const { check } = await import('./check.mjs');

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

/**
 * Vitest projects with their names in the summary: with PostgreSQL, which is then the main database, and without. `statements`
 * reads the statements that the others have recorded.
 */
const PROJECTS = {
  unit: 'unit',
  sandbox: 'sandbox',
  server: 'server on PostgreSQL',
  'server-waiting': 'server on PostgreSQL, what waits',
  'server-pglite': 'server on PGlite',
  'server-pglite-waiting': 'server on PGlite, what waits',
};
const WITHOUT_POSTGRES = {
  unit: 'unit',
  sandbox: 'sandbox',
  server: 'server on PGlite',
  'server-waiting': 'server on PGlite, what waits',
};
const STATEMENTS = { statements: 'statements on both databases' };

/** Extent of tests that can run longer. Variables that are already set are kept. */
const FURTHER = {
  DATABASES: 'all',
  KILLS: 'all',
  MATRIX: 'all',
  SIS_FILES: '300',
  DIRECTORY_DAYS: '12',
  ENROLMENT_RUNS: '100',
  ZOOM_SEQUENCES: '60',
  COUNTS: 'all',
};
const reach = process.argv.includes('--all') ? FURTHER : {};

const failed = [];
const lines = [];
/** Failures, one line for each, repeated at the very end. */
const failures = [];
const total = { passed: 0, failed: 0 };
const started = Date.now();
const since = (time) => `${Math.round((Date.now() - time) / 1000)} s`;

/** Records the counts of a part. A part without tests counts as failed. */
function count(name, passed, broken) {
  total.passed += passed;
  total.failed += broken;
  lines.push(`${name}: ${passed} passed${broken > 0 ? `, ${broken} failed` : ''}`);
  if (broken > 0 || passed === 0) failed.push(name);
}

/** Reads a report, or returns null if it was not written. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The slowest files of Vitest and of the browser tests: the first candidates for a faster suite. */
const slowest = [];
const SLOWEST = 12;

/** Runs projects that share the machine: files that mostly wait, together with files that compute. */
async function vitest(projects, env) {
  const report = join(results, 'parts.json');
  const names = Object.keys(projects);
  rmSync(report, { force: true });
  const code = await run(
    bin('vitest'),
    [
      'run',
      ...names.map((name) => `--project=${name}`),
      '--reporter=default',
      '--reporter=./scripts/parts-reporter.mjs',
    ],
    { env: { ...reach, ...process.env, TEST_PARTS: report, ...env } },
  );
  const { parts } = read(report) ?? { parts: {} };
  for (const name of names) {
    const part = parts[name] ?? { passed: 0, failed: 0, failures: [], files: [] };
    count(projects[name], part.passed, part.failed);
    failures.push(...part.failures.map((failure) => `${projects[name]}: ${failure}`));
    for (const { file, seconds } of part.files) slowest.push({ name: `${projects[name]}: ${file}`, seconds });
  }
  if (code !== 0 && !names.some((name) => failed.includes(projects[name]))) failed.push('Vitest');
}

/** Returns the tests of a file in Playwright's report, including those in groups. */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** Number of characters of a screen's text that show where a test was. */
const SCREEN = 4_000;

/** Number of characters of a failure that show what was expected, and where. */
const MESSAGE = 1_500;

/** Returns the messages of each failed try of a test, without terminal colours. */
function messagesOf(tests) {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
  return errors
    .map(({ message = '' }) => `\n${stripVTControlCharacters(message).slice(0, MESSAGE)}`)
    .join('');
}

/** Returns the text on the screen when a test failed (e2e/support/fixtures.ts). */
function screensOf(tests) {
  const attachments = tests.flatMap(({ results }) => results.flatMap((result) => result.attachments));
  const bodies = attachments.flatMap(({ name, body }) => (name === 'screen' && body ? [body] : []));
  return bodies
    .map((body) => {
      const screen = Buffer.from(body, 'base64').toString();
      const address = screen.slice(0, screen.indexOf('\n'));
      // The list of tools is the same on every screen. A dialog comes after the tools.
      const main = screen.slice(Math.max(0, screen.indexOf('- main')));
      const dialog = screen.search(/^- (alert)?dialog/m);
      return `\n${address}\n${main.slice(0, SCREEN)}\n${dialog < 0 ? '' : screen.slice(dialog).slice(0, SCREEN)}`;
    })
    .join('');
}

async function browser() {
  const report = join(results, 'browser.json');
  const code = await run(bin('playwright'), ['test'], {
    env: { ...reach, ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const found = read(report);
  const { expected, unexpected } = found?.stats ?? { expected: 0, unexpected: 0 };
  for (const { ok, file, line, title, tests } of (found?.suites ?? []).flatMap(specsOf)) {
    if (!ok) failures.push(`browser: ${file}:${line} › ${title}${messagesOf(tests)}${screensOf(tests)}`);
  }
  for (const suite of found?.suites ?? []) {
    const results = specsOf(suite).flatMap(({ tests }) => tests.flatMap((test) => test.results));
    const seconds = results.reduce((sum, { duration }) => sum + duration, 0) / 1000;
    slowest.push({ name: `browser: ${suite.file}`, seconds });
  }
  count('browser', expected, unexpected);
  if (code !== 0 && !failed.includes('browser')) failed.push('browser');
}

const times = [];
async function timed(name, work) {
  const from = Date.now();
  await work();
  times.push(`${name} ${since(from)}`);
}

await timed('checks', async () => {
  failed.push(...(await check()));
  await ensureBuilt();
  if ((await run(bin('size-limit'), [])) !== 0) failed.push('sizes');
});
const postgres = await findPostgres();
await timed('unit, sandbox and server', async () => {
  if (!postgres) return vitest(WITHOUT_POSTGRES, {});
  const statements = join(results, 'statements');
  mkdirSync(statements);
  const env = { TEST_DATABASE_URL: postgres, TEST_STATEMENTS: statements };
  await vitest(PROJECTS, env);
  await vitest(STATEMENTS, env);
});
await timed('browser', browser);

if (failures.length > 0) console.log(`\n${failures.join('\n')}`);
slowest.sort((a, b) => b.seconds - a.seconds);
console.log('\nFiles that took longest:');
for (const { name, seconds } of slowest.slice(0, SLOWEST))
  console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`);
console.log(`\n${lines.join('\n')}`);
console.log(
  `Databases: PGlite${postgres ? ', PostgreSQL' : ' only (no PostgreSQL answered; set TEST_DATABASE_URL)'}`,
);
console.log(`Time: ${since(started)} (${times.join(', ')})`);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
console.log(`${total.passed} passed, ${Math.max(total.failed, failed.length > 0 ? 1 : 0)} failed`);
process.exit(failed.length > 0 ? 1 : 0);
