/** Credentials, and the envelope (Qualtrics reference §1, §2). */
import { expect, test } from 'vitest';
import { FOREIGN, GUEST, MINUTE, SURVEY, TOKEN, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();
const UUID = /^[0-9a-f-]{36}$/;

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const APP = basic('sandbox-qualtrics-client', 'sandbox-qualtrics-secret');
const GRANT = { grant_type: 'client_credentials', scope: 'read:surveys read:survey_responses' };

async function askToken(fields: Record<string, string> = GRANT, headers: Record<string, string> = APP) {
  const response = await fetch(`${qualtrics.url}/qualtrics/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const bearer = async (fields?: Record<string, string>, headers?: Record<string, string>) => ({
  authorization: `Bearer ${String((await askToken(fields, headers)).body['access_token'])}`,
});
const whoami = (headers: Record<string, string>) => qualtrics.call('GET', '/whoami', undefined, headers);

test('§1 an API token, with its header in any case, identifies its user without being shown', async () => {
  for (const name of ['X-API-TOKEN', 'x-api-token', 'X-Api-Token']) {
    const { status, result, meta, headers, text } = await whoami({ [name]: TOKEN['X-API-TOKEN'] });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(result).toMatchObject({ userId: expect.stringMatching(/^UR_\w{15}$/), brandId: 'northbridge' });
    expect(meta).toEqual({ httpStatus: '200 - OK', requestId: expect.stringMatching(UUID) });
    expect(text).not.toContain('sandbox-qualtrics-token');
  }
});

test('§2 missing and unknown credentials are rejected, each with its own status and code', async () => {
  const none = await whoami({});
  expect(none).toMatchObject({ status: 400, meta: { httpStatus: '400 - Bad Request' } });
  expect(none.meta.error).toEqual({
    errorCode: 'ATP_2',
    errorMessage: 'Expected authorization in headers, but none provided.',
  });
  expect(none.result).toBeUndefined();
  const unknown = await whoami({ 'x-api-token': 'toString' });
  expect(unknown).toMatchObject({ status: 401, meta: { httpStatus: '401 - Unauthorized' } });
  expect(unknown.meta.error).toEqual({ errorCode: 'DCD_7', errorMessage: 'Unrecognized X-API-TOKEN.' });
  expect(await whoami({ authorization: 'Bearer unknown' })).toMatchObject({ status: 401 });
});

test('§1 the type of every answer has no charset', async () => {
  await qualtrics.handle('POST', '/sandbox/faults', {
    system: 'qualtrics',
    kind: 'throttle',
    spares: 3,
    count: 1,
  });
  const answers = [
    await whoami({}),
    await qualtrics.call('GET', '/surveys/SV_nothing12345'),
    await qualtrics.call('GET', '/nowhere'),
    await whoami(TOKEN),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 404, 404, 429]);
  for (const { headers } of answers) expect(headers.get('content-type')).toBe('application/json');
  const token = await fetch(`${qualtrics.url}/qualtrics/oauth2/token`, { method: 'POST' });
  expect([token.status, token.headers.get('content-type')]).toEqual([401, 'application/json']);
});

test('§1 client credentials return a bearer token for one second less than an hour, with the requested scopes', async () => {
  const { status, body } = await askToken();
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3599, scope: GRANT.scope });
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  const ask = () => qualtrics.call('GET', `/surveys/${SURVEY}`, undefined, headers);
  expect(await ask()).toMatchObject({ status: 200, result: { id: SURVEY } });
  qualtrics.clock.at += 60 * MINUTE;
  expect(await ask()).toMatchObject({ status: 401 });
  // Without a scope, it has all scopes of the app.
  const all = await askToken({ grant_type: 'client_credentials' });
  expect(String(all.body['scope']).split(' ')).toEqual(expect.arrayContaining(GRANT.scope.split(' ')));
});

test('§1 wrong grants, secrets and scopes are rejected as in OAuth', async () => {
  const wrong = async (fields: Record<string, string>, headers = APP) => {
    const { status, body } = await askToken(fields, headers);
    return [status, body['error']];
  };
  expect(await wrong(GRANT, basic('sandbox-qualtrics-client', 'no'))).toEqual([401, 'invalid_client']);
  expect(await wrong(GRANT, basic('no', 'sandbox-qualtrics-secret'))).toEqual([401, 'invalid_client']);
  expect(await wrong({ scope: GRANT.scope })).toEqual([400, 'invalid_request']);
  expect(await wrong({ ...GRANT, grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
  expect(await wrong({ ...GRANT, scope: 'manage:all' })).toEqual([400, 'invalid_scope']);
});

test('§1 an unreadable body is rejected in the same way', async () => {
  for (const type of ['application/json', 'application/xml']) {
    const response = await fetch(`${qualtrics.url}/qualtrics/oauth2/token`, {
      method: 'POST',
      headers: { ...APP, 'content-type': type },
      body: '{',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(await response.json()).toEqual({ error: 'invalid_request' });
  }
});

test('a call without the scope it needs is forbidden', async () => {
  const headers = await bearer(
    { grant_type: 'client_credentials' },
    basic('sandbox-qualtrics-reader', 'sandbox-qualtrics-reader-secret'),
  );
  const open = await qualtrics.call('GET', `/surveys/${SURVEY}`, undefined, headers);
  expect(open.status).toBe(200);
  const path = `/surveys/${SURVEY}/export-responses`;
  expect(await qualtrics.call('POST', path, { format: 'csv' }, headers)).toMatchObject({
    status: 403,
    meta: { httpStatus: '403 - Forbidden' },
  });
});

test('§2 another user’s survey is forbidden; an unknown survey or route is not found', async () => {
  expect(await qualtrics.call('GET', `/surveys/${FOREIGN}`)).toMatchObject({ status: 403 });
  expect(await qualtrics.call('GET', `/surveys/${SURVEY}`, undefined, GUEST)).toMatchObject({ status: 403 });
  expect(await qualtrics.start({ format: 'csv' }, FOREIGN)).toMatchObject({ status: 403 });
  expect(await qualtrics.call('GET', '/surveys/SV_nothing12345')).toMatchObject({ status: 404 });
  const nowhere = await qualtrics.call('GET', '/nowhere');
  expect(nowhere).toMatchObject({ status: 404, meta: { httpStatus: '404 - Not Found' } });
  expect(nowhere.meta.error).toEqual({ errorMessage: 'The requested resource does not exist.' });
});

test('§1 in the wrong data center a token works, with a notice, but OAuth does not', async () => {
  const headers = await bearer();
  await qualtrics.set({ elsewhere: true });
  const { meta, result } = await whoami(TOKEN);
  expect(result['firstName']).toBe('Alma');
  expect(meta.notice).toMatch(/use this host instead: fra1\.qualtrics\.com$/);
  expect(await whoami(headers)).toMatchObject({ status: 401 });
});

test('§1 a slash at the end of a path is accepted', async () => {
  expect(await qualtrics.call('GET', '/whoami/')).toMatchObject({ status: 200 });
  const started = await qualtrics.call('POST', `/surveys/${SURVEY}/export-responses/`, { format: 'csv' });
  expect(started.status).toBe(200);
});
