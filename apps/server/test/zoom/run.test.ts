/**
 * Zoom Event Run: what one run does outside, and who can start it (requirements ZR, OP-60, OP-61, OP-103).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { shown as oneLine } from '@lms-admin/domain/timetable-feed';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetOldJobs } from '../../src/jobs/forget.ts';
import { audit, files as filesTable, jobs as jobsTable } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { orderOf, titleIn, ZoomCampus } from './campus.ts';
import { askByGet, type RunCampus, startRunCampus } from './run-support.ts';

let one: RunCampus;
let alma: Browser;
let bruno: Browser;
beforeAll(async () => {
  one = await startRunCampus();
  alma = await one.ts.signIn(PEOPLE.all);
  bruno = await one.ts.signIn(PEOPLE.custom);
});
afterAll(() => one.close());

const NOTHING = 'Nothing to do.';
const course = (index: number): number => one.courses[index] ?? 0;

/** Shows the links of events to students, as Zoom Creation does. */
async function publish(own: number, events: readonly number[]): Promise<void> {
  const input = {
    change: 'publish',
    course: own,
    events,
    owner: 'hugo.tan@northbridge.example',
    co_hosts: [],
    visible: true,
  };
  const response = await alma.post(jobStartPath(ZOOM_CHANGE), {
    key: randomUUID(),
    input: await orderOf(alma, input),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  expect((await one.ended(alma, data.id)).job.outcome).toBe('done');
}

async function* piecesOf(text: string) {
  yield text;
}

describe('a run', () => {
  test('ZR-01, OP-60 creates the missing meetings, and keeps a record of its work; a second run writes nothing', async () => {
    const first = await one.run(alma, course(0));
    expect(first.job).toMatchObject({ state: 'done', outcome: 'done', kind: 'zoom-run' });
    expect(first.items.length).toBeGreaterThan(2);
    const made = first.items.filter(({ message }) => message?.startsWith('Meeting created'));
    expect(made.length).toBeGreaterThan(1);
    expect(first.job.figures).toEqual(
      expect.arrayContaining([
        ['events', first.items.length],
        ['meetings created', expect.any(Number)],
      ]),
    );
    const records = (await one.records(course(0))).filter(({ meeting }) => meeting !== null);
    // Hidden, and owned by the default owner, until a person publishes them.
    for (const record of records) expect(record).toMatchObject({ visible: false, making: null });
    const hosts = new Set((await one.meetings()).map(({ hostEmail }) => hostEmail));
    expect([...hosts]).toEqual(['lms.admin@northbridge.example']);
    expect(await one.writes()).not.toContainEqual(expect.stringMatching(/calendar_events/));

    const [file] = first.job.files;
    expect(file?.name).toBe(`zoom-run-${course(0)}-30-days.json`);
    const path = ENDPOINTS.jobFile.replace(':job', first.job.id).replace(':file', file?.id ?? '');
    expect(await (await alma.fetch(path)).json()).toMatchObject({
      course: course(0),
      days: 30,
      queued: null,
      requested_by: PEOPLE.all,
    });

    await one.forget();
    const second = await one.run(alma, course(0));
    expect(second.job.id).not.toBe(first.job.id);
    expect(await one.writes()).toEqual([]);
    expect(second.items).toHaveLength(first.items.length);
    expect(second.items.filter(({ message }) => message === NOTHING).length).toBeGreaterThanOrEqual(
      made.length,
    );
    expect(second.job.figures).toEqual([['events', first.items.length]]);
    expect(second.job.note).toBe('Everything was already correct. Nothing was changed.');
  });

  test('OP-103 corrects differences such as moved events, removed and edited blocks, a meeting deleted in Zoom, another passcode', async () => {
    const own = one.plain.at(-1) ?? 0;
    await one.run(alma, own);
    const records = (await one.records(own))
      .filter(({ meeting, sectionId }) => meeting !== null && sectionId === 0)
      // An event in progress during the test keeps its time.
      .filter(({ startAt }) => (startAt?.getTime() ?? 0) > Date.now() + 7_200_000)
      .sort((a, b) => (a.startAt?.getTime() ?? 0) - (b.startAt?.getTime() ?? 0));
    expect(records.length).toBeGreaterThan(2);
    await publish(
      own,
      records.map(({ eventId }) => eventId),
    );
    await one.forget();
    await one.run(alma, own);
    expect(await one.writes()).toEqual([]);
    const [moved, edited, gone] = records;
    if (!moved || !edited || !gone) throw new Error('too few events');
    expect((await one.event(gone.eventId)).description).toContain('class="lms-admin-zoom"');

    // The event moves by an hour, and its description is overwritten. Another event's meeting is removed in
    // Zoom.
    const was = await one.event(moved.eventId);
    const later = (iso: string) => new Date(Date.parse(iso) + 3_600_000).toISOString();
    await one.campus.api(`calendar_events/${moved.eventId}`, {
      method: 'PUT',
      body: { calendar_event: { start_at: later(was.start_at), end_at: later(was.end_at) } },
    });
    await one.campus.api(`calendar_events/${edited.eventId}`, {
      method: 'PUT',
      body: { calendar_event: { description: '<p>Mine alone.</p>' } },
    });
    await one.zoom(`meetings/${gone.meeting}`, { method: 'DELETE' });
    await one.forget();
    const corrected = await one.run(alma, own);
    const about = (event: number) =>
      corrected.items.find((item) => titleIn(item) === titleOf(event))?.message;
    const titleOf = (event: number) => oneLine(records.find(({ eventId }) => eventId === event)?.title ?? '');
    expect(about(moved.eventId)).toBe('Meeting moved.');
    expect(about(edited.eventId)).toBe('Link put back into the event.');
    expect(about(gone.eventId)).toMatch(/^Meeting created, link renewed/);
    const writes = await one.writes();
    expect(writes.filter((line) => line.startsWith('PATCH'))).toEqual([
      `PATCH /zoom/v2/meetings/${moved.meeting}`,
    ]);
    expect(writes.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    expect(writes.filter((line) => line.startsWith('PUT')).sort()).toEqual(
      [edited, gone].map(({ eventId }) => `PUT /api/v1/calendar_events/${eventId}`).sort(),
    );
    const zoomSide = (await (await one.zoom(`meetings/${moved.meeting}`)).json()) as { start_time: string };
    expect(Date.parse(zoomSide.start_time)).toBe(Date.parse(later(was.start_at)));
    const kept = await one.event(edited.eventId);
    expect(kept.description).toMatch(/^<p>Mine alone\.<\/p>/);
    const anew = (await one.records(own)).find(({ id }) => id === gone.id);
    expect(anew?.meeting).not.toBe(gone.meeting);
    expect((await one.event(gone.eventId)).description).toContain(`/j/${anew?.meeting}`);

    // A passcode changed in Zoom changes the link.
    const link = /https?:[^"<]+/.exec(
      (await one.event(moved.eventId)).description.split('lms-admin-zoom')[1] ?? '',
    )?.[0];
    await one.zoom(`meetings/${moved.meeting}`, { method: 'PATCH', body: { password: 'n3wc0de' } });
    await one.forget();
    const renewed = await one.run(alma, own);
    expect(renewed.job.figures).toContainEqual(['links renewed', 1]);
    expect(await one.writes()).toEqual([`PUT /api/v1/calendar_events/${moved.eventId}`]);
    expect((await one.event(moved.eventId)).description).not.toContain(link ?? 'no link');
  });

  test('OP-64 loses no meeting when a synchroniser creates the events again', async () => {
    await one.run(alma, course(2));
    const before = (await one.records(course(2))).filter(({ reservationId }) => reservationId !== null);
    expect(before.length).toBeGreaterThan(1);
    const answer = await fetch(`${one.sandbox.url}/sandbox/timeedit/synchronise`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ course: course(2) }),
    });
    expect(answer.ok).toBe(true);
    await one.ts.server.services.timetable.refresh();
    await one.forget();
    const again = await one.run(alma, course(2));
    expect(again.job.outcome).toBe('done');
    const after = new Map((await one.records(course(2))).map((record) => [record.reservationId, record]));
    const stayed = before.filter(({ reservationId }) => after.get(reservationId)?.meeting != null);
    expect(stayed.length).toBeGreaterThan(1);
    for (const { reservationId, meeting } of stayed) expect(after.get(reservationId)?.meeting).toBe(meeting);
    // The run writes only changes from the timetable and new data.
    const made = (await one.writes()).filter((line) => line.startsWith('POST')).length;
    const count = again.job.figures.find(([words]) => words === 'meetings created')?.[1] ?? 0;
    expect(made).toBe(count);
  });

  test('names an event that was deleted in Canvas together with the meeting that stays in Zoom', async () => {
    const course = one.plain[3] ?? 0;
    const { items } = await one.run(alma, course);
    const [record] = (await one.records(course)).filter(({ meeting }) => meeting !== null);
    expect(items.length).toBeGreaterThan(1);
    await one.campus.api(`calendar_events/${record?.eventId}`, { method: 'DELETE' });
    await one.forget();
    const { job } = await one.run(alma, course);
    expect(job.note).toContain('1 meeting in Zoom is no longer used by any event');
    const { topic } = (await (await one.zoom(`meetings/${record?.meeting}`)).json()) as { topic: string };
    expect(job.note).toContain(`“${topic}” (meeting ${record?.meeting})`);
    // The meeting's owner, and people who have its link, are unknown, so it is not removed.
    expect(await one.writes()).toEqual([]);
    expect((await one.zoom(`meetings/${record?.meeting}`)).status).toBe(200);
  });

  test('names an event that fails, and continues with the others', async () => {
    await one.run(alma, course(3));
    const [record] = (await one.records(course(3))).filter(({ meeting }) => meeting !== null);
    if (!record) throw new Error('no meeting');
    await fetch(`${one.sandbox.url}/sandbox/zoom/meetings/${record.meeting}/start`, { method: 'POST' });
    const was = await one.event(record.eventId);
    await one.campus.api(`calendar_events/${record.eventId}`, {
      method: 'PUT',
      body: { calendar_event: { end_at: new Date(Date.parse(was.end_at) + 900_000).toISOString() } },
    });
    const { job, items } = await one.run(alma, course(3));
    expect(job.outcome).toBe('partly');
    expect(items.filter(({ state }) => state === 'failed')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('This meeting is running') }),
    ]);
    expect(job.figures).toContainEqual(['events that could not be updated', 1]);
    await fetch(`${one.sandbox.url}/sandbox/zoom/meetings/${record.meeting}/end`, { method: 'POST' });
    const after = await one.run(alma, course(3));
    expect(after.job.figures).toContainEqual(['meetings changed', 1]);
  });

  test('has a record that is deleted after a day if its job never started; other records stay', async () => {
    const { db, files } = one.ts.server.services;
    const { job } = await one.run(alma, course(0));
    const lost = randomUUID();
    const order = { jobId: lost, login: PEOPLE.all, name: 'order.json', type: 'application/json' };
    await files.write(order, piecesOf('{}'));
    await db.db.update(filesTable).set({ createdAt: new Date(Date.now() - 2 * 86_400_000) });
    await forgetOldJobs(db.db, files, []);
    expect(await files.ofJob(lost)).toEqual([]);
    expect(await files.ofJob(job.id)).toHaveLength(1);
  });

  test('succeeds for a course without events, and says so', async () => {
    const empty = one.campus.courses().find(({ id }) => !one.courses.includes(id));
    const { job } = await one.run(alma, empty?.id ?? 0);
    expect(job).toMatchObject({ outcome: 'done', note: 'There are no events in the next 30 days.' });
  });
});

