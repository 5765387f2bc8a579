/** Messages of the LMS next to the admin's own rows, to be viewed, or corrected and sent again. */
import type { ImportRowMessage } from '@lms-admin/contract/imports';
import { guarded } from '@lms-admin/domain/formula-guard';
import { plainSisMessage } from '@lms-admin/domain/sis-messages';
import { ownRow } from '@lms-admin/domain/sis-rows';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { BYTE_ORDER_MARK, excelLine } from '../platform/csv/excel.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { badRequest } from '../platform/http-errors.ts';
import { importMessages } from '../platform/schema.ts';
import { partOf } from './attachment.ts';
import type { ImportRow } from './record.ts';
import { pickedRows } from './stored-rows.ts';

const ROWS_PER_PAGE = 100;

/** If a file name shows that the LMS removed duplicate rows, its row numbers differ from ours. */
const trueRow = sql<
  number | null
>`case when ${importMessages.file} like '%\\_deduplicated.csv' then null else ${importMessages.row} end`;

/** Rows that turned out to be applied must not be sent again. */
const notApplied = sql`${importMessages.fate} is distinct from 'applied'`;

/** Messages whose row is in the CSV of rows to correct. */
const toCorrect = sql`${notApplied} and ${trueRow} > 1`;

/** Selects the messages about a row in order: from the LMS, or with the result that was looked up. */
const texts = (fate: SQL) =>
  sql<
    string[]
  >`coalesce(json_agg(${importMessages.message} order by ${importMessages.seq}) filter (where ${importMessages.fate} ${fate}), '[]')`;

interface StoredMessage {
  /** Index of the import's file, from 0; null if unknown. */
  part: number | null;
  /** Row of the stored CSV. */
  row: number | null;
  messages: string[];
  fates: string[];
  leftOut: boolean;
  toCorrect: boolean;
}

/** Returns a page of the rows with messages in order: file by file, first the messages without a row. */
export async function rowsWithMessages(db: Db, row: ImportRow, page: number) {
  // For a single CSV, the LMS's file name may be a temporary one and is ignored.
  const file = row.zip ? sql<string | null>`${importMessages.file}` : sql<string | null>`null::text`;
  const alone = sql`case when ${trueRow} is null then ${importMessages.seq} end`;
  const found = await db
    .select({
      file: sql<string | null>`min(${file})`,
      row: sql<number | null>`min(${trueRow})`,
      messages: texts(sql`is null`),
      fates: texts(sql`is not null`),
      // Our own messages about a row come before those of the LMS.
      leftOut: sql<boolean>`bool_or(${importMessages.seq} < 1)`,
      // The CSV also has rows of other pages.
      toCorrect: sql<boolean>`coalesce(bool_or(bool_or(${toCorrect})) over (partition by ${file}), false)`,
    })
    .from(importMessages)
    .where(eq(importMessages.importId, row.id))
    .groupBy(sql`${file}, ${trueRow}, ${alone}`)
    .orderBy(sql`min(${file}) nulls first, min(${trueRow}) nulls first, min(${importMessages.seq})`)
    .limit(ROWS_PER_PAGE + 1)
    .offset((page - 1) * ROWS_PER_PAGE);
  const storedMessages = found.slice(0, ROWS_PER_PAGE).map(
    (one): StoredMessage => ({
      part: row.zip ? partOf(one.file, row.id) : 0,
      row: one.row,
      messages: one.messages,
      fates: one.fates,
      leftOut: one.row !== null && one.leftOut,
      toCorrect: one.toCorrect,
    }),
  );
  return { rows: await withCells(db, row, storedMessages), more: found.length > ROWS_PER_PAGE };
}

async function withCells(
  db: Db,
  row: ImportRow,
  storedMessages: readonly StoredMessage[],
): Promise<ImportRowMessage[]> {
  const cells = new Map<string, string[]>();
  for (const part of new Set(storedMessages.map((one) => one.part))) {
    if (part === null) continue;
    const wanted = storedMessages.flatMap((one) => (one.part === part && one.row !== null ? [one.row] : []));
    if (wanted.length === 0) continue;
    for await (const one of pickedRows(db, row.id, part, inOrder([1, ...wanted]))) {
      cells.set(`${part} ${one.row}`, one.cells);
    }
  }
  return storedMessages.map(({ part, row: n, messages, fates, leftOut, toCorrect }) => {
    const file = part === null ? undefined : row.files?.[part];
    return {
      file: row.zip ? (file?.name ?? null) : null,
      row: n === null || part === null ? null : ownRow(n, file?.blank ?? []),
      cells: n === null ? null : (cells.get(`${part} ${n}`) ?? null),
      header: n === null ? null : (cells.get(`${part} 1`) ?? null),
      messages: messages.map(plainSisMessage),
      fates,
      left_out: leftOut,
      to_correct: toCorrect,
    };
  });
}

export interface FailedRows {
  /** File name for the download. */
  name: string;
  /** The CSV in parts: the header, then the rows as sent, with protection against formulas in spreadsheets. */
  texts: AsyncGenerator<string, void, void>;
}

/**
 * Returns the rows with messages as a CSV.
 * @param fileName name of the file within a zip
 * @throws AppError not-found if there are none or the CSV was deleted; bad-request if a zip's file is not named
 */
export async function failedRows(db: Db, row: ImportRow, fileName: string | null): Promise<FailedRows> {
  const part = row.zip ? partNamed(row, fileName) : 0;
  const found = await db
    .selectDistinct({ file: row.zip ? importMessages.file : sql<null>`null`, row: trueRow })
    .from(importMessages)
    .where(and(eq(importMessages.importId, row.id), toCorrect))
    .orderBy(asc(trueRow));
  const wanted = found.flatMap((one) =>
    one.row !== null && (!row.zip || partOf(one.file, row.id) === part) ? [one.row] : [],
  );
  if (wanted.length === 0) {
    throw new AppError('not-found', {
      message: 'The LMS did not name any row of this file.',
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
  // The name of a file in a zip may include a folder.
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
