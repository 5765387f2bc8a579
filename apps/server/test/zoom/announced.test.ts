/**
 * In unusual states, previews and reviews announce the links that students then get (OP-60, OP-102, OP-103).
 */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { ZOOM_RUN_REVIEW, zoomRunReview } from '@lms-admin/contract/zoom-runs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, endOf, HOSTS, numberIn, previewOf, publishing, runOf, ZoomCampus } from './campus.ts';
import { ACCESS } from './run-support.ts';
import { differenceOf, meetingOf, snapshotOf } from './seen-now.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS, sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(async () => {
  for (const host of Object.values(HOSTS))
    await campus.handle(`zoom/users/${host}`, 'PATCH', { status: 'active' });
});

const at = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();
const deactivate = (host: string) => campus.handle(`zoom/users/${host}`, 'PATCH', { status: 'inactive' });
const numberOf = async (id: number) => numberIn((await campus.event(id)).description);

/** Copies an event's text and location in the LMS. */
async function paste(from: number, into: number): Promise<void> {
  const { description, location_address } = await campus.event(from);
  await campus.changeEvent(into, { description, location_address });
}

/** Writes a link into an event, as a person would. */
async function typeLink(event: number, link: string): Promise<void> {
  const { description } = await campus.event(event);
  await campus.changeEvent(event, { description: `<p><a href="${link}">Join</a></p>${description ?? ''}` });
}

async function sectionsOf(course: number, count: number): Promise<number[]> {
  const sections = [...server.sandbox.world.sections.by.course.get(course)]
    .map(({ id }) => id)
    .slice(0, count);
  while (sections.length < count) {
    const body = { course_section: { name: `Group ${sections.length + 1}` } };
    const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
    sections.push(((await made.json()) as { id: number }).id);
  }
  return sections;
}

const timesOf = (sections: readonly number[]) =>
  sections.map((section, index) => ({
    context_code: `course_section_${section}`,
    start_at: at(60 + 4 * index),
    end_at: at(61 + 4 * index),
  }));

/** Creates an event with section times, and its section events. */
async function bySection(course: number, count: number): Promise<{ event: number; parts: number[] }> {
  const times = timesOf(await sectionsOf(course, count));
  const event = (await campus.makeEvent(course, { title: 'Workshop', child_event_data: times })).id;
  return { event, parts: partsOf(event) };
}

function partsOf(event: number): number[] {
  return [...server.sandbox.world.calendarEvents.values()]
    .filter((one) => one.parent_calendar_event_id === event && one.workflow_state !== 'deleted')
    .map(({ id }) => id);
}

/** Creates published events, each with its own meeting. */
async function published(titles: readonly string[], owner: string = HOSTS.alma) {
  const course = campus.quietCourse().id;
  const ids: number[] = [];
  for (const [n, title] of titles.entries()) ids.push((await campus.makeEvent(course, { title }, 3 + n)).id);
  await change(alma, publishing({ course, events: ids, owner }));
  return { course, ids: ids as [number, number, number] };
}

/** Saves a change, and returns its preview and the differences in the state. */
async function both(input: ZoomChange) {
  const said = await previewOf(alma, input);
  const before = await snapshotOf(campus, input.course);
  const done = await change(alma, input);
  const found = differenceOf(before, await snapshotOf(campus, input.course));
  expect([said.appear, said.disappear]).toEqual([found.appear.length, found.disappear.length]);
  return { said, found, done };
}

/** Runs a course, and returns the review of the run and the differences in the state. */
async function bothOfRun(course: number) {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const { data } = await (await alma.post(jobStartPath(ZOOM_RUN_REVIEW), asked)).json();
  const said = zoomRunReview.parse((await endOf(alma, data.id)).result);
  const before = await snapshotOf(campus, course);
  const { job, items } = await runOf(server, alma, course);
  const found = differenceOf(before, await snapshotOf(campus, course));
  return { said, does: said.told.map(({ event, does }) => [event, does]), found, job, items };
}

