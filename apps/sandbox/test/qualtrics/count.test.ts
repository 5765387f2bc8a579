/**
 * The true figures of the practice survey, counted independently from the exported table by the rules of
 * OP-105, with only `fetch`, yauzl and csv-parse, and without the code that generates the responses.
 */
import { expect, test } from 'vitest';
import { ANONYMISED, type Row, SURVEY, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();

/** The time at which the vote opened. */
const OPENING = '2026-09-07 08:00:00';
/** A real response, an imported one and an offline one. */
const REAL = ['0', '4', '16'];

type Left = 'preview or test' | 'spam' | 'unfinished' | 'before the opening' | 'voted again';

/** Returns the votes left after each rule, and those that each rule removed. */
function votesIn(rows: Row[]): { votes: Row[]; left: Record<Left, number> } {
  const left = { 'preview or test': 0, spam: 0, unfinished: 0, 'before the opening': 0, 'voted again': 0 };
  const drop = (why: Left) => {
    left[why]++;
    return false;
  };
  const finished = rows.filter((row) => {
    if (['preview', 'test'].includes(row['DistributionChannel'] ?? '')) return drop('preview or test');
    if (!REAL.includes(row['Status'] ?? '')) return drop('spam');
    if (row['Finished'] !== '1') return drop('unfinished');
    return (row['RecordedDate'] ?? '') >= OPENING || drop('before the opening');
  });
  const latest = new Map<string, Row>();
  for (const row of finished) {
    const voter = row['ExternalReference'] || row['RecipientEmail']?.toLowerCase() || row['ResponseId'] || '';
    const before = latest.get(voter);
    if (before) drop('voted again');
    if (!before || (before['RecordedDate'] ?? '') < (row['RecordedDate'] ?? '')) latest.set(voter, row);
  }
  return { votes: [...latest.values()], left };
}

type Listed = Record<'Campus' | 'Course' | 'Course ID' | 'Prof ID' | 'Professor' | 'Type', string> & {
  Enrolled: number;
};
const list = async () =>
  (await qualtrics.handle('GET', '/sandbox/qualtrics/award-list')) as unknown as Listed[];

const plain = (text = '') =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().replaceAll(/\s+/g, ' ').toLowerCase();
const key = (...parts: (string | undefined)[]) => parts.map(plain).join(' | ');

/** Counts votes by row of the list, and unmatched ones by their text in the table. */
function joined(votes: Row[], rows: Listed[], type: 'Core' | 'Elective') {
  const kind = type.toLowerCase();
  const byIds = new Map<string, string>();
  const byNames = new Map<string, string>();
  for (const row of rows.filter((each) => each.Type === type)) {
    const name = `${row.Course} – ${row.Professor} (${row.Campus})`;
    byIds.set(key(row['Course ID'], row['Prof ID']), name);
    byNames.set(key(row.Campus, row.Course, row.Professor), name);
  }
  const counts = new Map<string, number>();
  const unmatched: string[] = [];
  for (const vote of votes) {
    const of = (what: string) => vote[`${kind}Choice${what}`] ?? '';
    if (of('CourseName') === '') continue;
    const name =
      of('CourseId') === ''
        ? byNames.get(key(of('Campus'), of('CourseName'), of('Professor')))
        : byIds.get(key(of('CourseId'), of('ProfId')));
    if (name === undefined) unmatched.push(`${of('CourseName')} – ${of('Professor')} (${of('Campus')})`);
    else counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = ranked.reduce((sum, [, count]) => sum + count, 0);
  return { lines: ranked.map(([name, count]) => `${count} ${name}`), unmatched, total };
}

test('OP-105 383 of 422 responses are votes, and each other response has a reason for not counting', async () => {
  const { votes, left } = votesIn(await qualtrics.rows());
  expect(votes).toHaveLength(383);
  expect(left).toEqual({
    'preview or test': 14,
    spam: 2,
    unfinished: 15,
    'before the opening': 3,
    'voted again': 5,
  });
  expect(votes.filter((row) => row['ExternalReference'] === '' && row['RecipientEmail'] === '')).toHaveLength(
    3,
  );
});

test('BTA-26, OP-105 votes are counted for each row of the list, and unmatched ones apart', async () => {
  const { votes } = votesIn(await qualtrics.rows());
  const rows = await list();
  const core = joined(votes, rows, 'Core');
  const elective = joined(votes, rows, 'Elective');
  expect(core).toEqual({
    lines: [
      '34 Fixed Income – François Nakamura (ABD)',
      '26 Private Equity – Layla Brown (SGP)',
      '25 Corporate Transformation – Victor Jansen (FBL)',
      '17 Private Equity – Léa Suzuki (FBL)',
      '15 Corporate Transformation – Simone Hansen (SGP)',
      '15 Game Theory – Seo-yeon Brown (SGP)',
      '15 Process and Operations – Layla Brown (SGP)',
      '14 Corporate Transformation – Magnus MacDonald (SGP)',
      '14 Valuation – Emma Ito (ABD)',
      "13 Corporate Transformation – Patrick O'Brien (FBL)",
      '11 Game Theory – Hiroshi Patel (ABD)',
      '11 Managerial Accounting – Gabriela Espinoza (FBL)',
      '11 Process and Operations – François Nakamura (FBL)',
      '10 Corporate Transformation – Naomi Zhou (ABD)',
      '10 Fixed Income – Gabriela Espinoza (SGP)',
      '10 Game Theory – Lena Navarro (FBL)',
      '10 Game Theory – Simone Hansen (FBL)',
      '10 Managerial Accounting – Thomas Moreau (ABD)',
      '10 Private Equity – Björn Faure (ABD)',
      "10 Process and Operations – Patrick O'Brien (ABD)",
      '9 Fixed Income – Emma Ito (FBL)',
      '9 Game Theory – Björn Faure (ABD)',
      '9 Game Theory – Noah Horváth (SGP)',
      '8 Corporate Transformation – Léa Suzuki (ABD)',
      '8 Managerial Accounting – Victor Jansen (FBL)',
      '7 Managerial Accounting – Jürgen Van den Berg (ABD)',
      '7 Process and Operations – Benedikt Rahman (FBL)',
      '7 Valuation – Aarav Fischer (SGP)',
      '6 Managerial Accounting – Seo-yeon Brown (SGP)',
      '6 Process and Operations – Gabriela Espinoza (ABD)',
      '3 Process and Operations – Paulo Weber (SGP)',
    ],
    unmatched: [
      'Fixed Income – François Nakamur (ABD)',
      'Fixed Income – François Nakamuar (ABD)',
      '=Fixed Income – François Nakamura (ABD)',
    ],
    total: 370,
  });
  expect(elective).toEqual({
    lines: [
      '25 Customer Insight – François Nakamura (FBL)',
      '23 Power and Politics – Li Almeida (FBL)',
      '21 Business Law – Lena Navarro (FBL)',
      '21 Customer Insight – François Nakamura (SGP)',
      '17 Entrepreneurship in Action – Gabriela Espinoza (ABD)',
      '16 Business Law – Jürgen Van den Berg (SGP)',
      '15 Digital Platforms – Hiroshi Patel (ABD)',
      '14 Decision Models – Hiroshi Patel (SGP)',
      "14 Power and Politics – Patrick O'Brien (SGP)",
      "13 Decision Models – Patrick O'Brien (FBL)",
      '12 Digital Platforms – Ivan Bianchi (FBLSG)',
      '12 Energy Transition – Björn Faure (ABD)',
      '12 Energy Transition – Gabriela Espinoza (SGP)',
      '12 Entrepreneurship in Action – Naomi Zhou (FBL)',
      '11 Business Law – Noah Horváth (ABD)',
      '11 Business Law – Simone Hansen (FBL)',
      '10 Decision Models – Björn Faure (ABD)',
      '10 Decision Models – Magnus MacDonald (FBL)',
      '10 Entrepreneurship in Action – Thomas Moreau (FBL)',
      '9 Customer Insight – Benedikt Rahman (FBL)',
      '9 Customer Insight – Lukas Andersson (ABD)',
      '8 Energy Transition – Magnus MacDonald (FBL)',
      '8 Entrepreneurship in Action – Jürgen Van den Berg (SGP)',
      '8 Entrepreneurship in Action – Lena Navarro (SGP)',
      '7 Business Law – Thomas Moreau (ABD)',
      '7 Decision Models – Magnus MacDonald (ABD)',
      '7 Digital Platforms – Emma Ito (ABD)',
      '7 Digital Platforms – Magnus MacDonald (FBLSG)',
      '6 Power and Politics – Hiroshi Patel (FBL)',
      '5 Power and Politics – Li Almeida (ABD)',
      '4 Customer Insight – Magnus MacDonald (ABD)',
      '4 Customer Insight – Seo-yeon Brown (SGP)',
      '4 Energy Transition – Lena Navarro (SGP)',
    ],
    unmatched: ['Entrepreneurship in Action – Paulo Weber (ABD)'],
    total: 372,
  });
});

test('BTA-20 no entry has more votes than possible voters', async () => {
  const { votes } = votesIn(await qualtrics.rows());
  const rows = await list();
  const enrolled = new Map(
    rows.map((row) => [`${row.Course} – ${row.Professor} (${row.Campus})`, row.Enrolled]),
  );
  for (const type of ['Core', 'Elective'] as const)
    for (const line of joined(votes, rows, type).lines) {
      const [, count, name = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
      expect(Number(count), name).toBeLessThanOrEqual(enrolled.get(name) ?? 0);
    }
});

test('each simpler way of counting gives a different figure', async () => {
  const rows = await qualtrics.rows();
  const { result } = await qualtrics.call('GET', `/surveys/${SURVEY}`);
  const counts = result['responseCounts'] as Record<string, number>;
  expect(rows).toHaveLength(422);
  expect(counts).toEqual({ auditable: 408, generated: 14, deleted: 0 });
  const only = (take: (row: Row) => boolean) => rows.filter(take).length;
  const wrong = [
    rows.length,
    counts['auditable'],
    only((row) => row['Finished'] === '1'),
    only((row) => row['Status'] === '0'),
    only((row) => row['Finished'] === '1' && row['Status'] === '0'),
    only((row) => row['Finished'] === '1' && REAL.includes(row['Status'] ?? '')),
    new Set(rows.map((row) => row['ExternalReference'])).size,
    new Set(rows.map((row) => row['RecipientEmail'])).size,
  ];
  expect(wrong).not.toContain(383);
});

test('OP-105 without ids and voters, only names match: one vote per response, and otherwise the same rows', async () => {
  const rows = await qualtrics.rows({}, ANONYMISED);
  expect(rows[0]).not.toHaveProperty('coreChoiceCourseId');
  const { votes, left } = votesIn(rows);
  // Repeated votes cannot be recognised.
  expect({ votes: votes.length, again: left['voted again'] }).toEqual({ votes: 388, again: 0 });
  const named = joined(votesIn(await qualtrics.rows()).votes, await list(), 'Core');
  expect(joined(votes, await list(), 'Core').unmatched).toEqual(named.unmatched);
});

test('rows of the list are identified by names, some of which are special cases', async () => {
  const rows = await list();
  expect(new Set(rows.map((row) => key(row.Campus, row.Course, row.Professor))).size).toBe(rows.length);
  expect(new Set(rows.map((row) => row['Course ID'])).size).toBe(rows.length);
  expect(new Set(rows.map((row) => row.Campus))).toEqual(new Set(['FBL', 'SGP', 'ABD', 'FBLSG']));
  expect(rows.filter(({ Professor }) => Professor.includes("'"))).not.toEqual([]);
  expect(rows.filter(({ Professor }) => /[^ -~]/.test(Professor))).not.toEqual([]);
  const campuses = rows
    .filter(({ Professor }) => Professor === 'François Nakamura')
    .map(({ Campus }) => Campus);
  expect(campuses).toEqual(expect.arrayContaining(['FBL', 'SGP']));
  // Two professors of the same course on one campus.
  expect(new Set(rows.map((row) => key(row.Campus, row.Course))).size).toBeLessThan(rows.length);
});

test('the table has cells that a spreadsheet would execute, and a number that is not in the list', async () => {
  const rows = await qualtrics.rows();
  const starting = (mark: string) =>
    rows.flatMap((row) => Object.values(row)).filter((cell) => cell.startsWith(mark));
  expect(starting('=')).toHaveLength(2);
  expect(starting('@')).toHaveLength(1);
  expect(rows.filter((row) => row['coreChoiceTotalEnrolled'] === '7')).toHaveLength(1);
});
