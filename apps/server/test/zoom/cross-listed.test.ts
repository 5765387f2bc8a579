/**
 * Events with section times and a section cross-listed into another course: its people keep a working link (OP-66,
 * OP-102, OP-103).
 */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { ZOOM_RUN_REVIEW, zoomRunReview } from '@lms-admin/contract/zoom-runs';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zoomEvents } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  refusalOf,
  rowOf,
  runOf,
  startChange,
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

const at = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();

/** Prepares two courses. The first has an event given to three sections, each with its own event. */
async function given(published = true) {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const sections: number[] = [];
  for (const name of ['Group A', 'Group B', 'Group C']) {
    const body = { course_section: { name } };
    const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
    sections.push(((await made.json()) as { id: number }).id);
  }
  const child_event_data = sections.map((section, n) => ({
    context_code: `course_section_${section}`,
    start_at: at(60 + 4 * n),
    end_at: at(61 + 4 * n),
  }));
  const event = (await campus.makeEvent(course, { title: 'Workshop', child_event_data })).id;
  const partOf = (section: number) =>
    [...server.sandbox.world.calendarEvents.values()].find(
      (one) => one.parent_calendar_event_id === event && one.context_code === `course_section_${section}`,
    )?.id ?? 0;
  const [, section = 0] = sections;
  if (published) await change(alma, publishing({ course, events: [event], owner: HOSTS.alma }));
  return { course, other, event, section, part: partOf(section) };
}

const crossList = (section: number, course: number) =>
  campus.api(`sections/${section}/crosslist/${course}`, { method: 'POST' });
const endCrossListing = (section: number) =>
  campus.api(`sections/${section}/crosslist`, { method: 'DELETE' });

/** Reads the meetings to which an event leads, by section name. */
async function linesOf(event: number): Promise<[string, number][]> {
  const lines = blocksIn(await campus.event(event)).flatMap((one) => one.match(/<p .*?<\/p>/g) ?? []);
  return lines.map((line) => [/>([^<:]*): </.exec(line)?.[1] ?? '', numberIn(line)]);
}

async function reviewOf(course: number) {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const { data } = await (await alma.post(jobStartPath(ZOOM_RUN_REVIEW), asked)).json();
  const { told, meetings } = zoomRunReview.parse((await endOf(alma, data.id)).result);
  return { told: told.map(({ event, does, problem }) => [event, does, problem]), meetings };
}

const NOTHING = { made: 0, changed: 0, removed: 0 };

