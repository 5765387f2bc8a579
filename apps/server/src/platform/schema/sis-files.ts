/** Uploaded SIS files: their check, their changes, and their corrections. */
import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisEncoding, SisFile } from '@lms-admin/contract/sis-files';
import type { RoleLevel } from '@lms-admin/domain/access';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
import type { Sample } from '@lms-admin/domain/encodings';
import type { CorrectionStep } from '@lms-admin/domain/sis-corrections';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import type { ImportFile } from './jobs.ts';

/** Parts of an uploaded file that depend on the admin's scope, which may change before it is submitted. */
export interface Recheck {
  /** Whether the file was checked for an admin of limited scope. */
  limited: boolean;
  /** Roles in the file, and their levels. */
  roles: [id: number, level: RoleLevel][];
  /** SIS IDs of the courses that had to be in scope; empty for `ALL`. */
  courses: string[];
  /** SIS IDs of the sections that had to belong to each course; files of earlier versions have none. */
  sections?: [course: string, sections: string[]][];
  /** Whether the file is for new people, who must not exist yet. */
  newPeople: boolean;
}

/** The encoding used for a CSV, with other encodings that fit as well. */
export interface FileReading {
  encoding: SisEncoding;
  delimiter: Delimiter;
  readings: readonly Sample[];
}

/** An uploaded file as stored: the contract's SisFile, and the data that is checked again when it is submitted. */
export interface SisFileSummary {
  file: Omit<SisFile, 'import_id' | 'created_at' | 'draft'>;
  again: Recheck;
  /** For a single CSV. It stays the same when the file is corrected. */
  reading?: FileReading | undefined;
}

/** Uploaded SIS files that passed the check, kept for a day. Their CSVs are pieces under the same id. */
export const sisFiles = pgTable(
  'sis_files',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    summary: jsonb('summary').$type<SisFileSummary>().notNull(),
    files: jsonb('files').$type<ImportFile[]>().notNull(),
    /** The LMS that the file was checked against; empty if not known. */
    lms: text('lms').notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_files_expiry').on(table.expiresAt)],
);

/** Changes in an uploaded file, compared with the LMS when its job ran. Large values are gzip-compressed JSON. */
export const sisEffects = pgTable('sis_effects', {
  fileId: uuid('file_id')
    .primaryKey()
    .references(() => sisFiles.id, { onDelete: 'cascade' }),
  /** The job whose pieces are valid. */
  jobId: uuid('job_id').notNull(),
  summary: bytes('summary').notNull(),
  createdAt: moment('made_at').notNull(),
});

/** Rows in pieces, by table and kind of change; the courses of the enrolments are a separate list. */
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

/** Fields that the record has as columns, or that are added when it is sent to the browser. */
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
/** Fields that drafts of earlier versions lack. */
type KeptSince = 'corrected' | 'corrected_listed' | 'beside';

/** Problems of a refused file at its latest check. */
export interface SisDraftSummary {
  /** The contract's draft, without the fields that are columns. */
  draft: Omit<SisDraft, NotKept | KeptSince> & Partial<Pick<SisDraft, KeptSince>>;
  /** Delimiter of the file's cells. */
  delimiter: Delimiter;
  /** Fixed properties of the file: header, width of the correctable part, last row, and number of rows. */
  shape: { header: string[]; headerRow: number; width: number; lastRow: number; rows: number };
  /** Problems that only the full check finds: they remain while the cell keeps this value. */
  late: LateProblem[];
  /** Problems from the comparison with the LMS that were not opened for correction. */
  beside?: Record<'fails' | 'unknown', LateProblem[]> | undefined;
  /** How the file was read when it was uploaded. */
  reading?: FileReading | undefined;
  /** Key of the correction that made this version, which identifies a repeat. */
  key?: string | undefined;
  /** The checked file that was opened as this draft. */
  from?: string | undefined;
  /** Drafts with corrections that were deleted to make room for it. */
  replaced?: SisDraft['replaced'] | undefined;
}

/**
 * Refused SIS files that are corrected in place, kept for a day. Pieces under the same id hold the original file as
 * part 0, and the rows with problems as lines of JSON as the part of the version.
 */
export const sisDrafts = pgTable(
  'sis_drafts',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    name: text('name').notNull(),
    /** The LMS that the file was checked against; empty if not known. */
    lms: text('lms').notNull().default(''),
    version: integer('version').notNull(),
    steps: jsonb('steps').$type<CorrectionStep[]>().notNull(),
    summary: jsonb('summary').$type<SisDraftSummary>().notNull(),
    /** The checked file that it came from, or last became: once that is submitted, the draft is closed. */
    fileId: uuid('file_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_drafts_expiry').on(table.expiresAt)],
);
