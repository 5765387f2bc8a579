/** Values that must be unique in an upload: the ids of its rows. */
import { earlierRow, type ProblemText, problemText, quotedValue } from '@lms-admin/domain/problem-text';
import type { SisProblem } from '@lms-admin/domain/sis-rows';
import type { SisKind, SisTable } from '@lms-admin/domain/sis-tables';
import { FirstPlaces } from './first-places.ts';

/** Maximum number of values stored for a column, which is only a part of the largest uploads. */
const MOST_KEPT = 300_000;
/** A position is the index of its file times this, plus the row number, which is always smaller. */
const ROWS_OF_FILE = 2 ** 32;

/** Finds repeated ids: in a file, and across the files of one kind in a zip. */
export class Repeated {
  readonly #places = new Map<string, FirstPlaces>();
  readonly #files: string[] = [];
  readonly #beyond: { ids: number };

  /** @param beyond counts the rows that were not checked */
  constructor(beyond: { ids: number }) {
    this.#beyond = beyond;
  }

  /** @returns finds values of a row that are in an earlier one */
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
        // Ids are case-sensitive, logins are not.
        const own = name === 'login_id' ? cell.toLowerCase() : cell;
        const key = cells[beside] ? `${own}\n${cells[beside]}` : own;
        const first = places.note(key, place + row, places.size < MOST_KEPT);
        if (first === 'unknown') kept = false;
        else if (first !== null) problems.push({ column: name, ...this.#problem(cell, first, file) });
      }
      if (!kept) this.#beyond.ids++;
      return problems;
    };
  }

  #problem(cell: string, first: number, file: string): ProblemText {
    const name = this.#files[Math.floor(first / ROWS_OF_FILE)] ?? file;
    const row = `row ${first % ROWS_OF_FILE}`;
    const where = name === file ? row : `${row} of ${name}`;
    return problemText`${quotedValue(cell)} is already in ${earlierRow(where)}. Keep one of the two rows.`;
  }

  #placesOf(kind: SisKind, column: string): FirstPlaces {
    const key = `${kind} ${column}`;
    const places = this.#places.get(key) ?? new FirstPlaces();
    this.#places.set(key, places);
    return places;
  }
}
