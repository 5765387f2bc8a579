/** Access in requests and answers: records, reviews of changes, answers to 'who can do what', the history. */
import { FLAGS } from '@lms-admin/domain/access';
import { z } from 'zod';
import { ACTIONS, type ActionId } from './access-actions.ts';
import { subAccount } from './session.ts';
import { TOOLS } from './tools.ts';

/** A login of the LMS. */
export const accessLogin = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a text without control characters');
export const MOST_REASON = 500;
const reason = z
  .string()
  .trim()
  .max(MOST_REASON)
  .transform((written) => written.replace(/[\p{Cc}\p{Cs}]+/gu, ' '));
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A person's permissions, their end, and the reason: the same from the file and from the database. */
export const accessRecord = z.strictObject({
  login: accessLogin,
  record: subAccount,
  reason: reason.default(''),
  expires_at: instant.nullable().default(null),
  disabled: z.boolean().default(false),
});
export type AccessRecord = z.infer<typeof accessRecord>;

export const entryState = z.enum(['active', 'disabled', 'expired']);

/** A record as the page lists it. */
export const listedRecord = z.object({
  ...accessRecord.shape,
  state: entryState,
  /** Grows with each change of this record, to detect changes by a second person. */
  version: z.number().int(),
  updated_at: z.string(),
  updated_by: z.string(),
  /** The person's last sign-in, as ISO 8601; null: none in the audit. */
  signed_in_at: z.string().nullable(),
});
export type ListedRecord = z.infer<typeof listedRecord>;

export const accessPeople = z.object({
  records: z.array(listedRecord),
  /** `file`: shown and tested here, but changed only in the file. */
  source: z.enum(['database', 'file']),
  four_eyes: z.boolean(),
  /** The person who asks. */
  you: z.string(),
});
export type AccessPeople = z.infer<typeof accessPeople>;

/** The logins of active records whose people have never signed in, compared with the LMS. */
export const accessLogins = z.object({
  /** Logins that are not in the LMS. */
  missing: z.array(z.string()),
  /** Number of logins that the LMS was not asked about, or did not answer for. */
  unread: z.number().int(),
});
export type AccessLogins = z.infer<typeof accessLogins>;

/** Accounts below the root and roles, to select and to show by name. */
export const accessPlaces = z.object({
  accounts: z.array(z.object({ id: z.number(), name: z.string(), parent: z.number().nullable() })),
  roles: z.array(z.object({ id: z.number(), label: z.string() })),
  /** Ids of the roles that a record of `ALL` can assign. */
  default_roles: z.array(z.number()),
});
export type AccessPlaces = z.infer<typeof accessPlaces>;

const right = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), flag: z.enum(FLAGS) }),
  z.object({ kind: z.literal('everywhere') }),
  z.object({ kind: z.literal('programme'), id: z.number() }),
  z.object({ kind: z.literal('role'), level: z.enum(['course', 'section']), id: z.number() }),
  z.object({ kind: z.literal('zoom-queue-removal') }),
]);

export const MOST_CHANGES = 2_000;

/** One record with its new contents. `version`: of the record as it was shown; null for a new one. */
export const accessChange = z.strictObject({
  ...accessRecord.shape,
  version: z.number().int().nullable(),
});
export type AccessChange = z.infer<typeof accessChange>;

export const accessChanges = z.strictObject({
  changes: z.array(accessChange).min(1).max(MOST_CHANGES),
  why: reason.default(''),
});
export type AccessChanges = z.infer<typeof accessChanges>;

/** Work of the last 90 days that would be rejected. */
export const refusedRuns = z.object({
  /** Number of the person's runs in Activity in the last 90 days. */
  runs: z.number().int(),
  /** Number of those runs that name their courses, or need none. */
  checked: z.number().int(),
  refused: z.array(z.object({ job: z.string(), label: z.string(), at: z.string(), why: z.string() })),
  refused_count: z.number().int(),
});
export type RefusedRuns = z.infer<typeof refusedRuns>;

export const reviewedChange = z.object({
  login: z.string(),
  kind: z.enum(['add', 'change', 'disable', 'enable', 'none']),
  before: accessRecord.nullable(),
  after: accessRecord,
  gains: z.array(right),
  loses: z.array(right),
  /** Why the change cannot be saved; null: it can be saved. */
  problem: z.string().nullable(),
  /** Warnings before saving: a login that is not in the LMS, a record without effect. */
  notes: z.array(z.string()),
  needs_second: z.boolean(),
  /** Null if nothing is lost. */
  replay: refusedRuns.nullable(),
});
export type ReviewedChange = z.infer<typeof reviewedChange>;

