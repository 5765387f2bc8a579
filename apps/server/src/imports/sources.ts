/**
 * What is imported comes from tools: each hands over a source of rows, the check that is made on submitting, and what is asked
 * again right before each sending.
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
import type { HandMadeCsv } from './rows-by-hand.ts';

/** Who sends a submission, beside the admin. */
export interface Submission {
  requestId?: string;
  /** Ends the check of hand-made rows when the browser has gone; what is recorded is not called back. */
  signal?: AbortSignal;
}

/** What is asked for: how people call it, and its rows. */
export interface NewImport {
  tool: ToolId;
  label: string;
  rows: number;
  csvReady: boolean;
  /** Which LMS it was worked out for; absent where that is the current one. */
  lms?: string;
  /** The import's id, where its CSV is stored under it already. */
  id?: string;
  planId?: string;
  /** Courses, terms and programmes that it is about. */
  about?: JobAbout;
  /** What it undoes, if anything. */
  undo?: PlannedUndo | null;
  files?: ImportRow['files'];
  zip?: boolean;
}

/** That a plan undoes an import. */
export interface PlannedUndo {
  import: string;
  /** Whether it leaves something of the import as it is. */
  part: boolean;
  plannedAt: Date;
}

/** A plan that becomes an import: checked on submitting, its CSV made just before it is sent. */
export interface PlanSource {
  /** Tools whose plans these are. */
  tools: readonly ToolId[];
  /**
   * What the plan asks for, once what was allowed and in reach when it was made still is.
   * @throws AppError not-allowed, not-found, too-many-rows, bad-request (nothing to change), conflict (courses gone)
   */
  check(admin: Admin, planId: string): Promise<NewImport>;
  /**
   * Makes the CSV of what still holds: right before each sending.
   * @param admin with the current rights
   * @param prepared is told what is done in the LMS so that the rows can be sent, as it is done
   * @throws AppError when nothing of it may be sent any more; CanvasError when the LMS cannot be asked at the moment
   */
  csv(admin: Admin, planId: string, signal: AbortSignal, prepared: Prepared): Promise<PlannedCsv>;
  /**
   * What became of rows that were sent, once the LMS has broken the import off; null where that cannot be looked up.
   * @param of the plan that the rows are of, if any, and the import's number in the LMS
   */
  fates(
    token: CanvasToken,
    of: { plan: string | null; importId: number },
    rows: AsyncIterable<CsvRow[]>,
    signal: AbortSignal,
  ): Promise<FateOfRow[] | null>;
  /**
   * What the LMS has done elsewhere than the review showed, looked up once an import has ended: a sentence each, with what to do.
   * @param of the plan, the import's number in the LMS, and the stored rows about which the LMS has said something
   * @throws CanvasError when the LMS cannot be asked at the moment
   */
  astray(
    token: CanvasToken,
    of: { plan: string; importId: number; told: ReadonlySet<number> },
    signal: AbortSignal,
  ): Promise<string[]>;
  /** What is said where that could not be looked up. */
  unchecked: string;
  /** Tells what was done in the LMS so that the rows of a plan could be sent. */
  prepared?(plan: string, prepared: Prepared): Promise<void>;
  /**
   * The same of a plan of which nothing has been sent, as the LMS shows it.
   * @throws CanvasError when the LMS cannot be asked at the moment
   */
  preparedInLms?(
    asked: { token: CanvasToken; signal: AbortSignal },
    plan: string,
    prepared: Prepared,
  ): Promise<void>;
}

/** What became of one row of an import that was broken off. */
export interface FateOfRow {
  /** Row of the CSV, header being row 1. */
  row: number;
  fate: RowFate;
  /** A sentence that names person and course. */
  text: string;
}

