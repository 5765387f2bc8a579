import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EnrolmentRow,
  enrolmentEffects,
  type HeldEnrolment,
  type HeldPlace,
  personEffect,
} from '../src/sis-effects.ts';

const held = (user: string, sectionId: number, roleId = 3, state = 'active'): HeldEnrolment => ({
  user,
  sectionId,
  roleId,
  state,
  dated: false,
});
const place = (...enrolments: HeldEnrolment[]): HeldPlace => ({
  enrolments,
  sections: new Map([['S2', 2]]),
  defaultSection: 1,
  unsure: () => false,
});
const row = (at: number, user: string, section = '', status = 'deleted'): EnrolmentRow => ({
  row: at,
  user,
  roles: [3],
  section,
  status,
  more: false,
});
const does = (rows: EnrolmentRow[], where: HeldPlace | null) =>
  enrolmentEffects(rows, where).map((one) => (one.does === 'nothing' ? one.why : one.does));

describe('rows of enrolments', () => {
  test('SIS-06: a row removes the enrolment that is in its section, once', () => {
    const rows = [row(2, 'a'), row(3, 'a'), row(4, 'b'), row(5, 'c'), row(6, 'b', 'S2'), row(7, 'a', 'S9')];
    expect(does(rows, place(held('a', 1), held('b', 2)))).toEqual([
      'removes',
      'repeated',
      'elsewhere',
      'not-enrolled',
      'removes',
      'no-section',
    ]);
  });

  test('SIS-06: an earlier row decides what a later one finds', () => {
    const rows = [row(2, 'a', '', 'active'), row(3, 'a'), row(4, 'a', '', 'active')];
    expect(does(rows, place(held('a', 1)))).toEqual(['same', 'removes', 'works']);
    expect(does([row(2, 'n', '', 'active'), row(3, 'n')], place())).toEqual(['works', 'removes']);
  });

  test('SIS-06: nothing is claimed where nobody knows', () => {
    expect(does([row(2, 'a'), row(3, 'a')], null)).toEqual(['removes', 'repeated']);
    expect(does([row(2, 'a')], { ...place(), unsure: () => true })).toEqual(['removes']);
    expect(does([row(2, 'a')], { ...place(held('a', 5)), defaultSection: null })).toEqual(['removes']);
    expect(does([{ ...row(2, 'a', '', 'active'), more: true }], place(held('a', 1)))).toEqual(['works']);
    expect(does([row(2, 'a', '', 'active')], place({ ...held('a', 1), dated: true }))).toEqual(['works']);
  });

  test('SIS-06: never more is removed than is there, however often it is named', () => {
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
});

describe('rows of people', () => {
  const ann = { id: 1, sisUserId: '1', login: 'ann@x.example' };
  const bob = { id: 2, sisUserId: '2', login: 'bob@x.example' };
  const guest = { id: 3, sisUserId: null, login: 'guest@x.example' };
  const of = (
    status: string,
    login: string,
    byId: typeof ann | null,
    byLogin: typeof ann | typeof guest | null,
  ) => {
    const effect = personEffect({ status, login }, byId, byLogin);
    return effect.does === 'refused' ? effect.why : effect.does;
  };

  test('SIS-01: new people, and people who exist', () => {
    expect(of('active', 'new@x.example', null, null)).toBe('creates');
    expect(of('active', 'ANN@x.example', ann, ann)).toBe('changes');
    expect(of('active', 'ann2@x.example', ann, null)).toBe('changes');
    expect(of('suspended', 'ann@x.example', ann, null)).toBe('suspends');
    expect(of('active', 'guest@x.example', null, guest)).toBe('gives-id');
  });

  test('SIS-01: a login that is somebody else’s is refused, and nobody is deleted by another’s login', () => {
    expect(of('active', 'bob@x.example', ann, bob)).toBe('login-taken');
    expect(of('deleted', 'bob@x.example', ann, bob)).toBe('login-taken');
    expect(of('active', 'bob@x.example', null, bob)).toBe('login-taken');
    expect(of('deleted', 'guest@x.example', null, guest)).toBe('login-taken');
    expect(of('deleted', 'nobody@x.example', ann, null)).toBe('other-login');
    expect(of('deleted', 'Ann@x.example', ann, null)).toBe('deletes');
    expect(of('deleted', 'nobody@x.example', null, null)).toBe('nothing');
  });
});
