/** Values that may stand in a file once only: the ids of what its rows are. */
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { SisTable } from '@lms-admin/domain/sis-tables';
import { ownText } from '../platform/text.ts';

/** Most values of a column that are kept: of the largest uploads this is a part. */
const MOST_KEPT = 300_000;

/** Finds repeated ids of one file. */
export class Repeated {
  readonly #columns: { name: string; at: number; rows: Map<string, number> }[];
  readonly #beyond: { ids: number };

  /** @param beyond counts the rows in which nothing was looked for */
  constructor({ once = [] }: SisTable, header: readonly string[], beyond: { ids: number }) {
    this.#columns = once
      .map((name) => ({ name, at: header.indexOf(name), rows: new Map<string, number>() }))
      .filter(({ at }) => at !== -1);
    this.#beyond = beyond;
  }

  /** What of the row stands in an earlier one. */
  problems(row: number, cells: readonly string[]): SisProblem[] {
    const problems: SisProblem[] = [];
    let kept = true;
    for (const { name, at, rows } of this.#columns) {
      const cell = cells[at] ?? '';
      if (cell === '') continue;
      // Letter case parts ids, not logins.
      const key = name === 'login_id' ? cell.toLowerCase() : cell;
      const first = rows.get(key);
      if (first !== undefined) {
        problems.push({
          column: name,
          message: `${shown(cell)} is in row ${first} already. Keep one of the two rows.`,
        });
      } else if (rows.size < MOST_KEPT) rows.set(ownText(key), row);
      else kept = false;
    }
    if (!kept) this.#beyond.ids++;
    return problems;
  }
}
