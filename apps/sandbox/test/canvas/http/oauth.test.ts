import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SCOPED_KEY_ID, SCOPED_KEY_SECRET, SWITCHED_OFF_KEY_ID } from '../../../src/canvas/oauth/keys.ts';
import { authorize, CLIENT_SECRET, REDIRECT, signIn, tokenCall, useSandbox } from './client.ts';

let now = Date.UTC(2026, 10, 21, 9, 0, 0);
const client = useSandbox({ now: () => new Date(now) });
const MINUTE = 60_000;

const authPage = (query: Record<string, string>) =>
  client.ask(`/login/oauth2/auth?${new URLSearchParams(query)}`, { token: null });
const redirected = (answer: { headers: Headers }) => new URL(answer.headers.get('location') ?? '');

describe('§2.1 authorize', () => {
  test('§2.1 an unknown client is rejected without a redirect', async () => {
    for (const client_id of ['99', 'abc', '']) {
      const answer = await authPage({ client_id, response_type: 'code', redirect_uri: REDIRECT });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: 'invalid_client', error_description: 'unknown client' });
      expect(answer.headers.get('www-authenticate')).toBe('Canvas OAuth 2.0');
    }
  });

  test('§2.1 a redirect address on another host is rejected without a redirect', async () => {
    for (const redirect_uri of ['http://evil.example/cb', 'http://localhost.evil.example', 'nonsense', '']) {
      const answer = await authPage({ client_id: '10', response_type: 'code', redirect_uri });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: 'invalid_request',
        error_description: 'redirect_uri does not match client settings',
      });
    }
  });

  test('§2.1 other errors are returned to the client with the state, parameters in alphabetical order', async () => {
    const answer = await authPage({
      client_id: '10',
      response_type: 'token',
      redirect_uri: `${REDIRECT}?a=1`,
      state: 'x y',
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(
      `${REDIRECT}?a=1&error=unsupported_response_type&error_description=Only+response_type%3Dcode+is+permitted&state=x+y`,
    );
  });

  test('§2.1 prompt=none without a session is an error, and so is an unknown prompt', async () => {
    const base = { client_id: '10', response_type: 'code', redirect_uri: REDIRECT };
    const none = redirected(await authPage({ ...base, prompt: 'none' }));
    expect(none.searchParams.get('error')).toBe('login_required');
    const other = redirected(await authPage({ ...base, prompt: 'consent' }));
    expect(other.searchParams.get('error')).toBe('unsupported_prompt_type');
  });

  test('§2.1 a key that is disabled in this account is rejected', async () => {
    const base = { response_type: 'code', redirect_uri: REDIRECT };
    const back = redirected(await authPage({ ...base, client_id: SWITCHED_OFF_KEY_ID }));
    expect(back.searchParams.get('error')).toBe('unauthorized_client');
    expect(back.searchParams.get('error_description')).toBe(
      'Client does not have access to the specified Canvas account.',
    );
  });

  test('§2.1 a person who declines returns with an error and the state', async () => {
    const back = await authorize(client, 'alma.reyes', { state: 's1' }, 'cancel');
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's1' });
  });

  test('§2.1 the address for declining refers to the browser’s last request', async () => {
    const start = await authPage({
      client_id: '10',
      response_type: 'code',
      redirect_uri: REDIRECT,
      state: 's2',
    });
    const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? '';
    const deny = () => client.ask('/login/oauth2/deny', { token: null, headers: { cookie } });
    expect(redirected(await deny()).search).toBe('?error=access_denied&state=s2');
    const again = await deny();
    expect([again.status, again.text]).toEqual([400, 'Invalid or missing session for oauth']);
  });

  test('§2.1 a person who accepts returns with a code of 128 hex characters and the state', async () => {
    const back = await authorize(client, 'alma.reyes', { state: 's2' });
    expect(back.searchParams.get('code')).toMatch(/^[0-9a-f]{128}$/);
    expect(back.searchParams.get('state')).toBe('s2');
  });

  test('§2.1 a key with scopes rejects all other scopes', async () => {
    const base = { client_id: SCOPED_KEY_ID, response_type: 'code', redirect_uri: REDIRECT };
    for (const scope of ['', 'url:GET|/api/v1/secret']) {
      const back = redirected(await authPage({ ...base, scope }));
      expect(back.searchParams.get('error')).toBe('invalid_scope');
      expect(back.searchParams.get('error_description')).toMatch(/^A requested scope is invalid, unknown, /);
    }
  });
});

