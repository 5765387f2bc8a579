/**
 * A person's own courses and enrolments, enrolling by hand, and the people in a course (reference §6.9, §16).
 */
import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { type Json, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const ids = (body: Json, name = 'id') => body.map((one) => one[name]);

/** A person without enrolments. */
let taken = 0;
async function newcomer(): Promise<number> {
  taken += 1;
  const made = await post('/accounts/1/users', {
    user: { name: `Newcomer ${taken}` },
    pseudonym: { unique_id: `newcomer.${taken}@school.example` },
  });
  return Number(made.body['id']);
}

/** Creates an unpublished course. */
async function draft(name: string): Promise<number> {
  return Number((await post('/accounts/86/courses', { course: { name } })).body['id']);
}

describe('§16 enrolling by hand', () => {
  test('§16 students of an unpublished course are invited once it is published', async () => {
    const course = await draft('OT-Draft');
    const [student, teacher] = [await newcomer(), await newcomer()];
    const invite = async (user_id: number, type: string) =>
      (await post(`/courses/${course}/enrollments`, { enrollment: { user_id, type } })).body[
        'enrollment_state'
      ];
    expect(await invite(student, 'StudentEnrollment')).toBe('creation_pending');
    expect(await invite(teacher, 'TeacherEnrollment')).toBe('invited');
    expect(new Set(ids((await api(`/courses/${course}/users`)).body))).toEqual(new Set([student, teacher]));
    await put(`/courses/${course}`, { course: { event: 'offer' } });
    const { body } = await api(`/courses/${course}/enrollments?user_id=${student}`);
    expect(body[0]?.['enrollment_state']).toBe('invited');
  });

  test('§16 a person who is already active is not invited again', async () => {
    const { id } = await newCourse(client, 'OT-Again');
    const student = await newcomer();
    await enrol(client, id, student, 'Student');
    const again = await post(`/courses/${id}/enrollments`, { enrollment: { user_id: student } });
    expect(again.body['enrollment_state']).toBe('active');
    expect((await api(`/courses/${id}/enrollments`)).body).toHaveLength(1);
  });

  test('§16 a course does not recognise a person without a login, who is a 404', async () => {
    const { id } = await newCourse(client, 'OT-Login');
    const student = await newcomer();
    for (const login of client.world.loginsOf(student))
      client.world.pseudonyms.change(login, { workflow_state: 'deleted' });
    const refused = await post(`/courses/${id}/enrollments`, { enrollment: { user_id: student } });
    expect(refused.status).toBe(404);
  });

  test('§16 bulk_enrollment checks the role and the number of enrolments before it starts', async () => {
    const { id } = await newCourse(client, 'OT-Bulk');
    const bulk = async (more: object) => {
      const { status, body } = await post('/accounts/86/bulk_enrollment', {
        user_ids: [1500],
        course_ids: [id],
        ...more,
      });
      return [status, body['errors']];
    };
    expect(await bulk({ enrollment_role_id: 1 })).toEqual([400, 'Invalid role']);
    expect(await bulk({ enrollment_type: 'Wizard' })).toEqual([400, 'Invalid enrollment type.']);
    expect(await bulk({ enrollment_role_id: 4, enrollment_type: 'StudentEnrollment' })).toEqual([
      400,
      'The specified type must match the base type for the role',
    ]);
    const many = Array.from({ length: 501 }, (_, at) => at + 1);
    expect(await bulk({ user_ids: many })).toEqual([400, 'Too many users to enroll at once.']);
  });

  test('§16 an enrolment addressed by its number belongs to the root account', async () => {
    const { id } = await newCourse(client, 'OT-One');
    const enrollment = await enrol(client, id, await newcomer(), 'Student');
    expect((await api(`/accounts/1/enrollments/${enrollment['id']}`)).status).toBe(200);
    expect((await api(`/accounts/86/enrollments/${enrollment['id']}`)).status).toBe(404);
  });
});

describe('§16 a person’s own lists', () => {
  test('§16 students do not find unpublished courses, but teachers do; the list is sorted by name and has a total', async () => {
    const [student, teacher] = [await newcomer(), await newcomer()];
    const courses = [(await newCourse(client, 'OT zebra')).id, await draft('OT apple')];
    for (const course of courses) {
      await enrol(client, course, student, 'Student');
      await enrol(client, course, teacher, 'Teacher');
    }
    const list = async (path: string) => {
      const { body } = await api(path);
      return body.map((one) => one['name']);
    };
    expect(await list(`/users/${teacher}/courses`)).toEqual(['OT apple', 'OT zebra']);
    expect(await list(`/users/${student}/courses`)).toEqual(['OT zebra']);
    expect(await list(`/users/${teacher}/courses?state[]=unpublished`)).toEqual(['OT apple']);
    expect(await list(`/users/${student}/courses?state[]=unpublished`)).toEqual([]);
    expect((await api(`/users/${teacher}/courses?per_page=1`)).headers.get('link')).toContain('rel="last"');
    const own = async (query: string) =>
      ids((await api(`/users/self/enrollments?as_user_id=${student}${query}`)).body, 'course_id');
    expect(await own('')).toEqual([courses[0]]);
    expect(new Set(await own('&state[]=current_and_future'))).toEqual(new Set(courses));
    expect(new Set(await own('&state[]=current_future_and_restricted'))).toEqual(new Set(courses));
    // Administrators see all courses, whatever their state.
    expect((await api(`/users/${student}/enrollments`)).body).toHaveLength(2);
  });

  test('§16 one’s own enrolment is not current once its dates are over', async () => {
    const student = await newcomer();
    const { id } = await newCourse(client, 'OT-Over');
    const dates = { start_at: '2001-01-01T00:00:00Z', end_at: '2001-06-01T00:00:00Z' };
    await enrol(client, id, student, 'Student', dates);
    const count = async (path: string) => (await api(`${path}as_user_id=${student}`)).body.length;
    expect(await count('/users/self/enrollments?')).toBe(0);
    expect(await count('/users/self/enrollments?state[]=current_and_concluded&')).toBe(1);
    // The list of courses ignores dates, unless the request asks otherwise.
    expect(await count('/courses?')).toBe(1);
    expect(await count('/courses?enrollment_state=active&')).toBe(0);
    expect(await count('/courses?enrollment_state=completed&')).toBe(1);
  });

  test('§16 other people’s courses are open to their observers and to administrators', async () => {
    const [student, parent, stranger] = [await newcomer(), await newcomer(), await newcomer()];
    await put(`/users/${parent}/observees/${student}`, {});
    const status = async (who: number) => (await api(`/users/${student}/courses?as_user_id=${who}`)).status;
    expect([await status(parent), await status(stranger)]).toEqual([200, 403]);
  });
});

describe('§6.9 the people in a course', () => {
  test('§6.9 limit is the old name of per_page; user_uuids[] filters by uuid; include_inactive is for people who work on the course', async () => {
    const { id } = await newCourse(client, 'OT-People');
    const [one, two] = [await newcomer(), await newcomer()];
    await enrol(client, id, one, 'Student');
    await enrol(client, id, two, 'Student', { enrollment_state: 'inactive' });
    const list = async (query: string) => ids((await api(`/courses/${id}/users${query}`)).body);
    expect(await list('')).toEqual([one]);
    expect(new Set(await list('?include_inactive=true'))).toEqual(new Set([one, two]));
    expect(await list(`?include_inactive=true&as_user_id=${one}`)).toEqual([one]);
    expect(await list('?include_inactive=true&limit=1')).toHaveLength(1);
    const uuid = (await api(`/courses/${id}/users?include[]=uuid`)).body[0]?.['uuid'];
    expect(await list(`?include_inactive=1&user_uuids[]=${uuid}`)).toEqual([one]);
  });

  test('§6.9 a single person is found only with a current enrolment, and their address is shown only on request', async () => {
    const { id } = await newCourse(client, 'OT-Single');
    const student = await newcomer();
    await enrol(client, id, student, 'Student');
    const path = `/courses/${id}/users/${student}`;
    expect((await api(path)).body).not.toHaveProperty('email');
    expect((await api(`${path}?include[]=email`)).body['email']).toContain('@school.example');
    const [enrollment] = client.world.enrollments.by.user.get(student);
    if (!enrollment) throw new Error('no enrolment');
    client.world.enrollments.change(enrollment, { workflow_state: 'inactive' });
    expect((await api(path)).status).toBe(404);
    expect((await api(`${path}?include[]=inactive_enrollments`)).status).toBe(200);
    client.world.enrollments.change(enrollment, { workflow_state: 'completed' });
    expect((await api(path)).status).toBe(404);
  });

  test('§16 login and address stay hidden until a person has accepted an invitation, whatever its state now', async () => {
    const { id, first, second } = await newCourse(client, 'OT-Invited');
    const student = await newcomer();
    await enrol(client, id, student, 'Student', { enrollment_state: 'invited', course_section_id: first });
    const shown = async (query: string) => (await api(`/courses/${id}/users${query}`)).body[0] ?? {};
    expect(await shown('')).not.toHaveProperty('login_id');
    await enrol(client, id, student, 'Student', { enrollment_state: 'completed', course_section_id: second });
    expect(await shown('')).toHaveProperty('login_id');
    // If enrolments are included, only those that are shown count.
    expect(await shown('?include[]=enrollments')).not.toHaveProperty('login_id');
  });

  test('§16 observed_users shows whom an observer observes', async () => {
    const { id } = await newCourse(client, 'OT-Observed');
    const [student, parent] = [await newcomer(), await newcomer()];
    await enrol(client, id, student, 'Student');
    await enrol(client, id, parent, 'Observer', { associated_user_id: student });
    const { body } = await api(
      `/courses/${id}/enrollments?type[]=ObserverEnrollment&include[]=observed_users`,
    );
    expect(body[0]?.['observed_user']).toMatchObject({ id: student, enrollments: [{ user_id: student }] });
  });
});

test('§6.7 all lists every section, whatever its value; override_sis_stickiness=false leaves a section unchanged', async () => {
  const { id, first } = await newCourse(client, 'OT-Sections');
  const other = await newCourse(client, 'OT-Target');
  const count = async (query: string) =>
    (await api(`/courses/${id}/sections?per_page=1${query}`)).body.length;
  expect([await count(''), await count('&all='), await count('&all=false')]).toEqual([1, 1, 2]);
  const kept = await post(`/sections/${first}/crosslist/${other.id}`, { override_sis_stickiness: false });
  expect(kept.body).toMatchObject({ course_id: id, nonxlist_course_id: null });
  expect((await post(`/sections/${first}/crosslist/${other.id}`)).body['course_id']).toBe(other.id);
  const path = `/api/v1/sections/${first}/crosslist?override_sis_stickiness=0`;
  expect((await client.ask(path, { method: 'DELETE' })).body['course_id']).toBe(other.id);
  expect(people(client, 1)).toHaveLength(1);
});
