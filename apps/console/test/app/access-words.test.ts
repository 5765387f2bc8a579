/** Access on screen: changes in words, records that need attention, and the search for programmes. */
import { accessRecord, type ListedRecord } from '@lms-admin/contract/access';
import { describe, expect, it } from 'vitest';
import { bestFirst } from '../../src/tools/access/best-first.ts';
import { changeLines, lastAdminEnds, namesOf, rolesWords, stateWords } from '../../src/tools/access/words.ts';

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
  it('names every lost role in one line, and the roles that remain for the whole school', () => {
    const programme = { kind: 'programme' as const, id: 86 };
    const change = { gains: [programme], loses: [{ kind: 'everywhere' as const }, role(3), role(4)] };
    expect(changeLines(change, names)).toEqual({
      gains: [],
      loses: ['The whole school, except MBA', 'Roles for courses: Student, Teacher'],
    });
  });
  it('lists no lost programmes when the person gets the whole school', () => {
    const change = {
      gains: [{ kind: 'everywhere' as const }, role(4)],
      loses: [{ kind: 'programme' as const, id: 86 }],
    };
    expect(changeLines(change, names)).toEqual({ gains: ['The whole school'], loses: [] });
  });
});

it('roles of a record are found by name, including those of the whole school', () => {
  const record = (fields: object) =>
    accessRecord.parse({ login: 'a', record: { email: 'a@b.example', ...fields } });
  expect(rolesWords(record({ perm: 'CUSTOM', roles: '3', section_roles: '4' }), names)).toBe(
    'Student (course), Teacher (section)',
  );
  expect(rolesWords(record({ perm: 'ALL' }), names)).toContain('Teacher (course)');
});

const listed = (record: object, some: Partial<ListedRecord> = {}): ListedRecord => ({
  ...accessRecord.parse({ login: 'a', record: { perm: 'CUSTOM', email: 'a@b.example', ...record } }),
  state: 'active',
  version: 1,
  updated_at: '',
  updated_by: '',
  signed_in_at: null,
  ...some,
});

it('the end of the last permission to change access is found; an unused permission does not postpone it', () => {
  const admin = (login: string, some: Partial<ListedRecord>) =>
    listed({ perm: 'ALL', access_admin: true }, { login, ...some });
  const now = Date.parse('2026-11-27T09:00:00Z');
  const [friday, later] = ['2026-12-04T22:59:59.000Z', '2027-01-31T22:59:59.000Z'];
  const used = { signed_in_at: '2026-11-26T09:00:00Z' };
  const ends = (...records: ListedRecord[]) => lastAdminEnds(records, now);
  expect(ends(admin('a', used))).toBeNull();
  expect(ends(admin('a', { ...used, expires_at: friday }))).toBe(friday);
  expect(ends(admin('a', { ...used, expires_at: friday }), admin('b', {}))).toBe(friday);
  expect(ends(admin('a', { ...used, expires_at: friday }), admin('b', { ...used, expires_at: later }))).toBe(
    later,
  );
  expect(ends(admin('a', { ...used, expires_at: friday }), admin('b', used))).toBeNull();
  expect(ends(admin('a', { expires_at: friday }))).toBe(friday);
  expect(ends(listed({ user_search: true }, used))).toBeNull();
});

it('a record is marked with its most serious problem', () => {
  const good = { sub_accounts: '86', user_search: true };
  const known = new Set<string>();
  expect(stateWords(listed({}), new Set(['a']))).toBe('Not in the LMS');
  expect(stateWords(listed({}), known)).toBe('Incomplete');
  expect(stateWords(listed(good), known)).toBe('Never signed in');
  expect(stateWords(listed(good, { signed_in_at: '2026-11-26' }), known)).toBe('Active');
  expect(stateWords(listed({}, { state: 'disabled' }), new Set(['a']))).toBe('Disabled');
});

it('programmes that begin with the typed text come first, grouped by letter', () => {
  const option = (name: string, id: number) => ({ id, name, firstLetter: name.slice(0, 1) });
  const options = ['EMBA', 'GEMBA', 'MBA Electives', 'MBA', 'MiM for MBAs', 'Zürich MBA'].map(option);
  const found = (typed: string) => bestFirst(options, { inputValue: typed }).map(({ name }) => name);
  expect(found('mba')).toEqual(['MBA', 'MBA Electives', 'MiM for MBAs', 'EMBA', 'GEMBA', 'Zürich MBA']);
  expect(found('zur')).toEqual(['Zürich MBA']);
  expect(found('')).toHaveLength(6);
});
