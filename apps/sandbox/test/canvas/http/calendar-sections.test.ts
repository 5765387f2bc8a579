import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Json, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const send = (method: string, path: string, fields: unknown, query = '') =>
  client.send(method, `/api/v1/calendar_events${path}${query}`, { calendar_event: fields });

/** Finds an available course with at least three active sections. */
function sectionsOf(): { course: string; sections: string[] } {
  const { world } = client;
  for (const course of world.courses.values()) {
    const sections = world.sections.by.course.get(course.id).filter((s) => s.workflow_state === 'active');
    if (course.workflow_state === 'available' && sections.length >= 3)
      return { course: `course_${course.id}`, sections: sections.map((s) => `course_section_${s.id}`) };
  }
  throw new Error('The seed has no such course');
}

let course: string;
let sections: string[];
let parent: Json;
const times = (code: string | undefined, day: number, hours = 1) => ({
  context_code: code,
  start_at: `2026-12-0${day}T10:00:00Z`,
  end_at: `2026-12-0${day}T${10 + hours}:00:00Z`,
});
const read = async (id: unknown = parent['id']) => (await client.api(`/calendar_events/${id}`)).body;
const childOf = (event: Json, code: string | undefined) =>
  event['child_events']?.find((child) => String(child['context_code']) === code) as Json;

beforeEach(async () => {
  ({ course, sections } = sectionsOf());
  const made = await send('POST', '', {
    context_code: course,
    title: 'Workshop',
    description: 'Bring a laptop',
    location_name: 'Room 12',
    start_at: '2020-01-01T10:00:00Z',
    child_event_data: [times(sections[0], 2), times(sections[1], 1, 3), times(sections[2], 3)],
  });
  expect(made.status, made.text).toBe(201);
  parent = made.body;
});

describe('§12 contexts of an event', () => {
  test('§12 a parent names only its course, and so do its children, although they belong to a section', async () => {
    expect(parent).toMatchObject({ context_code: course, all_context_codes: course });
    expect(parent).not.toHaveProperty('effective_context_code');
    expect(childOf(parent, sections[0])).toMatchObject({
      context_code: sections[0],
      effective_context_code: course,
      all_context_codes: course,
    });
  });
});

