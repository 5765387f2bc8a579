import { LEFT_OUT } from '@lms-admin/domain/award-votes';
import { describe, expect, it } from 'vitest';
import {
  barName,
  hasTies,
  leftOutWords,
  percentText,
  sumOf,
  tableRows,
} from '../../src/tools/award-reports/report-words.ts';
import { texts } from '../../src/tools/award-reports/texts.ts';

const none = Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<
  (typeof LEFT_OUT)[number],
  number
>;

describe('the result in words', () => {
  it('OP-105 the result says how many responses are not counted, and for which reasons', () => {
    expect(leftOutWords({ total: 422, left_out: { ...none, preview: 8, spam: 1, unfinished: 15 } })).toEqual({
      sentence: '24 of 422 responses are not counted:',
      reasons: ['8 previews', '1 response marked as spam', '15 unfinished responses'],
    });
    expect(leftOutWords({ total: 1, left_out: { ...none, early: 1 } }).sentence).toBe(
      '1 of 1 response is not counted:',
    );
    expect(leftOutWords({ total: 12, left_out: none })).toEqual({
      sentence: 'All 12 responses to the survey count.',
      reasons: [],
    });
    expect(leftOutWords({ total: 0, left_out: none }).sentence).toBe('The survey has no responses yet.');
  });

  it('OP-86 a percentage has one decimal, and is empty if no one is enrolled', () => {
    expect([53.8, 20, 0, 120.5, null].map(percentText)).toEqual(['53.8', '20.0', '0.0', '120.5', '']);
  });

  it('OP-85 the summary names the choices', () => {
    expect(sumOf({ view: 'by-prof', campus: 'Prof', type: 'core' })).toBe('Every campus · Core');
    expect(sumOf({ view: 'by-campus', campus: 'FBLSG', type: 'elective' })).toBe('FBLSG · Elective');
  });

  it('BTA-26 rows of both types become rows of the table, in order', () => {
    const figures = { votes: 4, studentvotes: 3, pvotes: 8.3 };
    const rows = tableRows({
      rows: [
        {
          coreChoiceCourseName: 'Game Theory',
          coreChoiceProfessor: 'A',
          coreChoiceCampus: 'ABD',
          coreChoiceTotalEnrolled: 48,
          ...figures,
        },
        {
          electiveChoiceCourseName: 'Business Law',
          electiveChoiceProfessor: 'B',
          electiveChoiceCampus: 'SGP',
          electiveChoiceTotalEnrolled: 48,
          ...figures,
        },
      ],
    });
    expect(rows.map(({ place, course, enrolled, percent }) => [place, course, enrolled, percent])).toEqual([
      [0, 'Game Theory', 48, 8.3],
      [1, 'Business Law', 48, 8.3],
    ]);
    expect(rows.map((row) => barName({ view: 'by-prof' }, row)[0])).toEqual(['A', 'B']);
    expect(rows.map((row) => barName({ view: 'by-campus' }, row)[0])).toEqual([
      'Game Theory',
      'Business Law',
    ]);
  });

  it('OP-105 ties are named, and the chart describes itself in words', () => {
    expect(hasTies([{ votes: 5 }, { votes: 3 }, { votes: 3 }])).toBe(true);
    expect(hasTies([{ votes: 5 }, { votes: 3 }])).toBe(false);
    expect(
      texts.chart.summary([
        ['Game Theory, A', 5],
        ['Business Law, B', 1],
      ]),
    ).toBe(
      'Bar chart of the top 2 rows. 1: Game Theory, A, 5 votes. 2: Business Law, B, 1 vote. The table shows the same numbers.',
    );
    expect(texts.chart.asMany(2, 1)).toBe('2 more rows have 1 vote, the same number as the last row shown.');
  });
});
