/** Permissions of a record (area PERM): pure rules, enforced by the server and used by the console for display. */
import { DEFAULT_ROLE_IDS } from './constants.ts';

export const FLAGS = [
  'course_level_admin',
  'sis_import',
  'section_enrollment',
  'zoom_update',
  'group_level_admin',
  'aws_s3_manager',
  'export_course_students',
  'user_search',
  'best_teaching_reports',
  'zoom_creation',
  'create_users',
  'kaltura_recording_access',
  'access_admin',
  'system',
] as const;
export type Flag = (typeof FLAGS)[number];

/** The comma-separated list of the record that names the roles to assign (OP-34). */
export type RoleLevel = 'course' | 'section';

/** The part of a record that the rules need. A flag counts only when it is exactly true (OP-12). */
export interface Permissions extends Readonly<Partial<Record<Flag, unknown>>> {
  readonly perm: string;
  readonly sub_accounts: string;
  readonly roles: string;
  readonly section_roles: string;
}

/** Returns the positive whole numbers of a comma-separated list; anything else is ignored. */
export function idList(text: string): number[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => /^[1-9]\d{0,15}$/.test(part))
        .map(Number),
    ),
  ];
}

/** Permission to change other people's access. */
export const ACCESS_ADMIN = 'access_admin' satisfies Flag;

/** Flags for the whole installation: a record limited to some accounts cannot have them. */
export const ONLY_FOR_ALL: ReadonlySet<Flag> = new Set([ACCESS_ADMIN, 'system']);

/** Returns whether the record has this flag and is allowed to have it. */
export function hasFlag(record: Permissions, flag: Flag): boolean {
  return record[flag] === true && (record.perm === 'ALL' || !ONLY_FOR_ALL.has(flag));
}

/**
 * Returns the ids of roles that the administrator can assign: all defaults for `ALL`, their list for `CUSTOM`, or
 * none (OP-13).
 */
export function assignableRoleIds(record: Permissions, level: RoleLevel): readonly number[] {
  if (record.perm === 'ALL') return DEFAULT_ROLE_IDS;
  if (record.perm !== 'CUSTOM') return [];
  return idList(level === 'course' ? record.roles : record.section_roles);
}

/**
 * Returns the accounts at the top of the administrator's scope: 'all', or the listed ids (none for an unknown
 * `perm`).
 */
export function topAccounts(record: Permissions): 'all' | readonly number[] {
  if (record.perm === 'ALL') return 'all';
  return record.perm === 'CUSTOM' ? idList(record.sub_accounts) : [];
}

/**
 * Returns whether an account is in the administrator's scope: it, or an account above it, is listed (OP-14).
 * @param parents parent account id by account id; a chain that ends or loops outside the list is out of scope.
 */
export function accountInScope(
  record: Permissions,
  accountId: number,
  parents: ReadonlyMap<number, number | null>,
): boolean {
  const top = topAccounts(record);
  if (top === 'all') return true;
  const listed = new Set(top);
  const seen = new Set<number>();
  let id: number | null | undefined = accountId;
  while (typeof id === 'number' && !seen.has(id)) {
    if (listed.has(id)) return true;
    seen.add(id);
    id = parents.get(id);
  }
  return false;
}
