import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  documentedRows,
  type ExistingEnrollment,
  type KnownSection,
  type PlannedCourse,
  planAdditions,
  planRemovals,
  sectionTargets,
  targetOf,
} from '../src/enrollment-plan.ts';
import { generatedSectionSisId } from '../src/sections.ts';

const ROLE = 3;
const STATES = ['active', 'invited', 'inactive', 'completed', 'deleted'];
const people = ['u0', 'u1', 'u2', 'u3'];
const sections: KnownSection[] = [
  { id: 1, name: 'Finance', sisSectionId: null },
  { id: 2, name: 'Group A', sisSectionId: 'FIN-A' },
  { id: 3, name: 'Group B', sisSectionId: null },
];
const course = (enrollments: ExistingEnrollment[], known = sections): PlannedCourse => ({
  id: 7,
  name: 'Finance',
  sisCourseId: 'FIN',
  sections: known,
  enrollments,
});
const sits = (userSisId: string | null, sectionId: number, state = 'active', roleId = ROLE) => ({
  userSisId,
  sectionId,
  state,
  roleId,
});
const enrolments = fc.array(
  fc.record({
    userSisId: fc.constantFrom(...people, 'other', null),
    roleId: fc.constantFrom(ROLE, 4),
    state: fc.constantFrom(...STATES),
    sectionId: fc.constantFrom(1, 2, 3, 9),
  }),
  { maxLength: 25 },
);

describe('adding (CE-05)', () => {
  test('people who are active with the role get no row; other states and roles do not count', () => {
    const difference = planAdditions(
      course([sits('u0', 1), sits('u1', 2, 'inactive'), sits('u2', 1, 'active', 4), sits(null, 1)]),
      people,
      ROLE,
    );
    expect(difference.untouched).toEqual([0]);
    expect(difference.rows).toEqual([
      {
        target: { sectionId: 1, name: 'Finance', sisSectionId: '', assign: false },
        people: [1, 2, 3],
        beside: 1,
      },
    ]);
  });

  test('property: everyone is in exactly one of the two lists, once', () => {
    fc.assert(
      fc.property(enrolments, (existing) => {
        const { rows, untouched } = planAdditions(course(existing), people, ROLE);
        const all = [...rows.flatMap((one) => one.people), ...untouched].sort((a, b) => a - b);
        expect(all).toEqual([0, 1, 2, 3]);
      }),
    );
  });

  test('if there is no one to add, there are no rows', () => {
    expect(planAdditions(course(people.map((one) => sits(one, 1))), people, ROLE).rows).toEqual([]);
  });
});

describe('removing (CE-05)', () => {
  test('each enrolment gets one row, in its own section, whatever its state', () => {
    const { rows, untouched } = planRemovals(
      course([sits('u0', 1), sits('u0', 2, 'completed'), sits('u1', 3, 'invited'), sits('u2', 1, 'deleted')]),
      people,
      ROLE,
    );
    expect(untouched).toEqual([2, 3]);
    expect(rows.map((one) => [one.target.sisSectionId, one.target.assign, one.people])).toEqual([
      ['', false, [0]],
      ['FIN-A', false, [0]],
      ['FIN-GROUPB', true, [1]],
    ]);
  });

  test('property: there is exactly one row for each person and section that has an enrolment with the role', () => {
    fc.assert(
      fc.property(enrolments, (existing) => {
        const { rows, untouched } = planRemovals(course(existing), people, ROLE);
        const targets = sectionTargets(course([]));
        const sisOf = (id: number) => targets.get(id)?.sisSectionId ?? '';
        const expected = new Set(
          existing
            .filter(
              (one) => one.roleId === ROLE && one.state !== 'deleted' && people.includes(one.userSisId ?? ''),
            )
            .map((one) => `${people.indexOf(one.userSisId ?? '')} ${sisOf(one.sectionId)}`),
        );
        const planned = rows.flatMap((one) =>
          one.people.map((index) => `${index} ${one.target.sisSectionId}`),
        );
        expect(new Set(planned)).toEqual(expected);
        expect(planned).toHaveLength(expected.size);
        const touched = new Set(rows.flatMap((one) => one.people));
        expect(untouched).toEqual([0, 1, 2, 3].filter((index) => !touched.has(index)));
      }),
    );
  });
});

