/** Who observes whom across courses, as the LMS tells administrators (User Observees of the API documentation). */
import { expect, test } from 'vitest';
import { useSandbox } from './client.ts';

const client = useSandbox();

test('observers of a student and students of an observer are listed, links that have ended are not', async () => {
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
