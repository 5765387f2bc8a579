/**
 * What each table's rows may contain for an admin with a limited scope, before any call to the LMS (OP-53).
 */
import type { SubAccount } from '@lms-admin/contract/session';
import type { RowCheck } from '@lms-admin/domain/sis-rows';
import { describe, expect, test } from 'vitest';
import type { Admin } from '../../src/auth/admin.ts';
import { EnrollmentsPolicy } from '../../src/sis-files/policies/enrollments.ts';
import type { PolicyContext } from '../../src/sis-files/policies/policy.ts';
import { UsersPolicy } from '../../src/sis-files/policies/users.ts';

/** The LMS does not list its roles, so the rows are checked with the admin's own. */
const services = {
  roles: { numbered: () => Promise.resolve(() => null) },
} as unknown as PolicyContext['services'];
const contextOf = (record: Partial<SubAccount>): PolicyContext => ({
  admin: { record } as Admin,
  services,
  signal: new AbortController().signal,
});
const CUSTOM = contextOf({ perm: 'CUSTOM', roles: '3', section_roles: '3,4' });
const ALL = contextOf({ perm: 'ALL' });
const columnsOf = (problems: readonly { column: string | null }[]) => problems.map(({ column }) => column);

/** Returns the column named by the first check, or null if all pass. */
const checked = (checks: readonly RowCheck[]) => (cells: string[]) =>
  checks.flatMap((check) => check(cells))[0]?.column ?? null;

describe('users', () => {
  const HEADER = ['user_id', 'login_id', 'status'];

  test('OP-53: may contain only columns that describe a new person', () => {
    const header = [...HEADER, 'full_name', 'password', 'home_account'];
    expect(columnsOf(new UsersPolicy(CUSTOM).headerProblems(header))).toEqual(['password', 'home_account']);
    expect(new UsersPolicy(ALL).headerProblems(header)).toEqual([]);
  });

  test('OP-53: can only create people', async () => {
    const check = checked(await new UsersPolicy(CUSTOM).begin(HEADER, () => {}));
    expect(check(['1', 'a@b.example', 'Active'])).toBeNull();
    expect(check(['1', 'a@b.example', 'deleted'])).toBe('status');
    expect(check(['1', 'a@b.example', 'suspended'])).toBe('status');
    expect(check(['1\u00a01', 'a@b.example', 'active'])).toBe('user_id');
    expect(check(['1', 'a b', 'active'])).toBe('login_id');
  });

  test('OP-53: may contain each person once, whatever the letter case', async () => {
    const reports: [number | null, string | null][] = [];
    const policy = new UsersPolicy(CUSTOM);
    await policy.begin(HEADER, (row, column) => reports.push([row, column]));
    policy.take(2, ['a1', 'one', 'active'], true);
    policy.take(3, ['A1', 'two', 'active'], true);
    policy.take(5, ['a2', 'ONE', 'active'], true);
    expect(reports).toEqual([
      [3, 'user_id'],
      [5, 'login_id'],
    ]);
  });
});

describe('enrollments', () => {
  const HEADER = ['course_id', 'section_id', 'user_id', 'role_id', 'status'];

  test('OP-53: name course and person by their SIS IDs, and in no other account', () => {
    const header = ['section_id', 'user_integration_id', 'role_id', 'status', 'root_account'];
    expect(columnsOf(new EnrollmentsPolicy(CUSTOM).headerProblems(header))).toEqual([
      'course_id',
      'user_id',
      'root_account',
    ]);
    expect(new EnrollmentsPolicy(ALL).headerProblems(header)).toEqual([]);
  });

  test('OP-34, OP-53: use only the roles for that level, in a named course', async () => {
    const policy = new EnrollmentsPolicy(CUSTOM);
    const check = checked(await policy.begin(HEADER, () => {}));
    expect(check(['C1', '', 'u', '3', 'active'])).toBeNull();
    expect(check(['C1', 'S1', 'u', '4', 'active'])).toBeNull();
    expect(check(['C1', '', 'u', '4', 'active'])).toBe('role_id');
    expect(check(['', 'S1', 'u', '3', 'active'])).toBe('course_id');
    expect(check(['C1', 'S1', '', '3', 'active'])).toBe('user_id');
    expect(policy.recheck().roles).toEqual([
      [3, 'course'],
      [4, 'section'],
      [4, 'course'],
      [3, 'section'],
    ]);
    const all = checked(await new EnrollmentsPolicy(ALL).begin(HEADER, () => {}));
    expect(all(['', 'S1', 'u', '3', 'active'])).toBeNull();
    expect(all(['', 'S1', 'u', '1', 'active'])).toBe('role_id');
  });
});
