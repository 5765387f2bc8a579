/** Data collected while a CSV's rows are checked: counts, the first rows, and the positions of empty rows. */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import type { CsvReader } from '@lms-admin/domain/csv-reader';
import type { Sample } from '@lms-admin/domain/encodings';
import type { SisTable } from '@lms-admin/domain/sis-tables';
import type { Report } from '../imports/row-problems.ts';
import type { Decoding } from '../platform/csv/decode.ts';
import type { ImportFile } from '../platform/schema.ts';
import { ownText } from '../platform/text.ts';

const PREVIEW_ROWS = 10;
/** Maximum length of a cell in the preview, and maximum number of statuses that are counted by name. */
const PREVIEW_CHARACTERS = 200;
const MOST_STATUSES = 20;
/** Maximum number of runs of empty rows between others: each has to be stored. */
const MOST_BLANK_RUNS = 20_000;

/** A checked CSV. */
export interface CheckedPart {
  part: SisFilePart;
  file: ImportFile;
  /** Empty rows that were skipped. */
  blankRows: number;
  /** Cells whose line breaks were replaced. */
  joined: number;
  /** Sample words in other encodings that fit as well; the first is the one used. */
  readings: readonly Sample[];
}

/** Data collected about one CSV, from its header on. */
export class PartRows {
  readonly table: SisTable;
  readonly header: readonly string[];
  count = 0;
  readonly #report: Report;
  readonly #status: number;
  readonly #statuses = new Map<string, number>();
  readonly #preview: string[][] = [];
  readonly #blank: [row: number, count: number][] = [];
  /** Cells whose line breaks were replaced. */
  joined = 0;
  /** The row after the last non-empty one. */
  #next = 1;

  /** @param row row of the header */
  constructor(table: SisTable, header: readonly string[], row: number, report: Report) {
    this.table = table;
    this.header = header;
    this.#report = report;
    this.#status = header.indexOf('status');
    this.#reached(row);
  }

  /** Counts a valid row. */
  take(row: number, cells: readonly string[]): void {
    this.count++;
    if (row !== this.#next) this.#reached(row);
    else this.#next++;
    // Rows of changed ids have no status.
    if (this.table.rows.states.length > 0) this.#countStatus(cells);
    if (this.#preview.length < PREVIEW_ROWS) this.#preview.push(this.#shown(cells));
  }

  #countStatus(cells: readonly string[]): void {
    const status = this.#status === -1 ? 'active' : (cells[this.#status] ?? '').toLowerCase();
    const known = this.#statuses.get(status);
    if (known !== undefined) this.#statuses.set(status, known + 1);
    else this.#newStatus(status);
  }

  #newStatus(status: string): void {
    const name = this.#statuses.size < MOST_STATUSES ? ownText(status.slice(0, 50)) : 'other';
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
  }

  /**
   * Records skipped rows as empty: only empty rows are skipped, because no row of the file is kept if one is rejected.
   */
  #reached(row: number): void {
    const count = row - this.#next;
    this.#next = row + 1;
    if (count === 0) return;
    if (this.#blank.length > MOST_BLANK_RUNS) return;
    if (this.#blank.push([row - count, count]) > MOST_BLANK_RUNS) {
      this.#report(row, null, 'Too many empty rows are scattered through the file. Remove the empty rows.');
    }
  }

  #shown(cells: readonly string[]): string[] {
    const secret = this.table.secret ?? [];
    return this.header.map((name, at) => {
      const cell = cells[at] ?? '';
      if (secret.includes(name) && cell !== '') return '••••';
      return ownText(cell.length > PREVIEW_CHARACTERS ? `${cell.slice(0, PREVIEW_CHARACTERS)}…` : cell);
    });
  }

  checked(name: string, { encoding, readings = [] }: Decoding, reader: CsvReader): CheckedPart {
    const delimiter = reader.delimiter ?? ',';
    return {
      part: {
        name,
        kind: this.table.kind,
        header: [...this.header],
        rows: this.count,
        statuses: Object.fromEntries(this.#statuses),
        preview: this.#preview,
        encoding,
        delimiter,
      },
      file: {
        name,
        rows: this.count,
        blank: this.#blank,
        delimiter,
        // The LMS skips a person who is deleted already.
        ...(this.table.kind === 'user' ? { uncounted: this.#statuses.get('deleted') ?? 0 } : {}),
      },
      blankRows: reader.blankRows,
      joined: this.joined,
      readings,
    };
  }
}
