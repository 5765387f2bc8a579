/** SIS files in requests and answers: uploads, results of the check, and what submitting requires (area SIS). */
import { DELIMITERS } from '@lms-admin/domain/csv-reader';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();

/** Maximum size of an upload, in bytes. */
export const MAX_SIS_FILE_BYTES = 128 * 1024 * 1024;

export const SIS_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type SisEncoding = (typeof SIS_ENCODINGS)[number];

/** One CSV: the upload itself, or a file of an uploaded zip. */
export const sisFilePart = z.object({
  /** File name as uploaded; in a zip with its folder if another folder has a file of the same name. */
  name: z.string(),
  kind: z.enum(SIS_KINDS),
  /** Column names in the file, trimmed and in lower case. */
  header: z.array(z.string()),
  /** Rows to send, without the header and empty rows. */
  rows: count,
  /** Number of rows by the value of `status`, in lower case; rows of a file without that column count as `active`. */
  statuses: z.record(z.string(), count),
  /** The first rows, at most 10, with cells in the order of `header`. */
  preview: z.array(z.array(z.string())),
  encoding: z.enum(SIS_ENCODINGS),
  delimiter: z.enum(DELIMITERS),
});
export type SisFilePart = z.infer<typeof sisFilePart>;

/** An uploaded file that passed the check. It is kept for a day; submitting names its id. */
export const sisFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Size of the upload, in bytes. */
  size: count,
  zip: z.boolean(),
  parts: z.array(sisFilePart),
  rows: count,
  /** Sentences about conversions and other facts: encoding, separator, empty rows. */
  notices: z.array(z.string()),
  /** Sentences about rows that will probably fail or are not intended: unknown courses, a remaining sample. */
  warnings: z.array(z.string()),
  created_at: z.string(),
  /** Id of the import of this file, if it was submitted. */
  import_id: z.uuid().nullable(),
  /** Id of the draft in which this file was corrected, while it is kept; null for a file without corrections here. */
  draft: z.uuid().nullable().default(null),
});
export type SisFile = z.infer<typeof sisFile>;
