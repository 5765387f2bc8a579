/** Zoom, Canvas and the days of hosts for a trial: what is there is read, what would be written is noted and answered as if it were. */
import type { CanvasAnswer, CanvasClient, CanvasRequest } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import type { MeetingChange, NewMeeting, ZoomClient, ZoomMeeting } from '../zoom-api/types.ts';
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
    return known === undefined ? zoom.read(number, signal) : known;
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

/** A client that changes no event: it reads each as it would be by then. */
export function trialCanvas(canvas: CanvasClient): CanvasClient {
  const texts = new Map<string, object>();
  async function call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>> {
    const { method, path, body } = request;
    if (method !== 'GET') {
      const { calendar_event: change } = (body ?? {}) as { calendar_event?: object };
      if (method !== 'PUT' || !change) throw new AppError('internal');
      texts.set(path, { ...texts.get(path), ...change });
    }
    const { body: _, ...asked } = request;
    const answer = await canvas.call({ ...asked, method: 'GET' });
    const changed = texts.get(path);
    return changed ? { ...answer, data: { ...answer.data, ...changed } } : answer;
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
