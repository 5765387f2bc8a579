/** Courses, terms, accounts, people and logins changed by hand (reference §3, §6, §10). */
import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { type Json, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}, token?: string) =>
  client.send('POST', `/api/v1${path}`, json, token === undefined ? {} : { token });
const put = (path: string, json: unknown, token?: string) =>
  client.send('PUT', `/api/v1${path}`, json, token === undefined ? {} : { token });
const messageOf = (body: Json, attribute: string) => body['errors']?.[attribute]?.[0]?.['message'];
const tokenOf = async (login: string) => String((await signIn(client, login))['access_token']);

describe('§6.4 courses', () => {
  test('§6.4 an unknown event is rejected before anything else is checked', async () => {
    const { id } = await newCourse(client, 'HC-Event');
    const refused = await api(`/courses/${id}`, { method: 'DELETE' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'Only "delete" and "conclude" events are allowed.' },
    ]);
    const unknown = await put(`/courses/${id}`, { course: { event: 'explode' } });
    expect([unknown.status, messageOf(unknown.body, 'workflow_state')]).toEqual([400, 'is invalid']);
  });

  test('§6.4 a deleted course comes back unpublished, without its enrolments', async () => {
    const { id } = await newCourse(client, 'HC-Undelete');
    await enrol(client, id, people(client, 1)[0] ?? 0, 'Student');
    expect((await put(`/courses/${id}`, { course: { event: 'delete' } })).status).toBe(200);
    expect((await api(`/courses/${id}`)).status).toBe(404);
    expect((await put(`/courses/${id}`, { course: { name: 'x' } })).status).toBe(404);
    const back = await put(`/courses/${id}`, { course: { event: 'undelete' } });
    expect(back.body).toMatchObject({ id, workflow_state: 'unpublished' });
    expect((await api(`/courses/${id}/enrollments`)).body).toEqual([]);
  });

  test('§6.4 a course that does not restrict people to its dates has no end, and no start until it is published', async () => {
    const made = await post('/accounts/86/courses', { course: { name: 'HC-Dates' } });
    const path = `/courses/${made.body['id']}`;
    const dates = { start_at: '2026-01-01T00:00:00Z', end_at: '2026-02-01T00:00:00Z' };
    const none = { start_at: null, end_at: null };
    expect((await put(path, { course: dates })).body).toMatchObject(none);
    const restricted = { ...dates, restrict_enrollments_to_course_dates: true };
    expect((await put(path, { course: restricted })).body).toMatchObject(restricted);
    const stopped = { restrict_enrollments_to_course_dates: false };
    expect((await put(path, { course: stopped })).body).toMatchObject(none);
    await put(path, { course: restricted });
    // An event alone changes no dates.
    expect((await put(path, { course: { event: 'offer' } })).body).toMatchObject(dates);
    const free = await put(path, { course: stopped });
    // A published course keeps its start.
    expect(free.body).toMatchObject({ start_at: dates.start_at, end_at: null });
  });

  test('§6.4 an SIS ID that a teacher sends is ignored, but an invalid grade passback setting is not', async () => {
    const { id } = await newCourse(client, 'HC-Teacher');
    const wrong = await put(`/courses/${id}`, { course: { grade_passback_setting: 'hourly' } });
    expect(messageOf(wrong.body, 'grade_passback_setting')).toBe('Invalid grade_passback_setting');
    const own = await post('/accounts/86/courses', { course: { name: 'HC-Own' }, enroll_me: true });
    const { body } = await api(`/courses/${own.body['id']}/enrollments`);
    expect(body).toMatchObject([{ type: 'TeacherEnrollment', enrollment_state: 'active' }]);
  });

  test('§10 override_sis_stickiness=false leaves sticky fields alone', async () => {
    const { id } = await newCourse(client, 'HC-Sticky');
    await put(`/courses/${id}`, { course: { name: 'By hand' } });
    const kept = { course: { name: 'Other', course_code: 'NEW' }, override_sis_stickiness: false };
    expect((await put(`/courses/${id}`, kept)).body).toMatchObject({ name: 'By hand', course_code: 'NEW' });
  });

  test('§6.3 hide_enrollmentless_courses has an effect with any value', async () => {
    const { id } = await newCourse(client, 'HC-Empty');
    const found = async (query: string) =>
      (await api(`/accounts/86/courses?search_term=HC-Empty${query}`)).body;
    expect((await found('')).map((course) => course['id'])).toEqual([id]);
    expect(await found('&hide_enrollmentless_courses=false')).toEqual([]);
  });
});

