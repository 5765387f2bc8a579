/** Groups and categories as Canvas checks and creates them (reference §6.10, §15.3). */
import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { type Json, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const names = (body: Json) => body.map((one) => one['name']);
const messageOf = (body: Json, attribute: string) => body['errors']?.[attribute]?.[0]?.['message'];

/** Creates a course with some students, and a category with one group, which the first of them is in. */
async function teams(name: string, count = 4) {
  const { id: course, first, second } = await newCourse(client, name);
  const students = people(client, count + 2).slice(2);
  for (const student of students)
    await enrol(client, course, student, 'Student', { course_section_id: first });
  const category = Number((await post(`/courses/${course}/group_categories`, { name: 'Teams' })).body['id']);
  const group = Number((await post(`/group_categories/${category}/groups`, { name: 'One' })).body['id']);
  await post(`/groups/${group}/memberships`, { user_id: students[0] });
  return { course, first, second, students, category, group };
}

describe('§15.3 reading groups', () => {
  test('§15.3 students can read their own group but no others, although their list shows them all', async () => {
    const { course, category, group, students } = await teams('GC-Read');
    const statuses = async (person: number | undefined) => {
      const paths = [`/groups/${group}`, `/groups/${group}/users`, `/groups/${group}/memberships`];
      const answers = await Promise.all(paths.map((path) => api(`${path}?as_user_id=${person}`)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses(students[0])).toEqual([200, 200, 200]);
    expect(await statuses(students[1])).toEqual([403, 403, 403]);
    const as = `as_user_id=${students[1]}`;
    expect(names((await api(`/courses/${course}/groups?${as}`)).body)).toEqual(['One']);
    expect((await api(`/group_categories/${category}/groups?${as}`)).status).toBe(403);
    // Anyone who may join a group can see who is in it.
    await put(`/group_categories/${category}`, { self_signup: 'enabled' });
    expect(await statuses(students[1])).toEqual([403, 403, 200]);
  });

  test('§15.3 filter finds groups by their name and by the names of their members', async () => {
    const { course, category, students } = await teams('GC-Filter');
    await post(`/group_categories/${category}/groups`, { name: 'Zwei' });
    const found = async (filter: string) =>
      names((await api(`/courses/${course}/groups?filter=${encodeURIComponent(filter)}`)).body);
    expect(await found('wei')).toEqual(['Zwei']);
    expect(await found(client.world.users.must(students[0] ?? 0).name.toUpperCase())).toEqual(['One']);
    expect(await found('')).toEqual(['One', 'Zwei']);
  });

  test('§15.3 exclude_inactive hides members who are not active in the course', async () => {
    const { group, students } = await teams('GC-Inactive');
    const enrollment = client.world.enrollments.by.user
      .get(students[0] ?? 0)
      .find((e) => client.world.courses.must(e.course_id).name === 'GC-Inactive');
    if (enrollment) client.world.enrollments.change(enrollment, { workflow_state: 'inactive' });
    const count = async (query: string) => (await api(`/groups/${group}/users${query}`)).body.length;
    expect([await count(''), await count('?exclude_inactive=false')]).toEqual([1, 1]);
    expect(await count('?exclude_inactive=true')).toBe(0);
  });
});

describe('§15.3 changing groups', () => {
  test('§15.3 names and limits are checked, with Canvas’s messages', async () => {
    const { category, group } = await teams('GC-Check');
    const path = `/group_categories/${category}/groups`;
    const refusals: [object, string, string][] = [
      [{ name: ' ' }, 'name', 'Name is required'],
      [{ name: 'x'.repeat(256) }, 'name', 'Enter a shorter group name'],
      [{ max_membership: 0 }, 'max_membership', 'Must be greater than 1'],
      [{ max_membership: 'many' }, 'max_membership', 'Must be greater than 1'],
    ];
    for (const [fields, attribute, message] of refusals)
      for (const answer of [await post(path, fields), await put(`/groups/${group}`, fields)]) {
        expect(answer.status).toBe(400);
        expect(messageOf(answer.body, attribute)).toBe(message);
      }
    expect((await post(path, {})).body['name']).toBe('Unnamed Group');
    expect((await put(`/groups/${group}`, { is_public: true })).body['is_public']).toBe(false);
  });

  test('§10 with override_sis_stickiness=false, a name that a person has changed stays', async () => {
    const { group } = await teams('GC-Sticky');
    await put(`/groups/${group}`, { name: 'By hand' });
    const kept = { name: 'Again', description: 'New', override_sis_stickiness: false };
    expect((await put(`/groups/${group}`, kept)).body).toMatchObject({ name: 'By hand', description: 'New' });
    expect((await put(`/groups/${group}`, { name: 'Again' })).body['name']).toBe('Again');
  });

  test('§15.3 the leader must be a member; members[] ignores people who are not in the course', async () => {
    const { group, students } = await teams('GC-Leader');
    const [first = 0, second = 0] = students;
    expect((await put(`/groups/${group}`, { leader: { id: second } })).status).toBe(400);
    expect((await put(`/groups/${group}`, { leader: { id: first } })).body['leader']?.['id']).toBe(first);
    const { body } = await put(`/groups/${group}`, { members: [second, 999999] });
    expect(body['users']?.map((one) => one['id'])).toEqual([second]);
  });

  test('§15.3 in a category limited to one section, a group accepts only people from the same section', async () => {
    const { course, second, category, group } = await teams('GC-Sections');
    const [other = 0] = people(client, 1);
    await enrol(client, course, other, 'Student', { course_section_id: second });
    await put(`/group_categories/${category}`, { self_signup: 'restricted' });
    const refused = await post(`/groups/${group}/memberships`, { user_id: other });
    expect(refused.status).toBe(400);
    expect(messageOf(refused.body, 'user_id')).toBe(
      `${client.world.users.must(other).name} does not share a section with the other members of One.`,
    );
  });
});

describe('§6.10 categories', () => {
  test('§6.10 groups are named after the category, in the singular, and people are distributed immediately', async () => {
    const { course } = await teams('GC-Split');
    const create = (fields: object) => post(`/courses/${course}/group_categories`, fields);
    const groupsOf = async (body: Json) => (await api(`/group_categories/${body['id']}/groups`)).body;
    const split = await create({ name: 'Project Groups', create_group_count: 3, split_group_count: 2 });
    expect(split.body).toMatchObject({ groups_count: 2, unassigned_users_count: 0 });
    const groups = await groupsOf(split.body);
    expect(names(groups)).toEqual(['Project Group 1', 'Project Group 2']);
    expect(groups.map((group) => group['members_count'])).toEqual([2, 2]);
    const signup = await create({ name: 'Classes', enable_self_signup: '1', split_group_count: 3 });
    expect(signup.body).toMatchObject({ self_signup: 'enabled', groups_count: 0 });
    const chosen = await create({ name: 'Parties', self_signup: 'RESTRICTED', create_group_count: 1 });
    expect(chosen.body).toMatchObject({ self_signup: 'restricted', unassigned_users_count: 4 });
    expect(names(await groupsOf(chosen.body))).toEqual(['Party 1']);
    const none = await create({ name: 'Boss', create_group_count: 2, split_groups: '0' });
    expect(none.body['groups_count']).toBe(0);
    const changed = await put(`/group_categories/${none.body['id']}`, { create_group_count: 1 });
    expect(changed.status).toBe(200);
    expect(names(await groupsOf(none.body))).toEqual(['Boss 1']);
  });

  test('§6.10 the counts are in the answer when a category is created, and later only on request', async () => {
    const { category } = await teams('GC-Counts');
    expect((await api(`/group_categories/${category}`)).body).not.toHaveProperty('groups_count');
    const asked = await api(`/group_categories/${category}?includes[]=groups_count`);
    expect(asked.body['groups_count']).toBe(1);
  });

  test('§6.10 limits and self-signup are checked; one answer lists all errors', async () => {
    const { course, category, students } = await teams('GC-Limits');
    const refused = await post(`/courses/${course}/group_categories`, { name: '', group_limit: 0 });
    expect(refused.status).toBe(400);
    expect(messageOf(refused.body, 'name')).toBe('Name is required');
    expect(messageOf(refused.body, 'group_limit')).toBe('Must be greater than 1');
    const account = await post('/accounts/86/group_categories', { name: 'A', self_signup: 'enabled' });
    expect(messageOf(account.body, 'enable_self_signup')).toBe(
      'Self-signup may only be enabled for course groups or communities',
    );
    const reserved = await post('/accounts/86/group_categories', { name: 'Communities' });
    expect(messageOf(reserved.body, 'name')).toBe('Communities is a reserved name.');
    const counted = await post('/accounts/86/group_categories', { name: 'B', split_group_count: 3 });
    expect(counted.body['groups_count']).toBe(0);
    // A new limit applies to all groups.
    await put(`/group_categories/${category}`, { group_limit: 3 });
    const [group] = (await api(`/group_categories/${category}/groups`)).body;
    expect(group?.['max_membership']).toBe(3);
    expect(students).toHaveLength(4);
  });

  test('§6.10 imported groups are not protected, but communities are', async () => {
    const { category } = await teams('GC-Roles');
    const row = client.world.groupCategories.must(category);
    client.world.groupCategories.change(row, { role: 'imported' });
    expect((await api(`/group_categories/${category}`)).body['protected']).toBe(false);
    client.world.groupCategories.change(row, { role: 'communities' });
    expect((await api(`/group_categories/${category}`)).body['protected']).toBe(true);
  });

  test('§15.3 the export of a category lists each student once, with all their sections', async () => {
    const { course, first, second, category, students } = await teams('GC-Export', 2);
    const [one = 0, two = 0] = [...students].sort((a, b) => a - b);
    await enrol(client, course, one, 'Student', { course_section_id: second });
    const { text } = await api(`/group_categories/${category}/export`);
    const rows = text.trim().split('\n').slice(1);
    expect(rows).toHaveLength(2);
    const { sortable_name } = client.world.users.must(one);
    expect(rows[0]).toContain(`"${sortable_name}",${one},`);
    expect(rows[0]).toContain(',Section A and Section B,');
    expect(rows[1]).toContain(`,${two},`);
    expect(first).toBeLessThan(second);
  });
});
