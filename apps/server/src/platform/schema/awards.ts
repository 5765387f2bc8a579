/** The vote of the teaching award. */
import type { AwardEntry } from '@lms-admin/domain/award-entries';
import type { CountedVotes } from '@lms-admin/domain/award-votes';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** When the vote of the award opens: one row once it is set (OP-88). */
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

/** Lists of professors and courses: the highest number is the current list, and the former one is kept (OP-89). */
export const awardLists = pgTable('award_lists', {
  /** Each new current list gets the next number, even one that is restored. */
  version: integer('version').primaryKey(),
  rows: integer('rows').notNull(),
  entries: jsonb('entries').$type<AwardEntry[]>().notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
  createdBy: text('created_by').notNull(),
  updatedBy: text('updated_by').notNull(),
});

/** Counted votes of a survey, without the voters. */
export const awardSurveys = pgTable('award_surveys', {
  /** Id of the survey in Qualtrics. */
  id: text('id').primaryKey(),
  /** The latest refresh: only one runs at a time. */
  jobId: uuid('job_id'),
  /** Null before the first refresh has ended. */
  readAt: moment('read_at'),
  /** The opening date from which votes were counted. */
  countedFrom: text('counted_from'),
  counted: jsonb('counted').$type<CountedVotes>(),
});
