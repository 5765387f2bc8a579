import { beforeAll, describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const { api, send } = client;

let course = { id: 0, first: 0, second: 0 };
let [teacher, student, other, observer] = [0, 0, 0, 0];

beforeAll(async () => {
  course = await newCourse(client, 'Enrolments');
  [teacher = 0, student = 0, other = 0, observer = 0] = people(client, 4);
  await enrol(client, course.id, teacher, 'Teacher');
  await enrol(client, course.id, student, 'Student', { course_section_id: course.first });
  await enrol(client, course.id, other, 'Student', { enrollment_state: 'inactive' });
  await enrol(client, course.id, observer, 'Observer', { associated_user_id: student });
});

const usersIn = async (query: string) =>
  (await api(`/courses/${course.id}/enrollments?per_page=100&${query}`)).body.map((one) =>
    Number(one['user_id']),
  );

describe('§16 lists of enrolments', () => {
  test('§16 people who work on the course also see inactive enrolments if the request names no state', async () => {
    expect(new Set(await usersIn(''))).toEqual(new Set([teacher, student, other, observer]));
    expect(await usersIn(`as_user_id=${teacher}`)).toContain(other);
    expect(await usersIn(`as_user_id=${student}`)).not.toContain(other);
    expect(await usersIn('state[]=active')).not.toContain(other);
    expect(await usersIn('state[]=current_and_concluded')).toEqual([]);
  });

  test('§16 an observer sees their own enrolment and the student’s', async () => {
    expect(new Set(await usersIn(`as_user_id=${observer}`))).toEqual(new Set([student, observer]));
  });

  test('§16 user_id selects one person, or only oneself without permission to see the list; an unknown one is a 404', async () => {
    expect(await usersIn(`user_id=${student}`)).toEqual([student]);
    expect(await usersIn(`user_id=self&as_user_id=${observer}`)).toEqual([observer]);
    const path = `/courses/${course.id}/enrollments`;
    expect((await api(`${path}?user_id=9999999`)).status).toBe(404);
    expect((await api(`${path}?user_id=${student}&as_user_id=101`)).status).toBe(200);
    const { body, status } = await api(`${path}?as_user_id=108`);
    expect([status, body['status']]).toEqual([403, 'unauthorized']);
  });

  test('§16 a role overrides the type; an unknown role is rejected', async () => {
    expect(await usersIn('role[]=TeacherEnrollment&type[]=StudentEnrollment')).toEqual([teacher]);
    expect(await usersIn('role_id[]=4&role[]=StudentEnrollment')).toEqual([teacher]);
    const refused = await api(`/courses/${course.id}/enrollments?role[]=NoSuchRole`);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ errors: [{ message: 'An error occurred.', error_code: 'bad_request' }] });
  });

  test('§16 filters by SIS ID need permission to see SIS IDs', async () => {
    const login = client.world.loginsOf(student)[0];
    expect(await usersIn(`sis_user_id[]=${login?.sis_user_id}`)).toEqual([student]);
    expect(await usersIn(`sis_user_id[]=${login?.sis_user_id}&created_for_sis_id=true`)).toEqual([]);
    const path = `/courses/${course.id}/enrollments?sis_section_id[]=X&as_user_id=${student}`;
    const refused = await api(path);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ message: 'Insufficient permissions to filter by SIS fields' });
  });

  test('§16 one’s own enrolments: special values stand for several states, and nothing else is accepted', async () => {
    const own = (query: string) => api(`/users/self/enrollments?as_user_id=${student}&${query}`);
    expect((await own('state[]=current_and_concluded')).status).toBe(200);
    const refused = await own('state[]=asleep');
    expect([refused.status, refused.body]).toEqual([400, { error: 'Invalid state asleep' }]);
    const term = client.world.courses.must(course.id).enrollment_term_id;
    const inTerm = (await own(`enrollment_term_id=${term}`)).body;
    expect(inTerm.map((one) => one['course_id'])).toContain(course.id);
    expect((await own('enrollment_term_id=sis_term_id:NONE')).status).toBe(404);
  });
});

