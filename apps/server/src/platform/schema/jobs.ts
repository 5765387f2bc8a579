/** Jobs, their items, and imports, which are jobs with rows. */
import type { JobAbout, JobItem, JobOutcome, JobState } from '@lms-admin/contract/jobs';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, canvasId, moment } from './columns.ts';

/**
 * Long work, recorded before it starts (`jobs/`). Data that names people (input, checkpoint, result, items, messages,
 * files) is removed some time after the end; the rest stays as history.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    /** Kind of work: an id from the list of kinds. */
    kind: text('kind').notNull(),
    tool: text('tool').notNull(),
    login: text('login').notNull(),
    /** Name of the admin. */
    name: text('name').notNull(),
    canvasUserId: canvasId('canvas_user_id').notNull().default(0),
    /** The grant whose token is used; null for the service token. */
    grantId: uuid('grant_id'),
    /** The LMS that the job is for (`canvas/identity.ts`); empty if not known. */
    lms: text('lms').notNull().default(''),
    label: text('label').notNull(),
    /** Courses, terms and programmes that the job is about. */
    about: jsonb('about').$type<JobAbout>(),
    /** The job that this one undoes. */
    undoes: uuid('undoes'),
    /** Whether this job undoes only part of the job in `undoes`. */
    undoesPart: boolean('undoes_part').notNull().default(false),
    /** Identifies a repeated request, for this admin and kind. */
    key: text('key').notNull(),
    state: text('state').$type<JobState>().notNull(),
    outcome: text('outcome').$type<JobOutcome>(),
    /** User-facing text for the current step. */
    stage: text('stage'),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    unit: text('unit'),
    /** Until when the job rests, and the reason. */
    waitUntil: moment('wait_until'),
    waitWhy: text('wait_why'),
    /** Whether the job waits for a new sign-in of its admin, until `wait_until` at the latest. */
    needsSignIn: boolean('needs_sign_in').notNull().default(false),
    /** Gzip-compressed JSON. */
    input: bytes('input'),
    checkpoint: jsonb('checkpoint').$type<Record<string, unknown>>(),
    result: jsonb('result').$type<Record<string, unknown>>(),
    /** Figures of the result, as words in order. */
    figures: jsonb('figures').$type<[string, number][]>().notNull().default([]),
    note: text('note'),
    problem: jsonb('problem').$type<{ message: string; next: string }>(),
    /** Whether the input was the reason for the failure, so that nothing began. */
    refused: boolean('refused').notNull().default(false),
    /** Attempts since the last completed step. */
    attempts: integer('attempts').notNull().default(0),
    /** Since when another system has been failing without a success. */
    troubleSince: moment('trouble_since'),
    cancelRequestedAt: moment('cancel_asked_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    startedAt: moment('started_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** When the owner opened the job after its end. */
    seenAt: moment('seen_at'),
    forgottenAt: moment('forgotten_at'),
    /** The process that works on it, and until when. */
    leaseOwner: text('lease_owner'),
    leaseUntil: moment('lease_until'),
  },
  (table) => [
    uniqueIndex('jobs_key').on(table.login, table.kind, table.key),
    index('jobs_open').on(table.createdAt).where(sql`ended_at is null`),
    index('jobs_own').on(table.login, table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('jobs_all').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('jobs_undoes').on(table.undoes).where(sql`undoes is not null`),
    index('jobs_kept').on(table.endedAt).where(sql`ended_at is not null and forgotten_at is null`),
  ],
);

/** Outside changes of a job, one by one. Rows are added and removed with their job; a foreign key would be too slow. */
export const jobItems = pgTable(
  'job_items',
  {
    jobId: uuid('job_id').notNull(),
    seq: integer('seq').notNull(),
    label: text('label').notNull(),
    state: text('state').$type<JobItem['state']>().notNull().default('todo'),
    input: jsonb('input').$type<unknown>(),
    /** Id assigned by the other system. */
    outsideId: text('outside_id'),
    message: text('message'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.seq] })],
);

/**
 * State of an import in LMS Admin. `recorded`: nothing was sent. `submitting`: it may have been sent, and the outcome
 * is unknown until an answer is stored. `following`: the LMS has it. `final`: nothing will change any more.
 */
export type ImportStep = 'recorded' | 'submitting' | 'following' | 'final';

/** A file of an import; converts the LMS's row numbers to those of the admin's own file. */
export interface ImportFile {
  name: string;
  rows: number;
  /** Runs of empty rows of the admin's file, which are not sent: first row (the header is 1) and count. */
  blank: [row: number, count: number][];
  /** Runs of rows of the stored CSV that were not sent, since they were out of date: first row and count. */
  leftOut?: [row: number, count: number][];
  /** Rows of deleted people, which the LMS accepts without counting them if there is nothing to do. */
  uncounted?: number;
  /** Delimiter of the admin's own file, used when its rows are downloaded; a comma if not known. */
  delimiter?: Delimiter;
}

/** Data of an SIS import besides its job, which has the same id. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    planId: uuid('plan_id'),
    /** The files of the import, in the order of their parts; null for one CSV that the console made. */
    files: jsonb('files').$type<ImportFile[]>(),
    /** Whether the files are sent as a zip. */
    zip: boolean('zip').notNull().default(false),
    rows: integer('rows').notNull(),
    /** True once every piece of the CSV is stored. */
    csvReady: boolean('csv_ready').notNull(),
    step: text('step').$type<ImportStep>().notNull(),
    /** The LMS's number of the import, which is unique only together with the LMS. */
    canvasId: canvasId('canvas_id'),
    lms: text('lms').notNull().default(''),
    workflowState: text('workflow_state').notNull(),
    progress: integer('progress').notNull().default(0),
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
    warnings: jsonb('warnings').$type<[string | null, string][]>().notNull().default([]),
    errors: jsonb('errors').$type<[string | null, string][]>().notNull().default([]),
    errorsUrl: text('errors_url'),
    csvUrls: jsonb('csv_urls').$type<string[]>().notNull().default([]),
    /** When the links were read: they expire after an hour. */
    linksAt: moment('links_at'),
    note: text('note'),
    /** Actions on the sections, kept when `note` changes. */
    sectionsNote: text('sections_note'),
    /** How often the CSV was sent, including attempts with unknown outcome. */
    sendings: integer('sendings').notNull().default(0),
    /** When the latest sending began, by the LMS's clock if it is known. */
    sentAt: moment('sent_at'),
    /** Places that the import changes (`imports/places.ts`); null until its turn is near, and in older imports. */
    places: jsonb('places').$type<string[]>(),
    /** Whether the import has its turn: imports that change the same places wait until it has ended. */
    claimed: boolean('claimed').notNull().default(false),
  },
  (table) => [
    uniqueIndex('imports_plan').on(table.planId),
    index('imports_canvas').on(table.lms, table.canvasId),
  ],
);

/** Messages of the LMS or LMS Admin about rows of an import. */
export const importMessages = pgTable(
  'import_messages',
  {
    importId: uuid('import_id').notNull(),
    seq: integer('seq').notNull(),
    file: text('file'),
    message: text('message').notNull(),
    row: integer('row'),
    /** Outcome found for the row of an interrupted import; null for a message of the LMS, and for skipped rows. */
    fate: text('fate').$type<RowFate>(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.seq] })],
);
