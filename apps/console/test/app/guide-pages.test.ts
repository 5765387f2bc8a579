import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TOOLS } from '@lms-admin/contract/tools';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../../src/tools/index.ts';

const guide = resolve(import.meta.dirname, '../../../../docs/guide');

describe('the guide', () => {
  it.each(TOOLS.filter(({ id }) => SCREENS[id] !== undefined).map(({ id }) => id))(
    'SHELL-26 has a page about %s, listed in its index',
    (id) => {
      expect(existsSync(`${guide}/${id}.md`)).toBe(true);
      expect(readFileSync(`${guide}/index.md`, 'utf8')).toContain(`(${id}.html)`);
    },
  );
});
