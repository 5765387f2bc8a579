/**
 * Double-booked hosts are named before saving; other open changes in a course; texts in LMS Admin's lines.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { zoomOpenChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { cancelOf, change, endOf, HOSTS, previewOf, publishing, startChange, ZoomCampus } from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false }, access: ACCESS });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const HOUR = 3_600_000;
const at = (start: Date, minutes = 60) => ({
  start_at: start.toISOString(),
  end_at: new Date(start.getTime() + minutes * 60_000).toISOString(),
});
/** A separate hour for each test, so that bookings in other tests do not interfere. */
let day = 200;
const freeHour = () => new Date(Math.floor((Date.now() + day++ * 24 * HOUR) / HOUR) * HOUR);

describe('OP-102 double bookings', () => {
  test('are named for two selected events and for an existing one, but not for events that are only adjacent', async () => {
    const course = campus.quietCourse();
    const start = freeHour();
    const make = (title: string, from: Date) => campus.makeEvent(course.id, { title, ...at(from) });
    const there = await make('There', start);
    await change(alma, publishing({ course: course.id, events: [there.id], owner: HOSTS.hugo }));
    const [one, two, after] = await Promise.all([
      make('One', new Date(start.getTime() + HOUR / 2)),
      make('Two', new Date(start.getTime() + HOUR / 2)),
      make('After', new Date(start.getTime() + 1.5 * HOUR)),
    ]);
    const events = [one.id, two.id, after.id];
    const { clashes, unchecked, problems } = await previewOf(
      alma,
      publishing({ course: course.id, events, owner: HOSTS.hugo }),
    );
    const said = clashes.map(
      ({ event, host, with: other }) => `${event} ${host} ${other.kind} ${other.title}`,
    );
    expect(new Set(said)).toEqual(
      new Set([
        `${one.id} ${HOSTS.hugo} event Two`,
        `${one.id} ${HOSTS.hugo} event There`,
        `${two.id} ${HOSTS.hugo} event There`,
      ]),
    );
    expect([unchecked, problems]).toEqual([false, []]);
    // Another host is free, and the placeholder does not hold classes.
    for (const owner of [HOSTS.bruno, HOSTS.standard]) {
      const asked = publishing({ course: course.id, events: [one.id, after.id], owner, visible: false });
      expect((await previewOf(alma, asked)).clashes).toEqual([]);
    }
  });

  test('are named for an event of several days until it ends: in this course, in another one and among the selected events', async () => {
    const [here, there] = [campus.quietCourse().id, campus.quietCourse().id];
    const monday = freeHour();
    const tuesday = new Date(monday.getTime() + 30 * HOUR);
    day += 3;
    const threeDays = at(monday, 60 * 60);
    const long = (await campus.makeEvent(here, { title: 'Monday to Wednesday', ...threeDays })).id;
    const short = (await campus.makeEvent(here, { title: 'Tuesday', ...at(tuesday) })).id;
    const other = (await campus.makeEvent(there, { title: 'Tuesday there', ...at(tuesday) })).id;
    const clashesOf = async (course: number, events: number[]) => {
      const { clashes } = await previewOf(alma, publishing({ course, events, owner: HOSTS.hugo }));
      return clashes.map(({ event, with: of }) => [event, of.kind, of.title]);
    };
    expect(await clashesOf(here, [long, short])).toEqual([[long, 'event', 'Tuesday']]);
    await change(alma, publishing({ course: here, events: [long], owner: HOSTS.hugo }));
    expect(await clashesOf(here, [short])).toEqual([[short, 'event', 'Monday to Wednesday']]);
    expect(await clashesOf(there, [other])).toEqual([[other, 'course', 'Monday to Wednesday']]);
    // The first event is checked after the others have been created.
    await change(alma, publishing({ course: there, events: [other], owner: HOSTS.hugo }));
    expect(await clashesOf(here, [long])).toEqual([[long, 'course', 'Tuesday there']]);
  });

  test('are named for sections at the same hour; the host’s own meeting in Zoom is mentioned without its topic', async () => {
    const course = campus.quietCourse();
    const start = freeHour();
    const sections = (await (await campus.api(`courses/${course.id}/sections`)).json()) as { id: number }[];
    while (sections.length < 2) {
      const answer = await campus.api(`courses/${course.id}/sections`, {
        method: 'POST',
        body: { course_section: { name: `Extra ${sections.length}` } },
      });
      sections.push((await answer.json()) as { id: number });
    }
    const child_event_data = sections
      .slice(0, 2)
      .map(({ id }) => ({ context_code: `course_section_${id}`, ...at(start) }));
    const event = await campus.makeEvent(course.id, { title: 'By section', ...at(start), child_event_data });
    const made = await campus.zoom<{ id: number }>(`/users/${HOSTS.farid}/meetings`, 'POST', {
      topic: 'Private talk',
      type: 2,
      start_time: start.toISOString().replace('.000Z', 'Z'),
      duration: 30,
    });
    expect(made.status).toBe(201);
    const preview = await previewOf(
      alma,
      publishing({ course: course.id, events: [event.id], owner: HOSTS.farid }),
    );
    expect(preview.clashes.map((clash) => clash.with.kind).sort()).toEqual(['event', 'zoom', 'zoom']);
    expect(JSON.stringify(preview)).not.toContain('Private talk');
  });

  test('name an event in another course only to people who can see that course', async () => {
    const bruno = await server.signIn(PEOPLE.custom);
    const courses = campus.courses();
    const inScope = campus.quietCourse();
    expect(courses.some(({ id }) => id === inScope.id)).toBe(true);
    const outside = campus.course(0, 163);
    const start = freeHour();
    const other = await campus.makeEvent(outside.id, { title: 'Elsewhere', ...at(start) });
    await change(alma, publishing({ course: outside.id, events: [other.id], owner: HOSTS.hugo }));
    const own = await campus.makeEvent(inScope.id, { title: 'Here', ...at(start) });
    const asked = publishing({ course: inScope.id, events: [own.id], owner: HOSTS.hugo });
    const seen = async (browser: Browser) =>
      (await previewOf(browser, asked)).clashes.map((clash) => [clash.with.kind, clash.with.title]);
    expect(await seen(alma)).toEqual([['course', 'Elsewhere']]);
    expect(await seen(bruno)).toEqual([['course', null]]);
  });

  test('include a reservation in two courses with one host; with two hosts it is only named, even if merged', async () => {
    const bruno = await server.signIn(PEOPLE.custom);
    const here = campus.quietCourse();
    const outside = campus.course(0, 163);
    const start = freeHour();
    const description = `<p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=95${here.id}">Edit on TimeEdit</a></p>`;
    const there = await campus.makeEvent(outside.id, { title: 'There', description, ...at(start) });
    await change(alma, publishing({ course: outside.id, events: [there.id], owner: HOSTS.hugo }));
    const own = await campus.makeEvent(here.id, { title: 'Here', description, ...at(start) });
    const asked = (owner: string) => publishing({ course: here.id, events: [own.id], owner, visible: false });
    const seen = async (browser: Browser, owner: string) => {
      const { clashes, elsewhere } = await previewOf(browser, asked(owner));
      return [
        clashes.map(({ with: other }) => [other.kind, other.title]),
        elsewhere.map(({ event, with: other }) => [event, other.title, other.host]),
      ];
    };
    expect(await seen(alma, HOSTS.hugo)).toEqual([[['reservation', 'There']], []]);
    expect(await seen(alma, HOSTS.bruno)).toEqual([[], [[own.id, 'There', HOSTS.hugo]]]);
    expect(await seen(bruno, HOSTS.bruno)).toEqual([[], [[own.id, null, null]]]);
    expect(await seen(alma, HOSTS.standard)).toEqual([[], []]);
    const other = await campus.makeEvent(here.id, { title: 'Other', ...at(freeHour()) });
    await change(alma, publishing({ course: here.id, events: [other.id], owner: HOSTS.bruno }));
    const merging = { change: 'merge' as const, course: here.id, parent: other.id, events: [own.id] };
    expect((await previewOf(alma, merging)).elsewhere.map(({ with: one }) => one.host)).toEqual([HOSTS.hugo]);
    // Once merged, it uses the meeting of its main event, whose host is needed at both times.
    const main = await campus.makeEvent(outside.id, { title: 'Main', ...at(freeHour()) });
    await change(alma, publishing({ course: outside.id, events: [main.id], owner: HOSTS.farid }));
    await change(alma, { change: 'merge', course: outside.id, parent: main.id, events: [there.id] });
    expect(await seen(alma, HOSTS.bruno)).toEqual([[], [[own.id, 'There', HOSTS.farid]]]);
    expect(await seen(alma, HOSTS.farid)).toEqual([[['reservation', 'There']], []]);
  });

  test('include the times of merged events, at which the host of the main event is needed', async () => {
    const here = campus.quietCourse();
    const outside = campus.course(0, 163);
    const [early, late] = [freeHour(), freeHour()];
    const make = (course: number, title: string, start: Date) =>
      campus.makeEvent(course, { title, ...at(start) });
    const main = await make(here.id, 'Main', early);
    const child = await make(here.id, 'Child', late);
    const twin = await make(here.id, 'Twin', early);
    await change(alma, publishing({ course: here.id, events: [main.id], owner: HOSTS.hugo }));
    const there = await make(outside.id, 'There', late);
    await change(alma, publishing({ course: outside.id, events: [there.id], owner: HOSTS.hugo }));
    const said = async (asked: Parameters<typeof previewOf>[1]) =>
      (await previewOf(alma, asked)).clashes.map(
        ({ event, host, with: other }) => `${event} ${host} ${other.title}`,
      );
    // Merging: an event at the same time as the main event is not another meeting.
    const merging = {
      change: 'merge' as const,
      course: here.id,
      parent: main.id,
      events: [child.id, twin.id],
    };
    expect(await said(merging)).toEqual([`${child.id} ${HOSTS.hugo} There`]);
    await change(alma, merging);
    // Publishing another of the host's events, in this course and in the other one.
    const late2 = await make(here.id, 'Late', late);
    const asked = (course: number, event: number, owner: string = HOSTS.hugo) =>
      publishing({ course, events: [event], owner });
    expect(new Set(await said(asked(here.id, late2.id)))).toEqual(
      new Set([`${late2.id} ${HOSTS.hugo} Child`, `${late2.id} ${HOSTS.hugo} There`]),
    );
    expect(await said(asked(outside.id, there.id))).toEqual([`${there.id} ${HOSTS.hugo} Child`]);
    // Another host for the main event, who is busy at the time of the merged event.
    const busy = await make(outside.id, 'Busy', late);
    await change(alma, asked(outside.id, busy.id, HOSTS.bruno));
    expect(await said(asked(here.id, main.id, HOSTS.bruno))).toEqual([`${child.id} ${HOSTS.bruno} Busy`]);
  });

  test('include a change of host or link during a class', async () => {
    const course = campus.quietCourse();
    const start = new Date(Date.now() + 20 * 60_000);
    const event = await campus.makeEvent(course.id, { title: 'Now', ...at(start) });
    await change(alma, publishing({ course: course.id, events: [event.id], owner: HOSTS.alma }));
    await campus.changeEvent(event.id, at(new Date(Date.now() - 10 * 60_000)));
    const running = async (owner: string) =>
      (await previewOf(alma, publishing({ course: course.id, events: [event.id], owner }))).running;
    expect(await running(HOSTS.alma)).toEqual([]);
    expect((await running(HOSTS.hugo)).map((one) => one.event)).toEqual([event.id]);
  });
});

