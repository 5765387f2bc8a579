/** Effects of rows for courses, sections, accounts, terms and groups on the LMS (SIS-06). */
import { describe, expect, test } from 'vitest';
import { accountEffect } from '../src/sis-effect/accounts.ts';
import { courseEffect, type HeldCourse } from '../src/sis-effect/courses.ts';
import type { Cells } from '../src/sis-effect/effect.ts';
import { MembershipsNow } from '../src/sis-effect/groups.ts';
import { sectionEffect } from '../src/sis-effect/sections.ts';
import { termEffect } from '../src/sis-effect/terms.ts';

/** A row in any table by its cells; '' is an empty cell. */
const cells =
  (of: Record<string, string>): Cells =>
  (column) =>
    column in of ? of[column] || null : undefined;

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
