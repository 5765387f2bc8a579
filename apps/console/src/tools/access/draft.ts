/** A record while it is edited, and the change that is sent for it. */
import type { AccessChange, ListedRecord } from '@lms-admin/contract/access';
import { type SubAccount, subAccount } from '@lms-admin/contract/session';
import { FLAGS, type Flag, hasFlag, idList } from '@lms-admin/domain/access';
import { momentOfClock } from '@lms-admin/domain/wall-clock';

export interface Draft {
  /** Text of the logins of new people. */
  logins: string;
  email: string;
  everywhere: boolean;
  programmes: readonly number[];
  flags: ReadonlySet<Flag>;
  courseRoles: readonly number[];
  sectionRoles: readonly number[];
  queue: boolean;
  reason: string;
  /** `2026-11-27`; empty for no end. */
  day: string;
  disabled: boolean;
}

export const EMPTY: Draft = {
  logins: '',
  email: '',
  everywhere: false,
  programmes: [],
  flags: new Set(),
  courseRoles: [],
  sectionRoles: [],
  queue: false,
  reason: '',
  day: '',
  disabled: false,
};

export function draftOf(entry: ListedRecord, zone: string): Draft {
  const { record, reason, expires_at, disabled } = entry;
  return {
    ...rightsDraft(record),
    logins: '',
    email: record.email,
    reason,
    day: dayOf(expires_at, zone),
    disabled,
  };
}

/** Copies another person's permissions, but not the identity or the reason. */
export function rightsDraft(record: SubAccount) {
  return {
    everywhere: record.perm === 'ALL',
    programmes: idList(record.sub_accounts),
    flags: new Set(FLAGS.filter((flag) => hasFlag(record, flag))),
    courseRoles: idList(record.roles),
    sectionRoles: idList(record.section_roles),
    queue: record.feature_permissions.zoom_update_courses_delete,
  };
}

/** Lists the typed or pasted logins, each once. */
export function loginsOf(text: string): string[] {
  const typed = text.split(/[\n\r,;\t]+/).map((login) => login.trim());
  const seen = new Map(typed.filter((login) => login !== '').map((login) => [login.toLowerCase(), login]));
  return [...seen.values()];
}

/** Tells whether a login is also an email address, as most are. */
export function isEmail(login: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(login);
}

/** Returns the end of a day in a time zone, as ISO 8601. */
export function endOfDay(day: string, zone: string): string | null {
  const last = day === '' ? null : momentOfClock(day, '23:59:59', zone);
  return last === null ? null : new Date(last.ms).toISOString();
}

/** Returns the day of a moment in a time zone, as `2026-11-27`; empty for none. */
export function dayOf(moment: string | null, zone: string): string {
  if (moment === null) return '';
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(Date.parse(moment));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

function recordOf(draft: Draft, email: string): SubAccount {
  return subAccount.parse({
    ...Object.fromEntries(FLAGS.map((flag) => [flag, draft.flags.has(flag)])),
    access_admin: draft.everywhere && draft.flags.has('access_admin'),
    perm: draft.everywhere ? 'ALL' : 'CUSTOM',
    sub_accounts: draft.programmes.join(','),
    roles: draft.courseRoles.join(','),
    section_roles: draft.sectionRoles.join(','),
    email,
    feature_permissions: { zoom_update_courses_delete: draft.queue },
  });
}

/** Builds the change to send for the record of `entry`. */
export function changeOf(draft: Draft, entry: ListedRecord, zone: string): AccessChange {
  const same = dayOf(entry.expires_at, zone) === draft.day;
  return {
    login: entry.login,
    record: recordOf(draft, draft.email),
    reason: draft.reason,
    expires_at: same ? entry.expires_at : endOfDay(draft.day, zone),
    disabled: draft.disabled,
    version: entry.version,
  };
}

/** Builds the change to send for new people. */
export function additionsOf(draft: Draft, zone: string): AccessChange[] {
  return loginsOf(draft.logins).map((login) => ({
    login,
    record: recordOf(draft, isEmail(login) ? login : draft.email.trim()),
    reason: draft.reason,
    expires_at: endOfDay(draft.day, zone),
    disabled: draft.disabled,
    version: null,
  }));
}

/** Builds a change that keeps everything in a record, so that a single field can be changed. */
export function unchanged({
  login,
  record,
  reason,
  expires_at,
  disabled,
  version,
}: ListedRecord): AccessChange {
  return { login, record, reason, expires_at, disabled, version };
}
