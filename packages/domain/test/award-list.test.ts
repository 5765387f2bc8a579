import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AWARD_CAMPUSES, COURSE_TYPES } from '../src/award-campuses.ts';
import { LIST_HEADER } from '../src/award-entries.ts';
import { type NoTemplate, type ReadList, readList, sheetOfRecords } from '../src/award-list.ts';
import { MAX_LIST_ROWS } from '../src/award-list-rows.ts';
import { entry, lists, PATIENCE } from './award-fixtures.ts';

const RIGHT = ['SGP', 'Corporate Finance', 'FIN101', '80', 'P1', 'Zoë Müller', 'Core'];

function accepted(read: ReadList | NoTemplate): ReadList {
  if ('template' in read) throw new Error(read.message);
  return read;
}
const sheet = (...rows: (readonly unknown[])[]) =>
  accepted(
    readList(
      LIST_HEADER,
      rows.map((cells, at) => ({ row: at + 2, cells })),
    ),
  );
/** Returns the valid row with one cell replaced. */
const withCell = (column: (typeof LIST_HEADER)[number], cell: unknown) =>
  RIGHT.map((one, at) => (LIST_HEADER[at] === column ? cell : one));

describe('the header of an upload', () => {
  test('OP-89 BTA-38 matches the template, in any order and case, and under the names used in requests', () => {
    const header = [
      'type',
      ' Prof_ID',
      'PROFESSOR',
      'Note',
      'enrolled ',
      'course id',
      'Course',
      'Campus',
      '',
    ];
    const row = ['core', 'P1', 'Zoë Müller', 'new', '80', 'FIN101', 'Corporate Finance', 'sgp', ''];
    const read = accepted(readList(header, [{ row: 2, cells: row }]));
    expect(read).toEqual({ entries: [entry()], problems: [], hints: [], ignored: ['Note'] });
    const travelling = { campus: 'S', course: 'Corporate Finance', course_id: 'FIN101', enrolled: 80 };
    const record = {
      ...travelling,
      professor_id: 'P1',
      professor: 'Zoë Müller',
      type: 'core',
      tableData: { id: 0 },
    };
    const { header: names, rows } = sheetOfRecords([record]);
    expect(accepted(readList(names, rows))).toMatchObject({ entries: [entry()], ignored: ['tableData'] });
  });

  test('BTA-35 an empty first row, or a missing or repeated column, does not match the template', () => {
    const cases: [readonly unknown[], RegExp][] = [
      [[], /first row is empty/],
      [['', null, ' '], /first row is empty/],
      [LIST_HEADER.filter((name) => !name.endsWith('ID')), /does not contain Course ID, Prof ID/],
      [[...LIST_HEADER, 'course_id'], /has the column Course ID twice/],
      [RIGHT, /does not contain Campus/],
    ];
    for (const [header, message] of cases) {
      expect(readList(header, [{ row: 2, cells: RIGHT }])).toEqual({
        template: false,
        message: expect.stringMatching(message),
        next: expect.stringContaining('Campus, Course, Course ID, Enrolled, Prof ID, Professor, Type'),
      });
    }
  });

  test('BTA-35 a header below a title is found, with advice to delete what is above it', () => {
    const title = ['Best Teaching Award 2026'];
    for (const row of [2, 5]) {
      const rows = [
        { row: 2, cells: ['', ''] },
        { row, cells: [...LIST_HEADER] },
        { row: row + 1, cells: RIGHT },
      ];
      expect(readList(title, row === 2 ? rows.slice(1) : rows)).toMatchObject({
        template: false,
        next: `The column names are in row ${row}. Remove the rows above it, and upload the file again.`,
      });
    }
    const far = Array.from({ length: 100 }, (_, at) => ({ row: at + 2, cells: title }));
    expect(readList(title, [...far, { row: 102, cells: [...LIST_HEADER] }])).toMatchObject({
      next: expect.stringContaining('the first sheet'),
    });
  });

  test('BTA-47 any number of unknown names takes hardly any time', () => {
    const records = Array.from({ length: 500 }, (_, at) => ({
      [`x${at}`]: at,
      [`Course${'_'.repeat(at)}`]: 'c',
    }));
    const { header, rows } = sheetOfRecords(records);
    expect(Math.max(...rows.map(({ cells }) => cells.length))).toBeLessThan(20);
    expect(readList(header, rows)).toHaveProperty('template', false);
  });
});

