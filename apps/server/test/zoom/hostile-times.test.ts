/**
 * Owners and meetings over a sequence of events: nothing is shown against the rules, and nothing in use is
 * removed.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobs, zoomEvents, zoomHostDays, zoomMeetings } from '../../src/platform/schema.ts';
import { createHostDays } from '../../src/zoom/host-days.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  type LmsEvent,
  numberIn,
  publishing,
  rowOf,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(async () => {
  await campus.clearFaults();
  await campus.handle('zoom/host-days', 'DELETE');
  await server.server.services.db.db.delete(zoomHostDays);
});

async function run(course: number) {
  const { db } = server.server.services.db;
  await db.update(jobs).set({ createdAt: sql`${jobs.createdAt} - interval '1 hour'` });
  const response = await alma.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 });
  return endOf(alma, job.parse((await response.json()).data).id);
}

describe('ZC-20, ZC-26 the default owner does not own anything that students see', () => {
  /** Creates an event with section times: for an existing section, and for one added later. */
  async function sectioned(course: number) {
    const { world } = server.sandbox;
    const [first] = [...world.sections.by.course.get(course)];
    const made = await campus.api(`courses/${course}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Evening' } },
    });
    const second = (await made.json()) as { id: number };
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const times = (id: number, hours: number) => ({
      context_code: `course_section_${id}`,
      start_at: at(hours),
      end_at: at(hours + 1),
    });
    const both = [times(first?.id ?? 0, 50), times(second.id, 60)];
    const event = await campus.makeEvent(course, { title: 'Tutorial', child_event_data: both.slice(0, 1) });
    return { event, both };
  }

  test('a run gives a section that is added later the owner of the other sections', async () => {
    const course = campus.quietCourse();
    const { event, both } = await sectioned(course.id);
    await change(alma, publishing({ course: course.id, events: [event.id] }));
    await campus.changeEvent(event.id, { child_event_data: both });
    expect((await run(course.id)).outcome).toBe('done');
    const { description } = await campus.event(event.id);
    const numbers = [...(description ?? '').matchAll(/"[^"]*\/j\/(\d+)/g)].map(([, number]) =>
      Number(number),
    );
    expect(new Set(numbers).size).toBe(2);
    for (const number of numbers) expect((await campus.meeting(number))?.host_email).toBe(HOSTS.alma);
  });

  test('if the event has no other sections, the run says so and creates nothing', async () => {
    const course = campus.quietCourse();
    const { event, both } = await sectioned(course.id);
    await change(alma, publishing({ course: course.id, events: [event.id] }));
    const [first] = both;
    // The event now belongs to the whole course and has no section events, but the link that was shown must
    // still be shown.
    await campus.changeEvent(event.id, {
      remove_child_events: true,
      start_at: first?.start_at,
      end_at: first?.end_at,
    });
    await campus.writes();
    const ended = await run(course.id);
    expect(ended.problem?.message ?? (await itemsOf(alma, ended.id))[0]?.message).toBeTruthy();
    expect((await campus.writes()).filter((write) => write.startsWith('POST'))).toEqual([]);
    const left = await campus.ours([HOSTS.standard]);
    expect(left.filter(({ topic }) => topic === 'Tutorial')).toEqual([]);
  });
});

describe('OP-64 events that are created again while a job waits', () => {
  test('the job continues with their replacements, each once', async () => {
    const course = campus.quietCourse();
    const named = (n: number) => ({
      title: `Seminar ${n}`,
      description: `<p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=91${course.id}${n}">Edit on TimeEdit</a></p>`,
    });
    const first = await campus.makeEvent(course.id, named(1));
    const second = await campus.makeEvent(course.id, named(2), 4);
    const day = new Date().toISOString().slice(0, 10);
    const { db } = server.server.services.db;
    await db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 99 });
    const input = publishing({ course: course.id, events: [first.id, second.id], owner: HOSTS.farid });
    const { id } = job.parse((await (await startChange(alma, input)).json()).data);
    await until(alma, id, ({ state }) => state === 'waiting');
    const again: LmsEvent[] = [];
    for (const [n, old] of [first, second].entries()) {
      await campus.api(`calendar_events/${old.id}`, { method: 'DELETE' });
      again.push(await campus.makeEvent(course.id, named(n + 1), 3 + n));
    }
    await db.delete(zoomHostDays);
    await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
    expect((await endOf(alma, id)).outcome).toBe('done');
    const waited = (await itemsOf(alma, id)).findIndex(
      ({ message }) => message !== null && !message.includes('host'),
    );
    expect(waited).toBeGreaterThanOrEqual(0);
    const shown = await Promise.all(again.map((event) => campus.event(event.id)));
    // The event done before has its link from the next run on; the one that waited has it already.
    expect(shown.flatMap(blocksIn)).toHaveLength(1);
    await run(course.id);
    const numbers = await Promise.all(
      again.map(async (event) => numberIn((await campus.event(event.id)).description)),
    );
    expect(new Set(numbers).size).toBe(2);
    const made = (await campus.ours([HOSTS.farid])).filter(({ topic }) => topic.startsWith('Seminar'));
    expect(new Set(made.map(({ id: number }) => number))).toEqual(new Set(numbers));
    expect(made).toHaveLength(2);
  });
});

