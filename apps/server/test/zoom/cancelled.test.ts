/** A cancelled save or run stops before the next meeting, and still reports what was done (OP-64, OP-69). */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type JobDetail, job } from '@lms-admin/contract/jobs';
import { ZOOM_CHANGE, type ZoomChange, zoomChangeResult } from '@lms-admin/contract/zoom';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Cancelled, type JobWork } from '../../src/jobs/kind.ts';
import { eachEvent } from '../../src/zoom/cancelled.ts';
import { keptIn } from '../../src/zoom/change-outcome.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import {
  blocksIn,
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  orderOf,
  publishing,
  rowOf,
  runOf,
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
afterEach(() => campus.clearFaults());

const MADE = { method: 'POST', match: '/zoom/v2/users/*/meetings' };

/** Counts the meetings requested from Zoom since the log was last read. */
async function askedToMake(): Promise<number> {
  const { requests } = await campus.handle<{ requests: { method: string; path: string }[] }>(
    'requests?system=zoom',
  );
  return requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/meetings')).length;
}

/** Starts work, and cancels it while Zoom is creating the meeting that follows this many others. */
async function cancelledAfter(count: number, start: () => Promise<Response>): Promise<JobDetail> {
  await campus.writes();
  const next = await hold(server.sandbox, { system: 'zoom', ...MADE, spares: count });
  const { id } = job.parse((await (await start()).json()).data);
  await next.reached();
  await cancelOf(alma, id);
  await next.letGo();
  return endOf(alma, id);
}

/** Prepares a change, and returns the function that starts it. Faults can be set in between. */
async function saving(input: ZoomChange): Promise<() => Promise<Response>> {
  const order = await orderOf(alma, input);
  return () => alma.post(jobStartPath(ZOOM_CHANGE), { key: randomUUID(), input: order });
}

const links = async (ids: readonly number[]) =>
  new Map(await Promise.all(ids.map(async (id) => [id, blocksIn(await campus.event(id)).join('')] as const)));

test('OP-64 OP-69 a cancelled save does not start another meeting, and its result names what is done and what is not', async () => {
  const { id: course } = campus.quietCourse();
  const events = await campus.makeEvents(course, 9);
  const ids = events.map(({ id }) => id);
  const ended = await cancelledAfter(3, await saving(publishing({ course, events: ids })));
  const made = await askedToMake();
  // The meeting in progress is completed.
  expect(made).toBeLessThan(ids.length);
  const { stopped } = zoomChangeResult.parse(ended.result);
  const seen = await links(ids);
  const shown = ids.filter((id) => seen.get(id) !== '');
  expect([ended.outcome, stopped.map(({ event }) => event).toSorted((a, b) => a - b)]).toEqual([
    'cancelled',
    ids.filter((id) => !shown.includes(id)),
  ]);
  expect(shown.length).toBe(made);
  expect(ended.note).toBe(`Cancelled: ${made} of 9 events were done; ${9 - made} events were not started.`);
  expect(Object.fromEntries(ended.figures)).toMatchObject({ 'meetings created': made, 'links shown': made });
  for (const { event, part } of stopped) {
    const { zoom_visibility: visibility, zoom_link: link } = await rowOf(alma, course, event);
    expect([part, visibility, link]).toEqual([false, 0, null]);
  }
  const lines = (await itemsOf(alma, ended.id)).filter(({ state }) => state === 'todo');
  expect(new Set(lines.map(({ message }) => message))).toEqual(
    new Set(['Cancelled before anything was changed.']),
  );
  // A repeat of the change completes the rest, and creates nothing twice.
  await campus.clearFaults();
  expect((await change(alma, publishing({ course, events: ids }))).outcome).toBe('done');
  expect(await askedToMake()).toBe(ids.length);
});

test('OP-64 OP-66 the remaining sections of an event with section times are not started, and students see nothing half done', async () => {
  const { id: course } = campus.quietCourse();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = [0, 1, 2, 3].map((n) => ({ start_at: at(50 + n), end_at: at(50.5 + n) }));
  const child_event_data = await campus.sectionsAt(course, times);
  const { id } = await campus.makeEvent(course, { title: 'By section', child_event_data });
  const input = publishing({ course, events: [id], owner: HOSTS.bruno });
  const ended = await cancelledAfter(1, await saving(input));
  const made = await askedToMake();
  expect(made).toBeLessThan(times.length);
  expect([ended.outcome, zoomChangeResult.parse(ended.result).stopped]).toEqual([
    'cancelled',
    [expect.objectContaining({ event: id, part: true })],
  ]);
  expect(ended.note).toMatch(
    /^Cancelled: 0 of 1 event was done; 1 event was partly done and stays as it is: “By section” \(.*\)\.$/,
  );
  expect((await links([id])).get(id)).toBe('');
  expect((await itemsOf(alma, ended.id)).map(({ message }) => message)).toEqual([
    `Cancelled after part of it was done: ${made === 1 ? 'meeting' : `${made} meetings`} created.`,
  ]);
});

