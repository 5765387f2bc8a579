/** Tables of the copy: how report columns map to them, adding rows, and replacing the copy with a complete report. */
import { DIRECTORY_TABLES, type DirectoryCounts, type DirectoryTable } from '@lms-admin/domain/directory';
import { sql } from 'drizzle-orm';
import type { Database, Db } from '../platform/database.ts';
import {
  directoryAccounts,
  directoryAccountsNew,
  directoryCourses,
  directoryCoursesNew,
  directoryLogins,
  directoryLoginsNew,
  directorySections,
  directorySectionsNew,
  directoryTerms,
  directoryTermsNew,
  directoryUsers,
  directoryUsersNew,
  NEW,
} from '../platform/schema.ts';

/** `id`: a number of the LMS · `id?`: a number that may be missing · `text` · `text?`: null if empty */
type ColumnKind = 'id' | 'id?' | 'text' | 'text?';
interface Column {
  /** Column of the table. */
  name: string;
  /** Column of the report. */
  from: string;
  kind: ColumnKind;
}
const column = (name: string, from: string, kind: ColumnKind): Column => ({ name, from, kind });

/** Files of a report in reading order, and the columns kept from each. In the file of users, each row is a login. */
export const REPORT_FILES: readonly { file: string; tables: Partial<Record<DirectoryTable, Column[]>> }[] = [
  {
    file: 'users',
    tables: {
      users: [
        column('id', 'canvas_user_id', 'id'),
        column('name', 'full_name', 'text'),
        column('sortable_name', 'sortable_name', 'text'),
        column('email', 'email', 'text?'),
      ],
      logins: [
        column('user_id', 'canvas_user_id', 'id'),
        column('login', 'login_id', 'text'),
        column('sis_id', 'user_id', 'text?'),
      ],
    },
  },
  {
    file: 'accounts',
    tables: {
      accounts: [
        column('id', 'canvas_account_id', 'id'),
        column('sis_id', 'account_id', 'text?'),
        column('parent_id', 'canvas_parent_id', 'id?'),
        column('name', 'name', 'text'),
      ],
    },
  },
  {
    file: 'terms',
    tables: {
      terms: [
        column('id', 'canvas_term_id', 'id'),
        column('sis_id', 'term_id', 'text?'),
        column('name', 'name', 'text'),
      ],
    },
  },
  {
    file: 'courses',
    tables: {
      courses: [
        column('id', 'canvas_course_id', 'id'),
        column('sis_id', 'course_id', 'text?'),
        column('code', 'short_name', 'text'),
        column('name', 'long_name', 'text'),
        column('account_id', 'canvas_account_id', 'id'),
        column('term_id', 'canvas_term_id', 'id'),
      ],
    },
  },
  {
    file: 'sections',
    tables: {
      sections: [
        column('id', 'canvas_section_id', 'id'),
        column('sis_id', 'section_id', 'text?'),
        column('course_id', 'canvas_course_id', 'id'),
        column('name', 'name', 'text'),
      ],
    },
  },
];

/** A row that the LMS cannot have written. */
export class BadRow extends Error {
  override name = 'BadRow';
}

/** Converts a row of the report to a row of the table. @param cells of the report, by column @throws BadRow */
export function rowOf(columns: readonly Column[], cells: ReadonlyMap<string, string>) {
  return Object.fromEntries(
    columns.map(({ name, from, kind }) => [name, valueOf(kind, cells.get(from) ?? '')]),
  );
}

function valueOf(kind: ColumnKind, text: string): string | null {
  if (kind === 'text') return text;
  if (text === '' && kind !== 'id') return null;
  if (kind !== 'text?' && !/^\d{1,16}$/.test(text)) throw new BadRow('a number is missing');
  return text;
}

const nameOf = (table: DirectoryTable) => `directory_${table}`;
const quoted = (name: string) => `"${name}"`;
const READ = DIRECTORY_TABLES.map(nameOf);
const FILLED = READ.map((name) => name + NEW);

/** Adds rows to the table being filled. If a person has several logins, only the first row counts. */
export async function addRows(
  tx: Db,
  table: DirectoryTable,
  columns: readonly Column[],
  rows: readonly Record<string, string | null>[],
): Promise<void> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const types = columns
    .map(({ name, kind }) => `${quoted(name)} ${kind.startsWith('id') ? 'bigint' : 'text'}`)
    .join(', ');
  const into = quoted(nameOf(table) + NEW);
  await tx.execute(
    sql`insert into ${sql.raw(into)} (${sql.raw(names)}) select ${sql.raw(names)} from json_to_recordset(${JSON.stringify(rows)}::json) as row(${sql.raw(types)}) on conflict do nothing`,
  );
}

/** Deletes the rows of a report that was not swapped in. */
export async function emptyFilled(tx: Db): Promise<void> {
  await tx.execute(sql.raw(`truncate ${FILLED.map(quoted).join(', ')}`));
}

/** Deletes the whole copy. */
export async function emptyAll(tx: Db): Promise<void> {
  await tx.execute(sql.raw(`truncate ${[...READ, ...FILLED].map(quoted).join(', ')}`));
}

/** How long the swap waits for readers of the copy before it is tried again later. */
const WAITS = '5s';

/** Replaces the whole copy with the new rows. People who are not in the report are then not in the copy either. */
export async function swapIn(tx: Db): Promise<void> {
  await tx.execute(sql.raw(`set local lock_timeout = '${WAITS}'`));
  await tx.execute(sql.raw(`lock table ${[...READ, ...FILLED].map(quoted).join(', ')}`));
  for (const name of READ) {
    const [read, filled, between] = [quoted(name), quoted(name + NEW), quoted(`${name}_old`)];
    await tx.execute(sql.raw(`alter table ${read} rename to ${between}`));
    await tx.execute(sql.raw(`alter table ${filled} rename to ${read}`));
    await tx.execute(sql.raw(`alter table ${between} rename to ${filled}`));
  }
  await emptyFilled(tx);
}

const TABLES = {
  users: [directoryUsers, directoryUsersNew],
  logins: [directoryLogins, directoryLoginsNew],
  accounts: [directoryAccounts, directoryAccountsNew],
  terms: [directoryTerms, directoryTermsNew],
  courses: [directoryCourses, directoryCoursesNew],
  sections: [directorySections, directorySectionsNew],
} as const;

/** Counts the rows of the copy, or of the tables that are being filled. */
export async function countRows(db: Db, which: 'read' | 'filled'): Promise<DirectoryCounts> {
  const counts = { users: 0, logins: 0, accounts: 0, terms: 0, courses: 0, sections: 0 };
  for (const table of DIRECTORY_TABLES)
    counts[table] = await db.$count(TABLES[table][which === 'read' ? 0 : 1]);
  return counts;
}

/** Measures the size of the copy in bytes, with its indexes. */
export async function copyBytes({ exec }: Pick<Database, 'exec'>): Promise<number> {
  const names = [...READ, ...FILLED].map((name) => `'${name}'`).join(', ');
  const { rows } = await exec(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname IN (${names})`,
  );
  return Number(rows[0]?.bytes);
}