describe('§16 enrolling', () => {
  const post = (enrollment: object, place = `courses/${course.id}`) =>
    send('POST', `/api/v1/${place}/enrollments`, { enrollment });
  const messageOf = async (enrollment: object, place?: string) => {
    const { status, body } = await post(enrollment, place);
    return [status, body['message']];
  };
  const NO_USER =
    "Can't create an enrollment without a user. Include enrollment[user_id] to create an enrollment";

  test('§16 all errors are reported at once, in Canvas’s words', async () => {
    expect(await messageOf({})).toEqual([400, 'No parameters given']);
    expect(await messageOf({ type: 'StudentEnrollment' })).toEqual([400, NO_USER]);
    expect(await messageOf({ type: 'Guest' })).toEqual([400, `Invalid type, ${NO_USER}`]);
    expect(await messageOf({ user_id: student, role: 'Guest' })).toEqual([400, 'Invalid role']);
    expect(await messageOf({ user_id: student, role_id: 4, type: 'TaEnrollment' })).toEqual([
      400,
      'The specified type must match the base type for the role',
    ]);
    const [inactive] = (await api('/accounts/1/roles?state[]=inactive')).body;
    const role = client.world.roles.must(Number(inactive?.['id']));
    client.world.roles.change(role, { base_role_type: 'StudentEnrollment' });
    expect(await messageOf({ user_id: student, role_id: role.id })).toEqual([
      400,
      'Cannot create an enrollment with this role because it is inactive.',
    ]);
    expect((await post({ user_id: 9_999_999 })).status).toBe(404);
    expect((await post({ user_id: student, course_section_id: 9_999_999 })).status).toBe(404);
  });

  test('§16 a person enrolled through the path of a section is in that section, and invited by default', async () => {
    const made = await post({ user_id: other, type: 'TaEnrollment' }, `sections/${course.second}`);
    expect(made.body).toMatchObject({
      course_id: course.id,
      course_section_id: course.second,
      type: 'TaEnrollment',
      enrollment_state: 'invited',
    });
    expect(made.body).not.toHaveProperty('user');
  });

  test('§16 no one can be enrolled in a concluded course', async () => {
    const { id } = await newCourse(client, 'Over', { workflow_state: 'completed' });
    expect(await messageOf({ user_id: student }, `courses/${id}`)).toEqual([
      400,
      "Can't add an enrollment to a concluded course.",
    ]);
  });

  test('§16 only the invited person can accept or reject an invitation', async () => {
    const { id } = await newCourse(client, 'Invitations');
    const invited = await enrol(client, id, student, 'Student', { enrollment_state: 'invited' });
    const path = `/courses/${id}/enrollments/${invited['id']}`;
    const answer = (word: string, as = student) =>
      api(`${path}/${word}?as_user_id=${as}`, { method: 'POST' });
    expect((await answer('accept', other)).status).toBe(403);
    expect((await answer('reject')).body).toEqual({ success: true });
    expect((await api(`/accounts/1/enrollments/${invited['id']}`)).body['enrollment_state']).toBe('rejected');
    expect((await answer('accept')).body).toEqual({ success: true });
    const late = await answer('reject');
    expect([late.status, late.body]).toEqual([400, { error: 'no current invitation' }]);
  });

  test('§16 only inactive enrolments can be reactivated', async () => {
    const { id } = await newCourse(client, 'Again');
    const made = await enrol(client, id, student, 'Student');
    const path = `/courses/${id}/enrollments/${made['id']}`;
    const refused = await api(`${path}/reactivate`, { method: 'PUT' });
    expect([refused.status, refused.body]).toEqual([400, { error: 'enrollment not inactive' }]);
    await api(`${path}?task=deactivate`, { method: 'DELETE' });
    const again = await api(`${path}/reactivate`, { method: 'PUT' });
    expect(again.body['enrollment_state']).toBe('active');
  });

  test('§16 a teacher can remove students, but not themselves', async () => {
    const remove = (id: unknown) =>
      api(`/courses/${course.id}/enrollments/${id}?task=delete&as_user_id=${teacher}`, { method: 'DELETE' });
    const [own] = (await api(`/courses/${course.id}/enrollments?user_id=${teacher}`)).body;
    expect((await remove(own?.['id'])).status).toBe(403);
    const guest = await enrol(client, course.id, other, 'Student', { course_section_id: course.second });
    expect((await remove(guest['id'])).body['enrollment_state']).toBe('deleted');
    expect((await remove(guest['id'])).status).toBe(404);
  });
});
