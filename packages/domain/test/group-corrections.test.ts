import { expect, test } from 'vitest';
import { correctedMembers, memberProblems } from '../src/group-corrections.ts';

const refused = (row: number, user_id: string, why = 'Nobody has it.') =>
  ({ row, fate: 'refused', column: 'user_id', why, user_id, group_id: 'G', status: 'accepted' }) as const;

test('GRP-27: equal problems are listed once, those with most rows first', () => {
  const found = memberProblems([
    refused(2, 'A'),
    refused(3, 'B'),
    refused(5, 'B'),
    { ...refused(6, 'C'), fate: 'add' },
    { ...refused(7, 'D'), column: null },
  ]);
  expect(found.map(({ value, rows }) => [value, rows])).toEqual([
    ['B', [3, 5]],
    ['A', [2]],
  ]);
});

test('GRP-27: a wrong status can be replaced by each valid one', () => {
  const why = 'The status should be accepted or deleted, not "delete".';
  const [problem] = memberProblems([{ ...refused(2, 'A', why), column: 'status' }]);
  // The value is not the row's `accepted`: a value that is the same cannot be selected.
  expect(problem).toEqual({ column: 'status', value: '', why, rows: [2] });
  expect(
    correctedMembers('group_id,user_id,status\nG,A,delete', { column: 'status', rows: [2] }, 'accepted'),
  ).toBe('group_id,user_id,status\nG,A,accepted');
});

test('GRP-27: a correction changes only its cells, and skipped rows keep the numbers of the others', () => {
  const text =
    '\ufeffgroup_id;user_id;status\r\nG1;"a;1";accepted\r\n\r\nG1;#N/A;accepted\r\nG2;Zoë;deleted\r\n';
  const problem = { column: 'user_id', rows: [4] } as const;
  const corrected = correctedMembers(text, { ...problem, rows: [4] }, 'x,1');
  expect(corrected?.replace('\ufeff', '').split('\n')).toEqual([
    'group_id,user_id,status',
    'G1,a;1,accepted',
    '',
    'G1,"x,1",accepted',
    'G2,Zoë,deleted',
  ]);
  expect(
    correctedMembers(text, { column: 'user_id', rows: [2, 4] }, null)
      ?.replace('\ufeff', '')
      .split('\n'),
  ).toEqual(['group_id,user_id,status', '', '', '', 'G2,Zoë,deleted']);
  expect(
    correctedMembers('group_id,user_id,status\nG1,"open', { column: 'user_id', rows: [2] }, 'x'),
  ).toBeNull();
});
