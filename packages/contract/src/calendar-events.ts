/** Events of a course's calendar in Zoom Creation. Separate, because every screen loads the LMS call registry. */
import { z } from 'zod';

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/**
 * A calendar event of the LMS with LMS Admin's data about it (ZC-15). The first part comes from the LMS; marked fields
 * never reach the browser. The second part has defaults for answers of the LMS, and the back end fills it in.
 */
export const zoomEvent = z.object({
  id,
  title: z.string().nullish(),
  start_at: z.string().nullable(),
  end_at: z.string().nullable(),
  all_day: z.boolean().default(false),
  /** `active`, `locked`, `deleted`. */
  workflow_state: z.string().default('active'),
  /** For a section's event: the course's event (OP-66). */
  parent_event_id: id.nullish(),
  /** An event with section events, whose own times have no meaning. */
  hidden: z.boolean().default(false),
  /** Such as `course_42` or `course_section_9`. */
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

  /** Number of LMS Admin's record; null: none. */
  id_local: z.number().int().nullable().default(null),
  /** Id of the reservation in the timetable, a text (OP-64). */
  te_reservation_id: z.string().nullable().default(null),
  /** Same as `te_reservation_id` (OP-64). */
  time_edit_reservation_id: z.string().nullable().default(null),
  /** The join link: the record's, the main event's while merged, or one in the event itself. */
  zoom_link: z.string().nullable().default(null),
  /** Email of the host. */
  zoom_owner: z.string().nullable().default(null),
  /** Emails separated by commas. */
  zoom_alternative_host: z.string().default(''),
  /** 1: students see the link in the LMS (OP-103). */
  zoom_visibility: z.union([z.literal(0), z.literal(1)]).default(0),
  /**
   * How the event's texts in the LMS differ from `zoom_visibility`, because someone has changed them. `no-link`:
   * published without a link; `a-link`: hidden with a link; `other-link`: published with another link.
   */
  zoom_texts: z.enum(['no-link', 'a-link', 'other-link']).nullable().default(null),
  /** LMS id of the main event that this one is merged with. */
  zoom_parent_id: z.number().int().nullable().default(null),
  /** Title of the main event, in case it is outside the window. */
  zoom_parent_title: z.string().nullable().default(null),
  /** Address of the calendar file; null: 'N/A' (OP-101). */
  ics: z.string().nullable().default(null),
});
export type ZoomEvent = z.infer<typeof zoomEvent>;