describe('OP-66, OP-103 an event of a section that is cross-listed into another course', () => {
  test('keeps its link in the runs of both courses, which say that nothing is changed', async () => {
    const { course, other, event, section, part } = await given();
    const before = await linesOf(event);
    expect(before.map(([name]) => name)).toEqual(['Group A', 'Group B', 'Group C']);
    await crossList(section, other);
    await campus.writes();
    for (const one of [other, course, other, course]) {
      expect(await reviewOf(one)).toEqual({ told: [], meetings: NOTHING });
      const { job, items } = await runOf(server, alma, one);
      const names = job.figures.map(([name]) => name);
      expect([job.outcome, names, items.map(({ state }) => state)]).toEqual(['done', ['events'], ['done']]);
      const words =
        one === other
          ? `This event of a cross-listed section belongs to course ${course}. Its meeting and link are kept up to date there.`
          : 'Nothing to do.';
      expect(items[0]?.message).toBe(words);
    }
    expect(await campus.writes()).toEqual([]);
    expect([await linesOf(event), await linesOf(part)]).toEqual([before, before]);
    expect(await rowOf(alma, other, part)).toMatchObject({ zoom_owner: HOSTS.alma, zoom_visibility: 1 });
  });

  test("is updated, published and hidden together with its course's event", async () => {
    const { course, other, event, section, part } = await given(false);
    await crossList(section, other);
    // The other course does not give the event a meeting.
    expect(await reviewOf(other)).toEqual({ told: [], meetings: NOTHING });
    await runOf(server, alma, other);
    const input = publishing({ course, events: [event], owner: HOSTS.alma });
    expect(await previewOf(alma, input)).toMatchObject({ events: 3, make: 3, appear: 3, problems: [] });
    expect((await change(alma, input)).outcome).toBe('done');
    const lines = await linesOf(part);
    expect(lines.map(([name]) => name)).toEqual(['Group A', 'Group B', 'Group C']);
    const number = lines[1]?.[1] ?? 0;
    await campus.changeEvent(part, { start_at: at(90), end_at: at(91) });
    expect((await runOf(server, alma, course)).items[0]?.message).toContain('Meeting moved');
    expect(Date.parse((await campus.meeting(number))?.start_time ?? '')).toBe(Date.parse(at(90)));
    const hide = publishing({ course, events: [event], owner: HOSTS.alma, visible: false });
    expect(await previewOf(alma, hide)).toMatchObject({ disappear: 3 });
    await change(alma, hide);
    expect(await linesOf(part)).toEqual([]);
    // Back in its own course, the section has everything that it had before.
    await endCrossListing(section);
    expect(await reviewOf(course)).toEqual({ told: [], meetings: NOTHING });
  });

  test('cannot be changed from the other course, and the message names its own course', async () => {
    const { course, other, event, section, part } = await given();
    const before = await linesOf(event);
    await crossList(section, other);
    const own = (await campus.makeEvent(other, { title: 'Lecture' })).id;
    await change(alma, publishing({ course: other, events: [own], owner: HOSTS.farid }));
    const message = `This event of a cross-listed section belongs to course ${course}. Its meeting and link are kept up to date there.`;
    const input = publishing({ course: other, events: [part], owner: HOSTS.hugo, visible: false });
    expect((await previewOf(alma, input)).problems).toMatchObject([{ event: part, message }]);
    const done = await change(alma, input);
    expect(await itemsOf(alma, done.id)).toMatchObject([{ state: 'failed', message }]);
    const merges: ZoomChange[] = [
      { change: 'merge', course: other, parent: own, events: [part] },
      { change: 'merge', course: other, parent: part, events: [own] },
    ];
    for (const merge of merges)
      expect((await refusalOf(await startChange(alma, merge)))[1]).toContain(message);
    expect(await linesOf(part)).toEqual(before);
  });

  test('with a dead link is named by a run of the other course, and corrected by a run of its own course', async () => {
    const { course, other, event, section, part } = await given();
    await crossList(section, other);
    const gone = (await linesOf(event))[1]?.[1] ?? 0;
    await campus.zoom(`/meetings/${gone}`, 'DELETE');
    const { items } = await runOf(server, alma, other);
    expect(items).toMatchObject([
      {
        state: 'failed',
        message: `Its text has a link that does not lead to a valid meeting. It belongs to course ${course}. Start a run for that course, or publish the event there.`,
      },
    ]);
    await runOf(server, alma, course);
    const [, [name, number] = ['', 0]] = await linesOf(part);
    expect([name, number === gone]).toEqual(['Group B', false]);
    expect((await runOf(server, alma, other)).items).toMatchObject([{ state: 'done' }]);
  });

  test('returns to its course with the record created in the other course', async () => {
    const { course, other, event, section, part } = await given();
    const before = await linesOf(event);
    await crossList(section, other);
    const { db } = server.server.services.db;
    await db.update(zoomEvents).set({ courseId: other }).where(eq(zoomEvents.eventId, part));
    await campus.writes();
    for (const one of [other, course]) expect((await runOf(server, alma, one)).job.outcome).toBe('done');
    expect([await campus.writes(), await linesOf(part)]).toEqual([[], before]);
    const [record] = await db.select().from(zoomEvents).where(eq(zoomEvents.eventId, part));
    expect([record?.courseId, record?.meeting]).toEqual([course, before[1]?.[1]]);
  });

  test('of a deleted section is not kept', async () => {
    const { course, event, section } = await given();
    await campus.api(`sections/${section}`, { method: 'DELETE' });
    expect((await runOf(server, alma, course)).items[0]?.message).toBe(
      'Links updated to the current sections.',
    );
    expect((await linesOf(event)).map(([name]) => name)).toEqual(['Group A', 'Group C']);
  });
});

test('OP-103 a link is reported as hidden only if the LMS has removed it', async () => {
  const { course, other, event, section, part } = await given();
  const before = await linesOf(event);
  await crossList(section, other);
  // An LMS that does not say whose event it is.
  const { calendarEvents } = server.sandbox.world;
  const row = calendarEvents.get(part);
  if (!row) throw new Error('no such event');
  calendarEvents.change(row, { effective_context_code: null });
  for (let n = 0; n < 2; n++) {
    const { job, items } = await runOf(server, alma, other);
    expect(items).toMatchObject([
      { state: 'failed', message: 'The LMS did not remove the link from the event. Contact IT Support.' },
    ]);
    expect(job.figures.map(([name]) => name)).not.toContain('links hidden');
  }
  expect([await linesOf(part), course === other]).toEqual([before, false]);
});
