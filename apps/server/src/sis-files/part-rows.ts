/** What is gathered about one CSV while its rows are checked: counts, the first rows, where blank rows were. */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import type { SisKind } from '@lms-admin/domain/sis-kinds';
import type { RowCheck } from '@lms-admin/domain/sis-rows';
import type { ImportFile } from '../platform/schema.ts';
import type { Problems } from './problems.ts';

const PREVIEW_ROWS = 10;
/** Longest cell of the preview, and most different statuses that are counted by name. */
const PREVIEW_CHARACTERS = 200;
const MOST_STATUSES = 20;
/** Most places with blank rows between others: each has to be remembered. */
const MOST_BLANK_RUNS = 20_000;
/** Most blank rows, the height of a worksheet: reading on through nothing but line ends would take minutes. */
const MOST_BLANK_ROWS = 1_048_576;
const SECRET_COLUMNS = new Set(['password', 'ssha_password']);

/** A checked CSV. */
export interface CheckedPart {
  part: SisFilePart;
  file: ImportFile;
  /** Blank rows that were left out. */
  blankRows: number;
}

/** What is gathered about one CSV. */
export class PartRows {
  kind: SisKind | null = null;
  header: string[] = [];
  check: RowCheck | null = null;
  count = 0;
  most = Number.POSITIVE_INFINITY;
  at = { course: -1, section: -1, status: -1 };
  readonly #problems: Problems;
  readonly label: string | null;
  readonly #statuses = new Map<string, number>();
  readonly #preview: string[][] = [];
  readonly #blank: [number, number][] = [];
  #openBlank: [row: number, count: number] | null = null;
  /** Between others; those at the end are not worth a word. */
  #blankRows = 0;
  #allBlank = 0;

  constructor(problems: Problems, label: string | null) {
    this.#problems = problems;
    this.label = label;
  }

  begin(kind: SisKind, header: string[], check: RowCheck | null): void {
    this.kind = kind;
    this.header = header;
    this.check = check;
    this.at = {
      course: header.indexOf('course_id'),
      section: header.indexOf('section_id'),
      status: header.indexOf('status'),
    };
    this.#closeBlank();
  }

  blankRow(row: number): void {
    if (this.#openBlank) this.#openBlank[1]++;
    else this.#openBlank = [row, 1];
    if (++this.#allBlank <= MOST_BLANK_ROWS) return;
    this.problem(row, null, `There are more than ${MOST_BLANK_ROWS} blank rows: remove them.`);
    this.#problems.throwIfAny();
  }

  problem(row: number, column: string | null, message: string): void {
    this.#problems.add(this.label, row, column, message);
  }

  /** Counts a good row. @returns its status in lower case */
  take(row: number, cells: readonly string[]): string {
    this.count++;
    if (this.#openBlank) {
      this.#closeBlank();
      if (this.#blank.length > MOST_BLANK_RUNS) {
        this.problem(row, null, 'There are too many blank rows between the others: remove them.');
        this.#problems.throwIfAny();
      }
    }
    const status = this.at.status === -1 ? 'active' : (cells[this.at.status] ?? '').toLowerCase();
    const known = this.#statuses.get(status);
    if (known !== undefined) this.#statuses.set(status, known + 1);
    else this.#newStatus(status);
    if (this.#preview.length < PREVIEW_ROWS) this.#preview.push(previewOf(cells, this.header));
    return status;
  }

  #newStatus(status: string): void {
    const name = this.#statuses.size < MOST_STATUSES ? status.slice(0, 50) : 'other';
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
  }

  #closeBlank(): void {
    if (!this.#openBlank) return;
    this.#blank.push(this.#openBlank);
    this.#blankRows += this.#openBlank[1];
    this.#openBlank = null;
  }

  checked(name: string, encoding: SisFilePart['encoding'], delimiter: SisFilePart['delimiter']): CheckedPart {
    if (this.kind === null) throw new Error('a file without header has passed the check');
    return {
      part: {
        name,
        kind: this.kind,
        header: this.header,
        rows: this.count,
        statuses: Object.fromEntries(this.#statuses),
        preview: this.#preview,
        encoding,
        delimiter,
      },
      file: { name, rows: this.count, blank: this.#blank },
      blankRows: this.#blankRows,
    };
  }
}

function previewOf(cells: readonly string[], header: readonly string[]): string[] {
  return header.map((name, at) => {
    const cell = cells[at] ?? '';
    if (SECRET_COLUMNS.has(name) && cell !== '') return '••••';
    return cell.length > PREVIEW_CHARACTERS ? `${cell.slice(0, PREVIEW_CHARACTERS)}…` : cell;
  });
}
