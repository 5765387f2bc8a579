/** What the review of a run announces is what the run then does, by what is in the LMS and in Zoom before and after (ZR-05, OP-60). */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { ZOOM_RUN_REVIEW, type ZoomRunReview, zoomRunReview } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, endOf, numberIn, publishing, runOf, ZoomCampus } from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

async function reviewOf(course: number): Promise<ZoomRunReview> {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const response = await alma.post(jobStartPath(ZOOM_RUN_REVIEW), asked);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return zoomRunReview.parse((await endOf(alma, body.data.id)).result);
}

test('ZR-05 OP-60 OP-102 the review writes nothing, and announces what the run does', async () => {
  const { id: course } = campus.quietCourse();
  const events = await campus.makeEvents(course, 4);
  const ids = events.map(({ id }) => id);
  const [lost = 0, kept = 0] = ids;
  await change(alma, publishing({ course, events: [lost, kept] }));
  const number = numberIn((await campus.event(lost)).description);
  await campus.zoom(`/meetings/${number}`, 'DELETE');
  const links = async () =>
    new Map(await Promise.all(ids.map(async (id) => [id, (await campus.event(id)).description] as const)));
  const meetings = async () => new Set((await campus.ours()).map(({ id }) => id));
  const [textsBefore, meetingsBefore] = [await links(), await meetings()];
  await campus.writes();
  const said = await reviewOf(course);
  expect(await campus.writes()).toEqual([]);
  expect(await meetings()).toEqual(meetingsBefore);
  await runOf(server, alma, course);
  const [textsAfter, meetingsAfter] = [await links(), await meetings()];
  const other = ids.filter((id) => textsBefore.get(id) !== textsAfter.get(id));
  expect(said.events).toBe(4);
  expect(said.told.filter(({ does }) => does === 'new-link').map(({ event }) => event)).toEqual(other);
  expect(
    said.told
      .filter(({ does }) => does === 'make')
      .map(({ event }) => event)
      .toSorted((a, b) => a - b),
  ).toEqual(ids.slice(2));
  expect(said.meetings.made).toBe([...meetingsAfter].filter((id) => !meetingsBefore.has(id)).length);
});
