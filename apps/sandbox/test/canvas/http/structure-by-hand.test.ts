/** Accounts, terms, courses and administrators as a person creates and deletes them (reference §6.1 to §6.5). */
import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { type Json, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const remove = (path: string) => api(path, { method: 'DELETE' });
const messageOf = (body: Json, attribute: string) => body['errors']?.[attribute]?.[0]?.['message'];
const hugo = async () => String((await signIn(client, 'hugo.tan'))['access_token']);

/** Waits for the end of the work, and returns its progress. */
async function ended(id: unknown): Promise<Json> {
  for (let i = 0; i < 100; i++) {
    const { body } = await api(`/progress/${id}`);
    if (['completed', 'failed'].includes(String(body['workflow_state']))) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The work does not end');
}

describe('§6.1 accounts', () => {
  test('§6.1 a sub-account can be deleted only when it is empty', async () => {
    const made = await post('/accounts/86/sub_accounts', { account: { name: 'SH-Empty' } });
    const inside = await post('/accounts/86/sub_accounts', {
      account: { name: 'SH-Inside', parent_account_id: made.body['id'] },
    });
    expect(inside.body['parent_account_id']).toBe(made.body['id']);
    const path = (id: unknown) => `/accounts/1/sub_accounts/${id}`;
    const full = await remove(path(made.body['id']));
    expect([full.status, full.body]).toEqual([
      409,
      { message: "You can't delete a sub-account that has sub-accounts in it." },
    ]);
    const taught = await remove(path(86));
    expect([taught.status, taught.body]).toEqual([
      409,
      { message: "You can't delete a sub-account that has courses in it." },
    ]);
    expect((await remove(path(inside.body['id']))).body['workflow_state']).toBe('deleted');
    expect((await api(`/accounts/${inside.body['id']}`)).status).toBe(404);
    expect((await remove('/accounts/138/sub_accounts/86')).status).toBe(404);
  });

  test('§6.1 quotas are whole numbers; courses have the quota of the account above them', async () => {
    const made = await post('/accounts/86/sub_accounts', {
      account: { name: 'SH-Quota', default_storage_quota_mb: 123, default_group_storage_quota_mb: '7' },
    });
    const quotas = { default_storage_quota_mb: 123, default_group_storage_quota_mb: 7 };
    expect(made.body).toMatchObject({ ...quotas, default_user_storage_quota_mb: 50 });
    const path = `/accounts/${made.body['id']}`;
    const below = await post(`${path}/sub_accounts`, { account: { name: 'SH-Below' } });
    expect(below.body).toMatchObject({ default_storage_quota_mb: 123, default_group_storage_quota_mb: 50 });
    for (const [given, message] of [
      ['many', 'An integer value is required'],
      ['-1', 'Value must be positive'],
    ] as const) {
      const wrong = await put(path, { account: { default_storage_quota_mb: given } });
      expect(messageOf(wrong.body, 'default_storage_quota_mb')).toBe(message);
    }
    expect((await put(path, { account: { default_storage_quota_mb: 9 } })).body).toMatchObject({
      default_storage_quota_mb: 9,
    });
  });

  test('§6.1 teachers see only some fields of their courses’ accounts', async () => {
    const token = await hugo();
    const own = (await api('/course_accounts', { token })).body;
    expect(own.length).toBeGreaterThan(0);
    expect(own[0]).not.toHaveProperty('default_storage_quota_mb');
    expect((await api(`/accounts/${own[0]?.['id']}`, { token })).body).toEqual(own[0]);
    expect((await api('/accounts/1/settings', { token })).status).toBe(403);
    expect((await api('/accounts/1/settings')).body).toEqual({});
    expect((await api('/accounts', { token })).body).toEqual([]);
    expect((await api('/manageable_accounts', { token })).body).toEqual([]);
    const managed = await api('/manageable_accounts?per_page=100');
    expect(managed.body.map((account) => account['id'])).toEqual(expect.arrayContaining([1, 86, 301]));
  });
});

describe('§6.2 terms', () => {
  test('§6.2 a term can be created, and deleted once it has no courses', async () => {
    const made = await post('/accounts/1/terms', {
      enrollment_term: { name: 'SH-Term', start_at: '2030-01-01T00:00:00Z', sis_term_id: 'SH-T' },
    });
    expect(made.body).toMatchObject({
      name: 'SH-Term',
      start_at: '2030-01-01T00:00:00Z',
      end_at: null,
      workflow_state: 'active',
      sis_term_id: 'SH-T',
      overrides: {},
    });
    const again = await post('/accounts/1/terms', { enrollment_term: { name: 'x', sis_term_id: 'SH-T' } });
    expect(messageOf(again.body, 'sis_source_id')).toBe('SIS ID "SH-T" is already in use');
    const odd = await post('/accounts/1/terms', { enrollment_term: { sis_term_id: { fail: true } } });
    expect([odd.status, odd.body]).toEqual([400, { message: 'Invalid SIS ID' }]);
    const path = '/accounts/1/terms/sis_term_id:SH-T';
    const course = await post('/accounts/86/courses', { course: { name: 'x', term_id: 'sis_term_id:SH-T' } });
    expect(messageOf((await remove(path)).body, 'workflow_state')).toBe(
      'Cannot delete a term with active courses',
    );
    await api(`/courses/${course.body['id']}?event=delete`, { method: 'DELETE' });
    expect((await remove(path)).body).toMatchObject({ workflow_state: 'deleted' });
    const usual = await remove('/accounts/1/terms/default');
    expect(messageOf(usual.body, 'workflow_state')).toBe('Cannot delete the default term');
    expect((await post('/accounts/86/terms', { enrollment_term: { name: 'x' } })).status).toBe(403);
  });

  test('§6.2 administrators of a sub-account can read the terms', async () => {
    const [person = 0] = people(client, 1);
    expect((await api(`/accounts/1/terms?as_user_id=${person}`)).status).toBe(403);
    await post('/accounts/86/admins', { user_id: person });
    expect((await api(`/accounts/1/terms?as_user_id=${person}`)).status).toBe(200);
    await remove(`/accounts/86/admins/${person}`);
  });
});

describe('§6.4 courses', () => {
  test('§6.4 a course’s code is derived from its name; its account can be one below the account in the path', async () => {
    const made = await post('/accounts/86/courses', {
      course: { name: 'Introduction to Finance 101', account_id: 311 },
    });
    expect(made.body).toMatchObject({ course_code: 'Introduction 101', account_id: 311 });
    const path = `/courses/${made.body['id']}`;
    expect((await put(path, { course: { name: ' ', course_code: '' } })).body).toMatchObject({
      name: 'Unnamed Course',
      course_code: 'Unnamed',
    });
    expect((await post('/accounts/86/courses', { course: { account_id: 138 } })).status).toBe(404);
  });

  test('§6.4 one call changes many courses, in the background', async () => {
    const ids = [(await newCourse(client, 'SH-One')).id, (await newCourse(client, 'SH-Two')).id];
    const batch = (json: object) => put('/accounts/86/courses', json);
    const refusals = [
      await batch({ event: 'conclude' }),
      await batch({ course_ids: ids }),
      await batch({ course_ids: ids, event: 'explode' }),
    ];
    expect(refusals.map(({ status, body }) => [status, body['message']])).toEqual([
      [400, 'must specify course_ids[]'],
      [400, 'need to specify event'],
      [400, 'invalid event'],
    ]);
    const { body } = await batch({ course_ids: ids, event: 'conclude' });
    expect(body).toMatchObject({ context_type: 'Account', context_id: 86, tag: 'course_batch_update' });
    expect(await ended(body['id'])).toMatchObject({
      workflow_state: 'completed',
      message: '2 courses processed',
    });
    expect((await api(`/courses/${ids[0]}`)).body['workflow_state']).toBe('completed');
    const elsewhere = await put('/accounts/138/courses', { course_ids: ids, event: 'delete' });
    expect((await ended(elsewhere.body['id']))['workflow_state']).toBe('failed');
  });

  test('§6.7 a section’s students are listed in every state; without students the field is null', async () => {
    const { id, first, second } = await newCourse(client, 'SH-Students');
    const [one = 0, two = 0] = people(client, 2);
    await enrol(client, id, one, 'Student', { course_section_id: first });
    const over = await enrol(client, id, two, 'Student', { course_section_id: first });
    await remove(`/courses/${id}/enrollments/${over['id']}?task=conclude`);
    const sections = (await api(`/courses/${id}/sections?include[]=students&include[]=total_students`)).body;
    const of = (section: number) => sections.find((each) => Number(each['id']) === section);
    expect(of(first)?.['students']?.map((user) => user['id'])).toEqual([one, two]);
    expect(of(first)?.['total_students']).toBe(1);
    expect(of(second)?.['students']).toBeNull();
  });
});

describe('administrators', () => {
  test('a person becomes an administrator of an account, and can be removed again', async () => {
    const [person = 0] = people(client, 3).slice(2);
    const made = await post('/accounts/301/admins', { user_id: `sis_user_id:${5_000_000 + person}` });
    expect(made.body).toMatchObject({
      role: 'AccountAdmin',
      role_id: 1,
      user: { id: person },
      workflow_state: 'active',
    });
    expect((await post('/accounts/301/admins', { user_id: person })).body['id']).toBe(made.body['id']);
    expect((await post('/accounts/301/admins', { user_id: person, role_id: 3 })).status).toBe(404);
    expect((await post('/accounts/301/admins', { user_id: 99_999_999 })).status).toBe(404);
    const own = await api(`/accounts/301/admins/self?as_user_id=${person}`);
    expect(own.body.map((admin) => admin['id'])).toEqual([made.body['id']]);
    const gone = await remove(`/accounts/301/admins/${person}`);
    expect(gone.body).toMatchObject({ id: made.body['id'], workflow_state: 'deleted' });
    expect((await remove(`/accounts/301/admins/${person}`)).status).toBe(404);
    const token = await hugo();
    const path = '/api/v1/accounts/301/admins';
    expect((await client.send('POST', path, { user_id: person }, { token })).status).toBe(403);
  });
});

describe('§6.12 progress, §15 communities', () => {
  test('§6.12 the person who started the work can cancel it, with a message', async () => {
    const { id } = await newCourse(client, 'SH-Cancel');
    const started = await post('/accounts/86/bulk_enrollment', {
      user_ids: people(client, 1),
      course_ids: [id],
    });
    const path = `/progress/${started.body['id']}/cancel`;
    const ended = await post(path, { message: 'not any more' });
    expect(ended.body).toMatchObject({ workflow_state: 'failed', message: 'not any more' });
    const token = await hugo();
    expect((await client.send('POST', `/api/v1${path}`, {}, { token })).status).toBe(403);
    expect((await post('/progress/999999/cancel')).status).toBe(404);
  });

  test('§15 anyone can create a community, and then moderates it', async () => {
    const token = await hugo();
    const fields = { name: 'Readers', is_public: true, join_level: 'parent_context_request' };
    const { body } = await client.send('POST', '/api/v1/groups', fields, { token });
    expect(body).toMatchObject({
      ...fields,
      context_type: 'Account',
      account_id: 1,
      role: 'communities',
      members_count: 1,
      group_category: { name: 'Communities', protected: true },
    });
    const members = (await api(`/groups/${body['id']}/memberships`)).body;
    expect(members).toMatchObject([{ user_id: 108, moderator: true, workflow_state: 'accepted' }]);
    expect((await post('/groups', { group_category_id: 99_999 })).status).toBe(404);
  });
});
