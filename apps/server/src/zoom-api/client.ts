/** Client of Zoom: stays within its limits, names every failure, and creates nothing twice (reference of Zoom). */
import { createCheck } from '../outbound/check.ts';
import { summed } from '../outbound/figures.ts';
import type { SystemState } from '../platform/outside.ts';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import { type Account, createAccount } from './account.ts';
import { type Calls, createCalls } from './calls.ts';
import { at, createMeetings } from './meetings.ts';
import { createPeople } from './people.ts';
import { ZOOM, type ZoomClient, ZoomError } from './types.ts';

const NOT_CONFIGURED: SystemState = {
  state: 'not-configured',
  message: 'Zoom is not set up, so meetings are not created or changed.',
  next: 'Ask IT Support to set ZOOM_ACCOUNT_ID.',
};

export interface ZoomOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds of a monotonic clock, for the age of the token (tests). */
  clock?: () => number;
}

/** Creates a client. Nothing is sent before the first call. @param settings null if Zoom is not set up */
export function createZoomClient(settings: ZoomSettings | null, options: ZoomOptions = {}): ZoomClient {
  return settings === null ? notConfigured() : configured(settings, options);
}

function configured(settings: ZoomSettings, { now = Date.now, clock }: ZoomOptions): ZoomClient {
  const account = createAccount(settings, clock);
  const calls = createCalls(settings, account.token, now);
  const client: ZoomClient = {
    system: ZOOM,
    configured: true,
    links: settings.links,
    defaultOwner: settings.defaultOwner,
    ...createPeople(calls, settings, now),
    ...createMeetings(calls),
    stats: () => summed([account.stats(), calls.stats()]),
    check: checkOf(account, calls, settings),
    withoutCache: () => ({ ...client, ...createPeople(calls, settings, now) }),
    async close() {
      await Promise.all([calls.close(), account.close()]);
    },
  };
  return client;
}

/** Checks whether Zoom answers and gives LMS Admin the permissions it needs. */
function checkOf(account: Account, calls: Calls, { defaultOwner }: ZoomSettings): ZoomClient['check'] {
  const ask = createCheck(ZOOM, async (signal) => {
    if ((await account.missingScopes()).length > 0) return;
    const path = at('users', defaultOwner);
    await calls.call({ label: 'Light', method: 'GET', path, answer: null, signal });
  });
  return async () => {
    const state = await ask();
    const missing = state.state === 'up' ? await account.missingScopes().catch(() => []) : [];
    if (missing.length === 0) return state;
    return {
      state: 'down',
      message: 'Zoom is reachable, but LMS Admin is missing permissions.',
      next: `Ask IT Support to add these to the app in Zoom: ${missing.join(', ')}.`,
    };
  };
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
    withoutCache: () => client,
    close: async () => undefined,
  };
  return client;
}
