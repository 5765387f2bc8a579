import { describe, expect, test } from 'vitest';
import { signIn, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const FORBIDDEN = { status: 403, body: { status: 'unauthorized' } };

const list = (query: string, token?: string) =>
  client.api(`/calendar_events?per_page=100&${query}`, token === undefined ? {} : { token });
const ids = async (query: string, token?: string) =>
  (await list(query, token)).body.map((event) => Number(event['id']));

/** Creates an event through the API and returns the answer's body. */
async function make(fields: Record<string, unknown>) {
  const made = await client.send('POST', '/api/v1/calendar_events', { calendar_event: fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** Finds an available course with two sections, each with an active student who is in no other section. */
function courseOfTwoSections() {
  const { world } = client;
  for (const course of world.courses.values()) {
    if (course.workflow_state !== 'available') continue;
    const seats = world.sections.by.course.get(course.id).flatMap((section) => {
      const seat = world.enrollments.by.section
        .get(section.id)
        .find((e) => e.type === 'StudentEnrollment' && e.workflow_state === 'active');
      return section.workflow_state === 'active' && seat ? [{ section, student: seat.user_id }] : [];
    });
    const [first, second] = seats;
    if (first && second) return { course, first, second };
  }
  throw new Error('The seed has no such course');
}

describe('§14.1 contexts', () => {
  test('§14.1 a single code that is forbidden, unknown, deleted or invalid makes the whole call a 403', async () => {
    const deleted = [...client.world.courses.values()].find((c) => c.workflow_state === 'deleted');
    for (const code of ['course_999999', `course_${deleted?.id}`, 'nonsense', 'course_', 'account_86000'])
      expect(
        await list(`all_events=1&context_codes[]=course_1001&context_codes[]=${code}`),
        code,
      ).toMatchObject(FORBIDDEN);
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    expect(await list('all_events=1&context_codes[]=course_1001', token)).toMatchObject(FORBIDDEN);
    expect(await list('all_events=1&context_codes[]=user_103', token)).toMatchObject(FORBIDDEN);
    expect((await list('all_events=1', token)).status).toBe(200);
  });

  test('§14.1 the first ten contexts are used, and the rest are silently dropped; appointment groups do not count', async () => {
    const codes = [...client.world.courses.values()]
      .filter((course) => course.workflow_state === 'available')
      .slice(0, 11)
      .map((course) => `context_codes[]=course_${course.id}`);
    const last = codes.pop() ?? '';
    const event = await make({
      context_code: last.split('=')[1],
      title: 'Eleventh',
      start_at: '2026-11-21T10:00:00Z',
    });
    const nine = codes.slice(1).join('&');
    expect(await ids(`${nine}&${last}`)).toContain(event['id']);
    expect(await ids(`context_codes[]=appointment_group_4&${nine}&${last}`)).toContain(event['id']);
    expect(await ids(`${codes.join('&')}&${last}`)).not.toContain(event['id']);
    expect((await list(`${codes.join('&')}&context_codes[]=course_999999`)).status).toBe(200);
  });

  test('§14.1 another person’s calendar is open to admins and to observers of that person', async () => {
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const user = [...client.world.pseudonyms.values()].find((p) => p.unique_id.startsWith('hugo.tan'));
    const own = await client.send(
      'POST',
      '/api/v1/calendar_events',
      {
        calendar_event: {
          context_code: `user_${user?.user_id}`,
          title: 'Dentist',
          start_at: '2026-11-23T08:00:00Z',
        },
      },
      { token },
    );
    const path = `/users/${user?.user_id}/calendar_events?all_events=1`;
    const titles = async (bearer?: string) =>
      (await client.api(path, bearer === undefined ? {} : { token: bearer })).body;
    expect(await titles()).toMatchObject([{ id: own.body['id'], title: 'Dentist' }]);
    const stranger = [...client.world.enrollments.values()].find(
      (e) => e.type === 'StudentEnrollment' && e.workflow_state === 'active',
    );
    expect(await client.api(`${path}&as_user_id=${stranger?.user_id}`)).toMatchObject(FORBIDDEN);
    client.world.userObservers.add({
      user_id: user?.user_id ?? 0,
      observer_id: stranger?.user_id ?? 0,
      workflow_state: 'active',
      sis_batch_id: null,
    });
    expect((await client.api(`${path}&as_user_id=${stranger?.user_id}`)).body).toHaveLength(1);
  });
});

describe('§14.1 sections', () => {
  test('§14.1 an admin sees section events twice; a student sees the parent without its children, and their own section events', async () => {
    const { course, first, second } = courseOfTwoSections();
    const code = `course_${course.id}`;
    const parent = await make({
      context_code: code,
      title: 'Clinic',
      child_event_data: [first, second].map(({ section }, at) => ({
        context_code: `course_section_${section.id}`,
        start_at: `2027-06-0${at + 1}T10:00:00Z`,
        end_at: `2027-06-0${at + 1}T11:00:00Z`,
      })),
    });
    const window = `context_codes[]=${code}&start_date=2027-06-01&end_date=2027-06-03`;
    const all = (await list(window)).body;
    expect(all.map((event) => [event['hidden'], event['parent_event_id']])).toEqual([
      [true, null],
      [false, parent['id']],
      [false, parent['id']],
    ]);
    expect(all[0]?.['child_events']).toHaveLength(2);
    const seen = (await list(`${window}&as_user_id=${first.student}`)).body;
    expect(seen.map((event) => event['context_code'])).toEqual([code, `course_section_${first.section.id}`]);
    expect(seen[0]).toMatchObject({ hidden: true, child_events: [], child_events_count: 2 });
    const other = all[2]?.['id'];
    expect((await client.api(`/calendar_events/${other}?as_user_id=${second.student}`)).status).toBe(200);
    expect(await client.api(`/calendar_events/${other}?as_user_id=${first.student}`)).toMatchObject(
      FORBIDDEN,
    );
  });
});

describe('§14.1 window, filters, order', () => {
  test('§14.1 an event that overlaps the window is listed; ISO times are used exactly', async () => {
    const event = await make({
      context_code: 'user_1',
      title: 'Long night',
      start_at: '2027-02-01T20:00:00Z',
      end_at: '2027-02-02T02:00:00Z',
    });
    const within = async (from: string, to: string) =>
      (await ids(`start_date=${from}&end_date=${to}`)).includes(Number(event['id']));
    expect(await within('2027-02-02T01:00:00Z', '2027-02-02T05:00:00Z')).toBe(true);
    expect(await within('2027-02-02T02:00:00Z', '2027-02-02T05:00:00Z')).toBe(true);
    expect(await within('2027-02-02T02:00:01Z', '2027-02-02T05:00:00Z')).toBe(false);
    expect(await within('2027-02-01T10:00:00Z', '2027-02-01T20:00:00Z')).toBe(true);
    expect(await within('2027-02-01T10:00:00Z', '2027-02-01T19:59:59Z')).toBe(false);
    // An end before the start becomes the end of the start's day.
    expect(await within('2027-02-01', '2027-01-01')).toBe(true);
    expect(await within('2027-01-31', '2027-01-01')).toBe(false);
  });

  test('§14.1 the default end is the end of today, or of the start’s day if that is later', async () => {
    const at = async (start_at: string) =>
      Number((await make({ context_code: 'user_1', title: start_at, start_at }))['id']);
    const [past, today, tomorrow, later] = [
      await at('2026-11-10T10:00:00Z'),
      await at('2026-11-21T20:00:00Z'),
      await at('2026-11-22T10:00:00Z'),
      await at('2026-12-01T10:00:00Z'),
    ];
    const own = new Set([past, today, tomorrow, later]);
    const of = async (query: string) => (await ids(query)).filter((id) => own.has(id));
    expect(await of('start_date=2026-11-01')).toEqual([past, today]);
    expect(await of('start_date=2026-12-01')).toEqual([later]);
    expect(await of('')).toEqual([today]);
  });

  test('§14.1 all_events overrides undated; undated overrides the dates, which are then not checked', async () => {
    const undated = await make({ context_code: 'user_1', title: 'Some day' });
    const dated = await make({ context_code: 'user_1', title: 'That day', start_at: '2031-01-01T10:00:00Z' });
    const all = await ids('all_events=1&undated=1&start_date=nonsense');
    expect(all).toContain(dated['id']);
    expect(all.at(-1)).toBe(undated['id']);
    expect(await ids('undated=1&start_date=nonsense')).toEqual([undated['id']]);
  });

  test('§14.1 assignments are the only other type; excluded fields are missing from the answer', async () => {
    const event = await make({ context_code: 'user_1', title: 'Typed', start_at: '2032-01-01T10:00:00Z' });
    const day = 'start_date=2032-01-01&end_date=2032-01-01';
    for (const type of ['', '&type=event', '&type=anything'])
      expect(await ids(day + type)).toEqual([event['id']]);
    for (const type of ['assignment', 'sub_assignment']) expect(await ids(`${day}&type=${type}`)).toEqual([]);
    const [slim] = (await list(`${day}&excludes[]=description&excludes[]=child_events`)).body;
    expect(slim).not.toHaveProperty('description');
    expect(slim).not.toHaveProperty('child_events');
    expect(slim).toHaveProperty('child_events_count', 0);
  });

  test('§14.1 events are sorted by start, then by id; pages have a total', async () => {
    for (const start_at of ['2033-01-02T10:00:00Z', '2033-01-01T10:00:00Z', '2033-01-02T10:00:00Z'])
      await make({ context_code: 'user_1', title: start_at, start_at });
    const window = 'start_date=2033-01-01&end_date=2033-01-05';
    const all = await ids(window);
    expect(all).toEqual([(all[1] ?? 0) + 1, all[1], (all[1] ?? 0) + 2]);
    const second = await client.api(`/calendar_events?${window}&per_page=2&page=2`);
    expect(second.body.map((event) => event['id'])).toEqual([all[2]]);
    expect(second.headers.get('link')).toMatch(/page=2&per_page=2>; rel="last"/);
  });
});