describe('§14.2 times by section', () => {
  test('§14.2 the parent lasts from the earliest start to the latest end, whatever times are sent', async () => {
    const span = { hidden: true, start_at: '2026-12-01T10:00:00Z', end_at: '2026-12-03T11:00:00Z' };
    expect(parent).toMatchObject({ ...span, child_events_count: 3 });
    await send('PUT', `/${parent['id']}`, {
      start_at: '2030-01-01T10:00:00Z',
      end_at: '2030-01-01T11:00:00Z',
    });
    expect(await read()).toMatchObject(span);
    const child = childOf(parent, sections[2]);
    await send('PUT', `/${child['id']}`, {
      start_at: '2026-12-09T10:00:00Z',
      end_at: '2026-12-09T12:00:00Z',
    });
    expect(await read()).toMatchObject({ ...span, end_at: '2026-12-09T12:00:00Z' });
  });

  test('§14.2 child_event_data replaces the whole set; remove_child_events removes it, and the last times stay', async () => {
    const [kept, lost] = [childOf(parent, sections[0]), childOf(parent, sections[1])];
    const less = await send('PUT', `/${parent['id']}`, { child_event_data: { 0: times(sections[0], 5) } });
    expect(less.body['child_events']).toMatchObject([{ id: kept['id'], start_at: '2026-12-05T10:00:00Z' }]);
    expect(await read(lost['id'])).toMatchObject({ workflow_state: 'deleted' });
    const emptied = await send('PUT', `/${parent['id']}`, { child_event_data: [] });
    expect(emptied.body).toMatchObject({ hidden: false, child_events: [], workflow_state: 'active' });
    await send('PUT', `/${parent['id']}`, { child_event_data: [times(sections[0], 5)] });
    const none = await send('PUT', `/${parent['id']}`, { remove_child_events: 1 });
    expect(none.body).toMatchObject({
      hidden: false,
      child_events: [],
      workflow_state: 'active',
      start_at: '2026-12-05T10:00:00Z',
    });
  });

  test('§14.2 texts belong to the parent: they are copied to all children and overwrite what a child had', async () => {
    const child = childOf(parent, sections[0]);
    const text = { title: 'Clinic', description: '<p>new</p>', location_address: 'https://zoom.example/j/1' };
    const changed = await send('PUT', `/${parent['id']}`, text);
    for (const each of changed.body['child_events'] ?? [])
      expect(each).toMatchObject({ ...text, title: expect.stringMatching(/^Clinic \(.+\)$/) });
    const written = await send('PUT', `/${child['id']}`, { description: 'Mine', location_name: 'Elsewhere' });
    expect(written.body).toMatchObject({
      ...text,
      title: child['title']?.toString().replace('Workshop', 'Clinic'),
    });
    expect(await read()).toMatchObject({ ...text, location_name: 'Room 12' });
  });

  test('§14.2 deleting the parent deletes the children, and deleting the last child deletes the parent', async () => {
    const gone = async (id: unknown) => (await read(id))['workflow_state'];
    const remove = (id: unknown) => client.api(`/calendar_events/${id}`, { method: 'DELETE' });
    const children = sections.slice(0, 3).map((code) => childOf(parent, code)['id']);
    for (const id of children.slice(0, 2)) await remove(id);
    expect(await gone(parent['id'])).toBe('active');
    // The parent's times adapt to the remaining children.
    expect(await read()).toMatchObject({ start_at: '2026-12-03T10:00:00Z' });
    await remove(children[2]);
    expect(await gone(parent['id'])).toBe('deleted');
    const again = await send('POST', '', { context_code: course, child_event_data: [times(sections[0], 1)] });
    await remove(again.body['id']);
    expect(await gone(childOf(again.body, sections[0])['id'])).toBe('deleted');
  });

  test('§14.2 a section of another course, a course, or a repeated section is rejected, and nothing is created', async () => {
    const foreign = [...client.world.sections.values()].find((s) => `course_${s.course_id}` !== course);
    const before = client.world.calendarEvents.size;
    const refused = (child_event_data: unknown) =>
      send('POST', '', { context_code: course, title: 'x', child_event_data });
    const message = ({ status, body }: Answer) => [
      status,
      body['errors']?.['child_event_data']?.[0]?.['message'],
    ];
    for (const code of [`course_section_${foreign?.id}`, course, 'course_section_99999', ''])
      expect(message(await refused([times(code, 1)]))).toEqual([400, 'Invalid child event context']);
    expect(message(await refused([times(sections[0], 1), times(sections[0], 2)]))).toEqual([
      400,
      'Duplicate child event contexts',
    ]);
    expect(client.world.calendarEvents.size).toBe(before);
  });

  test('§14.3 copies have their own section times, in the same interval', async () => {
    const made = await send('POST', '', {
      context_code: course,
      title: 'Lab',
      duplicate: { count: 1, interval: 1, frequency: 'weekly' },
      child_event_data: [times(sections[0], 1), times(sections[1], 2)],
    });
    const [copy] = made.body['duplicates'] as unknown as { calendar_event: Json }[];
    expect(made.body).toMatchObject({ start_at: '2026-12-01T10:00:00Z', end_at: '2026-12-02T11:00:00Z' });
    expect(copy?.calendar_event).toMatchObject({
      start_at: '2026-12-08T10:00:00Z',
      end_at: '2026-12-09T11:00:00Z',
      child_events: [{ start_at: '2026-12-08T10:00:00Z' }, { start_at: '2026-12-09T10:00:00Z' }],
    });
  });

  test('§14.3 an event with section times cannot move to another calendar', async () => {
    for (const id of [parent['id'], childOf(parent, sections[0])['id']])
      expect(await send('PUT', `/${id}`, { context_code: 'user_1' })).toMatchObject({
        status: 400,
        body: { message: 'Cannot move events with section-specific times between calendars' },
      });
  });
});
