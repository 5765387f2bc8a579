/** Collects up to a hundred problems of rows, with row and column, and throws them together. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import type { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

/** Maximum problems in one error. */
export const MOST_DETAILS = 100;

/**
 * Reports a problem of a row.
 * @param kind as in `problemText`, if the message has values of the row
 * @throws AppError once there are enough problems
 */
export type Report = (row: number | null, column: string | null, message: string, kind?: string) => void;

/** Collector of row problems. */
export type Problems = Pick<RowProblems, 'any' | 'full' | 'reportFor' | 'throwIfAny' | 'refusal'> & {
  /** Called while all rows are valid so far: further problems are found by looking up single rows. */
  rowsFit?: () => void;
};

export class RowProblems {
  readonly #refusal: (details: ErrorDetail[]) => AppError;
  readonly #found: { place: number; detail: ErrorDetail }[] = [];
  /** Files of a zip in order. */
  readonly #files: (string | null)[] = [];

  /** @param refusal creates the error that lists the problems */
  constructor(refusal: (details: ErrorDetail[]) => AppError) {
    this.#refusal = refusal;
  }

  /** Tells whether there has been any problem so far; if so, the rows do not need to be kept. */
  get any(): boolean {
    return this.#found.length > 0;
  }

  /** Tells whether the maximum for one error is reached; if so, no more problems are looked for. */
  get full(): boolean {
    return this.#found.length >= MOST_DETAILS;
  }

  /** @param file name of the file within a zip; null if there is only one file */
  reportFor(file: string | null): Report {
    return (row, column, message, kind) => {
      const named = (text: string) => storable(file === null ? text : `${file}: ${text}`);
      const detail: ErrorDetail = { row, field: column, message: named(message) };
      if (kind !== undefined) detail.kind = named(kind);
      if (!this.#files.includes(file)) this.#files.push(file);
      const place = this.#files.indexOf(file);
      const enough = this.#found.push({ place, detail }) >= MOST_DETAILS;
      if (enough) throw this.refusal();
    };
  }

  /** @throws AppError if there was any problem */
  throwIfAny(): void {
    if (this.any) throw this.refusal();
  }

  /** Creates the error, sorted by row, because problems found in the LMS come later than the others. */
  refusal(): AppError {
    const found = [...this.#found].sort(
      (a, b) => a.place - b.place || (a.detail.row ?? 0) - (b.detail.row ?? 0),
    );
    return this.#refusal(found.map(({ detail }) => detail));
  }
}
