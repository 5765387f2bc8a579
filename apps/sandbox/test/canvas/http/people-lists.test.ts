import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
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
  test('§6.6 sorting by last login also includes it in the answer', async () => {
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

describe('§6.9 the people of a course', () => {
  test('§6.9 absent values come last; the old list of students has no pages', async () => {
    const { id } = await newCourse(client, 'PL-Course');
    const [one = 0, two = 0] = people(client, 2);
    const made = await client.send('POST', '/api/v1/accounts/1/users', {
      user: { name: 'Aaron Aaa' },
      pseudonym: { unique_id: 'aaron' },
    });
    const byHand = Number(made.body['id']);
    for (const person of [byHand, one, two]) await enrol(client, id, person, 'Student');
    const ids = async (query: string) =>
      (await api(`/courses/${id}/users${query}`)).body.map((user) => user['id']);
    expect((await ids(''))[0]).toBe(byHand);
    for (const sort of ['sis_id', 'email']) expect((await ids(`?sort=${sort}`)).at(-1)).toBe(byHand);
    expect(await ids('?search_term=Aaa, Aaron')).toEqual([]);
    expect(await ids('?search_term=aaron aaa')).toEqual([byHand]);
    const students = await api(`/courses/${id}/students?per_page=1`);
    expect(students.body.map((user) => user['id'])).toEqual(await ids(''));
    expect(students.headers.get('link')).toBeNull();
    const [enrollment] = (await api(`/courses/${id}/enrollments?include[]=email&user_id=${one}`)).body;
    expect(enrollment?.['user']?.['email']).toContain('@');
  });

  test('§6.3 above teacher_limit only the number of teachers is shown', async () => {
    const { id } = await newCourse(client, 'PL-Teachers');
    const [one = 0, two = 0] = people(client, 2);
    await enrol(client, id, one, 'Teacher');
    // Invited teachers count, too.
    await enrol(client, id, two, 'Teacher', { enrollment_state: 'invited' });
    const list = async (limit: number) => {
      const query = `search_term=PL-Teachers&include[]=teachers&teacher_limit=${limit}`;
      return (await api(`/accounts/86/courses?${query}`)).body[0];
    };
    expect((await list(2))?.['teachers']).toHaveLength(2);
    const many = await list(1);
    expect(many?.['teacher_count']).toBe(2);
    expect(many).not.toHaveProperty('teachers');
    const query = 'include[]=subaccount&include[]=favorites&include[]=course_image';
    expect((await api(`/courses/${id}?${query}`)).body).toMatchObject({
      subaccount_id: 86,
      subaccount_name: 'MBA',
      is_favorite: false,
      image_download_url: null,
    });
  });
});

describe('§6.5 the caller’s permissions', () => {
  test('§6.5 are returned by name, for an account and for a course', async () => {
    const query = 'permissions[]=manage_sis&permissions[]=manage_grades&permissions[]=fly';
    const admin = { manage_sis: true, manage_grades: true, fly: false };
    expect((await api(`/accounts/self/permissions?${query}`)).body).toEqual(admin);
    const { id } = await newCourse(client, 'PL-Permissions');
    await enrol(client, id, 108, 'Teacher');
    const path = `/courses/${id}/permissions?${query}&as_user_id=108`;
    expect((await api(path)).body).toEqual({ ...admin, manage_sis: false });
    expect((await api(`/accounts/self/permissions?${query}&as_user_id=108`)).status).toBe(403);
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
