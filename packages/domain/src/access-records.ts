/** Access records: what each one grants, what a change adds and removes, and which changes are rejected. Pure. */
import {
  ACCESS_ADMIN,
  assignableRoleIds,
  FLAGS,
  type Flag,
  hasFlag,
  type Permissions,
  type RoleLevel,
  topAccounts,
} from './access.ts';
import { ROOT_ACCOUNT_ID } from './constants.ts';

/** A person's permissions, their end, and the reason. */
export interface AccessEntry<R extends Permissions = Permissions> {
  /** As written; compared ignoring case. */
  readonly login: string;
  readonly record: R;
  /** Why the person has the record. */
  readonly reason: string;
  /** The record gives no access from this moment, as ISO 8601; null: it does not end. */
  readonly expires_at: string | null;
  /** The record is kept but gives no access. */
  readonly disabled: boolean;
}

export type EntryState = 'active' | 'disabled' | 'expired';

/** Records by `loginKey`. */
export type Entries<R extends Permissions = Permissions> = ReadonlyMap<string, AccessEntry<R>>;

export function loginKey(login: string): string {
  return login.trim().toLowerCase();
}

/** @param now milliseconds since 1970 */
export function entryState(
  { disabled, expires_at }: Pick<AccessEntry, 'disabled' | 'expires_at'>,
  now: number,
): EntryState {
  if (disabled) return 'disabled';
  return endOf(expires_at) <= now ? 'expired' : 'active';
}

/** Returns the permissions in effect: none once the record is disabled or has expired. */
export function activeRecord<R extends Permissions>(
  entry: AccessEntry<R> | undefined,
  now: number,
): R | null {
  return entry && entryState(entry, now) === 'active' ? entry.record : null;
}

/** One permission that a record grants. */
export type Right =
  | { kind: 'tool'; flag: Flag }
  | { kind: 'everywhere' }
  | { kind: 'programme'; id: number }
  | { kind: 'role'; level: RoleLevel; id: number }
  | { kind: 'zoom-queue-removal' };

/** Returns all permissions that a record grants at a given moment. */
export function rightsOf(entry: AccessEntry | undefined, now: number): Right[] {
  const record = activeRecord(entry, now);
  if (record === null) return [];
  const top = topAccounts(record);
  const features = (record as { feature_permissions?: { zoom_update_courses_delete?: unknown } })
    .feature_permissions;
  return [
    ...FLAGS.filter((flag) => hasFlag(record, flag)).map((flag) => ({ kind: 'tool' as const, flag })),
    ...(top === 'all'
      ? [{ kind: 'everywhere' as const }]
      : top.map((id) => ({ kind: 'programme' as const, id }))),
    ...(['course', 'section'] as const).flatMap((level) =>
      assignableRoleIds(record, level).map((id) => ({ kind: 'role' as const, level, id })),
    ),
    ...(features?.zoom_update_courses_delete === true ? [{ kind: 'zoom-queue-removal' as const }] : []),
  ];
}

/** Permissions that a change adds and removes. */
export interface RightsChange {
  gains: Right[];
  loses: Right[];
}

export function rightsChange(
  before: AccessEntry | undefined,
  after: AccessEntry | undefined,
  now: number,
): RightsChange {
  const [had, has] = [rightsOf(before, now), rightsOf(after, now)];
  return { gains: without(has, had), loses: without(had, has) };
}

function without(rights: readonly Right[], others: readonly Right[]): Right[] {
  const known = new Set(others.map((right) => JSON.stringify(right)));
  return rights.filter((right) => !known.has(JSON.stringify(right)));
}

/** A change for display: getting the whole school removes no programme, and losing it adds none. */
export interface ShownChange extends RightsChange {
  /** Programmes that remain after losing the whole school. */
  keeps: Right[];
}

export function shownChange({ gains, loses }: RightsChange): ShownChange {
  const isProgramme = ({ kind }: Right) => kind === 'programme';
  if (gains.some(isEverywhere)) {
    // The whole school includes all roles, so they are not listed individually.
    const gained = gains.filter(({ kind }) => kind !== 'role');
    return { gains: gained, loses: loses.filter((right) => !isProgramme(right)), keeps: [] };
  }
  if (!loses.some(isEverywhere)) return { gains, loses, keeps: [] };
  return { gains: gains.filter((right) => !isProgramme(right)), loses, keeps: gains.filter(isProgramme) };
}

const isEverywhere = ({ kind }: Right) => kind === 'everywhere';

/** Returns the moment when a person stops being an access administrator under this record; 0 if they are not one. */
function adminUntil(entry: AccessEntry | undefined, now: number): number {
  const record = activeRecord(entry, now);
  return record && hasFlag(record, ACCESS_ADMIN) ? endOf(entry?.expires_at ?? null) : 0;
}

/** Whether a person, by `loginKey`, can really sign in: a record does not prove it, as its login may be misspelt. */
export type CanSignIn = (key: string) => boolean;

/**
 * Returns the moment when the last access administrator who can sign in stops being one; 0 if there is none, infinite
 * if never.
 */
