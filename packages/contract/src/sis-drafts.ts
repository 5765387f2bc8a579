/** A refused SIS file that is corrected in place, as it travels: what is wrong in groups, rows with problems, corrections. */
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();
const column = z.number().int().min(0).max(200);
const row = z.number().int().min(1).max(10_000_000);
const kept = (text: string) => !/[\u0000\p{Cs}]/u.test(text);
/** A cell as an admin may write it; what the LMS makes of it is the check's business. */
const cell = z
  .string()
  .max(2_000, 'may have 2,000 characters')
  .refine(kept, 'has a character that cannot be kept')
  .transform((text) => text.trim());

/** Rows that one page holds. */
export const DRAFT_PAGE_ROWS = 100;
/** Rows with problems that are listed; the others come up as these are corrected. */
export const MOST_DRAFT_ROWS = 20_000;

/** What is the same in many rows, told once. */
export const draftGroup = z.object({
  /** By which rows are asked for, and left out; it means something for this version of the draft only. */
  id: count,
  /** Place of the column, and its name; null for a problem of the whole row. */
  column: column.nullable(),
  name: z.string(),
  /** What is wrong, with … for what differs from row to row. */
  message: z.string(),
  rows: count,
  /** The first of its rows. */
  first: z.array(row),
  /** The values that have the problem, most frequent first, at most 20, and how many rows each has; empty where a column is secret. */
  values: z.array(z.object({ value: z.string(), rows: count })),
  /** Different values there are in all; those beyond 1,000 are not told apart. */
  different: count,
});
export type DraftGroup = z.infer<typeof draftGroup>;

export const draftColumn = z.object({
  /** As it is in the file; empty for an added column, and for cells beyond the header. */
  header: z.string(),
  /** What it is sent as; empty when it is left out. */
  name: z.string(),
  added: z.boolean(),
  /** Its cells are not shown. */
  secret: z.boolean(),
});

/** A draft: the file, what has been corrected, what is still wrong. */
export const sisDraft = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Changes with each correction; a correction names the one it was made on. */
  version: count,
  /** What the file is; null while its header is none of an SIS file. */
  kind: z.enum(SIS_KINDS).nullable(),
  /** Rows below the header that are not blank, those that are left out not counted. */
  rows: count,
  left_out: count,
  columns: z.array(draftColumn),
  /** The first rows of the file, at most 10, by which its columns are recognised. */
  sample: z.array(z.array(z.string())),
  /** What is wrong with the header, or with the file as a whole. While the header does not fit, rows are not checked. */
  header: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
  groups: z.array(draftGroup),
  /** Rows with problems, and how many of them are listed. */
  wrong: count,
  listed: count,
  /** Rows with a corrected cell, and how many of them are listed. */
  corrected: count.default(0),
  corrected_listed: count.default(0),
  /**
   * Rows that have a problem by the comparison with the LMS and are not opened here: those that it would refuse, and those with an ID
   * that it does not have. Rows that have been corrected or left out do not count.
   */
  beside: z.object({ fails: count, unknown: count }).default({ fails: 0, unknown: 0 }),
  /** Sentences about the file that hold whatever is corrected in it. */
  warnings: z.array(z.string()).default([]),
  /** What the last step did, which can be taken back; null when nothing was corrected. */
  last: z.enum(['columns', 'cells', 'replace', 'join', 'leave-out']).nullable(),
  steps: count,
  /** Corrected files that it has pushed out of the few that are kept. */
  replaced: z.array(z.object({ name: z.string(), steps: count })).default([]),
  /** The import with which it was submitted, unless that has applied no row: then it is corrected no more. */
  submitted: z.uuid().nullable().default(null),
  expires_at: z.string(),
});
export type SisDraft = z.infer<typeof sisDraft>;

/** Drafts of one administrator that are kept; a newer one replaces the oldest, one without corrections first. */
export const MAX_DRAFTS = 5;

/** A draft in the list of those that are still open. */
export const openDraft = sisDraft
  .pick({
    id: true,
    name: true,
    kind: true,
    rows: true,
    wrong: true,
    beside: true,
    steps: true,
    expires_at: true,
  })
  .extend({
    /** Whether its columns have to be matched before its rows can be checked. */
    header_wrong: z.boolean(),
    /** The import with which it was submitted, of which no row was applied; null for one that was not submitted. */
    import: z.uuid().nullable().default(null),
    created_at: z.string(),
  });
export type OpenDraft = z.infer<typeof openDraft>;

/** A row with problems, or with corrected cells. */
export const draftRow = z.object({
  row,
  /** In the order of the draft's columns. */
  cells: z.array(z.string()),
  /** Columns whose cells were corrected: they can be corrected again. */
  corrected: z.array(column).default([]),
  problems: z.array(z.object({ column: column.nullable(), group: count, message: z.string() })),
});
export type DraftRow = z.infer<typeof draftRow>;

export const draftRows = z.object({ version: count, rows: z.array(draftRow), total: count });
export type DraftRows = z.infer<typeof draftRows>;

export const draftRowsQuery = z.object({
  /** Counted from 0. */
  page: z.coerce
    .number()
    .int()
    .min(0)
    .max(MOST_DRAFT_ROWS / DRAFT_PAGE_ROWS)
    .default(0),
  /** Only rows of this group. */
  group: z.coerce.number().int().min(0).max(10_000).optional(),
  /** The rows with corrected cells in the place of those with problems. */
  corrected: z.stringbool().default(false),
});

export type DraftRowsQuery = z.output<typeof draftRowsQuery>;

const name = z
  .string()
  .trim()
  .toLowerCase()
  .max(100)
  .regex(/^[a-z0-9_]*$/, 'should be the name of a column');

/** A step, or the last one taken back. */
export const draftCorrection = z.object({
  version: count,
  /** Of the press: a repeat, after an answer that was lost, is the same correction. */
  key: z.uuid().optional(),
  step: z.discriminatedUnion('does', [
    z.object({
      does: z.literal('columns'),
      names: z.array(name).max(200),
      added: z.array(z.object({ name: name.min(1), value: cell })).max(20),
    }),
    z.object({
      does: z.literal('cells'),
      cells: z
        .array(z.object({ row, column, value: cell }))
        .min(1)
        .max(5_000),
    }),
    z.object({
      does: z.literal('replace'),
      column,
      from: z.string().max(2_000).refine(kept, 'has a character that cannot be kept'),
      to: cell,
    }),
    z.object({ does: z.literal('join'), column }),
    z.object({ does: z.literal('leave-out'), rows: z.array(row).min(1).max(5_000) }),
    /** Every row of a group. */
    z.object({ does: z.literal('leave-out-group'), group: count }),
    z.object({ does: z.literal('undo') }),
  ]),
});
export type DraftCorrection = z.infer<typeof draftCorrection>;
