/** Access records, their history and pending requests. */
import type { AccessChange, AccessRecord } from '@lms-admin/contract/access';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** One row, whose lock puts all access changes in order; a new version makes servers read the records again. */
export const accessState = pgTable('access_state', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull().default(0),
  /** When the access file was imported; null if it has not been. */
  importedAt: moment('imported_at'),
});

export const accessRecords = pgTable('access_records', {
  /** Lower case. */
  key: text('key').primaryKey(),
  login: text('login').notNull(),
  record: jsonb('record').$type<AccessRecord['record']>().notNull(),
  reason: text('reason').notNull().default(''),
  expiresAt: moment('expires_at'),
  disabled: boolean('disabled').notNull().default(false),
  version: integer('version').notNull().default(1),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  updatedBy: text('updated_by').notNull(),
});

/** History of access: who changed what for whom. The database refuses to change or remove a line. */
export const accessHistory = pgTable(
  'access_history',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    by: text('by').notNull(),
    /** Lower case. */
    key: text('key').notNull(),
    kind: text('kind').notNull(),
    before: jsonb('before').$type<AccessRecord>(),
    after: jsonb('after').$type<AccessRecord>(),
    why: text('why').notNull().default(''),
    approvedBy: text('approved_by'),
    requestId: text('request_id'),
  },
  (table) => [index('access_history_key').on(table.key, table.id)],
);

/** Changes that wait for a second access administrator. */
export const accessRequests = pgTable(
  'access_requests',
  {
    id: uuid('id').primaryKey(),
    by: text('by').notNull(),
    changes: jsonb('changes').$type<AccessChange[]>().notNull(),
    why: text('why').notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    decidedAt: moment('decided_at'),
    decidedBy: text('decided_by'),
    decision: text('decision').$type<'approved' | 'refused' | 'withdrawn'>(),
  },
  (table) => [index('access_requests_open').on(table.expiresAt).where(sql`decided_at is null`)],
);
