/** Zoom's limits and rejections, each by name (Zoom reference §3, §5; OP-104). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { practiceZoom } from '../../src/platform/zoom-settings.ts';
import type { ZoomClient } from '../../src/zoom-api/types.ts';
import { startFront } from '../support/front.ts';
import { HOSTS, lecture, type PracticeZoom, startZoom, zoomFailure } from './support.ts';

let zoom: PracticeZoom;
beforeAll(async () => {
  zoom = await startZoom();
});
afterEach(() => zoom.reset());
afterAll(() => zoom.close());

/** Counts the Zoom calls made in the meantime. */
async function asked(work: () => Promise<unknown>) {
  await zoom.seen();
  await work();
  const calls = await zoom.seen();
  return { calls, refused: calls.filter(({ status }) => status === 429).length };
}

describe('limits per second', () => {
  test('of 200 meetings for 10 hosts and 300 reads at the same time, hardly any are rejected', async () => {
    const client = zoom.open();
    const { owners } = await client.owners();
    const hosts: string[] = [];
    // One of the teachers cannot host, so more than ten are tried.
    for (const { email } of owners.filter(({ licensed }) => licensed).toReversed()) {
      if (hosts.length === 10) break;
      const made = await client.create(email, lecture()).catch(() => null);
      if (made) hosts.push(email);
    }
    await zoom.fault({ match: '/zoom/v2/*', kind: 'latency', ms: 100 });
    const numbers: number[] = [];
    const creations = await asked(() =>
      Promise.all(
        Array.from({ length: 200 }, async (_, at) => {
          const { number } = await client.create(hosts[at % 10] ?? '', lecture());
          numbers.push(number);
        }),
      ),
    );
    expect(new Set(numbers).size).toBe(200);
    expect(creations.refused).toBeLessThanOrEqual(2);

    const reads = await asked(() =>
      Promise.all(Array.from({ length: 300 }, (_, at) => client.read(numbers[at % 200] ?? 0))),
    );
    expect(reads.refused).toBeLessThan(3);
  });

  test('a smaller plan is recognised from the first answers', async () => {
    await zoom.handle('zoom', 'PUT', { limits: { perSecond: { Light: 4, Medium: 2 } } });
    const client = zoom.open();
    const { number } = await client.create(HOSTS.alma, lecture());
    await client.read(number);
    const reads = await asked(() => Promise.all(Array.from({ length: 12 }, () => client.read(number))));
    expect(reads.calls.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(reads.refused).toBe(0);
  });

  test('a call rejected for one second is retried: one meeting is created, and later calls are slower', async () => {
    const client = zoom.open();
    await zoom.fault({ match: '/zoom/v2/users/*/meetings', method: 'POST', kind: 'throttle', count: 1 });
    const marker = '[lms-admin 33333333]';
    await client.create(HOSTS.alma, lecture({ marker }));
    expect(await client.withMarker(HOSTS.alma, marker)).toHaveLength(1);
    expect(client.stats().outcomes.throttled).toBe(1);
  });

  test('changes for one host run one after another, those for several hosts at the same time', async () => {
    await zoom.fault({ match: '/zoom/v2/users/*/meetings', method: 'POST', kind: 'latency', ms: 40 });
    const client = zoom.open();
    await client.user(HOSTS.alma);
    const most = async (hosts: readonly string[]) => {
      await zoom.handle('requests?system=zoom', 'DELETE');
      await Promise.all(hosts.map((host) => client.create(host, lecture())));
      return (await zoom.handle<{ highWater: number }>('requests?system=zoom')).highWater;
    };
    expect(await most([HOSTS.alma, HOSTS.alma.toUpperCase(), HOSTS.alma, HOSTS.alma])).toBe(1);
    expect(await most([HOSTS.alma, HOSTS.bruno, HOSTS.hugo, HOSTS.farid])).toBeGreaterThan(1);
    // Changes wait in the same queue.
    await zoom.fault({ match: '/zoom/v2/meetings/*', kind: 'latency', ms: 40 });
    const two = [await client.create(HOSTS.bruno, lecture()), await client.create(HOSTS.bruno, lecture())];
    await zoom.handle('requests?system=zoom', 'DELETE');
    await Promise.all([
      ...two.map(({ number }) => client.update(number, { topic: 'Another' })),
      client.create(HOSTS.bruno, lecture()),
    ]);
    expect((await zoom.handle<{ highWater: number }>('requests?system=zoom')).highWater).toBe(1);
  });

  test('a waiting caller who gives up does not affect the others', async () => {
    await zoom.handle('zoom', 'PUT', { limits: { perSecond: { Light: 4, Medium: 2 } } });
    const client = zoom.open();
    const { number } = await client.create(HOSTS.alma, lecture());
    const stop = new AbortController();
    const left = Array.from({ length: 5 }, () => client.read(number, stop.signal));
    const stays = client.read(number);
    stop.abort(new Error('enough'));
    const fates = await Promise.allSettled(left);
    expect(fates.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(await stays).toMatchObject({ number });
  });
});

describe('limits per day', () => {
  const midnight = () => new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000);

  test('OP-104 the daily limit of a host is recognised by its text, and ends at 00:00 UTC', async () => {
    await zoom.handle('zoom', 'PUT', { limits: { hostDay: 1 } });
    const client = zoom.open();
    const { number } = await client.create(HOSTS.alma, lecture());
    for (const work of [
      () => client.create(HOSTS.alma, lecture()),
      () => client.update(number, { topic: 'x' }),
    ]) {
      const failure = await zoomFailure(work());
      expect(failure).toMatchObject({ kind: 'throttled', reason: 'host-day', sent: 'no' });
      expect(failure.retryAt).toEqual(midnight());
    }
    const failure = await zoomFailure(client.create(HOSTS.alma, lecture()));
    expect(failure.toAppError()).toMatchObject({
      message: `Zoom allows no more changes for ${HOSTS.alma} today.`,
      next: 'Try again after 00:00 UTC.',
    });
    // The limit applies to that host only.
    await client.create(HOSTS.bruno, lecture());
    await zoom.handle('zoom/host-days', 'DELETE');
    await client.update(number, { topic: 'x' });
  });

  test('the daily limit of a host is also recognised with the status of an older Zoom', async () => {
    const front = await startFront(zoom.sandbox.url);
    try {
      await zoom.handle('zoom', 'PUT', { limits: { hostDay: 0 } });
      front.changed = (_, { status }) => (status === 429 ? { status: 300 } : null);
      const failure = await zoomFailure(zoom.open(practiceZoom(front.url)).create(HOSTS.alma, lecture()));
      expect(failure).toMatchObject({ kind: 'throttled', reason: 'host-day', sent: 'no', status: 300 });
      expect(failure.retryAt).toEqual(midnight());
    } finally {
      front.close();
    }
  });

  test("an error for the account's limit says until when it applies, and the client does not wait for that time", async () => {
    await zoom.handle('zoom', 'PUT', { limits: { perDay: { Light: 0 } } });
    const failure = await zoomFailure(zoom.open().read(80_000_000_001));
    expect(failure).toMatchObject({ kind: 'throttled', reason: null, sent: 'no' });
    expect(Math.abs((failure.retryAt?.getTime() ?? 0) - midnight().getTime())).toBeLessThan(5_000);
  });
});

describe('rejections', () => {
  let client: ZoomClient;
  const start = (number: number) => zoom.handle(`zoom/meetings/${number}/start`, 'POST', {});

  test('each has its own reason, and the message names the person concerned', async () => {
    client = zoom.open();
    const { number } = await client.create(HOSTS.alma, lecture());
    const nobody = 'no.body@northbridge.example';
    await start(number);
    const rows: [() => Promise<unknown>, string, string][] = [
      [() => client.create(nobody, lecture()), 'host-gone', `Zoom has no user ${nobody}.`],
      [() => client.withMarker(nobody, '[x]'), 'host-gone', `Zoom has no user ${nobody}.`],
      [
        () => client.create(HOSTS.alma, lecture({ coHosts: [HOSTS.bruno, HOSTS.greta] })),
        'co-host',
        `Zoom does not accept ${HOSTS.greta} as an alternative host.`,
      ],
      [
        () => client.create(HOSTS.dev, lecture()),
        'may-not-host',
        `Zoom does not let ${HOSTS.dev} host meetings.`,
      ],
      [
        () => client.update(number, { topic: 'x' }),
        'running',
        'This meeting is running. Zoom does not allow changes until it has ended.',
      ],
      [
        () => client.remove(number),
        'running',
        'This meeting is running. Zoom does not allow changes until it has ended.',
      ],
      [
        () => client.read(97_204_118_836),
        'webinar',
        'The number of this link belongs to a webinar, which LMS Admin does not change.',
      ],
      [
        () => client.update(80_000_000_001, { topic: 'x' }),
        'meeting-gone',
        'Zoom no longer has this meeting.',
      ],
    ];
    for (const [work, reason, words] of rows) {
      const failure = await zoomFailure(work());
      expect(failure.reason, words).toBe(reason);
      expect(failure.toAppError().message).toBe(words);
    }
  });

  test('one without a name keeps Zoom’s text and fields', async () => {
    client = zoom.open();
    const failure = await zoomFailure(client.create(HOSTS.alma, lecture({ zone: 'Nowhere/At-all' })));
    expect(failure).toMatchObject({ kind: 'rejected', reason: null, code: 300 });
    expect(failure.toAppError().message).toBe('Zoom rejected this: Validation Failed. (timezone)');
  });

  test('an unexpected answer is named, and may mean that a meeting was created', async () => {
    const front = await startFront(zoom.sandbox.url);
    client = zoom.open(practiceZoom(front.url));
    try {
      front.changed = ({ path }) => (path.includes('/v2/') ? { status: 200, body: '<p>Hello</p>' } : null);
      expect(await zoomFailure(client.read(80_000_000_001))).toMatchObject({ kind: 'odd', sent: 'answered' });
      const made = await zoomFailure(client.create(HOSTS.alma, lecture()));
      expect(made).toMatchObject({ kind: 'odd', sent: 'maybe' });
    } finally {
      front.close();
    }
  });
});
