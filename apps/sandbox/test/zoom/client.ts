/** A client of the practice Zoom for the tests in one file, with its own clock. */

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/server.ts';

/** Any JSON: each test checks what it expects. */
export type Json = Record<string, unknown>;

export type Answer = { status: number; headers: Headers; body: Json; text: string };

/** The account's apps, by the last word of their names. */
export type App = 'client' | 'reader' | 'classic' | 'inactive';

export const SERVICE = 'lms.admin@northbridge.example';
export const ALMA = 'alma.reyes@northbridge.example';
export const BRUNO = 'bruno.keller@northbridge.example';
export const HUGO = 'hugo.tan@northbridge.example';
/** This teacher’s meetings have no passcode by default. */
export const FARID = 'farid.noor@northbridge.example';
/** A licensed teacher for whom no one can schedule. */
export const CARLA = 'carla.singh@northbridge.example';
export const BASIC = 'greta.lind@northbridge.example';
export const INACTIVE = 'dev.oduya@northbridge.example';
export const PENDING = 'elena.marsh@northbridge.example';

/** The time at which each test starts, a Monday. */
export const START = Date.parse('2026-10-05T08:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const TOKENS = { grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' };
const SECRETS: Record<App, string> = {
  client: 'sandbox-zoom-secret',
  reader: 'sandbox-zoom-reader-secret',
  classic: 'sandbox-zoom-classic-secret',
  inactive: 'sandbox-zoom-inactive-secret',
};

/**
 * Starts a sandbox for the tests in one file, without limits by default. Meetings that a test creates stay.
 */
export function useZoom(options: Partial<SandboxOptions> = {}) {
  let sandbox: Sandbox;
  const clock = { at: START };
  const tokens = new Map<App, { text: string; until: number }>();
  let hosts: string[] = [];
  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      mode: 'test',
      throttle: false,
      zoomLimits: false,
      now: () => new Date(clock.at),
      ...options,
    });
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    clock.at = START;
    await ask('DELETE', '/sandbox/faults');
    await ask('DELETE', '/sandbox/zoom/mails');
    await ask('DELETE', '/sandbox/zoom/host-days');
    await ask('PUT', '/sandbox/zoom', {
      limits: options.zoomLimits ?? false,
      listLagMs: 0,
      icsNeedsHost: false,
    });
  });

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(path.startsWith('http') ? path : sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : null) as Json,
      text,
    };
  }

  /** Requests a token as one of the account's apps. */
  const askToken = (app: App, fields: Record<string, string> = TOKENS, secret = SECRETS[app]) =>
    ask('POST', '/zoom/oauth/token', new URLSearchParams(fields), basic(`sandbox-zoom-${app}`, secret));

  async function tokenOf(app: App): Promise<string> {
    const known = tokens.get(app);
    if (known && known.until > clock.at) return known.text;
    const text = String((await askToken(app)).body['access_token']);
    tokens.set(app, { text, until: clock.at + HOUR - 1000 });
    return text;
  }

  /** Calls the API with the app's token. */
  async function call(method: string, path: string, body?: unknown, app: App = 'client'): Promise<Answer> {
    return ask(method, `/zoom/v2${path}`, body, { authorization: `Bearer ${await tokenOf(app)}` });
  }

  const idOf = async (who: string) => String((await call('GET', `/users/${who}`)).body['id']);

  /**
   * Finds a licensed teacher who lets the service account schedule and has no meetings yet: a different one
   * each time.
   */
  async function freshHost(): Promise<string> {
    if (hosts.length === 0) {
      const { body } = await call('GET', `/users/${SERVICE}/schedulers`);
      const known = [ALMA, BRUNO, HUGO, FARID];
      const emails = (body['schedulers'] as { email: string }[]).map(({ email }) => email);
      hosts = emails.filter((email) => !known.includes(email));
    }
    const host = hosts.pop();
    if (host === undefined) throw new Error('all teachers are taken');
    return host;
  }

  /** Creates a meeting an hour from the start. @throws if Zoom rejects it */
  async function make(host: string, fields: object = {}): Promise<Json> {
    const given = { topic: 'Class', start_time: '2026-10-05T09:00:00Z', ...fields };
    const answer = await call('POST', `/users/${host}/meetings`, given);
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body;
  }

  return {
    clock,
    get url() {
      return sandbox.url;
    },
    get sandbox() {
      return sandbox;
    },
    ask,
    askToken,
    tokenOf,
    call,
    idOf,
    freshHost,
    make,
    read: async (id: unknown) => (await call('GET', `/meetings/${String(id)}`)).body,
    /** Sets limits, lags and other behaviour. */
    set: (settings: object) => ask('PUT', '/sandbox/zoom', settings),
    fault: (fault: object) => ask('POST', '/sandbox/faults', { system: 'zoom', ...fault }),
    state: async () => (await ask('GET', '/sandbox/zoom')).body,
    /** Returns the kind and the recipient of each email. */
    mails: async () => {
      const { body } = await ask('GET', '/sandbox/zoom');
      return (body['mails'] as { kind: string; to: string }[]).map(
        ({ kind, to }) => `${kind} ${to.split('@')[0]}`,
      );
    },
  };
}

export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
