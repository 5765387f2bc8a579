/** The calendar file, reservations in the table, the speed of a large table, and access (ZC-10, ZC-15, OP-101, OP-14). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calendarEvent } from '../../src/zoom/calendar-event.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import { change, HOSTS, publishing, rowOf, startChange, tableOf, ZoomCampus } from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

/** Reads the lines of a calendar file, unfolded. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');
/** Formats a time as in a calendar file. */
const utc = (iso: string) => new Date(iso).toISOString().replace(/[-:]|\.\d+/g, '');
/** Waits until the clock is at a later second than this timestamp. */
async function passesSecond(stamp: string): Promise<void> {
  while (utc(new Date().toISOString()) <= stamp) await new Promise((resolve) => setTimeout(resolve, 20));
}
/** Counts the event lists that the LMS has returned. */
async function eventsRead(): Promise<number> {
  const { requests } = await campus.handle<{ requests: { path: string }[] }>('requests?system=canvas');
  return requests.filter(({ path }) => path.includes('/calendar_events')).length;
}
const fileOf = (course: number, event: number) =>
  alma.fetch(ENDPOINTS.zoomIcs.replace(':course', String(course)).replace(':event', String(event)));

describe('OP-101 the calendar file', () => {
  test('has one event with its zone, link, host and alternative hosts; texts remain text, whatever they contain', async () => {
    const course = campus.quietCourse();
    const title = 'Zoë O’Neill–Łukasz; #N/A, "x"\nEND:VEVENT';
    const event = await campus.makeEvent(course.id, { title, location_name: 'Salle Élysée, 2' });
    await change(
      alma,
      publishing({ course: course.id, events: [event.id], owner: HOSTS.hugo, co_hosts: [HOSTS.bruno] }),
    );
    const row = await rowOf(alma, course.id, event.id);
    const response = await alma.fetch(row.ics ?? '');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w.-]+\.ics"; filename\*=UTF-8''Zo%C3%AB/,
    );
    const text = await response.text();
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    const lines = linesOf(text);
    expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        `DTSTART:${utc(event.start_at)}`,
        `DTEND:${utc(event.end_at)}`,
        expect.stringMatching(/^UID:event-\d+@localhost$/),
        expect.stringMatching(/^SEQUENCE:\d+$/),
        expect.stringMatching(/^DTSTAMP:\d{8}T\d{6}Z$/),
        `SUMMARY:Zoë O’Neill–Łukasz\\; #N/A\\, "x" END:VEVENT`,
        `URL;VALUE=URI:${row.zoom_link}`,
        `DESCRIPTION:Zoom: ${row.zoom_link}`,
        `LOCATION:Salle Élysée\\, 2\\, ${row.zoom_link}`,
        expect.stringMatching(/^ORGANIZER;CN="Hugo Tan":mailto:hugo\.tan@northbridge\.example$/i),
        expect.stringMatching(/^ATTENDEE;.*:mailto:bruno\.keller@northbridge\.example$/i),
      ]),
    );
    // The file stays the same while nothing changes.
    expect(await (await fileOf(course.id, event.id)).text()).toBe(text);
  });

  test('has a higher SEQUENCE and DTSTAMP after a change of link; the repeated hour in autumn is given in UTC', async () => {
    const course = campus.quietCourse();
    const hours = ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'];
    const [first, second] = await Promise.all(
      hours.map((start_at, n) =>
        campus.makeEvent(course.id, {
          title: `Clock change ${n}`,
          start_at,
          end_at: start_at.replace(':30:', ':50:'),
        }),
      ),
    );
    if (!first || !second) throw new Error('no events');
    const events = [first.id, second.id];
    await change(alma, publishing({ course: course.id, events }));
    const facts = async (id: number) => {
      const lines = linesOf(await (await fileOf(course.id, id)).text());
      const of = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
      return {
        start: of('DTSTART') ?? '',
        stamp: of('DTSTAMP') ?? '',
        sequence: Number(of('SEQUENCE')),
        link: of('DESCRIPTION'),
      };
    };
    const before = await facts(first.id);
    expect([before.start, (await facts(second.id)).start]).toEqual(hours.map(utc));

    // SEQUENCE counts seconds.
    await passesSecond(before.stamp);
    await change(alma, publishing({ course: course.id, events: [first.id], owner: HOSTS.hugo }));
    const after = await facts(first.id);
    await passesSecond(after.stamp);
    await change(alma, { change: 'merge', course: course.id, parent: second.id, events: [first.id] });
    const merged = await facts(first.id);
    expect(merged.link).not.toBe(after.link);
    expect([after.sequence > before.sequence, after.stamp > before.stamp]).toEqual([true, true]);
    expect([merged.sequence > after.sequence, merged.stamp > after.stamp]).toEqual([true, true]);
    expect(await facts(first.id)).toEqual(merged);
  });

  test('has a name with the date in the requested zone; an unknown zone is named', async () => {
    const course = campus.quietCourse().id;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const start_at = `${day(5)}T23:00:00Z`;
    const { id } = await campus.makeEvent(course, {
      title: 'Late',
      start_at,
      end_at: `${day(5)}T23:30:00Z`,
    });
    await change(alma, publishing({ course, events: [id] }));
    const { ics } = await rowOf(alma, course, id);
    const nameIn = async (zone: string) =>
      (await alma.fetch(`${ics}?time_zone=${encodeURIComponent(zone)}`)).headers.get('content-disposition');
    expect(await nameIn('Europe/Paris')).toContain(`Late%20${day(6)}.ics`);
    expect(await nameIn('America/Lima')).toContain(`Late%20${day(5)}.ics`);
    const refused = await alma.fetch(`${ics}?time_zone=Mars`);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('time_zone')]);
  });

  test('ZC-10 does not exist without a link of the configured host, or in another course', async () => {
    const course = campus.quietCourse();
    const other = campus.quietCourse();
    const event = await campus.makeEvent(course.id, {
      location_address: 'https://evil.example/j/81234567890',
    });
    expect((await rowOf(alma, course.id, event.id)).ics).toBeNull();
    const statuses = [fileOf(course.id, event.id), fileOf(other.id, event.id), fileOf(course.id, 99_999_999)];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('is replaced by the school’s own address if ZOOM_ICS_PATTERN is set', async () => {
    const own = await startTestServer({
      lms: server.sandbox,
      env: { ZOOM_ICS_PATTERN: 'https://{host}/meeting/{number}/ics' },
    });
    try {
      const course = campus.quietCourse();
      const base = `${server.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom`;
      const event = await campus.makeEvent(course.id, { location_address: `${base}/j/81234567890` });
      const row = await rowOf(await own.signIn(PEOPLE.all), course.id, event.id);
      expect(row.ics).toBe(`https://${new URL(base).host}/meeting/81234567890/ics`);
    } finally {
      await own.close();
    }
  });
});

