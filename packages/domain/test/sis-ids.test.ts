import { expect, test } from 'vitest';
import { isPersonSisId } from '../src/sis-ids.ts';

test('SE-11 OP-50 an SIS ID has at most a hundred characters: letters, digits, dots, underscores, hyphens and @', () => {
  expect(['5001234', 'a.b_c-d@e', 'x'.repeat(100)].every(isPersonSisId)).toBe(true);
  expect(['', 'a b', 'a/b', 'müller', 'a,b', 'x'.repeat(101)].some(isPersonSisId)).toBe(false);
});
