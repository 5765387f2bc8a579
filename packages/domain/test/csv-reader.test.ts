import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvText } from '../src/csv.ts';
import {
  CsvReader,
  type CsvRow,
  DELIMITERS,
  LONGEST_LINE,
  LONGEST_ROW,
  MOST_BLANK_ROWS,
  sniffDelimiter,
} from '../src/csv-reader.ts';

/** Reads a text in pieces: its rows, and the row at which it becomes unreadable. */
function read(pieces: readonly string[], reader = new CsvReader()) {
  const rows: CsvRow[] = [];
  for (const piece of pieces) rows.push(...reader.add(piece));
  rows.push(...reader.end());
  return { rows, failure: reader.failure };
}
const cellsOf = (text: string, reader?: CsvReader) => read([text], reader).rows.map(({ cells }) => cells);

/** Text made of the characters that matter to a reader. */
const marks = fc.constantFrom(
  ',',
  ';',
  '\t',
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  ' ',
  'a',
  'é',
  '𝄞',
  '\u00a0',
  '\ufeff',
);
const wild = fc.array(marks, { maxLength: 60 }).map((some) => some.join(''));
const cell = fc.oneof(
  fc.constantFrom('', 'a', 'b"c', 'x,y', 'u\nv', 'p\r\nq', '"'),
  fc.string({ unit: 'grapheme' }),
);

describe('reading CSV', () => {
  test('OP-43: cells, quotes, every kind of line ending and rows of any length are read, empty rows are counted, and white space is removed', () => {
    const text = '\ufeffa, b ,"c,""d"""\r\n\n ,\t,\r1\n"x\r\ny",2,3,4\n\n';
    expect(read([text])).toEqual({
      rows: [
        { row: 1, cells: ['a', 'b', 'c,"d"'] },
        { row: 4, cells: ['1'] },
        { row: 5, cells: ['x\r\ny', '2', '3', '4'] },
      ],
      failure: null,
    });
  });

  test.each([
    ['a quote within a cell', 'a,b\nx"y,1\nz,2', 2, 1],
    ['text after a quote', 'a,b\n\n"x"y,1\nz,2', 3, 1],
    ['a space before a quote', 'a,b\n1, "x"', 2, 1],
    ['a quote that is never closed', 'a,b\n1,2\n"x,1\nz,2\n', 3, 2],
    ['only a quote', '"', 1, 0],
  ])('SIS-04: %s is rejected with its row, after the rows before it', (_name, text, row, before) => {
    const { rows, failure } = read([text]);
    expect(failure).toMatchObject({
      row,
      message: 'A quotation mark (") in this row is not closed, or has text after it.',
    });
    expect(rows).toHaveLength(before);
  });

  test.each([
    ['a,b;c,d', ','],
    ['a;b;c', ';'],
    ['a\tb\tc', '\t'],
    ['a|b|c', '|'],
    ['"a,b,c";d', ';'],
    ['user_id', ','],
  ])('SIS-04: the delimiter of %j is recognised', (line, delimiter) => {
    expect(sniffDelimiter(line)).toBe(delimiter);
    const reader = new CsvReader(null);
    read(['\n  \r\n', ...line.split(''), '\nx'], reader);
    expect(reader.delimiter).toBe(delimiter);
  });

  test('property: written text is read back, with any delimiter', () => {
    const rows = fc.array(
      fc
        .array(cell, { minLength: 1, maxLength: 5 })
        .map((cells) => cells.map((one) => one.trim()))
        .filter((cells) => cells.some((one) => one !== '')),
    );
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n', '\r'),
        (lines, by, end) => {
          const text = lines
            .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(by))
            .join(end);
          expect(cellsOf(text, new CsvReader(by))).toEqual(lines);
          expect(cellsOf(csvText(lines))).toEqual(lines);
        },
      ),
    );
  });

  test('property: rows, their numbers and the failure do not depend on where a text is split', () => {
    fc.assert(
      fc.property(wild, fc.array(fc.nat(60)), fc.boolean(), (text, cuts, sniff) => {
        const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        const whole = read([text], new CsvReader(sniff ? null : ','));
        expect(read(pieces, new CsvReader(sniff ? null : ','))).toEqual(whole);
        expect(read(text.split(''), new CsvReader(sniff ? null : ','))).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: rows and errors match csv-parse', () => {
    fc.assert(
      fc.property(wild, (text) => {
        const { rows, failure } = read([text]);
        let theirs: string[][] | null = null;
        try {
          theirs = parse(text, {
            bom: true,
            relax_column_count: true,
            record_delimiter: ['\r\n', '\n', '\r'],
          });
        } catch {}
        expect(failure === null).toBe(theirs !== null);
        const trimmed = theirs?.map((cells) => cells.map((one) => one.trim())) ?? [];
        if (theirs)
          expect(rows).toEqual(
            trimmed.flatMap((cells, at) => (cells.some((one) => one !== '') ? [{ row: at + 1, cells }] : [])),
          );
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('texts that would fill the memory or take forever', () => {
  /** Feeds a piece repeatedly until the reader fails. @returns the failure and the number of characters */
  const feed = (first: string, piece: string, most: number, last = '') => {
    const reader = new CsvReader();
    reader.add(first);
    let taken = 0;
    let rows = 0;
    for (; taken < most && !reader.failure; taken += piece.length) rows += reader.add(piece).length;
    reader.add(last);
    reader.end();
    return { failure: reader.failure, taken, rows };
  };
  const PIECE = 65_536;

  test.each([
    ['a line without an end', 'x'],
    ['millions of cells', ','],
  ])('SIS-04: %s', (_name, character) => {
    const { failure, taken } = feed('a,b\n', character.repeat(PIECE), 16_000_000);
    expect(failure).toMatchObject({ row: 2, message: `The row is longer than ${LONGEST_LINE} characters.` });
    expect(taken).toBe(PIECE);
  });

  test.each([
    ['a quote that is never closed', 'x'],
    ['nothing but quotes', '"'],
    ['line endings within quotes', '\n'],
  ])('SIS-04: %s', (_name, character) => {
    const { failure, taken } = feed('a,b\n"', character.repeat(PIECE), 16_000_000);
    expect(failure).toMatchObject({ row: 2, message: expect.stringContaining(`${LONGEST_ROW} characters`) });
    expect(taken).toBeLessThanOrEqual(2 * PIECE);
  });

  test('SIS-04: ten million empty rows are rejected early', () => {
    for (const [blank, each] of [
      ['\n', 1],
      [',\r\n', 3],
    ] as const) {
      const { failure, taken } = feed('a,b\n', blank.repeat(PIECE), 10_000_000 * each);
      expect(failure).toMatchObject({
        row: MOST_BLANK_ROWS + 2,
        message: expect.stringContaining('empty rows'),
      });
      expect(taken).toBeLessThanOrEqual((MOST_BLANK_ROWS + PIECE) * each);
    }
  });

  test('SIS-04: long rows within the limits are read', () => {
    const long = 'x'.repeat(LONGEST_LINE - 2);
    expect(cellsOf(`${long},1\n${long},2`)).toEqual([
      [long, '1'],
      [long, '2'],
    ]);
    const spread = `${'x'.repeat(1_000)}\n`.repeat(90).trim();
    expect(cellsOf(`"${spread}",1`)).toEqual([[spread, '1']]);
    expect(read([`"${long}",123`]).failure).toMatchObject({ row: 1 });
  });
});
