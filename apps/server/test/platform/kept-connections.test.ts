/**
 * A connection can be used for the next request, whatever happened to the previous one: no request waits for
 * a body that is never read.
 */
import { Agent, request } from 'node:http';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer();
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

/** Returns one connection for the whole test. */
function connection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, headers: Record<string, string>, body: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${ts.url}${path}`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('close', () => resolve(response.statusCode ?? 0));
      });
      asked.on('error', reject);
      asked.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

/** The headers before a body that is never decompressed. */
const PACKED = { 'content-encoding': 'gzip' };
const MANY = 'x'.repeat(600_000);
const MULTIPART = 'multipart/form-data; boundary=b';
const form = (end: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n${MANY}${end}`;

test.each<[string, string, string, string, Record<string, string> | null, number]>([
  ['of an invalid type', jobStartPath('course-plan'), 'odd', MANY, {}, 400],
  ['that is not JSON', ENDPOINTS.invoke, 'application/json', MANY, {}, 400],
  ['that claims to be compressed', ENDPOINTS.invoke, 'application/json', MANY, PACKED, 400],
  ['of an invalid type that claims to be compressed', jobStartPath('course-plan'), 'odd', MANY, PACKED, 400],
  ['without a session', jobStartPath('course-plan'), 'application/json', `{"a":"${MANY}"}`, null, 401],
  ['with a file that does not fit', ENDPOINTS.sisFiles, MULTIPART, form('\r\n--b--\r\n'), {}, 400],
  [
    'with a file that claims to be compressed',
    ENDPOINTS.sisFiles,
    MULTIPART,
    form('\r\n--b--\r\n'),
    PACKED,
    400,
  ],
  ['with a file that broke off', ENDPOINTS.sisFiles, MULTIPART, form('\r\n--b'), {}, 400],
])(
  'after a large body %s, the next request on its connection is answered',
  async (_what, path, type, body, more, status) => {
    const cookie = [...alma.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const origin = { origin: ts.url };
    const { ask, close } = connection();
    try {
      for (let round = 0; round < 3; round++) {
        const headers = { ...origin, ...(more === null ? {} : { ...more, cookie }), 'content-type': type };
        expect(await ask(path, headers, body)).toBe(status);
        const next = { ...origin, cookie, 'content-type': 'application/json' };
        expect(await ask(ENDPOINTS.logStatus, next, '{"status":"x"}')).toBe(200);
      }
    } finally {
      close();
    }
  },
);
