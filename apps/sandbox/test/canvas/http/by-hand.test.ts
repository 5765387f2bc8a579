import { describe, expect, test } from 'vitest';
import { Client as SisClient, smallSchool } from '../sis/client.ts';
import { type Json, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const remove = (path: string) => client.api(path, { method: 'DELETE' });

/** Creates a course with one section. */
async function courseWithSection(name: string) {
  const course = (await post('/accounts/86/courses', { course: { name } })).body;
  const fields = { name: `${name} 1`, sis_section_id: `${name}-S1` };
  const section = (await post(`/courses/${course['id']}/sections`, { course_section: fields })).body;
  return { course: Number(course['id']), section: Number(section['id']) };
}

describe('§9.4 cross-listing by hand', () => {
  test('§9.4 a section moves to another course with its people, and back again', async () => {
    const from = await courseWithSection('XA');
    const to = await courseWithSection('XB');
    await post(`/courses/${from.course}/enrollments`, {
      enrollment: { user_id: 1500, course_section_id: from.section, enrollment_state: 'active' },
    });
    const listed = await post(`/sections/${from.section}/crosslist/${to.course}`);
    expect(listed.status).toBe(200);
    expect(listed.body).toMatchObject({ course_id: to.course, nonxlist_course_id: from.course });
    expect((await client.api(`/courses/${to.course}/users`)).body).toHaveLength(1);
    expect((await client.api(`/courses/${from.course}/users`)).body).toHaveLength(0);
    const back = await remove('/sections/sis_section_id:XA-S1/crosslist');
    expect(back.body).toMatchObject({ course_id: from.course, nonxlist_course_id: null });
    expect((await client.api(`/courses/${from.course}/users`)).body).toHaveLength(1);
  });

  test('§9.4 a section that is not cross-listed cannot move back and is a 400; an unknown course is a 404', async () => {
    const { section } = await courseWithSection('XC');
    const again = await remove(`/sections/${section}/crosslist`);
    expect(again.status).toBe(400);
    expect(again.body).toEqual({ message: 'section is not cross-listed' });
    expect((await post(`/sections/${section}/crosslist/99999999`)).status).toBe(404);
  });

  test('§10 an import silently leaves a section where a person has moved it, and does not count the row', async () => {
    const sis = await SisClient.start();
    try {
      await smallSchool(sis);
      await sis.json('/sections/sis_section_id:1B/crosslist/sis_course_id:C002', { method: 'POST' });
      const read = await sis.csv('xlist_course_id,section_id,status', 'C001,1B,active');
      expect(read.workflow_state).toBe('imported');
      expect(read.data.counts['xlists']).toBe(0);
      const section = await sis.json<{ course_id: number; sis_course_id: string }>(
        '/sections/sis_section_id:1B',
      );
      expect(section.sis_course_id).toBe('C002');
    } finally {
      await sis.sandbox.close();
    }
  });
});

describe('§6.8 ids of sections', () => {
  test('§6.8 an integration id that another section has is rejected', async () => {
    const one = await courseWithSection('IA');
    const two = await courseWithSection('IB');
    await put(`/sections/${one.section}`, { course_section: { integration_id: 'INT-1' } });
    const taken = await put(`/sections/${two.section}`, { course_section: { integration_id: 'INT-1' } });
    expect(taken.status).toBe(400);
    expect(taken.body['errors']?.['integration_id']?.[0]?.['message']).toBe(
      'INTEGRATRION ID "INT-1" is already in use',
    );
    const held = await client.api('/sections/sis_integration_id:INT-1');
    expect(held.body['id']).toBe(one.section);
  });
});

describe('§6.6 people created by hand', () => {
  test('§6.6 a new person is found immediately, by name, login, SIS ID and address', async () => {
    const made = await post('/accounts/1/users', {
      user: { name: 'Quentin Zauberberg' },
      pseudonym: { unique_id: 'quentin@school.example', sis_user_id: 'HAND-1' },
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: 'Quentin Zauberberg',
      sortable_name: 'Zauberberg, Quentin',
      sis_user_id: 'HAND-1',
      login_id: 'quentin@school.example',
    });
    for (const term of ['zauberberg', 'QUENTIN@school', 'hand-1']) {
      const found = await client.api(`/accounts/1/users?search_term=${term}&include[]=email`);
      expect(found.body.map((user) => user['email'])).toEqual(['quentin@school.example']);
    }
  });

  test('§6.6 the search reflects every change immediately, sorted by name', async () => {
    const ids = async (term: string) =>
      (await client.api(`/accounts/1/users?search_term=${term}`)).body.map((user) => user['id']);
    expect(await ids('xylophon')).toEqual([]);
    await put('/users/1700', { user: { name: 'Zora Xylophon', sortable_name: 'Xylophon, Zora' } });
    await put('/users/1800', { user: { name: 'Abe Xylophon', sortable_name: 'Xylophon, Abe' } });
    expect(await ids('xylophon')).toEqual([1800, 1700]);
    await put('/users/1800', { user: { name: 'Abe Other', sortable_name: 'Other, Abe', short_name: 'Abe' } });
    expect(await ids('xylophon')).toEqual([1700]);
    const all = (await client.api('/accounts/1/users?sort=username&per_page=100&page=1')).body;
    const names = all.map((user) => String(user['sortable_name']));
    expect(names).toEqual([...names].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare));
  });

  test('§3 errors are listed by record and field, but only for the first id in use; without permission it is a 403', async () => {
    const taken = await post('/accounts/1/users', {
      user: { name: 'Alma' },
      pseudonym: { unique_id: 'ALMA.reyes@northbridge.example', sis_user_id: '9000101' },
    });
    expect(taken.status).toBe(400);
    expect(taken.body['errors']?.['pseudonym']).toEqual({
      unique_id: [
        {
          attribute: 'unique_id',
          type: 'taken',
          message: 'ID already in use for this account and authentication provider',
        },
      ],
    });
    const held = await post('/accounts/1/users', {
      pseudonym: { unique_id: 'alma.two@northbridge.example', sis_user_id: '9000101' },
    });
    expect(held.body['errors']?.['pseudonym']).toEqual({
      sis_user_id: [
        { attribute: 'sis_user_id', type: 'taken', message: 'SIS ID "9000101" is already in use' },
      ],
    });
    expect((await post('/accounts/1/users', {})).status).toBe(400);
    const hugo = await signIn(client, 'hugo.tan');
    const refused = await client.send(
      'POST',
      '/api/v1/accounts/1/users',
      {},
      { token: String(hugo['access_token']) },
    );
    expect(refused.status).toBe(403);
  });
});

