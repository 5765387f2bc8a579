/** Recurrence rules of a series (reference §14.3): Canvas's own checks, and the days that a rule selects. */

import { isDay, readMoment, wallClock } from '../../http/time-zones.ts';
import { refused } from '../http/errors.ts';

/** Maximum number of events of a series, or of copies. */
export const MOST_EVENTS = 200;
const DAY = 24 * 60 * 60 * 1000;
/** Limits the search when a rule hardly ever matches a day. */
const MOST_DAYS = 366 * 30;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A weekday, of which `nth` in the month: negative from its end, 0 for each. */
type Weekday = { day: number; nth: number };

type Rule = {
  frequency: string;
  interval: number;
  months: number[];
  monthDays: number[];
  weekdays: Weekday[];
  /** Positions among the days of the month that match, negative from the end; empty: all. */
  positions: number[];
};

/**
 * Returns the wall clock times of the events. The first one is the event's own only if the rule includes its
 * day.
 * @param first wall clock time from which the rule applies
 * @throws ApiError 400 in Canvas's words
 */
export function startsOf(rrule: string, first: number, zone: string): number[] {
  const parts = partsOf(rrule);
  const { count, until } = checked(parts, zone);
  const rule = ruleOf(parts, new Date(first));
  const starts: number[] = [];
  for (let n = 0; n < MOST_DAYS && starts.length < count; n++) {
    const at = first + n * DAY;
    if (at > until) break;
    if (!includes(rule, new Date(at), new Date(first), n)) continue;
    starts.push(at);
    if (starts.length > MOST_EVENTS) throw refused(400, `A maximum of ${MOST_EVENTS} events may be created`);
  }
  return starts;
}

/** Returns the rule for another number of events, if it has a count. */
export function withCount(rrule: string, count: number): string {
  return rrule.replace(/(COUNT=)\d+/, `$1${count}`);
}

/** Returns the rule for another number of events, even if it had an end date before. */
export function shortenedTo(rrule: string, count: number): string {
  return rrule.includes('COUNT') ? withCount(rrule, count) : rrule.replace(/UNTIL=[^;]+/, `COUNT=${count}`);
}

function partsOf(rrule: string): ReadonlyMap<string, string> {
  const pairs = rrule.replace(/^RRULE:/, '').split(';');
  return new Map(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? ''] as const));
}

/** Checks the end of a series, and returns it by number and as a wall clock time. @throws ApiError 400 */
function checked(parts: ReadonlyMap<string, string>, zone: string): { count: number; until: number } {
  const number = (name: string) => Number.parseInt(parts.get(name) ?? '', 10) || 0;
  if (!parts.has('INTERVAL')) throw refused(400, 'Missing INTERVAL');
  if (number('INTERVAL') <= 0) throw refused(400, 'INTERVAL must be > 0');
  const until = parts.get('UNTIL');
  if (!parts.has('COUNT') && until === undefined) throw refused(400, 'Missing COUNT or UNTIL');
  const end = until === undefined ? Number.POSITIVE_INFINITY : untilOf(until, zone);
  if (!parts.has('COUNT')) {
    if (end === null) throw refused(400, `Invalid UNTIL '${until}'`);
    return { count: Number.POSITIVE_INFINITY, until: end };
  }
  if (number('COUNT') <= 0) throw refused(400, 'COUNT must be > 0');
  if (number('COUNT') > MOST_EVENTS) throw refused(400, `COUNT must be <= ${MOST_EVENTS}`);
  if (end === null) throw notParsed(`no time information in ${JSON.stringify(until)}`);
  return { count: number('COUNT'), until: end };
}

/**
 * Reads `20261231T220000Z`, or `20261231`, which is the beginning of this day in UTC. Returns null for any
 * other text.
 */
function untilOf(given: string, zone: string): number | null {
  const [, year, month, day, clock = '000000'] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z?)?$/.exec(given) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return null;
  const [hour, minute, second] = clock.match(/\d\d/g) ?? [];
  const moment = readMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, zone);
  return moment && wallClock(moment.ms, zone);
}

function notParsed(reason: string) {
  return refused(400, `Failed parsing the event's recurrence rule: ${reason}`);
}

/** @throws ApiError 400 */
function ruleOf(parts: ReadonlyMap<string, string>, first: Date): Rule {
  const items = (name: string) => (parts.get(name) ?? '').split(',').filter((item) => item !== '');
  const frequency = parts.get('FREQ') ?? '';
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(frequency))
    throw notParsed('Valid FREQ value is required');
  const weekdays = items('BYDAY').map((item): Weekday => {
    const [, nth = '', day = ''] = /^([-+]?\d+)?([A-Z]{2})$/.exec(item) ?? [];
    return { day: WEEKDAYS.indexOf(day), nth: Number(nth) };
  });
  const rule: Rule = {
    frequency,
    interval: Number.parseInt(parts.get('INTERVAL') ?? '', 10),
    months: items('BYMONTH').map(Number),
    monthDays: items('BYMONTHDAY').map(Number),
    weekdays,
    positions: items('BYSETPOS').map(Number),
  };
  if (rule.monthDays.length > 0 || weekdays.length > 0) return rule;
  // Parts that the rule leaves open are taken from the first event.
  if (frequency === 'WEEKLY') return { ...rule, weekdays: [{ day: first.getUTCDay(), nth: 0 }] };
  if (frequency === 'DAILY') return rule;
  const months = frequency === 'YEARLY' && rule.months.length === 0 ? [first.getUTCMonth() + 1] : rule.months;
  return { ...rule, months, monthDays: [first.getUTCDate()] };
}

/** @param n days after the first */
function includes(rule: Rule, day: Date, first: Date, n: number): boolean {
  if (periodsBetween(rule.frequency, first, day, n) % rule.interval !== 0 || !matches(rule, day))
    return false;
  if (rule.positions.length === 0) return true;
  const all = daysOfMonth(day).filter((other) => matches(rule, other));
  const at = all.findIndex((other) => other.getUTCDate() === day.getUTCDate());
  return rule.positions.includes(at + 1) || rule.positions.includes(at - all.length);
}

function periodsBetween(frequency: string, first: Date, day: Date, n: number): number {
  const years = day.getUTCFullYear() - first.getUTCFullYear();
  if (frequency === 'DAILY') return n;
  // A week begins on Monday.
  if (frequency === 'WEEKLY') return Math.floor((n + ((first.getUTCDay() + 6) % 7)) / 7);
  return frequency === 'MONTHLY' ? years * 12 + day.getUTCMonth() - first.getUTCMonth() : years;
}

function matches({ months, monthDays, weekdays }: Rule, day: Date): boolean {
  const date = day.getUTCDate();
  const length = daysOfMonth(day).length;
  const isOfMonth = months.length === 0 || months.includes(day.getUTCMonth() + 1);
  const isOfDays =
    monthDays.length === 0 || monthDays.includes(date) || monthDays.includes(date - length - 1);
  const isOfWeek =
    weekdays.length === 0 ||
    weekdays.some(({ day: weekday, nth }) => {
      if (weekday !== day.getUTCDay()) return false;
      return nth === 0 || nth === Math.ceil(date / 7) || nth === -Math.ceil((length - date + 1) / 7);
    });
  return isOfMonth && isOfDays && isOfWeek;
}

function daysOfMonth(day: Date): Date[] {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Array.from({ length: last }, (_, at) => new Date(Date.UTC(year, month, at + 1)));
}
