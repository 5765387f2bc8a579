/**
 * Rules for access changes: no sequence of them locks everyone out, or changes another person's permissions.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLAGS } from '../src/access.ts';
import {
  type AccessEntry,
  activeRecord,
  adminKeys,
  adminsUntil,
  endsWithin,
  entryState,
  gapsOf,
  loginKey,
  needsSecond,
  refusedChange,
  rightsChange,
  rightsOf,
  shownChange,
} from '../src/access-records.ts';
import { DEFAULT_ROLE_IDS } from '../src/constants.ts';

const NOW = Date.UTC(2026, 10, 26);
const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

const entry = (
  login: string,
  some: Omit<Partial<AccessEntry>, 'record'> & { record?: object } = {},
): AccessEntry => ({
  login,
  reason: '',
  expires_at: null,
  disabled: false,
  ...some,
  record: { perm: 'ALL', sub_accounts: '', roles: '', section_roles: '', ...some.record },
});
const admin = (login: string, some: Omit<Partial<AccessEntry>, 'record'> & { record?: object } = {}) =>
  entry(login, { ...some, record: { access_admin: true, ...some.record } });
const keyed = (...entries: AccessEntry[]) => new Map(entries.map((one) => [loginKey(one.login), one]));

const EVERYONE = () => true;

const PEOPLE = ['a', 'b', 'c', 'd'];
const anEntry = (login: string): fc.Arbitrary<AccessEntry> =>
  fc
    .record({
      perm: fc.constantFrom('ALL', 'CUSTOM'),
      flags: fc.subarray([...FLAGS]),
      sub_accounts: fc.constantFrom('', '86', '86,120'),
      roles: fc.constantFrom('', '3', '3,5'),
      disabled: fc.boolean(),
      // Includes records that end during the sequence.
      expires_at: fc.option(fc.integer({ min: -3, max: 8 }).map((days) => iso(NOW + days * DAY))),
    })
    .map(({ perm, flags, sub_accounts, roles, disabled, expires_at }) =>
      entry(login, {
        disabled,
        expires_at,
        record: {
          perm,
          sub_accounts,
          roles,
          section_roles: '',
          ...Object.fromEntries(flags.map((flag) => [flag, true])),
        },
      }),
    );
const aChange = fc.record({
  by: fc.constantFrom(...PEOPLE, null, null, null),
  /** Several changes in one, as in a bulk change or the import of a file. */
  to: fc.subarray(PEOPLE, { minLength: 1 }).chain((logins) => fc.tuple(...logins.map(anEntry))),
  hours: fc.integer({ min: 0, max: 48 }),
});