test("OP-64 OP-103 if a published event's host had changed when the save was cancelled, it has the new link and no meeting is left over", async () => {
  const { id: course } = campus.quietCourse();
  const ids = (await campus.makeEvents(course, 6)).map(({ id }) => id);
  await change(alma, publishing({ course, events: ids }));
  const before = await links(ids);
  const asked = publishing({ course, events: ids, owner: HOSTS.hugo });
  const ended = await cancelledAfter(1, await saving(asked));
  const after = await links(ids);
  const other = ids.filter((id) => before.get(id) !== after.get(id));
  const { stopped } = zoomChangeResult.parse(ended.result);
  expect([ended.outcome, other.length]).toEqual(['cancelled', await askedToMake()]);
  expect(stopped.map(({ event, part }) => [event, part])).toEqual(
    ids.filter((id) => !other.includes(id)).map((id) => [id, false]),
  );
  const numbers = [...after.values()].map(numberIn);
  expect((await campus.ours([HOSTS.alma, HOSTS.hugo])).map(({ id }) => id)).toEqual(
    expect.arrayContaining(numbers),
  );
  for (const id of other) expect(await campus.meeting(numberIn(before.get(id) ?? ''))).toBeNull();
});

test('OP-64 ZR-01 a cancelled run does not start another meeting, and says how many events it has checked', async () => {
  const { id: course } = campus.quietCourse();
  const ids = (await campus.makeEvents(course, 8)).map(({ id }) => id);
  const ended = await cancelledAfter(2, () =>
    alma.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 }),
  );
  const made = await askedToMake();
  expect(made).toBeLessThan(ids.length);
  const { items } = ended;
  expect(ended.note).toMatch(
    new RegExp(`^Cancelled: ${made} of 8 events were checked; ${8 - made} events were not started\\.$`),
  );
  expect([ended.outcome, items?.done]).toEqual(['cancelled', made]);
  expect(Object.fromEntries(ended.figures)).toMatchObject({ 'meetings created': made });
  await campus.clearFaults();
  await runOf(server, alma, course);
  expect(await askedToMake()).toBe(ids.length);
});

test('OP-64 ZR-01 a cancelled run counts an event that could not be updated as checked, and says how many events were not started', async () => {
  const { id: course } = campus.quietCourse();
  const ids = (await campus.makeEvents(course, 8)).map(({ id }) => id);
  await change(alma, publishing({ course, events: ids.slice(0, 1), owner: HOSTS.farid }));
  await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { status: 'inactive' });
  try {
    const ended = await cancelledAfter(2, () =>
      alma.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 }),
    );
    const { items } = ended;
    const checked = (items?.done ?? 0) + (items?.failed ?? 0);
    expect([ended.outcome, items?.failed]).toEqual(['cancelled', 1]);
    expect(checked).toBeLessThan(ids.length);
    expect(ended.note).toMatch(
      new RegExp(
        `^Cancelled: ${checked} of 8 events were checked; 1 event could not be updated; ${8 - checked} events were not started\\.`,
      ),
    );
  } finally {
    await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { status: 'active' });
  }
});

test('OP-64 OP-103 a cancelled save removes the former meeting that only the text of the last event named, and says so', async () => {
  const { id: course } = campus.quietCourse();
  const ids = (await campus.makeEvents(course, 16)).map(({ id }) => id);
  const [from = 0, to = 0] = ids;
  await change(alma, publishing({ course, events: ids }));
  const old = numberIn((await campus.event(from)).description);
  await campus.changeEvent(to, { description: (await campus.event(from)).description });
  // The copy still exists when the event with the meeting is done.
  const copy = { match: `/api/v1/calendar_events/${to}`, method: 'PUT' };
  const start = await saving(publishing({ course, events: ids, owner: HOSTS.hugo }));
  const [slow, next] = [
    await hold(server.sandbox, copy),
    await hold(server.sandbox, { system: 'zoom', ...MADE, spares: 12 }),
  ];
  const { id } = job.parse((await (await start()).json()).data);
  await Promise.all([slow.reached(), next.reached()]);
  await expect.poll(async () => (await itemsOf(alma, id))[0]?.state).toBe('done');
  await cancelOf(alma, id);
  await slow.letGo();
  await next.letGo();
  const ended = await endOf(alma, id);
  expect(ended.outcome).toBe('cancelled');
  expect(await campus.meeting(old)).toBeNull();
  expect(ended.note).toContain(
    `1 meeting is no longer used and was removed in Zoom: meeting ${old} of “Session 1”`,
  );
});

test('a job of an earlier version, which did not record the events under way: the messages still say which are partly done', async () => {
  const { stopped } = keptIn({ begun: { 12: true } });
  const messages = new Map<number, string>();
  const message = 'Cancelled after part of it was done: meeting created.';
  const items = {
    each: async () => Promise.reject(new Cancelled('')),
    counts: async () => ({ todo: 2, doing: 0, done: 0, failed: 0, unknown: 0 }),
    rest: async () => [1, 2, 3].map((seq) => ({ seq, state: 'todo', message: seq === 3 ? null : message })),
    reword: async (words: ReadonlyMap<number, string>) => {
      for (const [seq, text] of words) messages.set(seq, text);
    },
  };
  const work = { items, cancel: AbortSignal.abort(), save: async () => {} } as unknown as JobWork;
  const each = { requireAccess: async () => {}, do: async () => ({ state: 'done' as const }) };
  const outcome = { note: 'Cancelled.', figures: [], begun: new Set([1]) };
  const cancelled = eachEvent(work, each, async () => ({
    ...outcome,
    stopped: new Set(Object.keys(stopped).map(Number)),
  }));
  await expect(cancelled).rejects.toThrow('Cancelled.');
  expect([...messages]).toEqual([
    [1, 'Cancelled after part of it was done.'],
    [2, 'Cancelled before anything was changed.'],
  ]);
});