describe('OP-102 the preview of publishing', () => {
  test('mentions a link copied into a merged event, and that the link is replaced', async () => {
    const { course, ids } = await published(['Main', 'Child', 'Other']);
    const [main, child, other] = ids;
    await change(alma, { change: 'merge', course, parent: main, events: [child] });
    await paste(other, child);
    const { said, found } = await both(publishing({ course, events: [main] }));
    expect(said).toMatchObject({ unchanged: 1, links: [{ event: child, why: 'copied', published: true }] });
    expect(found).toMatchObject({ other: [child], texts: [child] });
    expect(await numberOf(child)).toBe(await numberOf(main));
  });

  test('mentions a passcode changed in Zoom: the link changes, also for merged events', async () => {
    const { course, ids } = await published(['Lecture', 'Seminar', 'Other']);
    const [lecture, seminar] = ids;
    await change(alma, { change: 'merge', course, parent: lecture, events: [seminar] });
    await campus.zoom(`/meetings/${await numberOf(lecture)}`, 'PATCH', { password: '987654' });
    const { said, found } = await both(publishing({ course, events: [lecture] }));
    expect(said.links).toMatchObject([
      { event: lecture, why: 'passcode', from: HOSTS.alma, to: HOSTS.alma, published: true },
      { event: seminar, why: 'passcode', published: true },
    ]);
    expect(said).toMatchObject({ make: 0, update: 0, texts: [] });
    expect(found.other).toEqual([lecture, seminar]);
    expect((await both(publishing({ course, events: [lecture] }))).said).toMatchObject({
      unchanged: 1,
      links: [],
    });
  });

  test('mentions that an event’s link is replaced when the event gets section times', async () => {
    const { course, ids } = await published(['Lecture']);
    const [lecture] = ids;
    const former = await numberOf(lecture);
    await campus.changeEvent(lecture, { child_event_data: timesOf(await sectionsOf(course, 2)) });
    const { said, found } = await both(publishing({ course, events: [lecture] }));
    expect(said).toMatchObject({ make: 2, appear: 0, disappear: 0 });
    expect(said.links.map(({ event, why, published }) => [event, why, published])).toEqual(
      partsOf(lecture).map((part) => [part, 'sections', true]),
    );
    expect(found.other).toEqual(partsOf(lecture));
    expect(await campus.meeting(former)).not.toBeNull();
  });

  test('names each link once: students have the copied one, not that of the event’s own meeting', async () => {
    const { course, ids } = await published(['Alpha', 'Beta'], HOSTS.hugo);
    const [alpha, beta] = ids;
    await paste(beta, alpha);
    const { said, found } = await both(publishing({ course, events: [alpha], owner: HOSTS.alma }));
    expect(said.links.map(({ event, why, published }) => [event, why, published])).toEqual([
      [alpha, 'host', false],
      [alpha, 'copied', true],
    ]);
    expect(found.other).toEqual([alpha]);
  });
});

describe('OP-71 OP-102 the preview of merging and unmerging', () => {
  test('a copied link disappears from an event that is merged with a hidden one', async () => {
    const { course, ids } = await published(['Main', 'Other']);
    const [main, other] = ids;
    await change(alma, publishing({ course, events: [main], visible: false }));
    const copy = (await campus.makeEvent(course, { title: 'Copy' }, 6)).id;
    await paste(other, copy);
    const { said, found } = await both({ change: 'merge', course, parent: main, events: [copy] });
    expect(said).toMatchObject({
      disappear: 1,
      links: [{ event: copy, why: 'merge-hidden', published: true }],
    });
    expect(found.disappear).toEqual([copy]);
    expect(await numberOf(copy)).toBe(0);
  });

  test('a section whose own meeting was deleted gets no link back, and is not counted', async () => {
    const { course, ids } = await published(['Main']);
    const [main] = ids;
    const { event, parts } = await bySection(course, 2);
    await change(alma, publishing({ course, events: [event] }));
    const [first = 0] = [...((await campus.event(event)).description ?? '').matchAll(/\/j\/(\d+)/g)].map(
      ([, number]) => Number(number),
    );
    await change(alma, { change: 'merge', course, parent: main, events: [event] });
    await change(alma, publishing({ course, events: [main], visible: false }));
    await campus.zoom(`/meetings/${first}`, 'DELETE');
    const { said, found } = await both({ change: 'unmerge', course, event });
    expect([said.appear, said.links.filter(({ to }) => to === null).length]).toEqual([1, 1]);
    expect(found.appear).toHaveLength(1);
    expect(parts).toContain(found.appear[0]);
    // A link in the location would be visible to students in both sections.
    expect((await campus.event(event)).location_address ?? '').toBe('');
  });
});

