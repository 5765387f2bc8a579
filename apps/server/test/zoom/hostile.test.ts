/** Requests for other people's objects, and texts written by others: the same answers, no leaks, quick processing. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { audit, jobItems, jobs } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { blocksIn, change, endOf, HOSTS, publishing, rowOf, ZoomCampus } from './campus.ts';
import { saveQueue } from './run-support.ts';

const record = {
  zoom_update: true,
  zoom_creation: true,
  feature_permissions: { zoom_update_courses_delete: true },
};
const access = {
  admins: [
    { ...record, login: PEOPLE.all, email: PEOPLE.all, perm: 'ALL' },
    { ...record, login: PEOPLE.custom, email: PEOPLE.custom, perm: 'CUSTOM', sub_accounts: '86', roles: '3' },
  ],
};
const UNKNOWN = 99_999_999;

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
let bruno: Browser;
const logged: string[] = [];
beforeAll(async () => {
  server = await startTestServer({
    access,
    sandbox: { throttle: false },
    server: { log: createLog('trace', { write: (line: string) => void logged.push(line) }) },
  });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
  bruno = await server.signIn(PEOPLE.custom);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

/** Returns the text of a rejection, whatever it is about. */
async function said(response: Response, unlike: readonly number[] = []): Promise<string> {
  const { code, message, next } = errorEnvelope.parse(await response.json()).error;
  const text = JSON.stringify([response.status, code, message, next]);
  return unlike.reduce((left, id) => left.replaceAll(String(id), '#'), text);
}

