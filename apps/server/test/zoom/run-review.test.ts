/** A run does what its review announces, according to the LMS and Zoom before and after (ZR-05, OP-60). */
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
  const said = await reviewOf(alma, course);
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

/** Creates a published event in a course, and one with section times that is merged with it. */
async function mergedBySection() {
  const { id: course } = campus.quietCourse();
  const [section] = [...server.sandbox.world.sections.by.course.get(course)];
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = { context_code: `course_section_${section?.id}`, start_at: at(50), end_at: at(51) };
  const child = (await campus.makeEvent(course, { title: 'Tutorial', child_event_data: [times] })).id;
  await change(alma, publishing({ course, events: [main] }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  return { course, main, child, number: numberIn((await campus.event(main)).description) };
}

test('ZR-05 OP-71 the review does not ask people to remove a deleted main event’s meeting that others still use, but reports its change', async () => {
  const { course, main, child, number } = await mergedBySection();
  await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
  const said = await reviewOf(alma, course);
  expect([said.note, said.told.map(({ event, does }) => [event, does])]).toEqual([null, [[child, 'change']]]);
  const { job } = await runOf(server, alma, course);
  expect(job.note).toBeNull();
  expect(job.figures).toContainEqual(['meetings moved', 1]);
  expect(numberIn((await campus.event(child)).description)).toBe(number);
});

test('ZR-05 the review does not ask people to remove the meeting of an event that is now in another course; the meeting of a deleted one is named', async () => {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const events = await campus.makeEvents(course, 3);
  const [moved = 0, deleted = 0, stays = 0] = events.map(({ id }) => id);
  await change(alma, publishing({ course, events: [moved, deleted, stays] }));
  const number = numberIn((await campus.event(deleted)).description);
  await campus.changeEvent(moved, { context_code: `course_${other}` });
  await campus.api(`calendar_events/${deleted}`, { method: 'DELETE' });
  const words = `1 meeting in Zoom is no longer used by any event: “Session 2” (meeting ${number}). In Zoom, remove those that you do not need.`;
  expect((await reviewOf(alma, course)).note).toBe(words);
  expect((await runOf(server, alma, course)).job.note).toContain(words);
  // Another user has copied its link into an existing event.
  const { description } = await campus.event(stays);
  const link = `<p>See https://zoom.example/j/${number}</p>`;
  await campus.changeEvent(stays, { description: `${link}${description}` });
  expect((await reviewOf(alma, course)).note).toBeNull();
});

test("ZR-05 OP-64 the review does not ask people to remove a deleted event's meeting that has already been removed in Zoom", async () => {
  const { id: course } = campus.quietCourse();
  const [deleted = 0, stays = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [deleted, stays] }));
  const number = numberIn((await campus.event(deleted)).description);
  await campus.api(`calendar_events/${deleted}`, { method: 'DELETE' });
  expect((await runOf(server, alma, course)).job.note).toContain(`(meeting ${number})`);
  expect((await campus.zoom(`/meetings/${number}`, 'DELETE')).status).toBe(204);
  expect((await reviewOf(alma, course)).note).toBeNull();
  expect((await runOf(server, alma, course)).job.note).toBe(
    'Everything was already correct. Nothing was changed.',
  );
});

