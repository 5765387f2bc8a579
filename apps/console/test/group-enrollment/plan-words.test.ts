import type { MemberFate, PlannedMember } from '@lms-admin/contract/groups';
import { expect, test } from 'vitest';
import type { NoPlan } from '../../src/components/Planning/texts.ts';
import { firstLook, ignoredColumns, nameOrSizeProblem } from '../../src/tools/group-enrollment/first-look.ts';
import {
  confirmSentences,
  groupSentences,
  groupsBlocked,
  memberSentences,
  membersBlocked,
  mostSevereFirst,
} from '../../src/tools/group-enrollment/plan-words.ts';
import { texts } from '../../src/tools/group-enrollment/texts.ts';

const MAKING: NoPlan = { error: null, cancelled: false };
const category = { id: 4, name: 'Teams', sis_group_category_id: 'C_Teams' };
const groupTotals = { new: 0, there: 0, renamed: 0, refused: 0, rows: 0 };
const memberTotals = {
  add: 0,
  move: 0,
  already: 0,
  remove: 0,
  not_member: 0,
  refused: 0,
  rows: 0,
  people: 0,
};

test('GRP-17 what creating groups will do, and the rows left unchanged', () => {
  expect(
    groupSentences({
      category,
      totals: { ...groupTotals, new: 3, renamed: 1, there: 1, refused: 2, rows: 4 },
    }),
  ).toEqual([
    'This creates 3 groups and renames 1 group in Teams.',
    'The LMS does not show deleted groups. If one of these groups was deleted before, it is restored with its former members. The result will show whether this happened.',
    '1 group already exists. Nothing is sent for it.',
    '2 groups cannot be created or renamed and will be skipped. The table gives the reasons.',
  ]);
});

test('GRP-30 OP-107 what enrolling people will do, with moves shown as moves', () => {
  const row = (fate: MemberFate, user_id: string) => ({ fate, user_id }) as PlannedMember;
  const one = (fate: MemberFate, count: number) =>
    Array.from({ length: count }, (_, at) => row(fate, `${fate} ${at}`));
  expect(
    memberSentences({
      members: [
        ...one('move', 1),
        // Moves the same person in another category.
        row('move', 'move 0'),
        ...one('already', 5),
        ...one('not-member', 1),
      ],
      totals: {
        ...memberTotals,
        add: 12,
        move: 2,
        remove: 2,
        already: 5,
        not_member: 1,
        refused: 1,
        rows: 16,
      },
    }),
  ).toEqual([
    'This adds 12 memberships, moves 1 person to another group and removes 2 memberships.',
    '5 people are already in the group. Nothing is sent for them.',
    '1 person to remove is not in the group. Nothing is sent for them.',
    '1 row cannot be applied and will be skipped. The table gives the reasons.',
  ]);
});

test('GRP-27 people whose enrolment has ended are counted once before they are added, and their rows come first', () => {
  const row = (at: number, user_id: string, ended: PlannedMember['ended']) =>
    ({ row: at, fate: 'add', user_id, ended }) as PlannedMember;
  const members = [
    row(1, 'a', null),
    row(2, 'b', 'concluded'),
    row(3, 'b', 'concluded'),
    row(4, 'c', 'inactive'),
  ];
  const said = (those: PlannedMember[]) =>
    confirmSentences({ totals: { ...memberTotals, add: those.length }, members: those });
  expect(said(members)).toEqual([
    'This adds 4 memberships.',
    'The enrolments of 2 people in the course are concluded or inactive.',
  ]);
  expect(said(members.slice(0, 2))[1]).toBe(
    'The enrolment of 1 person in the course is concluded or inactive.',
  );
  expect(said(members.slice(0, 1))).toHaveLength(1);
  expect(mostSevereFirst(members).map((one) => one.row)).toEqual([2, 3, 4, 1]);
});

test('GRP-27 pasted columns that will not be sent are named', () => {
  expect(memberSentences({ totals: memberTotals, members: [], unsent: ['Name', 'column 4 ("x")'] })).toEqual([
    'These columns are not sent: Name, column 4 ("x").',
  ]);
});

test('GRP-25 groups that a distribution cannot fill are named, and the option counts the rest', () => {
  const said = (unfilled: string[]) =>
    memberSentences({ totals: { ...memberTotals, add: 27, rows: 27 }, members: [], unfilled });
  expect(said(['H3 by hand'])).toEqual([
    'This adds 27 memberships.',
    'The group H3 by hand gets no students, because it has no SIS ID.',
  ]);
  expect(said(['A', 'B', 'C'])[1]).toBe(
    'The groups A, B and C get no students, because they have no SIS ID.',
  );
  const { option, unfilledTitle, unfilledText } = texts.spread;
  expect([option('Half', 3, 3), option('Half', 2, 3), option('Half', 0, 1), option('Half', 0, 0)]).toEqual([
    'Half (3 groups)',
    'Half (2 of 3 groups)',
    'Half (0 of 1 group)',
    'Half (no groups)',
  ]);
  expect(unfilledTitle(1)).toBe('1 group of this category cannot be filled');
  expect(unfilledText(1, true)).toBe(
    'It has no SIS ID, so an import cannot change it. Students in it count as having a group and stay there.',
  );
  expect(unfilledText(2, false)).toBe(
    'They have no SIS ID, so an import cannot change them. Students in them move to the other groups, and undo cannot move them back.',
  );
});

