/** Reports of what was done: for each event, in numbers, and with advice if it failed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { expectAsPreviewed } from './as-announced.ts';
import {
  blocksIn,
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
  previewOf,
  publishing,
  runOf,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';
import { differenceOf, snapshotOf } from './seen-now.ts';

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

describe('OP-69 advice', () => {
  test('does not say to try again if an event has ended or is merged', async () => {
    const course = campus.quietCourse();
    const over = await campus.makeEvent(course.id, { title: 'Over' }, -3);
    const main = await campus.makeEvent(course.id, { title: 'Main' });
    const child = await campus.makeEvent(course.id, { title: 'Child' }, 4);
    await change(alma, publishing({ course: course.id, events: [main.id, child.id] }));
    await change(alma, { change: 'merge', course: course.id, parent: main.id, events: [child.id] });
    const problemOf = async (events: number[]) =>
      (await change(alma, publishing({ course: course.id, events }))).problem;
    expect(await problemOf([over.id])).toEqual({
      message: 'This event is over.',
      next: 'Choose events that have not ended yet.',
    });
    expect((await problemOf([child.id]))?.next).toBe('Change the main event, or unmerge this one first.');
    expect((await problemOf([over.id, child.id]))?.next).toBe(
      'Read the message of each event, and choose other events.',
    );
    const whole = await campus.makeEvent(course.id, { title: 'Whole day', all_day: true });
    expect((await problemOf([over.id, whole.id]))?.next).toBe(
      'Read the message of each event, and try again.',
    );
  });
});

describe('OP-103 links by section', () => {
  test('in a different order after a section was moved do not count as edited', async () => {
    const course = campus.quietCourse();
    const { world } = server.sandbox;
    const [first] = [...world.sections.by.course.get(course.id)];
    const made = await campus.api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Evening' } },
    });
    const second = (await made.json()) as { id: number };
    const at = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const event = await campus.makeEvent(course.id, {
      title: 'Tutorial',
      child_event_data: [
        { context_code: `course_section_${first?.id}`, start_at: at(50), end_at: at(51) },
        { context_code: `course_section_${second.id}`, start_at: at(60), end_at: at(61) },
      ],
    });
    await change(alma, publishing({ course: course.id, events: [event.id], owner: HOSTS.farid }));
    const linesOf = async () => blocksIn(await campus.event(event.id))[0]?.match(/<p .*?<\/p>/g) ?? [];
    const before = await linesOf();
    expect(before).toHaveLength(2);
    const ofFirst = [...world.calendarEvents.values()].find(
      ({ parent_calendar_event_id: parent, context_code: of }) =>
        parent === event.id && of === `course_section_${first?.id}`,
    );
    await campus.changeEvent(ofFirst?.id ?? 0, { start_at: at(70), end_at: at(71) });
    const { job, items } = await runOf(server, alma, course.id);
    expect(items.map(({ message }) => message)).toEqual(['Meeting moved, links sorted by time.']);
    expect(job.figures).not.toContainEqual(['edited links replaced', 1]);
    expect(await linesOf()).toEqual(before.toReversed());
  });
});

describe('OP-69, OP-104 after a lost or failed answer, the events report what the job has done in all its turns', () => {
  const TEXT = { method: 'PUT', match: '/api/v1/calendar_events/*', count: 1 };
  const MEETING = { system: 'zoom', method: 'POST', match: '/zoom/v2/users/*/meetings', count: 1 };
  const FAULTS: [string, object][] = [
    ['the answer of a text is lost', { ...TEXT, kind: 'drop', when: 'after' }],
    ['a text never arrives', { ...TEXT, kind: 'drop', when: 'before' }],
    ['Canvas fails at a text', { ...TEXT, kind: 'status', status: 500 }],
    ['the answer of a creation is lost', { ...MEETING, kind: 'drop', when: 'after' }],
    ['a creation never arrives', { ...MEETING, kind: 'drop', when: 'before' }],
  ];
  test.each(FAULTS)('%s', async (_, fault) => {
    const course = campus.quietCourse();
    const events = (await campus.makeEvents(course.id, 2)).map(({ id }) => id);
    const told = async (visible: boolean) => {
      await campus.handle('faults', 'POST', fault);
      const input = publishing({ course: course.id, events, owner: HOSTS.farid, visible });
      const { id, figures, outcome } = await change(alma, input);
      await campus.clearFaults();
      return { outcome, figures, said: (await itemsOf(alma, id)).map(({ message }) => message) };
    };
    const shown = async () => {
      const now = await Promise.all(events.map((id) => campus.event(id)));
      return now.map((event) => blocksIn(event).length);
    };
    const done: [string, number] = ['events done', 2];
    expect(await told(true)).toEqual({
      outcome: 'done',
      figures: [done, ['meetings created', 2], ['links shown', 2]],
      said: Array(2).fill('Meeting created, link shown to students.'),
    });
    expect(await shown()).toEqual([1, 1]);
    expect(await told(false)).toEqual({
      outcome: 'done',
      figures: [done, ['links hidden', 2]],
      said: Array(2).fill('Link hidden from students.'),
    });
    expect(await shown()).toEqual([0, 0]);
    expect(await told(true)).toEqual({
      outcome: 'done',
      figures: [done, ['links shown', 2]],
      said: Array(2).fill('Link shown to students.'),
    });
    expect(await shown()).toEqual([1, 1]);
  });

  /** Creates a hidden event, and a change that publishes it with another host. */
  async function hidden() {
    const { id: course } = campus.quietCourse();
    const { id: event } = await campus.makeEvent(course);
    await change(alma, publishing({ course, events: [event], owner: HOSTS.hugo, visible: false }));
    return { course, event, input: publishing({ course, events: [event], owner: HOSTS.alma }) };
  }

  test('when a hidden event is published with another host, its new link is written once, and stays', async () => {
    const { event, input } = await hidden();
    await campus.writes();
    await campus.handle('faults', 'POST', { ...TEXT, count: 2, kind: 'drop', when: 'after' });
    const { figures } = await change(alma, input);
    expect(Object.fromEntries(figures)).toMatchObject({ 'links shown': 1 });
    const texts = (await campus.writes()).filter((one) => one.startsWith('PUT'));
    expect(texts).toEqual([`PUT /api/v1/calendar_events/${event}`]);
  });

  test('when a hidden event is published again after a cancelled change, students see the same, as the preview says', async () => {
    const { course, event, input } = await hidden();
    await campus.handle('faults', 'POST', { ...TEXT, count: 20, kind: 'drop', when: 'after' });
    const { data } = await (await startChange(alma, input)).json();
    await until(alma, data.id, ({ state }) => state === 'waiting');
    await cancelOf(alma, data.id);
    await endOf(alma, data.id);
    await campus.clearFaults();
    expect(blocksIn(await campus.event(event))).toHaveLength(1);
    const said = await previewOf(alma, input);
    expect(said).toMatchObject({ make: 0, appear: 0, disappear: 0, set: [{ event, visible: true }] });
    const before = await snapshotOf(campus, course);
    await campus.writes();
    const done = await change(alma, input);
    expect((await campus.writes()).filter((one) => one.startsWith('PUT'))).toEqual([]);
    const found = differenceOf(before, await snapshotOf(campus, course));
    expectAsPreviewed(said, done, { found, before, about: JSON.stringify([said, done]) });
    expect(Object.fromEntries(done.figures)).toMatchObject({ 'events set to Published': 1 });
  });
});

