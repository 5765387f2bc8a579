/** Checks uploaded CSVs row by row as they arrive, and rewrites them as the LMS reads them (OP-53, OP-33). */

import { csvLine } from '@lms-admin/domain/csv';
import { BadCsv, CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import { unguarded } from '@lms-admin/domain/formula-guard';
import { counted } from '@lms-admin/domain/numbers';
import { rowCheck } from '@lms-admin/domain/sis-row-rules';
import {
  formProblems,
  headerProblems,
  joinLines,
  looksBinary,
  perCell,
  type RowCheck,
  shown,
  sisHeader,
  valueProblems,
} from '@lms-admin/domain/sis-rows';
import { SIS_TABLES, type SisTable, sisTableFor } from '@lms-admin/domain/sis-tables';
import type { Problems, Report } from '../imports/row-problems.ts';
import { csvBatches } from '../platform/csv/batches.ts';
import { type Decoding, decoded } from '../platform/csv/decode.ts';
import type { Recheck } from '../platform/schema.ts';
import { type CheckedPart, PartRows } from './part-rows.ts';
import { Policies } from './policies/policies.ts';
import type { PolicyContext, TablePolicy } from './policies/policy.ts';
import { Repeated } from './repeated.ts';

/** First character of every guarded cell. */
const QUOTE = "'".charCodeAt(0);

/** Size of a written piece, in characters. */
const PIECE_CHARACTERS = 131_072;

/** One CSV whose header has been read. */
interface Part {
  table: SisTable;
  header: readonly string[];
  rows: PartRows;
  /** Finds values that repeat those of an earlier row. */
  repeated: ReturnType<Repeated['of']>;
  policy: TablePolicy;
  checks: readonly RowCheck[];
}

/** The check of one upload: a CSV, or the CSVs of a zip one after the other. */
export class FileCheck {
  readonly #policies: Policies;
  readonly #problems: Problems;
  readonly #whole: boolean;
  readonly #limited: boolean;
  /** Number of rows that were not checked for repeated ids. */
  readonly #beyond = { ids: 0 };
  readonly #repeated = new Repeated(this.#beyond);

  /** @param whole false skips the row-by-row lookups that follow once everything else is valid */
  constructor(context: PolicyContext, problems: Problems, whole = true) {
    this.#policies = new Policies(context);
    this.#problems = problems;
    this.#whole = whole;
    this.#limited = context.admin.record.perm !== 'ALL';
  }

  /** Returns the data that must be checked again when the upload is submitted. */
  recheck(): Recheck {
    const nothing = { limited: this.#limited, roles: [], courses: [], newPeople: false };
    return Object.assign(nothing, ...this.#policies.all.map((policy) => policy.recheck()));
  }

  /** Returns the sentences about checks that were skipped. */
  unlooked(): string[] {
    const { ids } = this.#beyond;
    if (ids === 0) return [];
    return [`LMS Admin did not look for repeated IDs in the last ${counted(ids, 'row')}.`];
  }

  /**
   * Checks one CSV.
   * @param inZip whether problems name their file
   * @param done receives the result after the last text has been read
   * @param reader has the delimiter, if it is known
   * @returns the CSV again, in pieces; nothing more once a problem was found
   * @throws AppError bad-request when there are too many problems, or the rest cannot be parsed
   */
  async *texts(
    source: AsyncIterable<Uint8Array>,
    name: string,
    inZip: boolean,
    done: (checked: CheckedPart) => void,
    reader = new CsvReader(null),
  ): AsyncGenerator<string, void, void> {
    const report = this.#problems.reportFor(inZip ? name : null);
    const found: Decoding = { encoding: 'utf-8' };
    let part: Part | null = null;
    let out = '';
    try {
      for await (const batch of csvBatches(decoded(source, found), reader)) {
        let rows = batch;
        if (part === null) {
          part = await this.#begin(rows[0] as CsvRow, name, report);
          out = csvLine(part.header);
          rows = rows.slice(1);
        }
        out += this.#rows(part, rows, report);
        await part.policy.between();
        if (this.#problems.any) out = '';
        if (out.length < PIECE_CHARACTERS) continue;
        yield out;
        out = '';
      }
    } catch (error) {
      if (!(error instanceof BadCsv)) throw error;
      report(error.row, null, error.message);
      throw this.#problems.refusal();
    }
    if (part === null) {
      report(null, null, 'The file is empty.');
      throw this.#problems.refusal();
    }
    if (part.rows.count === 0 && !this.#problems.any) {
      report(null, null, 'There are no rows below the header.');
    }
    if (this.#whole && !this.#problems.any) this.#problems.rowsFit?.();
    await part.policy.end(this.#whole && !this.#problems.any);
    this.#problems.throwIfAny();
    if (out !== '') yield out;
    done(part.rows.checked(name, found, reader));
  }

  /** Reads the header, which decides the kind of rows. @throws AppError bad-request */
  async #begin({ row, cells }: CsvRow, name: string, report: Report): Promise<Part> {
    const header = sisHeader(cells);
    const table = sisTableFor(header);
    if (table === null && looksBinary(cells.join(','))) {
      report(null, null, 'This is not a CSV file, but a picture, a PDF or something else.');
      throw this.#problems.refusal();
    }
    const refusal = table ? senderProblem(table, this.#limited) : unknownHeader(header);
    if (refusal !== null) report(row, null, refusal);
    if (refusal !== null || table === null) throw this.#problems.refusal();
    const policy = this.#policies.of(table.kind);
    const wrong = [...headerProblems(table, header), ...policy.headerProblems(header)];
    for (const { column, message } of wrong) report(row, column, message);
    if (wrong.length > 0) throw this.#problems.refusal();
    const checks = [rowCheck(table, header), ...(await policy.begin(header, report))];
    return {
      table,
      header,
      policy,
      checks,
      repeated: this.#repeated.of(table, header, name),
      rows: new PartRows(table, header, row, report),
    };
  }

  /** @returns the lines of the rows to send */
  #rows(part: Part, batch: readonly CsvRow[], report: Report): string {
    const { table, header, rows, repeated, policy, checks } = part;
    let out = '';
    for (const { row, cells } of batch) {
      // Downloaded failed rows, whose cells are guarded, are uploaded again here.
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at] as string;
        if (cell.charCodeAt(0) === QUOTE) cells[at] = unguarded(cell);
      }
      // Reports all problems of a row together, so that the row has to be corrected only once.
      const own = perCell([
        formProblems(cells, header, table),
        ...checks.map((check) => check(cells)),
        valueProblems(cells, header, table),
      ]);
      const twice = repeated(row, cells);
      for (const { column, message, kind } of own) report(row, column, message, kind);
      for (const { column, message, kind } of twice) report(row, column, message, kind);
      const fits = own.length === 0 && twice.length === 0;
      policy.take(row, cells, fits);
      if (!fits) continue;
      if (cells.length > header.length) cells.length = header.length;
      rows.joined += joinLines(cells, header, table);
      rows.take(row, cells);
      out += `\n${csvLine(cells)}`;
    }
    return out;
  }
}

/** Returns why an admin cannot send the table at all; null if they can. @param limited whether their scope is `CUSTOM` */
export function senderProblem({ senders, title }: SisTable, limited: boolean): string | null {
  if (senders === 'nobody') return `A file of ${title.toLowerCase()} cannot be sent with this tool.`;
  if (senders === 'everybody' || !limited) return null;
  const may = SIS_TABLES.filter((one) => one.senders === 'everybody');
  return `You can send only files of ${may.map((one) => one.title.toLowerCase()).join(' and of ')}.`;
}

function unknownHeader(header: readonly string[]): string {
  return `These columns do not match any SIS file type: ${shown(header.join(','))}.`;
}
