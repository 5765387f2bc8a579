import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AWARD_CAMPUSES, AWARD_VIEWS, COURSE_TYPES, EVERY_CAMPUS } from '../src/award-campuses.ts';
import { joinVotes } from '../src/award-join.ts';
import { awardReport, leadingRows, percentOf, type ReportChoice, reportCells } from '../src/award-reports.ts';
import { entry, lists, PATIENCE, shuffled, tallies, tally } from './award-fixtures.ts';

const zoe = { professorId: 'P1', professor: 'Zoë Müller' };
const fiona = { professorId: 'P2', professor: "Fiona O'Brien" };
const list = [
  entry({ ...zoe, enrolled: 80 }),
  entry({ ...zoe, course: 'Valuation', courseId: 'FIN102', enrolled: 40 }),
  entry({ ...fiona, course: 'Strategy', courseId: 'STR101', enrolled: 30 }),
  entry({ ...zoe, campus: 'FBL', enrolled: 50 }),
  entry({ ...fiona, campus: 'FBLSG', course: 'Pricing', courseId: 'MKT103', enrolled: 0, type: 'elective' }),
];
const votes = [
  tally({ votes: 10 }),
  tally({ course: 'Valuation', votes: 5 }),
  tally({ campus: 'FBL', votes: 20 }),
  tally({ type: 'elective', campus: 'B', course: 'Pricing', professor: "Fiona O'Brien", votes: 3 }),
  tally({ course: 'Strategie', professor: "Fiona O'Brien", votes: 2 }),
  tally({ course: 'Strategie', professor: 'Mads Olsen', campus: 'nowhere', votes: 1 }),
];
const joined = joinVotes(list, votes);

function report(choice: Partial<ReportChoice>) {
  const made = awardReport(joined, { view: 'by-campus', campus: 'SGP', type: 'core', ...choice });
  if (made === null) throw new Error('an unknown campus');
  return made;
}
const cells = (choice: Partial<ReportChoice>) =>
  report(choice).rows.map((row) => reportCells(choice.view ?? 'by-campus', row));

describe('the report by campus and course', () => {
  test('BTA-20 OP-86 has every course of the campus and type, with Npax from the list, and the votes as a share of it', () => {
    expect(cells({})).toEqual([
      ['Corporate Finance', 'Zoë Müller', 'SGP', 80, 10, 12.5],
      ['Valuation', 'Zoë Müller', 'SGP', 40, 5, 12.5],
      ['Strategy', "Fiona O'Brien", 'SGP', 30, 0, 0],
    ]);
    expect(cells({ campus: 'F' })).toEqual([['Corporate Finance', 'Zoë Müller', 'FBL', 50, 20, 40]]);
  });

  test('OP-86 has no share for a course in which no one is enrolled', () => {
    expect(cells({ campus: 'FBLSG', type: 'elective' })).toEqual([
      ['Pricing', "Fiona O'Brien", 'FBLSG', 0, 3, null],
    ]);
  });

  test('OP-87 includes the courses of each campus for both together; an unknown code has no report', () => {
    const both = awardReport(joined, { view: 'by-campus', campus: 'B', type: 'core' });
    expect(both?.rows.map(({ campus, votes: count }) => [campus, count])).toEqual([
      ['FBL', 20],
      ['SGP', 10],
      ['SGP', 5],
      ['SGP', 0],
    ]);
    for (const campus of ['', 'X', EVERY_CAMPUS, 'constructor'])
      expect(awardReport(joined, { view: 'by-campus', campus, type: 'core' })).toBeNull();
  });

  test('OP-105 lists votes without an entry separately: those of its campus, and those of unknown campuses', () => {
    const strange = ({ unmatched }: ReturnType<typeof report>) =>
      unmatched.map((one) => [one.campus, one.votes]);
    expect(strange(report({}))).toEqual([
      ['SGP', 2],
      ['nowhere', 1],
    ]);
    expect(strange(report({ campus: 'ABD' }))).toEqual([['nowhere', 1]]);
    expect(strange(report({ type: 'elective' }))).toEqual([]);
    expect(report({}).unmatched[0]?.nearest).toEqual([list[2]]);
  });
});

describe('the report by professor', () => {
  test('BTA-21 has one row per professor, which combines the courses with all their votes and enrolled people', () => {
    expect(cells({ view: 'by-prof' })).toEqual([
      ['Zoë Müller', 'Corporate Finance, Valuation', 'SGP', 15, 12.5],
      ["Fiona O'Brien", 'Strategy', 'SGP', 0, 0],
    ]);
  });

  test('BTA-10 OP-87 covers every campus if opened without one', () => {
    expect(cells({ view: 'by-prof', campus: EVERY_CAMPUS })[0]).toEqual([
      'Zoë Müller',
      'Corporate Finance, Valuation',
      'FBL, SGP',
      35,
      20.6,
    ]);
  });

  test("treats an id as one person's only within a campus: the same id with another name is another person", () => {
    const two = joinVotes([entry(), entry({ campus: 'FBL', professor: 'Mads Olsen' })], []);
    const made = awardReport(two, { view: 'by-prof', campus: EVERY_CAMPUS, type: 'core' });
    expect(made?.rows.map(({ professor }) => professor)).toEqual(['Mads Olsen', 'Zoë Müller']);
  });
});

