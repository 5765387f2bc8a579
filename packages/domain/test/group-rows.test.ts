import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMembers } from '../src/group-members.ts';
import { memberRowReader, pastedMembers } from '../src/group-rows.ts';
import { courseOf, group, LABS, person, readerOf, TEAMS } from './group-fixtures.ts';

const index = courseOf(
  [
    group(1, 'Team 1'),
    group(2, 'Team 2'),
    group(3, 'Lab, one', { category: LABS.id }),
    group(4, 'Team 1', { category: LABS.id, sisId: 'L-T1' }),
  ],
  [person(1), person(2), person(3)],
);

const ODD = ['\t', '"', ',', ';', '\n', '\r', ' ', '@', '-', '\u0000', '\ud800', '\uFEFF'];
const PIECES = fc.constantFrom(...ODD, 'p1', 'Team 1', 'x');

function pasted(text: string, category: number | null = TEAMS.id) {
  const read = pastedMembers(text, index, 100);
  if ('problem' in read) throw new Error(read.problem);
  return planMembers(read.rows, readerOf(index, { by: { category } })).rows;
}
const briefly = (text: string, category?: number | null) =>
  pasted(text, category).map(({ row, who, where, fate }) => [row, who, where, fate]);

describe('the documented file', () => {
  it('OP-79 is read with its columns in any order and others between them', () => {
    const read = memberRowReader(['status', 'Group_ID', 'note', 'user_id']);
    if ('problem' in read) throw new Error(read.problem);
    expect(read({ row: 2, cells: ['accepted', 'g', 'x', 'u'] })).toEqual({
      row: 2,
      person: 'u',
      group: 'g',
      status: 'accepted',
    });
    expect(read({ row: 3, cells: ['accepted', 'g', 'x', 'u', 'more'] }).wrong?.message).toMatch(/5 cells/);
    expect(read({ row: 4, cells: ['accepted', 'g'] })).toMatchObject({ person: '', status: 'accepted' });
  });

  it('OP-79 a header without status, or from another file, is rejected with advice', () => {
    for (const header of [
      ['group_id', 'user_id'],
      ['course_id', 'user_id', 'role_id', 'status'],
      ['group_id', 'user_id', 'user_id', 'status'],
    ]) {
      expect(memberRowReader(header)).toMatchObject({
        next: expect.stringContaining('group_id,user_id,status'),
      });
    }
  });
});

