/**
 * One occurrence of a recurring meeting, by `occurrence_id`: reading, changing or cancelling it (reference
 * §9).
 */

import type { FastifyRequest } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { noOccurrence } from '../http/errors.ts';
import type { Meeting, Occurrence, OccurrenceChange } from '../store/model.ts';
import { occurrencesOf } from '../store/occurrences.ts';
import { readTime } from '../store/time.ts';
import type { MeetingFields } from './fields.ts';

/**
 * Finds the occurrence that a request names, or returns null for the whole meeting.
 * @throws ZoomError 3001 for an unknown one
 */
export function occurrenceIn({ query }: FastifyRequest, meeting: Meeting): Occurrence | null {
  const id = text(query as Params, 'occurrence_id');
  if (!id) return null;
  const found = occurrencesOf(meeting).find((each) => each.occurrence_id === id);
  if (!found) throw noOccurrence(id);
  return found;
}

/** Returns one occurrence's fields that replace those of the meeting. */
export function shownOccurrence(meeting: Meeting, one: Occurrence): object {
  const { occurrence_id: id, start_time, duration } = one;
  return { start_time, duration, agenda: meeting.changes?.[id]?.agenda ?? meeting.agenda };
}

export function withoutOccurrence(meeting: Meeting, { occurrence_id: id }: Occurrence): Meeting {
  return withChange(meeting, id, { cancelled: true });
}

/**
 * Changes the only fields of an occurrence that can differ. A past time becomes now, as for the whole
 * meeting.
 */
export function changedOccurrence(
  meeting: Meeting,
  { occurrence_id: id }: Occurrence,
  { start_time: text, duration, agenda, timezone }: MeetingFields,
  now: number,
): Meeting {
  const start = text === undefined ? null : readTime(text, timezone ?? meeting.timezone);
  return withChange(meeting, id, {
    ...(start === null ? {} : { start: Math.max(start, now) }),
    ...(duration === undefined ? {} : { duration }),
    ...(agenda === undefined ? {} : { agenda }),
  });
}

function withChange(meeting: Meeting, id: string, change: OccurrenceChange): Meeting {
  const { changes = {} } = meeting;
  return { ...meeting, changes: { ...changes, [id]: { ...changes[id], ...change } } };
}
