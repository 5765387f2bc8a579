/** Rules of the directory, a copy of people, accounts, terms, courses and sections from the LMS's own report. */
import { momentOfClock } from './wall-clock.ts';

export const DIRECTORY_TABLES = ['users', 'logins', 'accounts', 'terms', 'courses', 'sections'] as const;
export type DirectoryTable = (typeof DIRECTORY_TABLES)[number];
/** Number of rows by table. */
export type DirectoryCounts = Record<DirectoryTable, number>;

const DAY_MS = 86_400_000;
/** Age from which the directory is not used. */
export const DIRECTORY_USED_MS = 3 * DAY_MS;
/** Age from which no one counts as known, and everyone is looked up in the LMS. The two hours are for a slow report. */
export const DIRECTORY_KNOWN_MS = 26 * 3_600_000;
/** Share of the rows that a table can lose between two reports. */
const MOST_LOST = 0.1;
/** Tables with few rows, where one deleted row is a large share. They only count as shrunk if all rows are lost. */
const SMALL: readonly DirectoryTable[] = ['accounts', 'terms'];

export interface Shrunk {
  table: DirectoryTable;
  before: number;
  after: number;
}

/** Finds the tables that have lost more rows than a school loses in a day: the report is probably incomplete. */
export function shrunkTables(before: DirectoryCounts, after: DirectoryCounts): Shrunk[] {
  return DIRECTORY_TABLES.flatMap((table) => {
    const [was, is] = [before[table], after[table]];
    const isShrunk = SMALL.includes(table) ? was > 0 && is === 0 : was - is > was * MOST_LOST;
    return isShrunk ? [{ table, before: was, after: is }] : [];
  });
}

/**
 * Finds the last and the next moment with this local time of day. Milliseconds since 1970.
 * @param time `hh:mm`
 * @param zone an IANA name
 */
export function dailyMoments(now: number, time: string, zone: string): { last: number; next: number } {
  // Zones are at most 14 hours from UTC: the days around the UTC day are enough.
  const days = [-2, -1, 0, 1, 2].map((day) => new Date(now + day * DAY_MS).toISOString().slice(0, 10));
  const moments = days.flatMap((day) => momentOfClock(day, time, zone)?.ms ?? []).toSorted((a, b) => a - b);
  return {
    last: moments.findLast((ms) => ms <= now) ?? now,
    next: moments.find((ms) => ms > now) ?? now + DAY_MS,
  };
}
