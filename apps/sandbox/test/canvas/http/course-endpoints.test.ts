import { describe, expect, test } from 'vitest';
import { links, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const ids = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);
const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

describe('§6.6 search users', () => {
  test('§6.6 substrings match in any case, and the first match is not necessarily the exact one', async () => {
    const answer = await client.api('/accounts/1/users?search_term=ANN@northbridge.example&per_page=100');
    const logins = answer.body.map((user) => String(user['login_id']));
    expect(logins).toContain('ann@northbridge.example');
    expect(logins).toContain('joann@northbridge.example');
    expect(logins[0]).not.toBe('ann@northbridge.example');
  });

  test('§6.6 finds people by SIS ID, by Canvas id and by part of a name with accents', async () => {
    expect(ids((await client.api('/accounts/1/users?search_term=9000101')).body)).toEqual([101]);
    expect(ids((await client.api('/accounts/1/users?search_term=101&per_page=100')).body)).toContain(101);
    const accents = await client.api('/accounts/1/users?search_term=bergström');
    expect(accents.body.length).toBeGreaterThan(0);
  });

  test('§6.6 a text that is too short is a 400, an empty one lists everyone, and an unknown type is a 400', async () => {
    expect((await client.api('/accounts/1/users?search_term=a')).status).toBe(400);
    expect((await client.api('/accounts/1/users?search_term=%20')).body).toHaveLength(10);
    const answer = await client.api('/accounts/1/users?enrollment_type=boss');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Invalid enrollment type: boss');
  });

  test('§6.6 include[] adds fields; deleted people are left out unless requested', async () => {
    const query =
      'search_term=alma.reyes&include[]=email&include[]=avatar_url&include[]=time_zone&include[]=uuid';
    const [alma] = (await client.api(`/accounts/1/users?${query}`)).body;
    expect(alma).toMatchObject({
      id: 101,
      email: 'alma.reyes@northbridge.example',
      avatar_url: `${client.url}/images/avatars/101.svg`,
      time_zone: 'Europe/Paris',
    });
    const gone = [...client.world.users.values()].find((user) => user.workflow_state === 'deleted');
    const search = `/accounts/1/users?search_term=${encodeURIComponent(gone?.name ?? '')}&per_page=100`;
    expect(ids((await client.api(search)).body)).not.toContain(gone?.id);
    expect(ids((await client.api(`${search}&include_deleted_users=true`)).body)).toContain(gone?.id);
  });

  test('§6.6 a suspended login is found by its SIS ID', async () => {
    const login = [...client.world.pseudonyms.values()].find((row) => row.workflow_state === 'suspended');
    const found = await client.api(`/accounts/1/users?search_term=${login?.sis_user_id}`);
    expect(ids(found.body)).toContain(login?.user_id);
  });

  test('§6.6 a sub-account lists only the people of its courses', async () => {
    const all = await client.api('/accounts/83/users?per_page=100');
    expect(all.body.length).toBeGreaterThan(0);
    expect(ids(all.body)).not.toContain(1);
  });
});

