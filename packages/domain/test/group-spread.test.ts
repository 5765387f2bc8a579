import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMembers } from '../src/group-members.ts';
import { distribute, type SpreadBy, spreadRows, unfilledGroups } from '../src/group-spread.ts';
import { courseOf, group, LABS, person, readerOf, TEAMS } from './group-fixtures.ts';

const students = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 })
  .map((sections) => sections.map((section, at) => ({ id: at + 1, section })));
const empty = fc
  .integer({ min: 1, max: 9 })
  .map((count) => Array.from({ length: count }, (_, at) => ({ id: at + 100, members: 0, limit: null })));
const ways = fc.constantFrom<SpreadBy>('evenly', 'by-section', 'mixed');

function sizes(places: ReadonlyMap<number, number>, groups: readonly { id: number; members: number }[]) {
  return groups.map(({ id, members }) => members + [...places.values()].filter((one) => one === id).length);
}

describe('distributing students over groups', () => {
  it('GRP-25 everyone gets one group, the same each time', () => {
    fc.assert(
      fc.property(students, empty, ways, (some, groups, by) => {
        const places = distribute(some, groups, by);
        expect([...places.keys()].sort((a, b) => a - b)).toEqual(some.map(({ id }) => id));
        expect(distribute(some, groups, by)).toEqual(places);
      }),
    );
  });

  it('GRP-25 evenly or mixed, sizes differ by at most one, and smaller groups are filled first', () => {
    const filled = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(students, filled, fc.constantFrom<SpreadBy>('evenly', 'mixed'), (some, held, by) => {
        const groups = held.map((members, at) => ({ id: at + 100, members, limit: null }));
        const all = sizes(distribute(some, groups, by), groups);
        const least = Math.min(...all);
        for (const [at, size] of all.entries())
          if (size > (held[at] ?? 0)) expect(size).toBeLessThanOrEqual(least + 1);
      }),
    );
  });

  it('GRP-25 distributing evenly keeps the order of names; distributing mixed gives each group its share of each section', () => {
    fc.assert(
      fc.property(students, empty, (some, groups) => {
        const inOrder = [...distribute(some, groups, 'evenly').values()];
        expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
        const mixed = distribute(some, groups, 'mixed');
        for (const section of [1, 2, 3, 4]) {
          const those = some.filter((one) => one.section === section).map(({ id }) => mixed.get(id));
          const counts = groups.map(({ id }) => those.filter((one) => one === id).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('GRP-25 by section, each group has people from one section if there are enough groups; otherwise each section is in one group', () => {
    fc.assert(
      fc.property(students, empty, (some, groups) => {
        const places = distribute(some, groups, 'by-section');
        const sections = [...new Set(some.map(({ section }) => section))];
        if (sections.length > groups.length) {
          for (const section of sections) {
            const own = some.filter((one) => one.section === section).map(({ id }) => places.get(id));
            expect(new Set(own).size).toBe(1);
          }
          return;
        }
        for (const { id } of groups) {
          const inIt = some.filter((one) => places.get(one.id) === id).map(({ section }) => section);
          expect(new Set(inIt).size).toBeLessThanOrEqual(1);
        }
        // A section with more groups than usual does not have larger groups than necessary either.
        for (const section of sections) {
          const own = some.filter((one) => one.section === section).map(({ id }) => places.get(id));
          const counts = [...new Set(own)].map((id) => own.filter((one) => one === id).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('GRP-25 no group exceeds its limit while another has room', () => {
    const limited = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(students, limited, ways, (some, limits, by) => {
        const groups = limits.map((limit, at) => ({ id: at + 100, members: 0, limit }));
        const all = sizes(distribute(some, groups, by), groups);
        const over = all.some((size, at) => size > (limits[at] ?? 0));
        const room = limits.reduce((sum, limit) => sum + limit, 0);
        expect(over).toBe(some.length > room);
      }),
    );
  });

  it('GRP-25 only students without a group in the category are distributed; others are not changed', () => {
    const index = courseOf(
      [
        group(1, 'G01'),
        group(2, 'G02'),
        group(3, 'G03', { sisId: null }),
        group(4, 'L', { category: LABS.id }),
      ],
      [person(1, [1]), person(2, [1]), person(3, [4]), person(4), person(5, [], { sections: [] })],
    );
    const rows = spreadRows(index, TEAMS, { by: 'evenly', onlyUnassigned: true });
    expect(rows).toEqual([
      { row: 1, person: 'p3', group: 'C_G02', status: 'accepted' },
      { row: 2, person: 'p4', group: 'C_G02', status: 'accepted' },
    ]);
    const anew = spreadRows(index, TEAMS, { by: 'evenly', onlyUnassigned: false });
    if ('problem' in anew) throw new Error(anew.problem);
    const planned = planMembers(anew, readerOf(index));
    expect(planned.rows.map(({ person: who, fate }) => [who, fate])).toEqual([
      ['Person 1', 'already'],
      ['Person 2', 'already'],
      ['Person 3', 'add'],
      ['Person 4', 'add'],
    ]);
  });

  it('GRP-25 having no one to distribute or no group to fill is reported, and so are people without an SIS ID', () => {
    const none = courseOf(
      [group(1, 'G01', { sisId: null }), group(2, 'L', { category: LABS.id })],
      [person(1)],
    );
    expect([unfilledGroups(none, TEAMS), unfilledGroups(none, LABS)]).toEqual([['G01'], []]);
    const spread = { by: 'mixed', onlyUnassigned: true } as const;
    expect(spreadRows(none, TEAMS, spread)).toMatchObject({ problem: expect.stringContaining('no groups') });
    const all = courseOf([group(1, 'G01')], [person(1, [1])]);
    expect(spreadRows(all, TEAMS, spread)).toMatchObject({ problem: expect.stringContaining('already') });
    const nobody = courseOf([group(1, 'G01')], []);
    expect(spreadRows(nobody, TEAMS, { ...spread, onlyUnassigned: false })).toMatchObject({
      problem: 'The course has no students.',
    });
    const odd = courseOf([group(1, 'G01')], [person(1, [], { sisId: null })]);
    expect(spreadRows(odd, TEAMS, spread)).toMatchObject([{ wrong: { column: 'user_id' } }]);
  });

  it('OP-107 when people are redistributed over limited groups, rows come in an order in which each has room', () => {
    const held = fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(held, ways, (seats, by) => {
        const limit = Math.max(
          1,
          Math.ceil(seats.length / 3) + 1,
          ...[1, 2, 3].map((id) => seats.filter((one) => one === id).length),
        );
        const index = courseOf(
          [1, 2, 3].map((id) => group(id, `G0${id}`, { limit })),
          seats.map((id, at) => person(at + 1, [id], { sections: [1 + (at % 2)] })),
        );
        const rows = spreadRows(index, TEAMS, { by, onlyUnassigned: false });
        if ('problem' in rows) throw new Error(rows.problem);
        const fates = planMembers(rows, readerOf(index)).rows.map(({ fate }) => fate);
        // Every step has room for someone, unless all groups are full at the start and the end.
        if (by !== 'by-section') expect(fates).not.toContain('refused');
      }),
    );
  });
});
