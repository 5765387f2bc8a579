import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PersonElsewhere } from '../src/group-course.ts';
import { changes, planMembers } from '../src/group-members.ts';
import { unanswered } from '../src/group-references.ts';
import { CLUBS, courseOf, group, LABS, person, readerOf, row } from './group-fixtures.ts';

const groups = [
  group(1, 'G01'),
  group(2, 'G02'),
  group(3, 'L01', { category: LABS.id }),
  group(4, 'Chess', { category: CLUBS.id }),
  group(5, 'Go', { category: CLUBS.id }),
];
const course = (people = [person(1), person(2, [1]), person(3, [1, 4])]) => courseOf(groups, people);
const fatesOf = (rows: ReturnType<typeof row>[], index = course()) =>
  planMembers(rows, readerOf(index)).rows.map(({ fate }) => fate);

describe('rows for group members', () => {
  it('GRP-27 a person can be added, be already there, be removed, or not be in the group', () => {
    const rows = [
      row(2, 'p1', 'C_G01'),
      row(3, 'p2', 'C_G01'),
      row(4, 'p3', 'C_G01', 'deleted'),
      row(5, 'p3', 'C_G02', 'Deleted'),
    ];
    expect(fatesOf(rows)).toEqual(['add', 'already', 'remove', 'not-member']);
  });

  it('OP-107 a person added to another group of the category moves, and the previous group is named', () => {
    const { rows, groups: heads } = planMembers([row(2, 'p2', 'C_G02')], readerOf(course()));
    expect(rows[0]).toMatchObject({
      fate: 'move',
      from: 'G01',
      leaves: [1],
      person: 'Person 2',
      group: 'G02',
    });
    expect(heads.map(({ group: { name }, before, after }) => [name, before, after])).toEqual([
      ['G01', 2, 1],
      ['G02', 0, 1],
    ]);
    // Another category is not affected, and people can be in several student groups.
    expect(fatesOf([row(2, 'p2', 'C_L01'), row(3, 'p3', 'C_Go')])).toEqual(['add', 'add']);
  });

  it('OP-107 of two rows for two groups in one category, the later is rejected and names the other', () => {
    const { rows } = planMembers([row(2, 'p1', 'C_G01'), row(3, 'p1', 'C_G02')], readerOf(course()));
    expect(rows.map(({ fate }) => fate)).toEqual(['add', 'refused']);
    expect(rows[1]).toMatchObject({ column: 'group_id', why: expect.stringMatching(/^Row 2 .*G01/) });
    expect(fatesOf([row(2, 'p2', 'C_G01'), row(3, 'p2', 'C_G02')])).toEqual(['already', 'refused']);
    expect(fatesOf([row(2, 'p1', 'C_Go'), row(3, 'p1', 'C_Chess')])).toEqual(['add', 'add']);
    // From one group to another, in two explicit rows.
    expect(fatesOf([row(2, 'p2', 'C_G01', 'deleted'), row(3, 'p2', 'C_G02')])).toEqual(['remove', 'add']);
  });

  it('OP-79 a repeated row, and the opposite of an earlier one, are rejected', () => {
    const { rows } = planMembers(
      [row(2, 'p1', 'C_G01'), row(7, 'p1', 'C_G01'), row(9, 'p1', 'C_G01', 'deleted')],
      readerOf(course()),
    );
    expect(rows.map(({ why }) => why)).toEqual([
      null,
      'This row repeats row 2.',
      'Row 2 says the opposite for the same person and group.',
    ]);
  });

  it('GRP-27 a group is full by its own limit or the category’s; people who leave make room first', () => {
    const index = courseOf(
      [group(3, 'L01', { category: LABS.id }), group(6, 'L02', { category: LABS.id, limit: 1 })],
      [person(1), person(2), person(3, [3]), person(4, [6])],
    );
    const rows = [
      row(2, 'p1', 'C_L01'),
      row(3, 'p2', 'C_L01'),
      row(4, 'p2', 'C_L02'),
      row(5, 'p4', 'C_L02', 'deleted'),
      row(6, 'p3', 'C_L02'),
      row(7, 'p2', 'C_L01'),
    ];
    const planned = planMembers(rows, readerOf(index)).rows;
    expect(planned.map(({ fate }) => fate)).toEqual(['add', 'refused', 'refused', 'remove', 'move', 'add']);
    expect(planned[1]?.why).toMatch(/^The group is full/);
    // A member whom the course does not show also takes up a place.
    const hidden = courseOf([group(6, 'L02', { category: LABS.id, limit: 1, members: 1 })], [person(1)]);
    expect(fatesOf([row(2, 'p1', 'C_L02')], hidden)).toEqual(['refused']);
  });

  it('OP-107, OP-79 a row that is not possible is rejected with its cell', () => {
    const index = course([person(1), person(2, [1], { sisId: null })]);
    const reader = readerOf(index, {
      elsewhere: {
        people: new Map<string, PersonElsewhere | 'failed'>([
          ['p9', { id: 9, name: 'Nina Away', sisId: 'p9' }],
          ['p1-old', { id: 1, name: 'Person 1', sisId: 'p1' }],
          ['p8', 'failed'],
        ]),
        groups: new Map([
          ['OTHER', { course: 'Finance' }],
          ['HIDDEN', { course: null }],
        ]),
      },
    });
    const refusedOf = (who: string, where: string, status = 'accepted') => {
      const [one] = planMembers([row(2, who, where, status)], reader).rows;
      return [one?.fate, one?.column, one?.why];
    };
    expect(refusedOf('p9', 'C_G01')).toEqual([
      'refused',
      'user_id',
      'Nina Away is not in the course. Enrol them there first.',
    ]);
    // Enrolling a person in order to remove them would make no sense.
    expect(refusedOf('p9', 'C_G01', 'deleted')[2]).toBe(
      'Nina Away is not in the course, so an import cannot change their groups.',
    );
    expect(refusedOf('p7', 'C_G01')[2]).toBe('No person in the LMS has the SIS ID "p7".');
    expect(refusedOf('p8', 'C_G01')[2]).toMatch(/could not check/);
    expect(refusedOf('p1', 'OTHER')).toEqual(['refused', 'group_id', expect.stringContaining('"Finance"')]);
    expect(refusedOf('p1', 'HIDDEN')[2]).toBe('The course has no group with the SIS ID "HIDDEN".');
    expect(refusedOf('p1', 'C_G01', 'active')).toEqual([
      'refused',
      'status',
      expect.stringContaining('accepted'),
    ]);
    expect(refusedOf('p1', 'C_G01', '')[1]).toBe('status');
    expect(refusedOf('', 'C_G01')[2]).toBe('The person is missing.');
    expect(refusedOf('p1', '')[2]).toBe('The group is missing.');
    for (const odd of ['-', '#N/A', '1.2E+05', '=A1', '—']) {
      expect(refusedOf(odd, 'C_G01').slice(0, 2)).toEqual(['refused', 'user_id']);
      expect(refusedOf('p1', odd).slice(0, 2)).toEqual(['refused', 'group_id']);
    }
    // Another SIS ID of an existing person: the file can use it.
    const [again] = planMembers([row(2, 'p1-old', 'C_G01')], reader).rows;
    expect(again).toMatchObject({ fate: 'add', who: 1, user_id: 'p1-old' });
  });

  it('OP-107 only texts that match no one and nothing in the course are looked up, each once, but never converted values', () => {
    const rows = [
      row(2, 'p1', 'C_G01'),
      row(3, 'p9', 'OTHER'),
      row(4, 'p9', 'OTHER'),
      row(5, '-', '#REF!'),
      { ...row(6, 'p8', 'X'), wrong: { column: null, message: 'odd' } },
    ];
    expect(unanswered(rows, { index: course(), by: 'ids' })).toEqual({ people: ['p9'], groups: ['OTHER'] });
  });

  it('OP-107 for any rows, sending them one by one gives the reported numbers and memberships', () => {
    const people = fc.array(fc.subarray([1, 3, 4, 5]), { minLength: 4, maxLength: 4 });
    const rows = fc.array(
      fc.record({
        who: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5'),
        where: fc.constantFrom('C_G01', 'C_G02', 'C_L01', 'C_Go', 'C_Chess', 'C_no'),
        status: fc.constantFrom('accepted', 'accepted', 'deleted'),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(people, rows, (held, asked) => {
        const index = courseOf(
          groups,
          held.map((theirs, at) => person(at + 1, theirs)),
        );
        const given = asked.map(({ who, where, status }, at) => row(at + 2, who, where, status));
        const { rows: planned, groups: heads } = planMembers(given, readerOf(index));
        // Applies the rows as the LMS does (reference §15.2).
        const seats = new Map(index.course.people.map((one) => [one.id, new Set(one.groups)]));
        const single = (id: number) => (id === 1 || id === 2 ? 'teams' : id === 3 ? 'labs' : null);
        const members = (id: number) => [...seats.values()].filter((theirs) => theirs.has(id)).length;
        for (const one of planned.filter(changes)) {
          const theirs = seats.get(one.who ?? 0);
          const where = one.where ?? 0;
          const others = [...(theirs ?? [])].filter(
            (id) => id !== where && single(id) && single(id) === single(where),
          );
          if (one.fate === 'remove') {
            expect(theirs?.delete(where)).toBe(true);
            continue;
          }
          expect(theirs?.has(where)).toBe(false);
          expect(one.leaves).toEqual(others);
          expect(one.fate).toBe(others.length > 0 ? 'move' : 'add');
          if (where === 3) expect(members(3)).toBeLessThan(2);
          for (const id of others) theirs?.delete(id);
          theirs?.add(where);
        }
        for (const {
          group: { id },
          after,
        } of heads)
          expect(members(id)).toBe(after);
        // An unchanged membership is still the same at the end, unless a later row changes it.
        const placed = new Map<string, number>();
        for (const one of planned) {
          if (one.fate === 'refused' || one.status === 'deleted' || !single(one.where ?? 0)) continue;
          const key = `${one.who} ${single(one.where ?? 0)}`;
          expect(placed.has(key)).toBe(false);
          placed.set(key, one.row);
        }
      }),
    );
  });
});
