/** Tokens, scopes of calls, and errors (Zoom reference §1, §2, §3). */
import { expect, test } from 'vitest';
import { ALMA, basic, HOUR, useZoom } from './client.ts';

const zoom = useZoom();
const FORM = { grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('§2 a token is valid for one second less than an hour, and comes with its scopes and the API’s address', async () => {
  const { status, body } = await zoom.askToken('client');
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 3599, api_url: `${zoom.url}/zoom` });
  expect(body).not.toHaveProperty('refresh_token');
  const scopes = String(body['scope']).split(' ');
  for (const scope of [
    'user:read:list_users:admin',
    'user:read:user:admin',
    'user:read:list_schedulers:admin',
    'meeting:write:meeting:admin',
    'meeting:update:meeting:admin',
    'meeting:delete:meeting:admin',
    'meeting:read:meeting:admin',
    'meeting:read:list_meetings:admin',
    'meeting:read:invitation:admin',
  ])
    expect(scopes).toContain(scope);
  const users = await zoom.ask(
    'GET',
    `${String(body['api_url'])}/v2/users`,
    undefined,
    bearer(String(body['access_token'])),
  );
  expect(users.status).toBe(200);
});

test('§2 parameters can be in the query, where many clients put them', async () => {
  const query = new URLSearchParams(FORM);
  const client = basic('sandbox-zoom-client', 'sandbox-zoom-secret');
  const answer = await zoom.ask('POST', `/zoom/oauth/token?${query}`, undefined, client);
  expect(answer.status).toBe(200);
});

test('§2 errors have their own envelope', async () => {
  const refused = async (...asked: Parameters<typeof zoom.askToken>) => {
    const { status, body } = await zoom.askToken(...asked);
    return { status, ...body };
  };
  const badClient = { status: 400, error: 'invalid_client', reason: 'Invalid client_id or client_secret' };
  expect(await refused('client', FORM, 'wrong')).toEqual(badClient);
  expect((await zoom.ask('POST', '/zoom/oauth/token', new URLSearchParams(FORM))).status).toBe(400);
  expect(await refused('inactive')).toMatchObject({ status: 400, reason: 'The app is not activated' });
  expect(await refused('client', { ...FORM, grant_type: 'client_credentials' })).toMatchObject({
    status: 400,
    error: 'unsupported_grant_type',
  });
  expect(await refused('client', { account_id: FORM.account_id })).toMatchObject({
    error: 'invalid_request',
  });
  expect(await refused('client', { ...FORM, account_id: 'other' })).toEqual({
    status: 400,
    error: 'invalid_request',
    reason: 'Account does not exist',
  });
});

test('§2 an unreadable body is rejected in the same envelope', async () => {
  const client = basic('sandbox-zoom-client', 'sandbox-zoom-secret');
  for (const type of ['application/json', 'application/xml']) {
    const headers = { ...client, 'content-type': type };
    const { status, body } = await zoom.ask('POST', '/zoom/oauth/token', '{', headers);
    expect([type, status, body]).toEqual([type, 400, { reason: 'Bad Request', error: 'invalid_request' }]);
  }
});

test('§2, §3 several tokens are valid at once, for an hour each; any other is rejected with error 124', async () => {
  const [one, two] = [await zoom.askToken('client'), await zoom.askToken('client')].map(({ body }) =>
    String(body['access_token']),
  );
  const state = async (headers: Record<string, string>) => {
    const { status, body } = await zoom.ask('GET', `/zoom/v2/users/${ALMA}`, undefined, headers);
    return [status, body['code'] ?? null, body['message'] ?? null];
  };
  expect(await state(bearer(String(one)))).toEqual([200, null, null]);
  expect(await state(bearer(String(two)))).toEqual([200, null, null]);
  expect(await state(bearer('unknown'))).toEqual([401, 124, 'Invalid access token.']);
  expect(await state({})).toEqual([401, 124, 'Invalid access token.']);
  zoom.clock.at += HOUR - 1000;
  expect(await state(bearer(String(one)))).toEqual([401, 124, 'Access token is expired.']);
});

test('§3 the error names the scope that an app lacks (4711); the classic scopes allow the same calls', async () => {
  const fields = { topic: 'Class', start_time: '2026-10-05T09:00:00Z' };
  const refused = await zoom.call('POST', `/users/${ALMA}/meetings`, fields, 'reader');
  expect(refused).toMatchObject({
    status: 400,
    body: {
      code: 4711,
      message: 'Invalid access token, does not contain scopes:[meeting:write:meeting:admin].',
    },
  });
  expect((await zoom.call('GET', `/users/${ALMA}/schedulers`, undefined, 'reader')).body['code']).toBe(4711);
  expect((await zoom.call('GET', '/users', undefined, 'reader')).status).toBe(200);
  expect((await zoom.call('POST', `/users/${ALMA}/meetings`, fields, 'classic')).status).toBe(201);
});

test('§1 every answer has a tracking id; §3 unknown paths and invalid JSON use the envelope', async () => {
  const user = await zoom.call('GET', '/users/nobody@northbridge.example');
  expect(user.headers.get('x-zm-trackingid')).toMatch(/rid=WEB_[0-9a-f]{32}$/);
  expect(user).toMatchObject({
    status: 404,
    body: { code: 1001, message: 'User does not exist: nobody@northbridge.example.' },
  });
  for (const body of ['{"topic', '[]', '"text"', ''])
    expect(await zoom.call('POST', `/users/${ALMA}/meetings`, body), body).toMatchObject({
      status: 400,
      body: { code: 300, message: 'Request Body should be a valid JSON object.' },
    });
  const nothing = await zoom.call('GET', '/nothing');
  expect(nothing).toMatchObject({ status: 404, body: { code: 2300 } });
  expect(nothing.headers.get('x-zm-trackingid')).toBeTruthy();
  // Announcing JSON without sending any is fine if no body is needed.
  const json = { ...bearer(await zoom.tokenOf('client')), 'content-type': 'application/json' };
  const gone = await zoom.ask('DELETE', '/zoom/v2/meetings/81234567890', undefined, json);
  expect(gone.body['code']).toBe(3001);
});
