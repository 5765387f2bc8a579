/** Values that may stand in an upload once only: the ids of what its rows are. */
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { SisKind, SisTable } from '@lms-admin/domain/sis-tables';
import { ownText } from '../platform/text.ts';

/** Most values of a column that are kept: of the largest uploads this is a part. */
const MOST_KEPT = 300_000;

/** Where each value stands first. */
type Rows = Map<string, readonly [file: string, row: number]>;

/** Finds repeated ids: in a file, and in the files of one kind that a zip holds. */
export class Repeated {
  readonly #rows = new Map<string, Rows>();
  readonly #beyond: { ids: number };

  /** @param beyond counts the rows in which nothing was looked for */
  constructor(beyond: { ids: number }) {
    this.#beyond = beyond;
  }

  /** @returns what of a row of this file stands in an earlier one */
  of({ kind, once = [] }: SisTable, header: readonly string[], file: string) {
    const columns = once
      .map((name) => ({ name, at: header.indexOf(name), rows: this.#rowsOf(kind, name) }))
      .filter(({ at }) => at !== -1);
    return (row: number, cells: readonly string[]): SisProblem[] => {
      const problems: SisProblem[] = [];
      let kept = true;
      for (const { name, at, rows } of columns) {
        const cell = cells[at] ?? '';
        if (cell === '') continue;
        // Letter case parts ids, not logins.
        const key = name === 'login_id' ? cell.toLowerCase() : cell;
        const first = rows.get(key);
        if (first !== undefined) {
          const where = first[0] === file ? `row ${first[1]}` : `row ${first[1]} of ${first[0]}`;
          problems.push({
            column: name,
            message: `${shown(cell)} is in ${where} already. Keep one of the two rows.`,
          });
        } else if (rows.size < MOST_KEPT) rows.set(ownText(key), [file, row]);
        else kept = false;
      }
      if (!kept) this.#beyond.ids++;
      return problems;
    };
  }

  #rowsOf(kind: SisKind, column: string): Rows {
    const key = `${kind} ${column}`;
    const rows = this.#rows.get(key) ?? new Map();
    this.#rows.set(key, rows);
    return rows;
  }
}
