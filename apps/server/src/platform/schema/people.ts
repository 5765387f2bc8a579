/** What the database belongs to, who signs in, and what was done: sign-ins, tokens, sessions, the audit. */
import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { canvasId, moment } from './columns.ts';

/** What the database belongs to: one row, made at the first start. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey(),
  mode: text('mode').$type<'practice' | 'production'>().notNull(),
  /** Address of the LMS. */
  lms: text('lms').notNull(),
  /** The release that was last started on it; null: one that did not say. */
  release: text('release'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** When a backup was restored into it; null: never. */
  restoredAt: moment('restored_at'),
  /** When that backup was made. */
  backupOf: moment('backup_of'),
  /** When a start last said what the restored backup left open; null while none has. */
  restoreSaidAt: moment('restore_said_at'),
  /** Since when work that changes something outside waits for an operator, after a restore; null: it goes on. */
  heldAt: moment('held_at'),
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
