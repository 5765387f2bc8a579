/**
 * Corrections of a file with problems, without rewriting it: steps that are applied to its rows, the last of which can
 * be undone. Pure; the same steps on the same rows always give the same rows.
 */

/** Columns are counted from 0 in the original file; added columns follow. */
export type CorrectionStep =
  /** The name of each column (empty for a skipped one), and columns with one value in every row. */
  | { does: 'columns'; names: readonly string[]; added: readonly { name: string; value: string }[] }
  /** Single cells. */
  | { does: 'cells'; cells: readonly { row: number; column: number; value: string }[] }
  /** The same value in the same column, in every row of the file. */
  | { does: 'replace'; column: number; from: string; to: string }
  /** Removes spaces, line breaks and invisible characters from every cell of a column. */
  | { does: 'join'; column: number }
  | { does: 'leave-out'; rows: readonly number[] };

/** Maximum number of single corrected cells, of skipped rows, and of steps. */
export const MOST_CELLS = 20_000;
export const MOST_LEFT_OUT = 10_000;
export const MOST_STEPS = 2_000;
/** Maximum number of steps that each process every row. */
export const MOST_WHOLE_STEPS = 200;

const ANY_BLANK = /[\s\u200b-\u200d\u2060\ufeff]+/g;

type WholeStep = Extract<CorrectionStep, { does: 'replace' | 'join' }> & { at: number };
interface CellStep {
  at: number;
  column: number;
  value: string;
}

/** Number of columns of a file: in its header, and in its longest row. */
export interface FileWidth {
  header: number;
  width: number;
}

/** Steps, ready to apply to rows. */
export class Corrections {
  readonly #file: FileWidth;
  readonly #columns: Extract<CorrectionStep, { does: 'columns' }> | null;
  readonly #whole: WholeStep[] = [];
  readonly #cells = new Map<number, CellStep[]>();
  readonly #out = new Set<number>();

  constructor(steps: readonly CorrectionStep[], file: FileWidth) {
    this.#file = file;
    this.#columns = steps.findLast((one) => one.does === 'columns') ?? null;
    for (const [at, step] of steps.entries()) {
      if (step.does === 'replace' || step.does === 'join') this.#whole.push({ ...step, at });
      else if (step.does === 'leave-out') for (const row of step.rows) this.#out.add(row);
      else if (step.does === 'cells') for (const cell of step.cells) this.#cell(at, cell);
    }
  }

