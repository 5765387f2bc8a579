/** Uploaded SIS files: what was checked, what they do, what is mended of them. */
import type { SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import type { RoleLevel } from '@lms-admin/domain/access';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
import type { MendStep } from '@lms-admin/domain/sis-mending';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import type { ImportFile } from './jobs.ts';

/** What of an uploaded file depends on the admin's reach, which may have changed until it is submitted. */
export interface AskedAgain {
  /** Whether it was checked for an admin of limited reach. */
  limited: boolean;
  /** Roles that are given, and at which level. */
  roles: [id: number, level: RoleLevel][];
  /** SIS ids of the courses that had to be in reach; empty for `ALL`. */
  courses: string[];
  /** SIS ids of the sections that had to be theirs, by course; files of before have none. */
  sections?: [course: string, sections: string[]][];
  /** Whether the file is of new people, who must not exist. */
  newPeople: boolean;
}

/** An uploaded file as it is kept: the contract's SisFile, and what is asked about once more when it is submitted. */
export interface SisFileSummary {
  file: Omit<SisFile, 'import_id' | 'created_at'>;
  again: AskedAgain;
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

/** What was found in a refused file when it was looked at last. */
export interface SisDraftSummary {
  /** The contract's draft, as far as the record does not say it. */
  draft: Omit<SisDraft, 'id' | 'name' | 'version' | 'last' | 'steps' | 'expires_at'>;
  /** What parts its cells. */
  delimiter: Delimiter;
  /** What of the file never changes: header, columns with the longest row counted as far as cells can be corrected, last row, rows. */
  shape: { header: string[]; headerRow: number; width: number; lastRow: number; rows: number };
  /** Problems that only the whole check finds: they hold for as long as the cell has this value. */
  late: [row: number, column: number, value: string, message: string][];
}

/**
 * Refused SIS files that are mended in place, kept a day. Under the same id lie pieces: the file as it came as part 0, the rows with
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
    steps: jsonb('steps').$type<MendStep[]>().notNull(),
    summary: jsonb('summary').$type<SisDraftSummary>().notNull(),
    /** The checked file that it came from, or that it became last: once that is submitted, the draft is not open any more. */
    fileId: uuid('file_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_drafts_expiry').on(table.expiresAt)],
);
