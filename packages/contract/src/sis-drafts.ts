/** A rejected SIS file for correction in place: grouped problems, rows with problems, corrections. */
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();
const column = z.number().int().min(0).max(200);
const row = z.number().int().min(1).max(10_000_000);
const kept = (text: string) => !/[\u0000\p{Cs}]/u.test(text);
/** A cell that an administrator has written. The check decides whether the LMS would accept it. */
const cell = z
  .string()
  .max(2_000, 'can have at most 2,000 characters')
  .refine(kept, 'has a character that cannot be stored')
  .transform((text) => text.trim());

/** Maximum number of rows per page. */
export const DRAFT_PAGE_ROWS = 100;
/** Maximum number of listed rows with problems; the others appear as these are corrected. */
export const MOST_DRAFT_ROWS = 20_000;

/** A problem that many rows share, listed once. */
export const draftGroup = z.object({
  /** Identifies the group when its rows are requested or skipped; valid only for this version of the draft. */
  id: count,
  /** Position of the column, and its name; null for a problem of the whole row. */
  column: column.nullable(),
  name: z.string(),
  /** The problem, with … for the parts that differ between rows. */
  message: z.string(),
  /** The problem with … for all values, which stays the same when rows are corrected; earlier versions lack it. */
  kind: z.string().optional(),
  rows: count,
  /** The first rows of the group. */
  first: z.array(row),
  /** The values with the problem, most frequent first, at most 20, with numbers of rows; empty for a secret column. */
  values: z.array(z.object({ value: z.string(), rows: count })),
  /** Number of different values; those beyond 1,000 are counted as one. */
  different: count,
});
export type DraftGroup = z.infer<typeof draftGroup>;

export const draftColumn = z.object({
  /** As in the file; empty for an added column, and for cells beyond the header. */
  header: z.string(),
  /** Name for sending; empty if the column is skipped. */
  name: z.string(),
  added: z.boolean(),
  /** Whether the column's cells are hidden. */
  secret: z.boolean(),
});

/** A draft: the file, its corrections, and its remaining problems. */
export const sisDraft = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Changes with each correction; a correction names the version it was made on. */
  version: count,
  /** Kind of the file; null while its header does not match any SIS file. */
  kind: z.enum(SIS_KINDS).nullable(),
  /** Rows below the header that are not empty, without skipped rows. */
  rows: count,
  left_out: count,
  columns: z.array(draftColumn),
  /** The first rows of the file, at most 10, to help recognise its columns. */
  sample: z.array(z.array(z.string())),
  /** Problems of the header or of the whole file. Rows are not checked until the header matches. */
  header: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
  groups: z.array(draftGroup),
  /** Number of rows with problems, and number listed. */
  wrong: count,
  listed: count,
  /** Number of rows with a corrected cell, and number listed. */
  corrected: count.default(0),
  corrected_listed: count.default(0),
  /**
   * Rows with a problem found in the comparison with the LMS that are not opened here: rows that it would reject, and
   * rows with an unknown ID. Corrected or skipped rows do not count.
   */
  beside: z.object({ fails: count, unknown: count }).default({ fails: 0, unknown: 0 }),
  /** Sentences about the file that apply regardless of corrections. */
  warnings: z.array(z.string()).default([]),
  /** The last step, which can be undone; null without corrections. */
  last: z.enum(['columns', 'cells', 'replace', 'join', 'leave-out']).nullable(),
  steps: count,
  /** Drafts with corrections that were deleted to make room for this one, because only a few are kept. */
  replaced: z.array(z.object({ name: z.string(), steps: count })).default([]),
  /** The import of a submitted draft, which cannot be corrected any more; null if that import applied no row. */
  submitted: z.uuid().nullable().default(null),
  expires_at: z.string(),
});
export type SisDraft = z.infer<typeof sisDraft>;

/** Number of drafts kept per administrator; a new one replaces the oldest, starting with drafts without corrections. */
export const MAX_DRAFTS = 5;

/** A draft in the list of open drafts. */
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
    /** Whether the draft's columns must be matched before its rows can be checked. */
    header_wrong: z.boolean(),
    /** The import with which it was submitted and which applied no row; null if it was not submitted. */
    import: z.uuid().nullable().default(null),
    created_at: z.string(),
  });
export type OpenDraft = z.infer<typeof openDraft>;

/** A row with problems, or with corrected cells. */
export const draftRow = z.object({
  row,
  /** In the order of the draft's columns. */
  cells: z.array(z.string()),
  /** Columns with corrected cells: they can be corrected again. */
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
  /** Lists rows with corrected cells instead of rows with problems. */
  corrected: z.stringbool().default(false),
});

export type DraftRowsQuery = z.output<typeof draftRowsQuery>;

const name = z
  .string()
  .trim()
  .toLowerCase()
  .max(100)
  .regex(/^[a-z0-9_]*$/, 'should be the name of a column');

/** A step, or the undo of the last one. */
export const draftCorrection = z.object({
  version: count,
  /** Key of the click: a repeat after a lost answer is the same correction. */
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
      from: z.string().max(2_000).refine(kept, 'has a character that cannot be stored'),
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
