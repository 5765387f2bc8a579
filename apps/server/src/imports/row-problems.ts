/** What is wrong with rows: gathered with row and column, up to a hundred, and said at once. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import type { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

/** Most problems that one refusal names. */
export const MOST_DETAILS = 100;

/** Says that something is wrong with a row. @throws AppError once there are enough problems */
export type Report = (row: number | null, column: string | null, message: string) => void;

/** Where problems of rows are gathered. */
export type Problems = Pick<RowProblems, 'any' | 'full' | 'reportFor' | 'throwIfAny' | 'refusal'> & {
  /** Is told when every row has fitted so far: what comes now is found by asking about single rows. */
  rowsFit?: () => void;
};

export class RowProblems {
  readonly #refusal: (details: ErrorDetail[]) => AppError;
  readonly #found: { place: number; detail: ErrorDetail }[] = [];
  /** Files of a zip in their order. */
  readonly #files: (string | null)[] = [];

  /** @param refusal makes the error that names the problems */
  constructor(refusal: (details: ErrorDetail[]) => AppError) {
    this.#refusal = refusal;
  }

  /** Whether anything was wrong so far: then nothing of the rows needs to be kept. */
  get any(): boolean {
    return this.#found.length > 0;
  }

  /** Whether there are as many as one refusal names: nothing more is looked for. */
  get full(): boolean {
    return this.#found.length >= MOST_DETAILS;
  }

  /** @param file name of the file within a zip; null where there is only one */
  reportFor(file: string | null): Report {
    return (row, column, message) => {
      const text = storable(file === null ? message : `${file}: ${message}`);
      if (!this.#files.includes(file)) this.#files.push(file);
      const place = this.#files.indexOf(file);
      const enough =
        this.#found.push({ place, detail: { row, field: column, message: text } }) >= MOST_DETAILS;
      if (enough) throw this.refusal();
    };
  }

  /** @throws AppError when anything was wrong */
  throwIfAny(): void {
    if (this.any) throw this.refusal();
  }

  /** Row by row: what the LMS had to be asked about was found later than the rest. */
  refusal(): AppError {
    const found = [...this.#found].sort(
      (a, b) => a.place - b.place || (a.detail.row ?? 0) - (b.detail.row ?? 0),
    );
    return this.#refusal(found.map(({ detail }) => detail));
  }
}
