/**
 * Observers and students across courses, as administrators see them (User Observees in the API
 * documentation).
 */
import { expect, test } from 'vitest';
import { enrol, newCourse } from './campus.ts';
import { useSandbox } from './client.ts';

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
  expect((await client.api(path, { method: 'DELETE' })).body['id']).toBe(1510);
  expect((await client.api(observers)).body).toEqual([]);
  expect((await client.api(path, { method: 'DELETE' })).status).toBe(404);
});
