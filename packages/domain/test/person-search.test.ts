import { expect, test } from 'vitest';
import { nameTerm } from '../src/person-search.ts';

test('USR-01 a name copied from a list is searched for in the form that the LMS uses', () => {
  expect(nameTerm('Lee, Ann')).toBe('Ann Lee');
  expect(nameTerm(' van der Berg ,  Ann Marie ')).toBe('Ann Marie van der Berg');
  for (const same of ['Ann Lee', 'lee,', ', ann', 'ann@x.example', '5001,5002', 'a, b, c'])
    expect(nameTerm(same)).toBe(same);
});
