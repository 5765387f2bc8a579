/** Zoom Creation and Zoom Event Run in requests and answers (areas ZC and ZR). */
import { z } from 'zod';
import { jobOutcome } from './jobs.ts';

export { type ZoomEvent, zoomEvent } from './calendar-events.ts';
export { OWN_REQUEST } from './endpoints.ts';

/** Ids of the kinds of jobs. */
export const ZOOM_CHANGE = 'zoom-change';
export const ZOOM_RUN = 'zoom-run';
/** Preview of a run before it starts. */
export const ZOOM_RUN_REVIEW = 'zoom-run-review';

/** Number of days shown from the selected one (ZC-39). */
export const ZOOM_WINDOW_DAYS = 30;
/** Maximum number of events in one change: five times what a table shows at once. */
export const MAX_ZOOM_EVENTS = 500;
/** Maximum number of alternative hosts of a meeting. */
export const MAX_CO_HOSTS = 50;
/** Possible numbers of days ahead that a run covers (ZR-08). */
export const RUN_DAYS = [30, 60, 90] as const;
export type RunDays = (typeof RUN_DAYS)[number];

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().nonnegative();
const email = z.email().max(320);

const course = id;

/** A change of events in one course, by their ids in the LMS. */
export const zoomChange = z.discriminatedUnion('change', [
  z.strictObject({
    change: z.literal('publish'),
    course,
    events: z.array(id).min(1).max(MAX_ZOOM_EVENTS),
    owner: email,
    /** Alternative hosts; null: each meeting keeps its own in Zoom. */
    co_hosts: z.array(email).max(MAX_CO_HOSTS).nullable(),
    visible: z.boolean(),
  }),
  z.strictObject({
    change: z.literal('merge'),
    course,
    parent: id,
    events: z.array(id).min(1).max(MAX_ZOOM_EVENTS),
  }),
  z.strictObject({ change: z.literal('unmerge'), course, event: id }),
]);
export type ZoomChange = z.infer<typeof zoomChange>;

/** Input of a `zoom-change`. Rejected if the change differs from its preview, which `digest` identifies. */
export const zoomChangeOrder = z.strictObject({ change: zoomChange, digest: z.string().min(1).max(64) });
export type ZoomChangeOrder = z.infer<typeof zoomChangeOrder>;

const ofEvent = { event: id, title: z.string(), start_at: z.string().nullable() };

