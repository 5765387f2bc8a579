/** The installation, sign-ins, tokens, sessions and the audit. */
import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { canvasId, moment } from './columns.ts';

/** The installation that the database belongs to: one row, created at the first start. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey(),
  mode: text('mode').$type<'practice' | 'production'>().notNull(),
  /** Address of the LMS. */
  lms: text('lms').notNull(),
  /** The release that last used it; null for one that did not record itself. */
  release: text('release'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** When a backup was restored into this database; null if never. */
  restoredAt: moment('restored_at'),
  /** When that backup was made. */
  backupOf: moment('backup_of'),
  /** When a start last reported the work left open by the restored backup; null while none has. */
  restoreReportedAt: moment('restore_said_at'),
  /**
   * Since when work that changes another system has been waiting for an operator after a restore; null if it is not
   * held.
   */
  heldAt: moment('held_at'),
});

/** OAuth states waiting for the LMS to send the browser back; each can be used once. */
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
  /** When the access token expires; null if the LMS did not return it. */
  expiresAt: moment('expires_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** When the session ended; once no import needs the tokens, they are revoked and the row is removed. */
  releasedAt: moment('released_at'),
});

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie's value, hex: the table alone does not open a session. */
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

/** Permanent record of who did what. */
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    login: text('login').notNull(),
    /** Tool id, or a part of the server such as `auth`. */
    tool: text('tool').notNull(),
    event: text('event').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    requestId: text('request_id'),
  },
  (table) => [index('audit_at').on(table.at), index('audit_login').on(table.login, table.at)],
);
