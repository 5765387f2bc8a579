/**
 * Sources of imports, provided by the tools: rows, the check on submitting, and the repeated check right before each
 * send.
 */
import type { JobAbout } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import type { Admin } from '../auth/admin.ts';
import type { CanvasToken } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import type { Prepared } from './prepared.ts';
import type { ImportRow } from './record.ts';
import type { ManualCsv } from './rows-by-hand.ts';

/** Details of a submission besides the admin. */
export interface Submission {
  requestId?: string;
  /** Ends the check of rows entered by hand if the browser disconnects; an import already recorded continues. */
  signal?: AbortSignal;
}

/** The requested import: its label and its rows. */
export interface NewImport {
  tool: ToolId;
  label: string;
  rows: number;
  csvReady: boolean;
  /** The LMS that the import was made for; missing for the current one. */
  lms?: string;
  /** The import's id, if its CSV is already stored under it. */
  id?: string;
  planId?: string;
  /** Courses, terms and programmes of the import. */
  about?: JobAbout;
  /** The import that this one undoes, if any. */
  undo?: PlannedUndo | null;
  files?: ImportRow['files'];
  zip?: boolean;
}

/** Marks a plan that undoes an import. */
export interface PlannedUndo {
  import: string;
  /** Whether some of the import's changes stay. */
  part: boolean;
  plannedAt: Date;
}

/** A plan that becomes an import: checked on submitting; its CSV is written just before it is sent. */
export interface PlanSource {
  /** Tools that make these plans. */
  tools: readonly ToolId[];
  /**
   * Returns the import for a plan whose access and scope are still valid.
   * @throws AppError not-allowed, not-found, too-many-rows, bad-request (nothing to change), conflict (courses gone)
   */
  check(admin: Admin, planId: string): Promise<NewImport>;
  /**
   * Writes the CSV of the rows that are still valid, right before each send.
   * @param admin with the current access
   * @param prepared is notified of each change made in the LMS so that the rows can be sent
   * @throws AppError if nothing can be sent any longer; CanvasError if the LMS is unavailable
   */
  csv(admin: Admin, planId: string, signal: AbortSignal, prepared: Prepared): Promise<PlannedCsv>;
  /**
   * Returns the results of sent rows after the LMS aborted the import, or null if they cannot be looked up.
   * @param of the plan of the rows, if any, and the import's number in the LMS
   */
  fates(
    token: CanvasToken,
    of: { plan: string | null; importId: number },
    rows: AsyncIterable<CsvRow[]>,
    signal: AbortSignal,
  ): Promise<FateOfRow[] | null>;
  /**
   * Looks up, after an import has ended, which rows the LMS applied elsewhere: one sentence each, with instructions.
   * @param of the plan, the import's number in the LMS, and the stored rows about which the LMS has sent messages
   * @throws CanvasError if the LMS is unavailable
   */
  astray(
    token: CanvasToken,
    of: { plan: string; importId: number; reported: ReadonlySet<number> },
    signal: AbortSignal,
  ): Promise<string[]>;
  /** Text for when this could not be looked up. */
  unchecked: string;
  /** Reports the changes made in the LMS so that the rows of a plan could be sent. */
  prepared?(plan: string, prepared: Prepared): Promise<void>;
  /**
   * Finds the changes made for a plan that has not been sent, by reading the LMS.
   * @throws CanvasError if the LMS is unavailable
   */
  preparedInLms?(
    request: { token: CanvasToken; signal: AbortSignal },
    plan: string,
    prepared: Prepared,
  ): Promise<void>;
}

/** Result of one row in an aborted import. */
export interface FateOfRow {
  /** Row of the CSV; the header is row 1. */
  row: number;
  fate: RowFate;
  /** A sentence with the person and course. */
  text: string;
}

