/** Copies of an event, and series by `rrule` (reference §14.3). */

import { flag, type Params, text } from '../../http/params.ts';
import { momentOfWallClock, readMoment, wallClock } from '../../http/time-zones.ts';
import { ApiError, refused } from '../http/errors.ts';
import type { CalendarEvent } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';
import type { EventFields } from './event-fields.ts';

const MOST = 200;
const DAY = 24 * 60 * 60 * 1000;
/** Limits the search if a rule hardly ever matches a day. */
const MOST_DAYS = 366 * 30;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

type Times = Pick<EventFields, 'start_at' | 'end_at' | 'all_day_date'>;

/**
 * The additional events that `duplicate[count|interval|frequency|append_iterator]` asks for, without the
 * first. @throws ApiError 400 for more than 200
 */
export function copiesOf(fields: EventFields, duplicate: Params | null, zone: string): EventFields[] {
  const count = Number(text(duplicate ?? {}, 'count') ?? 0);
  if (!duplicate || !(count > 0) || fields.start_at === null) return [];
  if (count > MOST) throw refused(400, `only a maximum of ${MOST} events can be created`);
  const step = Math.max(1, Math.floor(Number(text(duplicate, 'interval') ?? 1)) || 1);
  const frequency = text(duplicate, 'frequency') ?? 'weekly';
  const first = new Date(wallClock(Date.parse(fields.start_at), fields.time_zone_edited ?? zone));
  return Array.from({ length: Math.floor(count) }, (_, at) => {
    const n = (at + 1) * step;
    const start = new Date(first);
    if (frequency === 'monthly') start.setTime(inMonths(first, n));
    else start.setUTCDate(first.getUTCDate() + n * (frequency === 'daily' ? 1 : 7));
    const title = flag(duplicate, 'append_iterator') ? `${fields.title} ${at + 2}` : fields.title;
    return { ...fields, title, ...timesAt(fields, start.getTime(), zone) };
  });
}

/** The events of a series, including the first, with a shared `series_uuid`. @throws ApiError 400 */
export function seriesOf(fields: EventFields, rrule: string, uuid: string, zone: string): EventFields[] {
  if (fields.start_at === null) throw refused(400, 'A series needs a start');
  const own = fields.time_zone_edited ?? zone;
  const starts = daysOf(rrule, wallClock(Date.parse(fields.start_at), own), own);
  return starts.map((start, at) => ({
    ...fields,
    ...timesAt(fields, start, zone),
    rrule,
    series_uuid: uuid,
    series_head: at === 0 ? true : null,
  }));
}

/**
 * The events of a series to which a change or deletion applies, in order. `which` is one, following or all.
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
    .sort((a, b) => ((a.start_at ?? '') < (b.start_at ?? '') ? -1 : 1));
}

/**
 * Rejects impossible changes to a series: a rule for one event, or moving all of them to another day through
 * a middle one. @throws ApiError 400
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
  const moved = patch.start_at && patch.start_at.slice(0, 10) !== event.start_at?.slice(0, 10);
  if (which === 'all' && moved && !event.series_head)
    throw refused(400, 'You may not change the start date when changing all events in the series');
}

/**
 * The new times of an event when the selected one moves: shifted by the same amount, with the selected
 * event's duration.
 */
export function movedAlong(each: CalendarEvent, chosen: Times, patch: Partial<Times>): Partial<Times> {
  if (!patch.start_at || !patch.end_at || !chosen.start_at || !each.start_at) return {};
  const start = Date.parse(each.start_at) + Date.parse(patch.start_at) - Date.parse(chosen.start_at);
  const length = Date.parse(patch.end_at) - Date.parse(patch.start_at);
  const days = each.all_day ? { all_day_date: timestamp(start).slice(0, 10) } : {};
  return { start_at: timestamp(start), end_at: timestamp(start + length), ...days };
}

function timesAt(fields: EventFields, wall: number, zone: string): Times {
  const start = momentOfWallClock(wall, fields.time_zone_edited ?? zone);
  const length = Date.parse(fields.end_at ?? '') - Date.parse(fields.start_at ?? '') || 0;
  return {
    start_at: timestamp(start),
    end_at: timestamp(start + length),
    all_day_date: fields.all_day ? new Date(wall).toISOString().slice(0, 10) : null,
  };
}

