import { describe, expect, test } from 'vitest';
import { joinVotes } from '../src/award-join.ts';
import { opensAt } from '../src/award-opening.ts';
import { awardReport, reportCells } from '../src/award-reports.ts';
import { ExportReader } from '../src/award-responses.ts';
import { VoteCounter } from '../src/award-votes.ts';
import { CsvReader } from '../src/csv-reader.ts';
import { COLUMNS, entry, headerOf, rowOf } from './award-fixtures.ts';

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const fileOf = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const finance = {
  coreChoiceCourseName: 'Corporate Finance',
  coreChoiceProfessor: 'Zoë Müller',
  coreChoiceCampus: 'SGP',
};
const game = {
  electiveChoiceCourseName: 'Game Theory',
  electiveChoiceProfessor: "Fiona O'Brien",
  electiveChoiceCampus: 'SGP',
};
const later = '2026-03-11 09:00:00';

/** A small survey; the comment after each row says how it is counted by hand. */
const ROWS: readonly Readonly<Record<string, string>>[] = [
  { ...finance, ...game, ExternalReference: 'P01' }, // finance 1, game 1
  { ...finance, ExternalReference: 'P02', coreChoiceCourseName: 'corporate finance ' }, // finance 2
  { ...finance, ExternalReference: 'P03' }, // replaced
  { ...game, ExternalReference: 'P03', RecordedDate: later }, // game 2
  { ...finance, RecipientEmail: 'Ana@School.example', CoreReason: 'He said: "Why?"\nAnd why not' }, // replaced
  { ...finance, RecipientEmail: 'ana@school.example', RecordedDate: later }, // finance 3
  { ...finance }, // anonymous: finance 4
  { ...finance }, // anonymous: finance 5
  { ...finance, ExternalReference: 'P04', coreChoiceProfessor: 'Zoe Mulle' }, // misspelt: not in the list
  { ...finance, ExternalReference: 'P05', coreChoiceCourseName: '=Finance' }, // not in the list
  { ...game, ExternalReference: 'P06', electiveChoiceProfessor: 'Fiona O’Brien' }, // game 3
  { ExternalReference: 'P07' }, // no choice
  { ...finance, Status: '1', DistributionChannel: 'preview' }, // preview
  { ...finance, Status: '2', DistributionChannel: 'test' }, // test
  { ...finance, Status: '8', ExternalReference: 'P08' }, // spam
  { ...finance, Finished: '0', ExternalReference: 'P09' }, // unfinished
  { ...finance, ExternalReference: 'P10', RecordedDate: '2026-03-01 00:00:00' }, // before the opening date
];

/** Reads the file in pieces, row by row, as a job does. */
function counted(text: string) {
  const [csv, survey] = [new CsvReader(), new ExportReader()];
  const votes = new VoteCounter(opensAt('2026-03-05'));
  const take = (rows: readonly { cells: string[] }[]) => {
    for (const { cells } of rows) {
      const response = survey.add(cells);
      if (response) votes.add(response);
    }
  };
  for (let at = 0; at < text.length; at += 100) take(csv.add(text.slice(at, at + 100)));
  take(csv.end());
  return { problem: survey.problem(), ...votes.result() };
}

describe('a survey from file to reports', () => {
  const header = headerOf(COLUMNS);
  const rows = ROWS.map((given, at) => rowOf({ ResponseId: `R_${at}`, ...given }));

  test('OP-105 OP-86 BTA-20 BTA-21 the figures match a count by hand', () => {
    const { tallies, ...rest } = counted(fileOf([...header, ...rows]));
    expect(rest).toEqual({
      problem: null,
      total: 17,
      responses: 10,
      leftOut: {
        unreadable: 0,
        preview: 1,
        test: 1,
        spam: 1,
        status: 0,
        unfinished: 1,
        early: 1,
        replaced: 2,
      },
      anonymous: 2,
      blank: 1,
    });
    const fiona = { professorId: 'P2', professor: "Fiona O'Brien" };
    const list = [
      entry({ enrolled: 30 }),
      entry({ ...fiona, course: 'Game Theory', courseId: 'ECO103', enrolled: 8, type: 'elective' }),
    ];
    const joined = joinVotes(list, tallies);
    const of = (view: 'by-campus' | 'by-prof', type: 'core' | 'elective') => {
      const report = awardReport(joined, { view, campus: 'SGP', type });
      return report && { rows: report.rows.map((row) => reportCells(view, row)), beside: report.unmatched };
    };
    expect(of('by-campus', 'core')).toMatchObject({
      rows: [['Corporate Finance', 'Zoë Müller', 'SGP', 30, 5, 16.7]],
      beside: [
        { course: '=Finance', votes: 1, nearest: [list[0]] },
        { professor: 'Zoe Mulle', votes: 1, nearest: [list[0]] },
      ],
    });
    expect(of('by-prof', 'elective')).toEqual({
      rows: [["Fiona O'Brien", 'Game Theory', 'SGP', 3, 37.5]],
      beside: [],
    });
  });

  test('BTA-13 an export without responses gives no votes; one that ends within its header is a problem', () => {
    expect(counted(fileOf(header))).toMatchObject({ problem: null, total: 0, responses: 0, tallies: [] });
    for (const cut of ['', fileOf(header.slice(0, 2)), fileOf([...rows, ...rows])])
      expect(counted(cut)).toMatchObject({ problem: { next: expect.any(String) }, total: 0 });
  });

  test('OP-105 a row with too few or too many cells is excluded and reported', () => {
    const [row = []] = rows;
    const wrong = counted(fileOf([...header, row, row.slice(0, -1), [...row, '']]));
    expect(wrong).toMatchObject({ total: 3, responses: 1, leftOut: { unreadable: 2 } });
  });
});
