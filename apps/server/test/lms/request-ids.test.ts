/** The IDs by which the logs of LMS Admin and of the LMS can be compared. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { type Asked, type Front, startFront } from '../support/front.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let sandbox: Sandbox;
let front: Front;
let ts: TestServer;
let alma: Browser;
let asked: Asked[] = [];
const logged: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 'instant', throttle: false });
  front = await startFront(sandbox.url);
  const log = createLog('error', { write: (line: string) => void logged.push(line) });
  ts = await startTestServer({ lms: sandbox, env: { LMS_URL: front.url }, server: { log } });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(async () => {
  await ts?.close();
  front?.close();
  await sandbox?.close();
});
beforeEach(() => {
  asked = [];
  front.instead = (one) => {
    asked.push(one);
    return null;
  };
});

it.each([
  ['a call passed through', () => alma.invoke('accounts/1/terms')],
  [
    'a list sent page by page',
    () => alma.post(ENDPOINTS.invokePages, { url: 'accounts/1/terms', type: 'GET' }),
  ],
])('%s has the ID of the request', async (_, ask) => {
  const response = await ask();
  expect(response.status).toBe(200);
  await response.text();
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const calls = asked.filter(({ path }) => path.includes('/terms'));
  expect(calls.length).toBeGreaterThan(0);
  expect(new Set(calls.map(({ requestId }) => requestId))).toEqual(new Set([id]));
});

it('calls of two requests at the same time have different IDs', async () => {
  const responses = await Promise.all([1, 2, 3].map(() => alma.invoke('accounts/1/terms')));
  const ids = responses.map((response) => response.headers.get('x-request-id'));
  const calls = asked.filter(({ path }) => path.includes('/terms'));
  expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(calls.length);
  for (const { requestId } of calls) expect(ids).toContain(requestId);
});

it('calls of a job have the ID of the job', async () => {
  const course = new Campus(sandbox).course(0).id;
  const input = { course, groups: true, format: 'csv', time_zone: null };
  const answer = await alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input });
  const { id } = jobSchema.parse((await answer.json()).data);
  await vi.waitFor(() => expect(asked.some(({ requestId }) => requestId === id)).toBe(true), 60_000);
});

it('the log of a failed call has the ID that the LMS gave it', async () => {
  front.instead = ({ path }) =>
    path.includes('/terms')
      ? { status: 500, headers: { 'x-request-context-id': 'the-lms-calls-it-this' }, body: '' }
      : null;
  const response = await alma.invoke('accounts/1/terms');
  expect(response.status).toBeGreaterThanOrEqual(500);
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
  expect(lines).toContainEqual(
    expect.objectContaining({
      reqId: response.headers.get('x-request-id'),
      err: expect.objectContaining({ answerId: 'the-lms-calls-it-this' }),
    }),
  );
});