  #cell(at: number, { row, column, value }: { row: number; column: number; value: string }): void {
    const corrections = this.#cells.get(row);
    if (corrections) corrections.push({ at, column, value });
    else this.#cells.set(row, [{ at, column, value }]);
  }

  /** Lists the columns added to every row. */
  get added(): readonly { name: string; value: string }[] {
    return this.#columns?.added ?? [];
  }

  leavesOut(row: number): boolean {
    return this.#out.has(row);
  }

  /**
   * Returns the sent name of every column, in the order of `cells`; empty for one that is not sent.
   * @param header original
   */
  names(header: readonly string[]): string[] {
    const from = this.#columns?.names ?? header;
    const own = Array.from({ length: this.#file.width }, (_, at) =>
      at < this.#file.header ? (from[at] ?? '') : '',
    );
    return [...own, ...this.added.map(({ name }) => name)];
  }

  /** Returns all cells of a row with corrections: those of the file, of added columns, and beyond the header. */
  cells(row: number, from: readonly string[]): string[] {
    const { width } = this.#file;
    const cells = Array.from({ length: width }, (_, at) => from[at] ?? '');
    for (const { value } of this.added) cells.push(value);
    for (let at = width; at < from.length; at++) cells.push(from[at] ?? '');
    const own = this.#cells.get(row) ?? [];
    let next = 0;
    for (const step of this.#whole) {
      for (let one = own[next]; one && one.at < step.at; one = own[++next]) put(cells, one);
      const cell = cells[step.column];
      if (cell === undefined) continue;
      if (step.does === 'join') cells[step.column] = cell.replace(ANY_BLANK, '');
      else if (cell === step.from) cells[step.column] = step.to;
    }
    for (let one = own[next]; one; one = own[++next]) put(cells, one);
    return cells;
  }

  /**
   * Returns the columns of a row that differ from the file, or from the added value.
   * @param corrected as returned by `cells`
   */
  correctedColumns(from: readonly string[], corrected: readonly string[]): number[] {
    const { width } = this.#file;
    const own = Array.from({ length: width }, (_, at) => from[at] ?? '');
    const came = [...own, ...this.added.map(({ value }) => value), ...from.slice(width)];
    return corrected.flatMap((value, at) => (value === (came[at] ?? '') ? [] : [at]));
  }

  /** Returns the header to send. @param header original */
  sentHeader(header: readonly string[]): string[] {
    if (!this.#columns) return header.slice(0, this.#file.header);
    return this.names(header).filter((name) => name !== '');
  }

  /** Returns the positions in `cells` of the columns to send, in the order of the sent header. */
  sentPlaces(): number[] {
    const { header, width } = this.#file;
    const own = Array.from({ length: header }, (_, at) => at);
    return [...own.filter((at) => this.#isSent(at)), ...this.added.map((_, at) => width + at)];
  }

  /** Returns whether a column of the header is sent. */
  #isSent(at: number): boolean {
    return !this.#columns || (this.#columns.names[at] ?? '') !== '';
  }

  /** Returns the cells of a row to send; those beyond the header come last. @param cells as returned by `cells` */
  sent(cells: readonly string[]): string[] {
    const { header, width } = this.#file;
    const afterAdded = width + this.added.length;
    const kept = cells.slice(0, header).filter((_, at) => this.#isSent(at));
    const beyond = [...cells.slice(header, width), ...cells.slice(afterAdded)];
    while (beyond.length > 0 && beyond.at(-1) === '') beyond.pop();
    return [...kept, ...cells.slice(width, afterAdded), ...beyond];
  }
}

function put(cells: string[], { column, value }: CellStep): void {
  if (column < cells.length) cells[column] = value;
}

/** Values in a sentence are quoted as in `shown`; rows are named by number. */
const QUOTED = /“[^”]*”?|"(?:[^"\\]|\\.)*"?/g;

/** Returns the kind of a problem, regardless of the value: problems of one kind are grouped. */
export function problemKind(message: string): string {
  return message
    .replace(QUOTED, '…')
    .replace('….', '…')
    .replace(/(?<=already in )row \d+( of .+?)?(?=\.(?: |$))/, 'an earlier row');
}

const STATUS_WORDS: Readonly<Record<string, readonly string[]>> = {
  active:
    'activ aktiv actif active activo attivo ativo actief enabled enrolled inscrit angemeldet yes oui ja add added a'.split(
      ' ',
    ),
  deleted: 'delete remove removed drop dropped supprimé supprime gelöscht geloescht eliminado del d'.split(
    ' ',
  ),
  suspended: 'suspend suspendu gesperrt suspendido'.split(' '),
  completed: 'complete concluded abgeschlossen terminé termine completado'.split(' '),
  inactive: 'inaktiv inactif inactivo deactivated'.split(' '),
};

/**
 * Returns the probable meaning of an invalid value; null if none is likely. It is only ever a suggestion.
 * @param states valid values of the column `status`
 */
export function likelyValue(column: string, value: string, states: readonly string[] = []): string | null {
  if (column === 'status') {
    const word = value.trim().toLowerCase();
    const [state] = Object.entries(STATUS_WORDS).find(([, words]) => words.includes(word)) ?? [];
    if (word === '' || state === undefined) return word === '' && states.includes('active') ? 'active' : null;
    return states.includes(state) ? state : null;
  }
  const joined = value.replace(ANY_BLANK, '');
  return (column === 'login_id' || column === 'email') && joined !== value && joined !== '' ? joined : null;
}