describe('§6.2 terms, §6.1 accounts', () => {
  test('§6.2 a term needs its fields, dates in order, and can have dates by enrolment type', async () => {
    const [term] = (await api('/accounts/1/terms')).body['enrollment_terms'] as Json;
    const path = `/accounts/1/terms/${term?.['id']}`;
    expect((await put(path, {})).body).toEqual({ errors: [{ message: 'enrollment_term is missing' }] });
    const dates = { start_at: '2026-02-01T00:00:00Z', end_at: '2026-01-01T00:00:00Z' };
    const refused = await put(path, { enrollment_term: dates });
    expect(messageOf(refused.body, 'base')).toBe('End dates cannot be before start dates');
    const overrides = { student_enrollment: { end_at: '2027-01-01T00:00:00Z' } };
    const { body } = await put(path, { enrollment_term: { overrides } });
    expect(body['overrides']).toMatchObject({
      StudentEnrollment: { start_at: null, end_at: '2027-01-01T00:00:00Z' },
    });
    const unknown = await put(path, { enrollment_term: { overrides: { Wizard: {} } } });
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { message: 'Invalid enrollment type in overrides' },
    ]);
    client.world.terms.change(client.world.terms.must(Number(term?.['id'])), { overrides: {} });
  });

  test('§6.1 an account’s time zone has to exist', async () => {
    const made = await post('/accounts/86/sub_accounts', { account: { name: 'HC-Zone' } });
    const path = `/accounts/${made.body['id']}`;
    const refused = await put(path, { account: { default_time_zone: 'Mars' } });
    expect(messageOf(refused.body, 'default_time_zone')).toBe("'Mars' is not a recognized time zone");
    const { body } = await put(path, { account: { default_time_zone: 'Asia/Singapore' } });
    expect(body['default_time_zone']).toBe('Asia/Singapore');
  });

  test('§3 administrators of a sub-account have no permissions for SIS data, logins and other people', async () => {
    const [person = 0] = people(client, 1);
    client.world.accountUsers.add({
      account_id: 86,
      user_id: person,
      role_id: 1,
      workflow_state: 'active',
      sis_batch_id: null,
    });
    const as = `as_user_id=${person}`;
    const [course] = (await api(`/accounts/86/courses?${as}`)).body;
    expect(course).toHaveProperty('sis_course_id');
    expect(course).not.toHaveProperty('sis_import_id');
    const user = { pseudonym: { unique_id: 'sub@school.example' } };
    const refused = await post(`/accounts/86/users?${as}`, user);
    // Without this permission, people could only register themselves, and self-registration is off.
    expect([refused.status, refused.body]).toEqual([403, {}]);
    // Such administrators see the people of their account, and no others.
    const [student] = (await api(`/accounts/86/users?${as}`)).body;
    expect((await api(`/users/${student?.['id']}?${as}`)).status).toBe(200);
    expect((await api(`/users/101?${as}`)).status).toBe(404);
    const admins = (await api(`/accounts/86/admins?user_id[]=sis_user_id:${5_000_000 + person}`)).body;
    expect(admins.map((admin) => admin['user']?.['id'])).toEqual([person]);
  });
});

