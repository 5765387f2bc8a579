/** Zoom Event Run in requests and answers (area ZR): a single run, its review, and the queue of daily runs. */
import { z } from 'zod';
import { jobOutcome } from './jobs.ts';
import { count, id, numeric, ofEvent } from './zoom-parts.ts';

/** Ids of the kinds of jobs. */
export const ZOOM_RUN = 'zoom-run';
/** Preview of a run before it starts. */
export const ZOOM_RUN_REVIEW = 'zoom-run-review';

/** Possible numbers of days ahead that a run covers (ZR-08). */
export const RUN_DAYS = [30, 60, 90] as const;
export type RunDays = (typeof RUN_DAYS)[number];

const days = z.union([
  z.literal(RUN_DAYS),
  z.enum(['30', '60', '90']).transform((text) => Number(text) as RunDays),
]);

/** Input of a `zoom-run`, and the work order that is kept in `files/` (OP-60). */
export const zoomRunOrder = z.strictObject({
  course: id,
  days: z.literal(RUN_DAYS),
  /** The day of the queue's run (`2026-11-22`); null: a single run. */
  queued: z.string().nullable(),
});
export type ZoomRunOrder = z.infer<typeof zoomRunOrder>;

/** Query of `GET`, body of `POST api/auth/zoom-s3-course-update` (ZR-11, ZR-14). `requestedBy` is the session's. */
export const zoomRunRequest = z.object({
  courseId: numeric,
  requestedBy: z.unknown().optional(),
  daysCount: days.default(30),
  /** Key of the confirmation: the same key twice is one run, another key is another run. */
  key: z.uuid().optional(),
});

/** Input of a `zoom-run-review`. */
export const zoomRunReviewRequest = z.strictObject({ course: id, days: z.literal(RUN_DAYS) });

/**
 * Effects of a run on an event, most important first: another link; no link any more, or none for one of its sections;
 * a restored link; a new meeting, with its link shown or hidden; a change of its meeting or of the text around its
 * link.
 */
export const ZOOM_RUN_DOES = [
  'new-link',
  'no-link',
  'link-back',
  'hand-over',
  'make-shown',
  'make',
  'change',
] as const;
export type ZoomRunDoes = (typeof ZOOM_RUN_DOES)[number];

/** Result of a `zoom-run-review`. */
export const zoomRunReview = z.object({
  /** Number of events that are checked, or change because others do. */
  events: count,
  /** The events with something to report; the others stay unchanged. */
  told: z.array(
    z.object({
      ...ofEvent,
      /** Null: nothing is done. */
      does: z.enum(ZOOM_RUN_DOES).nullable(),
      /** Numbers of meetings that the event no longer uses and that are removed from Zoom. */
      removes: z.array(count).default([]),
      /** Whether students can see the event's current link. */
      published: z.boolean(),
      /** Why the event cannot be updated. */
      problem: z.string().nullable(),
      /** Why the event cannot have a meeting, so that it is skipped. */
      unfit: z.string().nullable().default(null),
      /** Whether the event waits for a host's next day. */
      waits: z.boolean(),
      /** Warnings that need a person's attention. */
      warnings: z.array(z.string()),
    }),
  ),
  /** Number of meetings created, changed and removed in Zoom. */
  meetings: z.object({ made: count, changed: count, removed: count }),
  /** About meetings whose events are gone. */
  note: z.string().nullable(),
  /** The last day that is checked (`2026-12-26`), in the zone of the course. */
  until: z.object({ day: z.iso.date(), zone: z.string() }).nullable().default(null),
});
export type ZoomRunReview = z.infer<typeof zoomRunReview>;

/** Body of `POST api/auth/zoom-s3-course-queue-update` (ZR-16): the complete new list, and the list it is based on. */
export const zoomQueueUpdate = z.object({
  courseIds: z.array(numeric).max(1_000),
  /** The list as it was read: courses missing in `courseIds` are removed. Absent: the queue as it is now. */
  readCourseIds: z.array(numeric).max(1_000).optional(),
  /** When the newest entry of that list was added: later entries are not removed. Absent: no limit. */
  newestAt: z.iso.datetime().optional(),
  requestedBy: z.unknown().optional(),
  daysCount: days.default(30),
});

/** The `data` of `GET api/auth/zoom-s3-course-queue-data`, as JSON text (ZR-15): courses in the person's scope. */
export const zoomQueue = z.object({
  courseIds: z.array(id),
  courses: z.array(
    z.object({
      id,
      code: z.string(),
      name: z.string(),
      /** Name of the administrator. */
      added_by: z.string(),
      added_at: z.string(),
      days: z.literal(RUN_DAYS),
      /** When the course's latest run started, and the job; null before the first one. */
      last_run_at: z.string().nullable(),
      last_job: z.uuid().nullable(),
      /** How that run ended; null before the first one and in progress. */
      outcome: jobOutcome.nullable(),
      /** Why the run failed. */
      problem: z.string().nullable(),
      /** Start of the first failed run since the last good one. */
      failing_since: z.string().nullable(),
      /** `gone`: the course does not exist any more. `no-access`: the person who added it cannot run it any more. */
      state: z.enum(['works', 'gone', 'no-access']),
    }),
  ),
  /** Whether the administrator can remove courses (PERM-15). */
  may_remove: z.boolean(),
  /** The next run of the queue (ISO). */
  next_run_at: z.string(),
  /** Hours between two runs of a course. */
  every_hours: z.number(),
  /** When the newest entry was added (ISO); null for an empty queue. */
  newest_at: z.string().nullable(),
});
export type ZoomQueue = z.infer<typeof zoomQueue>;
