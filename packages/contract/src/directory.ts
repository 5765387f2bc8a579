/** The directory: its state on the system page and in `lms-admin directory`, its people and its courses. */
import { MIN_SEARCH_LENGTH } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { foundUser } from './canvas-objects.ts';

/** Milliseconds since 1970. */
const moment = z.number();
const count = z.number().int();

export const directoryStatus = z.object({
  /** `ready` · `old`: older than three days · `other`: of another LMS · `empty`: nothing has been read yet · `off` */
  state: z.enum(['ready', 'old', 'other', 'empty', 'off']),
  /** How to enable the directory; null unless it is off. */
  why_off: z.string().nullable(),
  /** When the LMS started the report, which does not contain later changes. */
  as_of: moment.nullable(),
  /** Number of rows by table. */
  counts: z
    .object({ users: count, logins: count, accounts: count, terms: count, courses: count, sections: count })
    .nullable(),
  bytes: z.number(),
  /** Time of day of the refresh, in the school's zone. */
  time: z.string(),
  /** The next refresh; null when off or unknown. */
  next_at: moment.nullable(),
  /** The current step; null without a refresh. */
  running: z.string().nullable(),
  /** The latest runs, newest first. */
  runs: z.array(
    z.object({
      asked_at: moment,
      ended_at: moment.nullable(),
      outcome: z.enum(['open', 'done', 'failed', 'cancelled']),
      rows: count.nullable(),
      /** Why the run failed, and what to do. */
      message: z.string(),
      next: z.string(),
    }),
  ),
});
export type DirectoryStatus = z.infer<typeof directoryStatus>;

/** `running`: a refresh was in progress already. */
export const directoryRefreshed = z.object({ status: z.enum(['started', 'running']), job: z.string() });

/** Query of `GET api/directory/people`: part of a name, login or SIS ID. */
export const nameSearch = z.strictObject({
  text: z
    .string()
    .regex(/^\P{Cc}{1,200}$/u)
    .trim()
    .min(MIN_SEARCH_LENGTH),
});

/** People in the copy, without the time of their creation. */
export const foundNames = z.object({
  /** When the LMS started the report that the people come from; null if there is no copy that can be used. */
  as_of: moment.nullable(),
  people: z.array(foundUser),
  /** Whether there are others that are not listed. */
  more: z.boolean(),
});
export type FoundNames = z.infer<typeof foundNames>;

/** Body of `POST api/directory/courses`: number of an account. */
export const copiedCoursesRequest = z.strictObject({ account: z.number().int().positive() });

/** One line of the answer: courses of the copy in an account and the accounts below it, in the order of their numbers. */
export const copiedCourses = z.object({
  /** When the LMS started the report that the courses come from. */
  as_of: moment,
  courses: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      sis_course_id: z.string().nullable(),
      enrollment_term_id: z.number().int(),
    }),
  ),
});
export type CopiedCourses = z.infer<typeof copiedCourses>;
