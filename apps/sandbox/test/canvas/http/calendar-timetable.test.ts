/** Timetables that another system sends for a course (reference §14.4). */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Json, signIn, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
let course: number;
let section: number;
beforeEach(async () => {
  const made = await client.send('POST', '/api/v1/accounts/86/courses', {
    course: {
      name: 'Plan',
      restrict_enrollments_to_course_dates: true,
      start_at: '2026-11-30T00:00:00Z',
      end_at: '2026-12-13T00:00:00Z',
    },
  });
  course = Number(made.body['id']);
  const part = await client.send('POST', `/api/v1/courses/${course}/sections`, {
    course_section: { name: 'Part' },
  });
  section = Number(part.body['id']);
});

const hand = (what: 'timetable' | 'timetable_events', fields: unknown, token?: string) =>
  client.send(
    'POST',
    `/api/v1/courses/${course}/calendar_events/${what}`,
    fields,
    token === undefined ? {} : { token },
  );
async function events(): Promise<Json[]> {
  return (await client.api(`/calendar_events?all_events=1&per_page=100&context_codes[]=course_${course}`))
    .body;
}
const shown = async () => (await events()).map((e) => `${e['title']} ${e['start_at']} ${e['location_name']}`);

const lesson = (day: number, more: object = {}) => ({
  start_at: `2026-12-0${day}T10:00:00Z`,
  end_at: `2026-12-0${day}T12:00:00Z`,
  ...more,
});

describe('§14.4 timetable_events', () => {
  test('§14.4 is answered immediately, without a job; the event does not contain the external code', async () => {
    const answer = await hand('timetable_events', {
      events: [lesson(1, { code: 'TE-1', title: 'Lecture', location_name: 'Amphi 3' }), lesson(2)],
    });
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    await expect
      .poll(shown)
      .toEqual(['Lecture 2026-12-01T10:00:00Z Amphi 3', 'Plan 2026-12-02T10:00:00Z null']);
    for (const event of await events()) expect(JSON.stringify(event)).not.toMatch(/TE-1|timetable/);
  });

  test("§14.4 when it is sent again, known codes are updated in place, the timetable's other events are deleted, and events created by hand stay", async () => {
    await client.send('POST', '/api/v1/calendar_events', {
      calendar_event: {
        context_code: `course_${course}`,
        title: 'By hand',
        start_at: '2026-12-09T10:00:00Z',
      },
    });
    await hand('timetable_events', { events: [lesson(1, { code: 'A' }), lesson(2, { code: 'B' })] });
    await expect.poll(async () => (await events()).length).toBe(3);
    const [first] = await events();
    await hand('timetable_events', { events: [lesson(3, { code: 'A', title: 'Moved' })] });
    await expect
      .poll(shown)
      .toEqual(['Moved 2026-12-03T10:00:00Z null', 'By hand 2026-12-09T10:00:00Z null']);
    expect((await events())[0]?.['id']).toBe(first?.['id']);
  });

  test('§14.4 for a section, an event is in the section and in the course’s calendar', async () => {
    await hand('timetable_events', { course_section_id: section, events: [lesson(1, { code: 'A' })] });
    await expect.poll(async () => (await events()).length).toBe(1);
    expect((await events())[0]).toMatchObject({
      context_code: `course_section_${section}`,
      effective_context_code: `course_${course}`,
      title: 'Plan (Part)',
      parent_event_id: null,
    });
  });

  test('§14.4 errors are reported, and nothing is written', async () => {
    const none = await hand('timetable_events', { events: [{ start_at: '2026-12-01T10:00:00Z' }] });
    expect([none.status, none.body]).toEqual([400, { errors: ['start_at and end_at are required'] }]);
    const twice = await hand('timetable_events', { events: [lesson(1), lesson(1)] });
    expect([twice.status, twice.body]).toEqual([400, { errors: ['events (or codes) are not unique'] }]);
    expect((await hand('timetable_events', { course_section_id: 1, events: [lesson(1)] })).status).toBe(404);
    await client.send('POST', `/api/v1/courses/${course}/enrollments`, {
      enrollment: { user_id: 108, enrollment_state: 'active' },
    });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    expect((await hand('timetable_events', { events: [lesson(1)] }, token)).status).toBe(403);
    expect(await events()).toEqual([]);
  });
});

describe('§14.4 timetable', () => {
  test('§14.4 creates events on its weekdays, between the first and last day of the course, in the course’s zone', async () => {
    const week = {
      weekdays: 'M,Wednesday',
      start_time: '9:00 am',
      end_time: '10:30',
      location_name: 'Room 1',
    };
    const answer = await hand('timetable', { timetables: { all: [week] } });
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    // Paris in December.
    await expect
      .poll(async () => (await events()).map((e) => [e['start_at'], e['end_at']]))
      .toEqual([
        ['2026-11-30T08:00:00Z', '2026-11-30T09:30:00Z'],
        ['2026-12-02T08:00:00Z', '2026-12-02T09:30:00Z'],
        ['2026-12-07T08:00:00Z', '2026-12-07T09:30:00Z'],
        ['2026-12-09T08:00:00Z', '2026-12-09T09:30:00Z'],
      ]);
    const kept = await client.api(`/courses/${course}/calendar_events/timetable`);
    expect(kept.body).toMatchObject({ all: [{ weekdays: 'Mon,Wed', start_time: '9:00 am' }] });
  });

  test('§14.4 sections missing from the new timetable lose their earlier events', async () => {
    const week = { weekdays: 'Fri', start_time: '14:00', end_time: '15:00' };
    await hand('timetable', { timetables: { [section]: [week] } });
    await expect.poll(async () => (await events()).length).toBe(2);
    await hand('timetable', { timetables: { all: [{ ...week, weekdays: 'Sat' }] } });
    await expect
      .poll(async () => (await events()).map((e) => [e['context_code'], e['start_at']]))
      .toEqual([
        [`course_${course}`, '2026-12-05T13:00:00Z'],
        [`course_${course}`, '2026-12-12T13:00:00Z'],
      ]);
  });

  test('§14.4 all errors are reported at once', async () => {
    const week = { weekdays: 'Someday', start_time: '25:00', end_time: 'late' };
    const answer = await hand('timetable', { timetables: { all: [week] } });
    expect([answer.status, answer.body]).toEqual([
      400,
      { errors: ['invalid start time(s)', 'invalid end time(s)', 'weekdays are not valid'] },
    ]);
    const good = { weekdays: 'Tue', start_time: '9:00', end_time: '10:00' };
    const twice = await hand('timetable', { timetables: { all: [good, good] } });
    expect([twice.status, twice.body]).toEqual([400, { errors: ['events (or codes) are not unique'] }]);
    expect((await client.api(`/courses/${course}/calendar_events/timetable`)).body).toEqual({});
  });
});
