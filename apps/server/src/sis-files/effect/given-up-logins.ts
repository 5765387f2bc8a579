/**
 * Logins that one row takes from a person and another row gives to someone: the LMS accepts such rows only in separate
 * files, the first row in the earlier one.
 */
import { rowName } from '@lms-admin/domain/sis-effect';
import { type PersonEffect, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Evaluation, removes } from './evaluation.ts';
import type { Found } from './people.ts';
import type { CellsRow, Row } from './upload-rows.ts';

const loginOf = ({ cell }: CellsRow): string => (cell('login_id') ?? '').toLowerCase();
const idOf = ({ cell }: CellsRow): string => cell('user_id') ?? '';
const isSame = (one: Row, two: Row): boolean => one.part === two.part && one.row === two.row;

export class LoginsGivenUp {
  readonly #fileOf: Evaluation['fileOf'];
  readonly #byId: (sisId: string) => Found;
  readonly #byLogin: (login: string) => Found;
  /** Rows by which a person loses a login, by the login in lower case. */
  readonly #rows = new Map<string, CellsRow>();

  constructor(
    { uploadRows, fileOf }: Evaluation,
    byId: (sisId: string) => Found,
    byLogin: (login: string) => Found,
  ) {
    this.#fileOf = fileOf;
    this.#byId = byId;
    this.#byLogin = byLogin;
    for (const row of uploadRows.of('user')) {
      const found = byId(idOf(row));
      if (typeof found !== 'object' || found.login === null || found.sisUserId !== idOf(row)) continue;
      if (removes('user', row.cell) || !sameLogin(found.login, loginOf(row)))
        this.#rows.set(found.login.toLowerCase(), row);
    }
  }

  /**
   * Adds advice for a row with a login that another row gives up: whether that row succeeds is known only afterwards.
   */
  advised(effect: PersonEffect, row: CellsRow): PersonEffect {
    const other = effect.refused ? this.#rows.get(loginOf(row)) : undefined;
    if (other === undefined) return effect;
    const advice = `${this.#name(other)} will free this login${this.#order(row, other)}`;
    const problems = effect.problems?.map((one) => ({ ...one, message: `${one.message} ${advice}` })) ?? [];
    return { ...effect, why: `${effect.why} ${advice}`, problems };
  }

  /** Returns the order in which to send the rows, as the end of a sentence. */
  #order(row: CellsRow, other: CellsRow): string {
    // A chain of rows: each takes the login that the next one gives up.
    const before = [other];
    let next = this.#giving(other);
    while (next !== undefined && ![row, ...before].some((one) => isSame(one, next as CellsRow))) {
      before.push(next);
      next = this.#giving(next);
    }
    const inTurn = [...before.toReversed().map((one) => lower(this.#name(one))), 'this row'].join(', then ');
    if (next !== undefined && isSame(next, row)) {
      const through = before.length === 1 ? 'takes' : 'waits for';
      return `, but ${through} the login that this row frees. First send a file that gives ${shown(idOf(row))} another login that no one has. Then send these rows in separate files, in this order: ${inTurn}.`;
    }
    if (next !== undefined || this.#isTaken(before.at(-1) ?? other))
      return ', but that row cannot be sent itself. Correct that row first, and send this row after it.';
    return before.length === 1
      ? '. Send that row first, in a separate file, and then this row.'
      : `, but needs a login that another row frees. Send these rows in separate files, in this order: ${inTurn}.`;
  }

  /** Returns the row that gives up the login in another row. */
  #giving(row: CellsRow): CellsRow | undefined {
    return removes('user', row.cell) ? undefined : this.#rows.get(loginOf(row));
  }

  /** Returns whether the login in a row belongs to another person. */
  #isTaken(row: CellsRow): boolean {
    const [holder, own] = [this.#byLogin(loginOf(row)), this.#byId(idOf(row))];
    if (removes('user', row.cell) || typeof holder !== 'object' || typeof own !== 'object') return false;
    return holder.id !== own.id;
  }

  #name({ part, row }: Row): string {
    return rowName(row, this.#fileOf(part), 'this');
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