export const accessReview = z.object({
  changes: z.array(reviewedChange),
  /** Why the whole review cannot be saved; null: it can be saved. */
  problem: z.string().nullable(),
  /** Whether a second access administrator has to approve it. */
  needs_second: z.boolean(),
  /** Number of people who lose something but were not compared with Activity, because the review has too many. */
  not_replayed: z.number().int(),
});
export type AccessReview = z.infer<typeof accessReview>;

export const accessSaved = z.object({
  /** `requested`: waits for a second person. */
  became: z.enum(['saved', 'requested']),
  changed: z.number().int(),
});

const rule = z.object({
  rule: z.enum(['record', 'active', 'tool', 'role', 'place']),
  holds: z.boolean(),
  /** The rule as text, with its result. */
  words: z.string(),
});
export type AccessRule = z.infer<typeof rule>;

const ids = z.object({ id: z.number(), name: z.string().nullable() });

/** Everything that a person can and cannot do, with the reasons. */
export const personAccess = z.object({
  login: z.string(),
  /** `none`: no record. */
  state: z.enum(['active', 'disabled', 'expired', 'none']),
  email: z.string().nullable(),
  perm: z.enum(['ALL', 'CUSTOM']).nullable(),
  reason: z.string(),
  expires_at: z.string().nullable(),
  tools: z.array(z.object({ tool: z.enum(TOOLS.map(({ id }) => id)), may: z.boolean(), words: z.string() })),
  everywhere: z.boolean(),
  programmes: z.array(ids),
  /** Whether names are missing because the LMS did not answer. */
  names_missing: z.boolean(),
  roles: z.object({ course: z.array(ids), section: z.array(ids) }),
  zoom_queue_removal: z.boolean(),
});
export type PersonAccess = z.infer<typeof personAccess>;

const actionId = z.enum(ACTIONS.map(({ id }) => id) as [ActionId, ...ActionId[]]);
const text = z.string().trim().max(300);

/** A question about one person or all people: with a role and a place if the action needs them. */
export const accessQuestion = z.object({
  action: actionId,
  role: z.coerce.number().int().positive().optional(),
  /** A course by its number or SIS ID. */
  course: text.optional(),
  account: z.coerce.number().int().positive().optional(),
});
export type AccessQuestion = z.infer<typeof accessQuestion>;

const place = z.object({ name: z.string(), account: z.number() }).nullable();

export const accessAnswer = z.object({
  login: z.string(),
  may: z.boolean(),
  rules: z.array(rule),
  /** The rule that decides: the first that fails, or the last. */
  decides: rule,
  place,
});
export type AccessAnswer = z.infer<typeof accessAnswer>;

export const accessWho = z.object({
  people: z.array(z.object({ login: z.string(), perm: z.string(), expires_at: z.string().nullable() })),
  /** Number of records checked. */
  of: z.number().int(),
  place,
});
export type AccessWho = z.infer<typeof accessWho>;

export const historyLine = z.object({
  id: z.number(),
  at: z.string(),
  by: z.string(),
  login: z.string(),
  kind: z.string(),
  before: accessRecord.nullable(),
  after: accessRecord.nullable(),
  why: z.string(),
  approved_by: z.string().nullable(),
});
export type HistoryLine = z.infer<typeof historyLine>;

export const accessHistory = z.object({ lines: z.array(historyLine), more: z.boolean() });
export type AccessHistory = z.infer<typeof accessHistory>;

export const accessRequest = z.object({
  id: z.uuid(),
  by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  why: z.string(),
  /** Whether the current person requested it themselves, or can decide it. */
  yours: z.boolean(),
  review: accessReview,
});
export type AccessRequest = z.infer<typeof accessRequest>;
export const accessRequests = z.array(accessRequest);

/** A difference between the records and the administrators of the LMS. */
export const driftLine = z.object({
  login: z.string(),
  name: z.string(),
  kind: z.enum(['no-lms-role', 'no-access']),
  /** Accounts in the LMS by number and name, with the role there. */
  accounts: z.array(z.object({ id: z.number(), name: z.string(), role: z.string() })),
});
export const accessDrift = z.object({
  lines: z.array(driftLine),
  accounts: z.number().int(),
  /** Accounts whose administrators the LMS did not return. */
  unread: z.array(z.string()),
  /** Number of accounts that were not compared, because there are too many. */
  not_compared: z.number().int(),
});
export type AccessDrift = z.infer<typeof accessDrift>;
