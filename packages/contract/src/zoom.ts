/** Zoom Creation in requests and answers (area ZC). */
import { z } from 'zod';
import { count, id, numeric, ofEvent } from './zoom-parts.ts';

export { type ZoomEvent, zoomEvent } from './calendar-events.ts';
export { OWN_REQUEST } from './endpoints.ts';

/** Id of the kind of job. */
export const ZOOM_CHANGE = 'zoom-change';

/** Number of days shown from the selected one (ZC-39). */
export const ZOOM_WINDOW_DAYS = 30;
/** Maximum number of events in one change: five times what a table shows at once. */
export const MAX_ZOOM_EVENTS = 500;
/** Maximum number of alternative hosts of a meeting. */
export const MAX_CO_HOSTS = 50;
const email = z.email().max(320);

/** A change of events in one course, by their ids in the LMS. */
export const zoomChange = z.discriminatedUnion('change', [
  z.strictObject({
    change: z.literal('publish'),
    course: id,
    events: z.array(id).min(1).max(MAX_ZOOM_EVENTS),
    owner: email,
    /** Alternative hosts; null: each meeting keeps its own in Zoom. */
    co_hosts: z.array(email).max(MAX_CO_HOSTS).nullable(),
    visible: z.boolean(),
  }),
  z.strictObject({
    change: z.literal('merge'),
    course: id,
    parent: id,
    events: z.array(id).min(1).max(MAX_ZOOM_EVENTS),
  }),
  z.strictObject({ change: z.literal('unmerge'), course: id, event: id }),
]);
export type ZoomChange = z.infer<typeof zoomChange>;

/** Input of a `zoom-change`. Rejected if the change differs from its preview, which `digest` identifies. */
export const zoomChangeOrder = z.strictObject({ change: zoomChange, digest: z.string().min(1).max(64) });
export type ZoomChangeOrder = z.infer<typeof zoomChangeOrder>;

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
