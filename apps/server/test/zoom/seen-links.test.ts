/**
 * A run checks every link that students can see, and removes links that cannot be restored (ZR-01, OP-60,
 * OP-71, OP-103).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  HOSTS,
  type LmsEvent,
  numberIn,
  previewOf,
  publishing,
  rowOf,
  runOf,
  titleIn,
  ZoomCampus,
} from './campus.ts';
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
afterEach(() => campus.clearFaults());

const QUIET = 'Everything was already correct. Nothing was changed.';
const numberOf = async (id: number) => numberIn((await campus.event(id)).description);

/** Prepares a course with published events, each with a meeting of Alma's. */
async function published(count: number, owner: string = HOSTS.alma, co_hosts: string[] = []) {
  const course = campus.quietCourse();
  const events = await campus.makeEvents(course.id, count);
  const ids = events.map(({ id }) => id);
  await change(alma, publishing({ course: course.id, events: ids, owner, co_hosts }));
  return { course: course.id, ids: ids as [number, number, ...number[]], events };
}

const merge = (course: number, parent: number, events: number[]) =>
  change(alma, { change: 'merge', course, parent, events });
const remove = (id: number) => campus.api(`calendar_events/${id}`, { method: 'DELETE' });
/** Moves an event into the past. */
const putOver = (id: number) => {
  const start = Date.now() - 3 * 86_400_000;
  const iso = (at: number) => new Date(at).toISOString();
  return campus.changeEvent(id, { start_at: iso(start), end_at: iso(start + 3_600_000) });
};

describe('OP-71 a main event that is deleted in the LMS', () => {
  test('leaves link, host and visibility to the events merged with it, and the next one becomes their main event', async () => {
    const { course, ids } = await published(1);
    const [main] = ids;
    const others = await campus.makeEvents(course, 3, { title: 'Seminar' });
    const [one, two, three] = others.map(({ id }) => id) as [number, number, number];
    await change(alma, publishing({ course, events: [one], owner: HOSTS.alma, visible: false }));
    await merge(course, main, [one, two, three]);
    const number = await numberOf(main);
    await remove(main);
    await campus.writes();
    const { job, items } = await runOf(server, alma, course);
    expect([job.outcome, items.map(({ state }) => state)]).toEqual(['done', ['done', 'done', 'done']]);
    for (const id of [one, two, three]) expect([id, await numberOf(id)]).toEqual([id, number]);
    expect((await campus.meeting(number))?.host_email).toBe(HOSTS.alma);
    expect(await rowOf(alma, course, one)).toMatchObject({ zoom_parent_id: null, zoom_visibility: 1 });
    expect(await rowOf(alma, course, two)).toMatchObject({ zoom_parent_id: one, zoom_owner: HOSTS.alma });
    // The meeting has the title and time of the event that it belongs to now.
    expect(Date.parse((await campus.meeting(number))?.start_time ?? '')).toBe(
      Date.parse((await campus.event(one)).start_at),
    );
    expect(job.note).toContain('1 meeting in Zoom is no longer used by any event: “Seminar”');
    await campus.writes();
    const again = await runOf(server, alma, course);
    expect([await campus.writes(), again.job.outcome]).toEqual([[], 'done']);
    // The merged events can be changed through the new main event, and hidden with it.
    await change(alma, publishing({ course, events: [one], owner: HOSTS.alma, visible: false }));
    for (const id of [one, two, three]) expect(blocksIn(await campus.event(id))).toHaveLength(0);
  });

  test('belongs to the group again if a synchroniser restores it', async () => {
    const course = campus.quietCourse().id;
    const named = {
      title: `Seminar${'\u200b'.repeat(10)}`,
      description: `<p>x</p><p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=80${course}">Edit on TimeEdit</a></p>`,
    };
    const main = await campus.makeEvent(course, named, 2);
    const child = await campus.makeEvent(course, { title: 'Child' }, 4);
    await change(alma, publishing({ course, events: [main.id] }));
    await merge(course, main.id, [child.id]);
    const number = await numberOf(main.id);
    await remove(main.id);
    await runOf(server, alma, course);
    const again = await campus.makeEvent(course, named, 2);
    await runOf(server, alma, course);
    expect([await numberOf(again.id), await numberOf(child.id)]).toEqual([number, number]);
    expect(await rowOf(alma, course, again.id)).toMatchObject({
      zoom_parent_id: child.id,
      zoom_visibility: 1,
    });
  });

  test('is not replaced by an event with section times, which keeps the link of its group', async () => {
    const { course, ids } = await published(1);
    const [main] = ids;
    const [section] = [...server.sandbox.world.sections.by.course.get(course)];
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const child = await campus.makeEvent(course, {
      title: 'Tutorial',
      child_event_data: [{ context_code: `course_section_${section?.id}`, start_at: at(90), end_at: at(91) }],
    });
    await merge(course, main, [child.id]);
    const number = await numberOf(main);
    await remove(main);
    const { job } = await runOf(server, alma, course);
    expect([job.outcome, await numberOf(child.id)]).toEqual(['done', number]);
    // If it is also deleted in Zoom, the group gets another meeting with the same host.
    await campus.zoom(`/meetings/${number}`, 'DELETE');
    await runOf(server, alma, course);
    const renewed = await numberOf(child.id);
    expect(renewed).not.toBe(number);
    expect((await campus.meeting(renewed))?.host_email).toBe(HOSTS.alma);
  });
});

