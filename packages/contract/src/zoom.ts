/** Zoom Creation and Zoom Event Run as they travel (areas ZC and ZR). */
import { z } from 'zod';
import { jobOutcome } from './jobs.ts';

export { type ZoomEvent, zoomEvent } from './calendar-events.ts';
export { ASKED_HERE } from './endpoints.ts';

/** Ids of the kinds of jobs. */
export const ZOOM_CHANGE = 'zoom-change';
export const ZOOM_RUN = 'zoom-run';
/** What a run would do, worked out before it is started. */
export const ZOOM_RUN_REVIEW = 'zoom-run-review';

/** Days that are shown from the chosen one (ZC-39). */
export const ZOOM_WINDOW_DAYS = 30;
/** Most events of one change: what a table shows at once, five times over. */
export const MAX_ZOOM_EVENTS = 500;
/** Most alternative hosts of a meeting. */
export const MAX_CO_HOSTS = 50;
/** How far ahead a run looks (ZR-08). */
export const RUN_DAYS = [30, 60, 90] as const;
export type RunDays = (typeof RUN_DAYS)[number];

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().nonnegative();
const email = z.email().max(320);

const course = id;

/** What is to be done to events of one course, by their ids in the LMS. */
export const zoomChange = z.discriminatedUnion('change', [
  z.strictObject({
    change: z.literal('publish'),
    course,
    events: z.array(id).min(1).max(MAX_ZOOM_EVENTS),
    owner: email,
    /** Alternative hosts; null: each meeting keeps those that it has in Zoom. */
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

/** Input of a `zoom-change`: refused where the change would no longer do what its preview told, which `digest` is of. */
export const zoomChangeOrder = z.strictObject({ change: zoomChange, digest: z.string().min(1).max(64) });
export type ZoomChangeOrder = z.infer<typeof zoomChangeOrder>;

const ofEvent = { event: id, title: z.string(), start_at: z.string().nullable() };

/** What a change would do, before it is done. */
export const zoomPreview = z.object({
  /** Is sent along with the change: the same for as long as it would do the same to the same events and meetings. */
  digest: z.string(),
  /** Events that are named; those of sections count, their hidden parents do not. */
  events: count,
  /** Meetings that will be made. */
  make: count,
  /** Meetings that are there and will be changed in Zoom. */
  update: count,
  /** Former meetings that will be removed from Zoom. */
  removed: count.default(0),
  /** Events of which nothing is to be done. */
  unchanged: count,
  /** Links that will be others than now, and whose (OP-102). */
  links: z.array(
    z.object({
      ...ofEvent,
      /** Host now and then; null where there is none. */
      from: z.string().nullable(),
      to: z.string().nullable(),
      /**
       * `host`: it cannot be handed over. `merge`, `unmerge`: another meeting. `merge-hidden`: that of a main event which is hidden. `unmerge-none`: it never had one. `gone`: Zoom no longer has it, or its host is not
       * active. `passcode`: it was changed in Zoom. `sections`: the event is given to other sections than before, or to the whole
       * course. `copied`: the link of another event gives way. `written`: a link that a person wrote stays beside the new one.
       */
      why: z.enum([
        'host',
        'merge',
        'merge-hidden',
        'unmerge',
        'unmerge-none',
        'gone',
        'passcode',
        'sections',
        'copied',
        'written',
      ]),
      /** Whether students have the current link before them. */
      published: z.boolean(),
    }),
  ),
  /**
   * Meetings whose alternative hosts change (`from`, `to`), or are others in Zoom than LMS Admin shows (`known`), all by email. A
   * host who is on the list as well is left out. `unlicensed`: a new meeting cannot have these any more.
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
  /** Events of the course whose texts lead to the former meeting of a changed one (`of`) still: it is kept as long as they do. */
  former: z.array(z.object({ ...ofEvent, of: z.string() })).default([]),
  /**
   * Events that lose the link of their meeting, or are to be hidden or merged, and whose texts have a link that a person has written: it
   * stays. Of a hidden or merged one it may be that of another meeting.
   */
  left: z.array(z.object(ofEvent)).default([]),
  /** Published events of which the LMS no longer has the link, or has it edited, or for sections and names of before: it is put right. */
  texts: z.array(z.object({ ...ofEvent, how: z.enum(['missing', 'edited', 'outdated']) })),
  /**
   * Events that count as published or hidden from now on, although what students see stays: the LMS had or had not their link already.
   * `known`: LMS Admin has a record of it.
   */
  set: z.array(z.object({ ...ofEvent, visible: z.boolean(), known: z.boolean().default(true) })).default([]),
  /** Events that were not chosen, whose meeting is changed because they share it. */
  shared: z.array(z.object({ ...ofEvent, with: z.string() })),
  /** What students will see (OP-103): links that appear, and disappear, one for each section of an event that is given by section. */
  appear: count,
  disappear: count,
  /** Of how many events those are. */
  appear_events: count.optional(),
  disappear_events: count.optional(),
  /** How much of each host's day is needed and left (OP-104); `wait` of them have to wait until `until` (ISO). */
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
  /** The chosen owner where the account is a Basic one; `long`: events that last longer than Zoom lets their meeting go on. */
  basic: z.object({ email: z.string(), name: z.string(), events: count, long: count }).nullable(),
  /** Events at whose time their host has another meeting, one entry for each of those. */
  clashes: z.array(
    z.object({
      ...ofEvent,
      /** Email. */
      host: z.string(),
      with: z.object({
        /** `reservation`: the same one in another course. `zoom`: a meeting that was not made here. */
        kind: z.enum(['event', 'course', 'reservation', 'zoom']),
        /** Null where it is not this person's to see. */
        title: z.string().nullable(),
        course: z.string().nullable(),
        start_at: z.string().nullable(),
      }),
    }),
  ),
  /**
   * Events whose reservation of the timetable another course has too, with a meeting of another host: null in what is not this
   * person's to see.
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
  /** True: Zoom did not tell which other meetings the host has. */
  unchecked: z.boolean(),
  /**
   * Events that are under way, or whose meeting has started in Zoom, and whose host or link changes. `stays`: Zoom deletes the present
   * meeting only when it has ended.
   */
  running: z.array(z.object({ ...ofEvent, link: z.boolean(), stays: z.boolean().default(false) })),
  /**
   * Events that earlier changes are still to change, an entry for each of those, the newest first: by whom, and when it goes on (ISO). The
   * new change applies instead, and is not saved where one of them is made before it begins; not of
   * the main event of a merge (`main`), whose change is still made and holds for the merged events, too.
   */
  waiting: z.array(
    z.object({ ...ofEvent, by: z.string(), until: z.string().nullable(), main: z.literal(true).optional() }),
  ),
  /** Events that cannot be done, and why. */
  /** `part`: what can be done of the event is done anyway. */
  problems: z.array(z.object({ ...ofEvent, message: z.string(), part: z.boolean().default(false) })),
  /** Sections whose time is over: they are left as they are, with their `meeting` or without, and the others of their event are changed. */
  over: z.array(z.object({ ...ofEvent, meeting: z.boolean().default(true) })).default([]),
});
export type ZoomPreview = z.infer<typeof zoomPreview>;

/** Who may own meetings (ZC-19, ZC-41). `left`: creations and changes that are left of the host's day. */
export const zoomOwner = z.object({ email: z.string(), name: z.string(), left: count });
export const zoomOwners = z.object({
  /** The placeholder, which no published meeting may have (ZC-20, ZC-26). */
  default: zoomOwner,
  owners: z.array(zoomOwner),
});
export type ZoomOwner = z.infer<typeof zoomOwner>;
export type ZoomOwners = z.infer<typeof zoomOwners>;

/** A change of a course that has not ended. */
export const zoomOpenChange = z.object({
  job: z.uuid(),
  label: z.string(),
  /** Who asked for it. */
  admin: z.string(),
  /** Whether Activity shows it to the person who asks. */
  shown: z.boolean(),
  created_at: z.string(),
});
export type ZoomOpenChange = z.infer<typeof zoomOpenChange>;

/** An item of a `zoom-change` or `zoom-run` job has the event's id in the LMS as `input.event`; its label is the title and the time. */
export const zoomItemInput = z.object({ event: id });

/** Result of a `zoom-change`: the events that failed stay selected (OP-69). */
export const zoomChangeResult = z.object({
  /** Nothing was begun: the change would no longer do what its preview told. */
  outdated: z.boolean().default(false),
  /** Events of such a change that the calendar of the course no longer has. */
  gone: z.array(id).optional(),
  /** `part`: something of it was done. */
  failed: z.array(z.object({ ...ofEvent, message: z.string(), part: z.boolean().default(false) })),
  /** Events that were left as a later change has them, and who asked for that. */
  later: z.array(z.object({ ...ofEvent, by: z.string() })).default([]),
  /** Events that were not done, or only in part, as the change was cancelled; `unknown`: what was begun may have been done. */
  stopped: z
    .array(z.object({ ...ofEvent, part: z.boolean(), unknown: z.boolean().default(false) }))
    .default([]),
  /** What else is to be told of a change that was not done in full: links that people have written and that stay, a late wish to cancel. */
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

/** Body of `POST api/zoom/update_owner` (ZC-36). Everything but host, co-hosts and visibility is the server's own knowledge. */
export const updateOwner = z.object({
  reservation_id: z.union([z.string().max(100), z.number()]).nullish(),
  host: z.string().max(320),
  /** Comma list. */
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
  /** From the queue, on this day of its work (`2026-11-22`); null: asked for once. */
  queued: z.string().nullable(),
});
export type ZoomRunOrder = z.infer<typeof zoomRunOrder>;

/** Query of `GET`, body of `POST api/auth/zoom-s3-course-update` (ZR-11, ZR-14). `requestedBy` is the session's. */
export const zoomRunRequest = z.object({
  courseId: numeric,
  requestedBy: z.unknown().optional(),
  daysCount: days.default(30),
  /** Of one confirmation: the same one sent twice is one run, another one is a run of its own. */
  key: z.uuid().optional(),
});

/** Input of a `zoom-run-review`. */
export const zoomRunReviewRequest = z.strictObject({ course, days: z.literal(RUN_DAYS) });

/**
 * What a run would do to an event, the most important first: another link than now; no link any more, or none for one of its
 * sections; a link again in an event that has lost its own; a meeting where there is none, with its link shown or hidden; a
 * change of its meeting or of the text around its link.
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
  /** Events that are looked at, or change because others do. */
  events: count,
  /** Those of them of which there is something to tell; the others stay as they are. */
  told: z.array(
    z.object({
      ...ofEvent,
      /** Null: nothing is done to it. */
      does: z.enum(ZOOM_RUN_DOES).nullable(),
      /** Numbers of meetings that it no longer uses and that are removed from Zoom. */
      removes: z.array(count).default([]),
      /** Whether students have its link of now before them. */
      published: z.boolean(),
      /** Why it cannot be brought up to date. */
      problem: z.string().nullable(),
      /** Why it can have no meeting, so that it is left alone. */
      unfit: z.string().nullable().default(null),
      /** Whether it waits for the next day of a host. */
      waits: z.boolean(),
      /** What needs a person. */
      warnings: z.array(z.string()),
    }),
  ),
  /** Meetings in Zoom that are made, changed and removed. */
  meetings: z.object({ made: count, changed: count, removed: count }),
  /** About meetings whose events are gone. */
  note: z.string().nullable(),
  /** The last day that is looked at (`2026-12-26`), in the zone of the course. */
  until: z.object({ day: z.iso.date(), zone: z.string() }).nullable().default(null),
});
export type ZoomRunReview = z.infer<typeof zoomRunReview>;

/** Body of `POST api/auth/zoom-s3-course-queue-update` (ZR-16): the full list that is wanted, and the one it was made from. */
export const zoomQueueUpdate = z.object({
  courseIds: z.array(numeric).max(1_000),
  /** What was read before: what is missing of it in `courseIds` is removed. Left out: the queue as it is now. */
  readCourseIds: z.array(numeric).max(1_000).optional(),
  /** When the newest entry of that was added: what was added later is not removed. Left out: whatever is there. */
  newestAt: z.iso.datetime().optional(),
  requestedBy: z.unknown().optional(),
  daysCount: days.default(30),
});

/** What the `data` of `GET api/auth/zoom-s3-course-queue-data` holds as JSON text (ZR-15): courses in the admin's reach. */
export const zoomQueue = z.object({
  courseIds: z.array(id),
  courses: z.array(
    z.object({
      id,
      code: z.string(),
      name: z.string(),
      /** Name of the admin. */
      added_by: z.string(),
      added_at: z.string(),
      days: z.literal(RUN_DAYS),
      /** When its latest run began, and the job; null before the first. */
      last_run_at: z.string().nullable(),
      last_job: z.uuid().nullable(),
      /** How that run ended; null before the first, and while it goes on. */
      outcome: jobOutcome.nullable(),
      /** Why it failed. */
      problem: z.string().nullable(),
      /** When the first of the runs began that have failed without a good one since. */
      failing_since: z.string().nullable(),
      /** `gone`: there is no such course any more. `no-access`: who added it may no longer run it. */
      state: z.enum(['works', 'gone', 'no-access']),
    }),
  ),
  /** Whether the admin may remove courses (PERM-15). */
  may_remove: z.boolean(),
  /** When the queue is worked off next (ISO). */
  next_run_at: z.string(),
  /** Hours between two runs of a course. */
  every_hours: z.number(),
  /** When the newest entry was added (ISO); null where there is none. */
  newest_at: z.string().nullable(),
});
export type ZoomQueue = z.infer<typeof zoomQueue>;
