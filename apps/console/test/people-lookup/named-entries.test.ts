import { describe, expect, test } from 'vitest';
import { nameEntries, wordsOf } from '../../src/components/PeopleLookup/named-entries.ts';

const person = (id: string) => ({ id: 1, name: `Person ${id}`, login_id: null, sis_user_id: id });
const known = (id: string) =>
  id.startsWith('F')
    ? ({ result: 'found', person: person(id) } as const)
    : id.startsWith('N')
      ? ({ result: 'not-found' } as const)
      : id.startsWith('T')
        ? ({ result: 'not-found', why: 'no-sis-id', person: person(id) } as const)
        : id.startsWith('X')
          ? ({ result: 'failed' } as const)
          : undefined;

describe("the people behind a field's entries", () => {
  test('OP-50 each result is counted; problems are known once all lookups have ended', () => {
    expect(nameEntries(['F1', 'N1', 'X1'], known)).toEqual({
      words: '1 found · 1 not found · 1 could not be looked up',
      wrong: new Set(['N1', 'X1']),
      failed: true,
      settled: true,
      asOf: null,
    });
  });

  test('OP-50 people from the local copy are found immediately, but do not count as looked up yet', () => {
    const copied = (id: string) =>
      id === 'F1' ? ({ result: 'found', person: person(id), asOf: 5 } as const) : known(id);
    expect(nameEntries(['F1', 'F2', 'N1'], copied)).toEqual({
      words: 'Looking up 2 of 3 · 2 found · 1 not found',
      wrong: new Set(),
      failed: false,
      settled: false,
      asOf: 5,
    });
  });

  test('OP-50 lookups in progress are counted, and nothing moves in the meantime', () => {
    expect(nameEntries(['F1', 'F2', 'N1', 'L1'], known)).toEqual({
      words: 'Looking up 3 of 4 · 2 found · 1 not found',
      wrong: new Set(),
      failed: false,
      settled: false,
      asOf: null,
    });
  });

  test('an empty field', () => expect(nameEntries([], known)).toMatchObject({ words: '', settled: true }));

  test('OP-45 a person who exists but cannot be enrolled is distinguished from one not found', () => {
    expect(nameEntries(['F1', 'N1', 'T1', 'T2'], known)).toMatchObject({
      words: '1 found · 1 not found · 2 cannot be enrolled',
      wrong: new Set(['N1', 'T1', 'T2']),
    });
  });

  test('OP-45 OP-48 each result is described in words', () => {
    const why = { result: 'not-found', person: null } as const;
    expect(wordsOf(undefined)).toBe('Looking up');
    expect(wordsOf(known('F1'))).toBe('Person F1');
    expect(wordsOf(known('N1'))).toBe('Not found');
    expect(wordsOf(known('T1'))).toBe('Person T1: no SIS ID');
    expect(wordsOf({ ...why, why: 'several' })).toBe('More than one person has this login');
    expect(wordsOf(known('X1'))).toBe('Could not be looked up');
  });
});
