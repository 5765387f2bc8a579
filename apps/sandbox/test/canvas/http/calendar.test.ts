import { describe, expect, test } from 'vitest';
import { signIn, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const courseId = () =>
  Number(
    [...client.world.calendarEvents.values()]
      .find((event) => event.context_code.startsWith('course_'))
      ?.context_code.slice(7),
  );

describe('§12 calendar events', () => {
  test('§12 lists a course’s events in a window, sorted by start, with a total', async () => {
    const id = courseId();
    const answer = await client.api(
      `/calendar_events?type=event&context_codes[]=course_${id}&start_date=2026-11-21&end_date=2026-12-21&per_page=100`,
    );
    expect(answer.body.length).toBeGreaterThanOrEqual(4);
    const starts = answer.body.map((event) => String(event['start_at']));
    expect(starts).toEqual([...starts].sort());
    expect(answer.headers.get('link')).toContain('rel="last"');
    expect(answer.body[0]).toMatchObject({
      type: 'event',
      context_code: `course_${id}`,
      workflow_state: 'active',
      child_events: [],
      hidden: false,
      parent_event_id: null,
    });
    expect(answer.body[0]?.['html_url']).toBe(
      `${client.url}/calendar?event_id=${answer.body[0]?.['id']}&include_contexts=course_${id}`,
    );
  });

  test('§12 without contexts, lists the caller’s own calendar', async () => {
    expect((await client.api('/calendar_events?all_events=1')).body).toEqual([]);
  });

  test('§12 the error names the invalid date', async () => {
    const answer = await client.api('/calendar_events?start_date=soon&end_date=2026-02-30');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      errors: {
        start_date: 'Invalid date or invalid datetime for start_date',
        end_date: 'Invalid date or invalid datetime for end_date',
      },
    });
  });

  test('§12 an event can be created (201), changed and deleted; a plain date is read in the caller’s time zone', async () => {
    const token = String((await signIn(client, 'carla.singh'))['access_token']);
    const body = new URLSearchParams({
      'calendar_event[context_code]': 'user_103',
      'calendar_event[title]': 'Early call',
      'calendar_event[start_at]': '2026-11-24T17:00:00Z',
      'calendar_event[end_at]': '2026-11-24T18:00:00Z',
    });
    const made = await client.api('/calendar_events', { method: 'POST', body, token });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: 'Early call', context_code: 'user_103' });
    // Requests the events on a date. 17:00 UTC on the 24th is 01:00 on the 25th in Singapore.
    const on = (date: string) =>
      client.api(`/calendar_events?start_date=${date}&end_date=${date}`, { token });
    expect((await on('2026-11-24')).body).toEqual([]);
    expect((await on('2026-11-25')).body).toHaveLength(1);
    const path = `/calendar_events/${made.body['id']}`;
    const changed = await client.send(
      'PUT',
      `/api/v1${path}`,
      { calendar_event: { title: 'Late call' } },
      { token },
    );
    expect(changed.body['title']).toBe('Late call');
    const gone = await client.api(`${path}?cancel_reason=done`, { method: 'DELETE', token });
    expect(gone.body).toMatchObject({ workflow_state: 'deleted', comments: null });
  });

  test('§12 an event with section times is a hidden parent with a child for each section', async () => {
    const sections = (await client.api('/courses/1004/sections')).body;
    const made = await client.send('POST', '/api/v1/calendar_events', {
      calendar_event: {
        context_code: 'course_1004',
        title: 'Workshop',
        child_event_data: sections.map((section) => ({
          context_code: `course_section_${section['id']}`,
          start_at: '2026-12-01T10:00:00Z',
          end_at: '2026-12-01T11:00:00Z',
        })),
      },
    });
    expect(made.body).toMatchObject({ hidden: true, child_events_count: sections.length });
    expect(made.body['child_events']?.[0]).toMatchObject({
      effective_context_code: 'course_1004',
      parent_event_id: made.body['id'],
      title: `Workshop (${sections[0]?.['name']})`,
    });
  });

  test('§12 a student cannot write to a course', async () => {
    const enrolment = [...client.world.enrollments.values()].find(
      (e) => e.type === 'StudentEnrollment' && e.workflow_state === 'active',
    );
    const answer = await client.send('POST', `/api/v1/calendar_events?as_user_id=${enrolment?.user_id}`, {
      calendar_event: { context_code: `course_${enrolment?.course_id}`, title: 'Party' },
    });
    expect(answer.status).toBe(403);
  });
});