test('OP-71 OP-102 an event that cannot be changed because of an event in another course keeps its link', async () => {
  const { course, ids } = await published(['Main', 'Child'], HOSTS.bruno);
  const [main, child] = ids;
  const fine = (await campus.makeEvent(course, { title: 'Fine' }, 7)).id;
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  await campus.changeEvent(child, { context_code: `course_${campus.quietCourse().id}` });
  await deactivate(HOSTS.bruno);
  const number = await numberOf(main);
  const { said, found, done } = await both(publishing({ course, events: [main, fine], owner: HOSTS.farid }));
  expect(said.problems).toMatchObject([
    { event: main, message: expect.stringContaining('“Child” in course') },
  ]);
  expect(said).toMatchObject({ make: 1, appear: 1, disappear: 0 });
  expect(done.result?.failed).toMatchObject([{ event: main, message: said.problems[0]?.message }]);
  expect(found).toMatchObject({ appear: [fine], texts: [fine] });
  expect([await numberOf(main), await numberOf(child)]).toEqual([number, number]);
});

describe('OP-69 OP-102 an event that has ended and cannot be published', () => {
  const putOver = (event: number) => campus.changeEvent(event, { start_at: at(-50), end_at: at(-49) });

  test('loses a dead link, and the preview says so', async () => {
    const { course, ids } = await published(['Past']);
    const [past] = ids;
    await putOver(past);
    await campus.zoom(`/meetings/${await numberOf(past)}`, 'DELETE');
    const fine = (await campus.makeEvent(course, { title: 'Fine' }, 7)).id;
    const { said, found } = await both(publishing({ course, events: [past, fine] }));
    expect(said.problems).toMatchObject([
      {
        event: past,
        message: 'This event is over. Its link is removed, as it does not lead to a valid meeting.',
      },
    ]);
    expect(said).toMatchObject({ make: 1, appear: 1, disappear: 1 });
    expect(found).toMatchObject({ appear: [fine], disappear: [past] });
  });

  test('keeps a link that was copied into it, and nothing else is announced', async () => {
    const { course, ids } = await published(['Other']);
    const past = (await campus.makeEvent(course, { title: 'Past' }, 5)).id;
    await paste(ids[0], past);
    await putOver(past);
    const { said, found } = await both(publishing({ course, events: [past] }));
    expect(said).toMatchObject({ problems: [{ event: past, message: 'This event is over.' }], links: [] });
    expect(found).toMatchObject({ made: [], texts: [] });
  });
});