/** The CSV of a plan. */
export interface PlannedCsv {
  rows: number;
  /** In pieces, with a pause for other work after each. */
  texts: AsyncIterable<string>;
  /** A sentence for each course, section or row that was left out. */
  leftOut: readonly string[];
  /**
   * Where the CSV holds the rows that are left out as well, so that they can be had as a file: which of its rows these are, the
   * numbers that all its rows have for the admin, and what is said, of which row of the CSV where it is about one.
   */
  kept?: {
    file: Pick<NonNullable<ImportRow['files']>[number], 'blank' | 'leftOut'>;
    said: readonly { row: number | null; text: string }[];
  };
  /** Whether all that was left out is in the LMS as the rows would make it. */
  settled?: boolean;
  /** What these are, one and several; courses and sections when not given. */
  things?: readonly [one: string, several: string];
  /** Writes what was in the LMS right before the rows, in the transaction that begins the sending. */
  record?: (tx: Db) => Promise<void>;
}

/** An uploaded file that becomes an import; its CSVs are stored under its id, which is the import's too. */
export interface FileSource {
  /** Tools that may submit files. */
  tools: readonly ToolId[];
  /**
   * Checks the file again and claims it.
   * @param confirmed the number that was typed and the courses that were allowed, where the file asks for them
   * @throws AppError not-found, bad-request (number or courses), conflict (reach, roles or people have changed, or more is removed)
   */
  check(
    admin: Admin,
    id: string,
    confirmed: { deletions?: number | undefined; newCourses?: readonly string[] | undefined },
    asking: Submission,
  ): Promise<NewImport>;
  /**
   * Compares the file with the LMS again, right before each sending.
   * @param isSent whether a row of one of its CSVs is sent: others are left out, as they do not hold any more
   * @throws AppError conflict when it removes more than was confirmed; CanvasError when the LMS cannot be asked at the moment
   */
  confirm(
    admin: Admin,
    id: string,
    isSent: (part: number, row: number) => boolean,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Looks at the rows of one of its CSVs again, right before each sending.
   * @returns null where all of them hold
   * @throws like `RowSource.again`
   */
  again(
    admin: Admin,
    asked: { rows: () => AsyncIterable<CsvRow[]>; zip: boolean },
    signal: AbortSignal,
  ): Promise<Judge | null>;
}

/** Why a row no longer holds, in a sentence; null for one that does. */
export type Judge = (row: CsvRow) => string | null;

/** One kind of rows that may be made by hand. */
export interface RowSource {
  /** Whether rows with this header (trimmed, in lower case) are of this kind. */
  takes(header: readonly string[]): boolean;
  /** Checks every row. @throws AppError not-allowed; bad-request with row and column; too-many-rows … */
  check(admin: Admin, csv: HandMadeCsv, asking: Submission): Promise<CheckedRows>;
  /**
   * Looks at rows that had passed again, right before each sending: reach, places and people as they are now.
   * @param admin with the current rights
   * @param rows the header first
   * @throws AppError when nothing of it may be sent any more; CanvasError when the LMS cannot be asked at the moment
   */
  again(admin: Admin, rows: () => AsyncIterable<CsvRow[]>, signal: AbortSignal): Promise<Judge>;
  /** What became of rows of an import of this tool, like `PlanSource.fates`. */
  fates?(
    token: CanvasToken,
    tool: string,
    rows: AsyncIterable<CsvRow[]>,
    signal: AbortSignal,
  ): Promise<FateOfRow[] | null>;
}

/** Rows that passed their check, in pieces of CSV, and what the import is called. */
export interface CheckedRows extends Pick<NewImport, 'tool' | 'label' | 'rows'> {
  texts: readonly string[];
}

/** Plans of all tools. */
export interface PlanSources {
  all: readonly PlanSource[];
  /** The source of the plans of a tool. */
  of(tool: string): PlanSource;
  /**
   * What a plan of any tool asks for, and which import it undoes.
   * @throws AppError like `PlanSource.check`; not-found: there is no such plan of theirs any more
   */
  check(admin: Admin, planId: string): Promise<NewImport>;
  /** SIS IDs of the courses that a plan changes. */
  courses(planId: string): Promise<string[]>;
}

export interface ImportSources {
  plans: PlanSources;
  file: FileSource;
  /** The first that takes the header counts; the last one takes any. */
  rows: readonly RowSource[];
}
