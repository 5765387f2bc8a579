/** Analyses a draft: the kind of file, its groups of problems, and the rows that have them. */
import { type DraftRow, MOST_DRAFT_ROWS } from '@lms-admin/contract/sis-drafts';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { Corrections } from '@lms-admin/domain/sis-corrections';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import type { SisDraftSummary } from '../../platform/schema.ts';
import { storable } from '../../platform/text.ts';
import { type Late, remainingProblems } from './corrected-rows.ts';
import type { Found, GroupedProblems, ProblemKind } from './grouped-problems.ts';

/** Maximum number of columns with correctable cells; the widest table has about twenty. */
const MOST_WIDE = 150;
/** Longest cell that is shown, and longest value that can be replaced everywhere. */
const MOST_SHOWN = 2_000;
/** Characters of all listed rows: a page has a hundred of them. */
const MOST_LISTED_CHARACTERS = 16_000_000;
const SAMPLE_ROWS = 10;
const MOST_FIRST = 5;
const MOST_VALUES = 20;
const MOST_DIFFERENT = 1_000;
/** Usual names of password columns, whatever the kind of file. */
const SECRET = /passw|passphrase|pwd|secret|kennwort|contraseñ|mot.?de.?passe/i;

export type FileShape = SisDraftSummary['shape'];
type DraftSummary = SisDraftSummary['draft'];

/** Reads the shape of a file. @returns null if it has no header @throws BadCsv */
export async function shapeOf(rows: AsyncIterable<CsvRow[]>): Promise<FileShape | null> {
  let shape: FileShape | null = null;
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      if (shape === null) {
        const header = cells.map(storable);
        while (header.length > 0 && header.at(-1) === '') header.pop();
        shape = { header, headerRow: row, width: header.length, lastRow: row, rows: 0 };
        continue;
      }
      shape.rows++;
      shape.lastRow = row;
      let filled = cells.length;
      while (filled > shape.width && cells[filled - 1] === '') filled--;
      if (filled > shape.width) shape.width = Math.min(filled, MOST_WIDE);
    }
  }
  if (shape) shape.width = Math.max(shape.header.length, shape.width);
  return shape;
}

export interface Looked {
  summary: SisDraftSummary;
  /** Rows with problems, as lines of JSON. */
  lines: string[];
  /** Rows with corrected cells, in the same form. */
  corrected: string[];
}

type LookedFile = Omit<SisDraftSummary, 'draft'>;

/**
 * Analyses the corrected rows together with the problems found in them.
 * @param file kept unchanged
 */
export async function look(
  rows: AsyncIterable<CsvRow[]>,
  corrections: Corrections,
  problems: GroupedProblems,
  file: LookedFile,
): Promise<Looked> {
  const looking = new Looking(corrections, problems, file);
  let begun = false;
  for await (const batch of rows) {
    for (const one of batch) {
      if (begun) looking.take(one);
      begun = true;
    }
  }
  const { lines, corrected } = looking;
  return { lines: lines.lines, corrected: corrected.lines, summary: { draft: looking.draft(), ...file } };
}

class Looking {
  /** Rows with problems, and rows with corrected cells. */
  readonly lines = new Listed();
  readonly corrected = new Listed();
  readonly #beside: { fails: Beside; unknown: Beside };
  readonly #corrections: Corrections;
  readonly #problems: GroupedProblems;
  readonly #shape: FileShape;
  readonly #columns: Columns;
  readonly #groups: Group[];
  readonly #found: Iterator<Found, void, void>;
  #next: IteratorResult<Found, void>;
  readonly #header: DraftSummary['header'];
  readonly #sample: string[][] = [];
  #leftOut = 0;

