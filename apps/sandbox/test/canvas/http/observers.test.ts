/**
 * Observers and students across courses, as administrators see them (User Observees in the API
 * documentation).
 */
import { expect, test } from 'vitest';
import { enrol, newCourse } from './campus.ts';
import { ADMIN_TOKEN, useSandbox } from './client.ts';

const client = useSandbox();

test('lists a student’s observers and an observer’s students, without ended links', async () => {
  const { userObservers } = client.world;
  const link = (observer_id: number, user_id: number, workflow_state: 'active' | 'deleted') =>
    userObservers.add({ observer_id, user_id, workflow_state, sis_batch_id: null });
  link(1500, 1501, 'active');
  link(1502, 1501, 'active');
  link(1503, 1501, 'deleted');
  const ids = async (path: string) => (await client.api(path)).body.map((one) => one['id']);
  expect((await ids('/users/1501/observers')).sort((a, b) => Number(a) - Number(b))).toEqual([1500, 1502]);
  expect(await ids('/users/1500/observees')).toEqual([1501]);
  expect(await ids('/users/1503/observees')).toEqual([]);
  expect((await client.api('/users/999999/observers')).status).toBe(404);
});

test('§16 an observer is enrolled in the student’s courses while the link is active', async () => {
  const { id, first } = await newCourse(client, 'Observed');
  await enrol(client, id, 1510, 'Student', { course_section_id: first });
  const path = '/users/1511/observees/1510';
  expect((await client.api(path)).status).toBe(404);
  const added = await client.api(path, { method: 'PUT' });
  expect(added.body).toMatchObject({ id: 1510, observation_link_root_account_ids: [1] });
  expect((await client.api(path)).body['id']).toBe(1510);
  expect((await client.api('/users/1510/observers/1511')).body['id']).toBe(1511);
  const observers = `/courses/${id}/enrollments?type[]=ObserverEnrollment`;
  expect((await client.api(observers)).body).toMatchObject([
    { user_id: 1511, associated_user_id: 1510, course_section_id: first, enrollment_state: 'active' },
  ]);
  expect((await client.api(`${path}?as_user_id=1512`, { method: 'PUT' })).status).toBe(403);
  const ended = await client.api(path, { method: 'DELETE' });
  expect(ended.body).toMatchObject({ id: 1510, observation_link_root_account_ids: [] });
  expect((await client.api(observers)).body).toEqual([]);
  expect((await client.api(path, { method: 'DELETE' })).status).toBe(404);
});

test('§16 an observer follows the student’s enrolments, and does not accept invitations', async () => {
  const { id, first } = await newCourse(client, 'Followed');
  await client.api('/users/1521/observees/1520', { method: 'PUT' });
  const own = await enrol(client, id, 1520, 'Student', {
    course_section_id: first,
    enrollment_state: 'invited',
  });
  const states = async () => {
    const path = `/courses/${id}/enrollments?type[]=ObserverEnrollment&state[]=active&state[]=inactive`;
    return (await client.api(`${path}&state[]=completed&state[]=deleted`)).body.map((e) => [
      e['user_id'],
      e['enrollment_state'],
    ]);
  };
  expect(await states()).toEqual([[1521, 'active']]);
  for (const [task, state] of [
    ['inactivate', 'inactive'],
    ['conclude', 'completed'],
    ['delete', 'deleted'],
  ] as const) {
    await client.api(`/courses/${id}/enrollments/${own['id']}?task=${task}`, { method: 'DELETE' });
    expect(await states()).toEqual([[1521, state]]);
  }
});

test('an observer is linked with the student’s credentials or token, never with themselves', async () => {
  const add = async (json: object) => {
    const { status, body } = await client.send('POST', '/api/v1/users/1531/observees', json);
    return [status, body['id'] ?? body['errors']?.[0]?.['message']];
  };
  const unique_id = client.world.loginsOf(1530)[0]?.unique_id;
  expect(await add({ observee: { unique_id, password: 'anything' } })).toEqual([200, 1530]);
  expect(await add({ observee: { unique_id } })).toEqual([401, 'Invalid credentials provided.']);
  expect(await add({ observee: { unique_id: 'nobody' } })).toEqual([422, 'Unknown observee.']);
  expect(await add({ access_token: 'unknown' })).toEqual([422, 'Unknown observee.']);
  expect(await add({ access_token: ADMIN_TOKEN })).toEqual([200, 1]);
  const self = await client.api('/users/1531/observees/1531', { method: 'PUT' });
  expect(self.body['errors']?.['observer_id']?.[0]?.['message']).toBe('Cannot observe yourself');
  const { id } = await newCourse(client, 'Mirror');
  const mirror = await enrol(client, id, 1531, 'Observer', { associated_user_id: 1531 });
  expect(mirror['errors']?.['associated_user_id']?.[0]?.['message']).toBe('Cannot observe yourself');
});
