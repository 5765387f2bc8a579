/** Zoom, Canvas and the days of hosts for a trial: what is there is read, what would be written is noted and answered as if it were. */
import type { CanvasAnswer, CanvasClient, CanvasRequest } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import type { MeetingChange, NewMeeting, ZoomClient, ZoomMeeting } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { CalendarEvent } from './calendar-event.ts';
import type { HostDays } from './host-days.ts';

/** Numbers of meetings that are only tried: the last ones that a link may have. */
const LAST_NUMBER = 99_999_999_999;

/** What would be done in Zoom, by the numbers of meetings. */
export interface TriedMeetings {
  made: Set<number>;
  changed: Set<number>;
  removed: Set<number>;
}

/** A client that changes no meeting. */
export function trialZoom(zoom: ZoomClient): { client: ZoomClient; tried: TriedMeetings } {
  const tried: TriedMeetings = { made: new Set(), changed: new Set(), removed: new Set() };
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
    if (!tried.made.has(number)) tried.changed.add(number);
  }
  const client: ZoomClient = {
    ...zoom,
    afresh: () => client,
    read,
    async create(host: string, { marker, zone, ...meeting }: NewMeeting, signal?: AbortSignal) {
      void zone;
      const number = LAST_NUMBER - tried.made.size;
      tried.made.add(number);
      const user = await zoom.user(host, signal);
      const made: ZoomMeeting = {
        ...meeting,
        number,
        hostId: user?.id ?? host,
        hostEmail: host,
        joinUrl: `${zoom.links[0]}/j/${number}`,
        agenda: marker,
        createdAt: new Date().toISOString(),
        running: false,
      };
      meetings.set(number, made);
      return made;
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
 * A client that changes no event. Those of the calendar, which was read a moment ago, are not read again: the engine keeps in
 * them what it would have written.
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

/** What is left of each host's day, counted down beside what others have taken. */
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

/** Days that never end: what a change takes of them is counted, also where some of it has to wait for the next one. */
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
