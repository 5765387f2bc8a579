/** The preview of a change in Zoom Creation (areas ZC and OP-102 to OP-104). */
import { z } from 'zod';
import { count, ofEvent } from './zoom-parts.ts';

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
