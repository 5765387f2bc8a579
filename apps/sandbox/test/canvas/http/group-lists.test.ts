import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const remove = (path: string) => api(path, { method: 'DELETE' });
const namesOf = async (path: string) => (await api(path)).body.map((each) => each['name']);

/** Creates a course with students, who can choose their own groups if `signup` says so. */
async function teams(name: string, signup: string | null = null) {
  const course = await newCourse(client, name);
  const [one = 0, two = 0] = people(client, 2);
  await enrol(client, course.id, one, 'Student', { course_section_id: course.first });
  await enrol(client, course.id, two, 'Student', { course_section_id: course.second });
  const path = `/courses/${course.id}/group_categories`;
  const category = Number((await post(path, { name: 'Teams', self_signup: signup })).body['id']);
  const made = await post(`/group_categories/${category}/groups`, { name: 'First' });
  return { course: course.id, one, two, category, made: made.body, group: Number(made.body['id']) };
}

describe('§6.10 lists of groups', () => {
  test('§6.10 a course’s groups are sorted by category, then by name; only one’s own on request', async () => {
    const { course, one, group } = await teams('Lists');
    const other = (await post(`/courses/${course}/group_categories`, { name: 'Alphas' })).body['id'];
    for (const name of ['Zebra', 'Yak']) await post(`/group_categories/${other}/groups`, { name });
    expect(await namesOf(`/courses/${course}/groups`)).toEqual(['Yak', 'Zebra', 'First']);
    await post(`/groups/${group}/memberships`, { user_id: one });
    const own = `/courses/${course}/groups?only_own_groups=1&include[]=users&as_user_id=${one}`;
    expect((await api(own)).body).toMatchObject([{ name: 'First', users: [{ id: one }] }]);
    expect(await namesOf(`/users/self/groups?as_user_id=${one}&context_type=Course`)).toContain('First');
    expect(await namesOf(`/users/self/groups?as_user_id=${one}&context_type=Account`)).toEqual([]);
  });

  test('§15.3 people in a group can be searched, and include their pictures on request', async () => {
    const { one, two, group } = await teams('People');
    for (const user_id of [one, two]) await post(`/groups/${group}/memberships`, { user_id });
    const { name } = client.world.users.must(one);
    const found = await api(`/groups/${group}/users?search_term=${name}&include[]=avatar_url`);
    expect(found.body).toMatchObject([{ id: one, avatar_url: expect.stringContaining('http') }]);
    expect((await api(`/groups/${group}/users?search_term=a`)).status).toBe(400);
  });

  test('§6.10 a created or changed group is shown with its people, category and permissions', async () => {
    const { made, category, group } = await teams('Written');
    const more = {
      users: [],
      group_category: { id: category, name: 'Teams' },
      permissions: { create_discussion_topic: true, join: false, create_announcement: true },
    };
    expect(made).toMatchObject(more);
    const changed = await client.send('PUT', `/api/v1/groups/${group}`, { name: 'Other' });
    expect(changed.body).toMatchObject({ name: 'Other', ...more });
    expect((await api(`/groups/${group}`)).body).not.toHaveProperty('group_category');
  });
});

describe('§6.10 Canvas’s own categories', () => {
  test('§6.10 such categories are protected, and deleting one is a 401', async () => {
    const { category } = await teams('Protected');
    const own = client.world.groupCategories.must(category);
    client.world.groupCategories.change(own, { role: 'student_organized' });
    expect((await api(`/group_categories/${category}`)).body['protected']).toBe(true);
    const refused = await remove(`/group_categories/${category}`);
    expect([refused.status, refused.body]).toEqual([401, { status: 'unauthorized' }]);
    expect((await api(`/group_categories/${category}`)).status).toBe(200);
  });
});

describe('§15.3 groups that people choose themselves', () => {
  const join = (group: number, as: number) =>
    post(`/groups/${group}/memberships?as_user_id=${as}`, { user_id: 'self' });

  test('§15.3 a student can join and leave with open sign-up; otherwise it is a 403', async () => {
    const open = await teams('Open', 'enabled');
    expect((await join(open.group, open.one)).body).toMatchObject({ workflow_state: 'accepted' });
    expect((await remove(`/groups/${open.group}/memberships/self?as_user_id=${open.two}`)).status).toBe(404);
    const left = await remove(`/groups/${open.group}/memberships/self?as_user_id=${open.one}`);
    expect(left.body).toEqual({ ok: true });
    const closed = await teams('Closed');
    expect((await join(closed.group, closed.one)).status).toBe(403);
    await post(`/groups/${closed.group}/memberships`, { user_id: closed.one });
    const stays = `/groups/${closed.group}/users/self?as_user_id=${closed.one}`;
    expect((await remove(stays)).status).toBe(403);
  });

  test('§15.3 restricted sign-up is only for people in the same section', async () => {
    const { group, one, two } = await teams('Restricted', 'restricted');
    expect((await join(group, one)).status).toBe(200);
    expect((await join(group, two)).status).toBe(403);
  });
});