describe('§6.7 and §6.8 sections', () => {
  test('§6.7 sections are sorted by name, with a total; the default section has the course’s name and no SIS ID', async () => {
    const answer = await client.api('/courses/1004/sections?per_page=100');
    const shown = names(answer.body);
    expect(shown).toEqual([...shown].sort(new Intl.Collator('en').compare));
    const course = await client.api('/courses/1002');
    const sections = (await client.api('/courses/1002/sections')).body;
    const own = sections.find((section) => section['name'] === course.body['name']);
    expect(own).toMatchObject({ sis_section_id: null, sis_course_id: course.body['sis_course_id'] });
  });

  test('§6.8 an SIS ID can be set, is rejected when in use, and is cleared by an empty one', async () => {
    const [one, two] = (await client.api('/courses/1004/sections')).body;
    const put = (id: unknown, value: string) =>
      client.send('PUT', `/api/v1/sections/${String(id)}`, {
        course_section: { sis_section_id: value },
        enable_sis_reactivation: true,
      });
    expect((await put(one?.['id'], 'SEC-NEW')).body['sis_section_id']).toBe('SEC-NEW');
    const taken = await put(two?.['id'], 'SEC-NEW');
    expect(taken.status).toBe(400);
    const message = 'SIS ID "SEC-NEW" is already in use';
    expect(taken.body).toEqual({
      errors: { sis_source_id: [{ attribute: 'sis_source_id', type: message, message }] },
    });
    expect((await client.api('/sections/sis_section_id:SEC-NEW')).body['id']).toBe(one?.['id']);
    expect((await put(one?.['id'], '')).body['sis_section_id']).toBeNull();
  });

  test('§6.8 without course_section nothing changes; a teacher cannot set SIS IDs', async () => {
    const teaching = [...client.world.enrollments.values()].find(
      (e) => e.user_id === 108 && e.workflow_state === 'active',
    );
    const sectionId = teaching?.course_section_id;
    const same = await client.send('PUT', `/api/v1/sections/${sectionId}`, { enable_sis_reactivation: true });
    expect(same.status).toBe(200);
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const refused = await client.send(
      'PUT',
      `/api/v1/sections/${sectionId}`,
      { course_section: { sis_section_id: 'X' } },
      { token },
    );
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ message: 'You must have manage_sis permission to update sis attributes' });
  });
});

describe('§6.9 course users and enrolments', () => {
  const crowded = () =>
    [...client.world.courses.values()].find((course) => {
      const states = new Set(client.world.enrollments.by.course.get(course.id).map((e) => e.workflow_state));
      return (
        course.workflow_state === 'available' &&
        ['active', 'completed', 'deleted', 'invited'].every((s) => states.has(s as 'active'))
      );
    })?.id;

  test('§6.9 lists active and invited people, sorted by sortable name, each once', async () => {
    const id = crowded();
    const answer = await client.api(`/courses/${id}/users?per_page=100&include[]=enrollments`);
    const states = answer.body.flatMap(
      (user) => user['enrollments']?.map((e) => String(e['enrollment_state'])) ?? [],
    );
    expect(new Set(states)).toEqual(new Set(['active', 'invited']));
    const sortable = answer.body.map((user) => String(user['sortable_name']));
    expect(sortable).toEqual([...sortable].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare));
    const invited = answer.body.find((user) =>
      user['enrollments']?.every((e) => String(e['enrollment_state']) === 'invited'),
    );
    expect(invited).not.toHaveProperty('email');
    expect(invited).not.toHaveProperty('login_id');
  });

  test('§6.9 filters by type, role and state; an unknown type is a 400', async () => {
    const id = crowded();
    const students = await client.api(
      `/courses/${id}/users?enrollment_type[]=student&include[]=enrollments&enrollment_state[]=completed&per_page=100`,
    );
    for (const user of students.body) {
      expect(user['enrollments']?.[0]).toMatchObject({
        type: 'StudentEnrollment',
        enrollment_state: 'completed',
      });
    }
    expect((await client.api(`/courses/${id}/users?enrollment_type[]=boss`)).status).toBe(400);
  });

  test('§6.9 lists current and future enrolments, each with its user; filters by state, role_id and sis_user_id', async () => {
    const id = crowded();
    const usual = await client.api(`/courses/${id}/enrollments?per_page=100`);
    expect(new Set(usual.body.map((e) => String(e['enrollment_state'])))).toEqual(
      new Set(['active', 'inactive', 'invited']),
    );
    expect(usual.body[0]?.['user']).toHaveProperty('login_id');
    const gone = await client.api(`/courses/${id}/enrollments?state[]=deleted&per_page=100`);
    expect(gone.body.length).toBeGreaterThan(0);
    const teachers = await client.api(`/courses/${id}/enrollments?role_id=4&per_page=100`);
    expect(new Set(teachers.body.map((e) => Number(e['role_id'])))).toEqual(new Set([4]));
    const sis = String(teachers.body[0]?.['sis_user_id']);
    const one = await client.api(`/courses/${id}/enrollments?sis_user_id[]=${sis}`);
    expect(one.body[0]?.['user_id']).toBe(teachers.body[0]?.['user_id']);
  });

  test('§6.9 lists of enrolments have only a next link', async () => {
    const id = crowded();
    const all = ids((await client.api(`/courses/${id}/enrollments?per_page=100`)).body);
    const walked: number[] = [];
    let path: string | undefined = `${client.url}/api/v1/courses/${id}/enrollments?per_page=7`;
    while (path) {
      const answer = await client.ask(path);
      walked.push(...ids(answer.body));
      path = links(answer).find(([rel]) => rel === 'next')?.[1];
    }
    expect(walked).toEqual(all);
  });
});

