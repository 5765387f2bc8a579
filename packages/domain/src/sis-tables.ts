/**
 * The SIS tables: every kind of CSV that LMS Admin sends to the LMS. They define templates, the checks of headers and
 * rows, previews, the count of deletions and the kind of a file.
 */
import { csvText } from './csv.ts';
import { ENROLLMENTS } from './sis-tables/enrollments.ts';
import { GROUP_CATEGORIES } from './sis-tables/group-categories.ts';
import { GROUP_MEMBERSHIPS } from './sis-tables/group-memberships.ts';
import { GROUPS } from './sis-tables/groups.ts';
import {
  ABSTRACT_COURSES,
  ACCOUNTS,
  ADMINS,
  CHANGED_IDS,
  COURSES,
  CROSS_LISTINGS,
  LOGINS,
  OBSERVERS,
  SECTIONS,
  TERMS,
} from './sis-tables/places-and-logins.ts';
import type { SisTableOf, SisTemplate } from './sis-tables/table.ts';
import { USERS } from './sis-tables/users.ts';

/** In the order in which the LMS tries them on a header, and processes the files of a zip (LMS reference §8.1). */
const TABLES = [
  CHANGED_IDS,
  ACCOUNTS,
  TERMS,
  ABSTRACT_COURSES,
  COURSES,
  SECTIONS,
  CROSS_LISTINGS,
  USERS,
  LOGINS,
  ENROLLMENTS,
  ADMINS,
  GROUP_CATEGORIES,
  GROUPS,
  GROUP_MEMBERSHIPS,
  OBSERVERS,
] as const;

export type SisKind = (typeof TABLES)[number]['kind'];
export type SisTable = SisTableOf<SisKind, string>;

export const SIS_TABLES: readonly SisTable[] = TABLES;
export const SIS_KINDS: readonly SisKind[] = TABLES.map(({ kind }) => kind);

const BY_KIND = new Map(SIS_TABLES.map((table) => [table.kind, table]));

/** Returns the table of a kind. */
export function sisTableOf(kind: SisKind): SisTable {
  const table = BY_KIND.get(kind);
  if (!table) throw new Error(`there is no SIS table ${kind}`);
  return table;
}

/**
 * Returns the table of a header, as the LMS recognises it; null if there is none. The LMS does not trim column names,
 * so a file is sent with trimmed names in lower case.
 */
export function sisTableFor(header: readonly string[]): SisTable | null {
  const names = new Set(header);
  const has = (name: string) => names.has(name);
  const fits = ({ known: { by, without = [] } }: SisTable) =>
    by.every((oneOf) => oneOf.some(has)) && !without.some(has);
  return SIS_TABLES.find(fits) ?? null;
}

/** Returns whether a `status` deletes what its row names: like the LMS, checks only its start. */
export function deletes(table: SisTable, status: string): boolean {
  return table.deleting.some((word) => status.startsWith(word));
}

/** Every template, in the documented order (SIS-03). */
export const SIS_TEMPLATES: readonly SisTemplate[] = SIS_TABLES.flatMap(
  ({ templates = [] }) => templates,
).sort((a, b) => (a.place ?? Number.POSITIVE_INFINITY) - (b.place ?? Number.POSITIVE_INFINITY));

/**
 * Returns the file of a template. Its first line makes Excel separate the cells at commas in every language; without
 * it, half of Europe would see one column. The upload skips this line.
 */
export function templateText({ columns, sample }: SisTemplate): string {
  return `sep=,\n${csvText([columns, columns.map((name) => sample[name] ?? '')])}\n`;
}

const MARKS: ReadonlySet<string> = new Set(
  SIS_TEMPLATES.flatMap(({ marked, sample }) => sample[marked] ?? []),
);

/** Returns whether a cell must come from a template's sample row. */
export function isSampleCell(cell: string): boolean {
  return MARKS.has(cell);
}
