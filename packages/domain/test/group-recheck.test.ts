/**
 * What happens to reviewed rows of group members after changes by others: every planned change with every
 * current state.
 */
import { describe, expect, it } from 'vitest';
import { planMembers } from '../src/group-members.ts';
import { changedSince, type ReviewedMember, recheckOf, type UnchangedMember } from '../src/group-recheck.ts';
import { CLUBS, courseOf, group, LABS, person, readerOf, row, TEAMS } from './group-fixtures.ts';

const groups = [
  group(1, 'One'),
  group(2, 'Two'),
  group(3, 'Three'),
  group(4, 'Chess', { category: CLUBS.id }),
  group(5, 'Go', { category: CLUBS.id }),
];
const reader = (theirs: readonly number[]) => readerOf(courseOf(groups, [person(1, theirs)]));

/**
 * Returns the result of each change while the person is in the groups `now`, reviewed while they were in
 * `before`. It is null if the change is sent.
 */
function said(before: readonly number[], rows: ReturnType<typeof row>[], now: readonly number[]) {
  const { index } = reader(before);
  const reviewed = planMembers(rows, reader(before)).rows.flatMap((one): ReviewedMember[] => {
    const { row: at, user_id, group_id, fate, who, where } = one;
    if (who === null || where === null || !['add', 'move', 'remove'].includes(fate)) return [];
    const leaves = one.leaves.map((id) => ({ id, sis_group_id: null, name: index.group(id)?.name ?? '' }));
    const called = { person: 'P', group: one.group ?? '' };
    return [{ row: at, user_id, group_id, fate, who, where, ...called, leaves, stays: one.stays }];
  });
  const later = reader(now);
  const whyNot = recheckOf(reviewed, later.index);
  const found = planMembers(rows, later).rows;
  return reviewed.map((one) => {
    const skipped = whyNot(
      one,
      found.find((each) => each.row === one.row),
    );
    return skipped && (skipped.isDone ? { done: skipped.why } : skipped.why);
  });
}

const ONE =
  'P was in the group One at the time of the review, but has since left it. Another import or someone in the LMS changed this.';
const THERE = { done: 'P has already been added to the group since the review.' };
const NOT_THERE = { done: 'P is no longer in the group.' };
const moved = (name: string) =>
  `P is no longer in the group and is now in the group ${name}. Another import or someone in the LMS changed this.`;
const by = (name: string) => `P has since joined the group ${name}. This row would remove them from it.`;
const intoTwo = row(2, 'p1', 'C_Two');
const outOfOne = row(3, 'p1', 'C_One', 'deleted');