describe('ZR-01 every link that students see', () => {
  test('is checked if the main event of a merged event has ended: the meeting moves to the merged event, and a dead link is renewed', async () => {
    const { course, ids } = await published(2);
    const [main, child] = ids;
    await merge(course, main, [child]);
    await putOver(main);
    await runOf(server, alma, course);
    const number = await numberOf(child);
    expect(Date.parse((await campus.meeting(number))?.start_time ?? '')).toBe(
      Date.parse((await campus.event(child)).start_at),
    );
    await campus.zoom(`/meetings/${number}`, 'DELETE');
    const { job } = await runOf(server, alma, course);
    const renewed = await numberOf(child);
    expect(await campus.meeting(renewed)).toMatchObject({ host_email: HOSTS.alma });
    expect(await numberOf(main)).toBe(renewed);
    // The figures count both events.
    expect(job.figures).toEqual([
      ['events', 2],
      ['meetings created', 1],
      ['links renewed', 2],
    ]);
    expect((await runOf(server, alma, course)).job.note).toBe(QUIET);
  });

  test('is checked even if its event, or its main event, is after the days that the run covers', async () => {
    const { course, ids } = await published(2);
    const [main, child] = ids;
    const late = await campus.makeEvent(course, { title: 'Late' }, 50);
    await change(alma, publishing({ course, events: [late.id] }));
    await merge(course, main, [child]);
    const start = new Date(Date.now() + 45 * 86_400_000).toISOString();
    await campus.changeEvent(main, { start_at: start, end_at: start });
    for (const id of [main, late.id]) await campus.zoom(`/meetings/${await numberOf(id)}`, 'DELETE');
    await runOf(server, alma, course);
    for (const id of [main, child, late.id])
      expect([id, (await campus.meeting(await numberOf(id)))?.host_email]).toEqual([id, HOSTS.alma]);
    expect(await numberOf(child)).toBe(await numberOf(main));
  });

  test('is removed, counted and named if its host is deactivated or removed in Zoom, and returns with the host', async () => {
    const { course, ids } = await published(2, HOSTS.bruno);
    const [one, two] = ids;
    const kept = await campus.makeEvent(course, { title: 'Kept' });
    await change(alma, publishing({ course, events: [kept.id] }));
    await merge(course, one, [two]);
    const number = await numberOf(one);
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'inactive' });
    const { job, items } = await runOf(server, alma, course);
    expect(job.outcome).toBe('partly');
    expect(items.find((item) => titleIn(item) === 'Session 1')?.message).toBe(
      `${HOSTS.bruno} is not active in Zoom. Publish this event with another host. Its link was removed, as it did not lead to a valid meeting.`,
    );
    expect(items.find((item) => titleIn(item) === 'Session 2')?.state).toBe('failed');
    expect(job.figures).toContainEqual(['links removed', 2]);
    expect(job.note).toMatch(
      /^The links of 2 events did not lead to valid meetings and were removed: “Session 1” \(\d.*“Session 2” \(/,
    );
    for (const id of [one, two]) expect(await numberOf(id)).toBe(0);
    expect(await numberOf(kept.id)).toBeGreaterThan(0);
    expect(await rowOf(alma, course, one)).toMatchObject({ zoom_link: null, zoom_visibility: 1 });

    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'active' });
    await runOf(server, alma, course);
    for (const id of [one, two]) expect(await numberOf(id)).toBe(number);

    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'DELETE');
    expect((await runOf(server, alma, course)).job.outcome).toBe('partly');
    for (const id of [one, two]) expect(await numberOf(id)).toBe(0);
    // Another host restores the links.
    expect((await change(alma, publishing({ course, events: [one] }))).outcome).toBe('done');
    expect(await numberOf(two)).toBe(await numberOf(one));
    expect((await runOf(server, alma, course)).job.note).toContain(QUIET);
  });

  test('is restored if its meeting was lost, even without an alternative host who has no licence and is named', async () => {
    const { course, ids } = await published(1, HOSTS.alma, [HOSTS.farid]);
    const [event] = ids;
    await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { type: 1 });
    const said = await runOf(server, alma, course);
    expect(said.job.note).toContain(`${HOSTS.farid} has no Zoom licence, so they cannot start the meeting.`);
    expect(said.job.note).not.toContain(QUIET);
    await campus.zoom(`/meetings/${await numberOf(event)}`, 'DELETE');
    const { job } = await runOf(server, alma, course);
    expect(job.note).toContain(
      `${HOSTS.farid} has no Zoom licence, so they are no longer an alternative host.`,
    );
    expect((await campus.meeting(await numberOf(event)))?.settings.alternative_hosts).toBe('');
    await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { type: 2 });
  });

  test('is removed from an event that has ended only if it is dead', async () => {
    const { course, ids } = await published(2);
    const [over, kept] = ids;
    for (const id of ids) await putOver(id);
    await campus.zoom(`/meetings/${await numberOf(over)}`, 'DELETE');
    const { job } = await runOf(server, alma, course);
    expect([job.outcome, job.figures]).toEqual([
      'done',
      [
        ['events', 2],
        ['links removed', 1],
      ],
    ]);
    expect([await numberOf(over), (await numberOf(kept)) > 0]).toEqual([0, true]);
  });

  test('is removed from an all-day event only if it does not work', async () => {
    const { course, ids } = await published(2);
    for (const id of ids) await campus.changeEvent(id, { all_day: true });
    await campus.zoom(`/meetings/${await numberOf(ids[0])}`, 'DELETE');
    const { job } = await runOf(server, alma, course);
    expect(job.figures).toContainEqual(['links removed', 1]);
    expect([await numberOf(ids[0]), (await numberOf(ids[1])) > 0]).toEqual([0, true]);
  });
});

