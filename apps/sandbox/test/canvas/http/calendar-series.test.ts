import { describe, expect, test } from 'vitest';
import { type Json, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const send = (method: string, path: string, fields: unknown, query = '') =>
  client.send(method, `/api/v1/calendar_events${path}${query}`, { calendar_event: fields });
const read = async (id: unknown) => (await client.api(`/calendar_events/${id}`)).body;
const days = (events: Json) => events.map((event) => String(event['start_at']).slice(5, 10));
const each = (events: Json, name: string) => events.map((event) => event[name]);
const times = (day: string, hour = 10) => ({
  start_at: `2026-12-${day}T${hour}:00:00Z`,
  end_at: `2026-12-${day}T${hour + 1}:00:00Z`,
});

async function make(rrule: string): Promise<{ ids: number[]; uuid: unknown }> {
  const made = await send('POST', '', { context_code: 'user_1', title: 'Lab', ...times('01'), rrule });
  expect(made.status, made.text).toBe(201);
  const others = (made.body['duplicates'] as unknown as { calendar_event: { id: number } }[]) ?? [];
  const ids = [Number(made.body['id']), ...others.map(({ calendar_event }) => calendar_event.id)];
  return { ids, uuid: made.body['series_uuid'] };
}

describe('§14.3 changing a series', () => {
  test('§14.3 a new rule for all events adds or deletes events, and the series stays the same', async () => {
    const { ids, uuid } = await make('FREQ=DAILY;INTERVAL=1;COUNT=3');
    const rrule = 'FREQ=DAILY;INTERVAL=2;COUNT=4';
    const more = await send('PUT', `/${ids[1]}`, { rrule, title: 'New' }, '?which=all');
    expect(more.status, more.text).toBe(200);
    expect(days(more.body)).toEqual(['12-01', '12-03', '12-05', '12-07']);
    expect(each(more.body, 'id').slice(0, 3)).toEqual(ids);
    expect(new Set(each(more.body, 'series_uuid'))).toEqual(new Set([uuid]));
    expect(each(more.body, 'title')).toEqual(['New', 'New', 'New', 'New']);
    expect(each(more.body, 'series_head')).toEqual([true, null, null, null]);
    const less = await send('PUT', `/${ids[0]}`, { rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=2' }, '?which=all');
    expect(each(less.body, 'id')).toEqual(ids.slice(0, 2));
    expect(await read(ids[2])).toMatchObject({ workflow_state: 'deleted' });
  });

  test('§14.3 new times for the following events split them off into a new series', async () => {
    const { ids, uuid } = await make('FREQ=DAILY;INTERVAL=1;COUNT=4');
    const moved = await send('PUT', `/${ids[1]}`, times('02', 14), '?which=following');
    expect(each(moved.body, 'id')).toEqual(ids);
    expect(each(moved.body, 'rrule')).toEqual(
      [1, 3, 3, 3].map((count) => `FREQ=DAILY;INTERVAL=1;COUNT=${count}`),
    );
    expect(each(moved.body, 'series_uuid')[0]).toBe(uuid);
    expect(new Set(each(moved.body, 'series_uuid')).size).toBe(2);
    expect(each(moved.body, 'series_head')).toEqual([true, true, null, null]);
    expect(each(moved.body, 'start_at').map((at) => String(at).slice(11, 13))).toEqual([
      '10',
      '14',
      '14',
      '14',
    ]);
    const titled = await send('PUT', `/${ids[2]}`, { title: 'Late' }, '?which=following');
    expect(each(titled.body, 'id'), 'without other times it is no new series').toEqual(ids.slice(2));
  });

  test('§14.3 changing all events moves each one back to the time set by the rule, and keeps the time of day that is sent', async () => {
    const { ids } = await make('FREQ=DAILY;INTERVAL=1;COUNT=3');
    await send('PUT', `/${ids[1]}`, times('02', 16));
    const titled = await send('PUT', `/${ids[2]}`, { title: 'All' }, '?which=all');
    expect(each(titled.body, 'start_at')).toEqual(['01', '02', '03'].map((day) => times(day).start_at));
    const later = await send('PUT', `/${ids[2]}`, times('03', 14), '?which=all');
    expect(each(later.body, 'start_at')).toEqual(['01', '02', '03'].map((day) => times(day, 14).start_at));
    const moved = await send('PUT', `/${ids[0]}`, times('05'), '?which=all');
    expect(days(moved.body)).toEqual(['12-05', '12-06', '12-07']);
  });

  test('§14.3 events of a series cannot have times by section', async () => {
    const { ids } = await make('FREQ=DAILY;INTERVAL=1;COUNT=2');
    const section = [...client.world.sections.values()].find(
      ({ course_id: id, workflow_state: state }) =>
        state === 'active' && client.world.courses.must(id).workflow_state === 'available',
    );
    const child_event_data = [{ context_code: `course_section_${section?.id}`, ...times('01') }];
    const fields = { context_code: `course_${section?.course_id}`, child_event_data, ...times('01') };
    const made = await send('POST', '', { ...fields, rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=2' });
    expect([made.status, made.body]).toEqual([400, { error: 'recurring events cannot have child events' }]);
    expect(await read(ids[0])).toMatchObject({ workflow_state: 'active' });
  });

  test('§14.3 deleting the following events leaves a shorter rule with a count, even if it had an end date', async () => {
    const { ids } = await make('FREQ=DAILY;INTERVAL=1;UNTIL=20261204T235959Z');
    const gone = await client.api(`/calendar_events/${ids[2]}?which=following`, { method: 'DELETE' });
    expect(each(gone.body, 'id')).toEqual([ids[2], ids[3], ids[0], ids[1]]);
    expect(each(gone.body, 'workflow_state')).toEqual(['deleted', 'deleted', 'active', 'active']);
    expect((await read(ids[0]))['rrule']).toBe('FREQ=DAILY;INTERVAL=1;COUNT=2');
  });

  test('§14.3 a rule turns a single event into a series, and an empty rule turns a series into a single event', async () => {
    const { body } = await send('POST', '', { context_code: 'user_1', title: 'Lab', ...times('01') });
    const id = Number(body['id']);
    const refused = await send('PUT', `/${id}`, { rrule: 'FREQ=DAILY;INTERVAL=1;COUNT=201' });
    expect(refused.status).toBe(400);
    expect(await read(id)).toMatchObject({ series_uuid: null });
    const made = await send('PUT', `/${id}`, { rrule: 'FREQ=WEEKLY;INTERVAL=1;COUNT=2' });
    expect(days(made.body)).toEqual(['12-01', '12-08']);
    expect(each(made.body, 'title'), 'an added event is no copy').toEqual(['Lab', 'User Event']);
    expect(each(made.body, 'series_head')).toEqual([true, null]);
    const single = await send('PUT', `/${id}`, { rrule: '' });
    expect(each(single.body, 'id')).toEqual([id]);
    expect(await read(id)).toMatchObject({ series_uuid: null, rrule: null, workflow_state: 'active' });
    expect(await read(each(made.body, 'id')[1])).toMatchObject({ workflow_state: 'deleted' });
  });
});
