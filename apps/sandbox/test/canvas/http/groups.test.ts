/** Groups, and the people in a course, over REST (reference §6.10, §15.3, §16). */
import { describe, expect, test } from 'vitest';
import { signIn, useSandbox } from './client.ts';

const client = useSandbox();
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const remove = (path: string) => client.api(path, { method: 'DELETE' });

/** Creates a course with these people as students, and a category with two groups. */
async function teams(name: string, people = [1500, 1501, 1502]) {
  const course = Number((await post('/accounts/86/courses', { course: { name } })).body['id']);
  for (const user_id of people) {
    await post(`/courses/${course}/enrollments`, { enrollment: { user_id, enrollment_state: 'active' } });
  }
  const category = Number((await post(`/courses/${course}/group_categories`, { name: 'Teams' })).body['id']);
  const group = async (title: string) =>
    Number((await post(`/group_categories/${category}/groups`, { name: title })).body['id']);
  return { course, category, one: await group('One'), two: await group('Two') };
}
const add = (group: number, user_id: number | string) => post(`/groups/${group}/memberships`, { user_id });
async function membersOf(group: number, query = ''): Promise<unknown[]> {
  return (await client.api(`/groups/${group}/memberships${query}`)).body.map((one) => one['user_id']);
}

describe('§15.3 memberships created by hand', () => {
  test('§15.3 a person is added once, as just_created shows; joining another group of the category moves them', async () => {
    const { one, two } = await teams('GR-A');
    expect((await add(one, 1500)).body).toMatchObject({ workflow_state: 'accepted', just_created: true });
    expect((await add(one, 1500)).body).toMatchObject({ workflow_state: 'accepted', just_created: false });
    await add(two, 1500);
    expect([await membersOf(one), await membersOf(two)]).toEqual([[], [1500]]);
  });

  test('§15.3 adding a person without an enrolment in the course is a 403', async () => {
    const { one } = await teams('GR-B');
    expect((await add(one, 1510)).status).toBe(403);
    expect(await membersOf(one)).toEqual([]);
  });

  test('§15.2 a full group rejects new members with Canvas’s text', async () => {
    const { one } = await teams('GR-C');
    await put(`/groups/${one}`, { max_membership: 2 });
    await add(one, 1500);
    await add(one, 1501);
    const full = await add(one, 1502);
    expect(full.status).toBe(400);
    expect(full.body['errors']?.['group_id']?.[0]?.['message']).toBe('The group is full.');
    expect((await client.api(`/groups/${one}`)).body).toMatchObject({ is_full: true, members_count: 2 });
  });

  test('§15.3 members[] is the complete list: others are removed, new ones added', async () => {
    const { one, two } = await teams('GR-D');
    await add(one, 1500);
    await add(two, 1502);
    const { body } = await put(`/groups/${one}`, { members: [1501, 1502, 1510] });
    expect(body).toMatchObject({ members_count: 2 });
    expect([await membersOf(one), await membersOf(two)]).toEqual([[1501, 1502], []]);
  });

  test('§15.3 filter_states[]: deleted is not a filter and returns nothing', async () => {
    const { one } = await teams('GR-E');
    await add(one, 1500);
    await add(one, 1501);
    await remove(`/groups/${one}/users/1501`);
    expect(await membersOf(one, '?filter_states[]=accepted')).toEqual([1500]);
    expect(await membersOf(one, '?filter_states[]=deleted')).toEqual([]);
    expect(await membersOf(one, '?filter_states[]=invited&filter_states[]=requested')).toEqual([]);
  });

  test('§15.3 one call removes several people', async () => {
    const { one } = await teams('GR-F');
    await put(`/groups/${one}`, { members: [1500, 1501] });
    const gone = await remove(`/groups/${one}/users?user_ids[]=1500&user_ids[]=1502`);
    expect(gone.body).toEqual({
      message: 'Bulk delete completed',
      deleted_user_ids: [1500],
      unauthorized_user_ids: [],
    });
    expect(await membersOf(one)).toEqual([1501]);
  });
});

