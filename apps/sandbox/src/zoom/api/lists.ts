/** A host's meetings in a list (Zoom reference §8). */

import { type Params, text } from '../../http/params.ts';
import type { ZoomContext } from '../http/context.ts';
import { invalidFields } from '../http/errors.ts';
import { endOf, isExpired } from '../store/life.ts';
import type { Meeting, Member } from '../store/model.ts';
import { occurrencesOf } from '../store/occurrences.ts';
import { DAY, isZone, readTime } from '../store/time.ts';
import { splitHosts } from './hosts.ts';

const TYPES = ['scheduled', 'live', 'upcoming', 'upcoming_meetings', 'previous_meetings'] as const;

type ListQuery = { type: (typeof TYPES)[number]; from: number | null; to: number | null };

/** The approximate range of `upcoming` and `previous_meetings`. */
const HALF_YEAR_MS = 183 * DAY;

/** @throws ZoomError 300 */
export function queryIn(query: Params): ListQuery {
  const type = text(query, 'type') ?? 'scheduled';
  const known = TYPES.find((each) => each === type);
  const zone = text(query, 'timezone') ?? 'UTC';
  if (!known || !isZone(zone)) throw invalidFields([known ? 'timezone' : 'type']);
  return { type: known, from: dayIn(query, 'from', zone, 0), to: dayIn(query, 'to', zone, DAY) };
}

/** One line of a list: a meeting, or one occurrence of a recurring meeting. */
export type Entry = Pick<Meeting, 'start' | 'duration'> & { meeting: Meeting };

/** Returns entries in order of time; entries without a time come last. */
export function entriesOf(context: ZoomContext, host: Member, query: ListQuery): Entry[] {
  const now = context.now();
  const meetings = living(context, ({ hostId }) => hostId === host.id).filter(
    // An expired meeting still counts as a previous meeting.
    (meeting) => query.type === 'previous_meetings' || !isExpired(meeting, now),
  );
  return timesOf(meetings).filter((entry) => isOfType(entry, query.type, now) && isWithin(entry, query));
}

/** Returns the next day's meetings, including those where the user is an alternative host. */
export function comingEntries(context: ZoomContext, user: Member): Entry[] {
  const now = context.now();
  const meetings = living(
    context,
    ({ hostId, settings }) =>
      hostId === user.id || splitHosts(settings['alternative_hosts']).includes(user.email),
  ).filter((meeting) => !isExpired(meeting, now));
  return timesOf(meetings).filter(
    (entry) => isOfType(entry, 'upcoming', now) && (entry.start ?? Infinity) < now + DAY,
  );
}

/**
 * Returns the meetings that are not deleted, not instant, have an existing host, and are old enough to be in
 * a list that lags.
 */
function living({ store, now, switches }: ZoomContext, belongs: (meeting: Meeting) => boolean): Meeting[] {
  const at = now();
  return [...store.meetings()].filter(
    (meeting) =>
      belongs(meeting) &&
      meeting.deletedAt === null &&
      meeting.type !== 1 &&
      store.member(meeting.hostId)?.removed === false &&
      (switches.listLagMs === 0 || meeting.createdAt + switches.listLagMs <= at),
  );
}

function timesOf(meetings: readonly Meeting[]): Entry[] {
  return meetings
    .flatMap((meeting): Entry[] => {
      if (meeting.recurrence === null) return [{ meeting, start: meeting.start, duration: meeting.duration }];
      return occurrencesOf(meeting).map(({ start_time, duration }) => ({
        meeting,
        start: Date.parse(start_time),
        duration,
      }));
    })
    .sort(
      (a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || a.meeting.createdAt - b.meeting.createdAt,
    );
}

function isOfType(entry: Entry, type: ListQuery['type'], now: number): boolean {
  const { start } = entry;
  const running = entry.meeting.running && start === runningTimeOf(entry.meeting, now);
  const isOver = (endOf(entry) ?? Infinity) <= now && !running;
  switch (type) {
    case 'scheduled':
      return true;
    case 'live':
      return running;
    case 'upcoming':
      return !isOver && (start ?? now) <= now + HALF_YEAR_MS;
    case 'upcoming_meetings':
      return !isOver && !running && (start ?? now) <= now + HALF_YEAR_MS;
    case 'previous_meetings':
      return isOver && (start ?? now) >= now - HALF_YEAR_MS;
  }
}

/**
 * Returns the start of the occurrence of a recurring meeting that started most recently; before the first
 * occurrence, that of the first.
 */
function runningTimeOf(meeting: Meeting, now: number): number | null {
  const begun = occurrencesOf(meeting)
    .map(({ start_time }) => Date.parse(start_time))
    .filter((at) => at <= now);
  return begun.at(-1) ?? meeting.start;
}

function isWithin({ start }: Entry, { from, to }: ListQuery): boolean {
  if (start === null) return true;
  return (from === null || start >= from) && (to === null || start < to);
}

/** Reads a day as `yyyy-MM-dd`, plus `plus` milliseconds. @throws ZoomError 300 */
function dayIn(query: Params, name: string, zone: string, plus: number): number | null {
  const day = text(query, name);
  if (!day) return null;
  const at = readTime(`${day}T00:00:00`, zone);
  if (at === null) throw invalidFields([name]);
  return at + plus;
}