/** The CSV of a plan. */
export interface PlannedCsv {
  rows: number;
  /** In parts, with a pause for other work after each. */
  texts: AsyncIterable<string>;
  /** One sentence for each skipped course, section or row. */
  leftOut: readonly string[];
  /**
   * Set if the CSV also contains the skipped rows, so that they can be downloaded: the skipped rows, the row numbers
   * that the admin sees, and the messages with their rows.
   */
  kept?: {
    file: Pick<NonNullable<ImportRow['files']>[number], 'blank' | 'leftOut'>;
    messages: readonly { row: number | null; text: string }[];
  };
  /** Whether everything that was skipped is already in the state that the rows set. */
  settled?: boolean;
  /** Nouns for the skipped parts, singular and plural. */
  nouns: readonly [one: string, several: string];
  /** Records the state in the LMS right before the rows, in the transaction that starts the send. */
  record?: (tx: Db) => Promise<void>;
}

/** An uploaded file that becomes an import; its CSVs are stored under its id, which the import takes over. */
export interface FileSource {
  /** Tools that can submit files. */
  tools: readonly ToolId[];
  /**
   * Checks the file again and claims it.
   * @param confirmed the number that was typed and the courses that were allowed, if either is required
   * @throws AppError not-found, bad-request (number or courses), conflict (changed scope, roles or people, or more
   * removals)
   */
  check(
    admin: Admin,
    id: string,
    confirmed: { deletions?: number | undefined; newCourses?: readonly string[] | undefined },
    asking: Submission,
  ): Promise<NewImport>;
  /**
   * Compares the file with the LMS again, right before each send.
   * @param isSent whether a row of one of the file's CSVs is sent; rows that are no longer valid are skipped
   * @throws AppError conflict if the file removes more than was confirmed; CanvasError if the LMS is unavailable
   */
  confirm(
    admin: Admin,
    id: string,
    isSent: (part: number, row: number) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Checks the rows of one of the file's CSVs again, right before each send.
   * @returns null if all are valid
   * @throws like `RowSource.recheck`
   */
  recheck(
    admin: Admin,
    request: { rows: () => AsyncIterable<CsvRow[]>; zip: boolean },
    signal: AbortSignal,
  ): Promise<Judge | null>;
}

/** Returns why a row is no longer valid, as a sentence, or null. */
export type Judge = (row: CsvRow) => string | null;

/** One kind of rows entered by hand. */
export interface RowSource {
  /** Returns whether this is the source for rows with this header (trimmed, in lower case). */
  takes(header: readonly string[]): boolean;
  /** Checks every row. @throws AppError not-allowed; bad-request with row and column; too-many-rows … */
  check(admin: Admin, csv: ManualCsv, asking: Submission): Promise<CheckedRows>;
  /**
   * Checks accepted rows again right before each send, with current scope, places and people.
   * @param admin with the current access
   * @param rows the header first
   * @throws AppError if nothing can be sent any longer; CanvasError if the LMS is unavailable
   */
  recheck(admin: Admin, rows: () => AsyncIterable<CsvRow[]>, signal: AbortSignal): Promise<Judge>;
  /** Returns the results of rows in an import of this tool, like `PlanSource.fates`. */
  fates?(
    token: CanvasToken,
    tool: string,
    rows: AsyncIterable<CsvRow[]>,
    signal: AbortSignal,
  ): Promise<FateOfRow[] | null>;
}

/** Rows that passed their check, as parts of a CSV, and the import's label. */
export interface CheckedRows extends Pick<NewImport, 'tool' | 'label' | 'rows'> {
  texts: readonly string[];
}

/** Plans of all tools. */
export interface PlanSources {
  all: readonly PlanSource[];
  /** Returns the source for the plans of a tool. */
  of(tool: string): PlanSource;
  /**
   * Returns the import for a plan of any tool, and which import it undoes.
   * @throws AppError like `PlanSource.check`; not-found if this admin no longer has such a plan
   */
  check(admin: Admin, planId: string): Promise<NewImport>;
  /** Returns the SIS IDs of the courses that a plan changes. */
  courses(planId: string): Promise<string[]>;
}

export interface ImportSources {
  plans: PlanSources;
  file: FileSource;
  /** The first source that accepts the header is used; the last one accepts any. */
  rows: readonly RowSource[];
}