describe('OP-103 a link that was copied into another event', () => {
  const copyOf = async ({ id }: Pick<LmsEvent, 'id'>, course: number, more: Record<string, unknown> = {}) => {
    const { title, description, location_address, start_at, end_at } = await campus.event(id);
    return campus.makeEvent(course, { title, description, location_address, start_at, end_at, ...more });
  };

  test('stays while it leads to the meeting, and is removed once it is dead', async () => {
    const { course, ids } = await published(1);
    const [event] = ids;
    const elsewhere = campus.quietCourse().id;
    const copy = await copyOf({ id: event }, elsewhere);
    const first = await runOf(server, alma, elsewhere);
    expect(first.items[0]?.message).toBe('It has the link of another event. That link is not changed.');
    expect([await numberOf(copy.id), first.job.note]).toEqual([await numberOf(event), QUIET]);
    // Another host, to whom the meeting cannot be transferred.
    await change(alma, publishing({ course, events: [event], owner: HOSTS.farid }));
    const { job } = await runOf(server, alma, elsewhere);
    const after = await campus.event(copy.id);
    expect([blocksIn(after), after.location_address ?? '']).toEqual([[], '']);
    expect(job.figures).toContainEqual(['links removed', 1]);
    expect(job.note).toMatch(
      /^The link of 1 event did not lead to a valid meeting and was removed: “Session 1” \(/,
    );
    // Like every event, the copy now has a meeting, hidden until a person publishes it.
    expect(await rowOf(alma, elsewhere, copy.id)).toMatchObject({
      zoom_visibility: 0,
      zoom_owner: HOSTS.standard,
    });
    expect((await runOf(server, alma, elsewhere)).job.note).toBe(QUIET);
  });

  test('whose event is at another time is named and left to a person, who can publish the event', async () => {
    const { course, ids } = await published(1);
    const copy = await copyOf({ id: ids[0] }, course, {
      title: 'Copied',
      start_at: new Date(Date.now() + 9 * 86_400_000).toISOString(),
      end_at: new Date(Date.now() + 9 * 86_400_000 + 3_600_000).toISOString(),
    });
    const { job, items } = await runOf(server, alma, course);
    expect(job.outcome).toBe('partly');
    expect(items.find((item) => titleIn(item) === 'Copied')?.message).toBe(
      'Its link was copied from another event and leads to a meeting at another time. Publish this event to give it its own meeting.',
    );
    expect(await numberOf(copy.id)).toBe(await numberOf(ids[0]));
    const input = publishing({ course, events: [copy.id] });
    expect((await previewOf(alma, input)).links).toMatchObject([
      { event: copy.id, from: HOSTS.alma, to: HOSTS.alma, why: 'copied', published: true },
    ]);
    await change(alma, input);
    expect(blocksIn(await campus.event(copy.id))).toHaveLength(1);
    expect(await numberOf(copy.id)).not.toBe(await numberOf(ids[0]));
    expect((await runOf(server, alma, course)).job.note).toBe(QUIET);
  });

  test("in another course is replaced by that event's own link, as the preview says, and the first event keeps its own", async () => {
    const { ids } = await published(1);
    const elsewhere = campus.quietCourse().id;
    const copy = await copyOf({ id: ids[0] }, elsewhere);
    const kept = await numberOf(ids[0]);
    const input = publishing({ course: elsewhere, events: [copy.id], owner: HOSTS.farid });
    const { links, make } = await previewOf(alma, input);
    expect(links).toMatchObject([
      { event: copy.id, from: HOSTS.alma, to: HOSTS.farid, why: 'copied', published: true },
    ]);
    expect(make).toBe(1);
    await change(alma, input);
    expect(await numberOf(ids[0])).toBe(kept);
    expect([await numberOf(copy.id)].filter((number) => number > 0 && number !== kept)).toHaveLength(1);
    expect((await campus.event(ids[0])).description).toContain(String(kept));
  });

  test('a link that a person wrote is not changed; if its meeting does not exist in Zoom, the result says so', async () => {
    const { course, ids } = await published(1);
    const base = `${server.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom`;
    const description = `<p>Join <a href="${base}/j/81234567890">here</a></p>`;
    const own = await campus.makeEvent(course, { title: 'By hand', description });
    const { job } = await runOf(server, alma, course);
    expect(job.note).toContain(
      'Its text has a link to meeting 81234567890, which is not in the school’s Zoom account or cannot take place. Correct the text in the LMS.',
    );
    expect((await campus.event(own.id)).description).toBe(description);
    expect((await campus.meeting(await numberOf(ids[0])))?.host_email).toBe(HOSTS.alma);
  });

  test('an event that was moved to another course keeps its meeting', async () => {
    const { course, ids } = await published(2);
    const [moved] = ids;
    const number = await numberOf(moved);
    const elsewhere = campus.quietCourse().id;
    await campus.changeEvent(moved, { context_code: `course_${elsewhere}` });
    const { job } = await runOf(server, alma, elsewhere);
    expect([job.outcome, job.note, await numberOf(moved)]).toEqual(['done', QUIET, number]);
    expect(await rowOf(alma, elsewhere, moved)).toMatchObject({ zoom_owner: HOSTS.alma, zoom_visibility: 1 });
    expect((await runOf(server, alma, course)).job.note).toBe(QUIET);
  });
});