/**
 * The wall clock times at which the events of a series start; the first is the event's own. @throws ApiError
 * 400
 */
function daysOf(rrule: string, first: number, zone: string): number[] {
  const parts = new Map(
    rrule
      .replace(/^RRULE:/i, '')
      .split(';')
      .map((part) => {
        const [name = '', value = ''] = part.split('=');
        return [name.toUpperCase(), /^until$/i.test(name) ? value : value.toUpperCase()] as const;
      }),
  );
  const frequency = parts.get('FREQ') ?? '';
  const count = countOf(parts);
  const until = untilOf(parts.get('UNTIL'), zone);
  const fits = FITS[frequency];
  if (!fits) throw refused(400, `Failed parsing the event's recurrence rule: Invalid FREQ '${frequency}'`);
  const rule: Rule = {
    interval: Math.max(1, Number(parts.get('INTERVAL') ?? 1) || 1),
    weekdays: (parts.get('BYDAY') ?? '').split(',').filter((day) => day !== ''),
    monthDay: Number(parts.get('BYMONTHDAY') ?? 0),
    first: new Date(first),
  };
  const days: number[] = [];
  for (let n = 0; n < MOST_DAYS && !(days.length >= count); n++) {
    const at = first + n * DAY;
    if (until !== null && at > until) break;
    if (n > 0 && !fits(new Date(at), n, rule)) continue;
    days.push(at);
    if (days.length > MOST) throw refused(400, `A maximum of ${MOST} events may be created`);
  }
  return days;
}

type Rule = { interval: number; weekdays: string[]; monthDay: number; first: Date };

/** Whether the rule includes a day, which is the n-th after the first. */
const FITS: Readonly<Record<string, (day: Date, n: number, rule: Rule) => boolean>> = {
  DAILY: (_, n, { interval }) => n % interval === 0,
  WEEKLY(day, n, { interval, weekdays, first }) {
    const weekday = WEEKDAYS[day.getUTCDay()] as string;
    const wanted = weekdays.length > 0 ? weekdays : [WEEKDAYS[first.getUTCDay()] as string];
    return wanted.includes(weekday) && Math.floor((n + first.getUTCDay()) / 7) % interval === 0;
  },
  MONTHLY(day, _, rule) {
    const { first, interval, weekdays, monthDay } = rule;
    if (monthsBetween(first, day) % interval !== 0) return false;
    if (weekdays.length === 0) return day.getUTCDate() === (monthDay || first.getUTCDate());
    const nth = Math.ceil(day.getUTCDate() / 7);
    const isLast = new Date(day.getTime() + 7 * DAY).getUTCMonth() !== day.getUTCMonth();
    const weekday = WEEKDAYS[day.getUTCDay()] as string;
    return weekdays.some((each) => each === `${nth}${weekday}` || (isLast && each === `-1${weekday}`));
  },
  YEARLY: (day, _, { first, interval }) =>
    day.getUTCMonth() === first.getUTCMonth() &&
    day.getUTCDate() === first.getUTCDate() &&
    (day.getUTCFullYear() - first.getUTCFullYear()) % interval === 0,
};

/** The most events that a rule creates, if it has a count. @throws ApiError 400 in Canvas's words */
function countOf(parts: ReadonlyMap<string, string>): number {
  const given = parts.get('INTERVAL');
  if (given !== undefined && !(Number.parseInt(given, 10) > 0)) throw refused(400, 'INTERVAL must be > 0');
  const text = parts.get('COUNT');
  if (text === undefined) {
    if (!parts.has('UNTIL')) throw refused(400, 'Missing COUNT or UNTIL');
    return Number.POSITIVE_INFINITY;
  }
  const count = Number.parseInt(text, 10);
  if (!(count > 0)) throw refused(400, 'COUNT must be > 0');
  if (count > MOST) throw refused(400, `COUNT must be <= ${MOST}`);
  return count;
}

/** `20261231` or `20261231T220000Z` as a wall clock time; null: no end. @throws ApiError 400 */
function untilOf(given: string | undefined, zone: string): number | null {
  if (given === undefined) return null;
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(given);
  if (!match) throw refused(400, `Invalid UNTIL '${given}'`);
  const [, year, month, day, hour, minute, second] = match;
  if (hour === undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY - 1;
  const moment = readMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, zone);
  return moment && wallClock(moment.ms, zone);
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
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
