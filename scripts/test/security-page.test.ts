/** The security page names files as evidence, and these files exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const files = [
  ...new Set(
    [...page.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|mjs|json|md|sql))`/g)].map(([, file = '']) => file),
  ),
];

describe('docs/security.md', () => {
  it.each(files)('names %s, which exists', (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  });

  it('has an entry for each chapter in the table', () => {
    const rows = page.split('\n').filter((line) => /^\| V\d+ /.test(line));
    expect(rows.map((row) => /V(\d+)/.exec(row)?.[1])).toEqual(
      Array.from({ length: 17 }, (_, index) => String(index + 1)),
    );
    for (const row of rows) expect(row).toMatch(/`[\w./-]+\.(ts|mjs)`/);
    expect(files.length).toBeGreaterThan(25);
  });
});
