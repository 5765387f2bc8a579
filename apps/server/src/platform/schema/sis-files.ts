/** Uploaded SIS files: what was checked, what they do, what is corrected of them. */
import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisEncoding, SisFile } from '@lms-admin/contract/sis-files';
import type { RoleLevel } from '@lms-admin/domain/access';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
import type { Sample } from '@lms-admin/domain/encodings';
import type { CorrectionStep } from '@lms-admin/domain/sis-corrections';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import type { ImportFile } from './jobs.ts';

/** What of an uploaded file depends on the admin's reach, which may have changed until it is submitted. */
export interface AskedAgain {
  /** Whether it was checked for an admin of limited reach. */
  limited: boolean;
  /** Roles that are given, and at which level. */
  roles: [id: number, level: RoleLevel][];
  /** SIS IDs of the courses that had to be in reach; empty for `ALL`. */
  courses: string[];
  /** SIS IDs of the sections that had to be theirs, by course; files of before have none. */
  sections?: [course: string, sections: string[]][];
  /** Whether the file is of new people, who must not exist. */
  newPeople: boolean;
}

/** How the bytes of a CSV were read, with other encodings that fit as well. */
export interface FileReading {
  encoding: SisEncoding;
  delimiter: Delimiter;
  readings: readonly Sample[];
}

/** An uploaded file as it is kept: the contract's SisFile, and what is asked about again when it is submitted. */
export interface SisFileSummary {
  file: Omit<SisFile, 'import_id' | 'created_at' | 'draft'>;
  again: AskedAgain;
  /** Of a single CSV: it stays the same when the file is corrected. */
  reading?: FileReading | undefined;
}

/** Uploaded SIS files that passed the check, kept a day. Their CSVs are pieces under the same id, which the import takes. */
export const sisFiles = pgTable(
  'sis_files',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    summary: jsonb('summary').$type<SisFileSummary>().notNull(),
    files: jsonb('files').$type<ImportFile[]>().notNull(),
    /** Which LMS it was checked against; empty where that is not known. */
    lms: text('lms').notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_files_expiry').on(table.expiresAt)],
);

/** What the rows of an uploaded file do, as the LMS was when its job asked. What is large is gzip-compressed JSON. */
export const sisEffects = pgTable('sis_effects', {
  fileId: uuid('file_id')
    .primaryKey()
    .references(() => sisFiles.id, { onDelete: 'cascade' }),
  /** The job whose pieces count. */
  jobId: uuid('job_id').notNull(),
  summary: bytes('summary').notNull(),
  madeAt: moment('made_at').notNull(),
});

/** Its rows in pieces, by table and by what they do; the courses of its enrolments under a name of their own. */
export const sisEffectPieces = pgTable(
  'sis_effect_pieces',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => sisFiles.id, { onDelete: 'cascade' }),
    jobId: uuid('job_id').notNull(),
    /** `enrollment removes`, `courses`. */
    list: text('list').notNull(),
    seq: integer('seq').notNull(),
    rows: integer('rows').notNull(),
    data: bytes('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.jobId, table.list, table.seq] })],
);

type LateProblem = [row: number, column: number, value: string, message: string];

/** What the record itself says, or what is said of it as it travels. */
type NotKept =
  | 'id'
  | 'name'
  | 'version'
  | 'last'
  | 'steps'
  | 'replaced'
  | 'warnings'
  | 'submitted'
  | 'expires_at';
/** What drafts of earlier versions lack. */
type KeptSince = 'corrected' | 'corrected_listed' | 'beside';

/** What was found in a refused file when it was looked at last. */
export interface SisDraftSummary {
  /** The contract's draft, as far as the record does not say it. */
  draft: Omit<SisDraft, NotKept | KeptSince> & Partial<Pick<SisDraft, KeptSince>>;
  /** What parts its cells. */
  delimiter: Delimiter;
  /** What of the file never changes: header, columns with the longest row counted as far as cells can be corrected, last row, rows. */
  shape: { header: string[]; headerRow: number; width: number; lastRow: number; rows: number };
  /** Problems that only the whole check finds: they hold for as long as the cell has this value. */
  late: LateProblem[];
  /** Problems by the comparison with the LMS that were not opened for correction. */
  beside?: Record<'fails' | 'unknown', LateProblem[]> | undefined;
  /** How the file was read when it was uploaded. */
  reading?: FileReading | undefined;
  /** Key of the correction that made this version, by which its repeat is known. */
  key?: string | undefined;
  /** The checked file that was opened for it. */
  from?: string | undefined;
  /** Corrected files that it has pushed out. */
  replaced?: SisDraft['replaced'] | undefined;
}

/**
 * Refused SIS files that are corrected in place, kept a day. Under the same id lie pieces: the file as it came as part 0, the rows with
 * problems as lines of JSON as the part of the version.
 */
export const sisDrafts = pgTable(
  'sis_drafts',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    name: text('name').notNull(),
    /** Which LMS it was checked against; empty where that is not known. */
    lms: text('lms').notNull().default(''),
    version: integer('version').notNull(),
    steps: jsonb('steps').$type<CorrectionStep[]>().notNull(),
    summary: jsonb('summary').$type<SisDraftSummary>().notNull(),
    /** The checked file that it came from, or that it became last: once that is submitted, the draft is not open any more. */
    fileId: uuid('file_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_drafts_expiry').on(table.expiresAt)],
);
