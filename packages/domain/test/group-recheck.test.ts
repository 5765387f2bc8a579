/** What becomes of reviewed rows of group members, whatever others have done since: every planned change against every state of now. */
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

/** Reviewed while the person was in the groups `before`; what is said of each change while they are in `now`, null where it is sent. */
function said(before: readonly number[], rows: ReturnType<typeof row>[], now: readonly number[]) {
  const { index } = reader(before);
  const reviewed = planMembers(rows, reader(before)).rows.flatMap((one): ReviewedMember[] => {
    const { row: at, user_id, group_id, fate, who, where } = one;
    if (who === null || where === null || !['add', 'move', 'remove'].includes(fate)) return [];
    const leaves = one.leaves.map((id) => ({ id, sis_group_id: null, name: index.group(id)?.name ?? '' }));
    return [{ row: at, user_id, group_id, fate, who, where, person: 'P', group: one.group ?? '', leaves }];
  });
  const later = reader(now);
  const whyNot = recheckOf(reviewed, later.index);
  const found = planMembers(rows, later).rows;
  return reviewed.map((one) =>
    whyNot(
      one,
      found.find((each) => each.row === one.row),
    ),
  );
}

const ONE =
  'P was in the group One at the review and is no longer in it: another import, or a person in the LMS, has changed it.';
const THERE = 'P has already been added to the group since the review.';
const NOT_THERE = 'P is no longer in the group.';
const by = (name: string) => `P has since joined the group ${name}. This row would remove them from it.`;
const intoTwo = row(2, 'p1', 'C_Two');
const outOfOne = row(3, 'p1', 'C_One', 'deleted');

describe('GRP-27, OP-107 each planned change against each state of now', () => {
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
    { planned: 'remove', before: [1], rows: remove, now: [2], expected: [NOT_THERE] },
    // Out of one group and into another, by two rows: a move anyway.
    { planned: 'remove and add', before: [1], rows: both, now: [], expected: [NOT_THERE, ONE] },
    { planned: 'remove and add', before: [1], rows: both, now: [1], expected: [null, null] },
    { planned: 'remove and add', before: [1], rows: both, now: [2], expected: [NOT_THERE, THERE] },
    { planned: 'remove and add', before: [1], rows: both, now: [3], expected: [NOT_THERE, by('Three')] },
  ])('$planned while in $before, now in $now', ({ before, rows, now, expected }) => {
    expect(said(before, rows, now)).toEqual(expected);
  });

  it('where people may be in several groups of a category, one group says nothing of another', () => {
    const rows = [row(2, 'p1', 'C_Chess', 'deleted'), row(3, 'p1', 'C_Go')];
    expect(said([4], rows, [])).toEqual([NOT_THERE, null]);
    expect(said([4], rows, [4, 5])).toEqual([null, THERE]);
  });

  it('a group that was put into another category since: the person would stay in the former one', () => {
    const before = reader([1]);
    const reviewed = { row: 2, user_id: 'p1', group_id: 'C_Two', fate: 'move', who: 1, where: 2 } as const;
    const leaves = [{ id: 1, sis_group_id: 'C_One', name: 'One' }];
    const planned = { ...reviewed, category: TEAMS.id, person: 'P', group: 'Two', leaves };
    for (const gone of [1, 2]) {
      const moved = groups.map((one) => (one.id === gone ? { ...one, category: LABS.id } : one));
      const later = readerOf(courseOf(moved, [person(1, [1])]));
      const [now] = planMembers([intoTwo], later).rows;
      expect(now?.fate).toBe('add');
      expect(recheckOf([planned], later.index)(planned, now)).toBe(
        'The groups Two and One are no longer in the same category, so P would stay in One: another import, or a person in the LMS, has changed it.',
      );
    }
    expect(recheckOf([planned], before.index)(planned, planMembers([intoTwo], before).rows[0])).toBeNull();
  });

  it('somebody who has left the course, and ids that are those of others by now', () => {
    const before = reader([1]);
    const [now] = planMembers([intoTwo], before).rows;
    const planned = {
      ...({ row: 2, user_id: 'p1', group_id: 'C_Two', fate: 'move', person: 'P', group: 'Two' } as const),
      leaves: [],
    };
    const whyNot = recheckOf([], before.index);
    const nobody = planMembers([intoTwo], readerOf(courseOf(groups, []))).rows[0];
    expect(whyNot({ ...planned, who: 1, where: 2 }, nobody)).toMatch(/^No person in the LMS/);
    expect(whyNot({ ...planned, who: 9, where: 2 }, now)).toMatch(/"p1" now belongs to Person 1/);
    expect(whyNot({ ...planned, who: 1, where: 9 }, now)).toMatch(/"C_Two" now belongs to the group Two/);
    expect(whyNot({ ...planned, who: 1, where: 2 }, undefined)).toBe('This is no longer true.');
  });
});

describe('GRP-27, OP-107 rows that were to change nothing', () => {
  const one: UnchangedMember = { row: 4, fate: 'already', who: 1, where: 1, person: 'P', group: 'One' };
  const text = (fate: UnchangedMember['fate'], now: readonly number[]) =>
    changedSince([{ ...one, fate }], reader(now).index).map((said) => said.text);
  const left = (is: string) => [
    `Row 4: P was in the group One at the review and ${is} now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.`,
  ];

  it.each([
    { fate: 'already', now: [1], expected: [] },
    { fate: 'already', now: [2], expected: left('is in the group Two') },
    { fate: 'already', now: [], expected: left('is not in it') },
    // Groups of another category say nothing.
    { fate: 'already', now: [4], expected: left('is not in it') },
    { fate: 'not-member', now: [], expected: [] },
    { fate: 'not-member', now: [2], expected: [] },
    {
      fate: 'not-member',
      now: [1],
      expected: [
        'Row 4: P was not in the group One at the review and is in it now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.',
      ],
    },
  ] as const)('$fate, now in $now', ({ fate, now, expected }) => {
    expect(text(fate, now)).toEqual(expected);
  });

  it('a person who has left the course, and a group that is gone', () => {
    expect(changedSince([one], courseOf(groups, []))[0]?.text).toContain('and is not in the course now');
    expect(changedSince([one], courseOf([], [person(1)]))[0]?.text).toContain(
      'P was in the group One at the review and that group does not exist now',
    );
    expect(changedSince([{ ...one, fate: 'not-member' }], courseOf(groups, []))).toEqual([]);
  });
});
