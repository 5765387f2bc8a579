/** Checks uploaded CSVs row by row while they come in, and writes them anew as the LMS reads them (OP-53, OP-33). */
import type { SisFilePart } from '@lms-admin/contract/sis-files';
import { type SisKind, sisKind } from '@lms-admin/domain/sis-kinds';
import {
  deletes,
  formProblem,
  headerProblems,
  MAX_NEW_USERS_IN_FILE,
  rowCheck,
  type SisRules,
  shown,
  sisHeader,
} from '@lms-admin/domain/sis-rows';
import { type Admin, mayGiveRole } from '../access/admin.ts';
import { tooManyCsvRows } from '../imports/payload.ts';
import { AppError } from '../platform/errors.ts';
import { BadCsv, csvRows } from './csv-rows.ts';
import { type Decoding, decoded } from './decode.ts';
import { type CheckedPart, PartRows } from './part-rows.ts';
import { fileRefused, type Problems } from './problems.ts';
import { type CheckServices, Reach } from './reach.ts';
import { readRoleNames } from './role-names.ts';
import { NamedCourses } from './warnings.ts';

/** Characters of a written piece. */
const PIECE_CHARACTERS = 131_072;
/** Rows that delete enrolments, by what they name. */
export interface Deleted {
  rows: number;
  people: number;
  byCourse: Map<string, number>;
  /** Where the row names a section only. */
  bySection: Map<string, number>;
}

/** The check of one upload: a CSV, or the CSVs of a zip one after the other. */
export class FileCheck {
  readonly deleted: Deleted = { rows: 0, people: 0, byCourse: new Map(), bySection: new Map() };
  /** Courses that the rows name. Those of limited reach are asked about by `reach`, which refuses the others. */
  readonly named = new NamedCourses();
  readonly reach: Reach;
  /** Roles given, as `id level`, for asking again when the file is submitted. */
  readonly roles = new Set<string>();
  readonly #services: CheckServices;
  readonly #admin: Admin;
  readonly #problems: Problems;
  readonly #signal: AbortSignal;
  readonly #limited: boolean;
  #enrollmentRows = 0;

  constructor(services: CheckServices, admin: Admin, problems: Problems, signal: AbortSignal) {
    this.#services = services;
    this.#admin = admin;
    this.#problems = problems;
    this.#signal = signal;
    this.#limited = admin.record.perm !== 'ALL';
    this.reach = new Reach(services, admin, problems, signal);
  }

