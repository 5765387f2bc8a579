/** What the LMS said about rows, beside the admin's own rows: to be looked at, and to be corrected and sent again. */
import type { ImportRowMessage } from '@lms-admin/contract/imports';
import { guarded } from '@lms-admin/domain/formula-guard';
import { plainSisMessage } from '@lms-admin/domain/sis-messages';
import { ownRow } from '@lms-admin/domain/sis-rows';
import { and, asc, eq, notLike, sql } from 'drizzle-orm';
import { BYTE_ORDER_MARK, excelLine } from '../platform/csv/excel.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { badRequest } from '../platform/http-errors.ts';
import { importMessages } from '../platform/schema.ts';
import { partOf } from './attachment.ts';
import type { ImportRow } from './record.ts';
import { pickedRows } from './stored-rows.ts';

const ROWS_PER_PAGE = 100;

/** The LMS has taken duplicate rows out of a file so named: its row numbers are not ours. */
const trueRow = sql<
  number | null
>`case when ${importMessages.file} like '%\\_deduplicated.csv' then null else ${importMessages.row} end`;

interface Said {
  /** Which file of the import, counted from 0; null where that is not known. */
  part: number | null;
  /** Row of the stored CSV. */
  row: number | null;
  messages: string[];
  leftOut: boolean;
}

/** A page of the rows that something was said about, in their order: file by file, what belongs to no row first. */
export async function rowsSaid(db: Db, row: ImportRow, page: number) {
  // Of a single CSV the LMS's file name says nothing: it may be a temporary one.
  const file = row.zip ? sql<string | null>`${importMessages.file}` : sql<string | null>`null::text`;
  const alone = sql`case when ${trueRow} is null then ${importMessages.seq} end`;
  const found = await db
    .select({
      file: sql<string | null>`min(${file})`,
      row: sql<number | null>`min(${trueRow})`,
      messages: sql<string[]>`json_agg(${importMessages.message} order by ${importMessages.seq})`,
      // What the console itself says of a row comes before what the LMS says.
      leftOut: sql<boolean>`bool_or(${importMessages.seq} < 1)`,
    })
    .from(importMessages)
    .where(eq(importMessages.importId, row.id))
    .groupBy(sql`${file}, ${trueRow}, ${alone}`)
    .orderBy(sql`min(${file}) nulls first, min(${trueRow}) nulls first, min(${importMessages.seq})`)
    .limit(ROWS_PER_PAGE + 1)
    .offset((page - 1) * ROWS_PER_PAGE);
  const said = found.slice(0, ROWS_PER_PAGE).map(
    (one): Said => ({
      part: row.zip ? partOf(one.file, row.id) : 0,
      row: one.row,
      messages: one.messages,
      leftOut: one.row !== null && one.leftOut,
    }),
  );
  return { rows: await withCells(db, row, said), more: found.length > ROWS_PER_PAGE };
}

async function withCells(db: Db, row: ImportRow, said: readonly Said[]): Promise<ImportRowMessage[]> {
  const cells = new Map<string, string[]>();
  for (const part of new Set(said.map((one) => one.part))) {
    if (part === null) continue;
    const wanted = said.flatMap((one) => (one.part === part && one.row !== null ? [one.row] : []));
    if (wanted.length === 0) continue;
    for await (const one of pickedRows(db, row.id, part, inOrder([1, ...wanted]))) {
      cells.set(`${part} ${one.row}`, one.cells);
    }
  }
  return said.map(({ part, row: n, messages, leftOut }) => {
    const file = part === null ? undefined : row.files?.[part];
    return {
      file: row.zip ? (file?.name ?? null) : null,
      row: n === null || part === null ? null : ownRow(n, file?.blank ?? []),
      cells: n === null ? null : (cells.get(`${part} ${n}`) ?? null),
      header: n === null ? null : (cells.get(`${part} 1`) ?? null),
      messages: messages.map(plainSisMessage),
      left_out: leftOut,
    };
  });
}

export interface FailedRows {
  /** File name for saving. */
  name: string;
  /** The CSV in pieces: header, then the rows as they were sent, guarded against spreadsheets that would run them. */
  texts: AsyncGenerator<string, void, void>;
}

/**
 * The rows that something was said about, as a CSV.
 * @param fileName which file of a zip, by its name
 * @throws AppError not-found when there are none, or the CSV is not kept any more; bad-request when a zip's file is not named
 */
export async function failedRows(db: Db, row: ImportRow, fileName: string | null): Promise<FailedRows> {
  const part = row.zip ? partNamed(row, fileName) : 0;
  const found = await db
    .selectDistinct({ file: row.zip ? importMessages.file : sql<null>`null`, row: trueRow })
    .from(importMessages)
    // What was found to be applied after all is not to be sent again.
    .where(and(eq(importMessages.importId, row.id), notLike(importMessages.message, 'Applied: %')))
    .orderBy(asc(trueRow));
  const wanted = found.flatMap((one) =>
    one.row !== null && one.row > 1 && (!row.zip || partOf(one.file, row.id) === part) ? [one.row] : [],
  );
  if (wanted.length === 0) {
    throw new AppError('not-found', {
      message: 'The LMS named no row of this file.',
      next: 'Read the messages of the import.',
    });
  }
  const rows = pickedRows(db, row.id, part, inOrder([1, ...wanted]));
  const header = await rows.next();
  if (header.done) {
    throw new AppError('not-found', {
      message: 'The rows of this import are no longer kept.',
      next: 'Correct them in your own file.',
    });
  }
  const { name = 'import.csv', delimiter } = row.files?.[part] ?? {};
  async function* texts() {
    yield BYTE_ORDER_MARK + excelLine(header.value?.cells ?? [], delimiter);
    for await (const { cells } of rows) yield `\n${excelLine(cells.map(guarded), delimiter)}`;
  }
  // A file of a zip may be named with its folder.
  const base = name.replace(/\.[^.]*$/, '').replaceAll('/', '-');
  return { name: `${base}-failed-rows.csv`, texts: texts() };
}

function partNamed(row: ImportRow, fileName: string | null): number {
  const files = row.files ?? [];
  if (fileName === null && files.length === 1) return 0;
  const part = files.findIndex(({ name }) => name === fileName);
  if (part === -1) {
    const names = files.map(({ name }) => name).join(', ');
    throw badRequest([{ row: null, field: 'file', message: `should be one of ${names}` }]);
  }
  return part;
}

function inOrder(rows: readonly number[]): number[] {
  return [...new Set(rows)].sort((a, b) => a - b);
}