test('ZR-05 OP-60 review and run name an event that cannot have a meeting, and do not say that everything is as it should be', async () => {
  const { id: course } = campus.quietCourse();
  const [plain, allDay, shown] = (await campus.makeEvents(course, 3)).map(({ id }) => id) as [
    number,
    number,
    number,
  ];
  await campus.changeEvent(allDay, { all_day: true });
  await runOf(server, alma, course);
  await change(alma, publishing({ course, events: [shown] }));
  await campus.changeEvent(shown, { all_day: true });
  const said = await reviewOf(alma, course);
  const why = 'This event lasts all day. Set a time in the LMS, and try again.';
  const unfit = new Map(said.told.map((one) => [one.event, [one.does, one.published, one.unfit]]));
  expect(unfit).toEqual(
    new Map([
      [allDay, [null, false, why]],
      [shown, [null, true, `${why} Students still see its link.`]],
    ]),
  );
  await campus.writes();
  const { job, items } = await runOf(server, alma, course);
  expect(await campus.writes()).toEqual([]);
  expect([job.outcome, job.figures]).toEqual([
    'done',
    [
      ['events', 3],
      ['events that cannot have a meeting', 2],
    ],
  ]);
  expect(job.note).toMatch(
    /^Nothing was changed\. 2 events cannot have a meeting: “Session [23]” \(.*\)\. The reasons are shown beside them\.$/,
  );
  const lines = items.toSorted((a, b) => a.label.localeCompare(b.label));
  expect(lines.map((item) => [titleIn(item), item.message])).toEqual([
    ['Session 1', 'Nothing to do.'],
    ['Session 2', why],
    ['Session 3', `${why} Students still see its link.`],
  ]);
  // Returns a time some days from now. The note does not mention an event that has a time again, or has ended.
  const hour = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await campus.changeEvent(allDay, { all_day: false, start_at: hour(3), end_at: hour(3.05) });
  await campus.changeEvent(shown, { all_day: false, start_at: hour(-2), end_at: hour(-1.9) });
  expect((await runOf(server, alma, course)).job.note ?? '').not.toContain('cannot have a meeting');
  expect(plain).toBeGreaterThan(0);
});

test('ZR-05 OP-60 an event without a date and without a link is counted and named as skipped, with its reason', async () => {
  const { id: course } = campus.quietCourse();
  const undated = (await campus.makeEvent(course, { title: 'Undated', start_at: null, end_at: null })).id;
  const why = 'This event has no date. Set one in the LMS, and try again.';
  const alone = await reviewOf(alma, course);
  expect([alone.events, alone.told]).toMatchObject([1, [{ event: undated, does: null, unfit: why }]]);
  const dated = (await campus.makeEvent(course, { title: 'Dated' })).id;
  const said = await reviewOf(alma, course);
  expect([said.events, said.told.map(({ event, does, unfit }) => [event, does, unfit])]).toEqual([
    2,
    [
      [dated, 'make', null],
      [undated, null, why],
    ],
  ]);
  const { job, items } = await runOf(server, alma, course);
  expect(items.map((item) => [titleIn(item), item.message])).toEqual([
    ['Dated', 'Meeting created.'],
    ['Undated', why],
  ]);
  expect(job.figures).toContainEqual(['events that cannot have a meeting', 1]);
  expect(job.note).toBe('1 event cannot have a meeting: “Undated”. The reason is shown beside it.');
  // Once merged with another event, it does not need its own meeting.
  await change(alma, publishing({ course, events: [dated] }));
  await change(alma, { change: 'merge', course, parent: dated, events: [undated] });
  expect((await runOf(server, alma, course)).job.note).toBe(
    'Everything was already correct. Nothing was changed.',
  );
});

test('ZR-05 OP-103 the review does not report a link as removed, and a run that changes nothing says so', async () => {
  const { id: course } = campus.quietCourse();
  const [one, two] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
  await change(alma, publishing({ course, events: [one], owner: HOSTS.bruno }));
  await change(alma, publishing({ course, events: [two] }));
  await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'inactive' });
  try {
    expect((await reviewOf(alma, course)).told).toMatchObject([
      {
        event: one,
        does: 'no-link',
        problem: `${HOSTS.bruno} is not active in Zoom. Publish this event with another host.`,
      },
    ]);
    const first = await runOf(server, alma, course);
    expect(first.job.note).not.toContain('Nothing was changed.');
    expect(first.items.find(({ state }) => state === 'failed')?.message).toMatch(
      / Its link was removed, as /,
    );
    const second = await runOf(server, alma, course);
    expect([second.job.outcome, second.job.note]).toEqual(['partly', 'Nothing was changed.']);
  } finally {
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'active' });
  }
});