describe('access changes', () => {
  it('property: no sequence removes the last access administrator, or shortens their time', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(aChange, { maxLength: 40 }), (changes) => {
        let records = keyed(admin('a'), entry('b'));
        let now = NOW;
        for (const { by, to, hours } of changes) {
          now += hours * 3_600_000;
          const before = records;
          const after = new Map([...before, ...keyed(...to)]);
          // Null stands for an operator, who is stopped only by the rule about the last administrator.
          if (refusedChange(before, after, by, now, EVERYONE) === null) {
            records = after;
            accepted++;
          }
          expect(adminsUntil(records, now, EVERYONE)).toBe(Number.POSITIVE_INFINITY);
        }
      }),
      { numRuns: 400 },
    );
    // Most sequences make changes.
    expect(accepted).toBeGreaterThan(50);
  });

  it('property: a change of some records, rejected or not, never alters the answers about other people', () => {
    fc.assert(
      fc.property(aChange, fc.tuple(...PEOPLE.map(anEntry)), ({ to }, first) => {
        const before = keyed(...first);
        const after = new Map([...before, ...keyed(...to)]);
        const changed = new Set(to.map(({ login }) => login));
        for (const login of PEOPLE) {
          if (changed.has(login)) continue;
          expect(rightsOf(after.get(login), NOW)).toEqual(rightsOf(before.get(login), NOW));
          expect(rightsChange(before.get(login), after.get(login), NOW)).toEqual({ gains: [], loses: [] });
        }
      }),
    );
  });

  it('property: the old permissions, plus the gained and minus the lost ones, are the new permissions', () => {
    fc.assert(
      fc.property(anEntry('a'), anEntry('a'), (before, after) => {
        const { gains, loses } = rightsChange(before, after, NOW);
        const texts = (rights: readonly object[]) => rights.map((right) => JSON.stringify(right));
        const lost = new Set(texts(loses));
        const kept = texts(rightsOf(before, NOW)).filter((right) => !lost.has(right));
        expect(new Set([...kept, ...texts(gains)])).toEqual(new Set(texts(rightsOf(after, NOW))));
      }),
    );
  });

  it.each([
    ['being removed', () => keyed(entry('b'))],
    ['being disabled', () => keyed(admin('a', { disabled: true }))],
    ['expiring', () => keyed(admin('a', { expires_at: iso(NOW + 900 * DAY) }))],
    ['losing the tool', () => keyed(entry('a'))],
    ['being limited to programmes', () => keyed(entry('a', { record: { perm: 'CUSTOM' } }))],
  ])('the last access administrator is not lost by %s, even from the command line', (_, after) => {
    expect(refusedChange(keyed(admin('a')), after(), null, NOW, EVERYONE)).toBe('last-admin');
    // If there is another administrator, an operator can make the change, but not the person themselves.
    const both = new Map([...after(), ...keyed(admin('z'))]);
    const before = keyed(admin('a'), admin('z'));
    expect(refusedChange(before, both, null, NOW, EVERYONE)).toBeNull();
    expect(refusedChange(before, both, 'z', NOW, EVERYONE)).toBeNull();
    expect(refusedChange(before, both, 'A ', NOW, EVERYONE)).toBe('own-admin');
  });

  it('a person without the permission, even a former administrator, changes nothing; a limited record cannot have it', () => {
    const records = keyed(admin('a'), entry('b'), admin('c', { expires_at: iso(NOW) }));
    for (const login of ['b', 'c', 'nobody']) {
      expect(refusedChange(records, records, login, NOW, EVERYONE)).toBe('no-right');
    }
    const limited = keyed(admin('a'), admin('b', { record: { perm: 'CUSTOM' } }));
    expect(refusedChange(records, limited, 'a', NOW, EVERYONE)).toBe('admin-needs-all');
  });

  it('a record whose person cannot sign in does not count as the remaining access administrator', () => {
    const who = (...logins: string[]) => {
      const known = new Set(logins);
      return (key: string) => known.has(key);
    };
    const before = keyed(admin('a', { expires_at: iso(NOW + 5 * DAY) }), admin('b'), admin('typo'));
    const after = new Map([...before, ...keyed(admin('b', { disabled: true }))]);
    expect(refusedChange(before, after, 'a', NOW, who('a', 'b', 'typo'))).toBeNull();
    expect(refusedChange(before, after, 'a', NOW, who('a', 'b'))).toBe('last-admin');
    expect(refusedChange(before, after, null, NOW, who('b'))).toBe('last-admin');
    // The person who makes the change is signed in, whatever else is known.
    expect(refusedChange(before, before, 'a', NOW, who())).toBeNull();
    // Before anyone has signed in, an operator is not stopped.
    expect(refusedChange(before, after, null, NOW, who())).toBeNull();
    expect(adminKeys(after, NOW)).toEqual(['a', 'typo']);
  });

  it('an installation without an access administrator can be changed from the command line', () => {
    expect(refusedChange(keyed(entry('a')), keyed(admin('a')), null, NOW, EVERYONE)).toBeNull();
    expect(refusedChange(keyed(entry('a')), keyed(entry('a'), entry('b')), null, NOW, EVERYONE)).toBeNull();
  });
});

