/**
 * The first check of a chosen file, in the browser, from its first bytes, so that a wrong file is reported immediately.
 * The server checks every row when the file is uploaded, and its check is final.
 */
import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import { missingColumns } from '@lms-admin/domain/sis-matching';
import { looksBinary } from '@lms-admin/domain/sis-rows';
import { type SisKind, sisTableFor } from '@lms-admin/domain/sis-tables';
import {
  decode,
  firstLine,
  headerOf,
  isWorkbook,
  namesOf,
  startsWith,
} from '../../components/CsvFile/first-look.ts';
import { texts } from './texts.ts';

/** Number of bytes that the first check reads. */
export const FIRST_BYTES = 65_536;

/** The apparent contents of a file; `problem` says why it cannot be used. */
export interface FirstCheck {
  /** Null for a zip, whose files only the server reads, and for a file with a problem. */
  kind: SisKind | null;
  zip: boolean;
  problem: string | null;
  /** The names of a header that does not belong to an SIS file; null if it does. */
  unmatched: string[] | null;
  /** Columns that the table needs but the header does not have. */
  missing: string[];
}

const NOTHING_WRONG = { kind: null, zip: false, problem: null, unmatched: null, missing: [] };
const refused = (problem: string): FirstCheck => ({ ...NOTHING_WRONG, problem });

/**
 * @param file its name, and its size in bytes
 * @param first the first `FIRST_BYTES` bytes, or all of a smaller file
 * @param limited true for an administrator whose `perm` is not `ALL`
 */
export function firstCheck(
  file: { name: string; size: number },
  first: Uint8Array,
  limited: boolean,
): FirstCheck {
  if (file.size === 0) return refused(texts.problems.empty);
  if (file.size > MAX_SIS_FILE_BYTES) return refused(texts.problems.tooLarge(file.size, MAX_SIS_FILE_BYTES));
  if (isWorkbook(file.name, first)) return refused(texts.problems.workbook);
  if (startsWith(first, [0x50, 0x4b, 0x03, 0x04])) {
    return limited ? refused(texts.problems.zip) : { ...NOTHING_WRONG, zip: true };
  }
  const text = decode(first);
  if (looksBinary(text)) return refused(texts.problems.notText);
  const line = firstLine(text);
  if (line === null) return refused(texts.problems.empty);
  const header = headerOf(line);
  const table = sisTableFor(header);
  if (table === null) {
    // A single column is text, not a table.
    if (header.length < 2) return refused(texts.problems.header(namesOf(line)));
    return {
      ...NOTHING_WRONG,
      unmatched: namesOf(line)
        .slice(0, Math.min(header.length, 20))
        .map((name) => name.slice(0, 100)),
    };
  }
  const { kind, senders, title } = table;
  if (senders === 'nobody') return refused(texts.problems.admins);
  if (limited && senders !== 'everybody') return refused(texts.problems.kind(title));
  const missing = table.rows ? missingColumns(table, header).map((oneOf) => oneOf.join(' or ')) : [];
  return { ...NOTHING_WRONG, kind, missing };
}
