/** Students never see a meeting owned by the placeholder, however an event got it (ZC-26, OP-70, OP-103). */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { ZOOM_RUN_REVIEW, zoomRunReview } from '@lms-admin/contract/zoom-runs';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { zoomEvents, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  publishing,
  rowOf,
  runOf,
  startChange,
  tableOf,
  until,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS, sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

const OF_SECTIONS =
  'It is no longer held separately for each section, but students still see the links of its sections, whose meetings may be at other times. Publish it with a host to give it one meeting.';
const at = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();

/** Creates two sections in a course, and returns times for them. */
async function twoSections(course: number) {
  const times: object[] = [];
  for (const [n, name] of ['Group A', 'Group B'].entries()) {
    const body = { course_section: { name } };
    const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
    const { id } = (await made.json()) as { id: number };
    const hours = 60 + 4 * n;
    times.push({ context_code: `course_section_${id}`, start_at: at(hours), end_at: at(hours + 1) });
  }
  return times;
}

/** Lists the hosts of the meetings to which an event leads. */
async function hostsIn(event: number): Promise<(string | undefined)[]> {
  const lines = blocksIn(await campus.event(event)).flatMap((one) => one.match(/<p .*?<\/p>/g) ?? []);
  const meetings = await Promise.all(lines.map((line) => campus.meeting(numberIn(line))));
  return meetings.map((meeting) => meeting?.host_email);
}

async function reviewOf(course: number) {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const { data } = await (await alma.post(jobStartPath(ZOOM_RUN_REVIEW), asked)).json();
  const { told } = zoomRunReview.parse((await endOf(alma, data.id)).result);
  return told.map(({ event, does, problem }) => [event, does, problem]);
}

describe('ZC-26 a published event with one section whose meeting belongs to the placeholder', () => {
  /**
   * Creates hidden meetings of the placeholder for two sections. One of them could not be transferred when
   * the event was published.
   */
  async function halfPublished() {
    const course = campus.quietCourse().id;
    const child_event_data = await twoSections(course);
    const event = (await campus.makeEvent(course, { title: 'Lab', child_event_data })).id;
    await runOf(server, alma, course);
    const [, second] = (await tableOf(alma, course)).filter((one) => one.parent_event_id === event);
    const number = numberIn(second?.zoom_link ?? '');
    expect(second?.zoom_owner).toBe(HOSTS.standard);
    const match = `/zoom/v2/meetings/${number}`;
    await campus.zoomFault({ match, method: 'PATCH', kind: 'status', status: 400, count: 1 });
    const { id } = await change(alma, publishing({ course, events: [event], owner: HOSTS.farid }));
    await campus.clearFaults();
    expect(await itemsOf(alma, id)).toMatchObject([{ state: 'failed' }]);
    return { course, event, number };
  }

  test('shows only the links of the others', async () => {
    const { event } = await halfPublished();
    expect(await hostsIn(event)).toEqual([HOSTS.farid]);
  });

  test('gets their host for that section in a run, as its review and its result say', async () => {
    const { course, event, number } = await halfPublished();
    expect(await reviewOf(course)).toEqual([[event, 'hand-over', null]]);
    const { job, items } = await runOf(server, alma, course);
    expect(items.map(({ message }) => message)).toEqual(['Meeting transferred, link shown to students.']);
    expect(job.figures).toEqual([
      ['events', 1],
      ['meetings transferred', 1],
      ['links shown', 1],
    ]);
    expect(await hostsIn(event)).toEqual([HOSTS.farid, HOSTS.farid]);
    expect((await campus.event(event)).description).toContain(`/${number}`);
    expect(await reviewOf(course)).toEqual([]);
  });
});

test('ZC-26 a published event that has lost its section times does not get the link of its hidden meeting', async () => {
  const course = campus.quietCourse().id;
  const event = (await campus.makeEvent(course, { title: 'Lecture' })).id;
  await runOf(server, alma, course);
  expect((await rowOf(alma, course, event)).zoom_owner).toBe(HOSTS.standard);
  await campus.changeEvent(event, { child_event_data: await twoSections(course) });
  await change(alma, publishing({ course, events: [event], owner: HOSTS.bruno }));
  await campus.changeEvent(event, { remove_child_events: true });
  expect(await reviewOf(course)).toEqual([[event, null, OF_SECTIONS]]);
  const { items } = await runOf(server, alma, course);
  expect(items).toMatchObject([{ state: 'failed', message: OF_SECTIONS }]);
  // The working links stay.
  expect(await hostsIn(event)).toEqual([HOSTS.bruno, HOSTS.bruno]);
});

test('ZC-26 OP-71 an unmerged event whose own meeting belongs to the placeholder is hidden', async () => {
  const course = campus.quietCourse().id;
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const child = (await campus.makeEvent(course, { title: 'Child' }, 4)).id;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid }));
  await change(alma, publishing({ course, events: [child], owner: HOSTS.standard, visible: false }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  expect(await hostsIn(child)).toEqual([HOSTS.farid]);
  expect((await change(alma, { change: 'unmerge', course, event: child })).outcome).toBe('done');
  expect(await hostsIn(child)).toEqual([]);
  await runOf(server, alma, course);
  expect(await hostsIn(child)).toEqual([]);
  expect(await rowOf(alma, course, child)).toMatchObject({ zoom_owner: HOSTS.standard, zoom_visibility: 0 });
  // The group loses nothing.
  expect(await hostsIn(main)).toEqual([HOSTS.farid]);
});

test('OP-104 if the placeholder’s daily limit is used up, the placeholder is named, and the new host loses nothing', async () => {
  const course = campus.quietCourse().id;
  const event = (await campus.makeEvent(course)).id;
  await runOf(server, alma, course);
  const meeting = (
    await server.server.services.db.db.select().from(zoomEvents).where(eq(zoomEvents.eventId, event))
  )[0]?.meeting;
  // Another program has used up the limit.
  for (let said = ''; !said.includes('daily'); ) {
    const { body } = await campus.zoom<{ message?: string } | null>(`/meetings/${meeting}`, 'PATCH', {
      topic: 'Changed elsewhere',
    });
    said = body?.message ?? '';
  }
  const asked = publishing({ course, events: [event], owner: HOSTS.hugo });
  const { data } = await (await startChange(alma, asked)).json();
  await until(alma, data.id, ({ state }) => state === 'waiting');
  const [item] = await itemsOf(alma, data.id);
  expect(item?.message).toMatch(/^lms\.admin@.* has used up today’s 100 changes in Zoom\.$/);
  const days = await server.server.services.db.db.select().from(zoomHostDays);
  expect(days.find(({ host }) => host === HOSTS.hugo)?.used ?? 0).toBeLessThan(10);
});
