/** The Zoom client with the practice Zoom: meetings, people, the token (OP-60 … OP-73, Zoom reference). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { practiceZoom } from '../../src/platform/zoom-settings.ts';
import { createZoomClient } from '../../src/zoom-api/client.ts';
import { userAnswer } from '../../src/zoom-api/wire.ts';
import { startFront } from '../support/front.ts';
import { HOSTS, lecture, type PracticeZoom, startZoom, zoomFailure } from './support.ts';

let zoom: PracticeZoom;
beforeAll(async () => {
  zoom = await startZoom();
});
afterEach(() => zoom.reset());
afterAll(() => zoom.close());

/** Requests a token of another client of the same Zoom. */
async function tokenOf(): Promise<string> {
  const answer = await fetch(`${zoom.sandbox.url}/zoom/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sandbox-zoom-client:sandbox-zoom-secret')}` },
    body: new URLSearchParams({ grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

describe('meetings', () => {
  test('OP-70 a meeting is created, read, changed and removed, and none of its secrets are kept', async () => {
    const client = zoom.open();
    const asked = lecture({ coHosts: [HOSTS.bruno, HOSTS.hugo] });
    const made = await client.create(HOSTS.alma, asked);
    expect(made).toMatchObject({
      hostEmail: HOSTS.alma,
      topic: asked.topic,
      start: asked.start,
      duration: 90,
      coHosts: [HOSTS.bruno, HOSTS.hugo],
      agenda: asked.marker,
    });
    expect(made.joinUrl).toMatch(new RegExp(`^${client.links[0]}/j/${made.number}\\?pwd=`));
    expect(Object.keys(made)).not.toContain('start_url');
    expect(JSON.stringify(made)).not.toContain('zak=');
    expect(await client.read(made.number)).toEqual(made);

    const start = new Date(Date.parse(asked.start) + 3_600_000).toISOString();
    await client.update(made.number, { start, coHosts: [] });
    expect(await client.read(made.number)).toEqual({ ...made, start, coHosts: [] });
    await client.remove(made.number);
    expect(await client.read(made.number)).toBeNull();
    // A meeting that does not exist counts as removed.
    await client.remove(made.number);
    expect((await zoomFailure(client.update(made.number, { topic: 'x' }))).reason).toBe('meeting-gone');
    // Bulk changes do not send mail to anyone.
    expect(await zoom.handle<{ mails: unknown[] }>('zoom')).toMatchObject({ mails: [] });
  });

  test('a long topic is cut off at Zoom’s limit', async () => {
    const client = zoom.open();
    const { topic } = await client.create(HOSTS.alma, lecture({ topic: '𝒜'.repeat(150) }));
    expect(topic).toMatch(/^𝒜+…$/u);
    expect(topic.length).toBeLessThanOrEqual(200);
  });

  test('the link is the one that Zoom gives, so changing the passcode there changes the link', async () => {
    const client = zoom.open();
    const { number, joinUrl } = await client.create(HOSTS.alma, lecture());
    const token = await tokenOf();
    await fetch(`${zoom.sandbox.url}/zoom/v2/meetings/${number}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'n3wc0de' }),
    });
    const after = await client.read(number);
    expect(after?.joinUrl).toContain(`/j/${number}?pwd=`);
    expect(after?.joinUrl).not.toBe(joinUrl);
  });

  test('OP-102 a meeting is transferred if Zoom allows it, and keeps its number and link', async () => {
    const client = zoom.open();
    const made = await client.create(HOSTS.standard, lecture());
    expect(await client.mayHandOver(HOSTS.standard, HOSTS.hugo)).toBe(true);
    expect(await client.handOver(made.number, HOSTS.hugo)).toBe(true);
    expect(await client.read(made.number)).toMatchObject({ hostEmail: HOSTS.hugo, joinUrl: made.joinUrl });
    // No one can schedule for Carla, Greta has no licence, Dev is inactive, and one host does not exist.
    for (const to of [HOSTS.carla, HOSTS.greta, HOSTS.dev, HOSTS.elena, 'no.body@northbridge.example'])
      expect(await client.mayHandOver(HOSTS.hugo, to), to).toBe(false);
    const refused = await zoomFailure(client.handOver(made.number, HOSTS.carla));
    expect(refused).toMatchObject({ reason: 'may-not-schedule', who: HOSTS.carla, sent: 'answered' });
    expect(refused.toAppError().message).toBe(
      `Zoom does not allow the meeting to be transferred to ${HOSTS.carla}.`,
    );
  });

  test('a meeting is found by its marker, the oldest first, as soon as it is listed', async () => {
    const client = zoom.open();
    const [marker, other] = ['[lms-admin 11111111]', '[lms-admin 11111112]'];
    const first = await client.create(HOSTS.alma, lecture({ marker }));
    await client.create(HOSTS.alma, lecture({ marker: other }));
    const second = await client.create(HOSTS.alma, lecture({ marker }));
    expect((await client.withMarker(HOSTS.alma, marker)).map(({ number }) => number)).toEqual([
      first.number,
      second.number,
    ]);
    expect(await client.withMarker(HOSTS.bruno, marker)).toEqual([]);
    await zoom.handle('zoom', 'PUT', { listLagMs: 60_000 });
    expect(await client.withMarker(HOSTS.alma, marker)).toEqual([]);
  });

  test('a creation with a lost answer is not retried, and its result is reported as unknown', async () => {
    const client = zoom.open();
    const marker = '[lms-admin 22222222]';
    for (const fault of [
      { kind: 'drop', when: 'after' },
      { kind: 'drop', when: 'body' },
    ]) {
      await zoom.fault({ match: '/zoom/v2/users/*/meetings', method: 'POST', count: 1, ...fault });
      const failure = await zoomFailure(client.create(HOSTS.alma, lecture({ marker })));
      expect(failure).toMatchObject({ kind: 'down', sent: 'maybe' });
    }
    await zoom.fault({
      match: '/zoom/v2/users/*/meetings',
      method: 'POST',
      kind: 'status',
      status: 503,
      count: 1,
    });
    expect(await zoomFailure(client.create(HOSTS.alma, lecture({ marker })))).toMatchObject({
      sent: 'maybe',
    });
    expect(await client.withMarker(HOSTS.alma, marker)).toHaveLength(2);
  });

  test('calls that are safe to repeat are retried: reads, changes, removals', async () => {
    const client = zoom.open();
    const { number } = await client.create(HOSTS.alma, lecture());
    for (const [method, work] of [
      ['GET', () => client.read(number)],
      ['PATCH', () => client.update(number, { topic: 'Again' })],
      ['DELETE', () => client.remove(number)],
    ] as const) {
      await zoom.fault({ match: '/zoom/v2/meetings/*', method, kind: 'drop', when: 'after', count: 1 });
      await work();
    }
    expect(await client.read(number)).toBeNull();
  });
});

describe('people', () => {
  test('OP-102 owners are the schedulers of the default owner, with their names from the users list', async () => {
    const client = zoom.open();
    const { default: standard, owners } = await client.owners();
    expect(standard).toMatchObject({ email: HOSTS.standard, licensed: true });
    const emails = owners.map(({ email }) => email);
    expect(emails).toEqual(expect.arrayContaining([HOSTS.alma, HOSTS.bruno, HOSTS.hugo, HOSTS.farid]));
    expect(emails).not.toContain(HOSTS.carla);
    expect(owners.find(({ email }) => email === HOSTS.alma)?.name).toBe('Alma Reyes');
    expect(owners.map(({ name }) => name)).toEqual(
      owners.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')),
    );
    // 39 users: more than one page of Zoom's default size, but one page of the client's.
    expect((await zoom.seen()).filter(({ path }) => path.startsWith('/v2/users?'))).toHaveLength(1);
  });

  test('owners are cached for a minute, and requested once for all simultaneous readers', async () => {
    let now = Date.now();
    const client = zoom.open({}, { now: () => now });
    await Promise.all(Array.from({ length: 5 }, () => client.owners()));
    await Promise.all([client.user(HOSTS.bruno), client.user(HOSTS.bruno)]);
    expect((await zoom.seen()).filter(({ path }) => path.startsWith('/v2/'))).toHaveLength(4);
    await zoom.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { type: 1 });
    expect(await client.user(HOSTS.bruno)).toMatchObject({ licensed: true });
    now += 61_000;
    expect(await client.user(HOSTS.bruno)).toMatchObject({ licensed: false });
  });

  test('all pages of a list are read', async () => {
    const whole = (await zoom.open().owners()).owners;
    const front = await startFront(zoom.sandbox.url);
    let rest: unknown[] = [];
    // A school with several pages of people, ten on each.
    front.changed = ({ path }, { body }) => {
      if (!path.startsWith('/zoom/v2/users?')) return null;
      const users = path.includes('next_page_token=') ? rest : (JSON.parse(body) as { users: [] }).users;
      rest = users.slice(10);
      const next_page_token = rest.length > 0 ? `page ${rest.length}` : '';
      return { status: 200, body: JSON.stringify({ users: users.slice(0, 10), next_page_token }) };
    };
    try {
      expect((await zoom.open(practiceZoom(front.url)).owners()).owners).toEqual(whole);
      expect(whole.length).toBeGreaterThan(20);
      // A list that names a page twice never ends.
      front.changed = ({ path }) =>
        path.startsWith('/zoom/v2/users?')
          ? { status: 200, body: JSON.stringify({ users: [], next_page_token: 'again' }) }
          : null;
      expect((await zoomFailure(zoom.open(practiceZoom(front.url)).owners())).kind).toBe('too-much');
    } finally {
      front.close();
    }
  });

  test('`ZOOM_OWNERS` can name the owners instead, and people who have left are not included', async () => {
    const client = zoom.open({ owners: [HOSTS.carla, HOSTS.dev, HOSTS.alma] });
    expect((await client.owners()).owners.map(({ email }) => email)).toEqual([HOSTS.alma, HOSTS.carla]);
  });

  test('only users with a licence can be owners, but not Basic users or those without meetings', () => {
    const licensed = (type: number) => userAnswer.parse({ id: 'x', email: HOSTS.alma, type }).licensed;
    expect([1, 2, 3, 4, 99].filter(licensed)).toEqual([2, 3]);
  });

  test('licensed people can be owners; an unknown person is not found', async () => {
    const client = zoom.open();
    for (const [who, licensed] of [
      [HOSTS.alma, true],
      [HOSTS.alma.toUpperCase(), true],
      [HOSTS.greta, false],
      [HOSTS.dev, false],
      [HOSTS.elena, false],
    ] as const)
      expect((await client.user(who))?.licensed, who).toBe(licensed);
    expect(await client.user('no.body@northbridge.example')).toBeNull();
    await zoom.handle(`zoom/users/${HOSTS.standard}`, 'DELETE');
    expect(await zoomFailure(client.owners())).toMatchObject({ reason: 'host-gone', who: HOSTS.standard });
  });
});

describe('the token', () => {
  const tokens = async () => (await zoom.seen()).filter(({ path }) => path === '/oauth/token').length;

  test('is fetched once for many simultaneous calls', async () => {
    const client = zoom.open();
    await Promise.all(Array.from({ length: 20 }, (_, at) => client.read(80_000_000_000 + at)));
    expect(await tokens()).toBe(1);
  });

  test('is renewed once after a rejection, and the call is retried', async () => {
    let clock = 0;
    const client = zoom.open({}, { clock: () => clock });
    const { number } = await client.create(HOSTS.alma, lecture());
    clock = 60_000;
    await zoom.fault({ match: '/zoom/v2/*', kind: 'revoke-token', count: 1 });
    expect(await client.read(number)).toMatchObject({ number });
    expect(await tokens()).toBe(2);
  });

  test('that is still rejected leads to an explanation, not to endless token requests', async () => {
    const client = zoom.open();
    await client.user(HOSTS.alma);
    await zoom.seen();
    await zoom.fault({ match: '/zoom/v2/*', kind: 'revoke-token' });
    const failures = await Promise.all([1, 2, 3].map(() => zoomFailure(client.read(80_000_000_001))));
    expect(failures.map(({ kind }) => kind)).toEqual(['token-refused', 'token-refused', 'token-refused']);
    expect(failures[0]?.toAppError().message).toBe('Zoom does not accept LMS Admin’s token.');
    expect(await tokens()).toBe(0);
  });

  test.each([
    ['a wrong secret', { clientSecret: 'not-the-secret' }, /Invalid client_id/],
    ['another account', { account: 'another' }, /Account does not exist/],
    [
      'an inactive app',
      { clientId: 'sandbox-zoom-inactive', clientSecret: 'sandbox-zoom-inactive-secret' },
      /not activated/,
    ],
  ])('%s is rejected, and the message contains no secret', async (_, settings, words) => {
    const client = zoom.open(settings);
    const failure = await zoomFailure(client.create(HOSTS.alma, lecture()));
    expect(failure).toMatchObject({ kind: 'token-refused', sent: 'no' });
    expect(failure.detail).toMatch(words);
    expect(JSON.stringify([failure.message, failure.detail])).not.toMatch(/not-the-secret|sandbox-zoom/);
    expect(await client.check()).toMatchObject({
      state: 'down',
      message: 'Zoom does not accept LMS Admin’s token.',
    });
  });
});

describe("Zoom's status", () => {
  test('is reachable with the required scopes, granular or classic', async () => {
    const classic = { clientId: 'sandbox-zoom-classic', clientSecret: 'sandbox-zoom-classic-secret' };
    for (const settings of [{}, classic])
      expect(await zoom.open(settings).check()).toEqual({
        state: 'up',
        message: 'Zoom answers.',
        next: null,
      });
  });

  test('names missing scopes, and a call that lacks one says so', async () => {
    const client = zoom.open({ clientId: 'sandbox-zoom-reader', clientSecret: 'sandbox-zoom-reader-secret' });
    expect(await client.check()).toEqual({
      state: 'down',
      message: 'Zoom is reachable, but LMS Admin is missing permissions.',
      next:
        'Ask IT Support to add these to the app in Zoom: user:read:list_schedulers:admin, meeting:write:meeting:admin, ' +
        'meeting:update:meeting:admin, meeting:delete:meeting:admin.',
    });
    const failure = await zoomFailure(client.create(HOSTS.alma, lecture()));
    expect(failure).toMatchObject({ kind: 'refused', code: 4711, sent: 'answered' });
  });

  test('says if Zoom does not answer', async () => {
    await zoom.fault({ kind: 'status', status: 503 });
    expect(await zoom.open().check()).toMatchObject({ state: 'down', message: 'Zoom does not answer.' });
  });

  test('says if no account is set up, as every call does', async () => {
    const client = createZoomClient(null);
    expect(client.configured).toBe(false);
    expect(await client.check()).toMatchObject({ state: 'not-configured' });
    for (const work of [client.owners(), client.read(1), client.create(HOSTS.alma, lecture())]) {
      const failure = await zoomFailure(work);
      expect(failure).toMatchObject({ reason: 'not-configured', sent: 'no' });
      expect(failure.toAppError().message).toBe('Zoom is not set up.');
    }
    expect(client.stats().calls).toBe(0);
    await client.close();
  });
});
