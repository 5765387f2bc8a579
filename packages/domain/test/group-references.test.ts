/** The people and groups in pasted rows: every reason is true, and its advice helps. */
import { describe, expect, it } from 'vitest';
import { planMembers } from '../src/group-members.ts';
import { spreadRows } from '../src/group-spread.ts';
import { CLUBS, courseOf, group, LABS, person, readerOf, row, TEAMS } from './group-fixtures.ts';

const people = [person(1, [], { name: 'Óscar Larsson' }), person(2, [1]), person(3)];
const groups = [
  group(1, 'Team 1'),
  group(2, 'Team 2'),
  group(3, 'Lab 1', { category: LABS.id }),
  group(4, 'Both'),
  group(5, 'Both', { category: LABS.id, sisId: 'C_Both2' }),
  group(6, 'Hand', { sisId: null }),
  group(7, 'Twin', { sisId: null }),
  group(8, 'Twin', { sisId: null }),
  group(9, 'Pair', { sisId: 'C_Pair1' }),
  group(10, 'pair', { sisId: 'C_Pair2' }),
  group(11, 'Odd', { sisId: 'C_Odd1' }),
  group(12, 'Odd', { sisId: null }),
  group(13, 'B  Team'),
];
const index = courseOf(groups, people);
const pasted = (who: string, where: string, category: number | null = null) =>
  planMembers([row(1, who, where)], readerOf(index, { by: { category } })).rows[0];