describe('§6.6 people and logins', () => {
  test('§6.6 names that follow the full name change with it; setting an unknown field is forbidden', async () => {
    const made = await post('/accounts/1/users', {
      user: { name: 'Maria Alt' },
      pseudonym: { unique_id: 'maria@school.example', sis_user_id: 'HC-MARIA' },
    });
    const path = `/users/${made.body['id']}`;
    expect((await put(path, { user: { name: 'Maria Neu', time_zone: 'Europe/Paris' } })).body).toMatchObject({
      name: 'Maria Neu',
      short_name: 'Maria Neu',
      sortable_name: 'Neu, Maria',
      time_zone: 'Europe/Paris',
      email: 'maria@school.example',
      locale: null,
    });
    expect((await put(path, { user: { name: 'X', shoe_size: 42 } })).status).toBe(403);
    const { body } = await put(path, { user: { email: 'new@school.example', event: 'suspend' } });
    expect(body['email']).toBe('new@school.example');
    expect((await api(`${path}/logins`)).body[0]?.['workflow_state']).toBe('suspended');
    await put(path, { user: { event: 'unsuspend' } });
    expect((await api(`${path}/logins`)).body[0]?.['workflow_state']).toBe('active');
  });

  test('§6.6 enable_sis_reactivation restores a deleted person', async () => {
    const create = (more: object) =>
      post('/accounts/1/users', {
        user: { name: 'Ralf Return' },
        pseudonym: { unique_id: 'ralf@school.example', sis_user_id: 'HC-RALF' },
        ...more,
      });
    const { body: first } = await create({});
    const { users, pseudonyms, channels } = client.world;
    users.change(users.must(Number(first['id'])), { workflow_state: 'deleted' });
    for (const login of pseudonyms.by.user.get(Number(first['id'])))
      pseudonyms.change(login, { workflow_state: 'deleted' });
    for (const channel of channels.by.user.get(Number(first['id'])))
      channels.change(channel, { workflow_state: 'retired' });
    expect((await create({})).status).toBe(400);
    const back = await create({
      enable_sis_reactivation: true,
      user: { name: 'Ralf Return', skip_registration: true },
      communication_channel: { skip_confirmation: true },
    });
    expect(back.body).toMatchObject({ id: first['id'], login_id: 'ralf@school.example' });
    expect((await api(`/users/${first['id']}`)).body['email']).toBe('ralf@school.example');
  });

  test('§10 logins: a request that changes nothing is a 400, and an id in use gives Canvas’s message', async () => {
    const [one = 0, two = 0] = people(client, 2);
    const [login] = client.world.loginsOf(one);
    const [other] = client.world.loginsOf(two);
    const path = `/accounts/1/logins/${login?.id}`;
    const nothing = await put(path, { login: { colour: 'red' } });
    expect([nothing.status, nothing.text]).toEqual([400, 'null']);
    const sis = await put(path, { login: { sis_user_id: other?.sis_user_id } });
    expect(messageOf(sis.body, 'sis_user_id')).toBe(`SIS ID "${other?.sis_user_id}" is already in use`);
    const name = await put(path, { login: { unique_id: other?.unique_id } });
    expect(messageOf(name.body, 'unique_id')).toBe(
      'ID already in use for this account and authentication provider',
    );
    const { body } = await put(path, { login: { declared_user_type: 'staff' } });
    expect(body['declared_user_type']).toBe('staff');
  });

  test('§6.6 people can read their own logins', async () => {
    const token = await tokenOf('hugo.tan');
    expect((await api('/users/self/logins', { token })).body[0]?.['unique_id']).toContain('hugo.tan@');
    expect((await api('/users/101/logins', { token })).status).toBe(403);
  });
});

describe('§1 requests, §6.12 progress', () => {
  test('§1 a body without a content type is read as a form', async () => {
    const { id } = await newCourse(client, 'HC-Form');
    const body = new Blob(['course_section[name]=From+a+form']);
    const made = await api(`/courses/${id}/sections`, { method: 'POST', body });
    expect(made.body['name']).toBe('From a form');
  });

  test('§6.12 a progress can be read by people who can read its object', async () => {
    const { id } = await newCourse(client, 'HC-Progress');
    const category = (await post(`/courses/${id}/group_categories`, { name: 'Teams' })).body['id'];
    const { body } = await post(`/group_categories/${category}/assign_unassigned_members`);
    expect((await api(`/progress/${body['id']}`)).status).toBe(200);
    expect((await api(`/progress/${body['id']}`, { token: await tokenOf('hugo.tan') })).status).toBe(403);
  });
});
