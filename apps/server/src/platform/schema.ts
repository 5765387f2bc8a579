/**
 * Every table of the back end. The SQL in `apps/server/migrations` is made from this file:
 * `npx drizzle-kit generate --dialect postgresql --schema apps/server/src/platform/schema.ts --out apps/server/migrations`
 */
import type { SisFile } from '@lms-admin/contract/sis-files';
import type { RoleLevel } from '@lms-admin/domain/access';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const canvasId = (name: string) => bigint(name, { mode: 'number' });

/** OAuth states waiting for the LMS to send the browser back; one use each. */
export const loginStates = pgTable('login_states', {
  /** SHA-256 of the state, hex. */
  id: text('id').primaryKey(),
  returnTo: text('return_to').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
});

/** LMS tokens of admins, encrypted. A grant outlives its session while an import still needs it. */
export const grants = pgTable('grants', {
  id: uuid('id').primaryKey(),
  login: text('login').notNull(),
  canvasUserId: canvasId('canvas_user_id').notNull(),
  accessTokenEnc: text('access_token_enc').notNull(),
  refreshTokenEnc: text('refresh_token_enc'),
  /** When the access token ends; null when the LMS did not say. */
  expiresAt: moment('expires_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** When the session ended; the tokens are revoked and the row removed once no import needs them. */
  releasedAt: moment('released_at'),
});

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie's value, hex: the table alone opens no session. */
    id: text('id').primaryKey(),
    grantId: uuid('grant_id').notNull(),
    login: text('login').notNull(),
    name: text('name').notNull(),
    canvasUserId: canvasId('canvas_user_id').notNull(),
    profile: jsonb('profile').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sessions_grant').on(table.grantId)],
);

/** Who did what, for good. */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    login: text('login').notNull(),
    /** Tool id, or a part of the back end such as `auth`. */
    tool: text('tool').notNull(),
    event: text('event').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    requestId: text('request_id'),
  },
  (table) => [index('audit_at').on(table.at), index('audit_login').on(table.login, table.at)],
);

/** Enrolment plans, kept a day. What is large is gzip-compressed JSON. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    /** The tool that made it and that submits it. */
    tool: text('tool')
      .$type<'course-enrollment' | 'section-enrollment'>()
      .notNull()
      .default('course-enrollment'),
    /** Role and status of all rows; null where each group of rows has its own (Section Enrollment). */
    roleId: canvasId('role_id'),
    status: text('status').$type<'active' | 'deleted'>(),
    rows: integer('rows').notNull(),
    label: text('label').notNull(),
    /** The contract's plan, without `import_id`. */
    summary: bytes('summary').notNull(),
    /** `[email, name, sis_user_id][]`; indexes into it are what `plan_courses` holds. */
    people: bytes('people').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('plans_expiry').on(table.expiresAt)],
);

export const planCourses = pgTable(
  'plan_courses',
  {
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    courseId: canvasId('course_id').notNull(),
    position: integer('position').notNull(),
    sisCourseId: text('sis_course_id').notNull(),
    /** How many CSV rows the course gets. */
    rowCount: integer('row_count').notNull(),
    rows: bytes('rows').notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.courseId] })],
);

/**
 * Where an import stands with us. `recorded`: nothing was sent. `submitting`: it may have been sent, its fate is unknown
 * until an answer is stored. `following`: the LMS has it. `final`: nothing will change any more.
 */
export type ImportStep = 'recorded' | 'submitting' | 'following' | 'final';

/** A file of an import, by which the LMS's row numbers become those of the admin's own file. */
export interface ImportFile {
  name: string;
  rows: number;
  /** Runs of blank rows of the admin's file, which are not sent: first row (header is 1) and how many. */
  blank: [row: number, count: number][];
}

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

export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    /** The grant whose token is used; null for the service token. */
    grantId: uuid('grant_id'),
    tool: text('tool').notNull(),
    label: text('label').notNull(),
    planId: uuid('plan_id'),
    /** The caller's key for recognising a repeat. */
    key: text('key'),
    /** The files of the import, in the order of their parts; null for one CSV that the console made. */
    files: jsonb('files').$type<ImportFile[]>(),
    /** Whether the files are sent as a zip. */
    zip: boolean('zip').notNull().default(false),
    rows: integer('rows').notNull(),
    /** True once every chunk of the CSV is stored. */
    csvReady: boolean('csv_ready').notNull(),
    step: text('step').$type<ImportStep>().notNull(),
    /** The LMS's id of the import. */
    canvasId: canvasId('canvas_id'),
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
    attempts: integer('attempts').notNull().default(0),
    /** When the latest sending began, by the LMS's clock as far as it is known. */
    sentAt: moment('sent_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** The process that works on it, until when. */
    leaseOwner: text('lease_owner'),
    leaseUntil: moment('lease_until'),
  },
  (table) => [
    uniqueIndex('imports_plan').on(table.planId),
    uniqueIndex('imports_key').on(table.login, table.key),
    uniqueIndex('imports_canvas').on(table.canvasId),
    index('imports_step').on(table.step, table.leaseUntil),
    index('imports_login').on(table.login, table.createdAt),
  ],
);

/** The CSV of an import, as pieces of one gzip stream. Written before the import's row, so there is no foreign key. */
export const importChunks = pgTable(
  'import_chunks',
  {
    importId: uuid('import_id').notNull(),
    /** Which file of the import, counted from 0. */
    part: integer('part').notNull().default(0),
    seq: integer('seq').notNull(),
    data: bytes('data').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.part, table.seq] })],
);

/** Uploaded SIS files that passed the check, kept a day. Their CSVs are chunks under the same id, which the import takes. */
export const sisFiles = pgTable(
  'sis_files',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    summary: jsonb('summary').$type<SisFileSummary>().notNull(),
    files: jsonb('files').$type<ImportFile[]>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sis_files_expiry').on(table.expiresAt)],
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