describe('§6.10 groups', () => {
  const grouped = () =>
    [...client.world.groupCategories.values()].find((row) => row.context_type === 'Course');

  test('§6.10 lists the categories of a course, the groups of a category and the members of a group', async () => {
    const category = grouped();
    const categories = await client.api(`/courses/${category?.context_id}/group_categories`);
    expect(categories.body[0]).toMatchObject({
      name: 'Project Teams',
      course_id: category?.context_id,
      is_member: false,
    });
    const groups = await client.api(`/group_categories/${category?.id}/groups?per_page=100`);
    expect(names(groups.body)[0]).toBe('Team 1');
    expect(groups.body[0]).toMatchObject({ members_count: 5, context_type: 'Course' });
    const members = await client.api(`/groups/${groups.body[0]?.['id']}/memberships`);
    expect(members.body).toHaveLength(5);
    expect(members.body[0]).toMatchObject({ workflow_state: 'accepted', moderator: false });
  });

  test('§6.10 an unknown category has its own error', async () => {
    const answer = await client.api('/group_categories/999999/groups');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ status: 'not found' });
  });

  test('§6.10 creating a category returns 200 with counts; names in use, empty names and reserved names are rejected', async () => {
    const create = (fields: object) => client.send('POST', '/api/v1/courses/1002/group_categories', fields);
    const made = await create({ name: 'Study Groups', sis_group_category_id: 'GC-1' });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ name: 'Study Groups', sis_group_category_id: 'GC-1', groups_count: 0 });
    const messages: [string, string][] = [
      ['Study Groups', 'Study Groups is already in use.'],
      ['  ', 'Name is required'],
      ['Student Groups', 'Student Groups is a reserved name.'],
    ];
    for (const [name, message] of messages) {
      const answer = await create({ name });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ errors: { name: [{ attribute: 'name', type: message, message }] } });
    }
    expect((await create({ name: 'study groups' })).status).toBe(200);
    expect((await client.api('/group_categories/sis_group_category_id:GC-1/groups')).body).toEqual([]);
  });

  test('§6.10 without permission to manage SIS data the category is created, but the answer is 401', async () => {
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const teaching = [...client.world.enrollments.values()].find(
      (e) => e.user_id === 108 && e.workflow_state === 'active',
    );
    const path = `/courses/${teaching?.course_id}/group_categories`;
    const answer = await client.send(
      'POST',
      `/api/v1${path}`,
      { name: 'By Hugo', sis_group_category_id: 'H1' },
      { token },
    );
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: 'You must have manage_sis permission to set sis attributes' });
    expect(names((await client.api(path)).body)).toContain('By Hugo');
  });
});

describe('§6.11 and §6.12 profile and progress', () => {
  test('§6.11 the profile has a picture’s address and a time zone', async () => {
    const token = String((await signIn(client, 'dev.oduya'))['access_token']);
    const answer = await client.api('/users/self/profile', { token });
    expect(answer.body).toMatchObject({
      id: 104,
      name: 'Dev Oduya',
      primary_email: 'dev.oduya@northbridge.example',
      login_id: 'dev.oduya@northbridge.example',
      time_zone: 'Africa/Lagos',
      avatar_url: `${client.url}/images/avatars/104.svg`,
    });
  });

  test('§6.12 an unknown progress is a 404', async () => {
    expect((await client.api('/progress/1')).status).toBe(404);
  });
});
