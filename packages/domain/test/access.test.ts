import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountInScope,
  assignableRoleIds,
  FLAGS,
  hasFlag,
  idList,
  type Permissions,
  topAccounts,
} from '../src/access.ts';
import { DEFAULT_ROLE_IDS } from '../src/constants.ts';

const record = (fields: Partial<Permissions>): Permissions => ({
  perm: 'CUSTOM',
  sub_accounts: '',
  roles: '',
  section_roles: '',
  ...fields,
});

describe('access rules', () => {
  test('OP-12: a flag counts only if it is exactly true', () => {
    for (const flag of FLAGS) {
      expect(hasFlag(record({ perm: 'ALL', [flag]: true }), flag)).toBe(true);
      for (const value of ['true', 1, {}, null, undefined, false])
        expect(hasFlag(record({ perm: 'ALL', [flag]: value }), flag)).toBe(false);
    }
  });

  test('the system page and changing access are only for perm ALL; every other flag also counts with CUSTOM', () => {
    for (const flag of FLAGS)
      expect(hasFlag(record({ perm: 'CUSTOM', [flag]: true }), flag)).toBe(
        !['system', 'access_admin'].includes(flag),
      );
    expect(hasFlag(record({ perm: 'all', system: true }), 'system')).toBe(false);
  });

  test('PERM-10 to PERM-13: roles come from the level’s list, or are the defaults for ALL', () => {
    const custom = record({ roles: '3, 5,5', section_roles: '4' });
    expect(assignableRoleIds(custom, 'course')).toEqual([3, 5]);
    expect(assignableRoleIds(custom, 'section')).toEqual([4]);
    expect(assignableRoleIds(record({ perm: 'ALL' }), 'section')).toEqual(DEFAULT_ROLE_IDS);
  });

  test('OP-13: an unknown perm has no roles and no scope', () => {
    for (const perm of ['', 'all', 'Custom', 'ADMIN']) {
      expect(assignableRoleIds(record({ perm, roles: '3' }), 'course')).toEqual([]);
      expect(topAccounts(record({ perm, sub_accounts: '86' }))).toEqual([]);
      expect(accountInScope(record({ perm, sub_accounts: '86' }), 86, new Map())).toBe(false);
    }
  });

  test('PERM-08, PERM-09, OP-14: the scope is the listed accounts and all below them', () => {
    const parents = new Map([
      [86, 1],
      [861, 86],
      [8611, 861],
      [120, 1],
    ]);
    const custom = record({ sub_accounts: '86' });
    expect([86, 861, 8611].every((id) => accountInScope(custom, id, parents))).toBe(true);
    expect([1, 120, 999].some((id) => accountInScope(custom, id, parents))).toBe(false);
    expect(accountInScope(record({ perm: 'ALL' }), 999, parents)).toBe(true);
  });

  test('property: parents that form a loop give no access', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 30 }), { minLength: 1, maxLength: 20 }), (loop) => {
        const parents = new Map(loop.map((id, index) => [id, loop[(index + 1) % loop.length] ?? null]));
        expect(accountInScope(record({ sub_accounts: '1' }), loop[0] ?? 2, parents)).toBe(false);
      }),
    );
  });

  test('property: lists of ids contain positive whole numbers, each once, whatever comes between them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 })), (ids) => {
        expect(idList(ids.map((id) => ` ${id} `).join(','))).toEqual([...new Set(ids)]);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const id of idList(text)) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
      }),
    );
    expect(idList('3,x,-4,0,05,1.5, 7')).toEqual([3, 7]);
  });
});