describe('a change as shown on screen', () => {
  const limited = entry('a', {
    record: { perm: 'CUSTOM', sub_accounts: '86,120', roles: '3', section_roles: '3', sis_import: true },
  });
  const whole = entry('a', { record: { sis_import: true } });

  it('from programmes to the whole school takes no programme from the person', () => {
    expect(shownChange(rightsChange(limited, whole, NOW))).toEqual({
      gains: [{ kind: 'everywhere' }],
      loses: [],
      keeps: [],
    });
  });

  it('from the whole school to programmes names every lost role, and those that remain', () => {
    const { gains, loses, keeps } = shownChange(rightsChange(whole, limited, NOW));
    expect(gains).toEqual([]);
    expect(keeps).toEqual([86, 120].map((id) => ({ kind: 'programme', id })));
    expect(loses).toContainEqual({ kind: 'everywhere' });
    for (const level of ['course', 'section'])
      expect(loses.filter((right) => right.kind === 'role' && right.level === level)).toHaveLength(
        DEFAULT_ROLE_IDS.length - 1,
      );
  });
});

describe('a record', () => {
  it.each<[string, object, string[]]>([
    ['no tool', { perm: 'ALL' }, ['tool']],
    ['a tool that needs the whole school', { perm: 'CUSTOM', system: true }, ['tool']],
    ['no programme', { perm: 'CUSTOM', zoom_creation: true }, ['programme']],
    ['a tool without programmes', { perm: 'CUSTOM', user_search: true }, []],
    [
      'no role',
      { perm: 'CUSTOM', sub_accounts: '86', course_level_admin: true, section_enrollment: true },
      ['course-role', 'section-role'],
    ],
    ['the whole school', { perm: 'ALL', course_level_admin: true }, []],
  ])('with %s is reported to lack it', (_, record, gaps) => {
    expect(gapsOf(entry('a', { record }))).toEqual(gaps);
    expect(gapsOf(entry('a', { record, disabled: true }))).toEqual([]);
  });

  it('gives no access after its end, or while it is disabled', () => {
    const ends = entry('a', { expires_at: iso(NOW) });
    expect([NOW - 1, NOW, NOW + 1].map((now) => entryState(ends, now))).toEqual([
      'active',
      'expired',
      'expired',
    ]);
    expect(activeRecord(ends, NOW)).toBeNull();
    expect(entryState({ ...ends, disabled: true }, NOW - 1)).toBe('disabled');
    expect(entryState(entry('a', { expires_at: 'some day' }), NOW)).toBe('expired');
    expect(activeRecord(undefined, NOW)).toBeNull();
  });

  it('causes a warning 14 and 3 days before its end', () => {
    const within = (days: number) => endsWithin(iso(NOW + days * DAY), NOW);
    expect([15, 14, 4, 3, 1, 0, -1].map(within)).toEqual([null, 14, 14, 3, 3, null, null]);
    expect(endsWithin(null, NOW)).toBeNull();
  });

  it('needs a second person for the whole school, for the administrator’s own record, and for a later end', () => {
    const limited = entry('b', { record: { perm: 'CUSTOM', sub_accounts: '86', sis_import: true } });
    const more = (record: object, some: object = {}) =>
      needsSecond(limited, { ...limited, ...some, record: { ...limited.record, ...record } }, 'a', NOW);
    expect(more({ zoom_creation: true, sub_accounts: '86,120', roles: '4' })).toBe(false);
    expect(more({ user_search: true })).toBe(true);
    expect(more({ perm: 'ALL' })).toBe(true);
    expect(more({ sis_import: false })).toBe(false);
    expect(needsSecond(limited, { ...limited, disabled: true }, 'B', NOW)).toBe(true);
    const ending = entry('b', { expires_at: iso(NOW + DAY) });
    expect(needsSecond(ending, entry('b'), 'a', NOW)).toBe(true);
    expect(needsSecond(entry('b'), ending, 'a', NOW)).toBe(false);
    expect(needsSecond(undefined, entry('b', { record: { sis_import: true } }), 'a', NOW)).toBe(true);
  });
});
