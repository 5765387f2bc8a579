/** Effects of SIS file rows on the LMS (SIS-06). */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountEffect } from '../src/sis-effect/accounts.ts';
import { columnAtFault } from '../src/sis-effect/at-fault.ts';
import { brakeReason } from '../src/sis-effect/brake.ts';
import { courseEffect, type HeldCourse } from '../src/sis-effect/courses.ts';
import { type Cells, changedDate, DANGEROUS, isDangerous, SIS_DOES } from '../src/sis-effect/effect.ts';
import { enrolmentEffects } from '../src/sis-effect/enrolments.ts';
import { MembershipsNow } from '../src/sis-effect/groups.ts';
import type { EnrolmentRow, HeldEnrolment, HeldPlace } from '../src/sis-effect/held-place.ts';
import { type HeldPerson, personEffect } from '../src/sis-effect/people.ts';
import { sectionEffect } from '../src/sis-effect/sections.ts';
import { termEffect } from '../src/sis-effect/terms.ts';

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
/** Creates a row in any table by its cells; '' is an empty cell. */
const cells =
  (of: Record<string, string>): Cells =>
  (column) =>
    column in of ? of[column] || null : undefined;

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

const person = (id: number, more: Partial<HeldPerson> = {}): HeldPerson => ({
  id,
  sisUserId: String(id),
  login: `p${id}@x.example`,
  name: `Person ${id}`,
  sortableName: `${id}, Person`,
  shortName: `Person ${id}`,
  email: `p${id}@x.example`,
  integrationId: null,
  ...more,
});

describe('people rows', () => {
  const [ann, bob] = [person(1), person(2)];
  const guest = person(3, { sisUserId: null });
  const of = (status: string, login: string, byId: HeldPerson | null, byLogin: HeldPerson | null) => {
    const effect = personEffect(
      cells({ user_id: '1', login_id: login, status, full_name: 'Ann' }),
      byId,
      byLogin,
    );
    return effect.refused ? 'refused' : effect.does;
  };

  test('SIS-01: people are shown as new or existing', () => {
    expect(of('active', 'new@x.example', null, null)).toBe('creates');
    expect(of('active', 'P1@x.example', ann, ann)).toBe('changes');
    expect(of('suspended', 'p1@x.example', ann, ann)).toBe('suspends');
    expect(of('active', 'p3@x.example', null, guest)).toBe('changes');
  });

  test('SIS-06: a row that deletes an unknown object explains what the LMS does', () => {
    const { does, why } = personEffect(
      cells({ user_id: 'X1', login_id: 'x@b.example', status: 'deleted' }),
      null,
      null,
    );
    expect([does, why]).toEqual([
      'nothing',
      expect.stringContaining('the LMS creates a person with a deleted login'),
    ]);
  });

  test('SIS-01: another person’s login is rejected, and no one is deleted by another’s login', () => {
    expect(of('active', 'p2@x.example', ann, bob)).toBe('refused');
    expect(of('deleted', 'p2@x.example', ann, bob)).toBe('refused');
    expect(of('active', 'p2@x.example', null, bob)).toBe('refused');
    expect(of('deleted', 'p3@x.example', null, guest)).toBe('refused');
    expect(of('deleted', 'nobody@x.example', ann, null)).toBe('refused');
    expect(of('deleted', 'P1@x.example', ann, null)).toBe('deletes');
    expect(of('deleted', 'nobody@x.example', null, null)).toBe('nothing');
  });

  test('SIS-01: only differences are reported as changes; empty cells and missing columns keep values', () => {
    const row = (more: Record<string, string>) =>
      personEffect(cells({ user_id: '1', login_id: 'p1@x.example', status: 'active', ...more }), ann, ann);
    expect(row({}).does).toBe('nothing');
    expect(row({ short_name: '', email: '', integration_id: '' }).does).toBe('nothing');
    // The LMS writes an address exactly as in the row.
    expect(row({ email: 'P1@X.example' }).fields).toEqual([['email', 'p1@x.example', 'P1@X.example']]);
    expect(row({ first_name: 'Zoë', last_name: 'O’Neill–Łukasz' }).fields).toEqual([
      ['full_name', 'Person 1', 'Zoë O’Neill–Łukasz'],
      ['sortable_name', '1, Person', 'O’Neill–Łukasz, Zoë'],
    ]);
    // Data that the LMS did not show is not reported.
    const dark = person(1, { email: undefined, integrationId: undefined });
    const given = cells({
      user_id: '1',
      login_id: 'p1@x.example',
      status: 'active',
      email: 'x@y.example',
      integration_id: 'I',
    });
    expect(personEffect(given, dark, dark).does).toBe('nothing');
  });

  test('SIS-01: no one is removed by a row that does not say so', () => {
    const texts = fc.constantFrom('', 'a', 'B', '#N/A', 'p1@x.example', 'p2@x.example');
    const who = fc.constantFrom(null, ann, bob, guest);
    fc.assert(
      fc.property(
        fc.record({ login_id: texts, full_name: texts, email: texts, short_name: texts }),
        who,
        who,
        (given, byId, byLogin) => {
          const effect = personEffect(cells({ ...given, user_id: '1', status: 'active' }), byId, byLogin);
          expect(isDangerous(effect.does)).toBe(false);
          for (const [, before, after] of effect.fields ?? []) expect(before).not.toBe(after);
        },
      ),
    );
  });
});

