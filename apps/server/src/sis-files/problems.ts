/** What is wrong with an uploaded file: gathered with row and column, up to a hundred, and said at once. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

/** Most problems that one refusal names. */
export const MOST_DETAILS = 100;

export class Problems {
  readonly #found: { place: number; detail: ErrorDetail }[] = [];
  /** Files of a zip in their order. */
  readonly #files: (string | null)[] = [];

  /** Whether anything was wrong so far: then nothing of the file needs to be kept. */
  get any(): boolean {
    return this.#found.length > 0;
  }

  /**
   * Notes a problem.
   * @param file name of the file within a zip; null for a CSV by itself
   * @throws AppError bad-request when there are enough of them
   */
  add(file: string | null, row: number | null, column: string | null, message: string): void {
    const text = storable(file === null ? message : `${file}: ${message}`);
    if (!this.#files.includes(file)) this.#files.push(file);
    const place = this.#files.indexOf(file);
    const enough = this.#found.push({ place, detail: { row, field: column, message: text } }) >= MOST_DETAILS;
    if (enough) throw this.#refusal();
  }

  /** @throws AppError bad-request when anything was wrong */
  throwIfAny(): void {
    if (this.any) throw this.#refusal();
  }

  /** Row by row: what the LMS had to be asked about was found later than the rest. */
  #refusal(): AppError {
    const found = [...this.#found].sort(
      (a, b) => a.place - b.place || (a.detail.row ?? 0) - (b.detail.row ?? 0),
    );
    return fileRefused(
      'The file does not fit. Nothing has been sent.',
      found.map(({ detail }) => detail),
    );
  }
}

/** A file that is refused, with what is wrong. */
export function fileRefused(message: string, details: readonly ErrorDetail[] = [], next?: string): AppError {
  return new AppError('bad-request', {
    message,
    next: next ?? 'Correct what is named in the file and upload it again.',
    ...(details.length > 0 ? { details } : {}),
  });
}
