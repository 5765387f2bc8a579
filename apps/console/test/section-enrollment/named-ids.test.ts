import { describe, expect, test } from 'vitest';
import { nameIds } from '../../src/tools/section-enrollment/named-ids.ts';

const person = (id: string) => ({ id: 1, name: `Person ${id}`, login_id: null, sis_user_id: id });
const known = (id: string) =>
  id.startsWith('F')
    ? ({ result: 'found', person: person(id) } as const)
    : id.startsWith('N')
      ? ({ result: 'not-found' } as const)
      : id.startsWith('X')
        ? ({ result: 'failed' } as const)
        : undefined;

describe('who stands behind the ids of a section', () => {
  test('OP-50 each result is counted; what is wrong is known once all lookups have ended', () => {
    expect(nameIds(['F1', 'N1', 'X1'], known)).toEqual({
      words: '1 found · 1 not found · 1 could not be looked up',
      wrong: new Set(['N1', 'X1']),
      failed: true,
      settled: true,
    });
  });

  test('OP-50 what is on its way is counted, and nothing moves meanwhile', () => {
    expect(nameIds(['F1', 'F2', 'N1', 'L1'], known)).toEqual({
      words: 'Looking up 3 of 4 · 2 found · 1 not found',
      wrong: new Set(),
      failed: false,
      settled: false,
    });
  });

  test('nobody', () => expect(nameIds([], known)).toMatchObject({ words: '', settled: true }));
});
