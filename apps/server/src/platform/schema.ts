/**
 * Every table of the back end. The SQL in `apps/server/migrations` is made from this file:
 * `npx drizzle-kit generate --dialect postgresql --schema apps/server/src/platform/schema.ts --out apps/server/migrations`
 */
import type { JobItem, JobOutcome, JobState } from '@lms-admin/contract/jobs';
import type { SisFile } from '@lms-admin/contract/sis-files';
import type { RunDays } from '@lms-admin/contract/zoom';
import type { RoleLevel } from '@lms-admin/domain/access';
import type { AwardEntry } from '@lms-admin/domain/award-entries';
import type { CountedVotes } from '@lms-admin/domain/award-votes';
import { sql } from 'drizzle-orm';
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
type JobItemState = JobItem['state'];
const canvasId = (name: string) => bigint(name, { mode: 'number' });

/** What the database belongs to: one row, made at the first start. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey(),
  mode: text('mode').$type<'practice' | 'production'>().notNull(),
  /** Address of the LMS. */
  lms: text('lms').notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

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

/** Plans of enrolments and of groups, kept a day. What is large is gzip-compressed JSON. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    /** The tool that made it and that submits it. */
    tool: text('tool')
      .$type<'course-enrollment' | 'section-enrollment' | 'group-enrollment'>()
      .notNull()
      .default('course-enrollment'),
    /** Role and status of all rows; null where each group of rows has its own (Section Enrollment), or none (groups). */
    roleId: canvasId('role_id'),
    status: text('status').$type<'active' | 'deleted'>(),
    rows: integer('rows').notNull(),
    label: text('label').notNull(),
    /** Which LMS it was worked out for; empty where that is not known. */
    lms: text('lms').notNull().default(''),
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
  /** Runs of rows of the stored CSV that were not sent, since they no longer held: first row and how many. */
  leftOut?: [row: number, count: number][];
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
    /** By what a repeat is known, for the admin and the kind. */
    key: text('key').notNull(),
    state: text('state').$type<JobState>().notNull(),
    outcome: text('outcome').$type<JobOutcome>(),
    /** What is being done, in words. */
    stage: text('stage'),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    unit: text('unit'),
    /** Until when nobody is to work on it, and why nothing goes on. */
    waitUntil: moment('wait_until'),
    waitWhy: text('wait_why'),
    /** Gzip-compressed JSON. */
    input: bytes('input'),
    checkpoint: jsonb('checkpoint').$type<Record<string, unknown>>(),
    result: jsonb('result').$type<Record<string, unknown>>(),
    /** Figures of the receipt, in words and in order. */
    figures: jsonb('figures').$type<[string, number][]>().notNull().default([]),
    note: text('note'),
    problem: jsonb('problem').$type<{ message: string; next: string }>(),
    /** How often somebody took it up since it last went a step further. */
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
    state: text('state').$type<JobItemState>().notNull().default('todo'),
    input: jsonb('input').$type<unknown>(),
    /** Id that the outside system gave. */
    outsideId: text('outside_id'),
    message: text('message'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.seq] })],
);

/** Bytes that outlive a request (`files/`). The pieces stand apart; a file without pieces lies in a store. */
export const files = pgTable(
  'files',
  {
    id: uuid('id').primaryKey(),
    jobId: uuid('job_id'),
    login: text('login').notNull(),
    name: text('name').notNull(),
    /** Media type. */
    type: text('type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('files_job').on(table.jobId)],
);

/** Pieces of one gzip stream. Written before the record they belong to, so there is no foreign key. */
export const filePieces = pgTable(
  'file_pieces',
  {
    /** Of a file, or of an import or upload, whose parts are its CSVs. */
    fileId: uuid('file_id').notNull(),
    /** Which part, counted from 0. */
    part: integer('part').notNull().default(0),
    seq: integer('seq').notNull(),
    data: bytes('data').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.part, table.seq] })],
);

/** What is known of a SIS import beside its job, which has the same id. */
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
  },
  (table) => [
    uniqueIndex('imports_plan').on(table.planId),
    index('imports_canvas').on(table.lms, table.canvasId),
  ],
);

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

