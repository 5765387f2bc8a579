/** Changing, shortening and splitting a series, or giving it another rule (reference §14.3). */

import { type Params, text } from '../../http/params.ts';
import type { Caller } from '../http/auth.ts';
import type { CalendarEvent } from '../store/model.ts';
import { newUuid } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { EMPTY_EVENT, type EventFields, type SectionTimes, titleOf } from './event-fields.ts';
import { checkSeriesChange, movedAlong, seriesOf, seriesPart } from './event-series.ts';
import { addEvent, changeEvent, deleteEvent } from './event-writing.ts';

type SeriesChange = {
  fields: Params;
  patch: Partial<EventFields>;
  sections: readonly SectionTimes[] | null;
  which: string;
};

/** Whether a change affects a series, or turns a single event into one. */
export function concernsSeries(event: CalendarEvent, fields: Params): boolean {
  return event.series_uuid !== null || (text(fields, 'rrule') ?? '') !== '';
}

/**
 * Changes a series through one of its events. Another rule adds events or deletes the last ones. Other times
 * or another rule for the following events split these off as a series; an empty rule keeps only this event.
 * @returns the changed events, in order @throws ApiError 400
 */
export function changeSeries(
  caller: Caller,
  event: CalendarEvent,
  change: SeriesChange,
  zone: string,
): CalendarEvent[] {
  const { world } = caller;
  const { fields, patch, sections } = change;
  const single = event.series_uuid === null;
  const which = single ? 'all' : change.which;
  const rule = 'rrule' in fields ? (text(fields, 'rrule') ?? '') : (event.rrule ?? '');
  const ruled = rule !== (event.rrule ?? '');
  if (!single) checkSeriesChange(event, fields, patch, which);
  const whole = single ? [event] : seriesPart(world, event, 'all');
  const part = single ? [event] : seriesPart(world, event, which);
  const front = which === 'following' ? whole.filter((each) => !part.includes(each)) : [];
  if (ruled && rule === '') {
    for (const each of which === 'one' ? whole : part) if (each !== event) deleteEvent(world, each, null);
    const alone = { ...patch, series_uuid: null, series_head: null, rrule: null };
    changeEvent(caller, event, alone, sections, zone);
    return [...shortened(world, front), event];
  }
  if (!ruled && !(front.length > 0 && timesChange(event, patch))) {
    const chosen = { ...event };
    for (const each of part) {
      const own = each === event ? patch : { ...patch, ...movedAlong(each, chosen, patch) };
      changeEvent(caller, each, own, sections, zone);
    }
    return part;
  }
  const first = which === 'all' ? (part[0] ?? event) : event;
  const times = first === event ? {} : movedAlong(first, event, patch);
  const uuid = front.length > 0 || event.series_uuid === null ? newUuid() : event.series_uuid;
  const days = seriesOf({ ...fieldsOf(first), ...patch, ...times }, rule, uuid, zone);
  const kept = ruled ? days : days.slice(0, part.length);
  const newHead = single || front.length > 0;
  const series = kept.map(({ start_at, end_at, all_day_date }, at) => {
    const own = {
      ...patch,
      start_at,
      end_at,
      all_day_date,
      rrule: ruled ? rule : withCount(rule, part.length),
      series_uuid: uuid,
    };
    const present = part[at];
    // An added event gets only the fields in the request: it is not a copy.
    if (!present) return addEvent(caller, { ...unsaid(event), ...own }, sections, zone);
    changeEvent(caller, present, newHead && at === 0 ? { ...own, series_head: true } : own, sections, zone);
    return present;
  });
  for (const each of part.slice(kept.length)) deleteEvent(world, each, null);
  return [...shortened(world, front), ...series];
}

/** Deletes events of a series; the rule of the earlier events is shortened. */
export function deleteOfSeries(
  world: World,
  event: CalendarEvent,
  which: string,
  reason: string | null,
): CalendarEvent[] {
  const part = seriesPart(world, event, which);
  const front =
    which === 'following' ? seriesPart(world, event, 'all').filter((each) => !part.includes(each)) : [];
  for (const each of part) deleteEvent(world, each, reason);
  return [...part, ...shortened(world, front)];
}

/** The rule for the remaining events gives their count, even if it gave an end date before. */
function shortened(world: World, front: readonly CalendarEvent[]): readonly CalendarEvent[] {
  for (const each of front) {
    const rule = each.rrule ?? '';
    const rrule = rule.includes('COUNT')
      ? withCount(rule, front.length)
      : rule.replace(/UNTIL=[^;]+/, `COUNT=${front.length}`);
    world.calendarEvents.change(each, { rrule });
  }
  return front;
}

const withCount = (rule: string, count: number) => rule.replace(/(COUNT=)\d+/, `$1${count}`);

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
