/** Meetings of the account: reads them, and changes those of each host one after the other. */
import { Queues } from '../platform/queues.ts';
import type { Call, Calls } from './calls.ts';
import { type ZoomClient, ZoomError, type ZoomMeeting } from './types.ts';
import { changeBody, meetingAnswer, newMeetingBody } from './wire.ts';

const NEVER = new AbortController().signal;
/** Maximum number of meetings whose hosts are remembered. */
const MOST_HOSTS = 20_000;

type Reads = Pick<ZoomClient, 'read' | 'meetingsOf' | 'withMarker'>;
type Changes = Pick<ZoomClient, 'create' | 'update' | 'handOver' | 'remove'>;

/** Creates the operations on meetings. */
export function createMeetings(calls: Calls): Reads & Changes {
  const hosts = new Hosts();
  const reads = readsOf(calls, hosts);
  return { ...reads, ...changesOf(calls, hosts, reads.read) };
}

/** Hosts of the meetings seen so far. */
class Hosts {
  readonly #of = new Map<number, string>();

  noted(meeting: ZoomMeeting): ZoomMeeting {
    if (this.#of.size >= MOST_HOSTS) this.#of.clear();
    if (meeting.hostEmail !== null) this.#of.set(meeting.number, meeting.hostEmail);
    return meeting;
  }

  /** Returns the name of the queue for changes of a meeting. */
  lineOf(number: number): string {
    return this.#of.get(number) ?? `meeting ${number}`;
  }
}

function readsOf(calls: Calls, hosts: Hosts): Reads {
  function meetingsOf(host: string, signal?: AbortSignal): Promise<ZoomMeeting[]> {
    const path = `${at('users', host, 'meetings')}?type=scheduled`;
    return calls.list(path, 'meetings', meetingAnswer, { about: { who: host }, signal });
  }

  return {
    meetingsOf,
    async read(number, signal) {
      const path = at('meetings', number);
      const answer = calls.call({ label: 'Light', method: 'GET', path, answer: meetingAnswer, signal });
      const found = await orNull('meeting-gone', answer);
      return found && hosts.noted(found);
    },
    async withMarker(host, marker, signal) {
      const all = await meetingsOf(host, signal);
      const found = all.filter(({ agenda }) => agenda.startsWith(marker));
      return found.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.number - b.number);
    },
  };
}

function changesOf(calls: Calls, hosts: Hosts, read: ZoomClient['read']): Changes {
  // Zoom rejects a second change of a host or meeting while the first is under way.
  const queues = new Queues<string>();
  const inTurn = <T>(key: string, call: Call<T>) =>
    queues.run(key, call.signal ?? NEVER, () => calls.call(call));

  function patch(number: number, body: object, who: string | null, signal?: AbortSignal): Promise<unknown> {
    return inTurn(hosts.lineOf(number), {
      label: 'Light',
      method: 'PATCH',
      path: at('meetings', number),
      body,
      answer: null,
      about: who === null ? {} : { who },
      signal,
    });
  }

  return {
    async create(host, meeting, signal) {
      const created = await inTurn(host.toLowerCase(), {
        label: 'Medium',
        method: 'POST',
        path: at('users', host, 'meetings'),
        body: newMeetingBody(meeting),
        answer: meetingAnswer,
        about: { who: host },
        signal,
      });
      return hosts.noted(created);
    },
    async update(number, change, signal) {
      await patch(number, changeBody(change), null, signal);
    },
    async handOver(number, to, signal) {
      await patch(number, { schedule_for: to }, to, signal);
      const now = await read(number, signal);
      return now !== null && [now.hostId, now.hostEmail].includes(to.includes('@') ? to.toLowerCase() : to);
    },
    async remove(number, signal) {
      const path = `${at('meetings', number)}?schedule_for_reminder=false&cancel_meeting_reminder=false`;
      const call = { label: 'Light', method: 'DELETE', path, answer: null, signal } as const;
      await orNull('meeting-gone', inTurn(hosts.lineOf(number), call));
    },
  };
}

/** Builds a path from names, which it encodes. */
export function at(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** Turns a missing item into null instead of a failure. */
export async function orNull<T>(reason: ZoomError['reason'], answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ZoomError && error.reason === reason) return null;
    throw error;
  }
}