const ranges = [{ id: 1, prefix: 'Team', start: 1, end: 3 }];
test.each([
  [{ category: null, ranges, simulate: true }, null, /Choose a group category/],
  [
    { category: 4, ranges: [{ id: 1, prefix: ' ', start: 1, end: 3 }], simulate: true },
    null,
    /Enter a prefix/,
  ],
  [{ category: 4, ranges, simulate: false }, null, /Select “Simulate Groups”/],
  [{ category: 4, ranges, simulate: true }, null, /not ready/],
  [
    { category: 4, ranges, simulate: true },
    { totals: { ...groupTotals, there: 3 } },
    /None of these groups is new/,
  ],
  [
    { category: 4, ranges, simulate: true },
    { totals: { ...groupTotals, refused: 3 } },
    /The table gives the reasons/,
  ],
] as const)('GRP-18 OP-78 if groups cannot be created, the reason is given: %j %j', (part, plan, why) => {
  expect(groupsBlocked({ ...part, ranges: [...part.ranges] }, plan, MAKING)).toMatch(why);
});

test('GRP-18 with a category, a row and a simulation with changes, groups can be created', () => {
  const plan = { totals: { ...groupTotals, new: 1, refused: 2, rows: 1 } };
  expect(groupsBlocked({ category: 4, ranges: [...ranges], simulate: true }, plan, MAKING)).toBeNull();
});

test('GRP-29 if users cannot be enrolled, the reason is given, with the documented texts first', () => {
  const csv = { way: 'csv', simulate: true } as const;
  expect(membersBlocked(csv, false, null, MAKING)).toBe('Please select a file to enable enroll button');
  expect(membersBlocked({ ...csv, simulate: false }, true, null, MAKING)).toContain('Simulate Selected Csv');
  expect(membersBlocked(csv, true, { totals: memberTotals }, MAKING)).toMatch(/nothing to send/);
  expect(membersBlocked(csv, true, { totals: { ...memberTotals, add: 1, rows: 1 } }, MAKING)).toBeNull();
});

test('OP-107 rows that need attention come first, and rows of one kind keep their original order', () => {
  const fates = ['already', 'add', 'refused', 'move', 'add', 'remove', 'not-member'] as const;
  const rows = fates.map((fate, row) => ({ fate, row }) as unknown as PlannedMember);
  expect(mostSevereFirst(rows).map(({ fate, row }) => `${fate} ${row}`)).toEqual([
    'refused 2',
    'remove 5',
    'move 3',
    'add 1',
    'add 4',
    'not-member 6',
    'already 0',
  ]);
});

const bytes = (text: string) => new TextEncoder().encode(text);
test.each([
  [{ name: 'a.txt', size: 10 }, /Only .csv files/],
  [{ name: 'a.xlsx', size: 10 }, /spreadsheet, not a CSV/],
  [{ name: 'a.csv', size: 0 }, /empty/],
  [{ name: 'a.csv', size: 9_000_000 }, /too large/],
])('GRP-28 a file is rejected because of its name or size: %j', (file, why) => {
  expect(nameOrSizeProblem(file)).toMatch(why);
});

test('GRP-28 OP-79 a file is rejected because of its contents: header, encoding, not text', () => {
  expect(nameOrSizeProblem({ name: 'A.CSV', size: 10 })).toBeNull();
  const text = 'group_id;user_id;status\nG;1;accepted\n';
  expect(firstLook('a.csv', bytes(text))).toEqual({ text });
  // Excel writes UTF-16 with a byte order mark, or the Windows code page.
  const wide = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
  expect(firstLook('a.csv', wide)).toEqual({ text });
  const windows = new Uint8Array(Buffer.from(`${text}Gr\u00fcn;2;accepted`, 'latin1'));
  expect(firstLook('a.csv', windows)).toEqual({ text: `${text}Grün;2;accepted` });
  expect(firstLook('a.csv', bytes('course_id,user_id,status\n'))).toHaveProperty(
    'problem',
    expect.stringMatching(/is not the header group_id,user_id,status/),
  );
  expect(firstLook('a.csv', bytes('%PDF-1.7 '))).toHaveProperty(
    'problem',
    expect.stringMatching(/not a text/),
  );
  expect(firstLook('a.csv', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).toHaveProperty('problem');
});

test('GRP-28 OP-79 other columns are ignored and named, and so is a missing required column', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const extra of ['name', 'full_name,login_id', 'course_id,section_id']) {
    const text = `group_id,user_id,${extra},status\nG,1,x,accepted`;
    expect(firstLook('a.csv', bytes(text))).toEqual({ text });
    expect(ignoredColumns(text)).toEqual(extra.split(','));
  }
  expect(ignoredColumns('Group_ID;USER_ID;Status')).toEqual([]);
  expect(firstLook('a.csv', bytes('group_id,user_id\nG,1'))).toEqual({
    problem: expect.stringMatching(/^The column status is missing/),
  });
});

test('GRP-18 GRP-29 a failed or cancelled simulation is not shown as running', () => {
  const csv = { way: 'csv', simulate: true } as const;
  const said = (work: NoPlan) => [
    membersBlocked(csv, true, null, work),
    groupsBlocked({ category: 4, ranges: [...ranges], simulate: true }, null, work),
  ];
  const all = (words: string) => [words, words];
  expect(said(MAKING)).toEqual(all('The simulation is not ready yet.'));
  expect(said({ error: null, cancelled: true })).toEqual(all('Select “Simulate again” first.'));
  // A different file may be needed; selecting the button again would not help.
  const failed = { error: new Error('no'), cancelled: false };
  expect(said(failed)).toEqual(all('The message above says what to do first.'));
});
