/**
 * The copy of people, accounts, terms, courses and sections of the LMS. Each table exists twice: the one in use, and
 * one with the suffix `_new` for the next report. The two swap names when the report is complete.
 */
import type { DirectoryCounts } from '@lms-admin/domain/directory';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { canvasId, moment } from './columns.ts';

/** Suffix of a table that the next report is read into. */
export const NEW = '_new';

const small = (column: AnyPgColumn) => sql`lower(${column})`;

const users = (name: string) =>
  pgTable(
    name,
    {
      id: canvasId('id').primaryKey(),
      name: text('name').notNull(),
      sortableName: text('sortable_name').notNull(),
      email: text('email'),
    },
    (table) => [index(`${name}_email`).on(small(table.email))],
  );

/** Declares a table of logins, because a person may have several. */
const logins = (name: string) =>
  pgTable(
    name,
    { userId: canvasId('user_id').notNull(), login: text('login').notNull(), sisId: text('sis_id') },
    (table) => [
      index(`${name}_user`).on(table.userId),
      index(`${name}_login`).on(small(table.login)),
      index(`${name}_sis`).on(table.sisId),
    ],
  );

const accounts = (name: string) =>
  pgTable(name, {
    id: canvasId('id').primaryKey(),
    sisId: text('sis_id'),
    parentId: canvasId('parent_id'),
    name: text('name').notNull(),
  });

const terms = (name: string) =>
  pgTable(name, { id: canvasId('id').primaryKey(), sisId: text('sis_id'), name: text('name').notNull() });

const courses = (name: string) =>
  pgTable(
    name,
    {
      id: canvasId('id').primaryKey(),
      sisId: text('sis_id'),
      code: text('code').notNull(),
      name: text('name').notNull(),
      accountId: canvasId('account_id').notNull(),
      termId: canvasId('term_id').notNull(),
    },
    (table) => [index(`${name}_sis`).on(table.sisId)],
  );

const sections = (name: string) =>
  pgTable(
    name,
    {
      id: canvasId('id').primaryKey(),
      sisId: text('sis_id'),
      courseId: canvasId('course_id').notNull(),
      name: text('name').notNull(),
    },
    (table) => [index(`${name}_course`).on(table.courseId), index(`${name}_sis`).on(table.sisId)],
  );

export const directoryUsers = users('directory_users');
export const directoryUsersNew = users(`directory_users${NEW}`);
export const directoryLogins = logins('directory_logins');
export const directoryLoginsNew = logins(`directory_logins${NEW}`);
export const directoryAccounts = accounts('directory_accounts');
export const directoryAccountsNew = accounts(`directory_accounts${NEW}`);
export const directoryTerms = terms('directory_terms');
export const directoryTermsNew = terms(`directory_terms${NEW}`);
export const directoryCourses = courses('directory_courses');
export const directoryCoursesNew = courses(`directory_courses${NEW}`);
export const directorySections = sections('directory_sections');
export const directorySectionsNew = sections(`directory_sections${NEW}`);

/** Runs that read the directory. The latest one that was swapped in is the base. */
export const directoryRuns = pgTable('directory_runs', {
  /** One more than the previous run, and unique: if two begin together, only one succeeds. */
  number: integer('number').primaryKey(),
  jobId: uuid('job_id').notNull(),
  /** The LMS of this copy. */
  lms: text('lms').notNull(),
  requestedAt: moment('asked_at').notNull(),
  /** Whether the copy is swapped in even if it is much smaller than the previous one. */
  acceptSmaller: boolean('accept_smaller').notNull().default(false),
  /** The LMS's number of the report. */
  reportId: bigint('report_id', { mode: 'number' }),
  /** When the LMS began the report: later changes are not in it. */
  startedAt: moment('started_at'),
  /** When the copy was swapped in; null if it never was. */
  swappedAt: moment('swapped_at'),
  counts: jsonb('counts').$type<DirectoryCounts>(),
});
