import { describe, expect, test } from 'vitest';
import { links, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;

describe('§4 lists without a total', () => {
  test('§4 a full page has a next page, which may be empty', async () => {
    const [user] = (await api('/accounts/1/users')).body;
    const path = `/accounts/1/users?search_term=${user?.['login_id']}&per_page`;
    const rels = (answer: Awaited<ReturnType<typeof api>>) => links(answer).map(([rel]) => rel);
    const all = await api(`${path}=100`);
    expect(rels(all)).toEqual(['current', 'first', 'last']);
    const count = all.body.length;
    expect(count).toBeGreaterThan(0);
    const full = await api(`${path}=${count}`);
    expect(rels(full)).toEqual(['current', 'next', 'first']);
    const empty = await api(`${path}=${count}&page=2`);
    expect(empty.body).toEqual([]);
    expect(rels(empty)).toEqual(['current', 'prev', 'first', 'last']);
  });
});

describe('§6.6 users', () => {
  test('§6.6 sorting by last login includes it in the answer', async () => {
    const answer = await api('/accounts/1/users?sort=last_login&order=desc');
    for (const user of answer.body) expect(user).toHaveProperty('last_login');
  });

  test('§6.6 role_filter_id selects people with that role', async () => {
    const answer = await api('/accounts/1/users?role_filter_id=4&per_page=100');
    expect(answer.body.length).toBeGreaterThan(0);
    for (const user of answer.body) {
      const held = client.world.enrollments.by.user.get(Number(user['id']));
      expect(held.some((e) => e.role_id === 4 && e.workflow_state !== 'deleted')).toBe(true);
    }
  });

  test('§6.6 only the person themselves sees the effective locale', async () => {
    const [other] = (await api('/accounts/1/users?enrollment_type=student')).body;
    expect((await api(`/users/${other?.['id']}`)).body).not.toHaveProperty('effective_locale');
    expect((await api('/users/self')).body).toHaveProperty('effective_locale');
  });
});

describe('§6.2 terms', () => {
  test('§6.2 a single term shows its number of courses', async () => {
    const term = (await api('/accounts/1/terms/1')).body;
    expect(term).toMatchObject({ id: 1, course_count: expect.any(Number) });
  });
});

describe('§6.5 roles', () => {
  test('§6.5 an inactive role can be read by its id, with the label of its base type', async () => {
    const [inactive] = (await api('/accounts/1/roles?state[]=inactive')).body;
    const shown = await api(`/accounts/1/roles/${inactive?.['id']}`);
    expect(shown.body).toMatchObject({
      workflow_state: 'inactive',
      base_role_type_label: expect.any(String),
    });
    const student = await api('/accounts/1/roles/3');
    expect(student.body).toMatchObject({ base_role_type_label: 'Student' });
  });
});
