/** After a rejected, waiting or cancelled change, table and preview show what students see (OP-69, OP-102, OP-103). */
import { type ZoomChange, zoomChangeResult } from '@lms-admin/contract/zoom';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  cancelOf,
  change,
  endOf,
  HOSTS,
  numberIn,
  previewOf,
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
  await server.server.services.db.db.delete(zoomHostDays);
});

const refuse = (event: number | '*') =>
  campus.handle('faults', 'POST', {
    method: 'PUT',
    match: `/api/v1/calendar_events/${event}`,
    kind: 'status',
    status: 403,
  });
/** Reads the number of the meeting to which an event leads students, and that in the table. */
async function seen(course: number, id: number) {
  const row = await rowOf(alma, course, id);
  return {
    lms: numberIn((await campus.event(id)).description),
    table: row.zoom_visibility === 1 ? numberIn(row.zoom_link ?? null) : 0,
    parent: row.zoom_parent_id,
  };
}

async function published(owners: string[]) {
  const course = campus.quietCourse().id;
  const ids: number[] = [];
  for (const [n, owner] of owners.entries()) {
    const { id } = await campus.makeEvent(course, { title: `Session ${n + 1}` }, 2 + n);
    await change(alma, publishing({ course, events: [id], owner }));
    ids.push(id);
  }
  return { course, ids: ids as [number, number] };
}

describe('if Canvas rejects', () => {
  test('hiding a link, the event is shown as published, the preview says that the link will be hidden, and hiding works later', async () => {
    const { course, ids } = await published([HOSTS.alma]);
    const [id] = ids;
    const before = await seen(course, id);
    expect(before.lms).toBe(before.table);
    const hiding = publishing({ course, events: [id], visible: false });
    await refuse(id);
    expect((await change(alma, hiding)).outcome).toBe('failed');
    expect(await seen(course, id)).toEqual(before);
    expect(await previewOf(alma, hiding)).toMatchObject({ disappear: 1, links: [] });
    await campus.clearFaults();
    expect((await change(alma, hiding)).outcome).toBe('done');
    expect(await seen(course, id)).toEqual({ lms: 0, table: 0, parent: null });
  });

  test('showing a link, the event is not shown as published, and showing works later', async () => {
    const course = campus.quietCourse().id;
    const { id } = await campus.makeEvent(course);
    const input = publishing({ course, events: [id] });
    await refuse(id);
    const refused = await change(alma, input);
    expect([refused.outcome, refused.figures]).toEqual([
      'partly',
      [
        ['events done', 0],
        ['meetings created', 1],
        ['events partly done', 1],
      ],
    ]);
    expect(await seen(course, id)).toMatchObject({ lms: 0, table: 0 });
    expect(await previewOf(alma, input)).toMatchObject({ make: 0, appear: 1 });
    await campus.clearFaults();
    expect((await change(alma, input)).outcome).toBe('done');
    const after = await seen(course, id);
    expect([after.lms > 0, after.table]).toEqual([true, after.lms]);
  });

  test('merging or unmerging, the event is unchanged, and both work later', async () => {
    const { course, ids } = await published([HOSTS.alma, HOSTS.bruno]);
    const [main, child] = ids;
    const merge: ZoomChange = { change: 'merge', course, parent: main, events: [child] };
    const unmerge: ZoomChange = { change: 'unmerge', course, event: child };
    const own = await seen(course, child);
    const shared = { ...(await seen(course, main)), parent: main };
    const refused = async (asked: ZoomChange) => {
      await refuse(child);
      expect((await change(alma, asked)).outcome).toBe('failed');
      await campus.clearFaults();
    };
    await refused(merge);
    expect(await seen(course, child)).toEqual(own);
    expect((await change(alma, merge)).outcome).toBe('done');
    expect(await seen(course, child)).toEqual(shared);
    await refused(unmerge);
    expect(await seen(course, child)).toEqual(shared);
    expect((await previewOf(alma, unmerge)).links).toMatchObject([{ event: child, to: HOSTS.bruno }]);
    expect((await change(alma, unmerge)).outcome).toBe('done');
    expect(await seen(course, child)).toEqual(own);
  });

  test('changing one of the merged events, the others are changed, and that one is named', async () => {
    const { course, ids } = await published([HOSTS.alma, HOSTS.alma, HOSTS.alma]);
    const [main, one, other] = ids as readonly number[] as [number, number, number];
    await change(alma, { change: 'merge', course, parent: main, events: [one, other] });
    const hiding = publishing({ course, events: [main], visible: false });
    await refuse(one);
    const failed = await change(alma, hiding);
    expect(zoomChangeResult.parse(failed.result).failed).toMatchObject([
      {
        event: main,
        part: true,
        message: expect.stringMatching(
          /^“Session 2”, which is merged with it: The LMS does not allow this event to be changed\. Ask IT Support to check the permissions\. The rest was done: link hidden from students\./,
        ),
      },
    ]);
    const links = () => Promise.all([main, one, other].map(async (id) => (await seen(course, id)).lms > 0));
    expect(await links()).toEqual([false, true, false]);
    await campus.clearFaults();
    expect((await change(alma, hiding)).outcome).toBe('done');
    expect(await links()).toEqual([false, false, false]);
  });
});

describe('an unmerge that waits for the former host’s next day', () => {
  /**
   * Creates a merged event that was moved in the meantime, so that its own meeting has to change; the daily
   * limit of its host is used up.
   */
  async function used() {
    const { course, ids } = await published([HOSTS.alma, HOSTS.hugo]);
    const [main, child] = ids;
    await change(alma, { change: 'merge', course, parent: main, events: [child] });
    const merged = await seen(course, child);
    const start = Math.floor((Date.now() + 5 * 86_400_000) / 3_600_000) * 3_600_000;
    const at = (ms: number) => new Date(ms).toISOString();
    await campus.changeEvent(child, { start_at: at(start), end_at: at(start + 5_400_000) });
    const day = new Date().toISOString().slice(0, 10);
    await server.server.services.db.db.delete(zoomHostDays);
    await server.server.services.db.db.insert(zoomHostDays).values({ host: HOSTS.hugo, day, used: 100 });
    return { course, child, merged, unmerge: { change: 'unmerge', course, event: child } as const };
  }

  test('is announced; the event stays merged while it waits, and after it is cancelled', async () => {
    const { course, child, merged, unmerge } = await used();
    const said = await previewOf(alma, unmerge);
    expect(said.hosts).toMatchObject([{ email: HOSTS.hugo, needed: 1, left: 0, wait: 1 }]);
    expect(said.update).toBe(1);
    const { data } = await (await startChange(alma, unmerge)).json();
    await until(alma, data.id, ({ state }) => state === 'waiting');
    expect(await seen(course, child)).toEqual(merged);
    await cancelOf(alma, data.id);
    const ended = await endOf(alma, data.id);
    expect(ended.problem?.message ?? ended.note).toBe(
      'Cancelled: 0 of 1 event was done; 1 event was not started.',
    );
    expect(await seen(course, child)).toEqual(merged);
    await server.server.services.db.db.delete(zoomHostDays);
    expect((await change(alma, unmerge)).outcome).toBe('done');
    expect((await seen(course, child)).parent).toBeNull();
  });
});
