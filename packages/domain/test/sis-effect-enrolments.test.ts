/** Effects of enrolment rows on the LMS (SIS-06). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enrolmentEffects } from '../src/sis-effect/enrolments.ts';
import type { EnrolmentRow, HeldEnrolment, HeldPlace } from '../src/sis-effect/held-place.ts';

const USERS = ['a', 'b', 'c', 'parent'];
const held = (user: string, sectionId: number, more: Partial<HeldEnrolment> = {}): HeldEnrolment => ({
  id: 100 * sectionId + USERS.indexOf(user),
  user,
  userId: USERS.indexOf(user),
  observes: null,
  sectionId,
  roleId: 3,
  state: 'active',
  start: null,
  end: null,
  ...more,
});
const place = (...enrolments: HeldEnrolment[]): HeldPlace => ({
  name: 'course "C"',
  enrolments,
  sections: new Map([['S2', 2]]),
  defaultSection: 1,
  maybeDefault: new Set(),
  exists: (user) => user !== 'nobody',
  byDeletedLogin: () => false,
  hadLogin: () => false,
  observersOf: () => new Set(),
});
const row = (
  at: number,
  user: string,
  section = '',
  status = 'deleted',
  more: Partial<EnrolmentRow> = {},
): EnrolmentRow => ({
  row: at,
  user,
  roles: [3],
  section,
  status,
  student: '',
  start: '',
  end: '',
  more: false,
  ...more,
});
const does = (rows: EnrolmentRow[], where: Parameters<typeof enrolmentEffects>[1]) =>
  enrolmentEffects(rows, where).effects.map((one) => one.does);

describe('enrolment rows', () => {
  test('SIS-06: a row removes the enrolment in its section, once; rejections by the LMS are reported', () => {
    const rows = [
      row(2, 'a'),
      row(3, 'a'),
      row(4, 'b'),
      row(5, 'c'),
      row(6, 'b', 'S2'),
      row(7, 'a', 'S9'),
      row(8, 'nobody'),
    ];
    expect(does(rows, place(held('a', 1), held('b', 2)))).toEqual([
      'removes',
      'nothing',
      'nothing',
      'nothing',
      'removes',
      'fails',
      'fails',
    ]);
  });

  test('SIS-06: a rejected row is rejected again; a row that removes may refer to a deleted login', () => {
    const rows = [row(2, 'nobody', '', 'active'), row(3, 'nobody', '', 'active'), row(4, 'nobody')];
    const { effects } = enrolmentEffects(rows, { ...place(), mayBeFormer: () => true });
    expect(does(rows, place())).toEqual(['fails', 'fails', 'fails']);
    const unknown = 'No person in the LMS has the SIS ID "nobody".';
    expect(effects.map((one) => [one.does, one.why])).toEqual([
      ['fails', unknown],
      ['fails', unknown],
      [
        'unknown',
        `${unknown} If a deleted login has this ID, the owner of that login loses the enrolment, so the row counts as a removal.`,
      ],
    ]);
    expect(does([rows[0], rows[1]] as typeof rows, 'missing')).toEqual(['fails', 'fails']);
  });

  test('SIS-06: the final state decides what the rows for one enrolment do', () => {
    const rows = [row(2, 'a', '', 'active'), row(3, 'a'), row(4, 'a', '', 'active')];
    expect(does(rows, place(held('a', 1)))).toEqual(['nothing', 'nothing', 'nothing']);
    expect(does([row(2, 'n', '', 'active'), row(3, 'n')], place())).toEqual(['nothing', 'nothing']);
    expect(does([row(2, 'a'), row(3, 'a', '', 'completed')], place(held('a', 1)))).toEqual([
      'nothing',
      'concludes',
    ]);
    // A person removed in between has left the groups of the course.
    const between = enrolmentEffects([row(2, 'a'), row(3, 'a', '', 'active')], place(held('a', 1)));
    expect(between.effects[0]).toMatchObject({ does: 'nothing', leaves: [0] });
    expect(between.after.size).toBe(0);
  });

  test('SIS-06: observers who follow a student leave with the enrolment, and others stay', () => {
    const parent = held('parent', 1, { observes: 0, roleId: 7 });
    const where = { ...place(held('a', 1), parent), observersOf: () => new Set([3]) };
    const followed = enrolmentEffects([row(2, 'a')], where);
    expect(followed.effects).toMatchObject([{ does: 'removes', observers: 1, leaves: [0, 3] }]);
    expect([...followed.after]).toEqual([
      [100, 'deleted'],
      [103, 'deleted'],
    ]);
    expect(enrolmentEffects([row(2, 'a')], place(held('a', 1), parent)).after.size).toBe(1);
  });

  test('SIS-06: a student’s observer named without the student stays, and the row says what is missing', () => {
    const parent = held('parent', 1, { observes: 0, roleId: 7 });
    const [told] = enrolmentEffects([row(2, 'parent', '', 'deleted', { roles: [7] })], place(parent)).effects;
    expect(told).toMatchObject({
      does: 'nothing',
      why: expect.stringContaining('the column associated_user_id'),
    });
  });

  test('SIS-06: in a course without a default section the LMS creates one; if another section may be the default one, nothing is guessed', () => {
    const none = { ...place(held('a', 5)), defaultSection: null };
    const [made] = enrolmentEffects([row(2, 'b', '', 'active')], none).effects;
    expect(made).toMatchObject({
      does: 'creates',
      why: expect.stringContaining('Otherwise the LMS creates a new section'),
    });
    expect(does([row(2, 'b', '', 'active'), row(3, 'b')], none)).toEqual(['nothing', 'nothing']);
    expect(does([row(2, 'a')], none)).toEqual(['nothing']);
    expect(does([row(2, 'a')], { ...none, maybeDefault: new Set([5]) })).toEqual(['unknown']);
  });

  test.each([
    ['active', 'completed', 'concludes'],
    ['active', 'inactive', 'suspends'],
    ['completed', 'active', 'restores'],
    ['inactive', 'active', 'restores'],
    ['invited', 'active', 'changes'],
    ['completed', 'inactive', 'changes'],
    ['completed', 'completed', 'nothing'],
    ['active', 'deleted_last_completed', 'concludes'],
    ['completed', 'deleted_last_completed', 'nothing'],
    ['completed', 'deleted', 'removes'],
  ])('SIS-06: an enrolment that is %s, and a row with %s: %s', (state, status, effect) => {
    expect(does([row(2, 'a', '', status)], place(held('a', 1, { state })))).toEqual([effect]);
  });

  test('SIS-06: deleted_last_completed removes the enrolment if another one with the role remains', () => {
    const rows = [row(2, 'a', '', 'deleted_last_completed')];
    expect(does(rows, place(held('a', 1), held('a', 2)))).toEqual(['removes']);
  });

  test('SIS-06: dates are shown from old to new, in any format; empty cells clear them', () => {
    const dated = place(held('a', 1, { start: '2026-09-01T00:00:00Z' }));
    expect(does([row(2, 'a', '', 'active', { start: '2026-09-01' })], dated)).toEqual(['nothing']);
    expect(does([row(2, 'a', '', 'active', { start: '2026-9-1 00:00:00' })], dated)).toEqual(['nothing']);
    const [cleared] = enrolmentEffects([row(2, 'a', '', 'active')], dated).effects;
    expect(cleared).toEqual({ does: 'changes', fields: [['start_date', '2026-09-01T00:00:00Z', null]] });
  });

  test('SIS-06: nothing unknown is claimed', () => {
    expect(does([row(2, 'a'), row(3, 'a')], 'unread')).toEqual(['unknown', 'unknown']);
    expect(does([row(2, 'a'), row(3, 'b', '', 'active')], 'missing')).toEqual(['unknown', 'fails']);
    expect(does([row(2, 'a')], { ...place(), exists: () => null })).toEqual(['unknown']);
    expect(does([row(2, 'a', '', 'active', { more: true })], place(held('a', 1)))).toEqual(['changes']);
  });

  test('SIS-06: in a deleted course there is nothing left to end, and the LMS rejects the rest', () => {
    const exists = (user: string) => user !== 'x' && user !== 'gone';
    const hadLogin = (user: string) => user === 'gone';
    const rows = ['deleted', 'active', 'completed', 'inactive', 'deleted_last_completed'].map((status, at) =>
      row(at + 2, 'a', '', status),
    );
    const all = [...rows, row(7, 'x')];
    const refused = ['fails', 'fails', 'fails'];
    for (const gone of ['course', 'course in the LMS'] as const)
      expect(does([...all, row(8, 'gone')], { gone, exists, hadLogin, elsewhere: false })).toEqual([
        'nothing',
        ...refused,
        'fails',
        'fails',
        'nothing',
      ]);
    const away = { gone: 'course', exists, hadLogin, elsewhere: true } as const;
    expect(does(all, away)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'fails']);
    // If an SIS ID may belong to a deleted login, only rows that delete in a named section are accepted,
    // without effect.
    const former = { ...away, exists: () => false, hadLogin: () => false, mayBeFormer: () => true };
    const named = ['deleted', 'completed', 'deleted_last_completed'].map((status, at) =>
      row(at + 2, 'a', 'S', status),
    );
    expect(does([...named, row(6, 'a')], former)).toEqual(['nothing', 'fails', 'fails', 'unknown']);
    expect(does(named, { ...former, mayBeFormer: () => false })).toEqual(['fails', 'fails', 'fails']);
  });

  test('SIS-06: the last enrolment is counted per student: without a student the LMS creates one', () => {
    const observing = place(held('a', 1, { observes: 5 }), held('a', 2, { observes: 6 }));
    const [effect] = enrolmentEffects([row(2, 'a', '', 'deleted_last_completed')], observing).effects;
    expect(effect).toEqual({ does: 'creates', fields: [['status', null, 'completed']] });
    const two = place(held('a', 1), held('a', 2));
    expect(does([row(2, 'a', '', 'deleted_last_completed')], two)).toEqual(['removes']);
  });

  test('SIS-06: in a section that the upload deletes, only rows that remove are accepted, and the last enrolment is not removed', () => {
    const rows = ['deleted', 'active', 'completed', 'inactive', 'deleted_last_completed'].map((status, at) =>
      row(at + 2, 'a', 'GONE', status),
    );
    const gone = { ...place(held('a', 1)), goneSections: new Map([['GONE', 9]]) };
    const refused = ['fails', 'fails', 'fails'];
    expect(does([...rows, row(7, 'b', 'NEVER')], gone)).toEqual(['nothing', ...refused, 'nothing', 'fails']);
    expect(does(rows, { ...gone, enrolments: [] })).toEqual(['nothing', ...refused, 'fails']);
  });

  test('SIS-06: a person deleted by the upload gets inactive enrolments, and does not regain ended ones', () => {
    const gone = { ...place(), exists: () => false, hadLogin: () => true };
    const rows = ['completed', 'inactive', 'deleted', 'active', 'deleted_last_completed'].map((status, at) =>
      row(at + 2, `u${at}`, '', status),
    );
    expect(does(rows, gone)).toEqual(['creates', 'creates', 'nothing', 'fails', 'creates']);
    const ended = rows.map((_, at) => held(`u${at}`, 1));
    expect(does(rows, { ...gone, ended })).toEqual(rows.map(() => 'fails'));
    // A person who is deleted cannot be enrolled afterwards.
    const twice = [row(2, 'u', '', 'completed'), row(3, 'u'), row(4, 'u', '', 'inactive')];
    expect(does(twice, gone)).toEqual(['nothing', 'nothing', 'fails']);
  });

  test('SIS-06: an enrolment from an earlier row keeps a person in the course', () => {
    const rows = [row(2, 'a', '', 'active', { roles: [5] }), row(3, 'a')];
    const { effects } = enrolmentEffects(rows, place(held('a', 1)));
    expect(effects).toMatchObject([{ does: 'creates' }, { does: 'removes' }]);
    expect(effects[1]?.leaves).toBeUndefined();
    expect(enrolmentEffects([row(3, 'a')], place(held('a', 1))).effects[0]?.leaves).toHaveLength(1);
  });

  test('SIS-06: no more is removed than exists, however often it is named', () => {
    const users = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(users, fc.constantFrom(1, 2)), { maxLength: 6 }),
        fc.array(fc.tuple(users, fc.constantFrom('', 'S2')), { maxLength: 30 }),
        (there, named) => {
          const distinct = [...new Map(there.map((one) => [one.join(), one])).values()];
          const rows = named.map(([user, section], at) => row(at + 2, user, section));
          const removed = does(rows, place(...distinct.map(([user, at]) => held(user, at)))).filter(
            (one) => one === 'removes',
          );
          const asked = new Set(named.map(([user, section]) => `${user} ${section === '' ? 1 : 2}`));
          expect(removed.length).toBe(distinct.filter(([user, at]) => asked.has(`${user} ${at}`)).length);
        },
      ),
    );
  });

  test('SIS-06: the same rows applied a second time remove nothing', () => {
    const states = fc.constantFrom('active', 'completed', 'inactive', 'deleted');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('', 'S2'), states), { maxLength: 8 }),
        (named) => {
          // The last row about each enrolment counts.
          const last = [...new Map(named.map((one) => [`${one[0]} ${one[1]}`, one])).values()];
          const rows = last.map(([user, section, status], at) => row(at + 2, user, section, status));
          const after = last.flatMap(([user, section, status]) =>
            status === 'deleted' ? [] : [held(user, section === '' ? 1 : 2, { state: status })],
          );
          expect(does(rows, place(...after)).every((one) => one === 'nothing')).toBe(true);
        },
      ),
    );
  });
});