/** Meetings in Zoom that calendar events have, as Zoom last described them. */
export const zoomMeetings = pgTable(
  'zoom_meetings',
  {
    /** Of the events: a practice campus counts anew after a reset. */
    lms: text('lms').notNull(),
    number: canvasId('number').notNull(),
    hostId: text('host_id').notNull(),
    hostEmail: text('host_email').notNull(),
    joinUrl: text('join_url').notNull(),
    topic: text('topic').notNull(),
    startAt: moment('start_at'),
    minutes: integer('minutes'),
    /** Comma list of e-mails of alternative hosts. */
    coHosts: text('co_hosts').notNull().default(''),
    /** When Zoom was found not to have it any more. */
    goneAt: moment('gone_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.lms, table.number] })],
);

/** A meeting that is being made: written down before Zoom is asked, so that it is looked for before it is made again. */
export interface ZoomMaking {
  /** Stands at the start of the meeting's agenda. */
  marker: string;
  /** E-mail of the host. */
  host: string;
  /** ISO. */
  since: string;
  /** The meeting that it takes the place of: removed once nothing leads to it any more. */
  old: number | null;
  /** Whether it has been made: then only the old one is still to be removed. */
  made: boolean;
  /** It was made once more since nothing was found: the first may be there all the same, and is looked for later. */
  doubtful?: boolean;
}

/**
 * What is known of an occasion in a course's calendar: by its reservation where it has one, since synchronisers delete their
 * events and make them again; else by the event (OP-64).
 */
export const zoomEvents = pgTable(
  'zoom_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    /** 0 for an event of the course, also for one that is given section by section. */
    sectionId: canvasId('section_id').notNull().default(0),
    reservationId: text('reservation_id'),
    /** The event that was last seen to stand for it, and its title and times then. */
    eventId: canvasId('event_id').notNull(),
    title: text('title').notNull(),
    startAt: moment('start_at'),
    endAt: moment('end_at'),
    /** Record of the main event that it is merged with; its own meeting is kept meanwhile. */
    parentId: bigint('parent_id', { mode: 'number' }),
    /** Number of its own meeting. */
    meeting: canvasId('meeting'),
    /** Whether students see the link; a section's event follows the event of the course. */
    visible: boolean('visible').notNull().default(false),
    making: jsonb('making').$type<ZoomMaking>(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('zoom_events_reservation')
      .on(table.lms, table.courseId, table.reservationId, table.sectionId)
      .where(sql`reservation_id is not null`),
    uniqueIndex('zoom_events_event').on(table.lms, table.eventId).where(sql`reservation_id is null`),
    index('zoom_events_course').on(table.lms, table.courseId),
    index('zoom_events_parent').on(table.parentId),
    index('zoom_events_meeting').on(table.lms, table.meeting),
  ],
);

/** Which job changes the meetings of a course: one at a time, since events share meetings and texts. */
export const zoomCourses = pgTable(
  'zoom_courses',
  {
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    claimedBy: uuid('claimed_by').notNull(),
    claimedUntil: moment('claimed_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.lms, table.courseId] })],
);

/** How many meetings were made and changed for a host on a day (UTC), as far as we did it (OP-104). */
export const zoomHostDays = pgTable(
  'zoom_host_days',
  {
    /** E-mail, in small letters. */
    host: text('host').notNull(),
    /** `2026-11-22` */
    day: text('day').notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.day] })],
);

/** Courses whose meetings are looked after once a day (OP-62). */
export const zoomQueue = pgTable(
  'zoom_queue',
  {
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    /** Who added it: the runs are theirs. */
    login: text('login').notNull(),
    name: text('name').notNull(),
    canvasUserId: canvasId('canvas_user_id').notNull(),
    /** The grant whose token is used; null for the service token. */
    grantId: uuid('grant_id'),
    days: integer('days').$type<RunDays>().notNull(),
    addedAt: moment('added_at').notNull().defaultNow(),
    /** The day of its latest run (`2026-11-22`); null before the first. */
    lastDay: text('last_day'),
    lastRunAt: moment('last_run_at'),
    lastJob: uuid('last_job'),
  },
  (table) => [primaryKey({ columns: [table.lms, table.courseId] })],
);

/** When the vote of the award opens: one row, once it was set (OP-88). */
export const awardOpening = pgTable('award_opening', {
  id: integer('id').primaryKey(),
  /** `2026-03-05` */
  openingDate: text('opening_date').notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
  /** Names of the admins. */
  createdBy: text('created_by').notNull(),
  updatedBy: text('updated_by').notNull(),
});

/** Lists of professors and courses: the one in force has the highest number, the one of before is kept (OP-89). */
export const awardLists = pgTable('award_lists', {
  /** Each that comes into force has the next one, also one that is brought back. */
  version: integer('version').primaryKey(),
  rows: integer('rows').notNull(),
  entries: jsonb('entries').$type<AwardEntry[]>().notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
  createdBy: text('created_by').notNull(),
  updatedBy: text('updated_by').notNull(),
});

/** What was counted of a survey; who voted is not kept. */
export const awardSurveys = pgTable('award_surveys', {
  /** Its id in Qualtrics. */
  id: text('id').primaryKey(),
  /** The latest refresh: one goes on at a time. */
  jobId: uuid('job_id'),
  /** Null before the first refresh has ended. */
  readAt: moment('read_at'),
  /** The opening date from which was counted. */
  countedFrom: text('counted_from'),
  counted: jsonb('counted').$type<CountedVotes>(),
});
