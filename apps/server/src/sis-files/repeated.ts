/** Values that may stand in an upload once only: the ids of what its rows are. */
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { SisKind, SisTable } from '@lms-admin/domain/sis-tables';
import { FirstPlaces } from './first-places.ts';

/** Most values of a column that are kept: of the largest uploads this is a part. */
const MOST_KEPT = 300_000;
/** Rows of a file are fewer: a place is the number of its file times this, and the row. */
const ROWS_OF_FILE = 2 ** 32;

/** Finds repeated ids: in a file, and in the files of one kind that a zip holds. */
export class Repeated {
  readonly #places = new Map<string, FirstPlaces>();
  readonly #files: string[] = [];
  readonly #beyond: { ids: number };

  /** @param beyond counts the rows in which nothing was looked for */
  constructor(beyond: { ids: number }) {
    this.#beyond = beyond;
  }

  /** @returns what of a row of this file is in an earlier one */
  of({ kind, once = [], apart }: SisTable, header: readonly string[], file: string) {
    const columns = once
      .map((name) => ({ name, at: header.indexOf(name), places: this.#placesOf(kind, name) }))
      .filter(({ at }) => at !== -1);
    const beside = apart === undefined ? -1 : header.indexOf(apart);
    const place = (this.#files.push(file) - 1) * ROWS_OF_FILE;
    return (row: number, cells: readonly string[]): SisProblem[] => {
      const problems: SisProblem[] = [];
      let kept = true;
      for (const { name, at, places } of columns) {
        const cell = cells[at] ?? '';
        if (cell === '') continue;
        // Letter case parts ids, not logins.
        const own = name === 'login_id' ? cell.toLowerCase() : cell;
        const key = cells[beside] ? `${own}\n${cells[beside]}` : own;
        const first = places.note(key, place + row, places.size < MOST_KEPT);
        if (first === 'unknown') kept = false;
        else if (first !== null) problems.push({ column: name, message: this.#message(cell, first, file) });
      }
      if (!kept) this.#beyond.ids++;
      return problems;
    };
  }

  #message(cell: string, first: number, file: string): string {
    const name = this.#files[Math.floor(first / ROWS_OF_FILE)] ?? file;
    const row = `row ${first % ROWS_OF_FILE}`;
    const where = name === file ? row : `${row} of ${name}`;
    return `${shown(cell)} is in ${where} already. Keep one of the two rows.`;
  }

  #placesOf(kind: SisKind, column: string): FirstPlaces {
    const key = `${kind} ${column}`;
    const places = this.#places.get(key) ?? new FirstPlaces();
    this.#places.set(key, places);
    return places;
  }
}
