/** Jobs as they travel: everything that takes longer than a request, while it goes on and as the history of it. */
import { UNDO_MARKS } from '@lms-admin/domain/undo-marks';
import { z } from 'zod';
import { sisImport } from './imports.ts';

/** `waiting`: no one works on it until a time, or until something outside answers again. */
export const JOB_STATES = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled'] as const;
export const jobState = z.enum(JOB_STATES);
export type JobState = z.infer<typeof jobState>;

/** How a job ended: all of it done, a part of it, or nothing that helps. */
export const JOB_OUTCOMES = ['done', 'partly', 'failed', 'cancelled'] as const;
export const jobOutcome = z.enum(JOB_OUTCOMES);
export type JobOutcome = z.infer<typeof jobOutcome>;

const count = z.number().int().nonnegative();

export const jobItemCounts = z.object({
  todo: count,
  doing: count,
  done: count,
  failed: count,
  /** Begun, and no one could find out whether it happened. */
  unknown: count,
});
export type JobItemCounts = z.infer<typeof jobItemCounts>;

/** Courses that a job names; of more it says how many. */
export const MOST_NAMED_COURSES = 3;
/** SIS IDs of courses by which a job is found. */
export const MOST_FOUND_BY = 200;

/** What a job is about, so that entries can be told apart: the first courses and how many more, terms, programmes. */
export const jobAbout = z.object({
  /** Names of the first courses. */
  courses: z.array(z.string()),
  more: count,
  /** SIS IDs of the courses, those that are named first; '' for a course without one. */
  sis_ids: z.array(z.string()).default([]),
  terms: z.array(z.string()),
  programmes: z.array(z.string()),
});
export type JobAbout = z.infer<typeof jobAbout>;

/** A job as it is in the list. */
export const job = z.object({
  id: z.uuid(),
  /** Which kind of work: `import`, `course-plan` … */
  kind: z.string(),
  /** Id of the tool it was started from. */
  tool: z.string(),
  /** One line of what was asked: `Add 12 people to 3 courses as Student`. */
  label: z.string(),
  about: jobAbout.nullable().default(null),
  /** The job that this one undoes. */
  undoes: z.uuid().nullable().default(null),
  /** Whether what it did still holds, and the latest undo of it; null where no one has undone it. */
  undone_by: z
    .object({ id: z.uuid(), mark: z.enum(UNDO_MARKS) })
    .nullable()
    .default(null),
  /** Login and name of the admin who started it. */
  admin: z.object({ login: z.string(), name: z.string() }),
  /** Whether that is the person who asks. */
  own: z.boolean(),
  /** Whether it changes something outside, so that cancelling may leave something half done. */
  changes: z.boolean(),
  state: jobState,
  /** Null until it has ended. */
  outcome: jobOutcome.nullable(),
  /** What is being done at the moment, in words. */
  stage: z.string().nullable(),
  /** How far it is; `total` is null while no one knows. `unit` in the plural: `people`, `rows`, `courses`, `%`. */
  progress: z.object({ done: count, total: count.nullable(), unit: z.string() }).nullable(),
  /** Why no one works on it at the moment, and until when where that is known (ISO). */
  waiting: z.object({ until: z.string().nullable(), why: z.string() }).nullable(),
  /** Whether it goes on once its owner has signed in again. */
  needs_sign_in: z.boolean(),
  /** Why it failed, and what to do. */
  problem: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** What else is to be told: sections left out, what a cancellation left undone … */
  note: z.string().nullable(),
  /** Figures of the receipt, in words and in order: `[['rows sent', 36], ['enrolments', 34]]`. */
  figures: z.array(z.tuple([z.string(), z.number()])),
  /** `possible`: it can be cancelled now. `asked`: it ends at its next step. `no`: it has ended, or cannot be called back. */
  cancel: z.enum(['possible', 'asked', 'no']),
  /** Words about the LMS it belongs to when that is not the current one (another one, or a practice LMS before a reset). */
  elsewhere: z.string().nullable(),
  /** True once what names people is no longer kept. */
  forgotten: z.boolean(),
  /** Days after its end on which they were deleted; null where they are kept. */
  kept_days: z.number().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type Job = z.infer<typeof job>;

export const jobFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Media type. */
  type: z.string(),
  bytes: count,
});
export type JobFile = z.infer<typeof jobFile>;

/** A job by its address, with all that came of it. */
export const jobDetail = job.extend({
  /** What the kind of work gives: a plan's is `{plan}`; null until it is done. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The import, where the job is one. */
  import: sisImport.nullable(),
  files: z.array(jobFile),
  /** Null for work without items. */
  items: jobItemCounts.nullable(),
});
export type JobDetail = z.infer<typeof jobDetail>;

/** One of many things that a job does outside. */
export const jobItem = z.object({
  seq: count,
  label: z.string(),
  state: z.enum(['todo', 'doing', 'done', 'failed', 'unknown']),
  /** Id that the outside system gave. */
  outside_id: z.string().nullable(),
  message: z.string().nullable(),
});
export type JobItem = z.infer<typeof jobItem>;

const name = z
  .string()
  .max(40)
  .regex(/^[\w-]*$/, 'a name of letters, digits and dashes');
/** A text that a database takes: no NUL, no half of a surrogate pair. */
const printable = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a text without control characters');
/** A day or moment that a database takes; also the years that a date field gives while one is being typed. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year > 0 && year < 9_999;
}, 'a day from year 1 to 9998');

/** Kind of the jobs that send an import and follow it. */
export const IMPORT = 'import';

/**
 * What `GET /api/jobs` may be asked for: own jobs, newest first, 50 a page; `all=1` shows everybody's to `perm` `ALL`.
 * `state` takes a state or an outcome, `open` for what has not ended; dates are ISO days or moments.
 */
export const jobQuery = z.strictObject({
  all: z.literal('1').optional(),
  kind: name.optional(),
  tool: name.optional(),
  /** `open`: it has not ended. `to-be-seen`: nor, or within a day, and its owner has not opened it since. */
  state: z.enum([...JOB_STATES, 'partly', 'open', 'to-be-seen']).optional(),
  text: printable.max(100).optional(),
  from: moment.optional(),
  to: moment.optional(),
  /** Where the page before ended: made by the server, part of `nextPage`. */
  after: z.string().max(100).optional(),
});
export type JobQuery = z.infer<typeof jobQuery>;

/** What the top bar needs: how much goes on, and what has ended lately (newest first, at most ten, own jobs only). */
export const jobSummary = z.object({
  running: count,
  /** Own jobs that did not end well and that no one has opened since. */
  unseen: count,
  /** Tools with own imports that go on, or have ended within a day and were not opened since. */
  imports: z.array(z.string()),
  ended: z.array(job.pick({ id: true, tool: true, kind: true, label: true, outcome: true, ended_at: true })),
});
export type JobSummary = z.infer<typeof jobSummary>;

/** Body of `POST /api/jobs/start/:kind`; a repeat with the same key answers with the first job. */
export const jobStart = <I extends z.ZodType>(input: I) =>
  z.strictObject({ key: printable.min(8).max(100), input });
