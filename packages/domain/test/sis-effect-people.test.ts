/** Effects of rows about people on the LMS (SIS-01, SIS-06). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cells, isDangerous } from '../src/sis-effect/effect.ts';
import { type HeldPerson, personEffect } from '../src/sis-effect/people.ts';

/** A row in any table by its cells; '' is an empty cell. */
const cells =
  (of: Record<string, string>): Cells =>
  (column) =>
    column in of ? of[column] || null : undefined;

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
