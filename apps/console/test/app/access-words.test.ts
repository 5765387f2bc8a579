/** Access on screen: changes in words, records that need a look, and programmes as they are searched. */
import { accessRecord, type ListedRecord } from '@lms-admin/contract/access';
import { describe, expect, it } from 'vitest';
import { bestFirst } from '../../src/tools/access/best-first.ts';
import { changeLines, namesOf, stateWords } from '../../src/tools/access/words.ts';

const names = namesOf({
  accounts: [{ id: 86, name: 'MBA', parent: 1 }],
  roles: [
    { id: 3, label: 'Student' },
    { id: 4, label: 'Teacher' },
  ],
  default_roles: [3, 4],
});

describe('a change in words', () => {
  const role = (id: number) => ({ kind: 'role' as const, level: 'course' as const, id });
  it('names every lost role in one line, and what is left of the whole school', () => {
    const programme = { kind: 'programme' as const, id: 86 };
    const change = { gains: [programme], loses: [{ kind: 'everywhere' as const }, role(3), role(4)] };
    expect(changeLines(change, names)).toEqual({
      gains: [],
      loses: ['The whole school, except MBA', 'Roles for courses: Student, Teacher'],
    });
  });
  it('loses no programme to the whole school', () => {
    const change = {
      gains: [{ kind: 'everywhere' as const }, role(4)],
      loses: [{ kind: 'programme' as const, id: 86 }],
    };
    expect(changeLines(change, names)).toEqual({ gains: ['The whole school'], loses: [] });
  });
});

it('a record is marked by what is most wrong with it', () => {
  const listed = (record: object, some: Partial<ListedRecord> = {}): ListedRecord => ({
    ...accessRecord.parse({ login: 'a', record: { perm: 'CUSTOM', email: 'a@b.example', ...record } }),
    state: 'active',
    version: 1,
    updated_at: '',
    updated_by: '',
    signed_in_at: null,
    ...some,
  });
  const good = { sub_accounts: '86', user_search: true };
  const known = new Set<string>();
  expect(stateWords(listed({}), new Set(['a']))).toBe('Not in the LMS');
  expect(stateWords(listed({}), known)).toBe('Incomplete');
  expect(stateWords(listed(good), known)).toBe('Never signed in');
  expect(stateWords(listed(good, { signed_in_at: '2026-11-26' }), known)).toBe('Active');
  expect(stateWords(listed({}, { state: 'disabled' }), new Set(['a']))).toBe('Disabled');
});

it('programmes that begin with what was typed come first, and each letter stays together', () => {
  const option = (name: string, id: number) => ({ id, name, firstLetter: name.slice(0, 1) });
  const options = ['EMBA', 'GEMBA', 'MBA Electives', 'MBA', 'MiM for MBAs', 'Zürich MBA'].map(option);
  const found = (typed: string) => bestFirst(options, { inputValue: typed }).map(({ name }) => name);
  expect(found('mba')).toEqual(['MBA', 'MBA Electives', 'MiM for MBAs', 'EMBA', 'GEMBA', 'Zürich MBA']);
  expect(found('zur')).toEqual(['Zürich MBA']);
  expect(found('')).toHaveLength(6);
});
