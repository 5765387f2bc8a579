/**
 * Words that are not plain English (docs/writing.md): how often they are used in sources and documents, which
 * can only go down.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import left from '../words-left.json' with { type: 'json' };

const ROOT = new URL('../../', import.meta.url);
/** Prescribed texts, and texts that name these words in order to rule them out. */
const EXCEPT = new Set(['packages/contract/src/messages.ts', 'docs/writing.md']);

const files = execFileSync(
  'git',
  ['ls-files', '-z', ':(glob)apps/*/src/**', ':(glob)packages/*/src/**', 'docs', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter(
    (name) =>
      /\.(?:tsx?|mjs|md)$/.test(name) &&
      !EXCEPT.has(name) &&
      !name.startsWith('packages/contract/src/messages/'),
  );
const texts = [...new Set(files)].map((name) => readFileSync(new URL(name, ROOT), 'utf8'));

test.each(Object.entries(left))('%s: not more than %i', (word, most) => {
  const pattern = new RegExp(`\\b(?:${word})\\b`, /[A-Z]/.test(word) ? 'g' : 'gi');
  const count = texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  expect(
    count,
    `Write it in plain English (docs/writing.md); where there are fewer, lower the number in scripts/words-left.json`,
  ).toBe(most);
});
