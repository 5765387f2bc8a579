/** What an admin's record allows (area PERM): pure rules, asked by the server for safety and the console for kindness. */
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

/** Which comma list of the record names the roles that may be given (OP-34). */
export type RoleLevel = 'course' | 'section';

/** The part of a record that rules are asked about. A flag counts only when it is exactly true (OP-12). */
export interface Permissions extends Readonly<Partial<Record<Flag, unknown>>> {
  readonly perm: string;
  readonly sub_accounts: string;
  readonly roles: string;
  readonly section_roles: string;
}

/** The positive whole numbers of a comma list; anything else in it is passed over. */
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

/** Changing what others may do. */
export const ACCESS_ADMIN = 'access_admin' satisfies Flag;

/** What these open is about the whole installation: a record that is limited to some accounts cannot have it. */
export const ONLY_FOR_ALL: ReadonlySet<Flag> = new Set([ACCESS_ADMIN, 'system']);

/** Whether the record carries this flag, and may. */
export function hasFlag(record: Permissions, flag: Flag): boolean {
  return record[flag] === true && (record.perm === 'ALL' || !ONLY_FOR_ALL.has(flag));
}

/** Role ids the admin may give at this level: all defaults for `ALL`, their own list for `CUSTOM`, else none (OP-13). */
export function assignableRoleIds(record: Permissions, level: RoleLevel): readonly number[] {
  if (record.perm === 'ALL') return DEFAULT_ROLE_IDS;
  if (record.perm !== 'CUSTOM') return [];
  return idList(level === 'course' ? record.roles : record.section_roles);
}

/** Accounts at the top of the admin's reach: 'all', or the listed ids (none for an unknown `perm`). */
export function topAccounts(record: Permissions): 'all' | readonly number[] {
  if (record.perm === 'ALL') return 'all';
  return record.perm === 'CUSTOM' ? idList(record.sub_accounts) : [];
}

/**
 * Whether an account lies in the admin's reach: it, or an account above it, is listed (OP-14).
 * @param parents parent account id by account id; a chain that ends or loops outside the list is out of reach.
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
