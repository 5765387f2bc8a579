/** Users files: an admin of limited scope can only create people who do not exist yet (OP-53). */
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { earlierRow, type ProblemText, problemText, quotedValue } from '@lms-admin/domain/problem-text';
import type { RowCheck, SisProblem } from '@lms-admin/domain/sis-rows';
import { USER_HEADER, type UsersColumn } from '@lms-admin/domain/sis-tables/users';
import { type Report } from '../../imports/row-problems.ts';
import type { Judge } from '../../imports/sources.ts';
import { AppError } from '../../platform/errors.ts';
import type { Recheck } from '../../platform/schema.ts';
import { ownText } from '../../platform/text.ts';
import { evaluateNewPeople, existingPeople, wasDeleted } from '../../users/existing.ts';
import { PeoplePolicy } from './people.ts';
import { changed } from './policy.ts';

/** Columns permitted for a new person. */
const MAY_USE: readonly UsersColumn[] = [...USER_HEADER, 'full_name'];
/** Maximum number of people: each is looked up in the LMS. */
const MOST = 5_000;
/** An SIS ID or login that the LMS reads exactly as written. */
const PLAIN = /^[\x21-\x7e]{1,255}$/;

interface NewPerson {
  row: number;
  id: string;
  login: string;
}

export class UsersPolicy extends PeoplePolicy {
  #report: Report = () => {};
  #at = { id: -1, login: -1 };
  readonly #people: NewPerson[] = [];
  /** Row of each SIS ID and each login, in lower case. */
  readonly #rows = { user_id: new Map<string, number>(), login_id: new Map<string, number>() };

  override headerProblems(header: readonly string[]): SisProblem[] {
    if (!this.limited) return [];
    const may: readonly string[] = MAY_USE;
    return header
      .filter((name) => name !== '' && !may.includes(name))
      .map((name) => ({
        column: name,
        message: `You do not have permission to use the column ${name} in a users file.`,
      }));
  }

  override async begin(header: readonly string[], report: Report): Promise<RowCheck[]> {
    if (!this.limited) return super.begin(header, report);
    this.#report = report;
    this.#at = { id: header.indexOf('user_id'), login: header.indexOf('login_id') };
    const status = header.indexOf('status');
    return [
      (cells) => {
        const problems: SisProblem[] = [];
        const { id, login } = this.#of(cells);
        if (cells[status]?.toLowerCase() !== 'active')
          problems.push({
            column: 'status',
            message: 'You can only create people, so the status should be active.',
          });
        if (!PLAIN.test(id)) problems.push({ column: 'user_id', ...notPlain('SIS ID', id) });
        if (!PLAIN.test(login)) problems.push({ column: 'login_id', ...notPlain('login', login) });
        return problems;
      },
    ];
  }

  override take(row: number, cells: readonly string[], fits: boolean): void {
    if (!this.limited || !fits) return;
    const { id, login } = this.#of(cells);
    this.#once('user_id', id, row);
    this.#once('login_id', login, row);
    if (this.#people.push({ row, id: ownText(id), login: ownText(login) }) > MOST) throw tooMany();
  }

  override async end(fits: boolean): Promise<void> {
    if (!fits || this.#people.length === 0) return;
    for (const { one, by, message, kind } of await this.#existing(this.#people))
      this.#report(one.row, by, message, kind);
  }

  override recheck(): Partial<Recheck> {
    return { newPeople: this.limited };
  }

  override async ask({ newPeople }: Recheck, rows: () => AsyncIterable<CsvRow[]>): Promise<void> {
    if (!this.limited || !newPeople) return;
    const people: NewPerson[] = [];
    let header: string[] | null = null;
    for await (const batch of rows()) {
      for (const { row, cells } of batch) {
        if (header) people.push({ row, ...this.#of(cells) });
        else {
          header = cells;
          this.#at = { id: header.indexOf('user_id'), login: header.indexOf('login_id') };
        }
      }
    }
    const taken = await this.#existing(people);
    if (taken.length === 0) return;
    throw changed(
      'People in this file have been created in the LMS since it was checked.',
      taken.map(({ by, message }) => [by, message]),
    );
  }

  override judge(rows: () => AsyncIterable<CsvRow[]>): Promise<Judge> {
    const { services, admin, signal } = this.context;
    return evaluateNewPeople(services.people, admin, rows, { signal });
  }

  #of(cells: readonly string[]): { id: string; login: string } {
    return { id: cells[this.#at.id] ?? '', login: cells[this.#at.login] ?? '' };
  }

  #once(column: 'user_id' | 'login_id', value: string, row: number): void {
    const key = value.toLowerCase();
    const first = this.#rows[column].get(key);
    if (first === undefined) this.#rows[column].set(ownText(key), row);
    else {
      const { message, kind } =
        problemText`${quotedValue(value)} is already in ${earlierRow(`row ${first}`)}.`;
      this.#report(row, column, message, kind);
    }
  }

  /** @throws AppError lms-down if the LMS did not answer about a person: that does not prove that they do not exist */
  async #existing(requestedPeople: readonly NewPerson[]) {
    const { services, admin, signal } = this.context;
    const { taken, deleted, unsure } = await existingPeople(services.people, admin, requestedPeople, {
      signal,
    });
    if (unsure.length === 0) {
      return [
        ...taken.map(({ one, by }) => ({
          one,
          by,
          ...problemText`${quotedValue(by === 'user_id' ? one.id : one.login)} is already in the LMS.`,
        })),
        ...deleted.map(({ one }) => ({
          one,
          by: 'user_id' as const,
          ...wasDeleted(one.id),
        })),
      ];
    }
    throw new AppError('lms-down', {
      message: 'LMS Admin could not check whether all of these people exist.',
      nothingSent: true,
    });
  }
}

function notPlain(what: string, value: string): ProblemText {
  return problemText`The ${what} ${quotedValue(value)} has spaces, or characters other than plain letters, digits and punctuation.`;
}

function tooMany(): AppError {
  return new AppError('too-many-rows', {
    message: `The file has more than ${MOST.toLocaleString('en-GB')} people, the maximum that you can create in one upload.`,
    next: 'Upload it in parts. Nothing has been sent.',
  });
}