test('exists for an event without marks and texts', () => {
  const event = {
    id: 7,
    start_at: null,
    end_at: null,
    context_code: 'course_1',
    created_at: '2026-11-21T09:00:00Z',
  };
  const absent = calendarEvent.parse(event);
  const nothing = { title: null, all_day: null, all_day_date: null, hidden: null, description: null };
  expect(calendarEvent.parse({ ...event, ...nothing })).toEqual({ ...absent, all_day_date: null });
  expect(absent).toMatchObject({ title: '', all_day: false, hidden: false, description: null });
});

describe('OP-64 reservations in the table', () => {
  test('most events in the practice LMS name their reservation or are matched by time', async () => {
    const feeds = ['fbl', 'sgp', 'abd'].map((place) => ({
      url: `${server.sandbox.url.replace('127.0.0.1', 'localhost')}/timeedit/${place}/ri.ics?p={from}.x,{to}.x`,
      zone: 'UTC',
      course: 'SUMMARY',
    }));
    const own = await startTestServer({
      lms: server.sandbox,
      env: { TIMETABLE_FEEDS: JSON.stringify(feeds) },
    });
    try {
      const browser = await own.signIn(PEOPLE.all);
      const seen = { named: 0, silent: 0, none: 0 };
      const { world } = server.sandbox;
      const codes = [...new Set([...world.calendarEvents.values()].map(({ context_code }) => context_code))];
      for (const code of codes.filter((one) => /^course_\d+$/.test(one)).slice(0, 25)) {
        for (const row of await tableOf(browser, Number(code.slice(7)))) {
          if (row.parent_event_id) continue;
          const says = world.calendarEvents.get(row.id)?.description?.includes('timeedit.net') ?? false;
          expect(row.time_edit_reservation_id).toBe(row.te_reservation_id);
          if (says) expect(row.te_reservation_id).not.toBeNull();
          seen[says ? 'named' : row.te_reservation_id === null ? 'none' : 'silent']++;
        }
      }
      for (const [how, count] of Object.entries(seen)) expect(count, how).toBeGreaterThan(0);
    } finally {
      await own.close();
    }
  });
});