test('OP-103 text that a person adds next to a link in LMS Admin’s lines stays in Canvas, shown and hidden', async () => {
  const course = campus.quietCourse();
  const event = await campus.makeEvent(course.id, { description: '<p>Own</p>' });
  const asked = publishing({ course: course.id, events: [event.id] });
  await change(alma, asked);
  const { description } = await campus.event(event.id);
  const edited = (description ?? '').replace('</a></p>', '</a> Bring your laptop</p>');
  expect(edited).not.toBe(description);
  await campus.changeEvent(event.id, { description: edited });
  await change(alma, asked);
  const shown = (await campus.event(event.id)).description ?? '';
  expect(shown).toBe((description ?? '').replace('<p>Own</p>', '<p>Own</p><p>Bring your laptop</p>'));
  await change(alma, publishing({ course: course.id, events: [event.id], visible: false }));
  expect((await campus.event(event.id)).description).toBe('<p>Own</p><p>Bring your laptop</p>');
});

test('OP-69 open changes are listed by course, not by course code, including for colleagues', async () => {
  const course = campus.quietCourse();
  const twin = campus.quietCourse();
  const event = await campus.makeEvent(course.id, {});
  // The job waits for Zoom, so it stays open.
  await campus.zoomFault({ match: '/zoom/v2/users/*/meetings', kind: 'status', status: 500 });
  const response = await startChange(alma, publishing({ course: course.id, events: [event.id] }));
  const { id } = ((await response.json()) as { data: { id: string } }).data;
  const bruno = await server.signIn(PEOPLE.custom);
  const open = async (browser: Browser, of: number) => {
    const answer = await browser.fetch(ENDPOINTS.zoomOpenChanges.replace(':course', String(of)));
    return z.array(zoomOpenChange).parse(((await answer.json()) as { data: unknown }).data);
  };
  expect((await open(alma, course.id)).map(({ job, shown }) => [job, shown])).toEqual([[id, true]]);
  expect((await open(bruno, course.id)).map(({ job, admin, shown }) => [job, admin, shown])).toEqual([
    [id, 'Alma Reyes', false],
  ]);
  expect(await open(alma, twin.id)).toEqual([]);
  await cancelOf(alma, id);
  await endOf(alma, id);
  await campus.clearFaults();
  expect(await open(alma, course.id)).toEqual([]);
});