describe('§2.2 token', () => {
  test('§2.2 the code is exchanged once, for the documented object', async () => {
    const code = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    const answer = await tokenCall(client, { grant_type: 'authorization_code', code });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      user: {
        id: 101,
        name: 'Alma Reyes',
        global_id: '10000000000101',
        effective_locale: 'en',
        fake_student: false,
      },
      canvas_region: 'unknown',
      refresh_token: expect.any(String),
      expires_in: 3600,
    });
    const again = await tokenCall(client, { code });
    expect(again.status).toBe(400);
    expect(again.body).toEqual({ error: 'invalid_grant', error_description: 'authorization_code not found' });
  });

  test('§2.2 a code is valid for ten minutes', async () => {
    const late = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    now += 10 * MINUTE + 1;
    expect((await tokenCall(client, { code: late })).body['error']).toBe('invalid_grant');
    const inTime = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    now += 10 * MINUTE - 1000;
    expect((await tokenCall(client, { code: inTime })).status).toBe(200);
  });

  test.each([
    [
      { grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'The grant_type you requested is not currently supported',
    ],
    [{}, 400, 'unsupported_grant_type', 'The grant_type you requested is not currently supported'],
    [{ grant_type: 'authorization_code', client_id: '99' }, 401, 'invalid_client', 'unknown client'],
    [{ grant_type: 'authorization_code', client_secret: 'x' }, 401, 'invalid_client', 'invalid client'],
    [
      { grant_type: 'authorization_code' },
      400,
      'invalid_request',
      'You must provide the code parameter when using the authorization_code grant type',
    ],
    [
      { grant_type: 'refresh_token' },
      400,
      'invalid_request',
      'You must provide the refresh_token parameter when using the refresh_token grant type',
    ],
    [{ code: 'nothing' }, 400, 'invalid_grant', 'authorization_code not found'],
    [
      { grant_type: 'refresh_token', refresh_token: 'nothing' },
      400,
      'invalid_grant',
      'refresh_token not found',
    ],
  ])('§2.2 %o is rejected with %i %s', async (fields, status, error, error_description) => {
    const answer = await tokenCall(client, fields);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Canvas OAuth 2.0' : null);
  });

  test('§2.2 a code or refresh token that belongs to another key is rejected', async () => {
    const foreign = { client_id: SCOPED_KEY_ID, client_secret: SCOPED_KEY_SECRET };
    const code = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    expect((await tokenCall(client, { ...foreign, code })).body['error_description']).toBe(
      'incorrect client',
    );
    const { refresh_token } = (await tokenCall(client, { code })).body;
    const refreshed = await tokenCall(client, {
      ...foreign,
      grant_type: 'refresh_token',
      refresh_token: String(refresh_token),
    });
    expect(refreshed.body['error_description']).toBe('incorrect client');
  });

  test('§2.2 credentials can be sent as HTTP Basic, and the body as JSON', async () => {
    const code = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    const answer = await client.send(
      'POST',
      '/login/oauth2/token',
      { grant_type: 'authorization_code', code },
      {
        token: null,
        headers: { authorization: `Basic ${Buffer.from(`10:${CLIENT_SECRET}`).toString('base64')}` },
      },
    );
    expect(answer.status).toBe(200);
  });

  test('§2.2 a refresh gives a new token but no new refresh token, and the old access token ends', async () => {
    const first = await signIn(client, 'alma.reyes');
    const fields = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) };
    const second = await tokenCall(client, fields);
    expect(second.status).toBe(200);
    expect(second.body).not.toHaveProperty('refresh_token');
    expect((await client.api('/users/self', { token: String(first['access_token']) })).status).toBe(401);
    expect((await client.api('/users/self', { token: String(second.body['access_token']) })).status).toBe(
      200,
    );
    expect((await tokenCall(client, fields)).status).toBe(200);
  });

  test('§2.2 with PKCE, the verifier is checked if a challenge was sent', async () => {
    const verifier = 'a'.repeat(50);
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = { code_challenge, code_challenge_method: 'S256' };
    const wrong = (await authorize(client, 'alma.reyes', query)).searchParams.get('code') ?? '';
    expect((await tokenCall(client, { code: wrong, code_verifier: 'b'.repeat(50) })).status).toBe(400);
    const right = (await authorize(client, 'alma.reyes', query)).searchParams.get('code') ?? '';
    expect((await tokenCall(client, { code: right, code_verifier: verifier })).status).toBe(200);
  });

  test('§2.2 scope /auth/userinfo gives the identity but no token', async () => {
    const code =
      (await authorize(client, 'alma.reyes', { scope: '/auth/userinfo' })).searchParams.get('code') ?? '';
    const answer = await tokenCall(client, { code });
    expect(answer.body).toMatchObject({ access_token: null, user: { id: 101 } });
  });

  test('§2.2 replace_tokens ends all other tokens for this person and key', async () => {
    const first = await signIn(client, 'dev.oduya');
    const code = (await authorize(client, 'dev.oduya')).searchParams.get('code') ?? '';
    await tokenCall(client, { code, replace_tokens: '1' });
    const answer = await client.api('/users/self', { token: String(first['access_token']) });
    expect(answer.body).toEqual({ errors: [{ message: 'Revoked access token.' }] });
  });
});

