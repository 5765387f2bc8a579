import { describe, expect, test } from 'vitest';
import { newCourse } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();

async function importCsv(csv: string): Promise<void> {
  const headers = { 'content-type': 'text/csv' };
  const { body } = await client.api('/accounts/1/sis_imports', { method: 'POST', body: csv, headers });
  for (let i = 0; i < 200; i++) {
    const state = String((await client.api(`/accounts/1/sis_imports/${body['id']}`)).body['workflow_state']);
    if (state === 'imported') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the import did not end');
}

describe('§10 an import keeps what a person has changed', () => {
  test("§10 a user's name", async () => {
    const row = 'user_id,login_id,full_name,status\nS1,s1@northbridge.example,First Name,active\n';
    await importCsv(row);
    await client.send('PUT', '/api/v1/users/sis_user_id:S1', { user: { name: 'By Hand' } });
    await importCsv(row.replace('First Name', 'Second Name'));
    expect((await client.api('/users/sis_user_id:S1')).body['name']).toBe('By Hand');
  });
});

describe('§10 logins, pronouns and settings changed by hand', () => {
  test('§10 a login keeps the name and state that a person has given it', async () => {
    const row =
      'user_id,login_id,full_name,pronouns,status\nS2,s2@northbridge.example,Second,they/them,active\n';
    await importCsv(row);
    const logins = async () => (await client.api('/users/sis_user_id:S2/logins')).body[0] ?? {};
    const id = ((await logins()) as Record<string, unknown>)['id'];
    const put = (login: unknown) => client.send('PUT', `/api/v1/accounts/1/logins/${id}`, { login });
    const changed = await put({ unique_id: 'renamed@northbridge.example', workflow_state: 'suspended' });
    expect(changed.body).toMatchObject({
      unique_id: 'renamed@northbridge.example',
      workflow_state: 'suspended',
      sis_user_id: 'S2',
    });
    expect((await put({ unique_id: 'ann@northbridge.example' })).status).toBe(400);
    await client.send('PUT', '/api/v1/users/sis_user_id:S2', { user: { pronouns: 'she/her' } });
    await importCsv(row);
    expect(await logins()).toMatchObject({
      unique_id: 'renamed@northbridge.example',
      workflow_state: 'suspended',
    });
    expect((await client.api('/users/sis_user_id:S2')).body['pronouns']).toBe('she/her');
    expect((await client.send('PUT', '/api/v1/accounts/1/logins/999999', { login: {} })).status).toBe(404);
  });
});

describe('single changes', () => {
  test('a course is created by hand, renamed, published and deleted', async () => {
    const made = await client.send('POST', '/api/v1/accounts/86/courses', { course: { name: 'By Hand' } });
    expect(made.body).toMatchObject({ sis_course_id: null, workflow_state: 'unpublished', account_id: 86 });
    const path = `/api/v1/courses/${made.body['id']}`;
    const changed = await client.send('PUT', path, { course: { name: 'Renamed', event: 'offer' } });
    expect(changed.body).toMatchObject({ name: 'Renamed', workflow_state: 'available' });
    expect((await client.ask(`${path}?event=delete`, { method: 'DELETE' })).body).toEqual({ delete: true });
    expect((await client.ask(path)).status).toBe(404);
  });

  test('a person is enrolled in the default section, and removed from it', async () => {
    const { id } = await newCourse(client, 'Of one person');
    const made = await client.send('POST', `/api/v1/courses/${id}/enrollments`, {
      enrollment: { user_id: 'sis_login_id:ann@northbridge.example', role_id: 5, enrollment_state: 'active' },
    });
    expect(made.body).toMatchObject({ type: 'TaEnrollment', enrollment_state: 'active', role_id: 5 });
    const list = `/courses/${id}/enrollments?user_id=${made.body['user_id']}`;
    expect((await client.api(list)).body).toHaveLength(1);
    const path = `/courses/${id}/enrollments/${made.body['id']}?task=delete`;
    expect((await client.api(path, { method: 'DELETE' })).body['enrollment_state']).toBe('deleted');
    expect((await client.api(list)).body).toEqual([]);
  });
});
