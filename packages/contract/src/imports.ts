/** SIS imports in requests and answers: submitting and following (area IMP). */
import { z } from 'zod';

/** Rows entered by hand: lists of cells. */
export const rowsPayload = z.array(z.array(z.union([z.string(), z.number()]).transform(String))).min(1);
/** In lower case, because a repeat is recognised by comparing texts. */
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
 * Payload of `POST_SIS`: a plan or an uploaded file by its id, or rows entered by hand (text, or an array whose first
 * row is the header, which decides their kind).
 */
export const submitPayload = z.union([
  z.strictObject({ plan: uuid }),
  z.strictObject({
    /** An uploaded and checked file (`SisFile`). */
    file: uuid,
    /** The number of deletions that the administrator typed, if the file requires it. */
    deletions: z.number().int().nonnegative().optional(),
    /** SIS IDs of courses that the LMS is allowed to create for cross-listings, if the review names any. */
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

/** An import as the console sees it; fields from Canvas keep their names (IMP-01). */
export const sisImport = z.object({
  /** Our id, for polling. */
  id: z.string(),
  /** Canvas's number of the import, once Canvas has it. */
  canvas_id: z.number().int().nullable(),
  workflow_state: z.string(),
  /** Percent as Canvas reports it. */
  progress: z.number(),
  data: z.object({ counts: z.record(z.string(), z.number()) }),
  processing_warnings: z.array(pair),
  processing_errors: z.array(pair),
  /** Addresses in LMS Admin, which reads the files from the LMS (OP-40): the LMS's own ones work without sign-in. */
  errors_attachment: file.nullable(),
  /** True while the LMS can still add the attachment, which it writes shortly after the end. */
  attachment_pending: z.boolean(),
  csv_attachments: z.array(file),
  tool: z.string(),
  /** One line about the request, for lists: `Add 12 people to 3 courses as Student`. */
  label: z.string(),
  /** Rows sent, without the header. */
  rows: z.number().int(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** True when the import will not change any more. */
  final: z.boolean(),
  /** How the import ended, like its job's outcome; null in progress or with an unknown end. */
  verdict: z.enum(['done', 'partly', 'failed', 'cancelled']).nullable(),
  /** Whether the import ended before anything was sent, so that the LMS is not at fault. */
  nothing_sent: z.boolean().default(false),
  /** Applied rows, out of `rows`; null if unknown. */
  applied: z.number().int().nullable(),
  /** Whether the owner can undo the import: its rows are changes, and are still stored. */
  can_undo: z.boolean(),
  /** A text of LMS Admin for the person watching (waiting for the LMS, stopped following …), or null. */
  note: z.string().nullable(),
});
export type SisImport = z.infer<typeof sisImport>;

/** A row's message as the server stores it. */
export const importMessage = z.object({
  file: z.string().nullable(),
  message: z.string(),
  /** Row number, where the header is row 1; null if Canvas gives none. */
  row: z.number().int().nullable(),
});
export type ImportMessage = z.infer<typeof importMessage>;

/** A row of the administrator's own file with messages of the LMS. */
export const importRow = z.object({
  /** Name of the file in a zip; null for an import of one file. */
  file: z.string().nullable(),
  /** Row of the administrator's file, where the header is row 1; null if the LMS gives none or the file is deleted. */
  row: z.number().int().nullable(),
  /** The row's cells, in the order of `header`; null for an unknown row. */
  cells: z.array(z.string()).nullable(),
  header: z.array(z.string()).nullable(),
  /** All messages for the row: in plain words if the LMS's text is known, otherwise in its own. */
  messages: z.array(z.string()),
  /** Findings of LMS Admin about the row after the LMS stopped the import; a sentence each. */
  fates: z.array(z.string()).default([]),
  /** Whether the row was skipped: none of it was sent. */
  left_out: z.boolean().default(false),
  /** Whether the CSV of rows to correct has any row of this file: none if all of them turned out to be applied. */
  to_correct: z.boolean().default(false),
});
export type ImportRowMessage = z.infer<typeof importRow>;