  constructor(corrections: Corrections, problems: GroupedProblems, { shape, beside }: LookedFile) {
    this.#corrections = corrections;
    this.#problems = problems;
    this.#shape = shape;
    this.#columns = new Columns(corrections, shape);
    this.#beside = { fails: new Beside(beside?.fails), unknown: new Beside(beside?.unknown) };
    this.#groups = problems.kinds.map((kind, id) => new Group(id, kind, this.#columns.placeOf(kind.column)));
    this.#found = problems.inOrder();
    this.#next = this.#found.next();
    this.#header = [...this.#upTo(shape.headerRow)].map((one) => ({
      column: problems.kinds[one.kind]?.column ?? null,
      message: problems.messageOf(one),
    }));
  }

  /** Adds the next row below the header. */
  take({ row, cells }: CsvRow): void {
    if (this.#corrections.leavesOut(row)) {
      this.#leftOut++;
      return;
    }
    if (this.#sample.length < SAMPLE_ROWS)
      this.#sample.push(this.#columns.shown(this.#corrections.cells(row, cells)));
    const found: Found[] = [];
    for (const one of this.#upTo(row)) if (one.row === row) found.push(one);
    const now = this.#corrections.cells(row, cells);
    for (const beside of [this.#beside.fails, this.#beside.unknown]) beside.take(row, now);
    const corrected = this.#corrections.correctedColumns(cells, now);
    if (found.length === 0 && corrected.length === 0) return;
    for (const one of found) {
      const group = this.#groups[one.kind] as Group;
      group.add(row, this.#columns.valueAt(group.column, now), this.#problems.messageOf(one));
    }
    const line = this.#line(row, now, corrected, found);
    if (found.length > 0) this.lines.add(line);
    if (corrected.length > 0) this.corrected.add(line);
  }

  draft(): DraftSummary {
    return {
      kind: this.#columns.kind,
      rows: this.#shape.rows - this.#leftOut,
      left_out: this.#leftOut,
      columns: this.#columns.described(),
      sample: this.#sample,
      header: this.#header.slice(0, 100),
      groups: this.#groups
        .map((group) => group.described())
        .filter((group) => group.rows > 0)
        .sort((a, b) => b.rows - a.rows),
      wrong: this.lines.count,
      listed: this.lines.lines.length,
      corrected: this.corrected.count,
      corrected_listed: this.corrected.lines.length,
      beside: { fails: this.#beside.fails.rows, unknown: this.#beside.unknown.rows },
    };
  }

  /** Yields the problems of the rows up to this one that have not been yielded yet. */
  *#upTo(row: number): Generator<Found, void, void> {
    for (; !this.#next.done && this.#next.value.row <= row; this.#next = this.#found.next())
      yield this.#next.value;
  }

  #line(row: number, now: readonly string[], corrected: number[], found: readonly Found[]): DraftRow {
    return {
      row,
      cells: this.#columns.shown(now),
      corrected,
      problems: found.map((one) => ({
        column: this.#groups[one.kind]?.column ?? null,
        group: one.kind,
        message: this.#problems.messageOf(one),
      })),
    };
  }
}

/** Rows as lines of JSON: all are counted, but only the listed ones are kept. */
class Listed {
  readonly lines: string[] = [];
  count = 0;
  #characters = 0;

  add(row: DraftRow): void {
    this.count++;
    if (this.lines.length >= MOST_DRAFT_ROWS || this.#characters > MOST_LISTED_CHARACTERS) return;
    const line = JSON.stringify(row);
    this.#characters += line.length;
    this.lines.push(line);
  }
}

/** Counter of rows that still have a problem which was not opened for correction. */
class Beside {
  rows = 0;
  readonly #of = new Map<number, Late>();

  constructor(late: Late = []) {
    for (const one of late) this.#of.set(one[0], [...(this.#of.get(one[0]) ?? []), one]);
  }

  take(row: number, cells: readonly string[]): void {
    if (remainingProblems(this.#of.get(row) ?? [], cells).length > 0) this.rows++;
  }
}

/** Columns of a file as it will be sent, with those that are hidden. */
class Columns {
  readonly names: string[];
  readonly kind: DraftSummary['kind'];
  readonly #shape: FileShape;
  readonly #secret: boolean[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(corrections: Corrections, shape: FileShape) {
    this.names = corrections.names(shape.header);
    const table = sisTableFor(sisHeader(corrections.sentHeader(shape.header)));
    this.kind = table?.kind ?? null;
    this.#shape = shape;
    this.#secret = this.names.map(
      (name, at) =>
        (SECRET.test(shape.header[at] ?? name) && !/notif/i.test(name)) ||
        (table?.secret ?? []).includes(name.trim().toLowerCase()),
    );
    // If two columns have the same name, the first one is used.
    this.#places = new Map(
      this.names.map((name, at) => [name.trim().toLowerCase(), at] as const).toReversed(),
    );
  }

  /** Returns the index of a column by its name as sent. */
  placeOf(name: string | null): number | null {
    return name === null ? null : (this.#places.get(name) ?? null);
  }

  /** Returns a row with hidden cells removed. */
  shown(cells: readonly string[]): string[] {
    return cells.map((cell, at) => {
      if (this.#secret[at] && cell !== '') return '••••';
      return storable(cell.length > MOST_SHOWN ? `${cell.slice(0, MOST_SHOWN)}…` : cell);
    });
  }

  /** Returns the value of a cell; null if it is hidden. */
  valueAt(at: number | null, cells: readonly string[]): string | null {
    return at === null || this.#secret[at] ? null : (cells[at] ?? '');
  }

  described(): DraftSummary['columns'] {
    const { header, width } = this.#shape;
    return this.names.map((name, at) => ({
      header: storable((header[at] ?? '').slice(0, 200)),
      name: storable(name.trim().toLowerCase().slice(0, 200)),
      added: at >= width,
      secret: this.#secret[at] ?? false,
    }));
  }
}

/** Rows with one kind of problem, and their values. */
class Group {
  /** Index of the group's column in the file; null if the problem concerns no column. */
  readonly column: number | null;
  readonly #id: number;
  readonly #kind: ProblemKind;
  #rows = 0;
  readonly #first: number[] = [];
  readonly #values = new Map<string, number>();
  #different = 0;
  /** Message of the group's rows, while all of them have the same. */
  #message: string | null = null;

  constructor(id: number, kind: ProblemKind, column: number | null) {
    this.#id = id;
    this.#kind = kind;
    this.column = column;
  }

  /** @param value null if it is hidden */
  add(row: number, value: string | null, message: string): void {
    this.#message = this.#rows === 0 || this.#message === message ? message : null;
    this.#rows++;
    if (this.#first.length < MOST_FIRST) this.#first.push(row);
    // Values that look the same to the browser cannot be replaced by value.
    if (value === null || value.length > MOST_SHOWN || value !== storable(value)) return;
    const known = this.#values.get(value);
    if (known === undefined && this.#values.size >= MOST_DIFFERENT) return;
    if (known === undefined) this.#different++;
    this.#values.set(value, (known ?? 0) + 1);
  }

  described(): DraftSummary['groups'][number] {
    return {
      id: this.#id,
      column: this.column,
      name: storable(this.#kind.column ?? ''),
      message: this.#message ?? this.#kind.message,
      kind: this.#kind.message,
      rows: this.#rows,
      first: this.#first,
      values: [...this.#values]
        .sort((a, b) => b[1] - a[1])
        .slice(0, MOST_VALUES)
        .map(([value, count]) => ({ value, rows: count })),
      different: this.#different,
    };
  }
}
