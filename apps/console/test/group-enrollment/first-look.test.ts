import { expect, test } from 'vitest';
import { firstLook } from '../../src/tools/group-enrollment/first-look.ts';

test('GRP-28 a first line that is not the header is shown exactly as it appears in the file', () => {
  const looked = firstLook('teams.csv', new TextEncoder().encode('MBA26-SGP_A_Red,5001379,accepted\n'));
  expect(looked).toMatchObject({
    problem: expect.stringContaining('It reads: MBA26-SGP_A_Red, 5001379, accepted.'),
  });
});