describe('who can start a run', () => {
  test('OP-61 a GET starts a run only with the header that other sites cannot set, and is never cached', async () => {
    const without = await askByGet(alma, course(4), false);
    expect(without.status).toBe(403);
    expect(errorEnvelope.parse(await without.json()).error).toMatchObject({
      code: 'not-allowed',
      message: 'A run cannot be started by opening a link.',
    });
    const response = await askByGet(alma, course(4));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { data } = (await response.json()) as { data: { id: string; state: string } };
    expect(['queued', 'running', 'done']).toContain(data.state);
    await one.ended(alma, data.id);
    // The run belongs to the person in the session, whatever person the address names.
    const [line] = await one.ts.server.services.db.db
      .select()
      .from(audit)
      .where(eq(audit.event, 'job-started'))
      .then((lines) => lines.filter(({ detail }) => (detail as { job?: string }).job === data.id));
    expect(line).toMatchObject({ login: PEOPLE.all, tool: 'zoom-run' });
  });

  test('OP-61 the same request during a run joins that run, however it is sent', async () => {
    const asked = await Promise.all([
      askByGet(alma, course(5)),
      askByGet(alma, course(5)),
      alma.post(ENDPOINTS.zoomRun, { courseId: String(course(5)), daysCount: '30' }),
    ]);
    const ids = await Promise.all(
      asked.map(async (one) => ((await one.json()) as { data: { id: string } }).data.id),
    );
    expect(new Set(ids).size).toBe(1);
    // Another person's run is a separate one. They take turns on the course.
    const other = await bruno.post(ENDPOINTS.zoomRun, { courseId: course(5) });
    const otherId = ((await other.json()) as { data: { id: string } }).data.id;
    expect(ids).not.toContain(otherId);
    const [first, second] = await Promise.all([one.ended(alma, ids[0] ?? ''), one.ended(bruno, otherId)]);
    expect([first.job.outcome, second.job.outcome]).toEqual(['done', 'done']);
    const numbers = (await one.records(course(5))).flatMap(({ meeting }) => meeting ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(first.job.files).toHaveLength(1);
  });

  test('OP-61 one confirmation is one run, even after it has ended; a new confirmation picks up what has changed since', async () => {
    const ask = async (key: string, daysCount = 90) => {
      const response = await alma.post(ENDPOINTS.zoomRun, { courseId: course(6), daysCount, key });
      return ((await response.json()) as { data: { id: string } }).data.id;
    };
    const key = randomUUID();
    const [first, again] = await Promise.all([ask(key), ask(key)]);
    expect(again).toBe(first);
    await one.ended(alma, first);
    expect(await ask(key)).toBe(first);
    const event = await new ZoomCampus(one.campus.sandbox).makeEvent(course(6), { title: 'Added since' }, 2);
    const second = await ask(randomUUID());
    expect(second).not.toBe(first);
    await one.ended(alma, second);
    expect((await one.records(course(6))).some(({ eventId }) => eventId === event.id)).toBe(true);
    const third = await ask(randomUUID(), 60);
    expect([first, second]).not.toContain(third);
    expect((await one.ended(alma, third)).job.label).toContain('60 days');
  });

  test('OP-61 OP-104 a run that waits for another day does not prevent a new one', async () => {
    const ask = async () => {
      const response = await alma.post(ENDPOINTS.zoomRun, { courseId: course(4), daysCount: '60' });
      return ((await response.json()) as { data: { id: string } }).data.id;
    };
    const { db } = one.ts.server.services.db;
    const first = await ask();
    await one.ended(alma, first);
    const open = { outcome: null, endedAt: null, state: 'waiting' as const, waitWhy: 'The day of a host.' };
    const wait = async (ms: number) => {
      const waitUntil = new Date(Date.now() + ms);
      await db
        .update(jobsTable)
        .set({ ...open, waitUntil })
        .where(eq(jobsTable.id, first));
    };
    await wait(30_000);
    expect(await ask()).toBe(first);
    await wait(3_600_000);
    const second = await ask();
    expect(second).not.toBe(first);
    expect((await one.ended(alma, second)).job.outcome).toBe('done');
    const done = { outcome: 'done' as const, endedAt: new Date(), state: 'done' as const };
    await db.update(jobsTable).set(done).where(eq(jobsTable.id, first));
  });

  test('OP-14 a course out of scope gives the same answer as a missing one', async () => {
    const outside = one.campus.course(0, 163).id;
    const answers = [];
    for (const id of [outside, 99_999_999]) {
      const response = await bruno.post(ENDPOINTS.zoomRun, { courseId: id });
      const { error } = errorEnvelope.parse(await response.json());
      answers.push({ status: response.status, message: error.message, next: error.next });
    }
    expect(answers[0]).toMatchObject({ status: 404, message: 'The course was not found.' });
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each(['', 'MBA-1', '12x', '0', '-3'])('ZR-12 “%s” is not a course', async (id) => {
    expect((await askByGet(alma, id)).status).toBe(400);
  });

  test('ZR-08 any other number of days is rejected', async () => {
    expect((await alma.post(ENDPOINTS.zoomRun, { courseId: course(0), daysCount: 45 })).status).toBe(400);
  });
});
