/** A record while it is edited, and the change that is sent for it. */
import { accessRecord, type ListedRecord } from '@lms-admin/contract/access';
import { describe, expect, it } from 'vitest';
import {
  additionsOf,
  changeOf,
  dayOf,
  draftOf,
  EMPTY,
  endOfDay,
  loginsOf,
} from '../../src/tools/access/draft.ts';

const PARIS = 'Europe/Paris';
const entry = (some: object = {}): ListedRecord => ({
  ...accessRecord.parse({
    login: 'a@school.example',
    record: { perm: 'CUSTOM', email: 'a@school.example', sub_accounts: '86', roles: '3', sis_import: true },
  }),
  state: 'active',
  version: 4,
  updated_at: '',
  updated_by: '',
  signed_in_at: null,
  ...some,
});

describe('a draft', () => {
  it('equals the record if it was not edited, including an end date during its last day', () => {
    for (const expires_at of [null, '2026-11-27T09:30:00.000Z', '2026-12-31T23:30:00.000Z']) {
      const one = entry({ expires_at });
      const { login, record, reason, disabled, version } = one;
      expect(changeOf(draftOf(one, PARIS), one, PARIS)).toEqual({
        login,
        record,
        reason,
        expires_at,
        disabled,
        version,
      });
    }
  });

  it("ends at the end of its last day in the person's zone, even when the clocks change", () => {
    expect(endOfDay('2026-11-27', PARIS)).toBe('2026-11-27T22:59:59.000Z');
    expect(endOfDay('2026-07-01', PARIS)).toBe('2026-07-01T21:59:59.000Z');
    expect(dayOf('2026-11-27T22:59:59.000Z', PARIS)).toBe('2026-11-27');
    expect(dayOf('2026-11-27T23:00:00.000Z', PARIS)).toBe('2026-11-28');
    expect(endOfDay('', PARIS)).toBeNull();
  });

  it('for several new people gives each the same access, and permission to change access only if the access is to the whole school', () => {
    const pasted = ' a@x.example, b@x.example;\nA@x.example\t\r\nc@x.example';
    expect(loginsOf(pasted)).toEqual(['A@x.example', 'b@x.example', 'c@x.example']);
    const draft = { ...EMPTY, logins: pasted, flags: new Set(['access_admin', 'user_search'] as const) };
    const [limited] = additionsOf(draft, PARIS);
    expect(limited).toMatchObject({
      version: null,
      record: { perm: 'CUSTOM', access_admin: false, user_search: true },
    });
    const all = additionsOf({ ...draft, everywhere: true }, PARIS);
    expect(all).toHaveLength(3);
    expect(all[1]).toMatchObject({ login: 'b@x.example', record: { perm: 'ALL', access_admin: true } });
  });
});
