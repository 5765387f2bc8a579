/**
 * `npm test -- <name>`: the tests with the name in their path, including browser tests, without checks and on one database.
 * `npm run test:watch -- <name>`: repeats the Vitest tests after each change.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, ensureBuilt, ensureInstalled, root, run } from './tools.mjs';

const PROJECTS = ['unit', 'sandbox', 'server', 'server-waiting'].map((name) => `--project=${name}`);

/** Runs one area once. Returns true if there were tests and all of them passed. */
export async function testArea(names) {
  const found = (folder, ending) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, path))
      .some((path) => path.endsWith(ending) && names.some((name) => path.includes(name)));
  const inBrowser = found('e2e', '.spec.ts');
  const inVitest = ['packages', 'apps', 'scripts'].some((folder) => found(folder, '.test.ts'));
  let passed = inBrowser || inVitest;
  if (!passed) console.error(`No test has ${names.join(' or ')} in its path.`);
  if (inVitest) passed = (await run(bin('vitest'), ['run', ...PROJECTS, ...names])) === 0;
  if (inBrowser) {
    await ensureBuilt();
    passed = (await run(bin('playwright'), ['test', ...names])) === 0 && passed;
  }
  return passed;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled();
  process.exitCode = await run(bin('vitest'), ['watch', ...PROJECTS, ...process.argv.slice(2)]);
}
