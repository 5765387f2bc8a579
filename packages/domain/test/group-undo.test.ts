/** Undo of group members, whatever others have done since: what differs from before is turned round or named, and nothing else is touched. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changes, planMembers } from '../src/group-members.ts';
import { type SentMember, turnMembers } from '../src/group-undo.ts';
import { CLUBS, courseOf, group, person, readerOf, row } from './group-fixtures.ts';

const GROUPS = [
  group(1, 'One'),
  group(2, 'Two'),
  group(3, 'Three'),
  group(4, 'Chess', { category: CLUBS.id }),
  group(5, 'Go', { category: CLUBS.id }),
];
const named = (id: number) => GROUPS.find((one) => one.id === id)?.name ?? '';

/** Groups of one person: at most one of the teams, any of the clubs. */
const memberships = fc
  .tuple(fc.constantFrom([], [1], [2], [3]), fc.subarray([4, 5]))
  .map(([team, clubs]) => [...team, ...clubs]);
const rows = fc.array(
  fc.record({ where: fc.constantFrom(1, 2, 3, 4, 5), status: fc.constantFrom('accepted', 'deleted') }),
  { minLength: 1, maxLength: 4 },
);

it('OP-107 nothing to undo is said only where the person is in the groups of before', () => {
  fc.assert(
    fc.property(memberships, rows, memberships, fc.subarray([1, 2, 3, 4, 5]), (before, asked, now, gone) => {
      const rowsOf = asked.map(({ where, status }, at) => row(at + 2, 'p1', `C_${named(where)}`, status));
      const planned = planMembers(rowsOf, readerOf(courseOf(GROUPS, [person(1, before)]))).rows;
      const sent = planned.filter(changes).map(
        (one): SentMember => ({
          user_id: 'p1',
          group_id: one.group_id,
          fate: one.fate,
          person: 'P',
          group: one.group ?? '',
          who: 1,
          where: one.where ?? 0,
          category: GROUPS.find(({ id }) => id === one.where)?.category ?? null,
          leaves: one.leaves.map((id) => ({ id, sis_group_id: `C_${named(id)}`, name: named(id) })),
        }),
      );
      const left = GROUPS.filter(({ id }) => !gone.includes(id));
      const theirs = now.filter((id) => !gone.includes(id));
      const index = courseOf(left, [person(1, theirs)]);
      const { asked: back, kept } = turnMembers(sent, index);
      const undone = planMembers(back, readerOf(index)).rows;
      if (kept.length > 0 || undone.some((one) => changes(one) || one.fate === 'refused')) return;
      // The groups that the rows could have changed: all teams where they named one, and each club that they named.
      const touched = new Set(sent.flatMap(({ where }) => (where <= 3 ? [1, 2, 3] : [where])));
      const of = (groups: readonly number[]) => groups.filter((id) => touched.has(id));
      expect(of(theirs)).toEqual(of(before));
    }),
    { numRuns: 3_000 },
  );
});
