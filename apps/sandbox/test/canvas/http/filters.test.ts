import { beforeAll, describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const ids = async (path: string) => {
  const { body } = await client.api(`${path}${path.includes('?') ? '&' : '?'}per_page=100`);
  return body.map((each) => Number(each['id']));
};

describe('§6.3 courses of an account', () => {
  let account = '';
  const made: Record<string, number> = {};

  beforeAll(async () => {
    const sub = await client.send('POST', '/api/v1/accounts/1/sub_accounts', {
      account: { name: 'Filters' },
    });
    account = `/accounts/${sub.body['id']}/courses`;
    const term = client.world.terms.add({
      name: 'Filter term',
      default_term: false,
      workflow_state: 'active',
      start_at: '2030-01-10T00:00:00Z',
      end_at: '2030-03-10T00:00:00Z',
      sis_source_id: null,
      integration_id: null,
      overrides: {},
      sis_batch_id: null,
      stuck_sis_fields: null,
    });
    for (const [name, fields] of Object.entries({
      undated: {},
      ofTerm: { term_id: term.id },
      ownDates: { term_id: term.id, start_at: '2030-02-01T00:00:00Z', end_at: '2030-02-20T00:00:00Z' },
    })) {
      const course = { name, course_code: name, ...fields };
      const { body } = await client.send('POST', `/api/v1${account}`, { course });
      made[name] = Number(body['id']);
    }
  });

  test('§6.3 available courses are published, and concluded ones are not', async () => {
    const [undated, ofTerm] = [made['undated'] as number, made['ofTerm'] as number];
    client.world.courses.change(client.world.courses.must(undated), { workflow_state: 'available' });
    client.world.courses.change(client.world.courses.must(ofTerm), { workflow_state: 'completed' });
    expect(await ids(`${account}?published=true`)).toEqual([undated]);
    expect(await ids(`${account}?published=false`)).toEqual([ofTerm, made['ownDates']]);
  });

  test('§6.3 in filters by date, the limit is inclusive, and the date is the course’s or else its term’s', async () => {
    const { undated, ofTerm, ownDates } = made;
    expect(await ids(`${account}?starts_before=2030-01-10T00:00:00Z`)).toEqual([undated, ofTerm, ownDates]);
    expect(await ids(`${account}?starts_before=2030-01-09T23:59:59Z`)).toEqual([undated]);
    expect(await ids(`${account}?ends_after=2030-03-10T00:00:00Z`)).toEqual([undated, ofTerm, ownDates]);
    expect(await ids(`${account}?ends_after=2030-03-10T00:00:01Z`)).toEqual([undated]);
  });

  test('§6.3 a teacher is found by the exact name, until they leave the course', async () => {
    const { enrollments, users } = client.world;
    const teaching = [...enrollments.values()].find(
      (e) => e.type === 'TeacherEnrollment' && e.workflow_state === 'active',
    );
    if (!teaching) throw new Error('nobody teaches');
    const name = encodeURIComponent(users.must(teaching.user_id).name);
    const search = `/accounts/1/courses?search_by=teacher&search_term=${name}`;
    expect(await ids(search)).toContain(teaching.course_id);
    const others = enrollments.by.course
      .get(teaching.course_id)
      .filter((e) => e.type === 'TeacherEnrollment' && e.user_id === teaching.user_id);
    for (const each of others) enrollments.change(each, { workflow_state: 'completed' });
    expect(await ids(search)).not.toContain(teaching.course_id);
  });
});

describe('§6.6 and §6.9 people', () => {
  test('§6.6 a type’s full name works like its short form, and several can be given', async () => {
    const byWord = await ids('/accounts/83/users?enrollment_type=teacher');
    expect(byWord.length).toBeGreaterThan(0);
    expect(await ids('/accounts/83/users?enrollment_type=TeacherEnrollment')).toEqual(byWord);
    const two = await ids('/accounts/83/users?enrollment_type[]=teacher&enrollment_type[]=student');
    expect(two.length).toBeGreaterThan(byWord.length);
    expect(await ids('/courses/1001/users?enrollment_type[]=TeacherEnrollment')).toEqual(
      await ids('/courses/1001/users?enrollment_type[]=teacher'),
    );
  });

  test('§6.6 an order without a column is ignored', async () => {
    const usual = await ids('/accounts/83/users');
    expect(await ids('/accounts/83/users?order=desc')).toEqual(usual);
    expect(await ids('/accounts/83/users?sort=username&order=desc')).not.toEqual(usual);
  });

  test('§6.9 people in a course can only be sorted in ascending order', async () => {
    const usual = await ids('/courses/1001/users');
    expect(await ids('/courses/1001/users?order=desc')).toEqual(usual);
    expect(await ids('/courses/1001/users?sort=username&order=desc')).toEqual(usual);
  });

  test('§6.6 a course’s list includes biographies, but an account’s does not', async () => {
    const [ofAccount] = (await client.api('/accounts/1/users?include[]=bio&include[]=uuid')).body;
    expect(ofAccount).toHaveProperty('uuid');
    expect(ofAccount).not.toHaveProperty('bio');
    expect((await client.api('/courses/1001/users?include[]=bio')).body[0]).toHaveProperty('bio');
  });
});

describe('§6.7 and §6.8 sections', () => {
  test('§6.7 a section includes its students with pictures, and permission to write to the calendar', async () => {
    const asked = ['students', 'avatar_url', 'permissions'].map((name) => `include[]=${name}`).join('&');
    const [section] = (await client.api(`/courses/1001/sections?${asked}`)).body;
    expect(section?.['permissions']).toEqual({ manage_calendar: true });
    const [student] = section?.['students'] ?? [];
    expect(student).toHaveProperty('avatar_url', `${client.url}/images/avatars/${student?.['id']}.svg`);
  });

  test('§6.8 empty text removes an SIS ID, and null keeps it', async () => {
    const section = client.world.sections.by.course.get(1001)[0];
    const put = (fields: object) =>
      client.send('PUT', `/api/v1/sections/${section?.id}`, { course_section: fields });
    await put({ sis_section_id: 'KEPT', integration_id: 'KEPT-I' });
    const after = await put({ name: 'Renamed', sis_section_id: null, integration_id: null });
    expect(after.body).toMatchObject({ name: 'Renamed', sis_section_id: 'KEPT', integration_id: 'KEPT-I' });
    const empty = await put({ sis_section_id: '', integration_id: '' });
    expect(empty.body).toMatchObject({ sis_section_id: null, integration_id: null });
  });
});

describe('§6.3 courses by their people', () => {
  test('§6.3 filters by by_teachers[], hide_enrollmentless_courses and blueprint', async () => {
    const { id } = await newCourse(client, 'Of a teacher');
    const empty = await newCourse(client, 'Of no one');
    const [teacher = 0] = people(client, 1);
    await enrol(client, id, teacher, 'Teacher');
    const ids = async (query: string) =>
      (await client.api(`/accounts/86/courses?per_page=100&${query}`)).body.map((one) => one['id']);
    expect(await ids(`by_teachers[]=${teacher}`)).toContain(id);
    const sis = client.world.loginsOf(teacher)[0]?.sis_user_id;
    expect(await ids(`by_teachers[]=sis_user_id:${sis}`)).toContain(id);
    expect(await ids(`by_teachers[]=${teacher}`)).not.toContain(empty.id);
    expect(await ids('search_term=Of no one')).toContain(empty.id);
    expect(await ids('search_term=Of no one&hide_enrollmentless_courses=true')).toEqual([]);
    expect(await ids('search_term=Of no one&blueprint=true')).toEqual([]);
  });

  test('§6.4 lists one’s own courses by type, role and state of the enrolment', async () => {
    const { id } = await newCourse(client, 'My own');
    const [person = 0] = people(client, 1);
    await enrol(client, id, person, 'Ta');
    const own = async (query: string) =>
      (await client.api(`/courses?as_user_id=${person}&per_page=100&${query}`)).body.map((one) => one['id']);
    expect(await own('enrollment_type=ta')).toContain(id);
    expect(await own('enrollment_type=student')).not.toContain(id);
    expect(await own('enrollment_role_id=5&enrollment_state=active')).toContain(id);
    expect(await own('enrollment_state=completed')).not.toContain(id);
  });
});

describe('§6.2 deleted terms', () => {
  test('§6.2 a deleted term is in no list, but can be read by its id', async () => {
    const terms = [...client.world.terms.values()];
    const [gone] = terms.filter((one) => !one.default_term).slice(-1);
    if (!gone) throw new Error('no term');
    const before = gone.workflow_state;
    client.world.terms.change(gone, { workflow_state: 'deleted' });
    expect((await client.api(`/accounts/1/terms/${gone.id}`)).body).toMatchObject({
      id: gone.id,
      workflow_state: 'deleted',
    });
    expect((await client.api('/accounts/1/terms/999999')).status).toBe(404);
    client.world.terms.change(gone, { workflow_state: before });
  });
});
