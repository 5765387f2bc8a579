/** Changing, shortening and splitting a series, or giving it another rule (reference §14.3). */

import { type Params, text } from '../../http/params.ts';
import type { Caller } from '../http/auth.ts';
import type { CalendarEvent } from '../store/model.ts';
import { newUuid } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { EMPTY_EVENT, type EventFields, type SectionTimes, titleOf } from './event-fields.ts';
import { shortenedTo, withCount } from './event-rules.ts';
import {
  checkSeriesChange,
  firstTimes,
  hasOtherDay,
  refuseSections,
  seriesOf,
  seriesPart,
} from './event-series.ts';
import { addEvent, changeEvent, deleteEvent } from './event-writing.ts';

type SeriesChange = {
  fields: Params;
  patch: Partial<EventFields>;
  sections: readonly SectionTimes[] | null;
  which: string;
};

/** Time zones: the caller's, in which times are read, and the one in which the rule of a series applies. */
type Zones = { zone: string; own: string };

/** Returns whether a change affects a series, or turns a single event into one. */
export function concernsSeries(event: CalendarEvent, fields: Params): boolean {
  return event.series_uuid !== null || (text(fields, 'rrule') ?? '') !== '';
}

/**
 * Changes a series through one of its events. The changed events get the times of the rule again, even if they were
 * moved individually. Another rule adds events or deletes the last ones. Other times or another rule for the
 * following events split these off as a series; an empty rule keeps only this event.
 * @returns the changed events, in order; a single event if only this one is changed
 * @throws ApiError 400
 */
export function changeSeries(
  caller: Caller,
  event: CalendarEvent,
  change: SeriesChange,
  { zone, own }: Zones,
): CalendarEvent | CalendarEvent[] {
  const { world } = caller;
  const { fields, patch, sections } = change;
  const single = event.series_uuid === null;
  const which = single ? 'all' : change.which;
  const rule = 'rrule' in fields ? (text(fields, 'rrule') ?? '') : (event.rrule ?? '');
  const ruled = rule !== (event.rrule ?? '');
  if (!single) checkSeriesChange(event, fields, patch, which);
  if (which === 'one' && !(ruled && rule === '')) {
    changeEvent(caller, event, patch, sections, zone);
    return event;
  }
  const whole = single ? [event] : seriesPart(world, event, 'all');
  const part = single || which === 'one' ? whole : seriesPart(world, event, which);
  const front = whole.filter((each) => !part.includes(each));
  if (ruled && rule === '') {
    for (const each of part) if (each !== event) deleteEvent(world, each);
    const alone = { ...patch, series_uuid: null, series_head: null, rrule: null };
    changeEvent(caller, event, alone, sections, zone);
    return [...shortened(world, front), event];
  }
  refuseSections(sections);
  const [first = event] = part;
  const splits = front.length > 0 && (ruled || timesChange(event, patch));
  const day = which === 'all' && !hasOtherDay(event, patch) ? first : null;
  const times = firstTimes({ ...event, ...patch }, day, own);
  const uuid = splits || event.series_uuid === null ? newUuid() : event.series_uuid;
  const days = seriesOf({ ...fieldsOf(first), ...patch, ...times }, rule, uuid, own);
  const kept = ruled ? days : days.slice(0, part.length);
  const rrule = splits && !ruled ? withCount(rule, part.length) : rule;
  const newHead = single || splits;
  const series = kept.map(({ start_at, end_at, all_day_date }, at) => {
    const each = { ...patch, start_at, end_at, all_day_date, rrule, series_uuid: uuid };
    const present = part[at];
    // An added event gets only the fields in the request: it is not a copy.
    if (!present) return addEvent(caller, { ...unsaid(event), ...each }, null, zone);
    changeEvent(caller, present, newHead && at === 0 ? { ...each, series_head: true } : each, null, zone);
    return present;
  });
  for (const each of part.slice(kept.length)) deleteEvent(world, each);
  return [...(splits ? shortened(world, front) : []), ...series];
}

/** Deletes events of a series; the rule of the earlier events is shortened. */
export function deleteOfSeries(world: World, event: CalendarEvent, which: string): CalendarEvent[] {
  const part = seriesPart(world, event, which);
  const front =
    which === 'following' ? seriesPart(world, event, 'all').filter((each) => !part.includes(each)) : [];
  for (const each of part) deleteEvent(world, each);
  return [...part, ...shortened(world, front)];
}

/** Shortens the rule for the remaining events: it gives their count, even if it gave an end date before. */
function shortened(world: World, front: readonly CalendarEvent[]): readonly CalendarEvent[] {
  for (const each of front)
    world.calendarEvents.change(each, { rrule: shortenedTo(each.rrule ?? '', front.length) });
  return front;
}

function timesChange(event: CalendarEvent, { start_at, end_at }: Partial<EventFields>): boolean {
  return (
    (start_at !== undefined && start_at !== event.start_at) ||
    (end_at !== undefined && end_at !== event.end_at)
  );
}

function fieldsOf(event: CalendarEvent): EventFields {
  const { id: _, created_at: _created, updated_at: _updated, ...fields } = event;
  return fields;
}

function unsaid({ context_code, user_id }: CalendarEvent): EventFields {
  return { ...EMPTY_EVENT, title: titleOf(context_code), user_id, context_code };
}