describe('pasted rows', () => {
  it('OP-79 a name counts only in the selected category, and other categories with a group of that name are listed', () => {
    expect(pasted('p2', 'Lab 1', LABS.id)).toMatchObject({ fate: 'add', group_id: 'C_Lab 1' });
    expect(pasted('p2', 'Team 2', LABS.id)).toMatchObject({
      fate: 'refused',
      column: 'group_id',
      why: '"Labs" has no group "Team 2", but there is one in "Teams". Choose another category, or enter the SIS ID of the group.',
      not_found: ['group'],
    });
    expect(pasted('p2', 'Team 2', TEAMS.id)).toMatchObject({ fate: 'move', from: 'Team 1' });
    expect(pasted('p2', 'Team 2')).toMatchObject({ fate: 'move' });
    // An SIS ID shows which group is meant.
    expect(pasted('p2', 'C_Team 2', LABS.id)).toMatchObject({ fate: 'move' });
  });

  it('OP-79 the reason for a person given by name does not claim that the LMS does not have them', () => {
    const why = 'LMS Admin does not look up names. Enter an email, a login or an SIS ID instead of';
    for (const name of ['Óscar Larsson', 'óscar larsson', 'Mei Iyer <mei.iyer@school.example>'])
      expect(pasted(name, 'Team 1')?.why).toBe(`${why} "${name}".`);
    expect(pasted('nina@school.example', 'Team 1')).toMatchObject({
      why: 'No one in the LMS has the email, login or SIS ID "nina@school.example".',
      not_found: ['person'],
    });
  });

  it('OP-79 for groups with the same name in one category, the reason gives their ids, or says that they can be changed only in the LMS', () => {
    for (const category of [null, TEAMS.id])
      expect(pasted('p1', 'Twin', category)?.why).toBe(
        'Several groups are called "Twin", in "Teams". None has an SIS ID, so an import cannot change them. Change their members in the LMS.',
      );
    expect(pasted('p1', 'PAIR', TEAMS.id)?.why).toBe(
      'Several groups are called "PAIR", in "Teams". Enter the SIS ID of the group, "C_Pair1" or "C_Pair2".',
    );
    expect(pasted('p1', 'Odd', TEAMS.id)?.why).toMatch(
      /Enter the SIS ID of the group, "C_Odd1"\. Those without an SIS ID can be changed only in the LMS\.$/,
    );
    expect(pasted('p1', 'Both')?.why).toMatch(
      /in "Teams" and "Labs"\. Choose the category, or enter the SIS ID/,
    );
  });

  it('GRP-27 only a search without a result counts as not found', () => {
    expect(pasted('p1', 'Hand')).toMatchObject({ group: 'Hand', not_found: [] });
    expect(pasted('p1', 'Twin')).toMatchObject({ group: 'Twin', not_found: [] });
    expect(pasted('p1', '')).toMatchObject({ group: null, not_found: [] });
    expect(pasted('p1', 'Nowhere')).toMatchObject({ group: null, not_found: ['group'] });
    const wrong = { ...row(1, 'p1', 'Nowhere', 'delete'), wrong: { column: 'status', message: 'No.' } };
    expect(planMembers([wrong], readerOf(index)).rows[0]).toMatchObject({ not_found: [] });
  });

  it('GRP-27 the distribution names a student without an SIS ID', () => {
    const course = courseOf([group(1, 'G01')], [person(1), person(2, [], { name: 'Jo Papas', sisId: null })]);
    const rows = spreadRows(course, TEAMS, { by: 'evenly', onlyUnassigned: true });
    if ('problem' in rows) throw new Error(rows.problem);
    const refused = planMembers(rows, readerOf(course)).rows.find(({ fate }) => fate === 'refused');
    expect(refused).toMatchObject({ person: 'Jo Papas', user_id: '', not_found: [] });
  });

  it('OP-79 a text that is one group’s SIS ID and another’s name means neither, unless the category decides', () => {
    const blue = group(1, 'Blue', { category: LABS.id, sisId: 'Red1' });
    const red = group(2, 'Red1');
    const plan = (category: number | null, groups = [blue, red], text = 'Red1') =>
      planMembers(
        [row(1, 'p1', text)],
        readerOf(courseOf(groups, [person(1)]), {
          by: { category },
        }),
      ).rows[0];
    expect(plan(TEAMS.id)).toMatchObject({ fate: 'add', group: 'Red1', group_id: 'C_Red1' });
    expect(plan(TEAMS.id, undefined, 'red1')).toMatchObject({ fate: 'add', group: 'Red1' });
    expect(plan(LABS.id)).toMatchObject({ fate: 'add', group: 'Blue', group_id: 'Red1' });
    const both = '"Red1" is the SIS ID of the group "Blue" in "Labs", and the name of a group in';
    for (const [category, groups, why] of [
      [null, [blue, red], `${both} "Teams". Choose the category of the right one.`],
      [CLUBS.id, [blue, red], `${both} "Teams". Choose the category of the right one.`],
      [
        LABS.id,
        [blue, group(2, 'Red1', { category: LABS.id })],
        `${both} "Labs". Enter the name "Blue" or the SIS ID "C_Red1" instead.`,
      ],
      [
        null,
        [blue, group(2, 'RED1', { category: LABS.id, sisId: null })],
        `${both} "Labs". Enter the name "Blue" instead. A group without an SIS ID can be changed only in the LMS.`,
      ],
    ] as const)
      expect(plan(category, [...groups])).toMatchObject({
        fate: 'refused',
        column: 'group_id',
        not_found: [],
        why,
      });
    // The text means the group without an SIS ID in the selected category, although rows cannot name it.
    expect(plan(TEAMS.id, [blue, group(2, 'Red1', { sisId: null })])?.why).toMatch(/has no SIS ID/);
    // The name and the SIS ID of this group are the same.
    expect(plan(null, [group(1, 'Red1', { sisId: 'Red1' })])?.fate).toBe('add');
    // In a file only the SIS ID counts.
    const file = readerOf(courseOf([blue, red], [person(1)]));
    expect(planMembers([row(1, 'p1', 'Red1')], file).rows[0]?.group).toBe('Blue');
  });

  it('OP-79 spaces that a page does not show do not prevent a group from being found', () => {
    expect(pasted('p1', 'B Team')).toMatchObject({ fate: 'add', group: 'B  Team' });
    expect(pasted('p1', 'Team  1')).toMatchObject({ fate: 'add', group: 'Team 1' });
  });
});
