/** Zoom, Canvas and daily limits for a trial: real data is read, and writes are only recorded. */
import type { CanvasAnswer, CanvasClient, CanvasRequest } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import type { MeetingChange, NewMeeting, ZoomClient, ZoomMeeting } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { CalendarEvent } from './calendar-event.ts';
import { isNamed } from './families.ts';
import type { HostDays } from './host-days.ts';

/** Numbers of trial meetings, counted down from the highest that a link can have. */
const LAST_NUMBER = 99_999_999_999;

/** Changes that would be made in Zoom, by meeting number. */
export interface TriedMeetings {
  created: Set<number>;
  changed: Set<number>;
  removed: Set<number>;
}

/** Creates a client that changes no meeting. @param calendar events whose texts and records may have any number */
export function trialZoom(
  zoom: ZoomClient,
  calendar: Pick<Calendar, 'families' | 'meetings'>,
): { client: ZoomClient; tried: TriedMeetings } {
  let next = LAST_NUMBER;
  const newNumber = () => {
    while (calendar.meetings.has(next) || isNamed(calendar, next)) next--;
    return next--;
  };
  const tried: TriedMeetings = { created: new Set(), changed: new Set(), removed: new Set() };
  const meetings = new Map<number, ZoomMeeting | null>();
  const read = async (number: number, signal?: AbortSignal) => {
    const known = meetings.get(number);
    if (known !== undefined) return known;
    const found = await zoom.read(number, signal);
    if (!meetings.has(number)) meetings.set(number, found);
    return meetings.get(number) ?? null;
  };
  async function change(number: number, some: Partial<ZoomMeeting>, signal?: AbortSignal) {
    const before = await read(number, signal);
    if (!before) return;
    meetings.set(number, { ...before, ...some });
    if (!tried.created.has(number)) tried.changed.add(number);
  }
  const client: ZoomClient = {
    ...zoom,
    withoutCache: () => client,
    read,
    async create(host: string, { marker, zone, ...meeting }: NewMeeting, signal?: AbortSignal) {
      void zone;
      const number = newNumber();
      tried.created.add(number);
      const user = await zoom.user(host, signal);
      const trialMeeting: ZoomMeeting = {
        ...meeting,
        number,
        hostId: user?.id ?? host,
        hostEmail: host,
        joinUrl: `${zoom.links[0]}/j/${number}`,
        agenda: marker,
        createdAt: new Date().toISOString(),
        running: false,
      };
      meetings.set(number, trialMeeting);
      return trialMeeting;
    },
    update(number: number, { zone, ...some }: MeetingChange, signal?: AbortSignal) {
      void zone;
      return change(number, some, signal);
    },
    async handOver(number: number, to: string, signal?: AbortSignal) {
      await change(number, { hostEmail: to }, signal);
      return true;
    },
    async remove(number: number) {
      meetings.set(number, null);
      tried.removed.add(number);
    },
    async withMarker(host: string, marker: string, signal?: AbortSignal) {
      const there = await zoom.withMarker(host, marker, signal);
      return there.filter(({ number }) => meetings.get(number) !== null);
    },
  };
  return { client, tried };
}

/**
 * Creates a client that changes no event. Events of the calendar, which has just been read, are not read again: the
 * engine stores its changes in them.
 */
export function trialCanvas(canvas: CanvasClient, { families }: Pick<Calendar, 'families'>): CanvasClient {
  const events = new Map<string, CalendarEvent>(
    families.flatMap(({ own, parts }) =>
      [own, ...parts].map(({ event }) => [`calendar_events/${event.id}`, event] as const),
    ),
  );
  async function call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>> {
    const { method, path, body, answer } = request;
    const event = events.get(path);
    const { calendar_event: change } = (body ?? {}) as { calendar_event?: object };
    if (method !== 'GET' && (method !== 'PUT' || !change || !event)) throw new AppError('internal');
    if (!event) return canvas.call(request);
    const data = answer.parse({ ...event, ...change });
    return { status: 200, data, bytes: 0, next: null, last: null };
  }
  return { ...canvas, call, now: () => canvas.now() };
}

/** Returns the calls left for each host, counted down together with those of others. */
export function trialDays(days: HostDays): HostDays {
  const left = new Map<string, Promise<{ count: number }>>();
  const of = (host: string) => {
    const key = host.toLowerCase();
    const known = left.get(key) ?? days.left([key]).then((counts) => ({ count: counts.get(key) ?? 0 }));
    left.set(key, known);
    return known;
  };
  return {
    ...days,
    async take(host) {
      const rest = await of(host);
      if (rest.count === 0) return false;
      rest.count--;
      return true;
    },
    async full(host) {
      (await of(host)).count = 0;
    },
  };
}

/** Returns daily limits that never end: all calls of a change are counted, even if some would wait for the next day. */
export function countedDays(days: HostDays): { days: HostDays; taken: Map<string, number> } {
  const taken = new Map<string, number>();
  const counted: HostDays = {
    ...days,
    async take(host) {
      const key = host.toLowerCase();
      taken.set(key, (taken.get(key) ?? 0) + 1);
      return true;
    },
    async full() {},
  };
  return { days: counted, taken };
}
