import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EnrollmentStatus, ExistingEnrollment } from '../src/enrollment-plan.ts';
import { namedTargets, planSection } from '../src/section-plan.ts';

const HERE = { sectionId: 1, roleId: 3 };
const people = ['u0', 'u1', 'u2', 'u3'];
const sits = (userSisId: string | null, state = 'active', sectionId = 1, roleId = 3): ExistingEnrollment => ({
  userSisId,
  state,
  sectionId,
  roleId,
});
const enrolments = fc.array(
  fc.record({
    userSisId: fc.constantFrom(...people, 'other', null),
    roleId: fc.constantFrom(3, 4),
    state: fc.constantFrom('active', 'invited', 'inactive', 'completed', 'deleted'),
    sectionId: fc.constantFrom(1, 2),
  }),
  { maxLength: 25 },
);

describe('one section (SE-01)', () => {
  test('when adding, people active here with the role get no row; other sections, roles and ended enrolments do not count', () => {
    const existing = [
      sits('u0'),
      sits('u1', 'completed'),
      sits('u2', 'active', 2),
      sits('u3', 'active', 1, 4),
      sits(null),
    ];
    expect(planSection(existing, people, { ...HERE, status: 'active' })).toEqual({
      rows: [1, 2, 3],
      untouched: [0],
      before: [[1, 'completed']],
    });
  });

  test('when removing, everyone here with the role in any state except deleted gets a row, and no one else does', () => {
    const existing = [
      sits('u0'),
      sits('u1', 'completed'),
      sits('u1', 'invited'),
      sits('u2', 'active', 2),
      sits('u3', 'deleted'),
    ];
    expect(planSection(existing, people, { ...HERE, status: 'deleted' })).toEqual({
      rows: [0, 1],
      untouched: [2, 3],
      before: [[1, 'invited']],
    });
  });

  test('property: everyone is in one of the two lists, once and in order; other sections and roles change nothing', () => {
    const statuses = fc.constantFrom<EnrollmentStatus>('active', 'deleted');
    fc.assert(
      fc.property(enrolments, statuses, (existing, status) => {
        const asked = { ...HERE, status };
        const { rows, untouched, before = [] } = planSection(existing, people, asked);
        expect([...rows, ...untouched].sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
        for (const list of [rows, untouched]) expect(list).toEqual([...list].sort((a, b) => a - b));
        const here = existing.filter((one) => one.sectionId === 1 && one.roleId === 3);
        expect(planSection(here, people, asked)).toMatchObject({ rows, untouched });
        // People whose enrolment here has ended are named with the state, and no one else is.
        for (const [index, state] of before) {
          expect(rows).toContain(index);
          expect(here.some((one) => one.userSisId === people[index] && one.state === state)).toBe(true);
        }
        const there = status === 'active' ? untouched : rows;
        const counts = (state: string) => (status === 'active' ? state === 'active' : state !== 'deleted');
        for (const [index, sisId] of people.entries()) {
          const isThere = here.some((one) => one.userSisId === sisId && counts(one.state));
          expect(there.includes(index)).toBe(isThere);
        }
      }),
    );
  });

  test('property: people who were added are then already there, and people who were removed are not', () => {
    fc.assert(
      fc.property(enrolments, (existing) => {
        const added = planSection(existing, people, { ...HERE, status: 'active' });
        const after = [...existing, ...added.rows.map((index) => sits(people[index] ?? ''))];
        expect(planSection(after, people, { ...HERE, status: 'active' }).rows).toEqual([]);
        expect(planSection(after, people, { ...HERE, status: 'deleted' }).untouched).toEqual([]);
      }),
    );
  });
});

describe('naming sections (SE-12, OP-51)', () => {
  const section = (id: number, name: string, sisSectionId: string | null = null) => ({
    id,
    name,
    sisSectionId,
  });

  test('SE-12 a section keeps its SIS ID; any section without one, including the default section, gets the generated ID', () => {
    const targets = namedTargets(
      [
        { section: section(1, 'Finance'), sisCourseId: 'FIN' },
        { section: section(2, 'Group A', 'FIN-A'), sisCourseId: 'FIN' },
      ],
      ['FIN-A'],
    );
    expect([...targets.values()]).toEqual([
      { sectionId: 1, name: 'Finance', sisSectionId: 'FIN-FINANCE', assign: true },
      { sectionId: 2, name: 'Group A', sisSectionId: 'FIN-A', assign: false },
    ]);
  });

  test('OP-51 an id that a section in the plan has or gets is not used again, not even in another course', () => {
    const targets = namedTargets(
      [
        { section: section(7, 'G1'), sisCourseId: 'FIN' },
        { section: section(8, 'G-1'), sisCourseId: 'FIN' },
        { section: section(9, '8'), sisCourseId: 'FIN-G1' },
      ],
      ['FIN-X'],
    );
    expect([...targets.values()].map((one) => one.sisSectionId)).toEqual([
      'FIN-G1',
      'FIN-G1-8',
      'FIN-G1-8-9',
    ]);
  });

  test('OP-51 property: no two sections in a plan share an id, and none gets one that is in use', () => {
    const one = fc.record({
      name: fc.constantFrom('Finance', 'Group 1', 'Group-1', '2', '组', ''),
      sisCourseId: fc.constantFrom('FIN', 'FIN-GROUP1', 'FIN-'),
    });
    const taken = fc.uniqueArray(fc.constantFrom('FIN-FINANCE', 'FIN-GROUP1', 'FIN-GROUP1-2', 'FIN--1'));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 10 }), taken, (list, used) => {
        const wanted = list.map(({ name, sisCourseId }, id) => ({ section: section(id, name), sisCourseId }));
        const ids = [...namedTargets(wanted, used).values()].map((target) => target.sisSectionId);
        expect(new Set([...ids, ...used]).size).toBe(list.length + used.length);
      }),
    );
  });
});
