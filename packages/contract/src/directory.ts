/** The directory on the system page and in `lms-admin directory`. */
import { z } from 'zod';

/** Milliseconds since 1970. */
const moment = z.number();
const count = z.number().int();

export const directoryStatus = z.object({
  /** `ready` · `old`: older than three days · `other`: that of another LMS · `empty`: nothing was read yet · `off` */
  state: z.enum(['ready', 'old', 'other', 'empty', 'off']),
  /** What to do to have it; null unless it is off. */
  why_off: z.string().nullable(),
  /** When the LMS began the report: what changed later is not in it. */
  as_of: moment.nullable(),
  /** Rows by table. */
  counts: z
    .object({ users: count, logins: count, accounts: count, terms: count, courses: count, sections: count })
    .nullable(),
  bytes: z.number(),
  /** Time of day of the refresh, in the school's zone. */
  time: z.string(),
  /** The next refresh; null where it is off, or not known. */
  next_at: moment.nullable(),
  /** What is being done; null: no refresh goes on. */
  running: z.string().nullable(),
  /** The latest, the newest first. */
  runs: z.array(
    z.object({
      asked_at: moment,
      ended_at: moment.nullable(),
      outcome: z.enum(['open', 'done', 'failed', 'cancelled']),
      rows: count.nullable(),
      /** Why it failed, and what to do. */
      message: z.string(),
      next: z.string(),
    }),
  ),
});
export type DirectoryStatus = z.infer<typeof directoryStatus>;

/** `running`: a refresh was under way already. */
export const directoryRefreshed = z.object({ status: z.enum(['started', 'running']), job: z.string() });
