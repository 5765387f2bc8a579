/** Unreadable paths, and ids of any length: each system answers in its own format. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/server.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false, qualtricsLimits: false });
});
afterAll(() => sandbox.close());

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(sandbox.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('Canvas: an unreadable path is a bad request', async () => {
  const { status, headers, text } = await ask('/api/v1/courses/%zz');
  expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toEqual({
    errors: [{ message: 'An error occurred.', error_code: 'bad_request' }],
  });
});

test('Zoom: the error has the API’s envelope and a tracking id', async () => {
  const { status, headers, text } = await ask('/zoom/v2/users/%zz');
  expect([status, JSON.parse(text)]).toEqual([400, { code: 300, message: 'The request path is not valid.' }]);
  expect(headers.get('x-zm-trackingid')).toMatch(/^v=2\.0;clid=sandbox;rid=WEB_[0-9a-f]{32}$/);
});

test('Qualtrics: the error has the envelope, and its type has no charset', async () => {
  const { status, headers, text } = await ask('/qualtrics/API/v3/surveys/%zz');
  expect([status, headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(JSON.parse(text)).toEqual({
    meta: {
      httpStatus: '400 - Bad Request',
      error: { errorMessage: 'The request path is not valid.' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
});

test('the timetable: the error is plain text', async () => {
  const { status, headers } = await ask('/timeedit/fbl/ri%zz.json');
  expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
});

test('an id of any length counts as unknown', async () => {
  const long = 'x'.repeat(9000);
  const canvas = await ask(`/api/v1/courses/sis_course_id:${long}`, {
    authorization: 'Bearer sandbox-admin-token',
  });
  expect([canvas.status, JSON.parse(canvas.text)]).toEqual([
    404,
    { errors: [{ message: 'The specified resource does not exist.' }] },
  ]);
  const qualtrics = await ask(`/qualtrics/API/v3/surveys/${long}`, {
    'x-api-token': 'sandbox-qualtrics-token',
  });
  expect([qualtrics.status, JSON.parse(qualtrics.text)]).toMatchObject([
    404,
    { meta: { httpStatus: '404 - Not Found' } },
  ]);
  expect((await ask(`/timeedit/fbl/ri${long}.json`)).status).toBe(404);
});
