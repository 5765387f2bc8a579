/** Events of a course's calendar as LMS Admin reads them, and how they belong together. */
import { z } from 'zod';
import type { ZoomRecord } from './records.ts';

const id = z.number().int().positive();
/** Canvas returns null for some marks that were never set. */
const mark = z
  .boolean()
  .nullish()
  .transform((set) => set ?? false);
/** The fields of an event that LMS Admin uses. */
export const calendarEvent = z.object({
  id,
  title: z
    .string()
    .nullish()
    .transform((title) => title ?? ''),
  start_at: z.string().nullable(),
  end_at: z.string().nullable(),
  all_day: mark,
  /** Day of an all-day event (`2026-12-01`). */
  all_day_date: z.iso.date().nullish().catch(null),
  workflow_state: z.string().default('active'),
  parent_event_id: id.nullish().transform((parent) => parent ?? null),
  hidden: mark,
  context_code: z.string(),
  effective_context_code: z.string().nullish(),
  /** For an event of a course: the number of its sections' events, in whichever course these sections are now. */
  child_events_count: z
    .number()
    .nullish()
    .transform((count) => count ?? 0),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
  location_name: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
  location_address: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
  appointment_group_id: id.nullish(),
  /** Set for an event of a series, which is changed individually. */
  series_uuid: z.string().nullish(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

/** An event that can have a meeting, or a course's event whose sections each have their own meeting. */
export interface Slot {
  event: CalendarEvent;
  /** 0 for an event of the course. */
  sectionId: number;
  reservationId: string | null;
  record: ZoomRecord | null;
}

/** An event of the course, with the events of its sections if it has section times. */
export interface Family {
  /** Holds the visibility and the merge of the event. */
  own: Slot;
  /** Events that have meetings: itself, or its sections' events. */
  parts: Slot[];
  /** The event was deleted in the LMS: it is known only because others are merged with it. */
  isLost?: true;
  /** The main event of an event that was moved here. It is in another course, and is never changed from here. */
  isElsewhere?: true;
  /** An event of a cross-listed section that belongs to another course's event: it is never changed from here. */
  isGuest?: true;
}

/** Returns the section number of an event; 0 for one of the course. */
export function sectionOf({ context_code }: { context_code: string }): number {
  return Number(/^course_section_(\d+)$/.exec(context_code)?.[1] ?? 0);
}

/** Returns the course number of an event; null for one of another calendar. */
export function courseOf(event: {
  context_code: string;
  effective_context_code?: string | null | undefined;
}): number | null {
  const code = event.effective_context_code ?? event.context_code;
  return Number(/^course_(\d+)$/.exec(code)?.[1] ?? 0) || null;
}