describe('a row of an upload', () => {
  test('BTA-38 is accepted with trimmed texts; empty rows are skipped, and counted', () => {
    const read = sheet(
      [' ', null, ''],
      ['a ', ' Corporate \n Finance', 'FIN101', 80, 'P1', 'Zoë Müller ', 'CORE'],
    );
    expect(read).toMatchObject({ entries: [entry({ campus: 'ABD' })], problems: [] });
    expect(sheet([''], withCell('Type', 'Both')).problems[0]?.row).toBe(3);
  });

  test('OP-89 has each wrong cell named by row and column, with advice', () => {
    const wrong: [(typeof LIST_HEADER)[number], unknown, RegExp][] = [
      ['Campus', 'SNG', /"SNG" is not a campus/],
      ['Campus', 'Prof', /is not a campus/],
      ['Campus', 'constructor', /is not a campus/],
      ['Type', 'Electiv', /not a course type/],
      ['Course', '', /Course is empty/],
      ['Course', '\u200b', /Course is empty/],
      ['Course', '#N/A', /error value/],
      ['Course', 'x'.repeat(256), /more than 255/],
      ['Professor', '=VLOOKUP(A1,B:C,2)', /a formula/],
      ['Professor', null, /Professor is empty/],
      ['Professor', { a: 1 }, /must be text or a number/],
      ['Course ID', '1.2E+12', /scientific notation/],
      ['Course ID', '01.Mai', /a date created by a spreadsheet/],
      ['Course ID', '7,101,501', /thousands separators/],
      ['Prof ID', '7101501.0', /a number with decimals/],
      ['Prof ID', true, /a word that a spreadsheet/],
      ['Prof ID', 1_234_567_890_123_450, /more than 15 digits/],
      ['Prof ID', 'x'.repeat(101), /more than 100/],
      ['Enrolled', '', /Enrolled is empty/],
      ['Enrolled', '-1', /not a whole number/],
      ['Enrolled', '8.5', /not a whole number/],
      ['Enrolled', '85,0', /not a whole number/],
      ['Enrolled', 'eighty', /not a whole number/],
      ['Enrolled', '10001', /from 0 to 10,000/],
      ['Enrolled', Number.NaN, /not a whole number/],
    ];
    for (const [column, cell, message] of wrong) {
      const read = sheet(withCell(column, cell));
      expect(read).toMatchObject({
        entries: [],
        problems: [
          { row: 2, column, message: expect.stringMatching(message), next: expect.stringMatching(/\.$/) },
        ],
      });
    }
    const [first, second] = sheet(['X', '', 'FIN101', '80', 'P1', 'Zoë Müller', 'Core'], RIGHT).problems;
    expect([first?.column, second?.column]).toEqual(['Campus', 'Course']);
  });

  test('OP-89 can have names that look like a word or a date written by a spreadsheet, and ids that are long texts of digits', () => {
    expect(sheet(withCell('Course', 'True')).problems).toEqual([]);
    expect(sheet(withCell('Professor', 'Nan')).problems).toEqual([]);
    expect(sheet(withCell('Course ID', '1234567890123456')).problems).toEqual([]);
    expect(sheet(withCell('Course ID', 123_456_789_012_345)).problems).toEqual([]);
  });

  test('OP-81 can have a text that starts like a formula, which is guarded when written to a file', () => {
    for (const course of ['+1: Growth', '- Strategy -', '@Work', "'Power'"])
      expect(sheet(withCell('Course', course)).entries[0]?.course).toBe(course);
  });

  test('OP-86 can have no students, or the maximum number of them', () => {
    for (const [cell, enrolled] of [
      ['0', 0],
      [0, 0],
      ['007', 7],
      ['10000', 10_000],
    ] as const)
      expect(sheet(withCell('Enrolled', cell)).entries[0]?.enrolled).toBe(enrolled);
  });

  test(
    'is needed at least once, and not too often',
    () => {
      expect(sheet().problems).toEqual([
        expect.objectContaining({ row: null, message: expect.stringMatching(/no rows/) }),
      ]);
      const many = Array.from({ length: MAX_LIST_ROWS + 9 }, (_, at) => withCell('Course ID', `C${at}`));
      const { problems, entries } = sheet(...many);
      expect(entries).toHaveLength(MAX_LIST_ROWS);
      expect(problems).toEqual([expect.objectContaining({ row: MAX_LIST_ROWS + 2, column: null })]);
    },
    PATIENCE,
  );
});