describe('§2.3 and §3 ending a token', () => {
  test('§2.3 DELETE revokes; without a token it is rejected', async () => {
    const token = String((await signIn(client, 'carla.singh'))['access_token']);
    const gone = await client.ask('/login/oauth2/token', { method: 'DELETE', token });
    expect(gone.status).toBe(200);
    expect(gone.body).toEqual({});
    const after = await client.api('/users/self', { token });
    expect(after.status).toBe(401);
    expect(after.body).toEqual({ errors: [{ message: 'Revoked access token.' }] });
    const bare = await client.ask('/login/oauth2/token', { method: 'DELETE', token: null });
    expect(bare.status).toBe(400);
    expect(bare.body).toEqual({
      message: "can't delete OAuth access token when not using an OAuth access token",
    });
  });

  test('§2.3 expire_sessions adds an address to forward to', async () => {
    const token = String((await signIn(client, 'carla.singh'))['access_token']);
    const gone = await client.ask('/login/oauth2/token?expire_sessions=1', { method: 'DELETE', token });
    expect(gone.body['forward_url']).toMatch(/^http/);
  });

  test('§3 a token is valid for one hour', async () => {
    const token = String((await signIn(client, 'alma.reyes'))['access_token']);
    now += 59 * MINUTE;
    expect((await client.api('/users/self', { token })).status).toBe(200);
    now += 2 * MINUTE;
    const answer = await client.api('/users/self', { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ errors: [{ message: 'Invalid access token.' }] });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="canvas-lms"');
  });

  test('§3 for a key with scopes, calling any other endpoint is a 401 without a challenge', async () => {
    const scope = 'url:GET|/api/v1/accounts/:account_id/terms';
    const back = await authorize(client, 'alma.reyes', { client_id: SCOPED_KEY_ID, scope });
    const answer = await tokenCall(client, {
      client_id: SCOPED_KEY_ID,
      client_secret: SCOPED_KEY_SECRET,
      code: back.searchParams.get('code') ?? '',
    });
    const token = String(answer.body['access_token']);
    expect((await client.api('/accounts/1/terms', { token })).status).toBe(200);
    const other = await client.api('/accounts/1/roles', { token });
    expect(other.status).toBe(401);
    expect(other.body).toEqual({ errors: [{ message: 'Insufficient scopes on access token.' }] });
    expect(other.headers.get('www-authenticate')).toBeNull();
  });
});

describe('pages', () => {
  test('§2.1 the sign-in page lists the eight people', async () => {
    const page = await client.ask('/login/oauth2/login', { token: null });
    for (const login of [
      'alma.reyes',
      'bruno.keller',
      'carla.singh',
      'dev.oduya',
      'elena.marsh',
      'farid.noor',
      'greta.lind',
      'hugo.tan',
    ]) {
      expect(page.text).toContain(`${login}@northbridge.example`);
    }
  });

  test('the page at / says what the sandbox is; people’s pictures are served', async () => {
    const page = await client.ask('/', { token: null });
    expect(page.text).toContain('A practice LMS that answers like Canvas');
    const picture = await client.ask('/images/avatars/101.svg', { token: null });
    expect(picture.headers.get('content-type')).toContain('image/svg+xml');
    expect(picture.text).toContain('AR');
  });
});
