/** Adding many people to groups and courses in one call (reference §15.3, §16). */
import { describe, expect, test } from 'vitest';
import { type Answer, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const post = (path: string, json: unknown = {}, token?: string) =>
  client.send('POST', `/api/v1${path}`, json, token === undefined ? {} : { token });

/** Creates a course with these people as students, and a category with groups of these names. */
async function teams(name: string, people: number[], groups: string[], settings: object = {}) {
  const course = Number((await post('/accounts/86/courses', { course: { name } })).body['id']);
  for (const user_id of people)
    await post(`/courses/${course}/enrollments`, { enrollment: { user_id, enrollment_state: 'active' } });
  const made = await post(`/courses/${course}/group_categories`, { name: 'Teams', ...settings });
  const category = Number(made.body['id']);
  const ids: number[] = [];
  for (const title of groups)
    ids.push(Number((await post(`/group_categories/${category}/groups`, { name: title })).body['id']));
  return { course, category, groups: ids };
}

async function membersOf(group: number | undefined): Promise<number[]> {
  const { body } = await client.api(`/groups/${group}/memberships?per_page=100`);
  return body.map((one) => Number(one['user_id'])).sort((a, b) => a - b);
}

/** Waits for the end of a progress, and returns it. */
async function ended({ body }: Answer) {
  const read = async () => (await client.api(`/progress/${body['id']}`)).body;
  await expect
    .poll(async () => ['completed', 'failed'].includes(String((await read())['workflow_state'])))
    .toBe(true);
  return read();
}

const upload = (category: number, csv: string, type = 'text/csv') =>
  client.api(`/group_categories/${category}/import`, {
    method: 'POST',
    body: csv,
    headers: { 'content-type': type },
  });

describe('§15.3 assign_unassigned_members', () => {
  test("§15.3 returns the category's progress, and spreads everyone over the groups as evenly as possible", async () => {
    const people = [1500, 1501, 1502, 1503, 1504];
    const { category, groups } = await teams('GA-A', people, ['One', 'Two']);
    await post(`/groups/${groups[0]}/memberships`, { user_id: 1500 });
    const asked = await post(`/group_categories/${category}/assign_unassigned_members`);
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({
      context_id: category,
      context_type: 'GroupCategory',
      tag: 'assign_unassigned_members',
      completion: 0,
    });
    expect(await ended(asked)).toMatchObject({ workflow_state: 'completed', completion: 100 });
    const [one, two] = [await membersOf(groups[0]), await membersOf(groups[1])];
    expect([...one, ...two].sort((a, b) => a - b)).toEqual(people);
    expect(Math.abs(one.length - two.length)).toBe(1);
    expect(one).toContain(1500);
  });

  test('§15.3 with sync: returns the groups with their new members; full groups get none', async () => {
    const students = [1500, 1501, 1502, 1503, 1504];
    const { category, groups } = await teams('GA-B', students, ['One', 'Two'], { group_limit: 2 });
    const { status, body } = await post(`/group_categories/${category}/assign_unassigned_members`, {
      sync: true,
    });
    expect(status).toBe(200);
    expect(body.map((group) => [group['id'], group['new_members']?.length])).toEqual([
      [groups[0], 2],
      [groups[1], 2],
    ]);
    const [first] = body[0]?.['new_members'] ?? [];
    const user = client.world.users.must(Number(first?.['user_id']));
    expect(first).toMatchObject({
      name: user.sortable_name,
      display_name: user.short_name,
      sections: [{ section_code: 'GA-B' }],
    });
    expect([await membersOf(groups[0]), await membersOf(groups[1])].flat()).toHaveLength(4);
  });

  test('§6.10 with assign_async the groups are created immediately, and the progress in the answer follows the distribution', async () => {
    const { course } = await teams('GA-I', [1500, 1501, 1502, 1503], []);
    const made = await post(`/courses/${course}/group_categories`, {
      name: 'Split',
      split_group_count: 2,
      assign_async: true,
    });
    expect(made.body).toMatchObject({
      groups_count: 2,
      unassigned_users_count: 4,
      progress: { context_id: made.body['id'], tag: 'assign_unassigned_members' },
    });
    await ended({ ...made, body: made.body['progress'] as Answer['body'] });
    const { body } = await client.api(`/group_categories/${made.body['id']}/groups`);
    expect(body.map((group) => group['members_count'])).toEqual([2, 2]);
    expect((await client.api(`/group_categories/${made.body['id']}`)).body).not.toHaveProperty('progress');
    const counted = await post(`/courses/${course}/group_categories`, {
      name: 'Counted',
      create_group_count: 2,
    });
    expect(counted.body).not.toHaveProperty('progress');
  });

  test('§15.3 tags are hidden from the lists of groups, and a list of only tags is empty', async () => {
    const { course } = await teams('GA-J', [], ['One']);
    const count = async (path: string) => (await client.api(`/courses/${course}/${path}`)).body.length;
    expect([await count('groups'), await count('groups?collaboration_state=all')]).toEqual([1, 1]);
    expect(await count('groups?collaboration_state=non_collaborative')).toBe(0);
    expect(await count('group_categories?collaboration_state=non_collaborative')).toBe(0);
  });

  test('§15.3 filling groups that are limited to one section is a 400, and without permission a 403', async () => {
    const { category, course } = await teams('GA-C', [1500], ['One'], { self_signup: 'restricted' });
    const path = `/group_categories/${category}/assign_unassigned_members`;
    const refused = await post(path);
    expect([refused.status, refused.body]).toEqual([400, {}]);
    await post(`/courses/${course}/enrollments`, {
      enrollment: { user_id: 108, enrollment_state: 'active' },
    });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    expect((await post(path, {}, token)).status).toBe(403);
    expect((await post('/group_categories/999999/assign_unassigned_members')).status).toBe(404);
  });
});

describe('§15.3 importing a category', () => {
  test('§15.3 people are found by number, SIS ID and login, groups by number and name; unknown groups are created', async () => {
    const { category, groups } = await teams('GA-D', [1500, 1501, 1502, 1503], ['One', 'Two']);
    await post(`/groups/${groups[1]}/memberships`, { user_id: 1500 });
    const login = client.world.loginsOf(1502)[0]?.unique_id ?? '';
    const asked = await upload(
      category,
      [
        'canvas_user_id,user_id,login_id,canvas_group_id,group_name',
        `1500,,,${groups[0]},`,
        ',5001501,,,Two',
        `,,${login.toUpperCase()},,Three`,
        '1503,,,,Three',
        '1503,,,,One',
        '1510,,,,Four',
      ].join('\n'),
    );
    expect(asked.body).toMatchObject({
      context_id: category,
      context_type: 'GroupCategory',
      tag: 'course_group_import',
      workflow_state: 'queued',
    });
    expect(await ended(asked)).toMatchObject({ workflow_state: 'completed', completion: 100, message: null });
    const list = (await client.api(`/group_categories/${category}/groups`)).body;
    const named = Object.fromEntries(
      await Promise.all(list.map(async (g) => [g['name'], await membersOf(Number(g['id']))] as const)),
    );
    // A person's first row counts; a person outside the course joins no group.
    expect(named).toEqual({ One: [1500], Two: [1501], Three: [1502, 1503], Four: [] });
  });

  test('§15.3 an unreadable file fails with Canvas’s text; a missing file is rejected', async () => {
    const { category } = await teams('GA-E', [1500], ['One']);
    const malformed = await ended(await upload(category, 'canvas_user_id,group_name\n1500,"One'));
    expect(malformed).toMatchObject({ workflow_state: 'failed', message: 'Malformed CSV' });
    const form = new FormData();
    form.append('other', 'x');
    const none = await client.api(`/group_categories/${category}/import`, { method: 'POST', body: form });
    expect([none.status, none.body]).toEqual([400, { error: true, error_message: 'Missing attachment' }]);
  });
});

describe('§16 bulk_enrollment', () => {
  test('§16 everyone is enrolled in every course, in the requested role; a progress reports completion', async () => {
    const [one, two] = [await teams('GA-F', [], []), await teams('GA-G', [1500], [])];
    const asked = await post('/accounts/86/bulk_enrollment', {
      user_ids: [1500, 1501],
      course_ids: [one.course, two.course],
      enrollment_type: 'TaEnrollment',
      start_at: '2026-09-01T08:00:00Z',
    });
    expect(asked.body).toMatchObject({ context_type: 'Account', context_id: 86, completion: 0 });
    expect(await ended(asked)).toMatchObject({ workflow_state: 'completed', results: { errors: {} } });
    // Only the person who started the work can cancel it, even after its end.
    const cancel = `/progress/${asked.body['id']}/cancel`;
    expect((await post(`${cancel}?as_user_id=1500`)).status).toBe(403);
    const cancelled = { workflow_state: 'failed', message: 'Not wanted' };
    expect((await post(cancel, { message: 'Not wanted' })).body).toMatchObject(cancelled);
    expect((await post('/progress/999999/cancel')).status).toBe(404);
    for (const { course } of [one, two]) {
      const { body } = await client.api(`/courses/${course}/enrollments?type[]=TaEnrollment`);
      expect(new Set(body.map((e) => e['user_id']))).toEqual(new Set([1500, 1501]));
      expect(body[0]).toMatchObject({ start_at: '2026-09-01T08:00:00Z', sis_import_id: null });
    }
  });

  test('§16 the error names what is missing from the call, and courses of other accounts are not changed', async () => {
    const { course } = await teams('GA-H', [], []);
    for (const [fields, name] of [
      [{ course_ids: [course] }, 'user_ids'],
      [{ user_ids: [1500] }, 'course_ids'],
    ] as const) {
      const refused = await post('/accounts/86/bulk_enrollment', fields);
      expect([refused.status, refused.body]).toEqual([400, { errors: [{ message: `${name} is missing` }] }]);
    }
    await ended(await post('/accounts/2/bulk_enrollment', { user_ids: [1500], course_ids: [course] }));
    expect((await client.api(`/courses/${course}/enrollments`)).body).toEqual([]);
  });
});