describe('GRP-27, OP-107 each planned change with each current state', () => {
  const add = [intoTwo];
  const remove = [outOfOne];
  const both = [outOfOne, intoTwo];
  it.each([
    { planned: 'add', before: [], rows: add, now: [], expected: [null] },
    { planned: 'add', before: [], rows: add, now: [1], expected: [by('One')] },
    { planned: 'add', before: [], rows: add, now: [2], expected: [THERE] },
    { planned: 'add', before: [], rows: add, now: [3], expected: [by('Three')] },
    { planned: 'move', before: [1], rows: add, now: [], expected: [ONE] },
    { planned: 'move', before: [1], rows: add, now: [1], expected: [null] },
    { planned: 'move', before: [1], rows: add, now: [2], expected: [THERE] },
    { planned: 'move', before: [1], rows: add, now: [3], expected: [by('Three')] },
    { planned: 'remove', before: [1], rows: remove, now: [], expected: [NOT_THERE] },
    { planned: 'remove', before: [1], rows: remove, now: [1], expected: [null] },
    { planned: 'remove', before: [1], rows: remove, now: [2], expected: [moved('Two')] },
    // From one group to another in two rows: still a move.
    { planned: 'remove and add', before: [1], rows: both, now: [], expected: [NOT_THERE, ONE] },
    { planned: 'remove and add', before: [1], rows: both, now: [1], expected: [null, null] },
    { planned: 'remove and add', before: [1], rows: both, now: [2], expected: [NOT_THERE, THERE] },
    { planned: 'remove and add', before: [1], rows: both, now: [3], expected: [moved('Three'), by('Three')] },
  ])('$planned while in $before, now in $now', ({ before, rows, now, expected }) => {
    expect(said(before, rows, now)).toEqual(expected);
  });

  it('if people can be in several groups of a category, each group is treated on its own', () => {
    const rows = [row(2, 'p1', 'C_Chess', 'deleted'), row(3, 'p1', 'C_Go')];
    expect(said([4], rows, [])).toEqual([NOT_THERE, null]);
    expect(said([4], [row(2, 'p1', 'C_Chess', 'deleted')], [5])).toEqual([NOT_THERE]);
    expect(said([4], rows, [4, 5])).toEqual([null, THERE]);
  });

  it('a group in which the person stays is not reported', () => {
    expect(said([1, 2], [outOfOne], [2])).toEqual([NOT_THERE]);
    expect(said([1, 2], [outOfOne], [2, 3])).toEqual([moved('Three')]);
  });

  it('a person in the new group and still in the previous one does not match the result of the row', () => {
    expect(said([1], [intoTwo], [1, 2])).toEqual([THERE.done]);
  });

  it('if a group has been moved to another category, the person would stay in the previous one', () => {
    const before = reader([1]);
    const reviewed = { row: 2, user_id: 'p1', group_id: 'C_Two', fate: 'move', who: 1, where: 2 } as const;
    const leaves = [{ id: 1, sis_group_id: 'C_One', name: 'One' }];
    const planned = { ...reviewed, category: TEAMS.id, person: 'P', group: 'Two', leaves };
    for (const gone of [1, 2]) {
      const moved = groups.map((one) => (one.id === gone ? { ...one, category: LABS.id } : one));
      const later = readerOf(courseOf(moved, [person(1, [1])]));
      const [now] = planMembers([intoTwo], later).rows;
      expect(now?.fate).toBe('add');
      expect(recheckOf([planned], later.index)(planned, now)?.why).toBe(
        'The groups Two and One are no longer in the same category, so P would stay in One. Another import or someone in the LMS changed this.',
      );
    }
    expect(recheckOf([planned], before.index)(planned, planMembers([intoTwo], before).rows[0])).toBeNull();
  });

  it('a person who has left the course, and ids that now belong to others, are reported', () => {
    const before = reader([1]);
    const [now] = planMembers([intoTwo], before).rows;
    const planned = {
      ...({ row: 2, user_id: 'p1', group_id: 'C_Two', fate: 'move', person: 'P', group: 'Two' } as const),
      leaves: [],
    };
    const whyNot = recheckOf([], before.index);
    const nobody = planMembers([intoTwo], readerOf(courseOf(groups, []))).rows[0];
    expect(whyNot({ ...planned, who: 1, where: 2 }, nobody)?.why).toMatch(/^No person in the LMS/);
    expect(whyNot({ ...planned, who: 9, where: 2 }, now)?.why).toMatch(/"p1" now belongs to Person 1/);
    expect(whyNot({ ...planned, who: 1, where: 9 }, now)?.why).toMatch(
      /"C_Two" now belongs to the group Two/,
    );
    expect(whyNot({ ...planned, who: 1, where: 2 }, undefined)?.why).toBe(
      'This change is no longer possible.',
    );
  });
});

describe('GRP-27, OP-107 rows without a change', () => {
  const one: UnchangedMember = { row: 4, fate: 'already', who: 1, where: 1, person: 'P', group: 'One' };
  const text = (fate: UnchangedMember['fate'], now: readonly number[]) =>
    changedSince([{ ...one, fate }], reader(now).index).map((said) => said.text);
  const left = (is: string) => [
    `Row 4: P was in the group One at the time of the review, but ${is}. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`,
  ];

  it.each([
    { fate: 'already', now: [1], expected: [] },
    { fate: 'already', now: [2], expected: left('is now in the group Two') },
    { fate: 'already', now: [], expected: left('is no longer in the group') },
    // Groups in another category do not matter.
    { fate: 'already', now: [4], expected: left('is no longer in the group') },
    { fate: 'not-member', now: [], expected: [] },
    { fate: 'not-member', now: [2], expected: [] },
    {
      fate: 'not-member',
      now: [1],
      expected: [
        'Row 4: P was not in the group One at the time of the review, but is now in the group. Another import or someone in the LMS changed this. LMS Admin left it unchanged.',
      ],
    },
  ] as const)('$fate, now in $now', ({ fate, now, expected }) => {
    expect(text(fate, now)).toEqual(expected);
  });

  it('a person who has left the course, and a deleted group, are reported', () => {
    expect(changedSince([one], courseOf(groups, []))[0]?.text).toContain('but is no longer in the course');
    expect(changedSince([one], courseOf([], [person(1)]))[0]?.text).toContain(
      'Row 4: P was in the group One at the time of the review, but the group no longer exists. Another import or someone in the LMS changed this. LMS Admin left it unchanged.',
    );
    expect(changedSince([{ ...one, fate: 'not-member' }], courseOf(groups, []))).toEqual([]);
  });
});
