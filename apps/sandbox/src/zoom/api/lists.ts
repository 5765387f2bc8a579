/** Which of a host's meetings a list holds (reference of Zoom §8). */

import { type Params, text } from '../../http/params.ts';
import type { ZoomContext } from '../http/context.ts';
import { invalidFields } from '../http/errors.ts';
import { endOf, isExpired } from '../store/life.ts';
import type { Meeting, Member } from '../store/model.ts';
import { DAY, isZone, readTime } from '../store/time.ts';
import { splitHosts } from './hosts.ts';

const TYPES = ['scheduled', 'live', 'upcoming', 'upcoming_meetings', 'previous_meetings'] as const;

type ListQuery = { type: (typeof TYPES)[number]; from: number | null; to: number | null };

/** How far `upcoming` and `previous_meetings` reach, about. */
const HALF_YEAR_MS = 183 * DAY;

/** @throws ZoomError 300 */
export function queryIn(query: Params): ListQuery {
  const type = text(query, 'type') ?? 'scheduled';
  const known = TYPES.find((each) => each === type);
  const zone = text(query, 'timezone') ?? 'UTC';
  if (!known || !isZone(zone)) throw invalidFields([known ? 'timezone' : 'type']);
  return { type: known, from: dayIn(query, 'from', zone, 0), to: dayIn(query, 'to', zone, DAY) };
}

/** In the order of their times; those without one come last. */
export function meetingsOf(context: ZoomContext, host: Member, query: ListQuery): Meeting[] {
  const now = context.now();
  return living(context, ({ hostId }) => hostId === host.id).filter(
    (meeting) => isOfType(meeting, query.type, now) && isWithin(meeting, query),
  );
}

/** Those of the next day, also where somebody only stands in for the host. */
export function comingMeetings(context: ZoomContext, user: Member): Meeting[] {
  const now = context.now();
  return living(
    context,
    ({ hostId, settings }) =>
      hostId === user.id || splitHosts(settings['alternative_hosts']).includes(user.email),
  ).filter((meeting) => isOfType(meeting, 'upcoming', now) && (meeting.start ?? Infinity) < now + DAY);
}

/** Neither deleted, nor expired, nor instant, nor too new for a list that lags. */
function living({ store, now, switches }: ZoomContext, belongs: (meeting: Meeting) => boolean): Meeting[] {
  const at = now();
  return [...store.meetings()]
    .filter(
      (meeting) =>
        belongs(meeting) &&
        meeting.deletedAt === null &&
        meeting.type !== 1 &&
        !isExpired(meeting, at) &&
        (switches.listLagMs === 0 || meeting.createdAt + switches.listLagMs <= at),
    )
    .sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || a.createdAt - b.createdAt);
}

function isOfType(meeting: Meeting, type: ListQuery['type'], now: number): boolean {
  const { start, running } = meeting;
  const isOver = (endOf(meeting) ?? Infinity) <= now && !running && meeting.type !== 8;
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

function isWithin({ start }: Meeting, { from, to }: ListQuery): boolean {
  if (start === null) return true;
  return (from === null || start >= from) && (to === null || start < to);
}

/** A day as `yyyy-MM-dd`, with `plus` milliseconds. @throws ZoomError 300 */
function dayIn(query: Params, name: string, zone: string, plus: number): number | null {
  const day = text(query, name);
  if (!day) return null;
  const at = readTime(`${day}T00:00:00`, zone);
  if (at === null) throw invalidFields([name]);
  return at + plus;
}
