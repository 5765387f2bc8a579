/** SIS imports as they travel: what is submitted and what is watched (area IMP). */
import { z } from 'zod';

/** Rows made by hand: lists of cells. */
export const rowsPayload = z.array(z.array(z.union([z.string(), z.number()]).transform(String))).min(1);
/** Letter case does not tell two ids apart, and a repeat is known by its text. */
const uuid = z.uuid().toLowerCase();
/** A repeat with the same key answers with the first import (OP-42). */
const key = z
  .string()
  .min(8)
  .max(100)
  .regex(/^\P{C}+$/u, 'a text without control characters')
  .optional();
export const keyedRowsPayload = z.strictObject({ csv: rowsPayload, key });

/**
 * Payload of `POST_SIS`: a plan or an uploaded file by its id, or rows made by hand (text, or an array whose first row is
 * the header, which decides what they are).
 */
export const submitPayload = z.union([
  z.strictObject({ plan: uuid }),
  z.strictObject({
    /** A file that was uploaded and checked (`SisFile`). */
    file: uuid,
    /** The number of deletions that the admin typed, where the file asks for it. */
    deletions: z.number().int().nonnegative().optional(),
    /** SIS IDs of courses that the LMS may create for cross-listings, where the review names any. */
    new_courses: z.array(z.string().min(1).max(255)).max(1_000).optional(),
  }),
  z.strictObject({ csv: z.string().min(1), key }),
  keyedRowsPayload,
  z.string().min(1),
  rowsPayload,
]);
export type SubmitPayload = z.infer<typeof submitPayload>;

const pair = z.tuple([z.string().nullable(), z.string()]);
const file = z.object({ url: z.string() });

/** An import as the console sees it; the fields that Canvas has keep Canvas's names (IMP-01). */
export const sisImport = z.object({
  /** Our id, to be polled. */
  id: z.string(),
  /** Canvas's number, once it has the import. */
  canvas_id: z.number().int().nullable(),
  workflow_state: z.string(),
  /** Percent as Canvas reports it. */
  progress: z.number(),
  data: z.object({ counts: z.record(z.string(), z.number()) }),
  processing_warnings: z.array(pair),
  processing_errors: z.array(pair),
  /** Addresses of LMS Admin, which reads the files in the LMS (OP-40): those of the LMS open without sign-in. */
  errors_attachment: file.nullable(),
  /** True while the LMS may still deliver the attachment, which it writes a little after the end. */
  attachment_pending: z.boolean(),
  csv_attachments: z.array(file),
  tool: z.string(),
  /** One line of what was asked, for lists: `Add 12 people to 3 courses as Student`. */
  label: z.string(),
  /** Rows sent, the header not counted. */
  rows: z.number().int(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** True when it will not change any more. */
  final: z.boolean(),
  /** How it ended, the same as its job's outcome; null while it goes on, and where its end was not seen. */
  verdict: z.enum(['done', 'partly', 'failed', 'cancelled']).nullable(),
  /** Whether it has ended and nothing of it was ever sent: no error of the LMS, then. */
  nothing_sent: z.boolean().default(false),
  /** Rows that were applied, of `rows`; null where that is not known. */
  applied: z.number().int().nullable(),
  /** Whether who submitted it can have it taken back: its rows are a difference, and are still kept. */
  can_undo: z.boolean(),
  /** A text of ours for the person watching (waiting for the LMS, gave up following …), or null. */
  note: z.string().nullable(),
});
export type SisImport = z.infer<typeof sisImport>;

/** A row's message as kept by the server. */
export const importMessage = z.object({
  file: z.string().nullable(),
  message: z.string(),
  /** 1-based, header being row 1; null where Canvas gives none. */
  row: z.number().int().nullable(),
});
export type ImportMessage = z.infer<typeof importMessage>;

/** A row of the admin's own file that the LMS said something about. */
export const importRow = z.object({
  /** Name of the file in a zip; null for an import of one file. */
  file: z.string().nullable(),
  /** 1-based row of the admin's file, header being row 1; null where the LMS gives none or the file is not kept any more. */
  row: z.number().int().nullable(),
  /** The row's cells, in the order of `header`; null where the row is not known. */
  cells: z.array(z.string()).nullable(),
  header: z.array(z.string()).nullable(),
  /** Everything that was said about the row: in plain words where the LMS's text is known, else in its own. */
  messages: z.array(z.string()),
  /** Whether it was left out: nothing of the row was sent. */
  left_out: z.boolean().default(false),
});
export type ImportRowMessage = z.infer<typeof importRow>;
