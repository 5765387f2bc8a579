/** SIS files as they travel: what was uploaded, what the check found, what submitting it will ask for (area SIS). */
import { DELIMITERS } from '@lms-admin/domain/csv-reader';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';

const count = z.number().int().nonnegative();

/** Most bytes of one upload. */
export const MAX_SIS_FILE_BYTES = 128 * 1024 * 1024;

export const SIS_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type SisEncoding = (typeof SIS_ENCODINGS)[number];

/** One CSV: the upload itself, or a file of an uploaded zip. */
export const sisFilePart = z.object({
  /** File name as uploaded, without folders. */
  name: z.string(),
  kind: z.enum(SIS_KINDS),
  /** Column names as they stand in the file, trimmed and in lower case. */
  header: z.array(z.string()),
  /** Rows that will be sent, the header and blank rows not counted. */
  rows: count,
  /** Rows by the value of `status`, in lower case; rows of a file without that column count as `active`. */
  statuses: z.record(z.string(), count),
  /** The first rows, at most 10, their cells in the order of `header`. */
  preview: z.array(z.array(z.string())),
  encoding: z.enum(SIS_ENCODINGS),
  delimiter: z.enum(DELIMITERS),
});
export type SisFilePart = z.infer<typeof sisFilePart>;

/** A row of the admin's own file. */
const place = {
  /** Name of the file within a zip; null for a single file. */
  file: z.string().nullable(),
  row: count.nullable(),
};

/** What the rows will do, as far as they were compared with what the LMS held at the check. */
const effect = z.object({
  /** Rows of users files; null where there is no such file. */
  people: z
    .object({
      /** People whom the LMS does not know yet. */
      created: count,
      /** People who exist: their names, addresses and logins become what the file says, or they are deleted. */
      existing: count,
      uncompared: count,
      /** The first of those who exist, at most 50. */
      named: z.array(
        z.object({
          ...place,
          /** `gives-id`: somebody without a SIS id who has this login gets the row's. */
          does: z.enum(['changes', 'suspends', 'deletes', 'gives-id']),
          /** Name and login that the LMS has now. */
          name: z.string(),
          sis_user_id: z.string(),
          login: z.string(),
        }),
      ),
    })
    .nullable(),
  /** Rows that change nothing: the first of them with the reason, at most 50. */
  idle: z.object({ rows: count, named: z.array(z.object({ ...place, message: z.string() })) }),
  /** Sentences about what was not compared, or not counted. */
  uncompared: z.array(z.string()),
});

/** An uploaded file that passed the check. It is kept for a day; submitting it names its id. */
export const sisFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Bytes as uploaded. */
  size: count,
  zip: z.boolean(),
  parts: z.array(sisFilePart),
  rows: count,
  /** Sentences about what was converted or is worth knowing: encoding, separator, blank rows. */
  notices: z.array(z.string()),
  /** Sentences about rows that will probably fail or were not meant: courses unknown to the LMS, a sample left in. */
  warnings: z.array(z.string()),
  effect,
  deletions: z.object({
    /** Rows that delete something: without those that name nobody who is there, or the same once more. */
    rows: count,
    /** Of these, rows that delete people, who lose all their enrolments. */
    people: count,
    /** What goes, by kind; the enrolments of courses and sections that are deleted are among them. */
    takes: z.array(z.object({ kind: z.enum(SIS_KINDS), count })),
    /** Courses that lose enrolments, those that lose most first, at most 50. */
    courses: z.array(
      z.object({
        sis_course_id: z.string(),
        name: z.string().nullable(),
        /** The LMS says that it has no such course. */
        missing: z.boolean(),
        deleted: count,
        /** Active enrolments now; null where the LMS did not tell. */
        active: count.nullable(),
      }),
    ),
    /** Number of all that goes, which the admin has to type before the file can be submitted; null where none is asked. */
    confirm: count.nullable(),
    /** Why the number is asked for; null where none is. */
    reason: z.enum(['many-rows', 'share-of-course', 'whole-course']).nullable(),
  }),
  created_at: z.string(),
  /** Id of the import that this file became, when it was submitted. */
  import_id: z.uuid().nullable(),
});
export type SisFile = z.infer<typeof sisFile>;
