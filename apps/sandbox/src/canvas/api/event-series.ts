/** Copies of an event, and series by `rrule` (reference §14.3). */

import { flag, type Params, text } from '../../http/params.ts';
import { momentOfWallClock, readMoment, wallClock } from '../../http/time-zones.ts';
import { ApiError, refused } from '../http/errors.ts';
import type { CalendarEvent } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';
import type { EventFields, SectionTimes } from './event-fields.ts';
import { MOST_EVENTS, startsOf } from './event-rules.ts';

type Times = Pick<EventFields, 'start_at' | 'end_at' | 'all_day_date'>;

/** An event to be created, with the times of its sections. */
export type Planned = { fields: EventFields; sections: readonly SectionTimes[] | null };

/**
 * Returns the event with the copies that `duplicate[count|interval|frequency|append_iterator]` asks for. The
 * times of sections move like those of the event.
 * @throws ApiError 400 for more than 200
 */
export function withCopies(first: Planned, duplicate: Params | null, zone: string): Planned[] {
  const number = (name: string, otherwise: string) =>
    Number.parseInt((text(duplicate ?? {}, name) ?? otherwise).replaceAll('_', ''), 10) || 0;
  const count = number('count', '0');
  if (count <= 0) return [first];
  if (count > MOST_EVENTS) throw refused(400, `only a maximum of ${MOST_EVENTS} events can be created`);
  const step = number('interval', '1');
  const frequency = text(duplicate ?? {}, 'frequency') ?? 'weekly';
  const counted = flag(duplicate ?? {}, 'append_iterator');
  return Array.from({ length: count + 1 }, (_, at): Planned => {
    const { fields, sections } = first;
    const moved = (time: string | null) => movedBy(time, at * step, frequency, zone);
    const title = counted ? `${fields.title} ${at + 1}` : fields.title;
    const start_at = moved(fields.start_at);
    const times = { start_at, end_at: moved(fields.end_at), all_day_date: dayOf(fields, start_at, zone) };
    const movedSections = sections?.map((each) => ({
      ...each,
      fields: {
        ...each.fields,
        start_at: moved(text(each.fields, 'start_at')),
        end_at: moved(text(each.fields, 'end_at')),
      },
    }));
    return at === 0
      ? { fields: { ...fields, title }, sections }
      : { fields: { ...fields, title, ...times }, sections: movedSections ?? null };
  });
}

/** Returns the same time of day after so many days, weeks or months. */
function movedBy(time: string | null, steps: number, frequency: string, zone: string): string | null {
  const moment = readMoment(time ?? '', zone);
  if (!moment) return time;
  const wall = new Date(wallClock(moment.ms, zone));
  if (frequency === 'monthly') wall.setTime(inMonths(wall, steps));
  else wall.setUTCDate(wall.getUTCDate() + steps * (frequency === 'daily' ? 1 : 7));
  return timestamp(momentOfWallClock(wall.getTime(), zone));
}

/**
 * Returns the events of a series, the first of which is its head.
 * @param zone the caller's own time zone, in which the rule applies
 * @throws ApiError 400
 */
export function seriesOf(fields: EventFields, rrule: string, uuid: string, zone: string): EventFields[] {
  if (fields.start_at === null) throw refused(400, 'A series needs a start');
  const starts = startsOf(rrule, wallClock(Date.parse(fields.start_at), zone), zone);
  if (starts.length === 0) throw refused(400, 'The rule does not include any day');
  return starts.map((start, at) => ({
    ...fields,
    ...timesAt(fields, start, zone),
    rrule,
    series_uuid: uuid,
    series_head: at === 0 ? true : null,
  }));
}

/** @throws ApiError 400 if events of a series would have sections */
export function refuseSections(sections: readonly SectionTimes[] | null): void {
  if (sections && sections.length > 0)
    throw new ApiError(400, { error: 'recurring events cannot have child events' });
}

/**
 * Returns the events of a series to which a change or deletion applies, in order. `which` is one, following
 * or all.
 * @throws ApiError 400 for another word
 */
export function seriesPart(world: World, event: CalendarEvent, which: string): CalendarEvent[] {
  if (which === 'one') return [event];
  if (which !== 'following' && which !== 'all')
    throw new ApiError(400, { error: `Invalid parameter which='${which}'` });
  return [...world.calendarEvents.by.context.get(event.context_code)]
    .filter(
      (each) =>
        each.series_uuid === event.series_uuid &&
        each.workflow_state !== 'deleted' &&
        (which === 'all' || (each.start_at ?? '') >= (event.start_at ?? '')),
    )
    .sort((a, b) => a.id - b.id);
}

/**
 * Rejects impossible changes to a series: a rule for one event, or moving all events to another day through an event
 * that is not the first.
 * @throws ApiError 400
 */
export function checkSeriesChange(
  event: CalendarEvent,
  fields: Params,
  patch: Partial<Times>,
  which: string,
): void {
  const rule = text(fields, 'rrule') ?? '';
  if (which === 'one' && rule !== '' && rule !== event.rrule)
    throw refused(400, 'You may not update one event with a new schedule.');
  if (which === 'all' && hasOtherDay(event, patch) && !event.series_head)
    throw refused(400, 'You may not change the start date when changing all events in the series');
}

/** Returns whether a change moves the event to another day, in UTC. */
export function hasOtherDay(
  { start_at: before }: CalendarEvent,
  { start_at: after }: Partial<Times>,
): boolean {
  return Boolean(after) && after?.slice(0, 10) !== before?.slice(0, 10);
}

/**
 * Returns the times of a series' first event, calculated from those of the changed one.
 * @param day the event whose day they are on; null for the changed one's own
 */
export function firstTimes(
  { start_at: start, end_at: end }: Pick<Times, 'start_at' | 'end_at'>,
  day: CalendarEvent | null,
  zone: string,
): Pick<Times, 'start_at' | 'end_at'> {
  const DAY = 24 * 60 * 60 * 1000;
  const onDay = (of: string | null, time: string | null) => {
    if (of === null || time === null) return time;
    const [date, clock] = [of, time].map((each) => wallClock(Date.parse(each), zone)) as [number, number];
    const wall = Math.floor(date / DAY) * DAY + (((clock % DAY) + DAY) % DAY);
    return timestamp(momentOfWallClock(wall, zone));
  };
  if (day === null) return { start_at: start, end_at: end };
  return { start_at: onDay(day.start_at, start), end_at: onDay(day.end_at, end) };
}

function timesAt(fields: EventFields, wall: number, zone: string): Times {
  const start = momentOfWallClock(wall, zone);
  const length = Date.parse(fields.end_at ?? '') - Date.parse(fields.start_at ?? '') || 0;
  const start_at = timestamp(start);
  return { start_at, end_at: timestamp(start + length), all_day_date: dayOf(fields, start_at, zone) };
}

function dayOf(
  { all_day, time_zone_edited }: EventFields,
  start: string | null,
  zone: string,
): string | null {
  if (!all_day || start === null) return null;
  return new Date(wallClock(Date.parse(start), time_zone_edited ?? zone)).toISOString().slice(0, 10);
}

/** Adds months; a day past the end of the month becomes its last day. */
function inMonths(from: Date, months: number): number {
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const days = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), days));
  return to.getTime();
}