export function adminsUntil(entries: Entries, now: number, canSignIn: CanSignIn): number {
  let until = 0;
  for (const [key, entry] of entries) {
    const own = adminUntil(entry, now);
    if (own > until && canSignIn(key)) until = own;
  }
  return until;
}

/** Lists the access administrators in the records, by `loginKey`. */
export function adminKeys(entries: Entries, now: number): string[] {
  return [...entries].filter(([, entry]) => adminUntil(entry, now) > 0).map(([key]) => key);
}

/**
 * Why a change is rejected: `no-right`: the person is not an access administrator (any more). `own-admin`: people
 * cannot remove or shorten their own permission to change access. `last-admin`: the time with at least one access
 * administrator who can sign in would become shorter. `admin-needs-all`: only a record of `ALL` can have the
 * permission.
 */
export type ChangeRefusal = 'no-right' | 'own-admin' | 'last-admin' | 'admin-needs-all';

/**
 * Checks a change of records.
 * @param by the signed-in person who asks for the change; null: an operator, to whom the first two reasons do not apply
 */
export function refusedChange(
  before: Entries,
  after: Entries,
  by: string | null,
  now: number,
  canSignIn: CanSignIn,
): ChangeRefusal | null {
  for (const { record } of after.values())
    if (record[ACCESS_ADMIN] === true && !hasFlag(record, ACCESS_ADMIN)) return 'admin-needs-all';
  if (by !== null) {
    const key = loginKey(by);
    const own = adminUntil(before.get(key), now);
    if (own === 0) return 'no-right';
    if (adminUntil(after.get(key), now) < own) return 'own-admin';
  }
  const known: CanSignIn = (key) => (by !== null && key === loginKey(by)) || canSignIn(key);
  // Until someone has signed in, only the records count.
  const counts: CanSignIn = adminsUntil(before, now, known) > 0 ? known : () => true;
  return adminsUntil(after, now, counts) < adminsUntil(before, now, counts) ? 'last-admin' : null;
}

/**
 * What an active record lacks to be useful: `tool`: it has none. `programme`: a tool works in courses, but the record
 * names no programme. `course-role`, `section-role`: a tool assigns roles, but the record names none.
 */
export type Gap = 'tool' | 'programme' | 'course-role' | 'section-role';

const IN_COURSES: readonly Flag[] = [
  'course_level_admin',
  'section_enrollment',
  'group_level_admin',
  'export_course_students',
  'zoom_update',
  'zoom_creation',
  'sis_import',
];

export function gapsOf({ record, disabled }: Pick<AccessEntry, 'record' | 'disabled'>): Gap[] {
  if (disabled) return [];
  const has = (flag: Flag) => hasFlag(record, flag);
  if (!FLAGS.some(has)) return ['tool'];
  const top = topAccounts(record);
  const lacks = (flag: Flag, level: RoleLevel) => has(flag) && assignableRoleIds(record, level).length === 0;
  return [
    ...(top !== 'all' && top.length === 0 && IN_COURSES.some(has) ? (['programme'] as const) : []),
    ...(lacks('course_level_admin', 'course') ? (['course-role'] as const) : []),
    ...(lacks('section_enrollment', 'section') ? (['section-role'] as const) : []),
  ];
}

/** Tools that do not depend on programmes, whatever scope the record has. */
const WHOLE_SCHOOL: ReadonlySet<Flag> = new Set<Flag>([
  'user_search',
  'create_users',
  'aws_s3_manager',
  'best_teaching_reports',
  ACCESS_ADMIN,
]);

/** Returns whether a change needs a second access administrator, if the installation requires one. */
export function needsSecond(
  before: AccessEntry | undefined,
  after: AccessEntry | undefined,
  by: string,
  now: number,
): boolean {
  const own = loginKey(after?.login ?? before?.login ?? '') === loginKey(by);
  if (own) return true;
  const { gains } = rightsChange(before, after, now);
  const top = after ? topAccounts(after.record) : [];
  // A file can name the root account, which means the whole school.
  const everywhere = top === 'all' || top.includes(ROOT_ACCOUNT_ID);
  const reaches = gains.some(
    (right) =>
      right.kind === 'everywhere' || (right.kind === 'tool' && (everywhere || WHOLE_SCHOOL.has(right.flag))),
  );
  return reaches || (everywhere && endOf(after?.expires_at ?? null) > endOf(before?.expires_at ?? null));
}

/** Returns the end of a record in milliseconds since 1970; an unreadable moment counts as past. */
function endOf(expiresAt: string | null): number {
  if (expiresAt === null) return Number.POSITIVE_INFINITY;
  const at = Date.parse(expiresAt);
  return Number.isNaN(at) ? 0 : at;
}

/** Days before the end at which people are warned. */
export const WARN_DAYS = [14, 3] as const;

/** Returns whether the end is near: within 3 or 14 days; null if it is later, past, or never. */
export function endsWithin(expiresAt: string | null, now: number): (typeof WARN_DAYS)[number] | null {
  const left = endOf(expiresAt) - now;
  if (left <= 0) return null;
  return WARN_DAYS.toReversed().find((days) => left <= days * 86_400_000) ?? null;
}