describe('§6.10 groups created by hand', () => {
  test('§6.10 a group with members is created and deleted', async () => {
    const { course } = await courseWithSection('GA');
    await post(`/courses/${course}/enrollments`, {
      enrollment: { user_id: 1500, enrollment_state: 'active' },
    });
    const category = (await post(`/courses/${course}/group_categories`, { name: 'Teams' })).body;
    const made = await post(`/group_categories/${category['id']}/groups`, {
      name: 'One',
      sis_group_id: 'G-HAND',
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: 'One',
      sis_group_id: 'G-HAND',
      course_id: course,
      members_count: 0,
    });
    const again = await post(`/group_categories/${category['id']}/groups`, {
      name: 'Two',
      sis_group_id: 'G-HAND',
    });
    expect(again.status).toBe(400);
    const group = 'sis_group_id:G-HAND';
    const member = await post(`/groups/${group}/memberships`, { user_id: 'sis_user_id:5001500' });
    expect(member.body).toMatchObject({
      workflow_state: 'accepted',
      moderator: false,
      sis_group_id: 'G-HAND',
    });
    const id = member.body['id'];
    expect((await put(`/groups/${group}/memberships/${id}`, { moderator: true })).body['moderator']).toBe(
      true,
    );
    expect((await client.api(`/groups/${group}/memberships`)).body).toHaveLength(1);
    expect((await remove(`/groups/${group}/memberships/${id}`)).body).toEqual({ ok: true });
    expect((await client.api(`/groups/${group}/memberships`)).body).toHaveLength(0);
    expect((await remove(`/groups/${group}/memberships/${id}`)).status).toBe(404);
    expect((await remove(`/groups/${group}`)).body['name']).toBe('One');
    expect((await client.api(`/groups/${group}/memberships`)).status).toBe(404);
    expect((await client.api(`/group_categories/${category['id']}/groups`)).body).toEqual([]);
  });

  test('§6.10 an unknown category has its own error', async () => {
    const missing = await post('/group_categories/99999/groups', { name: 'One' });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ status: 'not found' });
  });
});

describe('§6.1 accounts created by hand', () => {
  test('§6.1 a sub-account can be created with an SIS ID, which is then in use', async () => {
    const fields = { account: { name: 'New Office', sis_account_id: 'OFFICE-NEW' } };
    const made = await post('/accounts/86/sub_accounts', fields);
    expect(made.body).toMatchObject({
      name: 'New Office',
      parent_account_id: 86,
      sis_account_id: 'OFFICE-NEW',
    });
    expect((await post('/accounts/86/sub_accounts', fields)).status).toBe(400);
    const children = await client.api('/accounts/86/sub_accounts?per_page=100');
    expect(children.body.map((account) => account['id'])).toContain(made.body['id']);
  });
});

describe('§6.5 permissions of roles', () => {
  test('§6.5 lists more than sixty permissions, each with its four flags; unknown states are ignored', async () => {
    const { body } = await client.api('/accounts/1/roles?state[]=deleted');
    expect(body.map((role) => role['id']).slice(0, 6)).toEqual([1, 3, 4, 5, 6, 7]);
    const permissions = Object.entries(body[2]?.['permissions'] ?? {});
    expect(permissions.length).toBeGreaterThan(60);
    for (const [, mark] of permissions)
      expect(Object.keys(mark)).toEqual(
        expect.arrayContaining(['enabled', 'locked', 'readonly', 'explicit']),
      );
  });

  test("§6.5 what a role can never have is locked; a sub-account has none of the root account's permissions", async () => {
    const permissions = async (account: number, role: number) =>
      (await client.api(`/accounts/${account}/roles/${role}`)).body['permissions'] as Json;
    const student = await permissions(1, 3);
    expect(student['become_user']).toMatchObject({ enabled: false, locked: true, readonly: true });
    expect(student['read_roster']).toMatchObject({ enabled: true, locked: false, readonly: false });
    const teacher = await permissions(86, 4);
    expect(teacher).not.toHaveProperty('become_user');
    expect(teacher['add_student_to_course']).toMatchObject({
      enabled: true,
      group: 'manage_course_student_enrollments',
    });
  });
});

describe('§6.9 people of a course, by id', () => {
  test('§6.9 user_ids[] also accepts SIS IDs', async () => {
    const someone = (await client.api('/courses/1001/users?per_page=1')).body[0];
    const found = await client.api(`/courses/1001/users?user_ids[]=sis_user_id:${someone?.['sis_user_id']}`);
    expect(found.body.map((user) => user['id'])).toEqual([someone?.['id']]);
  });
});