describe('OP-104 around midnight UTC', () => {
  test('a limit that Zoom still reports for the previous day does not use up the new day', async () => {
    const { db } = server.server.services.db;
    let now = new Date('2026-11-23T00:00:01Z');
    const days = createHostDays(db, () => now);
    await days.full(HOSTS.farid);
    expect((await days.left([HOSTS.farid])).get(HOSTS.farid)).toBe(100);
    expect(days.nextDay().toISOString()).toBe('2026-11-23T00:01:00.000Z');
    now = new Date('2026-11-23T00:01:00Z');
    await days.full(HOSTS.farid);
    expect((await days.left([HOSTS.farid])).get(HOSTS.farid)).toBe(0);
    expect(days.nextDay().toISOString()).toBe('2026-11-24T00:00:00.000Z');
  });

  test('the hundredth change of a day is made once, however many requests ask for it at the same time', async () => {
    const { db } = server.server.services.db;
    const days = createHostDays(db, () => new Date('2026-11-23T12:00:00Z'));
    const taken = await Promise.all(Array.from({ length: 130 }, () => days.take(HOSTS.farid.toUpperCase())));
    expect(taken.filter(Boolean)).toHaveLength(100);
  });
});

describe('OP-104 a Zoom list that is delayed for longer than it is polled', () => {
  test('a duplicate created in the meantime is removed by a later run', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id, { title: 'Lagging long' });
    await campus.handle('zoom', 'PUT', { listLagMs: 600_000 });
    await campus.zoomFault({ method: 'POST', match: '*/meetings', kind: 'drop', when: 'after', count: 1 });
    const input = publishing({ course: course.id, events: [event.id], owner: HOSTS.farid });
    expect((await change(alma, input)).outcome).toBe('done');
    await campus.handle('zoom', 'PUT', { listLagMs: 0 });
    const made = async () =>
      (await campus.ours([HOSTS.farid])).filter(({ topic }) => topic === 'Lagging long');
    expect(await made()).toHaveLength(2);
    // A minute later.
    const { db } = server.server.services.db;
    const since = sql`jsonb_set(${zoomEvents.making}, '{since}', '"2026-01-01T00:00:00Z"')`;
    await db.update(zoomEvents).set({ making: since }).where(eq(zoomEvents.courseId, course.id));
    await run(course.id);
    const [only, ...more] = await made();
    expect(more).toEqual([]);
    expect(numberIn((await campus.event(event.id)).description)).toBe(only?.id);
    await campus.writes();
    await run(course.id);
    expect(await campus.writes()).toEqual([]);
  });
});

describe('links and meetings from elsewhere', () => {
  test('OP-72 a link from Zoom on another host is never shown', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    await change(alma, publishing({ course: course.id, events: [event.id], visible: false }));
    const { zoom_link: link } = await rowOf(alma, course.id, event.id);
    const { db } = server.server.services.db;
    for (const joinUrl of ['javascript:alert(1)', 'https://evil.example/j/81234567890']) {
      await db
        .update(zoomMeetings)
        .set({ joinUrl })
        .where(eq(zoomMeetings.number, numberIn(link)));
      const row = await rowOf(alma, course.id, event.id);
      expect([row.zoom_link, row.ics]).toEqual([null, null]);
    }
  });

  test('OP-102 a meeting whose agenda was edited in Zoom, or that another event links to by hand, is not removed', async () => {
    const course = campus.quietCourse();
    const [edited, linked] = (await campus.makeEvents(course.id, 2)) as [LmsEvent, LmsEvent];
    await change(alma, publishing({ course: course.id, events: [edited.id, linked.id] }));
    const numbers = await Promise.all(
      [edited, linked].map(async ({ id }) => numberIn((await campus.event(id)).description)),
    );
    await campus.zoom(`/meetings/${numbers[0]}`, 'PATCH', { agenda: 'Ours now' });
    const text = (await campus.event(linked.id)).description ?? '';
    const copy = await campus.makeEvent(course.id, {
      title: 'By hand',
      description: text.replaceAll('lms-admin-zoom', 'mine'),
    });
    // Alma's meetings cannot be transferred to Hugo, so each event gets a new one.
    await change(alma, publishing({ course: course.id, events: [edited.id, linked.id], owner: HOSTS.hugo }));
    for (const [n, { id }] of [edited, linked].entries()) {
      expect(numberIn((await campus.event(id)).description)).not.toBe(numbers[n]);
      expect(await campus.meeting(numbers[n] ?? 0)).not.toBeNull();
    }
    expect(numberIn((await campus.event(copy.id)).description)).toBe(numbers[1]);
  });

  test('OP-102 an old meeting in progress is removed later, even if there has been another owner in between', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    const of = (owner: string) => publishing({ course: course.id, events: [event.id], owner });
    const numbers: number[] = [];
    // None of these hosts lets the previous one schedule, so each change creates a new meeting.
    for (const owner of [HOSTS.alma, HOSTS.hugo, HOSTS.farid]) {
      await change(alma, of(owner));
      const number = numberIn((await campus.event(event.id)).description);
      numbers.push(number);
      if (owner !== HOSTS.farid) await campus.handle(`zoom/meetings/${number}/start`, 'POST');
    }
    const [first = 0, second = 0, third = 0] = numbers;
    expect(new Set(numbers).size).toBe(3);
    const there = async () => Promise.all(numbers.map(async (one) => (await campus.meeting(one)) !== null));
    expect(await there()).toEqual([true, true, true]);
    for (const number of [first, second]) await campus.handle(`zoom/meetings/${number}/end`, 'POST');
    await change(alma, of(HOSTS.farid));
    expect(await there()).toEqual([false, false, true]);
    expect(numberIn((await campus.event(event.id)).description)).toBe(third);
  });
});