describe('§15.3 lists of people and their groups', () => {
  test('§15.3 people in a category are listed, and so are those without a group', async () => {
    const { category, one } = await teams('GR-G');
    await add(one, 1501);
    const ids = async (query: string) =>
      (await client.api(`/group_categories/${category}/users${query}`)).body
        .map((user) => Number(user['id']))
        .sort((a, b) => a - b);
    expect(await ids('')).toEqual([1500, 1501, 1502]);
    expect(await ids('?unassigned=true')).toEqual([1500, 1502]);
    const login = client.world.loginsOf(1502)[0];
    for (const term of [login?.sis_user_id, login?.unique_id, client.world.emailOf(1502)])
      expect(await ids(`?search_term=${encodeURIComponent(term ?? '')}`), term ?? '').toEqual([1502]);
  });

  test('§15.3 a category’s export has every student, and no group id columns if no one is in a group', async () => {
    const { category, one, course } = await teams('GR-H', [1500, 1501]);
    const lines = async () => {
      const response = await fetch(`${client.url}/api/v1/group_categories/${category}/export`, {
        headers: { authorization: 'Bearer sandbox-admin-token' },
      });
      expect(response.headers.get('content-type')).toContain('text/csv');
      return (await response.text()).trim().split('\n');
    };
    const [header, ...empty] = await lines();
    expect(header).toBe('name,canvas_user_id,user_id,login_id,sections,group_name');
    expect(empty).toHaveLength(2);
    await add(one, 1500);
    await put(`/groups/${one}`, { sis_group_id: 'GR-H-1' });
    const [full, ...people] = await lines();
    expect(full).toBe(`${header},canvas_group_id,group_id`);
    expect(people.find((line) => line.includes(',1500,'))).toMatch(
      new RegExp(`,1500,5001500,[^,]+,GR-H,One,${one},GR-H-1$`),
    );
    expect(people.find((line) => line.includes(',1501,'))).toMatch(/,GR-H,,,$/);
    expect((await client.api(`/courses/${course}/groups`)).body).toHaveLength(2);
  });

  test('§15.3 students cannot list or create categories, which is a 403', async () => {
    const { course } = await teams('GR-I');
    await post(`/courses/${course}/enrollments`, {
      enrollment: { user_id: 108, enrollment_state: 'active' },
    });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const path = `/courses/${course}/group_categories`;
    expect((await client.api(path, { token })).status).toBe(403);
    expect((await client.send('POST', `/api/v1${path}`, { name: 'Mine' }, { token })).status).toBe(403);
  });
});

describe('§6.10 changing a category', () => {
  test('§6.10 settings missing from a change are reset, but the name is kept', async () => {
    const { course } = await teams('GR-J');
    const made = await post(`/courses/${course}/group_categories`, {
      name: 'Limited',
      group_limit: 4,
      self_signup: 'enabled',
      auto_leader: 'first',
    });
    const path = `/group_categories/${made.body['id']}`;
    const kept = await put(path, { group_limit: 4, auto_leader: 'first', sis_group_category_id: 'GR-J-1' });
    expect(kept.body).toMatchObject({
      name: 'Limited',
      group_limit: 4,
      auto_leader: 'first',
      self_signup: null,
    });
    expect((await put(path, { name: 'Free' })).body).toMatchObject({ name: 'Free', group_limit: null });
    const other = await post(`/courses/${course}/group_categories`, { name: 'Other' });
    const taken = await put(`/group_categories/${other.body['id']}`, { sis_group_category_id: 'GR-J-1' });
    expect(taken.status).toBe(400);
  });
});

describe('§16 the people in a course', () => {
  test('§16 group_ids has the groups in this course that still exist, in all categories; without any it is []', async () => {
    const { course, one } = await teams('GR-K');
    const labs = (await post(`/courses/${course}/group_categories`, { name: 'Labs' })).body['id'];
    const lab = Number((await post(`/group_categories/${labs}/groups`, { name: 'Lab' })).body['id']);
    const elsewhere = await teams('GR-L');
    for (const group of [one, lab, elsewhere.one]) await add(group, 1500);
    const ids = async () => {
      const { body } = await client.api(`/courses/${course}/users?include[]=group_ids&per_page=100`);
      return Object.fromEntries(body.map((user) => [user['id'], user['group_ids']]));
    };
    expect(await ids()).toEqual({ 1500: [one, lab], 1501: [], 1502: [] });
    await remove(`/groups/${lab}`);
    expect((await ids())[1500]).toEqual([one]);
  });

  test('§16 an enrolment in a deleted section is shown as deleted', async () => {
    const { course } = await teams('GR-M', [1500]);
    const [section] = client.world.sections.by.course.get(course);
    if (!section) throw new Error('no section');
    client.world.sections.change(section, { workflow_state: 'deleted' });
    const { body } = await client.api(`/courses/${course}/enrollments`);
    expect(body).toMatchObject([{ user_id: 1500, enrollment_state: 'deleted' }]);
  });

  test('§16 activity is shown to people who can read reports, and to everyone about themselves', async () => {
    const id = client.world.pseudonyms.by.login.get('hugo.tan@northbridge.example')[0]?.user_id ?? 0;
    const { course } = await teams('GR-N', [id, 1501]);
    await client.send('PUT', `/api/v1/courses/${course}`, { course: { event: 'offer' } });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const { body } = await client.api(`/courses/${course}/enrollments`, { token });
    const of = (user: number) => body.find((one) => Number(one['user_id']) === user);
    expect(of(id)).toHaveProperty('last_activity_at', null);
    expect(of(id)).toHaveProperty('total_activity_time');
    expect(of(1501)).not.toHaveProperty('last_activity_at');
  });
});
