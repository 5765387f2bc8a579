/** The days that a run covers, and its messages about events that cannot have a meeting (ZR-08, OP-60). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, HOSTS, numberIn, publishing, reviewOf, runOf, titleIn, ZoomCampus } from './campus.ts';
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

const DAY = 86_400_000;

/** Returns the date at a point in time in this time zone. */
const dayIn = (ms: number, timeZone: string) => new Date(ms).toLocaleDateString('sv-SE', { timeZone });

/** Returns the last minute of a day in a time zone. */
function endOfDay(ms: number, zone: string): number {
  let at = Math.floor(ms / 60_000) * 60_000;
  while (dayIn(at + 60_000, zone) === dayIn(ms, zone)) at += 60_000;
  return at;
}

test('ZR-08 OP-60 the last day of a run counts until its end in the course’s zone, in the review and in the run', async () => {
  const { id: course } = campus.quietCourse();
  const zone = server.sandbox.world.courses.get(course)?.time_zone ?? 'UTC';
  const last = Date.now() + 30 * DAY;
  const lastMinute = endOfDay(last, zone);
  const make = (title: string, at: number) =>
    campus.makeEvent(course, {
      title,
      start_at: new Date(at).toISOString(),
      end_at: new Date(at + 3_600_000).toISOString(),
    });
  await make('Last evening', lastMinute);
  await make('The day after', lastMinute + 120_000);
  const said = await reviewOf(alma, course);
  expect(said.until).toEqual({ day: dayIn(last, zone), zone });
  expect(said.told.map(({ title, does }) => [title, does])).toEqual([['Last evening', 'make']]);
  const { items } = await runOf(server, alma, course);
  expect(items.map((item) => [titleIn(item), item.message])).toEqual([['Last evening', 'Meeting created.']]);
});

test('ZR-05 OP-60 for an event without a date, or an all-day one, the review says that students see its copied link', async () => {
  const { id: course } = campus.quietCourse();
  const [source = 0, undated = 0, allDay = 0] = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [source] }));
  const { description, location_address } = await campus.event(source);
  await campus.changeEvent(undated, { description, start_at: null, end_at: null });
  await campus.changeEvent(allDay, { description, location_address, all_day: true });
  const words = new Map([
    [undated, 'This event has no date. Set one in the LMS, and try again. Students still see its link.'],
    [allDay, 'This event lasts all day. Set a time in the LMS, and try again. Students still see its link.'],
  ]);
  const said = await reviewOf(alma, course);
  expect(new Map(said.told.map((one) => [one.event, one.unfit]))).toEqual(words);
  expect(said.told.map(({ does, problem }) => [does, problem])).toEqual([
    [null, null],
    [null, null],
  ]);
  const { job, items } = await runOf(server, alma, course);
  expect([job.outcome, Object.fromEntries(job.figures)['events that cannot have a meeting']]).toEqual([
    'done',
    2,
  ]);
  expect(new Set(items.map(({ message }) => message))).toEqual(
    new Set(['Nothing to do.', ...words.values()]),
  );
  expect(numberIn((await campus.event(undated)).description)).toBeGreaterThan(0);
});

test('ZR-05 OP-60 the result names as many events without a meeting as the review, including one that loses its link', async () => {
  const { id: course } = campus.quietCourse();
  const [lost = 0, other = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [lost, other], owner: HOSTS.bruno }));
  await campus.changeEvent(lost, { all_day: true });
  await campus.changeEvent(other, { all_day: true });
  await change(alma, publishing({ course, events: [other], owner: HOSTS.bruno, visible: false }));
  await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'inactive' });
  try {
    const { told } = await reviewOf(alma, course);
    expect(told.map(({ event, does, unfit }) => [event, does, unfit !== null])).toEqual([
      [lost, 'no-link', true],
      [other, null, true],
    ]);
    const { job } = await runOf(server, alma, course);
    expect(Object.fromEntries(job.figures)).toMatchObject({
      'links removed': 1,
      'events that cannot have a meeting': 1,
    });
  } finally {
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'active' });
  }
});
