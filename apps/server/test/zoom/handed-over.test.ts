/**
 * A transferred meeting stays transferred if a later step fails: the result and the table say so (OP-64,
 * OP-69, OP-103).
 */
import { zoomChangeResult } from '@lms-admin/contract/zoom';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
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
  await campus.handle('zoom', 'PUT', { limits: {} });
});

/** Sets alternative hosts after the transfer, in a separate call. */
const CO_HOSTS = { system: 'zoom', method: 'PATCH', match: '/zoom/v2/meetings/*', spares: 1 };

/**
 * Creates a hidden event with a meeting owned by the placeholder, and the change that gives it a host and an
 * alternative host.
 */
async function placed(owner: string) {
  const { id: course } = campus.quietCourse();
  const [event] = (await campus.makeEvents(course, 1)).map(({ id }) => id) as [number];
  await change(alma, publishing({ course, events: [event], owner: HOSTS.standard, visible: false }));
  const given = publishing({ course, events: [event], owner, co_hosts: [HOSTS.alma] });
  return { course, event, given };
}

/** Reads the meeting's owner in Zoom and in the table. */
async function hostsOf(course: number, event: number) {
  const { zoom_link, zoom_owner } = await rowOf(alma, course, event);
  return [(await campus.meeting(numberIn(zoom_link)))?.host_email, zoom_owner];
}

/** Waits halfway: the placeholder has changes left today, the new host has none. */
async function waitsAfterTransfer(owner: string) {
  const { id: other } = campus.quietCourse();
  const some = (await campus.makeEvents(other, 6)).map(({ id }) => id);
  await change(alma, publishing({ course: other, events: some, owner }));
  const all = await placed(owner);
  await campus.handle('zoom', 'PUT', { limits: { hostDay: 6 } });
  const { data } = await (await startChange(alma, all.given)).json();
  await until(alma, data.id, ({ state }) => state === 'waiting');
  return { ...all, job: data.id as string };
}

test('if Zoom rejects the alternative hosts, the event is partly done, and has its new host everywhere', async () => {
  const { course, event, given } = await placed(HOSTS.bruno);
  await campus.fault({ ...CO_HOSTS, kind: 'status', status: 400 });
  const ended = await change(alma, given);
  const { failed } = zoomChangeResult.parse(ended.result);
  expect(failed).toMatchObject([{ event, part: true }]);
  expect(ended.outcome).toBe('partly');
  expect(failed[0]?.message).toMatch(/The rest was done: meeting transferred/);
  expect(Object.fromEntries(ended.figures)).toMatchObject({
    'meetings transferred': 1,
    'events partly done': 1,
  });
  expect(await hostsOf(course, event)).toEqual([HOSTS.bruno, HOSTS.bruno]);
  // A repeat of the change completes the rest, and does not transfer the meeting again.
  await campus.clearFaults();
  const again = await change(alma, given);
  expect([again.outcome, Object.fromEntries(again.figures)['meetings transferred']]).toEqual([
    'done',
    undefined,
  ]);
});

test("if the change is cancelled while waiting for the new host's next day, the result says that the meeting was transferred", async () => {
  const { course, event, job } = await waitsAfterTransfer(HOSTS.farid);
  await cancelOf(alma, job);
  const ended = await endOf(alma, job);
  expect(zoomChangeResult.parse(ended.result).stopped).toMatchObject([{ event, part: true }]);
  expect(ended.note).toMatch(
    /^Cancelled: 0 of 1 event was done; 1 event was partly done and stays as it is: /,
  );
  expect((await itemsOf(alma, job)).map(({ message }) => message)).toEqual([
    'Cancelled after part of it was done.',
  ]);
  expect(Object.fromEntries(ended.figures)).toMatchObject({ 'meetings transferred': 1 });
  expect(await hostsOf(course, event)).toEqual([HOSTS.farid, HOSTS.farid]);
});

test("if the change is completed on the next day, the previous day's transfer is counted once", async () => {
  const { course, event, job } = await waitsAfterTransfer(HOSTS.hugo);
  const { db } = server.server.services.db;
  await campus.handle('zoom', 'PUT', { limits: {} });
  await db.delete(zoomHostDays);
  await db.update(jobs).set({ waitUntil: sql`now()` });
  const ended = await endOf(alma, job);
  expect([ended.outcome, Object.fromEntries(ended.figures)]).toEqual([
    'done',
    expect.objectContaining({ 'events done': 1, 'meetings transferred': 1, 'links shown': 1 }),
  ]);
  expect(await hostsOf(course, event)).toEqual([HOSTS.hugo, HOSTS.hugo]);
});

test('after a lost answer to the transfer, the result is unknown if the change is cancelled; otherwise the transfer counts once', async () => {
  const { event, given } = await placed(HOSTS.bruno);
  await campus.fault({ ...CO_HOSTS, kind: 'status', status: 500, count: 1000 });
  const { data } = await (await startChange(alma, given)).json();
  await until(alma, data.id, ({ waiting, state }) => waiting !== null || state === 'waiting');
  await cancelOf(alma, data.id);
  const ended = await endOf(alma, data.id);
  expect(zoomChangeResult.parse(ended.result).stopped).toMatchObject([{ event, part: false, unknown: true }]);
  expect(ended.note).toMatch(/1 event was started, with an unknown result/);

  await campus.clearFaults();
  const other = await placed(HOSTS.bruno);
  await campus.fault({ ...CO_HOSTS, kind: 'status', status: 500, count: 1 });
  const done = await change(alma, other.given);
  expect([done.outcome, Object.fromEntries(done.figures)]).toEqual([
    'done',
    expect.objectContaining({ 'meetings transferred': 1 }),
  ]);
});
