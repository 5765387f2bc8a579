/** A first check of a file of people and groups, to report a wrong file immediately. The server's check is final. */
import { MAX_MEMBER_TEXT } from '@lms-admin/contract/groups';
import { looksBinary } from '@lms-admin/domain/sis-rows';
import { MEMBERSHIP_HEADER } from '@lms-admin/domain/sis-tables/group-memberships';
import { decode, firstLine, headerOf, isWorkbook, namesOf } from '../../components/CsvFile/first-look.ts';
import { texts } from './texts.ts';

/** The text of a file, or why it cannot be used. */
export type Looked = { text: string } | { problem: string };

/**
 * Explains why the file is not read: it is too large, or its name is not that of a CSV (GRP-28). Null if it is read.
 */
export function nameOrSizeProblem({ name, size }: { name: string; size: number }): string | null {
  if (/\.(xlsx?|xlsm|xlsb|ods)$/i.test(name)) return texts.file.workbook;
  if (!/\.csv$/i.test(name)) return texts.file.notCsv(name);
  if (size === 0) return texts.file.empty;
  return size > MAX_MEMBER_TEXT ? texts.file.tooLarge(size, MAX_MEMBER_TEXT) : null;
}

/** @param bytes the whole file */
export function firstLook(name: string, bytes: Uint8Array): Looked {
  if (isWorkbook(name, bytes)) return { problem: texts.file.workbook };
  const text = decode(bytes, true);
  if (looksBinary(text.slice(0, 1_000))) return { problem: texts.file.notText };
  const line = firstLine(text);
  if (line === null) return { problem: texts.file.empty };
  const header = headerOf(line);
  // Lists of people may have further columns, such as names, which are not sent.
  const missing = MEMBERSHIP_HEADER.filter((name) => !header.includes(name));
  if (missing.length === 1 && missing[0] === 'status') return { problem: texts.file.noStatus };
  if (missing.length > 0) return { problem: texts.file.header(namesOf(line)) };
  return { text };
}

/** Lists the columns of a file that are not sent. */
export function ignoredColumns(text: string): string[] {
  const known: readonly string[] = MEMBERSHIP_HEADER;
  const names = namesOf(firstLine(text) ?? '').filter((name) => name !== '');
  return names.filter((name) => !known.includes(name.toLowerCase()));
}
