/** The directory: a copy of people, accounts, terms, courses and sections, made from the LMS's own report. What is decided about it. */
import { momentOfClock } from './wall-clock.ts';

export const DIRECTORY_TABLES = ['users', 'logins', 'accounts', 'terms', 'courses', 'sections'] as const;
export type DirectoryTable = (typeof DIRECTORY_TABLES)[number];
/** Rows by table. */
export type DirectoryCounts = Record<DirectoryTable, number>;

const DAY_MS = 86_400_000;
/** From this age on nothing is looked up in it. */
export const DIRECTORY_USED_MS = 3 * DAY_MS;
/** Share of its rows that a table may lose from one report to the next. */
const MOST_LOST = 0.1;
/** Tables with few rows, where one that is deleted is a large share: they may not lose all. */
const SMALL: readonly DirectoryTable[] = ['accounts', 'terms'];

export interface Shrunk {
  table: DirectoryTable;
  before: number;
  after: number;
}

/** The tables that have lost more rows than a school loses in a day: the report is likely to be incomplete. */
export function shrunkTables(before: DirectoryCounts, after: DirectoryCounts): Shrunk[] {
  return DIRECTORY_TABLES.flatMap((table) => {
    const [was, is] = [before[table], after[table]];
    const isShrunk = SMALL.includes(table) ? was > 0 && is === 0 : was - is > was * MOST_LOST;
    return isShrunk ? [{ table, before: was, after: is }] : [];
  });
}

/**
 * The last moment at which the clocks of a zone showed a time of day, and the next one. Milliseconds since 1970.
 * @param time `hh:mm`
 * @param zone an IANA name
 */
export function dailyMoments(now: number, time: string, zone: string): { last: number; next: number } {
  // Zones are at most 14 hours away from UTC: the days around that of UTC are enough.
  const days = [-2, -1, 0, 1, 2].map((day) => new Date(now + day * DAY_MS).toISOString().slice(0, 10));
  const moments = days.flatMap((day) => momentOfClock(day, time, zone)?.ms ?? []).toSorted((a, b) => a - b);
  return {
    last: moments.findLast((ms) => ms <= now) ?? now,
    next: moments.find((ms) => ms > now) ?? now + DAY_MS,
  };
}