describe('naming sections (SE-12, OP-51)', () => {
  test('an id has the letters and digits of the name in upper case, or the number if nothing is left or the id is in use', () => {
    expect(generatedSectionSisId({ id: 7, name: 'Group 1 (día)' }, 'FIN')).toBe('FIN-GROUP1DA');
    expect(generatedSectionSisId({ id: 7, name: '组' }, 'FIN')).toBe('FIN--7');
    expect(generatedSectionSisId({ id: 7, name: 'Group-1' }, 'FIN', new Set(['FIN-GROUP1']))).toBe(
      'FIN-GROUP1-7',
    );
  });

  test('the default section is the only one with the course’s name and without an SIS ID; if there are two, they are named', () => {
    const two = [
      { id: 1, name: 'Finance', sisSectionId: null },
      { id: 2, name: 'Finance', sisSectionId: null },
    ];
    expect(
      [...sectionTargets(course([], two)).values()].map((one) => [one.sisSectionId, one.assign]),
    ).toEqual([
      ['FIN-FINANCE', true],
      ['FIN-FINANCE-2', true],
    ]);
    const named = [{ id: 1, name: 'Finance', sisSectionId: 'X' }];
    expect(sectionTargets(course([], named)).get(1)).toMatchObject({ sisSectionId: 'X', assign: false });
  });

  test('property: no two sections of a course share an SIS ID', () => {
    const section = fc.record({
      name: fc.constantFrom('Finance', 'Group 1', 'Group-1', 'GROUP1', '组', ''),
      sisSectionId: fc.constantFrom(null, 'FIN-GROUP1', 'FIN--2', 'A'),
    });
    fc.assert(
      fc.property(fc.array(section, { maxLength: 8 }), (list) => {
        const seen = new Set<string>();
        const known = list
          .map((one, index) => ({ ...one, id: index + 1 }))
          // The LMS itself prevents two sections from sharing one.
          .filter(
            (one) => one.sisSectionId === null || (!seen.has(one.sisSectionId) && seen.add(one.sisSectionId)),
          );
        const ids = [...sectionTargets(course([], known)).values()].map((one) => one.sisSectionId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe('the section for added people', () => {
  const place = (known: KnownSection[]) => ({ id: 7, name: 'Finance', sisCourseId: 'FIN', sections: known });

  test('the LMS chooses the section only if the course shows its default section', () => {
    expect(targetOf(place(sections))).toMatchObject({ sectionId: 1, sisSectionId: '', assign: false });
    expect(targetOf(place(sections.slice(1)))).toEqual({
      sectionId: null,
      name: 'Finance',
      sisSectionId: 'FIN-FINANCE',
      assign: true,
    });
    expect(targetOf(place([{ id: 4, name: 'Finance', sisSectionId: 'F' }]))).toMatchObject({
      sectionId: 4,
      sisSectionId: 'F',
      assign: false,
    });
    const foreign = { id: 4, name: 'Finance', sisSectionId: null, crossListed: true };
    expect(targetOf(place([foreign]))).toMatchObject({ sectionId: null, sisSectionId: 'FIN-FINANCE' });
  });

  test("property: people always go to one of the course's own sections, or a new one with an unused id", () => {
    const section = fc.record({
      name: fc.constantFrom('Finance', 'Group'),
      sisSectionId: fc.constantFrom(null, 'FIN-FINANCE', 'FIN-FINANCE-7', 'A'),
      crossListed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(section, { maxLength: 6 }), (list) => {
        const known = list.map((one, index) => ({ ...one, id: index + 1 }));
        const { sectionId, sisSectionId, assign } = targetOf(place(known));
        const own = known.find((one) => one.id === sectionId);
        const taken = known.map((one) => one.sisSectionId);
        if (sectionId === null) expect([assign, sisSectionId === '']).toEqual([true, false]);
        else expect(own).toMatchObject({ name: 'Finance', crossListed: false });
        if (assign) expect(taken).not.toContain(sisSectionId);
        else expect(sisSectionId).toBe(own?.sisSectionId ?? '');
      }),
    );
  });
});

test('the documented rows are for everyone, in the course’s own section', () => {
  const target = targetOf({ id: 7, name: 'Finance', sisCourseId: 'FIN', sections });
  expect(documentedRows(3, target)).toEqual({ rows: [{ target, people: [0, 1, 2] }], untouched: [] });
});
