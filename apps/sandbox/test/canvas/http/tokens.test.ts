import { describe, expect, test } from 'vitest';
import { SCOPED_KEY_ID, SCOPED_KEY_SECRET } from '../../../src/canvas/oauth/keys.ts';
import { authorize, CLIENT_ID, CLIENT_SECRET, form, signIn, tokenCall, useSandbox } from './client.ts';

let now = Date.UTC(2026, 10, 21, 9, 0, 0);
const client = useSandbox({ now: () => new Date(now) });
const MINUTE = 60_000;

async function scopedToken(login: string, ...scopes: string[]): Promise<string> {
  const scope = scopes.map((path) => `url:GET|/api/v1/${path}`).join(' ');
  const back = await authorize(client, login, { client_id: SCOPED_KEY_ID, scope });
  const answer = await tokenCall(client, {
    client_id: SCOPED_KEY_ID,
    client_secret: SCOPED_KEY_SECRET,
    code: back.searchParams.get('code') ?? '',
  });
  return String(answer.body['access_token']);
}

describe('§2.2 client credentials for a token', () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const exchange = async (fields: Record<string, string>, headers: Record<string, string>) => {
    const code = (await authorize(client, 'alma.reyes')).searchParams.get('code') ?? '';
    return client.ask('/login/oauth2/token', { token: null, ...form({ code, ...fields }), headers });
  };

  test('§2.2 the header supplies what is missing or empty in the body', async () => {
    const headers = basic(CLIENT_ID, CLIENT_SECRET);
    expect((await exchange({}, headers)).status).toBe(200);
    expect((await exchange({ client_id: '', client_secret: '' }, headers)).status).toBe(200);
    expect((await exchange({ client_id: CLIENT_ID }, headers)).status).toBe(200);
    expect((await exchange({ client_id: CLIENT_ID }, basic(CLIENT_ID, 'wrong'))).status).toBe(401);
  });
});

describe('§2.3 ending a token', () => {
  test('§2.3 an expired token cannot be revoked, only renewed', async () => {
    const tokens = await signIn(client, 'carla.singh');
    now += 61 * MINUTE;
    const gone = await client.ask('/login/oauth2/token', {
      method: 'DELETE',
      token: String(tokens['access_token']),
    });
    expect(gone.status).toBe(401);
    expect(gone.body).toEqual({ errors: [{ message: 'Invalid access token.' }] });
    expect(gone.headers.get('www-authenticate')).toBe('Bearer realm="canvas-lms"');
    const renewed = await tokenCall(client, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    });
    expect(renewed.status).toBe(200);
  });
});

describe('§3 keys with scopes', () => {
  test('§3 includes are silently ignored unless the key allows them', async () => {
    const scoped = await scopedToken('alma.reyes', 'courses/:id', 'accounts/:account_id/courses');
    const free = String((await signIn(client, 'alma.reyes'))['access_token']);
    for (const path of ['/courses/1001?include[]=term', '/accounts/86/courses?include[]=term&per_page=1']) {
      const first = (text: string) => [JSON.parse(text)].flat()[0] as Record<string, unknown>;
      // The order matters: a page cached for one key must not be sent to the other.
      const [with_, without] = [
        await client.api(path, { token: free }),
        await client.api(path, { token: scoped }),
      ];
      expect(without.status).toBe(200);
      expect(first(with_.text)).toHaveProperty('term');
      expect(first(without.text)).not.toHaveProperty('term');
    }
  });
});