describe('place rows', () => {
  const known = {
    account: (id: string) => id === 'A',
    term: (id: string) => id === 'T',
    course: (id: string) => id === 'C',
  };
  const course: HeldCourse = {
    id: 7,
    name: 'Course',
    code: 'CO',
    state: 'available',
    account: 'A',
    term: 'T',
    start: '2026-09-01T00:00:00Z',
    end: null,
    integrationId: null,
    format: null,
    passback: null,
    homeroom: false,
    friendlyName: null,
  };
  const names = { course_id: 'C', short_name: 'CO', long_name: 'Course' };

  test.each([
    ['active', 'available', 'nothing'],
    ['published', 'unpublished', 'changes'],
    ['active', 'completed', 'restores'],
    ['active', 'deleted', 'restores'],
    ['completed', 'available', 'concludes'],
    ['deleted', 'available', 'deletes'],
    ['deleted', 'deleted', 'nothing'],
    ['odd', 'available', 'fails'],
  ])('SIS-06: a course row with %s on one that is %s: %s', (status, state, effect) => {
    expect(courseEffect(cells({ ...names, status }), { ...course, state }, known).does).toBe(effect);
  });

  test('SIS-06: empty cells keep a course’s dates, <delete> clears them; an unknown term is ignored', () => {
    const row = (more: Record<string, string>) =>
      courseEffect(cells({ ...names, status: 'active', ...more }), course, known);
    expect(row({ start_date: '', term_id: 'NO' })).toEqual({
      does: 'nothing',
      why: 'The LMS has no term "NO", so the course keeps its term.',
    });
    expect(courseEffect(cells({ ...names, status: 'active', term_id: 'NO' }), null, known).why).toContain(
      'is placed in the default term',
    );
    expect(row({ start_date: '<delete>' }).fields).toEqual([['start_date', '2026-09-01T00:00:00Z', null]]);
    expect(row({ account_id: 'NO' })).toMatchObject({
      does: 'unknown',
      problems: [{ column: 'account_id' }],
    });
    expect(row({ account_id: 'NO', fallback_account_id: 'A' }).does).toBe('nothing');
    expect(courseEffect(cells({ ...names, status: 'deleted' }), null, known).does).toBe('nothing');
  });

  test('SIS-06: rows for sections, accounts and terms have the right effect', () => {
    const section = {
      id: 1,
      name: 'S',
      course: 'C',
      crossListed: false,
      start: null,
      end: null,
      integrationId: null,
    };
    const row = (more: Record<string, string>) =>
      cells({ section_id: 'S', course_id: 'C', name: 'S', status: 'active', ...more });
    expect(sectionEffect(row({}), section, known).does).toBe('nothing');
    expect(sectionEffect(row({}), { ...section, course: 'D' }, known)).toMatchObject({
      does: 'changes',
      fields: [['course_id', 'D', 'C']],
    });
    expect(sectionEffect(row({}), { ...section, course: 'D', crossListed: true }, known).does).toBe(
      'nothing',
    );
    expect(sectionEffect(row({ course_id: 'NO' }), section, known).does).toBe('fails');
    expect(sectionEffect(row({ status: 'deleted' }), section, known).does).toBe('deletes');
    expect(sectionEffect(row({ status: 'deleted' }), null, known).does).toBe('nothing');
    expect(sectionEffect(row({ start_date: '2026-09-01' }), null, known).fields).toContainEqual([
      'start_date',
      null,
      '2026-09-01T00:00:00Z',
    ]);
    const account = { id: 2, name: 'B', parent: null, integrationId: null };
    const under = cells({ account_id: 'B', parent_account_id: 'A', name: 'B', status: 'active' });
    expect(accountEffect(under, account, known).fields).toEqual([['parent_account_id', null, 'A']]);
    expect(accountEffect(under, null, known).does).toBe('creates');
    const term = { id: 3, name: 'T', state: 'active', start: null, end: null };
    expect(termEffect(cells({ term_id: 'T', name: 'T', status: 'active' }), term).does).toBe('nothing');
    expect(termEffect(cells({ term_id: 'T', name: 'T', status: 'deleted' }), term).does).toBe('deletes');
  });

  test('SIS-06: a person joins a group once, leaves it once, and leaves the other group of the category', () => {
    const of = (...rows: [group: string, person: string, status: string][]) => {
      const now = new MembershipsNow();
      now.add({ key: '1', name: 'Team 1', category: 'T', members: ['a'] });
      now.add({ key: '2', name: 'Team 2', category: 'T', members: ['b'] });
      for (const [at, [group, person, status]] of rows.entries()) now.take(group, person, status, at + 2);
      const leaves = rows.map(([group, person], at) => now.leaves(at, group, person)[0] ?? null);
      const told = rows.map(([group, person], at) => now.effect(at, group, person));
      const effects = told.map(({ does }) => does);
      return {
        leaves,
        effects,
        ended: [...now.settled()].map(([group, person]) => [group, person]),
        why: told.map(({ why }) => why),
      };
    };
    // Added to one group and removed again: the removing row names the person's previous group.
    expect(of(['2', 'a', 'accepted'], ['2', 'a', 'deleted'])).toMatchObject({
      leaves: [null, 'Team 1'],
      effects: ['nothing', 'changes'],
      ended: [['1', 'a']],
    });
    // If they are back in their group, or in a third one, that row reports this.
    expect(of(['2', 'a', 'accepted'], ['2', 'a', 'deleted'], ['1', 'a', 'accepted'])).toMatchObject({
      leaves: [null, null, null],
      effects: ['nothing', 'nothing', 'nothing'],
      ended: [],
    });
    // Added to one group, then to another: the first row adds no one, and removes no one either.
    expect(of(['1', 'd', 'accepted'], ['2', 'd', 'accepted'])).toMatchObject({
      effects: ['nothing', 'creates'],
      why: [expect.stringContaining('A later row of the file adds them to another group'), undefined],
    });
    expect(of(['1', 'a', 'accepted'], ['1', 'c', 'deleted'])).toMatchObject({
      effects: ['nothing', 'nothing'],
      ended: [],
    });
    expect(of(['2', 'a', 'accepted'])).toMatchObject({
      leaves: ['Team 1'],
      effects: ['creates'],
      ended: [['1', 'a']],
    });
    // Added to another group, then back to the first.
    expect(of(['2', 'a', 'accepted'], ['1', 'a', 'accepted'])).toMatchObject({
      leaves: [null, null],
      effects: ['nothing', 'nothing'],
      ended: [],
    });
    expect(of(['1', 'a', 'deleted'], ['1', 'a', 'deleted'])).toMatchObject({
      effects: ['nothing', 'removes'],
      ended: [['1', 'a']],
    });
  });
});

