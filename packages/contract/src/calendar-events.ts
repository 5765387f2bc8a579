/** Events of a course's calendar, as Zoom Creation shows them. A file of its own: the LMS call registry is in every screen. */
import { z } from 'zod';

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/**
 * A calendar event of the LMS with what we know of it beside (ZC-15). The first part is the LMS's own; of it the browser
 * never gets what is marked so. The second part has its defaults where the LMS answers, and is added by the back end.
 */
export const zoomEvent = z.object({
  id,
  title: z.string().nullish(),
  start_at: z.string().nullable(),
  end_at: z.string().nullable(),
  all_day: z.boolean().default(false),
  /** `active`, `locked`, `deleted`. */
  workflow_state: z.string().default('active'),
  /** Of a section's event: the event of the course (OP-66). */
  parent_event_id: id.nullish(),
  /** An event that is given section by section: its own times say nothing. */
  hidden: z.boolean().default(false),
  /** `course_42`, `course_section_9`. */
  context_code: z.string(),
  effective_context_code: z.string().nullish(),
  html_url: z.string().nullish(),
  created_at: z.string(),
  /** Not for the browser. */
  description: z.string().nullish(),
  /** Not for the browser. */
  location_name: z.string().nullish(),
  /** Not for the browser. */
  location_address: z.string().nullish(),

  /** Number of our record; null where there is none. */
  id_local: z.number().int().nullable().default(null),
  /** Id of the reservation in the timetable, a text (OP-64). */
  te_reservation_id: z.string().nullable().default(null),
  /** The same (OP-64). */
  time_edit_reservation_id: z.string().nullable().default(null),
  /** The join link: the record's, that of the main event while merged, else one that is in the event itself. */
  zoom_link: z.string().nullable().default(null),
  /** Email of the host. */
  zoom_owner: z.string().nullable().default(null),
  /** Comma list of emails. */
  zoom_alternative_host: z.string().default(''),
  /** 1: students see the link in the LMS (OP-103). */
  zoom_visibility: z.union([z.literal(0), z.literal(1)]).default(0),
  /**
   * Where the event's texts in the LMS are otherwise than `zoom_visibility` says, as someone has changed them: `no-link`,
   * published, but there is no link in them; `a-link`, hidden, but there is one; `other-link`, published, with another one.
   */
  zoom_texts: z.enum(['no-link', 'a-link', 'other-link']).nullable().default(null),
  /** Id in the LMS of the main event that this one is merged with. */
  zoom_parent_id: z.number().int().nullable().default(null),
  /** Its title, for when it lies outside the window. */
  zoom_parent_title: z.string().nullable().default(null),
  /** Address of the calendar file; null: 'N/A' (OP-101). */
  ics: z.string().nullable().default(null),
});
export type ZoomEvent = z.infer<typeof zoomEvent>;
