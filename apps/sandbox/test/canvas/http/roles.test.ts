import { beforeAll, describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const { api, send } = client;

const ROLES = ['Teacher', 'Ta', 'Designer', 'Student', 'Observer'] as const;
type Role = (typeof ROLES)[number];
const who: Record<Role, number> = { Teacher: 0, Ta: 0, Designer: 0, Student: 0, Observer: 0 };
let course = { id: 0, first: 0, second: 0 };
let stranger = 0;

beforeAll(async () => {
  course = await newCourse(client, 'Roles');
  const [first = 0, ...ids] = people(client, ROLES.length + 1);
  stranger = first;
  for (const [at, role] of ROLES.entries()) {
    who[role] = ids[at] ?? 0;
    await enrol(client, course.id, who[role], role);
  }
});

const as = (role: Role, path: string) =>
  api(`${path}${path.includes('?') ? '&' : '?'}as_user_id=${who[role]}`);
const statuses = async (ask: (role: Role) => Promise<{ status: number }>) => {
  const answers = await Promise.all(ROLES.map(ask));
  return Object.fromEntries(ROLES.map((role, at) => [role, answers[at]?.status]));
};

describe('§16 who can see the people in a course', () => {
  test('§16 everyone except observers can see the list', async () => {
    expect(await statuses((role) => as(role, `/courses/${course.id}/users`))).toEqual({
      Teacher: 200,
      Ta: 200,
      Designer: 200,
      Student: 200,
      Observer: 403,
    });
  });

  test('§16 teachers see ids, logins and addresses; designers also see activity', async () => {
    const keysOf = async (role: Role) => {
      const list = `/courses/${course.id}/users?include[]=enrollments&user_ids[]=${who.Student}`;
      const [user] = (await as(role, list)).body;
      const [enrollment] = (user?.['enrollments'] ?? []) as Record<string, unknown>[];
      const has = (key: string) => key in (user ?? {});
      return {
        sis: has('sis_user_id'),
        login: has('login_id'),
        email: has('email'),
        activity: 'last_activity_at' in (enrollment ?? {}),
      };
    };
    expect(await keysOf('Teacher')).toEqual({ sis: true, login: true, email: true, activity: true });
    expect(await keysOf('Ta')).toEqual({ sis: true, login: true, email: true, activity: true });
    expect(await keysOf('Designer')).toEqual({ sis: false, login: false, email: false, activity: true });
    // Students see their own activity.
    expect(await keysOf('Student')).toEqual({ sis: false, login: false, email: false, activity: true });
  });
});

describe('§3 permissions of people in a course', () => {
  test('§6.8 teachers and designers can change sections; TAs cannot', async () => {
    const put = (role: Role) =>
      send('PUT', `/api/v1/sections/${course.second}?as_user_id=${who[role]}`, {
        course_section: { name: `By ${role}` },
      });
    expect(await statuses(put)).toEqual({
      Teacher: 200,
      Ta: 403,
      Designer: 200,
      Student: 403,
      Observer: 403,
    });
  });

  test('§15.3 everyone who works on the course can create categories', async () => {
    const post = (role: Role) =>
      send('POST', `/api/v1/courses/${course.id}/group_categories?as_user_id=${who[role]}`, {
        name: `Of ${role}`,
      });
    expect(await statuses(post)).toMatchObject({ Teacher: 200, Ta: 200, Designer: 200, Student: 403 });
  });

  test('§16 everyone who works on the course can enrol students, but only teachers can enrol teachers', async () => {
    const post = (role: Role, type: string) =>
      send('POST', `/api/v1/courses/${course.id}/enrollments?as_user_id=${who[role]}`, {
        enrollment: { user_id: stranger, type },
      });
    const students = await statuses((role) => post(role, 'StudentEnrollment'));
    expect(students).toMatchObject({ Teacher: 200, Ta: 200, Designer: 200, Student: 403 });
    const teachers = await statuses((role) => post(role, 'TeacherEnrollment'));
    expect(teachers).toMatchObject({ Teacher: 200, Ta: 403, Designer: 403, Student: 403 });
  });

  test('§14.3 a concluded teacher can still read the list, but cannot change anything', async () => {
    const { id } = await newCourse(client, 'Concluded', { workflow_state: 'completed' });
    const { enrollments } = client.world;
    const like = [...enrollments.by.user.get(who.Teacher)].find((e) => e.course_id === course.id);
    if (!like) throw new Error('no teacher');
    const section = client.world.defaultSection(client.world.courses.must(id)).id;
    enrollments.add({ ...like, course_id: id, course_section_id: section, workflow_state: 'completed' });
    expect((await as('Teacher', `/courses/${id}/users?enrollment_state[]=completed`)).body).toHaveLength(1);
    const name = { name: 'Late' };
    const path = `/api/v1/courses/${id}/group_categories?as_user_id=${who.Teacher}`;
    expect((await send('POST', path, name)).status).toBe(403);
  });

  test('§16 people limited to sections see only the people in those sections', async () => {
    const { id, first, second } = await newCourse(client, 'Limited');
    const [, one = 0, two = 0, teacher = 0] = people(client, 4);
    await enrol(client, id, one, 'Student', { course_section_id: first });
    await enrol(client, id, two, 'Student', { course_section_id: second });
    const limited = { course_section_id: first, limit_privileges_to_course_section: true };
    await enrol(client, id, teacher, 'Teacher', limited);
    const idsOf = async (path: string, name: string) =>
      (await api(`/courses/${id}/${path}&as_user_id=${teacher}`)).body.map((each) => Number(each[name]));
    expect(new Set(await idsOf('users?x', 'id'))).toEqual(new Set([one, teacher]));
    expect(new Set(await idsOf('enrollments?x', 'user_id'))).toEqual(new Set([one, teacher]));
    await enrol(client, id, teacher, 'Teacher', { course_section_id: second });
    expect(await idsOf('users?x', 'id')).toHaveLength(3);
  });
});