/** Effects of a change, before it is made. */
export const zoomPreview = z.object({
  /** Identifies the preview: unchanged while the change has the same effects on the same events and meetings. */
  digest: z.string(),
  /** Number of events named; those of sections count, their hidden parents do not. */
  events: count,
  /** Number of meetings to create. */
  make: count,
  /** Number of existing meetings to change in Zoom. */
  update: count,
  /** Number of former meetings to remove from Zoom. */
  removed: count.default(0),
  /** Number of events without changes. */
  unchanged: count,
  /** Links that will change, and for whom (OP-102). */
  links: z.array(
    z.object({
      ...ofEvent,
      /** Host now and afterwards; null: none. */
      from: z.string().nullable(),
      to: z.string().nullable(),
      /**
       * `host`: the meeting cannot be transferred. `merge`, `unmerge`: another meeting. `merge-hidden`: a hidden main
       * event's meeting. `merge-same`: the event had the main event's link already, and no meeting. `unmerge-none`: the
       * event never had one. `gone`: not in Zoom, or no active host. `passcode`: changed in Zoom. `sections`: other
       * sections, or all. `copied`: another event's link is replaced. `written`: a person's own link stays.
       */
      why: z.enum([
        'host',
        'merge',
        'merge-hidden',
        'merge-same',
        'unmerge',
        'unmerge-none',
        'gone',
        'passcode',
        'sections',
        'copied',
        'written',
      ]),
      /** Whether students can see the current link. */
      published: z.boolean(),
    }),
  ),
  /**
   * Meetings whose alternative hosts change (`from`, `to`), or differ in Zoom from those in LMS Admin (`known`), by
   * email. A host who is also on the list is omitted. `unlicensed`: people whom a new meeting cannot have.
   */
  co_hosts: z
    .array(
      z.object({
        ...ofEvent,
        from: z.array(z.string()),
        to: z.array(z.string()),
        known: z.array(z.string()),
        unlicensed: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  /** Events whose texts still link to the former meeting of a changed event (`of`): it is kept until they change. */
  former: z.array(z.object({ ...ofEvent, of: z.string() })).default([]),
  /**
   * Events that lose their meeting's link, or are to be hidden or merged, and whose texts have a link that a person
   * wrote: that link stays. In a hidden or merged event, it can lead to another meeting.
   */
  left: z.array(z.object(ofEvent)).default([]),
  /** Published events whose link is missing, edited or outdated in the LMS: the text is corrected. */
  texts: z.array(z.object({ ...ofEvent, how: z.enum(['missing', 'edited', 'outdated']) })),
  /**
   * Events that now count as published or hidden, with no difference for students: the LMS already had their link, or
   * did not have it. `known`: LMS Admin has a record of it.
   */
  set: z.array(z.object({ ...ofEvent, visible: z.boolean(), known: z.boolean().default(true) })).default([]),
  /** Events that were not selected but share a meeting that changes. */
  shared: z.array(z.object({ ...ofEvent, with: z.string() })),
  /** Changes for students (OP-103): links that appear or disappear, one for each section of a section event. */
  appear: count,
  disappear: count,
  /** Number of events that have these links. */
  appear_events: count.optional(),
  disappear_events: count.optional(),
  /** Each host's daily limit: what is needed and left (OP-104); `wait` of them must wait until `until` (ISO). */
  hosts: z.array(
    z.object({
      email: z.string(),
      name: z.string(),
      needed: count,
      left: count,
      wait: count,
      until: z.string().nullable(),
    }),
  ),
  /** The selected owner with a Basic account; `long`: events that are longer than Zoom allows their meeting to last. */
  basic: z.object({ email: z.string(), name: z.string(), events: count, long: count }).nullable(),
  /** Events that overlap with another meeting of their host, one entry for each of those. */
  clashes: z.array(
    z.object({
      ...ofEvent,
      /** Email. */
      host: z.string(),
      with: z.object({
        /** `reservation`: the same one in another course. `zoom`: a meeting that was not created here. */
        kind: z.enum(['event', 'course', 'reservation', 'zoom']),
        /** Null if the person does not have access to it. */
        title: z.string().nullable(),
        course: z.string().nullable(),
        start_at: z.string().nullable(),
      }),
    }),
  ),
  /**
   * Events whose timetable reservation is also in another course, with a meeting of another host; parts that the person
   * cannot see are null.
   */
  elsewhere: z.array(
    z.object({
      ...ofEvent,
      with: z.object({
        title: z.string().nullable(),
        course: z.string().nullable(),
        /** Email. */
        host: z.string().nullable(),
      }),
    }),
  ),
  /** True: Zoom did not return the host's other meetings. */
  unchecked: z.boolean(),
  /**
   * Events in progress, or with a meeting started in Zoom, whose host or link changes. `stays`: Zoom deletes the
   * current meeting only after its end.
   */
  running: z.array(z.object({ ...ofEvent, link: z.boolean(), stays: z.boolean().default(false) })),
  /**
   * Events that are still to be changed by earlier changes: one entry for each change, newest first, with its admin
   * and the time when it continues (ISO). The new change replaces the earlier ones, and is not saved if one of them
   * is made first. Exception: the change of a merge's main event (`main`) is still made, including for the merged
   * events.
   */
  waiting: z.array(
    z.object({ ...ofEvent, by: z.string(), until: z.string().nullable(), main: z.literal(true).optional() }),
  ),
  /** Events that cannot be changed, and why. `part`: LMS Admin changes the rest of the event. */
  problems: z.array(z.object({ ...ofEvent, message: z.string(), part: z.boolean().default(false) })),
  /**
   * Sections whose times are over. Such a section keeps its `meeting`, or stays without one, while the event's
   * other sections are changed.
   */
  over: z.array(z.object({ ...ofEvent, meeting: z.boolean().default(true) })).default([]),
});
export type ZoomPreview = z.infer<typeof zoomPreview>;

/** People who can own meetings (ZC-19, ZC-41). `left`: creations and changes left in the host's daily limit. */
export const zoomOwner = z.object({ email: z.string(), name: z.string(), left: count });
export const zoomOwners = z.object({
  /** The placeholder, which no published meeting can have (ZC-20, ZC-26). */
  default: zoomOwner,
  owners: z.array(zoomOwner),
});
export type ZoomOwner = z.infer<typeof zoomOwner>;
export type ZoomOwners = z.infer<typeof zoomOwners>;

/** An unfinished change of a course. */
export const zoomOpenChange = z.object({
  job: z.uuid(),
  label: z.string(),
  /** The person who submitted it. */
  admin: z.string(),
  /** Whether Activity shows the change to the current person. */
  shown: z.boolean(),
  created_at: z.string(),
});
export type ZoomOpenChange = z.infer<typeof zoomOpenChange>;

/** Item of a `zoom-change` or `zoom-run`: `input.event` is the event's id in the LMS, the label its title and time. */
export const zoomItemInput = z.object({ event: id });

/** Result of a `zoom-change`: events that failed stay selected (OP-69). */
export const zoomChangeResult = z.object({
  /** Nothing was started: the change would do something other than its preview. */
  outdated: z.boolean().default(false),
  /** Events of the change that are not in the course's calendar any more. */
  gone: z.array(id).optional(),
  /** `part`: a part of the event's change was made. */
  failed: z.array(z.object({ ...ofEvent, message: z.string(), part: z.boolean().default(false) })),
  /** Events that keep the result of a later change, and who submitted that. */
  later: z.array(z.object({ ...ofEvent, by: z.string() })).default([]),
  /** Events not done, or only in part, because the change was cancelled; `unknown`: a step may have been done. */
  stopped: z
    .array(z.object({ ...ofEvent, part: z.boolean(), unknown: z.boolean().default(false) }))
    .default([]),
  /** Further messages about an incomplete change: links that people wrote and that stay, a late cancellation. */
  more: z.string().nullable().default(null),
});
export type ZoomChangeResult = z.infer<typeof zoomChangeResult>;

const numeric = z.union([
  id,
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
]);
/** An event: its id, or the event itself. */
const eventRef = z.union([numeric, z.object({ id: numeric }).transform((event) => event.id)]);
const yes = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);

/** Body of `POST api/zoom/update_owner` (ZC-36). The server only uses host, co-hosts and visibility from it. */
export const updateOwner = z.object({
  reservation_id: z.union([z.string().max(100), z.number()]).nullish(),
  host: z.string().max(320),
  /** Separated by commas. */
  coHost: z.string().max(20_000).nullish(),
  visibility: yes,
  zoom_meeting_created: yes.optional(),
  calendar_event: eventRef,
});
/** Body of `POST api/zoom/merge_events` (ZC-37). */
export const mergeEvents = z.object({
  parentEvent: eventRef,
  childEvents: z.array(eventRef).min(1).max(MAX_ZOOM_EVENTS),
});
/** Body of `POST api/zoom/un_merge_event` (ZC-38). */
export const unMergeEvent = z.object({ event: eventRef });

const days = z.union([
  z.literal(RUN_DAYS),
  z.enum(['30', '60', '90']).transform((text) => Number(text) as RunDays),
]);

/** Input of a `zoom-run`, and the work order that is kept in `files/` (OP-60). */
export const zoomRunOrder = z.strictObject({
  course,
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
export const zoomRunReviewRequest = z.strictObject({ course, days: z.literal(RUN_DAYS) });

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
