/**
 * The image store: its contents, and the messages when it fails. Nothing is recorded that was not stored
 * (ERR-03).
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import type { Given } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { startStore } from './store.ts';
import { ownImages, picture, send, uploaded } from './support.ts';

const store = await startStore();
const servers: TestServer[] = [];
afterAll(async () => {
  for (const one of servers) await one.close();
  await store.close();
});

async function serverWith(env: Record<string, string>): Promise<[TestServer, Browser]> {
  const test = await startTestServer({ env: { ...store.settings(), S3_TIMEOUT_MS: '20000', ...env } });
  servers.push(test);
  return [test, await test.signIn(PEOPLE.all)];
}

const keyOf = (link: string) => link.slice(link.indexOf('icons/'));
const xml = (status: number, code: string): Partial<Given> => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>words of the store</Message></Error>`,
});

describe('OP-106 a bucket', () => {
  let test: TestServer;
  let alma: Browser;
  beforeAll(async () => {
    [test, alma] = await serverWith({});
  });

  it('holds the image with its type and a year of caching, and the server delivers it', async () => {
    const png = await picture('png');
    const { fileName } = await uploaded(alma, 'in-store.png', png);
    expect(fileName).toContain(`${test.url}/images/icons/`);
    const found = await store.get(keyOf(fileName));
    expect(found).toMatchObject({ type: 'image/png', cache: 'public, max-age=31536000, immutable' });
    expect(found?.bytes.equals(png)).toBe(true);
    expect(Buffer.from(await (await fetch(fileName)).arrayBuffer()).equals(png)).toBe(true);
  });

  it('objects in the bucket that were not uploaded through LMS Admin, or were changed there, are not delivered', async () => {
    const key = 'icons/planted-000000000000000000000000.png';
    await store.put(key, await picture('png', 2));
    expect((await fetch(`${test.url}/images/${key}`)).status).toBe(404);
    const { fileName } = await uploaded(alma, 'changed.png', await picture('png', 4));
    await store.put(keyOf(fileName), Buffer.from('<script>alert(1)</script>'));
    expect((await fetch(fileName)).status).toBe(404);
  });

  it('/readyz reports the store, and /metrics counts its calls', async () => {
    const { systems } = (await (await fetch(test.url + ENDPOINTS.ready)).json()) as {
      systems: { system: string }[];
    };
    expect(systems).toContainEqual({
      system: 'image store',
      state: 'up',
      message: 'The image store answers.',
      next: null,
    });
    const metrics = await (await fetch(test.url + ENDPOINTS.metrics)).text();
    expect(metrics).toMatch(/lms_admin_outside_calls_total\{system="image store",outcome="ok"\} [1-9]/);
  });

  const cases: [string, Partial<Given>, number, string, string][] = [
    [
      'full',
      xml(507, 'InsufficientStorage'),
      502,
      'The image store rejected this: it is full.',
      'free space',
    ],
    [
      'over its quota',
      xml(403, 'QuotaExceeded'),
      502,
      'The image store rejected this: it is full.',
      'free space',
    ],
    [
      'failing',
      xml(500, 'InternalError'),
      502,
      'The image store does not answer.',
      'Try again in a few minutes.',
    ],
    [
      'refusing',
      xml(403, 'AccessDenied'),
      502,
      'The image store does not allow this.',
      'Ask IT Support to check the permissions',
    ],
    ['busy', xml(503, 'SlowDown'), 503, 'The image store is busy.', 'Wait a minute'],
    [
      'of another clock',
      xml(403, 'RequestTimeTooSkewed'),
      502,
      'its clock and the clock of LMS Admin differ',
      'clock',
    ],
    ['elsewhere', xml(301, 'PermanentRedirect'), 502, 'is in another region', 'S3_REGION'],
    [
      'no store at all',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' },
      502,
      'sent an unexpected response',
      'contact IT Support',
    ],
  ];
  it.each(cases)(
    'ERR-03, IMG-14 %s: the failure is reported with an explanation, nothing is recorded as stored, and a retry succeeds',
    async (name, given, status, message, next) => {
      const upload = randomUUID();
      const bytes = await picture('png', name.length * 31 + status);
      const file = `${name}.png`;
      store.front.instead = ({ method }) => (method === 'PUT' ? given : null);
      const response = await send(alma, file, bytes, upload);
      store.front.instead = null;
      const { error } = (await response.json()) as { error: { message: string; next: string } };
      expect(response.status).toBe(status);
      expect(error.message).toContain(message);
      expect(error.next).toContain(next);
      expect((await ownImages(alma, { search: file })).total).toBe(0);
      const job = async () => {
        const { data } = (await (await alma.fetch(`${ENDPOINTS.jobs}?kind=image-upload`)).json()) as {
          data: { id: string }[];
        };
        const id = data[0]?.id ?? '';
        const items = (await (await alma.fetch(ENDPOINTS.jobItems.replace(':job', id))).json()) as {
          data: unknown[];
        };
        return { job: data[0], items: items.data };
      };
      expect(await job()).toMatchObject({
        job: { outcome: 'failed', problem: { message: error.message, next: error.next } },
        items: [{ label: file, state: 'failed' }],
      });
      const { fileName } = await uploaded(alma, file, bytes, upload);
      expect(await job()).toMatchObject({
        job: { outcome: 'done', problem: null, label: 'Upload 1 image' },
        items: [{ label: file, state: 'done', message: fileName }],
      });
    },
  );
});

describe('ERR-03 wrong settings, and a missing store', () => {
  const cases: [string, Record<string, string>, string, string][] = [
    [
      'a wrong secret',
      { S3_SECRET_ACCESS_KEY: 'not-the-secret' },
      'The image store does not accept LMS Admin’s key.',
      'S3_SECRET_ACCESS_KEY',
    ],
    [
      'an unknown key',
      { S3_ACCESS_KEY_ID: 'NOBODY' },
      'The image store does not accept LMS Admin’s key.',
      'S3_ACCESS_KEY_ID',
    ],
    [
      'no such bucket',
      { S3_BUCKET: 'nowhere' },
      'The image store rejected this: the bucket nowhere does not exist.',
      'S3_BUCKET',
    ],
    [
      'nobody there',
      { S3_ENDPOINT: 'http://localhost:9' },
      'The image store does not answer.',
      'Try again in a few minutes.',
    ],
  ];
  it.each(cases)('%s', async (_, env, message, next) => {
    const [test, alma] = await serverWith(env);
    await refuses(test, alma, message, next);
  });

  it('a store that does not answer is reported', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as { port: number };
    const [test, alma] = await serverWith({ S3_ENDPOINT: `http://localhost:${port}`, S3_TIMEOUT_MS: '300' });
    await refuses(test, alma, 'The image store does not answer.', 'Try again in a few minutes.');
    silent.close();
  });

  async function refuses(test: TestServer, alma: Browser, message: string, next: string) {
    const response = await send(alma, 'x.png', await picture('png'));
    const { error } = (await response.json()) as { error: { message: string; next: string } };
    expect([response.status, error.message, error.next]).toEqual([
      502,
      message,
      expect.stringContaining(next),
    ]);
    expect((await ownImages(alma)).total).toBe(0);
    await expect
      .poll(async () => (await (await fetch(test.url + ENDPOINTS.ready)).json()) as unknown, {
        timeout: 60_000,
      })
      .toMatchObject({
        status: 'ready',
        systems: expect.arrayContaining([expect.objectContaining({ system: 'image store', state: 'down' })]),
      });
    const text = await (await fetch(test.url + ENDPOINTS.metrics)).text();
    expect(text).not.toContain('not-the-secret');
  }
});

describe('S3_PUBLIC_URL', () => {
  it('links lead to its address, the console is allowed to show them, and the server still delivers the images', async () => {
    const [test, alma] = await serverWith({ S3_PUBLIC_URL: 'https://images.example.edu/pictures/' });
    const png = await picture('png', 9);
    const { fileName } = await uploaded(alma, 'public.png', png);
    expect(fileName).toMatch(/^https:\/\/images\.example\.edu\/pictures\/icons\/public-[0-9a-f]{24}\.png$/);
    const ours = await fetch(`${test.url}/images/${keyOf(fileName)}`);
    expect(Buffer.from(await ours.arrayBuffer()).equals(png)).toBe(true);
    const page = await fetch(`${test.url}/healthz`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /img-src 'self' data: [^;]*https:\/\/images\.example\.edu/,
    );
  });
});
