import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Json, signIn, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const send = (method: string, path: string, fields: unknown, query = '') =>
  client.send(method, `/api/v1/calendar_events${path}${query}`, { calendar_event: fields });
const read = async (id: unknown) => (await client.api(`/calendar_events/${id}`)).body;
const change = async (event: Json, fields: unknown) => (await send('PUT', `/${event['id']}`, fields)).body;

async function make(fields: Record<string, unknown>): Promise<Json> {
  const made = await send('POST', '', { title: 'Event', ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** Finds the id of a course that is in this state and has an active student. */
function courseIn(state: string): number {
  for (const course of client.world.courses.values())
    if (course.workflow_state === state && (state !== 'available' || students(course.id).length > 1))
      return course.id;
  throw new Error('The seed has no such course');
}

const students = (course: number) =>
  client.world.enrollments.by.course
    .get(course)
    .filter((e) => e.type === 'StudentEnrollment' && e.workflow_state === 'active');

describe('§14.3 permissions and errors', () => {
  test('§14.3 managers write to the course, members to their group’s calendar, and everyone only to their own', async () => {
    const course = courseIn('available');
    const as = (user: number | undefined, context_code: string) =>
      send('POST', '', { context_code, title: 'Mine' }, `?as_user_id=${user}`).then(({ status }) => status);
    const student = students(course)[0]?.user_id;
    const teacher = client.world.enrollments.by.course
      .get(course)
      .find((e) => e.type === 'TeacherEnrollment' && e.workflow_state === 'active');
    expect(await as(student, `course_${course}`)).toBe(403);
    expect(await as(teacher?.user_id, `course_${course}`)).toBe(201);
    expect(await as(student, `user_${student}`)).toBe(201);
    expect(await as(student, 'user_1')).toBe(403);
    expect(await as(student, 'account_1')).toBe(403);
    expect(await as(1, 'account_1')).toBe(201);
    const member = [...client.world.groupMemberships.values()].find((m) => m.user_id !== student);
    expect(await as(member?.user_id, `group_${member?.group_id}`)).toBe(201);
  });

  test('§14.3 a missing or unknown context is a 404, and a deleted course is a 400', async () => {
    for (const context_code of ['', 'course_999999', 'nonsense'])
      expect((await send('POST', '', { context_code, title: 'x' })).status, context_code).toBe(404);
    expect(
      await send('POST', '', { context_code: `course_${courseIn('deleted')}`, title: 'x' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'cannot create event for deleted course' },
    });
  });

  test('§14.3 a title of more than 255 characters is rejected, and nothing is written', async () => {
    const before = client.world.calendarEvents.size;
    const tooLong = ({ status, body }: Answer) => [status, body['errors']?.['title']?.[0]?.['type']];
    const title = 'x'.repeat(256);
    expect(tooLong(await send('POST', '', { context_code: 'user_1', title }))).toEqual([400, 'too_long']);
    expect(client.world.calendarEvents.size).toBe(before);
    const event = await make({ context_code: 'user_1', title: 'x'.repeat(255) });
    expect(tooLong(await send('PUT', `/${event['id']}`, { title }))).toEqual([400, 'too_long']);
    expect(await read(event['id'])).toMatchObject({ title: 'x'.repeat(255) });
  });

  test('§14.3 a deleted event is shown as deleted when read by id, is in no list, and cannot be changed or deleted again', async () => {
    const event = await make({ context_code: 'user_1', start_at: '2026-12-24T10:00:00Z' });
    const remove = () =>
      client.api(`/calendar_events/${event['id']}?cancel_reason=snow`, { method: 'DELETE' });
    // People are told the reason, but it is not stored.
    const deleted = { workflow_state: 'deleted', comments: null };
    expect(await remove()).toMatchObject({ status: 200, body: deleted });
    expect(await read(event['id'])).toMatchObject(deleted);
    expect((await send('PUT', `/${event['id']}`, { title: 'Back' })).status).toBe(403);
    expect((await remove()).status).toBe(403);
    const list = await client.api('/calendar_events?start_date=2026-12-24&end_date=2026-12-24');
    expect(list.body).toEqual([]);
  });

  test('§14.3 a locked event can be deleted, but not edited', async () => {
    const event = await make({ context_code: 'user_1' });
    const row = client.world.calendarEvents.must(Number(event['id']));
    client.world.calendarEvents.change(row, { workflow_state: 'locked' });
    expect((await send('PUT', `/${event['id']}`, { title: 'x' })).status).toBe(403);
    expect((await client.api(`/calendar_events/${event['id']}`, { method: 'DELETE' })).status).toBe(200);
  });

  test('§14.3 PUT with a context moves the event to a calendar that the caller may write to', async () => {
    const course = courseIn('available');
    const event = await make({ context_code: 'user_1' });
    expect((await send('PUT', `/${event['id']}`, { context_code: 'course_999999' })).status).toBe(404);
    expect(await change(event, { context_code: `course_${course}` })).toMatchObject({
      id: event['id'],
      context_code: `course_${course}`,
    });
    const list = await client.api(`/calendar_events?undated=1&context_codes[]=course_${course}`);
    expect(list.body.map(({ id }) => id)).toContain(event['id']);
    expect((await client.api('/calendar_events?undated=1')).body.map(({ id }) => id)).not.toContain(
      event['id'],
    );
  });
});

describe('§14.3 dates', () => {
  const [start_at, end_at] = ['2026-12-02T10:00:00Z', '2026-12-02T11:30:00Z'];

  test('§14.3 a missing end, or one before the start, becomes the start; without either, the event is undated', async () => {
    const both = async (fields: object) => {
      const event = await make({ context_code: 'user_1', ...fields });
      return [event['start_at'], event['end_at']];
    };
    expect(await both({ start_at })).toEqual([start_at, start_at]);
    expect(await both({ start_at: end_at, end_at: start_at })).toEqual([end_at, end_at]);
    expect(await both({ end_at })).toEqual([end_at, end_at]);
    expect(await both({})).toEqual([null, null]);
  });

  test('§14.3 missing fields keep their values: changing text keeps the times, and changing the start keeps the end', async () => {
    const event = await make({ context_code: 'user_1', start_at, end_at, description: '<p>Old</p>' });
    const zoom = { description: '<p>Old</p><p>Join</p>', location_address: 'https://zoom.example/j/1' };
    expect(await change(event, zoom)).toMatchObject({
      ...zoom,
      start_at,
      end_at,
      title: 'Event',
      all_day: false,
    });
    expect(await change(event, { start_at: '2026-12-02T10:15:00Z' })).toMatchObject({ end_at, ...zoom });
    expect(await change(event, { start_at: '2026-12-03T10:00:00Z' })).toMatchObject({
      end_at: '2026-12-03T10:00:00Z',
    });
  });

  test('§14.3 an all-day event starts at midnight in time_zone_edited, or in the caller’s zone', async () => {
    const late = { context_code: 'user_1', start_at: '2026-12-02T20:00:00Z', all_day: true };
    const day = async (fields: object) => {
      const event = await make({ ...late, ...fields });
      return [event['start_at'], event['end_at'], event['all_day'], event['all_day_date']];
    };
    const singapore = ['2026-12-02T16:00:00Z', '2026-12-02T16:00:00Z', true, '2026-12-03'];
    for (const time_zone_edited of ['Asia/Singapore', 'Singapore'])
      expect(await day({ time_zone_edited }), time_zone_edited).toEqual(singapore);
    const paris = ['2026-12-01T23:00:00Z', '2026-12-01T23:00:00Z', true, '2026-12-02'];
    expect(await day({})).toEqual(paris);
    expect(await day({ time_zone_edited: 'Atlantis' })).toEqual(paris);
    const token = String((await signIn(client, 'carla.singh'))['access_token']);
    const own = { ...late, context_code: 'user_103', title: 'Own' };
    const made = await client.send('POST', '/api/v1/calendar_events', { calendar_event: own }, { token });
    expect(made.body).toMatchObject({ start_at: singapore[0], all_day_date: '2026-12-03' });
    // Changing the text keeps the event all-day; giving it different start and end times does not.
    const event = await make({ ...late, time_zone_edited: 'Asia/Singapore' });
    expect(await change(event, { description: 'x' })).toMatchObject({
      all_day: true,
      start_at: singapore[0],
    });
    expect(await change(event, { start_at, end_at })).toMatchObject({ all_day: false, start_at, end_at });
  });

  test('§14.4 a description keeps links, loses unsafe content, and returns relative addresses as absolute ones', async () => {
    const description =
      '<p><a href="/courses/1">here</a> <a href="https://zoom.example/j/1">Join</a></p><!-- mark --><iframe src="x"></iframe><object><b>y</b></object>';
    expect(await make({ context_code: 'user_1', description })).toMatchObject({
      description: `<p><a href="${client.url}/courses/1">here</a> <a href="https://zoom.example/j/1">Join</a></p>`,
    });
  });
});

describe('§14.3 copies and series', () => {
  const first = { context_code: 'user_1', start_at: '2026-10-20T08:00:00Z', end_at: '2026-10-20T09:00:00Z' };
  const starts = (events: readonly Json[]) => events.map((event) => String(event['start_at']));
  const whole = (made: Json) => [
    made,
    ...(made['duplicates'] ?? []).map((each) => each['calendar_event'] as Json),
  ];

  test('§14.3 copies have the requested number, interval and numbering, and there are at most 200', async () => {
    const copies = { count: 2, interval: 2, frequency: 'weekly', append_iterator: true };
    const made = whole(await make({ ...first, title: 'Lab', duplicate: copies }));
    expect(made.map((event) => event['title'])).toEqual(['Lab 1', 'Lab 2', 'Lab 3']);
    // Nine o'clock stays nine o'clock when the clocks change.
    expect(starts(made)).toEqual(['2026-10-20T08:00:00Z', '2026-11-03T09:00:00Z', '2026-11-17T09:00:00Z']);
    expect(await send('POST', '', { ...first, title: 'x', duplicate: { count: 201 } })).toMatchObject({
      status: 400,
      body: { message: 'only a maximum of 200 events can be created' },
    });
  });

  test('§12 the recurrence of a series is described in words on request', async () => {
    const listed = async (query: string) =>
      (await client.api(`/calendar_events?all_events=1&per_page=100${query}`)).body;
    const words = {
      'FREQ=DAILY;INTERVAL=1;COUNT=3': 'Daily, 3 times',
      'FREQ=DAILY;INTERVAL=3;UNTIL=20261108T000000Z': 'Every 3 days until Nov 8, 2026',
      'FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,TH;COUNT=3': 'Weekly on Tue, Thu, 3 times',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=20261129T000000Z': 'Every 2 weeks until Nov 29, 2026',
      'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=20;COUNT=2': 'Monthly on day 20, 2 times',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=3TU;COUNT=2': 'Every 2 months on the 3rd Tue, 2 times',
      'FREQ=YEARLY;INTERVAL=1;BYMONTH=10;BYMONTHDAY=20;COUNT=2': 'Annually on Oct 20, 2 times',
      'FREQ=YEARLY;INTERVAL=2;BYMONTH=10;BYDAY=3TU;COUNT=2':
        'Every 2 years on the 3rd Tue of October, 2 times',
      'FREQ=YEARLY;INTERVAL=1;COUNT=2': null,
    };
    for (const rrule of Object.keys(words)) await make({ ...first, title: 'Told', rrule });
    await make({ ...first, title: 'Told' });
    const told = (await listed('&includes[]=series_natural_language')).filter(
      (each) => String(each['title']) === 'Told',
    );
    for (const [rrule, text] of Object.entries(words))
      expect(told.find((each) => String(each['rrule']) === rrule)?.['series_natural_language'], rrule).toBe(
        text,
      );
    expect(told.find((each) => each['rrule'] === null)).not.toHaveProperty('series_natural_language');
    expect((await listed(''))[0]).not.toHaveProperty('series_natural_language');
  });

  test('§14.3 the events of a series share its rule, and one of them is the head', async () => {
    const of = async (rrule: string) => starts(whole(await make({ ...first, rrule })));
    expect(await of('FREQ=DAILY;INTERVAL=2;COUNT=3')).toEqual([
      '2026-10-20T08:00:00Z',
      '2026-10-22T08:00:00Z',
      '2026-10-24T08:00:00Z',
    ]);
    expect(await of('FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,TH;UNTIL=20261029T120000Z')).toEqual([
      '2026-10-20T08:00:00Z',
      '2026-10-22T08:00:00Z',
      '2026-10-27T09:00:00Z',
      '2026-10-29T09:00:00Z',
    ]);
    expect(await of('FREQ=MONTHLY;INTERVAL=1;BYDAY=3TU;COUNT=3')).toEqual([
      '2026-10-20T08:00:00Z',
      '2026-11-17T09:00:00Z',
      '2026-12-15T09:00:00Z',
    ]);
    const made = whole(await make({ ...first, rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=3' }));
    expect(new Set(made.map((event) => event['series_uuid'])).size).toBe(1);
    expect(made.map((event) => event['series_head'])).toEqual([true, null, null]);
    for (const rrule of ['FREQ=DAILY;INTERVAL=1', 'FREQ=DAILY;INTERVAL=1;COUNT=201', 'INTERVAL=1;COUNT=3'])
      expect((await send('POST', '', { ...first, title: 'x', rrule })).status, rrule).toBe(400);
  });

  test('§14.3 the days that a rule selects, the first of which need not be the event’s own', async () => {
    const of = async (rule: string, count = 3) => {
      const made = await make({ ...first, rrule: `${rule};COUNT=${count}` });
      return starts(whole(made)).map((start) => start.slice(2, 10));
    };
    expect(await of('FREQ=WEEKLY;INTERVAL=1;BYDAY=MO')).toEqual(['26-10-26', '26-11-02', '26-11-09']);
    // A week begins on Monday: the Sunday after belongs to the first week.
    expect(await of('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU')).toEqual(['26-10-20', '26-10-25', '26-11-03']);
    expect(await of('FREQ=MONTHLY;INTERVAL=1;BYDAY=-1FR')).toEqual(['26-10-30', '26-11-27', '26-12-25']);
    expect(await of('FREQ=MONTHLY;INTERVAL=1;BYDAY=TU;BYSETPOS=1')).toEqual([
      '26-11-03',
      '26-12-01',
      '27-01-05',
    ]);
    expect(await of('FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1,-1')).toEqual(['26-10-31', '26-11-01', '26-11-30']);
    expect(await of('FREQ=YEARLY;INTERVAL=1;BYMONTH=2;BYMONTHDAY=29', 2)).toEqual(['28-02-29', '32-02-29']);
    expect(await of('FREQ=YEARLY;INTERVAL=2;BYMONTH=10;BYDAY=3TU', 2)).toEqual(['26-10-20', '28-10-17']);
    // An end date without a time ends the series at the beginning of that day.
    const until = await make({ ...first, rrule: 'FREQ=DAILY;INTERVAL=1;UNTIL=20261022' });
    expect(starts(whole(until)).at(-1)).toBe('2026-10-21T08:00:00Z');
  });

  test('§14.3 copies of an undated event are undated, an interval of 0 keeps the date, and too many copies are a 400', async () => {
    const undated = whole(await make({ context_code: 'user_1', duplicate: { count: '2' } }));
    expect(starts(undated)).toEqual(['null', 'null', 'null']);
    const same = whole(await make({ ...first, duplicate: { count: 1, interval: 0 } }));
    expect(new Set(starts(same)).size).toBe(1);
    const many = await send('POST', '', { ...first, title: 'x', duplicate: { count: '1_000_000' } });
    expect(many.status).toBe(400);
  });

  test('§14.3 PUT and DELETE of following or all events of a series return a list, and so does deleting a single event', async () => {
    const made = whole(
      await make({
        ...first,
        start_at: '2026-12-01T10:00:00Z',
        end_at: '2026-12-01T11:00:00Z',
        rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=4',
      }),
    );
    const second = String(made[1]?.['id']);
    const one = await send('PUT', `/${second}`, { title: 'Alone' });
    expect(one.body).toMatchObject({ id: Number(second), title: 'Alone', series_head: null });
    const moved = await send(
      'PUT',
      `/${second}`,
      { start_at: '2026-12-02T10:15:00Z', end_at: '2026-12-02T11:15:00Z' },
      '?which=following',
    );
    // The answer includes the first event, whose rule is now shorter; the others form a new series.
    expect(starts(moved.body)).toEqual([
      '2026-12-01T10:00:00Z',
      ...['02', '03', '04'].map((day) => `2026-12-${day}T10:15:00Z`),
    ]);
    expect(await read(made[0]?.['id'])).toMatchObject({ start_at: '2026-12-01T10:00:00Z' });
    const all = await send('PUT', `/${second}`, { description: 'All' }, '?which=all');
    expect(all.body.map((event) => event['description'])).toEqual(['All', 'All', 'All']);
    expect((await send('PUT', `/${second}`, {}, '?which=some')).status).toBe(400);
    const gone = await client.api(`/calendar_events/${second}?which=following`, { method: 'DELETE' });
    expect(gone.body.map((event) => event['workflow_state'])).toEqual(['deleted', 'deleted', 'deleted']);
    expect(await read(made[0]?.['id'])).toMatchObject({ workflow_state: 'active' });
    const last = await client.api(`/calendar_events/${made[0]?.['id']}`, { method: 'DELETE' });
    expect(last.body).toMatchObject([{ id: made[0]?.['id'], workflow_state: 'deleted' }]);
  });
});

describe('§14.3 notifications', () => {
  const day = { start_at: '2026-12-02T10:00:00Z', end_at: '2026-12-02T11:00:00Z' };
  let known: number;
  const notices = async () => (await client.ask('/sandbox/notices')).body['notices'] as Json;
  const news = async () => (await notices()).slice(known).map((each) => [each['kind'], each['event_id']]);
  beforeEach(async () => {
    known = (await notices()).length;
  });

  test('§14.3 people in the course are notified of a new event and of changed times, but not of changed texts and places', async () => {
    const course = courseIn('available');
    const event = await make({ context_code: `course_${course}`, ...day });
    expect((await notices()).at(-1)).toMatchObject({
      kind: 'new_event_created',
      event_id: event['id'],
      people: new Set(
        client.world.enrollments.by.course
          .get(course)
          .filter((e) => e.workflow_state === 'active')
          .map((e) => e.user_id),
      ).size,
    });
    known++;
    await change(event, { description: 'x', location_name: 'y', location_address: 'z', title: 'New' });
    await change(event, { ...day, description: 'The same times again' });
    expect(await news()).toEqual([]);
    await change(event, { end_at: '2026-12-02T11:15:00Z' });
    expect(await news()).toEqual([['event_date_changed', event['id']]]);
    await client.api(`/calendar_events/${event['id']}`, { method: 'DELETE' });
    expect(await news()).toHaveLength(1);
  });

  test('§14.3 an unpublished course and one’s own calendar send no notifications', async () => {
    for (const context_code of [`course_${courseIn('claimed')}`, 'user_1']) {
      const event = await make({ context_code, ...day });
      await change(event, { start_at: '2026-12-01T10:00:00Z' });
    }
    expect(await news()).toEqual([]);
  });

  test('§14.2 notifications about section events go only to the sections; changing a parent’s text sends none', async () => {
    const section = [...client.world.sections.values()].find(
      (each) =>
        client.world.courses.get(each.course_id)?.workflow_state === 'available' &&
        client.world.enrollments.by.section.get(each.id).some((e) => e.workflow_state === 'active'),
    );
    const code = `course_section_${section?.id}`;
    const child_event_data = [{ context_code: code, ...day }];
    const event = await make({ context_code: `course_${section?.course_id}`, child_event_data });
    const child = event['child_events']?.[0] as Json;
    expect(await news()).toEqual([['new_event_created', child['id']]]);
    await change(event, { description: 'For all' });
    await change(event, { child_event_data });
    expect(await news()).toHaveLength(1);
    await change(child, { start_at: '2026-12-02T10:30:00Z' });
    expect((await news()).slice(1)).toEqual([['event_date_changed', child['id']]]);
  });
});