  /**
   * Checks one CSV.
   * @param inZip whether problems have to say which file they are in
   * @param done is told the result when the last text has been taken
   * @returns the CSV anew, in pieces; nothing more once a problem was found
   * @throws AppError bad-request when there are too many problems, or none of the rest could be understood
   */
  async *texts(
    source: AsyncIterable<Uint8Array>,
    name: string,
    inZip: boolean,
    done: (checked: CheckedPart) => void,
  ): AsyncGenerator<string, void, void> {
    const label = inZip ? name : null;
    const found: Decoding = { encoding: 'utf-8' };
    let delimiter: SisFilePart['delimiter'] = ',';
    const batches = csvRows(decoded(source, found), (one) => {
      delimiter = one;
    });
    const rows = new PartRows(this.#problems, label);
    let row = 0;
    let out = '';
    try {
      for await (const batch of batches) {
        for (const cells of batch) {
          row++;
          if (trimmed(cells)) {
            rows.blankRow(row);
            continue;
          }
          if (rows.kind === null) {
            const kind = await this.#begin(rows, cells, row, label);
            out = written(rows.header);
            if (kind === 'enrollment') rows.most = this.#services.config.maxEnrollmentRows;
            continue;
          }
          if (!this.#row(rows, cells, row)) continue;
          out += `\n${written(cells)}`;
        }
        await this.reach.inBetween(label);
        if (this.#problems.any) out = '';
        if (out.length < PIECE_CHARACTERS) continue;
        yield out;
        out = '';
      }
    } catch (error) {
      if (!(error instanceof BadCsv)) throw error;
      this.#problems.add(label, error.row, null, error.message);
      this.#problems.throwIfAny();
    }
    if (rows.kind === null) this.#problems.add(label, null, null, 'The file is empty.');
    else if (rows.count === 0 && !this.#problems.any)
      this.#problems.add(label, null, null, 'There are no rows below the header.');
    await this.reach.atEnd(label);
    this.#problems.throwIfAny();
    if (out !== '') yield out;
    done(rows.checked(name, found.encoding, delimiter));
  }

  /** The header: decides what the rows are. */
  async #begin(
    rows: PartRows,
    cells: readonly string[],
    row: number,
    label: string | null,
  ): Promise<SisKind> {
    const header = sisHeader(cells);
    const kind = sisKind(header);
    const refuse = (column: string | null, message: string) =>
      this.#problems.add(label, row, column, message);
    if (kind === null) {
      refuse(null, `These columns make no file that the LMS knows: ${shown(header.join(','))}.`);
    } else if (kind === 'admin') {
      refuse(null, 'A file of administrators cannot be sent from here.');
    } else if (this.#limited && kind !== 'user' && kind !== 'enrollment') {
      refuse(null, 'You may send files of users and of enrollments only.');
    }
    if (kind === null || this.#problems.any) throw refusal(this.#problems);
    for (const problem of headerProblems(kind, header, this.#limited))
      refuse(problem.column, problem.message);
    this.#problems.throwIfAny();
    rows.begin(kind, header, rowCheck(kind, header, await this.#rules(kind, header)));
    this.reach.begin(kind, header);
    return kind;
  }

  async #rules(kind: SisKind, header: readonly string[]): Promise<SisRules> {
    const named = kind === 'enrollment' && header.includes('role');
    return {
      limited: this.#limited,
      mayGiveRole: (id, level) => {
        this.roles.add(`${id} ${level}`);
        return mayGiveRole(this.#admin, id, level);
      },
      rolesNamed: named ? await readRoleNames(this.#services.canvas, this.#admin, this.#signal) : () => [],
    };
  }

  /** @returns whether the row is to be sent */
  #row(rows: PartRows, cells: string[], row: number): boolean {
    const { kind, header } = rows;
    const problem = formProblem(cells, header, kind) ?? rows.check?.(cells) ?? null;
    if (problem !== null) {
      rows.problem(row, problem.column, problem.message);
      return false;
    }
    if (cells.length > header.length) cells.length = header.length;
    const status = rows.take(row, cells);
    if (kind === 'enrollment' && ++this.#enrollmentRows > rows.most) throw tooManyCsvRows(rows.most);
    if (kind === 'user' && this.#limited && rows.count > MAX_NEW_USERS_IN_FILE) throw tooManyUsers();
    if (deletes(status)) this.#delete(rows, cells);
    if (!this.#limited) this.named.note(kind, cells[rows.at.course]);
    this.reach.row(rows.label, row, cells);
    return true;
  }

  #delete({ kind, at }: PartRows, cells: readonly string[]): void {
    const { deleted } = this;
    deleted.rows++;
    if (kind === 'user') deleted.people++;
    if (kind !== 'enrollment') return;
    const course = cells[at.course] ?? '';
    const section = cells[at.section] ?? '';
    const [counts, name] = course === '' ? [deleted.bySection, section] : [deleted.byCourse, course];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

/** Trims every cell, which the LMS does too. @returns whether nothing is left */
function trimmed(cells: string[]): boolean {
  let blank = true;
  for (let at = 0; at < cells.length; at++) {
    let cell = cells[at] as string;
    if (cell === '') continue;
    const first = cell.charCodeAt(0);
    const last = cell.charCodeAt(cell.length - 1);
    if (first <= 32 || last <= 32 || first > 126 || last > 126) {
      cell = cell.trim();
      cells[at] = cell;
    }
    if (cell !== '') blank = false;
  }
  return blank;
}

const NEEDS_QUOTES = /[",\r\n]/;

/** A line of trimmed cells. */
function written(cells: readonly string[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string;
    if (at > 0) line += ',';
    line += NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return line;
}

/** A header that cannot be worked with ends the check at once. */
function refusal(problems: Problems): AppError {
  try {
    problems.throwIfAny();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  return fileRefused('The file does not fit. Nothing has been sent.');
}

function tooManyUsers(): AppError {
  const number = new Intl.NumberFormat('en-GB').format(MAX_NEW_USERS_IN_FILE);
  return new AppError('too-many-rows', {
    message: `The file has more than ${number} people, the most that you may create at once.`,
    next: 'Upload it in parts. Nothing has been sent.',
  });
}