test('SIS-06: the same time written differently is not a change', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      (date) => {
        date.setUTCMilliseconds(0);
        const iso = date.toISOString().replace('.000', '');
        expect(changedDate('start_date', iso, iso.replace('T', ' ').replace('Z', ''))).toEqual([]);
      },
    ),
  );
});

describe('the confirmation', () => {
  const none = { whole: false, untold: false, courses: [], ofAll: [] };
  test.each([
    [{ all: 0, whole: false, untold: true }, null],
    [{ all: 50 }, null],
    [{ all: 51 }, 'many'],
    [{ all: 1, whole: true }, 'whole-place'],
    [{ all: 5, courses: [{ taken: 5, active: 100 }] }, null],
    [{ all: 6, courses: [{ taken: 6, active: 100 }] }, 'share-of-course'],
    [{ all: 1, courses: [{ taken: 1, active: null }] }, 'untold'],
    [{ all: 3, ofAll: [{ taken: 3, there: 59 }] }, 'share-of-all'],
    [{ all: 3, ofAll: [{ taken: 3, there: 60 }] }, null],
    [{ all: 1, untold: true }, 'untold'],
  ])('SIS-06: %j: %s', (taken, reason) => {
    expect(brakeReason({ ...none, ...taken })).toBe(reason);
  });

  test('SIS-06: dangerous effects come first', () => {
    expect(SIS_DOES.slice(0, DANGEROUS.length)).toEqual(DANGEROUS);
  });
});

describe('the cell at fault', () => {
  const header = ['course_id', 'user_id', 'section_id', 'status'];
  const at = (why: string, cells: string[]) => header[columnAtFault(why, header, cells)];

  test('SIS-06: is the value that the reason quotes last, or the column that it names, or the first cell with contents', () => {
    expect(at('No person in the LMS has the SIS ID "7".', ['77', '7', '', 'active'])).toBe('user_id');
    expect(at('The course "C" has no section "S".', ['C', '7', 'S', 'active'])).toBe('section_id');
    expect(at('The course_id is missing.', ['', '7', 'S', 'active'])).toBe('course_id');
    expect(at('The LMS does not have this course or section.', ['', '', 'S', ''])).toBe('section_id');
    expect(at('', ['', '', '', ''])).toBe('course_id');
  });

  test('SIS-06: is a column in the header, whatever the row contains', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string(), { maxLength: 8 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 6 }),
        (why, cells, names) => {
          const found = columnAtFault(why, names, cells);
          return found >= 0 && found < Math.max(names.length, 1);
        },
      ),
    );
  });
});