describe('text pasted from a spreadsheet', () => {
  it('GRP-27 people are named by SIS ID, login or email, and groups by name or id, in either order, with or without a header', () => {
    const wanted = [
      [1, 1, 1, 'add'],
      [2, 2, 2, 'add'],
    ];
    expect(briefly('p1\tTeam 1\np2@school.example\tC_Team 2')).toEqual(wanted);
    expect(briefly('Team 1;p1\nteam 2;P2@school.example')).toEqual(wanted);
    expect(briefly('p1,Team 1\r\np2,Team 2\r\n')).toEqual(wanted);
    const later = wanted.map(([row, ...rest]) => [Number(row) + 1, ...rest]);
    expect(
      briefly('Group name\tStudent\tE-mail\nTeam 1\tSomebody\tp1@school.example\nTeam 2\tX\tp2'),
    ).toEqual(later);
    expect(briefly('No\tName\tUser\tTeam\n1\tAnn\tp1\tTeam 1\n2\tBo\tp2\tTeam 2')).toEqual(later);
  });

  it('GRP-27 a first line whose person and group are both unknown is a row, although a login may look like a column name', () => {
    expect(pasted('sissoko.m\tTeam 9\np1\tTeam 1').map(({ row, fate }) => [row, fate])).toEqual([
      [1, 'refused'],
      [2, 'add'],
    ]);
  });

  it('GRP-27 a status column is read; empty lines count, and cells can contain separators', () => {
    expect(briefly('p1\tTeam 1\taccepted\n\np2\tTeam 2\tdeleted')).toEqual([
      [1, 1, 1, 'add'],
      [3, 2, 2, 'not-member'],
    ]);
    expect(briefly('p1\tLab, one', null)).toEqual([[1, 1, 3, 'add']]);
    expect(briefly('"p1","Lab, one"', null)).toEqual([[1, 1, 3, 'add']]);
  });

  it('GRP-27 a column with any status word is the status: other words in it are rejected, never read as additions', () => {
    const text = 'Team 1\tp1\tdeleted\nTeam 1\tp2\tDeleted\nTeam 1\tp3\tdelete';
    const rows = pasted(text);
    expect(rows.map(({ fate, column }) => [fate, column])).toEqual([
      ['not-member', null],
      ['not-member', null],
      ['refused', 'status'],
    ]);
    expect(rows[2]?.why).toContain('"delete"');
    for (const [head, cell, fate] of [
      ['Status of member', 'deleted', 'not-member'],
      ['Action', 'remove', 'refused'],
      ['Status', 'gone', 'refused'],
      ['What', 'removed', 'refused'],
    ] as const) {
      expect(pasted(`Team\tUser\t${head}\nTeam 1\tp1\t${cell}`).map((one) => one.fate)).toEqual([fate]);
    }
    expect(pasted('Team 1\tp1\tremove').map(({ fate, column }) => [fate, column])).toEqual([
      ['refused', 'status'],
    ]);
  });

  it('GRP-27 a second person, group or status in a row is rejected; other columns are named', () => {
    const of = (text: string) => pasted(text, null).map(({ fate, why }) => [fate, why ?? '']);
    for (const [text, why] of [
      ['Team 2\tp1@school.example\tp2@school.example', 'Column 3 contains "p2@school.example"'],
      ['Team 2\tp1\tp2', 'a different person'],
      ['Team 2\tp1\tx@school.example', 'may be another person'],
      ['p1\tTeam 2\tLab, one', 'another group'],
      ['p1\tTeam 2\tdeleted\taccepted', 'the status'],
      ['Group\tStudent 1\tStudent 2\nTeam 2\tp1\tp2', 'a different person'],
    ]) {
      expect(of(text ?? '')).toEqual([['refused', expect.stringContaining(why ?? '')]]);
    }
    const read = (text: string) => pastedMembers(text, index, 9);
    expect(of('Team 2\tp1\tp1@school.example\tC_Team 2')).toEqual([['add', '']]);
    expect(read('Name\tE-mail\tSIS id\tGroup\tNote\nAnn\tp1@school.example\tp1\tTeam 2\t')).toMatchObject({
      unsent: ['Name', 'E-mail'],
    });
    expect(read('Team 2\tp1\tgone')).toMatchObject({ unsent: ['column 3 ("gone")'] });
    expect(read('Team 2\tp1\tdeleted')).toMatchObject({ unsent: [] });
  });

  it('OP-79 a name in two categories means the one in the selected category; if none is selected, it is rejected and both are named', () => {
    expect(briefly('p1\tTeam 1', LABS.id)).toEqual([[1, 1, 4, 'add']]);
    const [row] = pasted('p1\tTeam 1', null);
    expect(row).toMatchObject({
      fate: 'refused',
      column: 'group_id',
      why: expect.stringMatching(/"Teams" and "Labs"/),
    });
  });

  it('OP-79 for a person whose login is another’s SIS ID, no guess is made', () => {
    const two = courseOf([group(1, 'Team 1')], [person(1), person(2, [], { logins: ['p1'] })]);
    const rows = pastedMembers('p1\tTeam 1', two, 9);
    if ('problem' in rows) throw new Error(rows.problem);
    const [row] = planMembers(rows.rows, readerOf(two, { by: { category: null } })).rows;
    expect(row?.why).toMatch(/matches Person 1 and Person 2/);
  });

  it('GRP-27 an unreadable text gives advice on what to paste; one line more than the maximum is reported', () => {
    for (const text of ['\n \n', 'p1\np2', 'User\tTeam']) {
      expect(pastedMembers(text, index, 9)).toMatchObject({
        problem: expect.any(String),
        next: expect.any(String),
      });
    }
    expect(pastedMembers('p1\tTeam 1\n'.repeat(50), index, 9)).toMatchObject({
      rows: { length: 10 },
    });
  });

  it('GRP-27 values that a spreadsheet has converted match no one', () => {
    const people = [person(1), person(2, [], { sisId: '-' }), person(3, [], { logins: ['#N/A', '1.2E+05'] })];
    const odd = courseOf([group(1, 'Team 1')], people);
    for (const value of ['-', '#N/A', '1.2E+05', '=B2', '#####']) {
      const rows = pastedMembers(`p1\tTeam 1\n${value}\tTeam 1`, odd, 9);
      if ('problem' in rows) throw new Error(rows.problem);
      expect(planMembers(rows.rows, readerOf(odd, { by: { category: null } })).rows[1]?.fate).toBe('refused');
    }
  });

  it('GRP-27 a group in the course is found by its name, even if it looks like a converted value', () => {
    const named = ['Jan-01', 'TRUE', '=A1', '#N/A'];
    const odd = courseOf(
      named.map((name, at) => group(at + 1, name, { sisId: `C_${at + 1}` })),
      named.map((_, at) => person(at + 1)),
    );
    const rows = pastedMembers(named.map((name, at) => `p${at + 1}\t${name}`).join('\n'), odd, 9);
    if ('problem' in rows) throw new Error(rows.problem);
    const planned = planMembers(rows.rows, readerOf(odd, { by: { category: null } })).rows;
    expect(planned.map(({ fate, where }) => [fate, where])).toEqual(named.map((_, at) => ['add', at + 1]));
  });

  it('GRP-27 a line with more columns than a file can have is reported by number, however many there are', () => {
    const many = pastedMembers(`p1\tTeam 1\n${'p1\t'.repeat(1_000_000)}`, index, 100);
    expect(many).toMatchObject({ problem: 'Line 2 has more than 100 columns.' });
  });

  it('GRP-27 any text is read, or reported as empty', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: PIECES, maxLength: 60 }),
        fc.constantFrom('\t', ';', ','),
        (text, parted) => {
          const rows = pastedMembers(`${text}${parted}${text}\np1${parted}Team 1`, index, 9);
          if (!('problem' in rows)) planMembers(rows.rows, readerOf(index, { by: { category: null } }));
        },
      ),
    );
  });
});

it('OP-79 OP-81 downloaded rows keep their ids when uploaded again', () => {
  const read = memberRowReader(['group_id', 'user_id', 'status']);
  if ('problem' in read) throw new Error(read.problem);
  const cells = ["'-MBA26-C_M", "'=1+1", 'accepted'];
  expect(read({ row: 2, cells })).toMatchObject({ group: '-MBA26-C_M', person: '=1+1' });
  expect(read({ row: 3, cells: ["'q1", '5002121', 'accepted'] })).toMatchObject({ group: "'q1" });
});
