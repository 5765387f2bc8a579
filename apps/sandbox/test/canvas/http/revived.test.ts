/** Creating by hand with the SIS ID of something deleted, and writing without permission (§6). */
import { expect, test } from 'vitest';
import { newCourse } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const taken = (sis: string) => {
  const message = `SIS ID "${sis}" is already in use`;
  return { errors: { sis_source_id: [{ attribute: 'sis_source_id', type: message, message }] } };
};

test('§6.8 enable_sis_reactivation restores a deleted section of this course, unchanged', async () => {
  const here = await newCourse(client, 'Here');
  const elsewhere = await newCourse(client, 'Elsewhere');
  const post = (course: number, more: object) =>
    client.send('POST', `/api/v1/courses/${course}/sections`, {
      course_section: { name: 'New', sis_section_id: 'REVIVED' },
      ...more,
    });
  const { id } = (await post(here.id, {})).body;
  await client.send('PUT', `/api/v1/sections/${id}`, { course_section: { name: 'Old' } });
  const active = await post(here.id, { enable_sis_reactivation: true });
  expect([active.status, active.body]).toEqual([400, taken('REVIVED')]);
  await client.api(`/sections/${id}`, { method: 'DELETE' });
  for (const [course, more] of [
    [here.id, {}],
    [elsewhere.id, { enable_sis_reactivation: true }],
  ] as const)
    expect((await post(course, more)).body).toEqual(taken('REVIVED'));
  const revived = await post(here.id, { enable_sis_reactivation: true });
  expect(revived.body).toMatchObject({ id, name: 'Old', course_id: here.id });
});

test('§6.4 the term of a new course must exist, and its dates need the setting that restricts access to them', async () => {
  const make = (course: object, more: object = {}) =>
    client.send('POST', '/api/v1/accounts/86/courses', { course: { name: 'Made', ...course }, ...more });
  expect((await make({ term_id: 'sis_term_id:nowhere' })).status).toBe(404);
  const dates = { start_at: '2026-01-01T00:00:00Z', end_at: '2026-06-01T00:00:00Z' };
  expect((await make(dates)).body).toMatchObject({ start_at: null, end_at: null });
  const restrict = { restrict_enrollments_to_course_dates: true };
  expect((await make({ ...dates, ...restrict })).body).toMatchObject({ ...dates, ...restrict });
  const first = (await make({ sis_course_id: 'MADE-1' })).body;
  expect((await make({ sis_course_id: 'MADE-1' })).body).toEqual(taken('MADE-1'));
  await client.api(`/courses/${first['id']}?event=delete`, { method: 'DELETE' });
  expect((await make({ sis_course_id: 'MADE-1' })).status).toBe(400);
  const again = await make({ sis_course_id: 'MADE-1', name: 'Other' }, { enable_sis_reactivation: true });
  expect(again.body).toMatchObject({ id: first['id'], name: 'Made', workflow_state: 'unpublished' });
});

test('§6.1 an account needs a name, and the root account has no SIS ID', async () => {
  const put = (id: number, account: object) => client.send('PUT', `/api/v1/accounts/${id}`, { account });
  const refusal = (attribute: string, message: string) => ({
    errors: { [attribute]: [{ attribute, type: message, message }] },
  });
  const unnamed = await put(86, { name: ' ' });
  expect([unnamed.status, unnamed.body]).toEqual([400, refusal('name', 'The account name cannot be blank')]);
  const root = await put(1, { sis_account_id: 'ROOT' });
  expect([root.status, root.body]).toEqual([
    401,
    refusal('unauthorized', 'Cannot set sis_account_id on a root_account.'),
  ]);
});
