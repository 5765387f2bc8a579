/** All problems of a file that may be corrected in place, in limited memory; identical problems are stored once. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { problemKind } from '@lms-admin/domain/sis-corrections';
import { MOST_DETAILS, type Problems, type Report } from '../../imports/row-problems.ts';
import type { AppError } from '../../platform/errors.ts';
import { storable } from '../../platform/text.ts';
import { fileRefused } from '../problems.ts';

/** Maximum number of kinds of problems, and of problems, each of which is stored as a number. */
const MOST_KINDS = 400;
const MOST_PROBLEMS = 2_000_000;
/** Maximum number of problems that keep their own text; the others show that of their kind. */
const MOST_MESSAGES = 40_000;

export interface ProblemKind {
  /** Column name as sent to the LMS; null for the row or the file. */
  column: string | null;
  message: string;
}

/** A problem of a row; row 0 is the file as a whole. */
export interface Found {
  row: number;
  kind: number;
}

export class GroupedProblems implements Problems {
  readonly kinds: ProblemKind[] = [];
  readonly #places = new Map<string, number>();
  readonly #found: number[] = [];
  readonly #messages = new Map<number, string>();
  readonly #details: ErrorDetail[] = [];
  #tooMany = false;
  #late = false;

  get any(): boolean {
    return this.#found.length > 0;
  }

  /** Tells whether there are too many problems to keep, so that the file cannot be corrected in place. */
  get tooMany(): boolean {
    return this.#tooMany;
  }

  get full(): boolean {
    return this.#tooMany;
  }

  rowsFit(): void {
    this.#late = true;
  }

  /**
   * Tells whether all problems were found after the row checks passed, so that no check of rows will find them again.
   */
  get late(): boolean {
    return this.#late && this.any;
  }

  reportFor(): Report {
    return (row, column, message, named) => {
      if (this.#found.length >= MOST_PROBLEMS) {
        this.#tooMany = true;
        throw this.refusal();
      }
      const text = named ?? problemKind(message);
      const kind = this.#kindOf(column, text);
      const key = (row ?? 0) * MOST_KINDS + kind;
      this.#found.push(key);
      if (this.#messages.size < MOST_MESSAGES) this.#messages.set(key, storable(message));
      if (this.#details.length < MOST_DETAILS)
        this.#details.push({ row, field: column, message: storable(message), kind: storable(text) });
    };
  }

  throwIfAny(): void {
    if (this.any) throw this.refusal();
  }

  refusal(): AppError {
    if (this.#tooMany) {
      return fileRefused('The file has too many problems to be corrected in place.', {
        nothingSent: true,
        details: this.details,
        next: 'Correct these problems in the file, save it, and upload it again.',
      });
    }
    return fileRefused('The file has problems.', { nothingSent: true, details: this.details });
  }

  /** Lists the first problems, in the order of rows. */
  get details(): ErrorDetail[] {
    return [...this.#details].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }

  /** Yields all problems, in the order of rows, each once. */
  *inOrder(): Generator<Found, void, void> {
    let before = -1;
    for (const key of Float64Array.from(this.#found).sort()) {
      if (key === before) continue;
      before = key;
      yield { row: Math.floor(key / MOST_KINDS), kind: key % MOST_KINDS };
    }
  }

  /** Returns the text of a problem, or of its kind if its own text was not kept. */
  messageOf({ row, kind }: Found): string {
    return this.#messages.get(row * MOST_KINDS + kind) ?? this.kinds[kind]?.message ?? '';
  }

  #kindOf(column: string | null, kind: string): number {
    const key = `${column ?? ''}\n${kind}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.kinds.length >= MOST_KINDS - 1) return this.#others();
    const place = this.kinds.push({ column, message: storable(kind) }) - 1;
    this.#places.set(key, place);
    return place;
  }

  /** Returns the group for all further kinds. */
  #others(): number {
    this.kinds[MOST_KINDS - 1] ??= { column: null, message: 'Other problems.' };
    return MOST_KINDS - 1;
  }
}
