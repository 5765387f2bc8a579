/** Jobs in requests and answers: everything that takes longer than a request, in progress and as history. */
import { UNDO_MARKS } from '@lms-admin/domain/undo-marks';
import { z } from 'zod';
import { sisImport } from './imports.ts';

/** `waiting`: rests until a time, or until an outside system answers again. */
export const JOB_STATES = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled'] as const;
export const jobState = z.enum(JOB_STATES);
export type JobState = z.infer<typeof jobState>;

/** Outcome of a job: all of it done, a part of it, or nothing useful. */
export const JOB_OUTCOMES = ['done', 'partly', 'failed', 'cancelled'] as const;
export const jobOutcome = z.enum(JOB_OUTCOMES);
export type JobOutcome = z.infer<typeof jobOutcome>;

const count = z.number().int().nonnegative();

export const jobItemCounts = z.object({
  todo: count,
  doing: count,
  done: count,
  failed: count,
  /** Started, with an unknown result. */
  unknown: count,
});
export type JobItemCounts = z.infer<typeof jobItemCounts>;

/** Maximum number of courses that a job names; the others are counted. */
export const MOST_NAMED_COURSES = 3;
/** Maximum number of SIS IDs of courses by which a job is found. */
export const MOST_FOUND_BY = 200;

/** What a job is about, to distinguish entries: the first courses and the number of others, terms, programmes. */
export const jobAbout = z.object({
  /** Names of the first courses. */
  courses: z.array(z.string()),
  more: count,
  /** SIS IDs of the courses, those with a name first; '' for a course without one. */
  sis_ids: z.array(z.string()).default([]),
  terms: z.array(z.string()),
  programmes: z.array(z.string()),
});
export type JobAbout = z.infer<typeof jobAbout>;

/** A job in the list. */
export const job = z.object({
  id: z.uuid(),
  /** Kind of work: `import`, `course-plan` … */
  kind: z.string(),
  /** Id of the tool that started it. */
  tool: z.string(),
  /** One line about the request: `Add 12 people to 3 courses as Student`. */
  label: z.string(),
  about: jobAbout.nullable().default(null),
  /** The job that this one undoes. */
  undoes: z.uuid().nullable().default(null),
  /** Whether the job's changes still apply, and its latest undo; null if no one has undone it. */
  undone_by: z
    .object({ id: z.uuid(), mark: z.enum(UNDO_MARKS) })
    .nullable()
    .default(null),
  /** Login and name of the administrator who started it. */
  admin: z.object({ login: z.string(), name: z.string() }),
  /** Whether the current person started it. */
  own: z.boolean(),
  /** Whether the job changes an outside system, so that cancelling can leave it half done. */
  changes: z.boolean(),
  state: jobState,
  /** Null until the job has ended. */
  outcome: jobOutcome.nullable(),
  /** User-facing text for the current step. */
  stage: z.string().nullable(),
  /** Progress; `total` is null while unknown. `unit` in the plural: `people`, `rows`, `courses`, `%`. */
  progress: z.object({ done: count, total: count.nullable(), unit: z.string() }).nullable(),
  /** Why the job is waiting, and until when, if known (ISO). */
  waiting: z.object({ until: z.string().nullable(), why: z.string() }).nullable(),
  /** Whether the job continues once its owner has signed in again. */
  needs_sign_in: z.boolean(),
  /** Why the job failed, and what to do. */
  problem: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Further messages: skipped sections, what a cancellation left undone … */
  note: z.string().nullable(),
  /** Figures of the result with their labels, in order: `[['rows sent', 36], ['enrolments', 34]]`. */
  figures: z.array(z.tuple([z.string(), z.number()])),
  /** `possible`: it can be cancelled now. `asked`: it ends at its next step. `no`: it has ended or must finish. */
  cancel: z.enum(['possible', 'asked', 'no']),
  /** Description of the job's LMS if that is not the current one (another one, or a practice LMS before a reset). */
  elsewhere: z.string().nullable(),
  /** True after personal data was deleted. */
  forgotten: z.boolean(),
  /** Days from the job's end to that deletion; null if the data is kept. */
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

/** A job by its address, with all its results. */
export const jobDetail = job.extend({
  /** Result of this kind of work: for a plan, `{plan}`; null until it is done. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The import, if the job is one. */
  import: sisImport.nullable(),
  files: z.array(jobFile),
  /** Null for work without items. */
  items: jobItemCounts.nullable(),
});
export type JobDetail = z.infer<typeof jobDetail>;

/** One of many things that a job does in an outside system. */
export const jobItem = z.object({
  seq: count,
  label: z.string(),
  state: z.enum(['todo', 'doing', 'done', 'failed', 'unknown']),
  /** Id from the outside system. */
  outside_id: z.string().nullable(),
  message: z.string().nullable(),
});
export type JobItem = z.infer<typeof jobItem>;

const name = z
  .string()
  .max(40)
  .regex(/^[\w-]*$/, 'a name of letters, digits and dashes');
/** A text that a database accepts: without NUL and without half a surrogate pair. */
const printable = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'a text without control characters');
/** A day or moment that a database accepts; also allows the incomplete years of a date field during typing. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year > 0 && year < 9_999;
}, 'a day from year 1 to 9998');

/** Kind of the jobs that send an import and follow it. */
export const IMPORT = 'import';

/**
 * Query of `GET /api/jobs`: the person's own jobs, newest first, 50 a page; `all=1` shows everyone's for `perm`
 * `ALL`. `state` is a state or an outcome, or `open` for unfinished jobs; dates are ISO days or moments.
 */
export const jobQuery = z.strictObject({
  all: z.literal('1').optional(),
  kind: name.optional(),
  tool: name.optional(),
  /** `open`: not ended. `to-be-seen`: not ended, or ended within a day and not opened since by its owner. */
  state: z.enum([...JOB_STATES, 'partly', 'open', 'to-be-seen']).optional(),
  text: printable.max(100).optional(),
  from: moment.optional(),
  to: moment.optional(),
  /** End of the previous page: created by the server, part of `nextPage`. */
  after: z.string().max(100).optional(),
});
export type JobQuery = z.infer<typeof jobQuery>;

/** Contents of the top bar: the number of unfinished jobs, and recently ended ones (newest first, at most ten, own). */
export const jobSummary = z.object({
  running: count,
  /** Number of the person's own jobs that did not succeed and have not been opened since. */
  unseen: count,
  /** Tools with the person's own imports that are in progress, or ended within a day and have not been opened since. */
  imports: z.array(z.string()),
  ended: z.array(job.pick({ id: true, tool: true, kind: true, label: true, outcome: true, ended_at: true })),
});
export type JobSummary = z.infer<typeof jobSummary>;

/**
 * Returns the schema for the body of `POST /api/jobs/start/:kind`; a repeat with the same key answers with the first
 * job.
 */
export const jobStart = <I extends z.ZodType>(input: I) =>
  z.strictObject({ key: printable.min(8).max(100), input });