describe('OP-14, OP-68 scope', () => {
  test('each call gives the same answer for an event in another account, a deleted one and an unknown one', async () => {
    const access = {
      admins: [
        {
          login: PEOPLE.custom,
          email: PEOPLE.custom,
          perm: 'CUSTOM',
          sub_accounts: '86',
          roles: '3',
          section_roles: '3',
          zoom_creation: true,
        },
      ],
    };
    const own = await startTestServer({ lms: server.sandbox, access });
    try {
      const bruno = await own.signIn(PEOPLE.custom);
      const [outside] = campus.courses(120);
      const inside = campus.quietCourse();
      const foreign = await campus.makeEvent(outside?.id ?? 0);
      const deleted = await campus.makeEvent(inside.id);
      await campus.api(`calendar_events/${deleted.id}`, { method: 'DELETE' });
      const mine = await campus.makeEvent(inside.id);
      const owner = { host: HOSTS.standard, visibility: 0 };
      const answers: string[] = [];
      for (const event of [foreign.id, deleted.id, 99_999_999]) {
        for (const [path, body] of [
          [ENDPOINTS.zoomUpdateOwner, { ...owner, calendar_event: event }],
          [ENDPOINTS.zoomMerge, { parentEvent: event, childEvents: [mine.id] }],
          [ENDPOINTS.zoomUnmerge, { event }],
        ] as const) {
          const response = await bruno.post(path, body);
          const { code, message, next } = (await response.json()).error;
          answers.push(JSON.stringify([response.status, code, message, next]));
        }
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('404');
      // Calls through the course give the same answer.
      const input = publishing({
        course: outside?.id ?? 0,
        events: [foreign.id],
        owner: HOSTS.standard,
        visible: false,
      });
      expect((await startChange(bruno, input)).status).toBe(404);
      expect((await bruno.post(ENDPOINTS.zoomPreview, input)).status).toBe(404);
      // An event in another course, named under a course in scope, does not belong to that course.
      const smuggled = await change(bruno, { ...input, course: inside.id });
      expect(smuggled.problem?.message).toBe('This event is no longer in the calendar of the course.');
      expect((await campus.event(foreign.id)).description).toBeNull();
      const url = lmsUrl('calendar-events', {}, [
        ['context_codes[]', `course_${outside?.id}`],
        ['start_date', '2026-11-22'],
        ['end_date', '2026-12-22'],
      ]);
      expect((await bruno.invoke(url)).status).toBe(404);
      // The pages arrive long before a course's scope is known, and stay on the server.
      const unseen = campus.courses(120)[1]?.id ?? 0;
      await campus.makeEvent(unseen);
      await campus.handle('requests?system=canvas', 'DELETE');
      const reach = await hold(server.sandbox, { match: `/api/v1/courses/${unseen}*` });
      const list = { url: url.replace(`course_${outside?.id}`, `course_${unseen}`), type: 'GET' };
      const asked = bruno.post(ENDPOINTS.invokePages, list);
      await expect.poll(eventsRead).toBeGreaterThan(0);
      await reach.letGo();
      const pages = await asked;
      expect([pages.status, (await pages.json()).error.code]).toEqual([404, 'not-found']);
    } finally {
      await own.close();
    }
  });

  test('events are requested while the course’s scope is still being checked', async () => {
    const { id: course } = campus.quietCourse();
    await campus.makeEvents(course, 2);
    const own = await startTestServer({ lms: server.sandbox });
    try {
      const browser = await own.signIn(PEOPLE.all);
      await campus.handle('requests?system=canvas', 'DELETE');
      const reach = await hold(server.sandbox, { match: `/api/v1/courses/${course}*` });
      const window: [string, string][] = [
        ['context_codes[]', `course_${course}`],
        ['start_date', new Date().toISOString().slice(0, 10)],
        ['end_date', new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)],
      ];
      const url = lmsUrl('calendar-events', {}, window);
      const answer = browser.post(ENDPOINTS.invokePages, { url, type: 'GET' });
      await reach.reached();
      await expect.poll(eventsRead).toBeGreaterThan(0);
      await reach.letGo();
      const [first = '{}'] = (await (await answer).text()).split('\n');
      expect((JSON.parse(first) as { data: unknown[] }).data).toHaveLength(2);
    } finally {
      await own.close();
    }
  });

  test('if Zoom is not set up, the answer says so', async () => {
    const none = Object.fromEntries(
      ['ACCOUNT_ID', 'CLIENT_ID', 'CLIENT_SECRET', 'API_URL', 'HOST', 'DEFAULT_OWNER'].map((name) => [
        `ZOOM_${name}`,
        '',
      ]),
    );
    const own = await startTestServer({ lms: server.sandbox, env: none });
    try {
      const browser = await own.signIn(PEOPLE.all);
      const response = await browser.fetch(ENDPOINTS.zoomSchedulers);
      expect([response.status, (await response.json()).error.message]).toEqual([502, 'Zoom is not set up.']);
    } finally {
      await own.close();
    }
  });
});
