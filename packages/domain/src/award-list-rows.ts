/** The rows of the uploaded list, one by one. Pure. */

import {
  AWARD_CAMPUSES,
  type AwardCampus,
  type CourseType,
  campusOf,
  courseTypeOf,
  typesFor,
} from './award-campuses.ts';
import type { AwardEntry, ListColumn, ListProblem } from './award-entries.ts';
import { ListIds } from './award-list-ids.ts';
import { cellText } from './award-text.ts';
import { grouped } from './numbers.ts';
import { shown } from './sis-rows.ts';
import { spreadsheetId, spreadsheetValue } from './spreadsheet-values.ts';

/** Maximum number of rows in a list. */
export const MAX_LIST_ROWS = 20_000;
/** Maximum number of students of a course: more is a mistake. */
export const MAX_ENROLLED = 10_000;
const LONGEST_TEXT = 255;
const LONGEST_ID = 100;
/** From this number on, a spreadsheet replaces the last digits by zeros. */
const TOO_LONG_NUMBER = 1e15;

/** A row of the sheet, with cells as in the workbook. Row 1 is the header. */
export interface SheetRow {
  row: number;
  cells: readonly unknown[];
}

/** Result of reading rows. */
export interface ReadRows {
  entries: AwardEntry[];
  problems: ListProblem[];
  /** Values that are accepted but may be mistakes. */
  hints: ListProblem[];
}

/** Any visible letter, digit or sign. */
const VISIBLE = /[^\s\p{Cf}\u0300-\u036f]/u;

/** Position of each cell in a row. */
export type Places = Readonly<Record<ListColumn, number>>;

/** Reads rows, and reports the problems of each. */
export class RowReader {
  readonly #places: Places;
  readonly #entries: AwardEntry[] = [];
  readonly #problems: ListProblem[] = [];
  readonly #hints: ListProblem[] = [];
  readonly #ids = new ListIds();
  /** Ids that the sheet stores as numbers, by column: the first row, and the number of other rows. */
  readonly #numbers = new Map<ListColumn, { row: number; more: number }>();
  #count = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Reads the next row. @returns false when the limit is reached */
  add({ row, cells }: SheetRow): boolean {
    if (cells.every((cell) => cellText(cell) === '')) return true;
    if (++this.#count > MAX_LIST_ROWS) {
      const most = grouped(MAX_LIST_ROWS);
      this.#refuse(row, null, `The list has more than ${most} rows.`, 'Remove rows that are not needed.');
      return false;
    }
    const before = this.#problems.length;
    const entry = this.#read(row, (column) => cells[this.#places[column]]);
    if (entry === null) return true;
    for (const { column, message, next } of this.#ids.add(row, entry))
      this.#refuse(row, column, message, next);
    if (this.#problems.length === before) this.#entries.push(entry);
    return true;
  }

  /** Returns everything read so far. */
  end(): ReadRows {
    if (this.#count === 0) {
      const next = 'Fill in a row for each course and professor, and upload the file again.';
      this.#refuse(null, null, 'There are no rows below the header.', next);
    }
    for (const [column, { row, more }] of this.#numbers) {
      const others = more > 0 ? ` (and ${more} more)` : '';
      const message = `The ${column} in row ${row}${others} is a number, so leading zeros are lost.`;
      const next = 'If an ID begins with a zero, format the column as text and type the ID again.';
      this.#hints.push({ row, column, message, next });
    }
    for (const hint of this.#ids.hints()) this.#hints.push(hint);
    return { entries: this.#entries, problems: this.#problems, hints: this.#hints };
  }

  #refuse(row: number | null, column: ListColumn | null, message: string, next: string): void {
    this.#problems.push({ row, column, message, next });
  }

  /** @returns null if a cell is wrong, which was then reported */
  #read(row: number, cell: (column: ListColumn) => unknown): AwardEntry | null {
    const text = (column: ListColumn, most: number) => this.#text(row, column, cell(column), most);
    const campus = this.#campus(row, text('Campus', LONGEST_TEXT));
    const course = text('Course', LONGEST_TEXT);
    const courseId = this.#id(row, 'Course ID', cell('Course ID'));
    const enrolled = this.#enrolled(row, text('Enrolled', LONGEST_TEXT));
    const professorId = this.#id(row, 'Prof ID', cell('Prof ID'));
    const professor = text('Professor', LONGEST_TEXT);
    const type = this.#type(row, text('Type', LONGEST_TEXT));
    if (campus === null || course === null || courseId === null || enrolled === null) return null;
    if (professorId === null || professor === null || type === null) return null;
    if (!typesFor('by-campus', campus).includes(type)) {
      const message = `Core courses of ${campus} are not in any report by campus.`;
      this.#hints.push({ row, column: 'Type', message, next: 'Check the campus and the type.' });
    }
    return { campus, course, courseId, enrolled, professorId, professor, type };
  }

  #text(
    row: number,
    column: ListColumn,
    cell: unknown,
    most: number,
    whyConverted: (text: string) => string | null = spreadsheetValue,
  ): string | null {
    const text = cellText(cell);
    if (text === null) {
      this.#refuse(row, column, `${column} must be text or a number.`, 'Type the value again.');
      return null;
    }
    const converted = whyConverted(text);
    if (!VISIBLE.test(text))
      this.#refuse(
        row,
        column,
        `${column} is empty.`,
        'Fill it in, or remove the row. If cells are merged, only the first one has a value.',
      );
    else if (converted !== null) {
      this.#refuse(
        row,
        column,
        `${shown(text)} is ${converted}.`,
        'Format the cell as text, and type the original value.',
      );
    } else if (text.length > most) {
      this.#refuse(row, column, `${column} has more than ${most} characters.`, 'Shorten it.');
    } else return text;
    return null;
  }

  #id(row: number, column: 'Course ID' | 'Prof ID', cell: unknown): string | null {
    if (typeof cell === 'number') {
      const numbers = this.#numbers.get(column);
      if (numbers) numbers.more++;
      else this.#numbers.set(column, { row, more: 0 });
    }
    const isLong = typeof cell === 'number' && Math.abs(cell) >= TOO_LONG_NUMBER;
    return this.#text(row, column, cell, LONGEST_ID, (text) => (isLong ? LONG_NUMBER : spreadsheetId(text)));
  }

  #campus(row: number, text: string | null): AwardCampus | null {
    if (text === null) return null;
    const campus = campusOf(text);
    if (campus === null)
      this.#refuse(row, 'Campus', `${shown(text)} is not a campus.`, `Use ${orOf(AWARD_CAMPUSES)}.`);
    return campus;
  }

  #type(row: number, text: string | null): CourseType | null {
    if (text === null) return null;
    const type = courseTypeOf(text);
    if (type === null)
      this.#refuse(row, 'Type', `${shown(text)} is not a course type.`, 'Use Elective or Core.');
    return type;
  }

  #enrolled(row: number, text: string | null): number | null {
    if (text === null) return null;
    const enrolled = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (enrolled <= MAX_ENROLLED) return enrolled;
    const most = grouped(MAX_ENROLLED);
    const message = `${shown(text)} is not a whole number from 0 to ${most}.`;
    this.#refuse(row, 'Enrolled', message, 'Enter the number of enrolled students, in digits only.');
    return null;
  }
}

const LONG_NUMBER = 'a number with more than 15 digits, of which a spreadsheet keeps only the first 15';

function orOf(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}
