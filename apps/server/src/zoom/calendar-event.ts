/** Events of a course's calendar as LMS Admin reads them, and which of them belong together. */
import { z } from 'zod';
import type { ZoomRecord } from './records.ts';

const id = z.number().int().positive();
/** What we read of an event. */
export const calendarEvent = z.object({
  id,
  title: z
    .string()
    .nullish()
    .transform((title) => title ?? ''),
  start_at: z.string().nullable(),
  end_at: z.string().nullable(),
  all_day: z.boolean().default(false),
  /** Its day where it lasts all day (`2026-12-01`). */
  all_day_date: z.iso.date().nullish().catch(null),
  workflow_state: z.string().default('active'),
  parent_event_id: id.nullish().transform((parent) => parent ?? null),
  hidden: z.boolean().default(false),
  context_code: z.string(),
  effective_context_code: z.string().nullish(),
  /** Of a course's event: to how many sections it is given, wherever they are now. */
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
  /** Of a series: an event of one is changed by itself. */
  series_uuid: z.string().nullish(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

/** An event that may have a meeting, or the course's event of which each section has its own. */
export interface Slot {
  event: CalendarEvent;
  /** 0 for an event of the course. */
  sectionId: number;
  reservationId: string | null;
  record: ZoomRecord | null;
}

/** An event of the course with the events of its sections, where it is given by section. */
export interface Family {
  /** Visibility and merge are kept here. */
  own: Slot;
  /** Those that have meetings: itself, or its sections' events. */
  parts: Slot[];
  /** The LMS no longer has it: it is known only since others are merged with it. */
  isLost?: true;
  /** It is the main event of an event that was moved here, and in another course: nothing of it is changed from here. */
  isElsewhere?: true;
  /** It is the event of a cross-listed section and belongs to an event of another course: nothing of it is changed from here. */
  isGuest?: true;
}

/** The section of an event; 0 for one of the course. */
export function sectionOf({ context_code }: { context_code: string }): number {
  return Number(/^course_section_(\d+)$/.exec(context_code)?.[1] ?? 0);
}

/** The course of an event; null for one of another calendar. */
export function courseOf(event: {
  context_code: string;
  effective_context_code?: string | null | undefined;
}): number | null {
  const code = event.effective_context_code ?? event.context_code;
  return Number(/^course_(\d+)$/.exec(code)?.[1] ?? 0) || null;
}
