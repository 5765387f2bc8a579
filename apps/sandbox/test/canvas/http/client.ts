import { afterAll, beforeAll } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/server.ts';

export const ADMIN_TOKEN = 'sandbox-admin-token';
export const CLIENT_ID = '10';
export const CLIENT_SECRET = 'sandbox-client-secret';
export const REDIRECT = 'http://localhost:8080/callback';

/** Any JSON, an object or a list: each test checks what it expects. */
export type Json = Json[] & { [name: string]: Json };

export type Answer = {
  status: number;
  headers: Headers;
  body: Json;
  text: string;
};

export type Ask = RequestInit & { token?: string | null };

/** Starts a sandbox for the tests in one file; without throttling unless a test is about it. */
export function useSandbox(options: Partial<SandboxOptions> = {}) {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      mode: 'test',
      importPace: 'instant',
      throttle: false,
      ...options,
    });
  });
  afterAll(() => sandbox.close());

  const ask = async (path: string, { token = ADMIN_TOKEN, ...init }: Ask = {}): Promise<Answer> => {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const url = path.startsWith('http') ? path : `${sandbox.url}${path}`;
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : null) as Json,
      text,
    };
  };

  return {
    get url() {
      return sandbox.url;
    },
    get world() {
      return sandbox.world;
    },
    ask,
    api: (path: string, init?: Ask) => ask(`/api/v1${path}`, init),
    send: (method: string, path: string, json: unknown, init: Ask = {}) =>
      ask(path, {
        ...init,
        method,
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
      }),
  };
}

export type Client = ReturnType<typeof useSandbox>;

/** Creates a form-encoded body. */
export function form(fields: Record<string, string>): Pick<RequestInit, 'method' | 'body'> {
  return { method: 'POST', body: new URLSearchParams(fields) };
}

/** Reads the rels of a Link header with their addresses, in order. */
export function links(answer: Answer): [rel: string, url: string][] {
  const header = answer.headers.get('link') ?? '';
  return [...header.matchAll(/<([^>]*)>; rel="([a-z]+)"/g)].map((match) => [match[2] ?? '', match[1] ?? '']);
}

/** Signs a person in on the pages and returns the address that redirects to the client. */
export async function authorize(
  client: Client,
  login: string,
  query: Record<string, string> = {},
  decision: 'allow' | 'cancel' = 'allow',
): Promise<URL> {
  const search = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: REDIRECT,
    ...query,
  });
  const start = await client.ask(`/login/oauth2/auth?${search}`, { token: null });
  const request = new URL(start.headers.get('location') ?? '', client.url).searchParams.get('request') ?? '';
  const signedIn = await client.ask('/login/oauth2/login', {
    token: null,
    ...form({ login: `${login}@northbridge.example`, request }),
  });
  // After an earlier consent to the same scopes, the person is not asked again.
  if (signedIn.headers.get('location')?.startsWith(REDIRECT)) {
    return new URL(signedIn.headers.get('location') ?? '');
  }
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const accepted = await client.ask('/login/oauth2/accept', {
    token: null,
    ...form({ decision, request }),
    headers: { cookie },
  });
  return new URL(accepted.headers.get('location') ?? '');
}

/** Sends a call to the token endpoint, and returns its answer. */
export function tokenCall(client: Client, fields: Record<string, string>, init: Ask = {}): Promise<Answer> {
  return client.ask('/login/oauth2/token', {
    token: null,
    ...form({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...fields }),
    ...init,
  });
}

/** Requests an access token for a person. */
export async function signIn(client: Client, login: string): Promise<Json> {
  const code = (await authorize(client, login)).searchParams.get('code') ?? '';
  return (await tokenCall(client, { grant_type: 'authorization_code', code })).body;
}