describe('figures and order', () => {
  test('OP-86 percentages have one decimal, rounded half up', () => {
    const cases: [number, number, number | null][] = [
      [1, 3, 33.3],
      [2, 3, 66.7],
      [1, 8, 12.5],
      [1, 80, 1.3],
      [1, 2000, 0.1],
      [1, 2001, 0],
      [0, 5, 0],
      [7, 5, 140],
      [5, 0, null],
    ];
    for (const [count, enrolled, percent] of cases) expect(percentOf(count, enrolled)).toBe(percent);
  });

  test('OP-86 a percentage differs from the true share by at most half of its last digit', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 10_000 }), (count, enrolled) => {
        const tenths = BigInt(Math.round((percentOf(count, enrolled) ?? 0) * 10));
        // In whole numbers, without rounding: 2 × 1000 × count is within half a tenth, rounded up at exactly half.
        const [share, whole] = [2_000n * BigInt(count), 2n * BigInt(enrolled)];
        const apart = tenths * whole - share;
        expect(apart <= BigInt(enrolled) && apart > -BigInt(enrolled)).toBe(true);
      }),
    );
  });

  const choices = fc.record({
    view: fc.constantFrom(...AWARD_VIEWS),
    campus: fc.constantFrom(...AWARD_CAMPUSES),
    type: fc.constantFrom(...COURSE_TYPES),
  });

  test('the order does not depend on the order of list and votes; most votes come first', () => {
    fc.assert(
      fc.property(lists, tallies, choices, fc.array(fc.nat()), (entries, all, choice, by) => {
        const made = awardReport(joinVotes(entries, all), choice);
        const again = awardReport(joinVotes(shuffled(entries, by), shuffled(all, by)), choice);
        expect(again?.rows).toEqual(made?.rows);
        const counts = made?.rows.map((row) => row.votes) ?? [];
        expect(counts).toEqual([...counts].sort((a, b) => b - a));
      }),
    );
  });

  test('OP-105 both reports include all votes of the campus and type', () => {
    fc.assert(
      fc.property(lists, tallies, choices, (entries, all, choice) => {
        const both = AWARD_VIEWS.map((view) => awardReport(joinVotes(entries, all), { ...choice, view }));
        const sums = both.map((made) => [
          made?.rows.reduce((sum, row) => sum + row.votes, 0),
          made?.rows.reduce((sum, row) => sum + row.enrolled, 0),
          made?.unmatched.length,
        ]);
        expect(sums[0]).toEqual(sums[1]);
        const known = all.filter(({ type }) => type === choice.type);
        const total = awardReport(joinVotes(entries, known), {
          view: 'by-prof',
          campus: EVERY_CAMPUS,
          type: choice.type,
        });
        const counted = [...(total?.rows ?? []), ...(total?.unmatched ?? [])].reduce(
          (sum, one) => sum + one.votes,
          0,
        );
        expect(counted).toBe(known.reduce((sum, one) => sum + one.votes, 0));
      }),
    );
  });

  test('the chart has the ten leading rows with votes, and says how many others are level with the last', () => {
    const row = (count: number) =>
      ({ ...report({}).rows[0], votes: count }) as ReturnType<typeof report>['rows'][number];
    const twelve = [
      ...Array.from({ length: 8 }, () => row(9)),
      ...Array.from({ length: 4 }, () => row(2)),
      row(1),
      row(0),
    ];
    expect(leadingRows(twelve)).toEqual({ rows: twelve.slice(0, 10), asMany: 2 });
    expect(leadingRows([row(3), row(0)])).toEqual({ rows: [row(3)], asMany: 0 });
    expect(leadingRows([])).toEqual({ rows: [], asMany: 0 });
  });

  test(
    'a report of 300 rows starts with the most votes',
    () => {
      const many = Array.from({ length: 300 }, (_, at) =>
        entry({ course: `Größe ${at}`, courseId: `C${at}` }),
      );
      const theirs = many.map(({ course }, at) => tally({ course, votes: at }));
      const made = awardReport(joinVotes(many, theirs), { view: 'by-campus', campus: 'SGP', type: 'core' });
      expect(made?.rows[0]).toMatchObject({ course: 'Größe 299', votes: 299 });
    },
    PATIENCE,
  );
});
