/** Names and ids of group categories and groups, and the ranges that groups are created from (area GRP). Pure. */

/** First and last numbers of a range (GRP-19). */
export const GROUP_NUMBERS: readonly number[] = Array.from({ length: 50 }, (_, number) => number);
/** Status of a new group (GRP-23). */
export const NEW_GROUP_STATUS = 'available';
/** Maximum number of ranges at once, and of characters in a prefix: far beyond what people type. */
export const MAX_GROUP_RANGES = 40;
export const MAX_PREFIX_LENGTH = 100;

/** One row of 'Create Groups': both ends are included, and a start above the end gives no group (OP-78). */
export interface GroupRange {
  prefix: string;
  start: number;
  end: number;
}

/** Returns the two digits of a group's number (GRP-19). */
export function groupNumber(number: number): string {
  return String(number).padStart(2, '0');
}

/** Returns the name of a group (GRP-21): `Team-G07`. */
export function groupName(prefix: string, number: number): string {
  return `${prefix}-G${groupNumber(number)}`;
}

/** Returns the SIS ID of a group (GRP-22): the category is not part of it (OP-77). */
export function groupSisId(sisCourseId: string, name: string): string {
  return `${sisCourseId}_${name}`;
}

/** Returns the SIS ID of a category (GRP-13): only the first space of the name is replaced (OP-76). */
export function categorySisId(sisCourseId: string, name: string): string {
  return `${sisCourseId}_${name.trim().replace(' ', '_')}`;
}

/** Returns whether a name is a single line that can be shown and written to files. */
export function isLine(text: string): boolean {
  return /[^\s\p{C}]/u.test(text) && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}

/**
 * Returns the form for comparing names of groups and categories: without differences in case, spaces and Unicode
 * forms.
 */
export function nameKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

/** Returns whether two names of categories count as duplicates (GRP-11). */
export function sameCategoryName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

/** Returns whether a row counts: its prefix is not empty (GRP-20). */
export function rangeCounts({ prefix }: Pick<GroupRange, 'prefix'>): boolean {
  return prefix.trim() !== '';
}

/** Returns the names of the groups in these rows, in order, without repeats (OP-78). */
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
