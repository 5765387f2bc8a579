/** The one door to Zoom: keeps under its limits, names every failure, and makes nothing twice (reference of Zoom). */
import { createCheck } from '../outbound/check.ts';
import { summed } from '../outbound/figures.ts';
import type { SystemState } from '../platform/outside.ts';
import { Queues } from '../platform/queues.ts';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import { createAccount } from './account.ts';
import { type Call, createCalls } from './calls.ts';
import { createPeople } from './people.ts';
import { ZOOM, type ZoomClient, ZoomError, type ZoomMeeting } from './types.ts';
import { changeBody, meetingAnswer, newMeetingBody } from './wire.ts';

const NOT_CONFIGURED: SystemState = {
  state: 'not-configured',
  message: 'Zoom is not set up: meetings are neither made nor changed.',
  next: 'IT Support can name the account in ZOOM_ACCOUNT_ID.',
};

const NEVER = new AbortController().signal;
/** Hosts of meetings that are remembered at most. */
const MOST_HOSTS = 20_000;

export interface ZoomOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds of a clock that nobody sets, for the age of the token (tests). */
  clock?: () => number;
}

/** A client of the account. Nothing is sent before the first call. @param settings null: there is none */
export function createZoomClient(settings: ZoomSettings | null, options: ZoomOptions = {}): ZoomClient {
  return settings === null ? notConfigured() : configured(settings, options);
}

function configured(settings: ZoomSettings, { now = Date.now, clock }: ZoomOptions): ZoomClient {
  const account = createAccount(settings, clock);
  const calls = createCalls(settings, account.token, now);
  const people = createPeople(calls, settings, now);
  // Zoom refuses a second change of a host or meeting while the first is under way.
  const queues = new Queues<string>();
  const hosts = new Map<number, string>();
  function noted(meeting: ZoomMeeting): ZoomMeeting {
    if (hosts.size >= MOST_HOSTS) hosts.clear();
    if (meeting.hostEmail !== null) hosts.set(meeting.number, meeting.hostEmail);
    return meeting;
  }
  const lineOf = (number: number) => hosts.get(number) ?? `meeting ${number}`;
  const inTurn = <T>(key: string, call: Call<T>) =>
    queues.run(key, call.signal ?? NEVER, () => calls.call(call));

  const ask = createCheck(ZOOM, async (signal) => {
    if ((await account.missingScopes()).length > 0) return;
    await calls.call({
      label: 'Light',
      method: 'GET',
      path: at('users', settings.defaultOwner),
      answer: null,
      signal,
    });
  });

  async function read(number: number, signal?: AbortSignal): Promise<ZoomMeeting | null> {
    const path = at('meetings', number);
    const found = await orNull(
      'meeting-gone',
      calls.call({ label: 'Light', method: 'GET', path, answer: meetingAnswer, signal }),
    );
    return found && noted(found);
  }

  function meetingsOf(host: string, signal?: AbortSignal): Promise<ZoomMeeting[]> {
    const path = `${at('users', host, 'meetings')}?type=scheduled`;
    return calls.list(path, 'meetings', meetingAnswer, { about: { who: host }, signal });
  }

  function patch(number: number, body: object, who: string | null, signal?: AbortSignal): Promise<unknown> {
    return inTurn(lineOf(number), {
      label: 'Light',
      method: 'PATCH',
      path: at('meetings', number),
      body,
      answer: null,
      about: who === null ? {} : { who },
      signal,
    });
  }

  const client: ZoomClient = {
    system: ZOOM,
    configured: true,
    links: settings.links,
    defaultOwner: settings.defaultOwner,
    user: people.user,
    owners: people.owners,
    mayHandOver: people.mayHandOver,
    async create(host, meeting, signal) {
      const made = await inTurn(host.toLowerCase(), {
        label: 'Medium',
        method: 'POST',
        path: at('users', host, 'meetings'),
        body: newMeetingBody(meeting),
        answer: meetingAnswer,
        about: { who: host },
        signal,
      });
      return noted(made);
    },
    read,
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
      await orNull(
        'meeting-gone',
        inTurn(lineOf(number), { label: 'Light', method: 'DELETE', path, answer: null, signal }),
      );
    },
    meetingsOf,
    async withMarker(host, marker, signal) {
      const all = await meetingsOf(host, signal);
      const found = all.filter(({ agenda }) => agenda.startsWith(marker));
      return found.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.number - b.number);
    },
    stats: () => summed([account.stats(), calls.stats()]),
    async check() {
      const state = await ask();
      const missing = state.state === 'up' ? await account.missingScopes().catch(() => []) : [];
      if (missing.length === 0) return state;
      return {
        state: 'down',
        message: 'Zoom answers, and does not let LMS Admin do all that it has to.',
        next: `IT Support can add to its app in Zoom: ${missing.join(', ')}.`,
      };
    },
    afresh: () => ({ ...client, ...createPeople(calls, settings, now) }),
    async close() {
      await Promise.all([calls.close(), account.close()]);
    },
  };
  return client;
}

/** A path of names. */
function at(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** What is gone is an answer, and no failure. */
async function orNull<T>(reason: ZoomError['reason'], asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ZoomError && error.reason === reason) return null;
    throw error;
  }
}

function notConfigured(): ZoomClient {
  const refuse = async () => {
    throw new ZoomError(
      'refused',
      { sent: 'no', detail: 'no account is set up' },
      { reason: 'not-configured' },
    );
  };
  const client: ZoomClient = {
    system: ZOOM,
    configured: false,
    links: [],
    defaultOwner: '',
    user: refuse,
    owners: refuse,
    mayHandOver: refuse,
    create: refuse,
    read: refuse,
    update: refuse,
    handOver: refuse,
    remove: refuse,
    meetingsOf: refuse,
    withMarker: refuse,
    stats: () => summed([]),
    check: async () => NOT_CONFIGURED,
    afresh: () => client,
    close: async () => undefined,
  };
  return client;
}