describe('ids in an upload', () => {
  test('are unique in combination within their campus, in any case', () => {
    const again = sheet(RIGHT, withCell('Course ID', 'fin101 '));
    expect(again.problems).toEqual([
      expect.objectContaining({
        row: 3,
        column: 'Course ID',
        message: expect.stringMatching(/already in row 2/),
      }),
    ]);
    expect(again.entries).toHaveLength(1);
    expect(sheet(RIGHT, withCell('Campus', 'FBL')).problems).toEqual([]);
  });

  test('stand for one course and one professor within their campus', () => {
    const otherCourse = ['SGP', 'Valuation', 'FIN101', '80', 'P2', 'Mads Olsen', 'Core'];
    const otherProfessor = ['SGP', 'Valuation', 'FIN102', '80', 'P1', 'Mads Olsen', 'Core'];
    expect(sheet(RIGHT, otherCourse).problems).toMatchObject([{ row: 3, column: 'Course ID' }]);
    expect(sheet(RIGHT, otherProfessor).problems).toMatchObject([{ row: 3, column: 'Prof ID' }]);
    const taughtByTwo = ['SGP', 'corporate  finance', 'FIN101', '80', 'P2', 'Mads Olsen', 'Core'];
    expect(sheet(RIGHT, taughtByTwo)).toMatchObject({ problems: [], hints: [], entries: { length: 2 } });
  });

  test('OP-105 lead to hints about possible mistakes: names that votes cannot distinguish, lost zeros, no report', () => {
    expect(sheet(RIGHT, withCell('Course ID', 'FIN101-B')).hints).toMatchObject([
      { row: 3, column: 'Course' },
    ]);
    const numbers = sheet(withCell('Course ID', 7), withCell('Course ID', 8));
    expect(numbers.hints.map(({ message }) => message)).toContain(
      'The Course ID in row 2 (and 1 more) is a number, so leading zeros are lost.',
    );
    expect(numbers.entries.map(({ courseId }) => courseId)).toEqual(['7', '8']);
    expect(sheet(withCell('Campus', 'FBLSG')).hints).toMatchObject([{ row: 2, column: 'Type' }]);
    expect(sheet(RIGHT).hints).toEqual([]);
  });
});

describe('any upload', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, {}, [], '\ud800', '\u0000', 'SGP', 'Core', '12', 'FIN101'),
  );

  test('with any cells is read or rejected, and every row is accounted for', () => {
    const header = fc.oneof(fc.constant([...LIST_HEADER]), fc.array(cell));
    fc.assert(
      fc.property(header, fc.array(fc.array(cell, { maxLength: 9 })), (names, rows) => {
        const read = readList(
          names,
          rows.map((cells, at) => ({ row: at + 2, cells })),
        );
        if ('template' in read) return;
        const told = new Set(read.problems.map(({ row }) => row));
        expect(read.entries.length + told.size).toBeGreaterThanOrEqual(1);
        expect(read.entries.length + told.size).toBeLessThanOrEqual(Math.max(1, rows.length));
        for (const one of read.entries) {
          expect(AWARD_CAMPUSES).toContain(one.campus);
          expect(COURSE_TYPES).toContain(one.type);
          for (const text of [one.course, one.courseId, one.professor, one.professorId])
            expect(text).toMatch(/^[^\s\p{Cc}\p{Cs}]([^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cs}])?$/u);
        }
      }),
    );
  });

  test('written from a list gives the same list when it is read', () => {
    fc.assert(
      fc.property(lists, (entries) => {
        const rows = entries.map((one) => [
          one.campus,
          `Course ${one.courseId}`,
          one.courseId,
          one.enrolled,
          one.professorId,
          `Professor ${one.professorId}`,
          one.type,
        ]);
        const read = sheet(...rows);
        expect(read.problems.filter(({ row }) => row !== null)).toEqual([]);
        expect(
          read.entries.map(({ campus, courseId, enrolled, type }) => [campus, courseId, enrolled, type]),
        ).toEqual(entries.map(({ campus, courseId, enrolled, type }) => [campus, courseId, enrolled, type]));
      }),
    );
  });

  test(
    'of 5,000 rows is read',
    () => {
      const rows = Array.from({ length: 5_000 }, (_, at) => withCell('Course ID', `C${at}`));
      expect(sheet(...rows).entries).toHaveLength(5_000);
    },
    PATIENCE,
  );
});
