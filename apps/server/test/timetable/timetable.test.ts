/** The timetable client with the practice timetable and with failing pages (OP-64, timetable.md §6, §9). */
import { matchReservations } from '@lms-admin/domain/timetable-matching';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { practiceFeeds, type TimetableFeed } from '../../src/platform/timetable-settings.ts';
import { createTimetable, type Timetable } from '../../src/timetable/timetable.ts';
import { closeAll, outside } from '../outbound/support.ts';

const MINUTE = 60_000;
const log = pino({ level: 'silent' });
const [FROM, TO] = [new Date('2026-11-21T00:00:00Z'), new Date('2026-12-21T00:00:00Z')];

let now: number;
let sandbox: Sandbox;
const opened: Timetable[] = [];
const open = (feeds: readonly TimetableFeed[]) => {
  const timetable = createTimetable(feeds, { log, now: () => now });
  opened.push(timetable);
  return timetable;
};
const campusFeeds = () => practiceFeeds(sandbox.url);

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false, now: () => new Date(now) });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  now = Date.parse('2026-11-21T09:00:00Z');
});
afterEach(async () => {
  sandbox.reset();
  for (const timetable of opened.splice(0)) await timetable.close();
  await closeAll();
});

/** Calls the practice LMS with JSON. */
async function ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
  const answer = await fetch(sandbox.url + path, {
    method,
    headers: {
      authorization: 'Bearer sandbox-admin-token',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

type Event = Parameters<typeof matchReservations>[0][number];
const eventsOf = async (course: number) =>
  (
    await ask<Event[]>(
      `/api/v1/calendar_events?context_codes[]=course_${course}&start_date=2026-11-21&end_date=2026-12-20&per_page=100`,
    )
  ).filter((event) => event.parent_event_id === null);
/** Finds courses in the records that have events. */
const courses = () => {
  const ids = new Set([...sandbox.world.calendarEvents.values()].map(({ context_code: code }) => code));
  return [...sandbox.world.courses.values()].flatMap(({ id, sis_source_id: sis }) =>
    sis !== null && ids.has(`course_${id}`) ? [{ id, sis }] : [],
  );
};

describe('OP-64 with the practice LMS', () => {
  test("a course's reservations come from all feeds, and most events are matched by link or by time", async () => {
    const timetable = open(campusFeeds());
    const seen = { link: 0, time: 0, none: 0 };
    for (const { id, sis } of courses().slice(0, 60)) {
      const reservations = await timetable.reservations(sis, FROM, TO);
      const events = await eventsOf(id);
      const { of } = matchReservations(events, reservations);
      for (const event of events) {
        const match = of.get(event.id);
        if (match?.by === 'known') throw new Error('nothing was known before');
        seen[match?.by ?? 'none']++;
      }
    }
    for (const [how, count] of Object.entries(seen)) expect(count, how).toBeGreaterThan(0);
    expect(seen.link).toBeGreaterThan(seen.time + seen.none);
    expect(timetable.states().map(({ failure, cut }) => [failure, cut])).toEqual(
      Array.from({ length: 3 }, () => [null, false]),
    );
    expect(await timetable.check()).toMatchObject({ state: 'up' });
  });

  test('§7 after synchronisation the same reservations belong to events with other ids', async () => {
    const timetable = open(campusFeeds());
    const [course] = courses();
    if (!course) throw new Error('no course');
    const reservations = await timetable.reservations(course.sis, FROM, TO);
    const found = async () => {
      const { of } = matchReservations(await eventsOf(course.id), reservations);
      const linked = [...of].filter(([, { by }]) => by === 'link');
      return {
        ids: linked.map(([id]) => id),
        reservations: new Set(linked.map(([, match]) => match.reservationId)),
      };
    };
    const before = await found();
    await ask('/sandbox/timeedit/synchronise', 'POST', { course: course.id });
    const after = await found();
    expect(after.ids.some((id) => before.ids.includes(id))).toBe(false);
    // Cancelled reservations have left the list, and so have those that moved out of the period.
    expect([...after.reservations].filter((id) => !before.reservations.has(id))).toEqual([]);
    expect(after.reservations.size).toBeGreaterThan(0);
  });

  test("§6 a campus's JSON and ICS agree", async () => {
    const [json] = campusFeeds();
    if (!json) throw new Error('no feed');
    const ics = {
      ...json,
      url: json.url.replace('.json', '.ics'),
      course: 'SUMMARY',
      title: 'SUMMARY',
      rooms: 'LOCATION',
    };
    const sis = courses()
      .filter((course) => course.sis.includes('-FBL-'))
      .slice(0, 10);
    for (const course of sis) {
      const read = async (feed: TimetableFeed) =>
        (await open([feed]).reservations(course.sis, FROM, TO)).map(
          ({ reservationId, start, end, rooms }) => ({ reservationId, start, end, rooms }),
        );
      expect(await read(ics)).toEqual(await read(json));
    }
  });

  test('§6 a feed is read again after twenty minutes, with its ETag, and once for all simultaneous readers', async () => {
    const timetable = open(campusFeeds().slice(0, 1));
    const [course] = courses();
    const read = () => timetable.reservations(course?.sis ?? '', FROM, TO);
    const statuses = async () =>
      (await ask<{ requests: { status: number }[] }>('/sandbox/requests?system=timeedit')).requests.map(
        ({ status }) => status,
      );
    await ask('/sandbox/requests?system=timeedit', 'DELETE');
    const [first] = await Promise.all([read(), read(), read()]);
    now += 19 * MINUTE;
    await read();
    expect(await statuses()).toEqual([200]);
    now += MINUTE;
    expect(await read()).toEqual(first);
    expect(await statuses()).toEqual([200, 304]);
    expect(timetable.states()[0]?.readAt).toEqual(new Date(now));
  });
});

describe('OP-64 failures', () => {
  const fault = (spec: object) => ask('/sandbox/faults', 'POST', { system: 'timeedit', ...spec });

  test.each([
    ['a login page', { kind: 'login-page' }, 'odd'],
    ['404', { kind: 'status', status: 404 }, 'not-found'],
    ['500', { kind: 'status', status: 500 }, 'down'],
    ['a truncated body', { kind: 'drop', when: 'body' }, 'down'],
    ['a page that is suddenly empty', { kind: 'empty-feed', count: 1 }, 'odd'],
  ] as const)(
    '§6 %s keeps the last good list, says since when, and recovers automatically',
    async (_, spec, kind) => {
      const timetable = open(campusFeeds().slice(0, 1));
      const course = courses().find(({ sis }) => sis.includes('-FBL-'));
      const read = () => timetable.reservations(course?.sis ?? '', FROM, TO);
      const good = await read();
      const readAt = new Date(now);
      expect(good.length).toBeGreaterThan(0);
      await fault(spec);
      now += 20 * MINUTE;
      expect(await read()).toEqual(good);
      expect(timetable.states()[0]).toMatchObject({ readAt, failure: { kind } });
      await ask('/sandbox/faults', 'DELETE');
      now += MINUTE;
      expect(await read()).toEqual(good);
      expect(timetable.states()[0]).toMatchObject({ readAt: new Date(now), failure: null });
    },
  );

  test('§6 an empty page is accepted the second time', async () => {
    const timetable = open(campusFeeds().slice(0, 1));
    await timetable.refresh();
    await fault({ kind: 'empty-feed' });
    await timetable.refresh();
    expect(timetable.states()[0]).toMatchObject({ failure: { kind: 'odd' } });
    expect(timetable.states()[0]?.count).toBeGreaterThan(0);
    await timetable.refresh();
    expect(timetable.states()[0]).toMatchObject({ count: 0, failure: null });
  });

  test('§9 a page with fewer rows than it states is reported', async () => {
    await fault({ kind: 'few-rows' });
    const timetable = open(campusFeeds().slice(0, 1));
    await timetable.refresh();
    expect(timetable.states()[0]).toMatchObject({ cut: true, failure: null });
  });

  test('§9 a feed that does not answer does not hold up the others, and readiness names it', async () => {
    await fault({ kind: 'status', status: 404, match: '/timeedit/sgp/*' });
    const timetable = open(campusFeeds());
    await timetable.refresh();
    expect(timetable.states().map(({ count, failure }) => [count > 0, failure?.kind])).toEqual([
      [true, undefined],
      [false, 'not-found'],
      [true, undefined],
    ]);
    expect(await timetable.check()).toMatchObject({ state: 'down' });
  });

  test('§9 redirects are not followed, and no address is repeated with its query', async () => {
    const page = await outside((_, response) =>
      response.writeHead(302, { location: 'https://evil.example/' }).end(),
    );
    const feed = {
      ...campusFeeds()[0],
      url: `${page.url}/ri.json?key=secret&p={from}.x,{to}.x`,
    } as TimetableFeed;
    const timetable = open([feed]);
    await timetable.refresh();
    expect(page.seen.map(({ line }) => line)).toEqual(['GET /ri.json?key=secret&p=20261114.x,20270301.x']);
    expect(timetable.states()[0]).toMatchObject({ feed: `${page.url}/ri.json`, failure: { kind: 'odd' } });
  });

  test('without a feed, the result says that none is set up', async () => {
    const timetable = open([]);
    expect(timetable.configured).toBe(false);
    expect(await timetable.reservations('x', FROM, TO)).toEqual([]);
    expect(await timetable.check()).toMatchObject({ state: 'not-configured' });
  });
});