describe('OP-14, OP-68 objects that the person can no longer access get the same answer as missing ones', () => {
  test("calendars of several courses, files, previews and merges that include someone else's event are rejected in the same way", async () => {
    const outside = campus.courses(120)[0]?.id ?? 0;
    const foreign = await campus.makeEvent(outside);
    const inside = campus.quietCourse();
    const [mine, gone] = await campus.makeEvents(inside.id, 2);
    await campus.api(`calendar_events/${gone?.id}`, { method: 'DELETE' });
    await change(bruno, publishing({ course: inside.id, events: [mine?.id ?? 0] }));
    const answers: string[][] = [];
    for (const [course, event] of [
      [outside, foreign.id],
      [UNKNOWN, UNKNOWN],
      [UNKNOWN, gone?.id ?? 0],
    ] as const) {
      const both = lmsUrl('calendar-events', {}, [
        ['context_codes[]', `course_${inside.id}`],
        ['context_codes[]', `course_${course}`],
        ['start_date', '2026-11-22'],
        ['end_date', '2026-12-22'],
      ]);
      const ics = (of: number) =>
        bruno.fetch(ENDPOINTS.zoomIcs.replace(':course', String(of)).replace(':event', String(event)));
      const publish = publishing({ course: inside.id, events: [event] });
      const merge = { change: 'merge', course: inside.id, parent: mine?.id, events: [event] };
      const preview = await (await bruno.post(ENDPOINTS.zoomPreview, publish)).text();
      answers.push([
        await said(await bruno.invoke(both)),
        await said(await ics(course)),
        await said(await ics(inside.id)),
        // The digest also covers the requested number.
        preview.replaceAll(String(event), '#').replace(/"digest":"[^"]*"/, ''),
        await said(await bruno.post(ENDPOINTS.zoomPreview, merge)),
        await said(
          await bruno.post(jobStartPath(ZOOM_CHANGE), {
            key: randomUUID(),
            input: { change: merge, digest: 'none' },
          }),
        ),
        await said(await bruno.post(ENDPOINTS.zoomMerge, { parentEvent: mine?.id, childEvents: [event] })),
        await said(await bruno.post(ENDPOINTS.zoomPreview, { ...publish, course })),
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[2]).toEqual(answers[1]);
    expect((await campus.event(foreign.id)).description).toBeNull();
  });

  test('a value that is not an event id is rejected before any call', async () => {
    await campus.handle('requests?system=canvas', 'DELETE');
    for (const event of [0, -1, 2 ** 53, 1.5, '', '0', '1e3', '12 or 1=1', null, {}, [7], '../7']) {
      for (const [path, body] of [
        [ENDPOINTS.zoomUpdateOwner, { host: HOSTS.alma, visibility: 1, calendar_event: event }],
        [ENDPOINTS.zoomMerge, { parentEvent: event, childEvents: [1] }],
        [ENDPOINTS.zoomUnmerge, { event }],
        [ENDPOINTS.zoomPreview, { change: 'unmerge', course: 7, event }],
      ] as const)
        expect((await alma.post(path, body)).status, `${path} ${JSON.stringify(event)}`).toBe(400);
    }
    const { requests } = await campus.handle<{ requests: { path: string }[] }>('requests?system=canvas');
    expect(requests.filter(({ path }) => path.includes('calendar_events'))).toEqual([]);
  });

  test("OP-62 a removal does not reveal whether someone else's course is in the queue", async () => {
    const [one = 0, other = 0] = campus.courses(120).map(({ id }) => id);
    expect((await saveQueue(alma, [one])).status).toBe(200);
    const answers: string[] = [];
    for (const id of [one, other, UNKNOWN])
      answers.push(await said(await saveQueue(bruno, [], { readCourseIds: [id] })));
    expect(answers[0]).toContain('404');
    expect(new Set(answers).size).toBe(1);
  });
});

describe('OP-103 text written by anyone', () => {
  test('hostile text remains text, is processed quickly, and no one is notified of a change', async () => {
    const course = campus.quietCourse();
    const title = '</div><script>alert("x")</script> \u202edesrever\u202c \'; DROP -- #N/A';
    const description = `<div class="lms-admin-zoom"><p>My own words</p></div><p>https://${'!'.repeat(100_000)}a</p>${'<div class="lms-admin-zoom">'.repeat(2_000)}`;
    const event = await campus.makeEvent(course.id, {
      title,
      description,
      location_name: 'Room\r\nATTACH:x',
    });
    const notices = (await campus.notices()).length;
    const done = await change(alma, publishing({ course: course.id, events: [event.id] }));
    expect([done.outcome, done.result]).toEqual(['done', { failed: [] }]);
    const shown = await campus.event(event.id);
    expect(blocksIn(shown)).toHaveLength(1);
    expect(shown.description).toContain('My own words');
    const row = await rowOf(alma, course.id, event.id);
    const file = await alma.fetch(row.ics ?? '');
    expect(file.headers.get('content-disposition')).not.toMatch(/[\r\n<>]/);
    const lines = (await file.text()).replaceAll('\r\n ', '').split('\r\n');
    expect(lines.filter((line) => line.startsWith('ATTACH'))).toEqual([]);
    await campus.writes();
    await change(alma, publishing({ course: course.id, events: [event.id] }));
    expect(await campus.writes()).toEqual([]);
    expect(await campus.notices()).toHaveLength(notices);
  });
});

describe('secrets are not revealed', () => {
  test('no log, job, audit log or metric contains a passcode, start link, token or secret', async () => {
    const course = campus.quietCourse();
    const events = await campus.makeEvents(course.id, 2);
    const input = publishing({ course: course.id, events: events.map(({ id }) => id) });
    await campus.zoomFault({ kind: 'status', status: 500, count: 1, method: 'POST', match: '*/meetings' });
    await change(alma, input);
    await change(alma, { ...input, owner: HOSTS.hugo, visible: false } as typeof input);
    const run = await alma.post(ENDPOINTS.zoomRun, { courseId: course.id, daysCount: 30 });
    await endOf(alma, (await run.json()).data.id);
    const { db } = server.server.services.db;
    const stored = JSON.stringify([
      await db.select().from(jobs),
      await db.select().from(jobItems),
      await db.select().from(audit),
    ]);
    const outside = await Promise.all(
      ['/metrics', '/readyz', '/healthz'].map(async (path) => (await fetch(server.url + path)).text()),
    );
    const told = [logged.join('\n'), stored, ...outside].join('\n');
    expect(logged.length).toBeGreaterThan(20);
    expect(told).not.toMatch(/pwd=|zak=|\/s\/\d{9}|start_url|sandbox-zoom-secret|Bearer [\w.-]{8}/);
    expect(told).not.toContain(Buffer.from('sandbox-zoom-client:sandbox-zoom-secret').toString('base64'));
  });

  test('the person comes from the session, not from the body; another site cannot start anything', async () => {
    const course = campus.quietCourse();
    const [event] = await campus.makeEvents(course.id, 1);
    const body = { host: HOSTS.alma, visibility: 1, calendar_event: event?.id };
    for (const path of [
      ENDPOINTS.zoomUpdateOwner,
      ENDPOINTS.zoomPreview,
      ENDPOINTS.zoomQueueUpdate,
      ENDPOINTS.zoomRun,
    ])
      expect(
        (
          await alma.fetch(path, {
            method: 'POST',
            origin: 'https://evil.example',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).status,
      ).toBe(403);
    const head = await alma.fetch(`${ENDPOINTS.zoomRun}?courseId=${course.id}&daysCount=30`, {
      method: 'HEAD',
    });
    expect([403, 404, 405]).toContain(head.status);
    const { db } = server.server.services.db;
    const labels = (await db.select().from(jobs)).map(({ label }) => label);
    expect(labels.filter((label) => label.includes(course.code))).toEqual([]);
  });
});
