/** Jobs, what they do outside, and imports, which are jobs with rows. */
import type { JobAbout, JobItem, JobOutcome, JobState } from '@lms-admin/contract/jobs';
import type { Delimiter } from '@lms-admin/domain/csv-reader';
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
 * Long work, as a record before it is work (`jobs/`). What names people (input, checkpoint, result, items, messages, files)
 * is forgotten some time after the end; the rest stays as history.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    /** What kind of work it is: an id of the list of kinds. */
    kind: text('kind').notNull(),
    tool: text('tool').notNull(),
    login: text('login').notNull(),
    /** Name of the admin. */
    name: text('name').notNull(),
    canvasUserId: canvasId('canvas_user_id').notNull().default(0),
    /** The grant whose token is used; null for the service token. */
    grantId: uuid('grant_id'),
    /** Which LMS it was made for (`canvas/identity.ts`); empty where that is not known. */
    lms: text('lms').notNull().default(''),
    label: text('label').notNull(),
    /** Courses, terms and programmes that it is about. */
    about: jsonb('about').$type<JobAbout>(),
    /** The job that this one undoes. */
    undoes: uuid('undoes'),
    /** Whether its review left something of that as it is. */
    undoesPart: boolean('undoes_part').notNull().default(false),
    /** By what a repeat is known, for the admin and the kind. */
    key: text('key').notNull(),
    state: text('state').$type<JobState>().notNull(),
    outcome: text('outcome').$type<JobOutcome>(),
    /** What is being done, in words. */
    stage: text('stage'),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    unit: text('unit'),
    /** Until when no one is to work on it, and why nothing goes on. */
    waitUntil: moment('wait_until'),
    waitWhy: text('wait_why'),
    /** It waits for a new sign-in of its admin, `wait_until` at the latest. */
    needsSignIn: boolean('needs_sign_in').notNull().default(false),
    /** Gzip-compressed JSON. */
    input: bytes('input'),
    checkpoint: jsonb('checkpoint').$type<Record<string, unknown>>(),
    result: jsonb('result').$type<Record<string, unknown>>(),
    /** Figures of the receipt, in words and in order. */
    figures: jsonb('figures').$type<[string, number][]>().notNull().default([]),
    note: text('note'),
    problem: jsonb('problem').$type<{ message: string; next: string }>(),
    /** Whether it failed for what was asked for, before anything was begun. */
    refused: boolean('refused').notNull().default(false),
    /** How often someone took it up since it last went a step further. */
    attempts: integer('attempts').notNull().default(0),
    /** Since when something outside has failed without a success in between. */
    troubleSince: moment('trouble_since'),
    cancelAskedAt: moment('cancel_asked_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    startedAt: moment('started_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** When its owner opened it after its end. */
    seenAt: moment('seen_at'),
    forgottenAt: moment('forgotten_at'),
    /** The process that works on it, until when. */
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

/** What a job does outside, one by one. Rows come and go with their job, without a foreign key for the sake of speed. */
export const jobItems = pgTable(
  'job_items',
  {
    jobId: uuid('job_id').notNull(),
    seq: integer('seq').notNull(),
    label: text('label').notNull(),
    state: text('state').$type<JobItem['state']>().notNull().default('todo'),
    input: jsonb('input').$type<unknown>(),
    /** Id that the outside system gave. */
    outsideId: text('outside_id'),
    message: text('message'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.seq] })],
);

/**
 * State of an import here. `recorded`: nothing was sent. `submitting`: it may have been sent, its outcome is unknown
 * until an answer is stored. `following`: the LMS has it. `final`: nothing will change any more.
 */
export type ImportStep = 'recorded' | 'submitting' | 'following' | 'final';

/** A file of an import, by which the LMS's row numbers become those of the admin's own file. */
export interface ImportFile {
  name: string;
  rows: number;
  /** Runs of blank rows of the admin's file, which are not sent: first row (header is 1) and how many. */
  blank: [row: number, count: number][];
  /** Runs of rows of the stored CSV that were not sent, since they no longer held: first row and how many. */
  leftOut?: [row: number, count: number][];
  /** Rows that the LMS takes without counting them if there is nothing to do: of people who are deleted. */
  uncounted?: number;
  /** What separates the cells of the admin's own file, by which rows of it are downloaded; a comma where it is not known. */
  delimiter?: Delimiter;
}

/** What is known of an SIS import beside its job, which has the same id. */
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
    /** The LMS's number of the import, which means something only together with which LMS gave it. */
    canvasId: canvasId('canvas_id'),
    lms: text('lms').notNull().default(''),
    workflowState: text('workflow_state').notNull(),
    progress: integer('progress').notNull().default(0),
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
    warnings: jsonb('warnings').$type<[string | null, string][]>().notNull().default([]),
    errors: jsonb('errors').$type<[string | null, string][]>().notNull().default([]),
    errorsUrl: text('errors_url'),
    csvUrls: jsonb('csv_urls').$type<string[]>().notNull().default([]),
    /** When the links were read: they die after an hour. */
    linksAt: moment('links_at'),
    note: text('note'),
    /** What was done about the sections, kept through changes of `note`. */
    sectionsNote: text('sections_note'),
    /** How often the CSV was sent, for certain or perhaps. */
    sendings: integer('sendings').notNull().default(0),
    /** When the latest sending began, by the LMS's clock as far as it is known. */
    sentAt: moment('sent_at'),
    /** What it changes (`imports/places.ts`); null until its turn comes near, and in imports of earlier versions. */
    places: jsonb('places').$type<string[]>(),
    /** Whether it has its turn: others that change the same places wait until it has ended. */
    claimed: boolean('claimed').notNull().default(false),
  },
  (table) => [
    uniqueIndex('imports_plan').on(table.planId),
    index('imports_canvas').on(table.lms, table.canvasId),
  ],
);

/** What the LMS, or the console, said about rows of an import. */
export const importMessages = pgTable(
  'import_messages',
  {
    importId: uuid('import_id').notNull(),
    seq: integer('seq').notNull(),
    file: text('file'),
    message: text('message').notNull(),
    row: integer('row'),
  },
  (table) => [primaryKey({ columns: [table.importId, table.seq] })],
);
