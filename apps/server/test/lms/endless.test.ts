/**
 * An LMS whose lists never end: the limits apply, and the work ends when the browser disconnects (LMS-04,
 * K-03).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { type Asked, type Front, startFront } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let sandbox: Sandbox;
let front: Front;
let ts: TestServer;
let alma: Browser;
let bruno: Browser;
let asked: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 'instant', throttle: false });
  front = await startFront(sandbox.url);
  ts = await startTestServer({ lms: sandbox, env: { LMS_URL: front.url } });
  [alma, bruno] = [await ts.signIn(PEOPLE.all), await ts.signIn(PEOPLE.custom)];
});
afterAll(async () => {
  await ts?.close();
  front?.close();
  await sandbox?.close();
});
afterEach(() => {
  front.instead = null;
  asked = [];
});

/** Makes the list at a path endless: each page has its first entry, and names another page by number or bookmark. */
async function endless(list: string, style: 'page' | 'bookmark') {
  const first = await fetch(`${sandbox.url}/api/v1/${list}?per_page=1`, {
    headers: { authorization: 'Bearer sandbox-admin-token' },
  });
  const body = await first.text();
  expect(JSON.parse(body)).toHaveLength(1);
  let count = 0;
  front.instead = ({ path }: Asked) => {
    if (!path.includes(list)) return null;
    asked.push(path);
    const { pathname, searchParams } = new URL(path, front.url);
    const page = Number(searchParams.get('page') ?? '1');
    searchParams.set('page', style === 'page' ? String(page + 1) : `bookmark:${++count}`);
    return {
      headers: {
        'content-type': 'application/json',
        link: `<${front.url}${pathname}?${searchParams}>; rel="next"`,
      },
      body,
    };
  };
}
/** Waits until no more calls reach the LMS. @returns the number of calls */
async function settled(): Promise<number> {
  for (let before = -1; before !== asked.length; ) {
    before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return asked.length;
}

describe.each(['page', 'bookmark'] as const)('an endless list, by %s', (style) => {
  test('LMS-04 the calls end if the browser disconnects halfway', async () => {
    await endless('accounts/86/courses', style);
    const gone = new AbortController();
    const response = await alma.post(
      ENDPOINTS.invokePages,
      { url: 'accounts/86/courses?per_page=100', type: 'GET' },
      { signal: gone.signal },
    );
    const reader = response.body?.getReader();
    await reader?.read();
    gone.abort();
    const most = await settled();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(900);
    expect(ts.server.services.canvas.stats().inFlight).toBe(0);
  });

  test('OP-14 the calls also end if the browser disconnects while the accounts are read', async () => {
    ts.server.services.trees.forgetAll();
    await endless('accounts/1/sub_accounts', style);
    const gone = new AbortController();
    const answer = bruno
      .post(
        ENDPOINTS.invokePages,
        { url: 'accounts/86/courses?per_page=100', type: 'GET' },
        { signal: gone.signal },
      )
      .catch(() => null);
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    gone.abort();
    await answer;
    const most = await settled();
    expect(most).toBeLessThan(900);
    expect(ts.server.services.canvas.stats().inFlight).toBe(0);
    // The next request starts again.
    front.instead = null;
    expect((await bruno.invoke('accounts/86/courses?per_page=100')).status).toBe(200);
  });

  test('LMS-10 the calls also end if the browser disconnects while people are looked up', async () => {
    await endless('accounts/1/users', style);
    const gone = new AbortController();
    const logins = Array.from({ length: 50 }, (_, at) => `somebody.${at}@northbridge.example`);
    const answer = alma
      .post(ENDPOINTS.peopleLookup, { sis_ids: [], logins }, { signal: gone.signal })
      .then((response) => response.text())
      .catch(() => null);
    await expect.poll(() => asked.length).toBeGreaterThan(20);
    gone.abort();
    await answer;
    expect(await settled()).toBeLessThan(4_000);
    expect(ts.server.services.canvas.stats().inFlight).toBe(0);
  });

  test('LMS-04 a browser that stays connected gets an error at the limit', async () => {
    await endless('accounts/86/courses', style);
    const response = await alma.post(ENDPOINTS.invokePages, {
      url: 'accounts/86/courses?per_page=100',
      type: 'GET',
    });
    const last = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '');
    expect(last.error).toMatchObject({ code: 'lms-odd' });
    expect(asked.length).toBeLessThanOrEqual(1_000);
  });
});
