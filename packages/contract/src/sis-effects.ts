/** Effects of the rows of an uploaded SIS file on the LMS, computed before anything is sent (SIS-06, OP-53). */
import { SIS_DOES } from '@lms-admin/domain/sis-effect';
import { BRAKE_REASONS } from '@lms-admin/domain/sis-effect/brake';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();
const does = z.enum(SIS_DOES);

/** Kind of the job, with `sisEffectRequest` as input. */
export const SIS_EFFECT = 'sis-effect';
export const sisEffectRequest = z.strictObject({
  /** Id of the person's own uploaded file. */
  file: z.uuid(),
});
export type SisEffectRequest = z.input<typeof sisEffectRequest>;

/** Maximum rows of a file that is compared again on submitting; every file is compared again right before sending. */
export const MAX_RECOUNTED_ROWS = 5_000;

/** Number of rows by what they do, without zeros. */
const doing = z.partialRecord(does, count);

/** A course that loses enrolments or group memberships. */
const losing = z.object({
  /** Empty if the course has none. */
  sis_course_id: z.string(),
  name: z.string().nullable(),
  /** Enrolments that end or move to another course. */
  taken: count,
  /** Group memberships that end. */
  members: count.default(0),
  /** Active enrolments now; null if unknown. */
  active: count.nullable(),
});

export const sisEffect = z.object({
  /** Id of the file. */
  file: z.uuid(),
  /** Time of the comparison with the LMS (ISO). */
  made_at: z.string(),
  /** Tables of the upload, in the order in which the LMS processes them. */
  tables: z.array(z.object({ kind: z.enum(SIS_KINDS), rows: count, does: doing })),
  /** Number of courses in rows of enrolments. */
  courses: count,
  /** Number of people in rows of any table. */
  people: count,
  /** Rows that would affect a person other than the one they name: while there are any, the file cannot be sent. */
  refused: count,
  /** Rows with an id that the LMS does not have, but which it would not reject: the id can be corrected. */
  not_found: count.default(0),
  brake: z.object({
    /**
     * Objects that are in the LMS now but not after the upload, by kind, each counted once: objects that rows name,
     * and objects that end with them. An enrolment counts when it is deleted, when an active or invited one is
     * concluded or made inactive, and when its section moves to another course. A person counts when their last login
     * is deleted, or the login is suspended; a deleted login of a person who has another one counts as a login.
     */
    takes: z.array(z.object({ kind: z.enum(SIS_KINDS), count })),
    /** Rows that may remove something but could not be compared. */
    uncompared: z.array(z.object({ kind: z.enum(SIS_KINDS), count })).default([]),
    /** The number of removals to type before the file can be sent; null if none is required. */
    confirm: count.nullable(),
    reason: z.enum(BRAKE_REASONS).nullable(),
    /** Courses that lose something, those that lose most first, at most 50. */
    courses: z.array(losing),
  }),
  /** Courses that the LMS would create for a cross-listing with an unknown SIS ID: sent only if allowed. */
  new_courses: z
    .array(
      z.object({
        sis_course_id: z.string(),
        /** Name of the new course: that of its first section's course; empty if unknown. */
        name: z.string(),
        sections: count,
        enrolments: count,
      }),
    )
    .default([]),
  /** Sentences with further information, such as about rows applied elsewhere and objects not counted. */
  notes: z.array(z.string()),
});
export type SisEffect = z.infer<typeof sisEffect>;

/** One object: its SIS ID, its name in the LMS, and its page there (`users/12`), if there is one. */
const object = z.object({ id: z.string(), name: z.string().nullable(), page: z.string().nullable() });

export const sisEffectRow = z.object({
  /** Name of the file within a zip; null for a single file. */
  file: z.string().nullable(),
  /** Row of the administrator's own file. */
  row: count,
  does,
  /** The person or object that the row is about. */
  of: object,
  /** Place of the object: the course of an enrolment or section, the group of a membership. */
  in: object.nullable(),
  section: z.string().nullable(),
  /** Role of an enrolment. */
  role: z.string().nullable(),
  why: z.string().nullable(),
  /** All problems, by column, of a row that is rejected or names an unknown object; empty in earlier versions. */
  problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })).default([]),
  /** Column, value in the LMS, new value. */
  fields: z.array(z.tuple([z.string(), z.string().nullable(), z.string().nullable()])),
  /** Description of everything that is removed together with it. */
  takes: z.string().nullable(),
});
export type SisEffectRow = z.infer<typeof sisEffectRow>;

/** Number of rows per page. */
export const EFFECT_PAGE = 100;

const page = z.coerce.number().int().min(1).max(100_000).default(1);
const text = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a text without control characters')
  .default('');

/**
 * Selects rows: of a table, with one effect or, if absent, any (dangerous ones first); in one course of the list, with
 * a text in them; `page` from 1, 100 rows each.
 */
export const sisEffectQuery = z.strictObject({
  table: z.enum(SIS_KINDS),
  does: does.optional(),
  /** Position of a course in the list of courses, for enrolments. */
  place: z.coerce.number().int().min(0).optional(),
  text,
  page,
});
export type SisEffectQuery = z.output<typeof sisEffectQuery>;

export const sisEffectRows = z.object({
  rows: z.array(sisEffectRow),
  /** Number of matching rows on all pages. */
  all: count,
});
export type SisEffectRows = z.infer<typeof sisEffectRows>;

/** A course of an enrolments file, with its rows by what they do. */
export const sisEffectCourse = z.object({
  /** Position of the course in the list, from 0. */
  place: count,
  of: object,
  term: z.string().nullable(),
  rows: count,
  does: doing,
});
export type SisEffectCourse = z.infer<typeof sisEffectCourse>;

/** Courses of an enrolments file: first those that lose something, last those without effect; `does` filters them. */
export const sisEffectCoursesQuery = z.strictObject({ does: does.optional(), text, page });
/** Rows to open for correction: those that would be rejected, or those that name unknown objects. */
export const sisEffectDraftQuery = z.strictObject({ rows: z.enum(['fails', 'unknown']).default('fails') });

export type SisEffectCoursesQuery = z.output<typeof sisEffectCoursesQuery>;

export const sisEffectCourses = z.object({ courses: z.array(sisEffectCourse), all: count });
export type SisEffectCourses = z.infer<typeof sisEffectCourses>;
