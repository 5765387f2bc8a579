/** Names and ids of group categories and groups, and the ranges that groups are made from (area GRP). Pure. */

/** Numbers that a range may begin and end with (GRP-19). */
export const GROUP_NUMBERS: readonly number[] = Array.from({ length: 50 }, (_, number) => number);
/** What a new group is made as (GRP-23). */
export const NEW_GROUP_STATUS = 'available';
/** Most ranges of one press, and characters of a prefix: far beyond what anybody types. */
export const MAX_GROUP_RANGES = 40;
export const MAX_PREFIX_LENGTH = 100;

/** One row of 'Create Groups': both ends belong to it, and a start above the end gives no group (OP-78). */
export interface GroupRange {
  prefix: string;
  start: number;
  end: number;
}

/** The two digits of a group's number (GRP-19). */
export function groupNumber(number: number): string {
  return String(number).padStart(2, '0');
}

/** Name of a group (GRP-21): `Team-G07`. */
export function groupName(prefix: string, number: number): string {
  return `${prefix}-G${groupNumber(number)}`;
}

/** SIS ID of a group (GRP-22): the category is no part of it (OP-77). */
export function groupSisId(sisCourseId: string, name: string): string {
  return `${sisCourseId}_${name}`;
}

/** SIS ID of a category (GRP-13): only the first space of the name is replaced (OP-76). */
export function categorySisId(sisCourseId: string, name: string): string {
  return `${sisCourseId}_${name.trim().replace(' ', '_')}`;
}

/** Whether a name is one line that can be shown, and that files can carry. */
export function isLine(text: string): boolean {
  return /[^\s\p{C}]/u.test(text) && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}

/** Whether two names of categories are the same to the check of duplicates (GRP-11). */
export function sameCategoryName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether a row counts: its prefix is not blank (GRP-20). */
export function rangeCounts({ prefix }: Pick<GroupRange, 'prefix'>): boolean {
  return prefix.trim() !== '';
}

/** Names of the groups of these rows, in their order, equal ones once (OP-78). */
export function groupNames(ranges: readonly GroupRange[]): string[] {
  const names = new Set<string>();
  for (const range of ranges) {
    if (!rangeCounts(range)) continue;
    for (let number = range.start; number <= range.end; number++) {
      names.add(groupName(range.prefix.trim(), number));
    }
  }
  return [...names];
}