test("OP-69 ZR-01 an event's line names the zone of its time; an all-day event has only its day", async () => {
  const { id: course } = campus.quietCourse();
  const { time_zone: zone } = (await (await campus.api(`courses/${course}`)).json()) as { time_zone: string };
  const start = new Date(Date.now() + 3 * 86_400_000);
  start.setUTCHours(22, 30, 0, 0);
  const timed = await campus.makeEvent(course, {
    title: 'Late session',
    start_at: start.toISOString(),
    end_at: new Date(start.getTime() + 3_600_000).toISOString(),
  });
  const { id: whole } = await campus.makeEvent(course, { title: 'Whole day', all_day: true }, 6);
  const { all_day_date: date } = (await campus.event(whole)) as { all_day_date?: string };
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const format = { ...day, hour: '2-digit', minute: '2-digit', timeZone: zone } as const;
  const labels = [
    `Late session, ${start.toLocaleString('en-GB', format)} (${zone.replaceAll('_', ' ')})`,
    `Whole day, ${new Date(date ?? '').toLocaleDateString('en-GB', { ...day, timeZone: 'UTC' })}`,
  ];
  const { id } = await change(alma, publishing({ course, events: [timed.id, whole] }));
  expect((await itemsOf(alma, id)).map(({ label }) => label)).toEqual(labels);
  const { items, job } = await runOf(server, alma, course);
  expect(items.map(({ label }) => label)).toEqual(labels);
  expect(job.note).toContain(`1 event cannot have a meeting: “Whole day” (${labels[1]?.split(', ')[1]}).`);
  // The link stays, so the result names it.
  const { description, location_address: link } = await campus.event(timed.id);
  await campus.changeEvent(timed.id, { description: `<p>Guests: ${link}</p>${description}` });
  const { note } = await change(alma, publishing({ course, events: [timed.id], visible: false }));
  const { timeZone } = format;
  const dated = start.toLocaleDateString('en-GB', { ...day, timeZone });
  expect(note).toContain(`“Late session” (${dated}, ${zone.replaceAll('_', ' ')}).`);
});
