/** One event of the LMS as it is now, in any course. */
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { OutsideError } from '../outbound/errors.ts';
import { type CalendarEvent, calendarEvent } from './calendar-event.ts';

interface Asking {
  token: CanvasToken;
  signal?: AbortSignal;
}

/** What is known of an event that may be in any course: `unseen` is one that the person cannot see. */
export type FoundEvent = CalendarEvent | 'unseen' | 'gone';

/** Reads an event as it is now; null if it no longer exists. @throws CanvasError */
export async function readEvent(
  canvas: CanvasClient,
  eventId: number,
  { token, signal }: Asking,
): Promise<CalendarEvent | null> {
  const { data } = await canvas.call({
    token,
    method: 'GET',
    path: `calendar_events/${eventId}`,
    answer: calendarEvent,
    ...(signal ? { signal } : {}),
  });
  // Canvas still returns a deleted event (reference §14.3).
  return data.workflow_state === 'deleted' ? null : data;
}

/** @throws CanvasError if it is unknown whether the event still exists */
export async function findEvent(canvas: CanvasClient, eventId: number, asking: Asking): Promise<FoundEvent> {
  try {
    return (await readEvent(canvas, eventId, asking)) ?? 'gone';
  } catch (error) {
    if (error instanceof OutsideError && error.kind === 'not-found') return 'gone';
    if (error instanceof OutsideError && error.kind === 'refused' && !error.ofToken) return 'unseen';
    throw error;
  }
}