describe('OP-60 the review of a run', () => {
  test('an event loses its link, even if its text contains one that a person wrote', async () => {
    const { course, ids } = await published(['Lecture'], HOSTS.bruno);
    const other = await published(['Other']);
    await typeLink(ids[0], (await campus.event(other.ids[0])).location_address ?? '');
    await deactivate(HOSTS.bruno);
    const { does, found } = await bothOfRun(course);
    expect(does).toEqual([[ids[0], 'no-link']]);
    expect(found).toMatchObject({ made: [], disappear: [ids[0]] });
  });

  test('a section whose meeting cannot be held is shown as not possible, and nothing is reported as done', async () => {
    const course = campus.quietCourse().id;
    const { event } = await bySection(course, 2);
    const hidden = publishing({ course, events: [event], owner: HOSTS.bruno, visible: false });
    await change(alma, hidden);
    const numbers = (await campus.ours([HOSTS.bruno])).filter(({ topic }) => topic.startsWith('Workshop'));
    await campus.zoom(`/meetings/${numbers.at(-1)?.id}`, 'PATCH', { schedule_for: HOSTS.hugo });
    await runOf(server, alma, course);
    await deactivate(HOSTS.bruno);
    const { said, does, found, job } = await bothOfRun(course);
    expect(does).toEqual([[event, null]]);
    expect(said.told[0]?.problem).toContain('is not active in Zoom');
    expect([job.outcome, found.made, found.texts]).toEqual(['failed', [], []]);
  });

  test('a section added to a published event is announced with its link, which students see', async () => {
    const course = campus.quietCourse().id;
    const { event } = await bySection(course, 2);
    await change(alma, publishing({ course, events: [event], owner: HOSTS.hugo }));
    await campus.changeEvent(event, { child_event_data: timesOf(await sectionsOf(course, 3)) });
    const { said, does, found } = await bothOfRun(course);
    expect([does, said.meetings.made]).toEqual([[[event, 'make-shown']], 1]);
    expect([found.made.length, found.appear.length]).toEqual([1, 1]);
  });

  test("a copy in a second event's text is removed by the first run, and counted; the second run changes nothing", async () => {
    const { course, ids } = await published(['Alpha', 'Beta'], HOSTS.hugo);
    const [alpha, beta] = ids;
    const former = await numberOf(beta);
    await paste(beta, alpha);
    await change(alma, publishing({ course, events: [beta] }));
    expect(await campus.meeting(former)).not.toBeNull();
    const { said, found, job } = await bothOfRun(course);
    expect([said.meetings.removed, found.removed]).toEqual([1, [former]]);
    expect(job.figures).toContainEqual(['old meetings removed', 1]);
    await campus.writes();
    await runOf(server, alma, course);
    expect(await campus.writes()).toEqual([]);
  });

  test('an event that now has section times keeps its host, and its former meeting is named', async () => {
    const { course, ids } = await published(['Lecture'], HOSTS.hugo);
    const [lecture] = ids;
    const former = await numberOf(lecture);
    await campus.changeEvent(lecture, { child_event_data: timesOf(await sectionsOf(course, 2)) });
    const { said, does, found, job } = await bothOfRun(course);
    expect(does).toEqual([[lecture, 'new-link']]);
    expect([said.meetings.made, found.made.length, job.outcome]).toEqual([2, 2, 'done']);
    expect(found).toMatchObject({ appear: [], disappear: [], other: partsOf(lecture) });
    for (const number of found.made) expect((await meetingOf(campus, number))?.host_email).toBe(HOSTS.hugo);
    // No link leads to the previous meeting any more.
    expect(job.note).toContain('1 meeting in Zoom is no longer used by any event');
    expect(job.note).toContain(`(meeting ${former})`);
    expect((await bothOfRun(course)).said.note).toBe(job.note);
  });

  test('an event that has lost its section times keeps the working links until a person selects its owner', async () => {
    const course = campus.quietCourse().id;
    const { event } = await bySection(course, 2);
    await change(alma, publishing({ course, events: [event], owner: HOSTS.bruno }));
    await campus.changeEvent(event, { remove_child_events: true });
    const { said, does, found, items } = await bothOfRun(course);
    expect([does, said.meetings.made]).toEqual([[[event, null]], 0]);
    expect(items[0]?.message).toBe(
      'It is no longer held separately for each section, but students still see the links of its sections, whose meetings may be at other times. Publish it with a host to give it one meeting.',
    );
    expect(found).toMatchObject({ made: [], removed: [], texts: [] });
    const input = publishing({ course, events: [event], owner: HOSTS.bruno });
    const after = await both(input);
    expect(after.said).toMatchObject({ make: 1, links: [{ event, why: 'sections', published: true }] });
    expect(after.found.other).toEqual([event]);
  });
});
