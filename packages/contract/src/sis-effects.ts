/** What the rows of an uploaded SIS file do to what the LMS holds, worked out by a job before anything is sent (SIS-06, OP-53). */
import { SIS_DOES } from '@lms-admin/domain/sis-effect';
import { BRAKE_REASONS } from '@lms-admin/domain/sis-effect/brake';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();
const does = z.enum(SIS_DOES);

/** Kind of the job; it takes `sisEffectRequest`. */
export const SIS_EFFECT = 'sis-effect';
export const sisEffectRequest = z.strictObject({
  /** Id of an uploaded file of one's own. */
  file: z.uuid(),
});
export type SisEffectRequest = z.input<typeof sisEffectRequest>;

/** Most rows of a file that is compared again while it is submitted; the import compares every file right before it is sent. */
export const MAX_RECOUNTED_ROWS = 5_000;

/** Rows by what they do; what none does is not named. */
const doing = z.partialRecord(does, count);

/** A course that loses enrolments or group memberships. */
const losing = z.object({
  /** Empty where the course has none. */
  sis_course_id: z.string(),
  name: z.string().nullable(),
  /** Enrolments that end or move to another course. */
  taken: count,
  /** Group memberships that end. */
  members: count.default(0),
  /** Active enrolments now; null where the LMS did not tell. */
  active: count.nullable(),
});

export const sisEffect = z.object({
  /** Id of the file. */
  file: z.uuid(),
  /** When the LMS was asked (ISO). */
  made_at: z.string(),
  /** Tables of the upload, in the order in which the LMS works them. */
  tables: z.array(z.object({ kind: z.enum(SIS_KINDS), rows: count, does: doing })),
  /** Courses that rows of enrolments name. */
  courses: count,
  /** People whom rows of any table name. */
  people: count,
  /** Rows that mean someone else than they name: while there are any, the file cannot be sent. */
  refused: count,
  /** Rows that name an id which the LMS does not have and are not refused for it: the id can be corrected. */
  not_found: count.default(0),
  brake: z.object({
    /**
     * Things that are in the LMS now and not after the upload, by kind, each counted once: what rows name, and what ends with it.
     * An enrolment counts when it is deleted, when a live one (active, invited) is concluded or made inactive, and when its section
     * moves to another course. A person counts when the last login is deleted, or the login is suspended; a login that is deleted
     * beside another one counts as a login.
     */
    takes: z.array(z.object({ kind: z.enum(SIS_KINDS), count })),
    /** Those among them that could not be compared: rows that may remove something. */
    uncompared: z.array(z.object({ kind: z.enum(SIS_KINDS), count })).default([]),
    /** Number of all that, which has to be typed before the file can be sent; null where none is asked. */
    confirm: count.nullable(),
    reason: z.enum(BRAKE_REASONS).nullable(),
    /** Courses that lose something, those that lose most first, at most 50. */
    courses: z.array(losing),
  }),
  /** Courses that the LMS would create since a cross-listing names an SIS ID that no course has: sent only if they are allowed. */
  new_courses: z
    .array(
      z.object({
        sis_course_id: z.string(),
        /** Name that the new course gets: that of the course of its first section. */
        name: z.string(),
        sections: count,
        enrolments: count,
      }),
    )
    .default([]),
  /** Sentences about what is worth knowing: rows carried out elsewhere, what was not counted. */
  notes: z.array(z.string()),
});
export type SisEffect = z.infer<typeof sisEffect>;

/** One thing: its SIS ID, what the LMS calls it, and its page there (`users/12`), as far as there is one. */
const thing = z.object({ id: z.string(), name: z.string().nullable(), page: z.string().nullable() });

export const sisEffectRow = z.object({
  /** Name of the file within a zip; null for a single file. */
  file: z.string().nullable(),
  /** Row of the admin's own file. */
  row: count,
  does,
  /** Who or what it is about. */
  of: thing,
  /** Where: the course of an enrolment or section, the group of a membership. */
  in: thing.nullable(),
  section: z.string().nullable(),
  /** Role of an enrolment. */
  role: z.string().nullable(),
  why: z.string().nullable(),
  /** Of a row that the LMS would refuse, or that names what it does not have: all that is wrong, by column; empty in effects of former versions. */
  problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })).default([]),
  /** Column, what the LMS has, what it will have. */
  fields: z.array(z.tuple([z.string(), z.string().nullable(), z.string().nullable()])),
  /** What goes with it, in words. */
  takes: z.string().nullable(),
});
export type SisEffectRow = z.infer<typeof sisEffectRow>;

/** Rows of a part at once. */
export const EFFECT_PAGE = 100;

const page = z.coerce.number().int().min(1).max(100_000).default(1);
const text = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a text without control characters')
  .default('');

/**
 * Which rows: of a table, that do one thing or, left out, anything (dangerous ones first); in one course of the list, with a
 * text in them; `page` from 1, 100 rows each.
 */
export const sisEffectQuery = z.strictObject({
  table: z.enum(SIS_KINDS),
  does: does.optional(),
  /** Place of a course in the list of courses, for enrolments. */
  place: z.coerce.number().int().min(0).optional(),
  text,
  page,
});
export type SisEffectQuery = z.output<typeof sisEffectQuery>;

export const sisEffectRows = z.object({
  rows: z.array(sisEffectRow),
  /** How many fit, on all pages. */
  all: count,
});
export type SisEffectRows = z.infer<typeof sisEffectRows>;

/** A course of an enrolments file, with its rows by what they do. */
export const sisEffectCourse = z.object({
  /** Its place in the list, from 0. */
  place: count,
  of: thing,
  term: z.string().nullable(),
  rows: count,
  does: doing,
});
export type SisEffectCourse = z.infer<typeof sisEffectCourse>;

/** Courses of an enrolments file, those that lose something first, those without effect last; `does` leaves those with such rows. */
export const sisEffectCoursesQuery = z.strictObject({ does: does.optional(), text, page });
/** Which rows are opened to be corrected: those that would be refused, or those that name what the LMS does not have. */
export const sisEffectDraftQuery = z.strictObject({ rows: z.enum(['fails', 'unknown']).default('fails') });

export type SisEffectCoursesQuery = z.output<typeof sisEffectCoursesQuery>;

export const sisEffectCourses = z.object({ courses: z.array(sisEffectCourse), all: count });
export type SisEffectCourses = z.infer<typeof sisEffectCourses>;
