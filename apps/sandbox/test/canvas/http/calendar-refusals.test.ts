/** Calendar errors, in Canvas's words and order (reference §12, §14.1, §14.3). */
import { describe, expect, test } from 'vitest';
import { useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const send = (method: string, path: string, body: unknown) =>
  client.send(method, `/api/v1/calendar_events${path}`, body);
const make = async (fields: Record<string, unknown>) =>
  (await send('POST', '', { calendar_event: { context_code: 'user_1', ...fields } })).body;
const times = { start_at: '2026-12-01T10:00:00Z', end_at: '2026-12-01T11:00:00Z' };

describe('§14.1 lists', () => {
  test('§14.1 a forbidden calendar is reported before an invalid date', async () => {
    const both = await client.api('/calendar_events?context_codes[]=course_999999&start_date=nonsense');
    expect(both.status).toBe(403);
    const date = await client.api('/calendar_events?start_date=nonsense');
    expect(date.status).toBe(400);
    expect(date.body).toEqual({
      errors: { start_date: 'Invalid date or invalid datetime for start_date' },
    });
  });

  test('§12 important dates and blackout dates together select events that are both', async () => {
    const marks = [{ important_dates: true }, { blackout_date: true }];
    const made = await Promise.all(
      [...marks, { ...marks[0], ...marks[1] }].map((mark) => make({ ...times, ...mark })),
    );
    const ids = async (query: string) =>
      (await client.api(`/calendar_events?all_events=1&per_page=100&${query}`)).body.map(
        (event) => event['id'],
      );
    expect(await ids('important_dates=1')).toEqual([made[0]?.['id'], made[2]?.['id']]);
    expect(await ids('blackout_date=1')).toEqual([made[1]?.['id'], made[2]?.['id']]);
    expect(await ids('important_dates=1&blackout_date=1')).toEqual([made[2]?.['id']]);
  });

  test('§14.4 an event without a conference does not have the field, even on request', async () => {
    await make(times);
    const day = 'start_date=2026-12-01&end_date=2026-12-01';
    for (const name of ['include', 'includes']) {
      const { body } = await client.api(`/calendar_events?${day}&${name}[]=web_conference`);
      expect(body[0], name).not.toHaveProperty('web_conference');
    }
  });

  test('§12 an event has the documented fields, and those of a series only if it belongs to one', async () => {
    const fields =
      'all_context_codes all_day all_day_date blackout_date child_events child_events_count comments context_code context_color context_name created_at description duplicates end_at hidden html_url id important_dates location_address location_name parent_event_id rrule series_uuid start_at title type updated_at url workflow_state';
    const names = (event: object | undefined) => Object.keys(event ?? {}).sort();
    expect(names(await make(times))).toEqual(fields.split(' '));
    const series = await make({ ...times, rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=2' });
    const ofSeries = [...fields.split(' '), 'series_head', 'series_natural_language'].sort();
    expect(names(series)).toEqual(ofSeries);
    const [copy] = series['duplicates'] as unknown as { calendar_event: object }[];
    expect(names(copy?.calendar_event)).toEqual(ofSeries);
    const one = `/calendar_events/${series['id']}`;
    expect((await client.api(one)).body).not.toHaveProperty('series_natural_language');
    expect((await client.api(`${one}?include[]=series_natural_language`)).body).toMatchObject({
      series_natural_language: 'Daily, 2 times',
    });
  });
});

describe('§14.3 writing', () => {
  test('§14.3 a request without event fields is a 404 for a new event, because it has no calendar, and a 400 for an update', async () => {
    expect((await send('POST', '', {})).status).toBe(404);
    const event = await make(times);
    const none = await send('PUT', `/${event['id']}`, {});
    expect(none.status).toBe(400);
    expect(none.body).toEqual({ errors: [{ message: 'calendar_event is missing' }] });
  });

  test('§14.3 events with section times cannot move, even if the caller may write to the new calendar', async () => {
    const { world } = client;
    const section = [...world.sections.values()].find(({ course_id: id }) => {
      const staff = world.enrollments.by.course
        .get(id)
        .some((e) => e.type === 'TeacherEnrollment' && e.workflow_state === 'active');
      return staff && world.courses.must(id).workflow_state === 'available';
    });
    if (!section) throw new Error('The seed has no such section');
    const event = await make({
      context_code: `course_${section.course_id}`,
      child_event_data: [{ context_code: `course_section_${section.id}`, ...times }],
    });
    const moved = await send('PUT', `/${event['id']}`, { calendar_event: { context_code: 'user_1500' } });
    expect([moved.status, moved.body]).toEqual([
      400,
      { message: 'Cannot move events with section-specific times between calendars' },
    ]);
  });

  test('§14.3 the rule of a series is checked, and an error names what is missing', async () => {
    const refusal = async (rrule: string) =>
      (await send('POST', '', { calendar_event: { context_code: 'user_1', ...times, rrule } })).body[
        'message'
      ];
    expect(await refusal('FREQ=DAILY;COUNT=2')).toBe('Missing INTERVAL');
    expect(await refusal('FREQ=DAILY;INTERVAL=1')).toBe('Missing COUNT or UNTIL');
    expect(await refusal('FREQ=DAILY;INTERVAL=0;COUNT=2')).toBe('INTERVAL must be > 0');
    expect(await refusal('FREQ=DAILY;INTERVAL=1;COUNT=0')).toBe('COUNT must be > 0');
    expect(await refusal('FREQ=DAILY;INTERVAL=1;COUNT=201')).toBe('COUNT must be <= 200');
    for (const day of ['soon', '20270229'])
      expect(await refusal(`FREQ=DAILY;INTERVAL=1;UNTIL=${day}`)).toBe(`Invalid UNTIL '${day}'`);
    expect(await refusal('FREQ=HOURLY;INTERVAL=1;COUNT=2')).toBe(
      "Failed parsing the event's recurrence rule: Valid FREQ value is required",
    );
    expect(await refusal('FREQ=DAILY;INTERVAL=1;UNTIL=20281231')).toBe(
      'A maximum of 200 events may be created',
    );
  });

  test('§14.3 comments of more than 255 characters, and a description of half a megabyte, are rejected', async () => {
    for (const [name, most] of [
      ['comments', 255],
      ['description', 511_999],
    ] as const) {
      const fields = { context_code: 'user_1', [name]: 'x'.repeat(most + 1) };
      const long = await send('POST', '', { calendar_event: fields });
      expect(long.status).toBe(400);
      expect(long.body['errors']?.[name]?.[0]).toMatchObject({ attribute: name, type: 'too_long' });
    }
  });

  test('§14.3 in a series, a single event cannot get its own rule, and one in the middle cannot move all events to another day', async () => {
    const first = await make({ ...times, rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=3' });
    const copies = first['duplicates'] as unknown as { calendar_event: { id: number } }[];
    const second = copies[0]?.calendar_event.id;
    const put = async (query: string, fields: unknown) => {
      const { status, body } = await send('PUT', `/${second}${query}`, { calendar_event: fields });
      return [status, body];
    };
    expect(await put('', { rrule: 'FREQ=WEEKLY;INTERVAL=1;COUNT=3' })).toEqual([
      400,
      { message: 'You may not update one event with a new schedule.' },
    ]);
    expect(
      await put('?which=all', { start_at: '2026-12-09T10:00:00Z', end_at: '2026-12-09T11:00:00Z' }),
    ).toEqual([400, { message: 'You may not change the start date when changing all events in the series' }]);
    expect(await put('?which=some', { title: 'x' })).toEqual([
      400,
      { error: "Invalid parameter which='some'" },
    ]);
  });
});
