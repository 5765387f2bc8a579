/** Logins that people lose by one row and others take by another: the LMS takes such rows in separate files only, the losing one first. */
import { rowName } from '@lms-admin/domain/sis-effect';
import { type PersonEffect, sameLogin } from '@lms-admin/domain/sis-effect/people';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Evaluation, removes } from './evaluation.ts';
import type { CellsRow, Row } from './gathered.ts';
import type { Found } from './people.ts';

const loginOf = ({ cell }: CellsRow): string => (cell('login_id') ?? '').toLowerCase();
const idOf = ({ cell }: CellsRow): string => cell('user_id') ?? '';
const isSame = (one: Row, two: Row): boolean => one.part === two.part && one.row === two.row;

export class LoginsGivenUp {
  readonly #fileOf: Evaluation['fileOf'];
  readonly #byId: (sisId: string) => Found;
  readonly #byLogin: (login: string) => Found;
  /** Rows by which someone loses a login, by the login in lower case. */
  readonly #rows = new Map<string, CellsRow>();

  constructor(
    { gathered, fileOf }: Evaluation,
    byId: (sisId: string) => Found,
    byLogin: (login: string) => Found,
  ) {
    this.#fileOf = fileOf;
    this.#byId = byId;
    this.#byLogin = byLogin;
    for (const row of gathered.of('user')) {
      const found = byId(idOf(row));
      if (typeof found !== 'object' || found.login === null || found.sisUserId !== idOf(row)) continue;
      if (removes('user', row.cell) || !sameLogin(found.login, loginOf(row)))
        this.#rows.set(found.login.toLowerCase(), row);
    }
  }

  /** A row that takes a login which another one gives up: whether the LMS carries that one out is only known once it has. */
  advised(effect: PersonEffect, row: CellsRow): PersonEffect {
    const other = effect.refused ? this.#rows.get(loginOf(row)) : undefined;
    if (other === undefined) return effect;
    const advice = `${this.#name(other)} gives this login up${this.#order(row, other)}`;
    const problems = effect.problems?.map((one) => ({ ...one, message: `${one.message} ${advice}` })) ?? [];
    return { ...effect, why: `${effect.why} ${advice}`, problems };
  }

  /** In which order the rows can be sent, as the end of a sentence and more. */
  #order(row: CellsRow, other: CellsRow): string {
    // Each takes the login that the next one gives up.
    const before = [other];
    let next = this.#giving(other);
    while (next !== undefined && ![row, ...before].some((one) => isSame(one, next as CellsRow))) {
      before.push(next);
      next = this.#giving(next);
    }
    const inTurn = [...before.toReversed().map((one) => lower(this.#name(one))), 'this row'].join(', then ');
    if (next !== undefined && isSame(next, row)) {
      const through = before.length === 1 ? 'takes' : 'waits for';
      return `, but ${through} the login that this row gives up. Send a file first that gives ${shown(idOf(row))} another login, which no one has. Then send, each in a file of its own: ${inTurn}.`;
    }
    if (next !== undefined || this.#isTaken(before.at(-1) ?? other))
      return ', but cannot be sent itself: correct that row first, and send this one after it.';
    return before.length === 1
      ? ': send that row in a file of its own first, and this one after it.'
      : `, but takes one that another row gives up. Send, each in a file of its own: ${inTurn}.`;
  }

  /** The row that gives up the login which a row takes. */
  #giving(row: CellsRow): CellsRow | undefined {
    return removes('user', row.cell) ? undefined : this.#rows.get(loginOf(row));
  }

  /** Whether the login that a row takes belongs to someone else. */
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
