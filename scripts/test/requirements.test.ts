/** Every requirement is named by a test, or listed with the reason why it is not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const ids = (text: string) => text.matchAll(/\b[A-Z]+-\d{2,3}\b/g);

/** Lists the test files below a folder. */
function testsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:test|spec)\.ts$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(root, folder, path));
}

test('every requirement is named by a test, or listed with the reason why not', () => {
  const required = [
    ...readFileSync(join(root, 'docs/requirements.md'), 'utf8').matchAll(/^- ([A-Z]+-\d+) /gm),
  ].map(([, id = '']) => id);
  const [, listed = ''] = readFileSync(join(root, 'docs/decisions/deviations.md'), 'utf8').split(
    '## Without a test, and why',
  );
  const excused = new Set([...listed.matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id = '']) => id));
  const files = [
    'packages/domain/test',
    'packages/contract/test',
    'apps/console/test',
    'apps/sandbox/test',
    'apps/server/test',
    'e2e',
  ].flatMap(testsIn);
  const named = new Set(files.flatMap((file) => [...ids(readFileSync(file, 'utf8'))].map(([id]) => id)));
  expect(required.length).toBeGreaterThan(400);
  expect(required.filter((id) => !named.has(id) && !excused.has(id))).toEqual([]);
  // A requirement with a test must not have a reason as well.
  expect([...excused].filter((id) => named.has(id) || !required.includes(id))).toEqual([]);
});
