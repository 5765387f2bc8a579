/** Edge cases of requests: invalid pages, empty and unexpected parameters. */
import { expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { type Answer, links, useSandbox } from './client.ts';

const client = useSandbox();
const rels = (answer: Answer) => links(answer).map(([rel]) => rel);
const ids = (answer: Answer) => answer.body.map((each) => Number(each['id']));

test('§4 an invalid page number is a 404 with its own text; a page past the end is valid', async () => {
  for (const page of ['0', '-1', 'abc', ''])
    for (const path of ['/accounts/1/terms', '/accounts/1/courses', '/accounts/1/sub_accounts']) {
      const answer = await client.api(`${path}?page=${page}`);
      expect([path, page, answer.status]).toEqual([path, page, 404]);
      expect(answer.body).toEqual({ errors: [{ message: 'An error occurred.', error_code: 'not_found' }] });
    }
  const past = await client.api('/accounts/1/roles?page=99999999999999999999&per_page=5');
  expect([past.status, past.body]).toEqual([200, []]);
  for (const [, url] of links(past)) expect(url).toMatch(/&?page=\d+&per_page=5$/);
});

test('§4 per_page is at least 1 and at most 100, whatever is sent', async () => {
  for (const [given, used] of [
    ['0', 1],
    ['-1', 1],
    ['abc', 1],
    ['', 1],
    ['5.7', 5],
    ['101', 100],
  ] as const) {
    const answer = await client.api(`/accounts/1/courses?per_page=${given}`);
    expect([given, answer.body.length]).toEqual([given, used]);
    expect(links(answer)[0]?.[1]).toContain(`&per_page=${used}`.slice(1));
  }
});

test('§4 in a recursive list of sub-accounts, a full last page is recognised as the last one', async () => {
  const all = await client.api('/accounts/1/sub_accounts?recursive=1&per_page=100');
  const one = await client.api(`/accounts/1/sub_accounts?recursive=1&per_page=${all.body.length}`);
  expect(one.body).toHaveLength(all.body.length);
  expect(rels(one)).toEqual(['current', 'first', 'last']);
});

test('§4 if there are too many links, everything after the first one that does not fit is left out', async () => {
  // Three addresses of this length fill exactly 6 KB.
  const base = `${client.url}/api/v1/accounts/1/terms?junk=`;
  const rest = '&page=3&per_page=5'.length;
  const junk = (length: number) => 'x'.repeat(length - base.length - rest);
  const of = (length: number) => client.api(`/accounts/1/terms?per_page=5&page=2&junk=${junk(length)}`);
  expect(rels(await of(2048))).toEqual(['next', 'prev', 'last']);
  expect(rels(await of(2049))).toEqual(['next', 'last']);
});

test('§6.6 spaces in a search term count, and the term must be text', async () => {
  const status = async (query: string) => (await client.api(`/accounts/1/users?${query}`)).status;
  expect(await status('search_term=%20a')).toBe(200);
  expect(await status('search_term=%20%20')).toBe(200);
  expect(await status('search_term=a')).toBe(400);
  expect(await status('search_term[]=alma')).toBe(400);
  const spaced = await client.api('/accounts/1/users?search_term=alma%20re');
  expect(ids(spaced)).toEqual([101]);
  expect((await client.api('/accounts/1/users?search_term=%20alma%20re')).body).toEqual([]);
});

test('§6.3 a course is completed by its state, by its own end, or by the term’s end if it has none', async () => {
  const course = await newCourse(client, 'Over early', { conclude_at: '2020-01-01T00:00:00Z' });
  const { courses, terms } = client.world;
  const listed = async (query: string) =>
    ids(await client.api(`/accounts/86/courses?per_page=100&search_term=Over%20early&${query}`));
  expect(await listed('completed=true')).toEqual([course.id]);
  expect(await listed('completed=false')).toEqual([]);
  // Returns whether the course is concluded. Its dates conclude it only if they restrict its people.
  const concluded = async () =>
    (await client.api(`/courses/${course.id}?include[]=concluded`)).body['concluded'];
  expect(await concluded()).toBe(false);
  courses.change(courses.must(course.id), { restrict_enrollments_to_course_dates: true });
  expect(await concluded()).toBe(true);
  // A past term ends a course only if the course has no end of its own.
  const past = [...terms.values()].find(({ end_at }) => end_at !== null && end_at < client.world.now());
  courses.change(courses.must(course.id), {
    conclude_at: '2999-01-01T00:00:00Z',
    enrollment_term_id: past?.id ?? 0,
  });
  expect(await listed('completed=true')).toEqual([]);
  expect(await listed('completed=false')).toEqual([course.id]);
  expect(await concluded()).toBe(false);
  courses.change(courses.must(course.id), { conclude_at: null });
  expect(await listed('completed=true')).toEqual([course.id]);
});

test('§6.3 some filters work only as lists, and an empty term is not valid', async () => {
  const total = async (query: string) => rels(await client.api(`/accounts/1/courses?per_page=100&${query}`));
  expect(await total('enrollment_type[]=nobody')).not.toContain('next');
  expect(await total('enrollment_type=nobody')).toContain('next');
  expect(await total('by_teachers=0')).toContain('next');
  expect(await total('by_subaccounts=0')).toContain('next');
  expect((await client.api('/accounts/1/courses?enrollment_term_id=')).status).toBe(404);
  expect((await client.api('/accounts/1/courses?public=true')).body).toEqual([]);
  expect((await client.api('/accounts/1/courses?homeroom=true')).body).toEqual([]);
});

test('§16 empty enrolment filters are ignored; user_ids can be separated by commas', async () => {
  const { id } = await newCourse(client, 'Filters');
  const [one = 0, two = 0] = people(client, 2);
  for (const person of [one, two]) await enrol(client, id, person, 'Student');
  for (const name of ['sis_section_id', 'sis_user_id', 'sis_course_id', 'sis_account_id'])
    expect((await client.api(`/courses/${id}/enrollments?${name}=`)).body, name).toHaveLength(2);
  const both = await client.api(`/courses/${id}/users?user_ids=${one},${two}`);
  expect(new Set(ids(both))).toEqual(new Set([one, two]));
});

test('§6.8 a section without a name gets the day’s date as its name; the end cannot be before the start', async () => {
  const { id, first } = await newCourse(client, 'Sections');
  const path = `/api/v1/courses/${id}/sections`;
  const made = await client.send('POST', path, { course_section: { start_at: null } });
  expect(made.body['name']).toBe(`Sections ${client.world.now().slice(0, 10)}`);
  const dates = { start_at: '2026-12-02T00:00:00Z', end_at: '2026-12-01T00:00:00Z' };
  const refusal = 'End date cannot be before start date';
  const wrong = (attribute: string) => ({
    errors: { [attribute]: [{ attribute, type: refusal, message: refusal }] },
  });
  for (const [method, at] of [
    ['POST', path],
    ['PUT', `/api/v1/sections/${first}`],
  ] as const) {
    const answer = await client.send(method, at, { course_section: dates });
    expect([answer.status, answer.body]).toEqual([400, wrong('end_at')]);
  }
  const course = await client.send('PUT', `/api/v1/courses/${id}`, {
    course: { restrict_enrollments_to_course_dates: true, ...dates },
  });
  expect([course.status, course.body]).toEqual([400, wrong('conclude_at')]);
  const added = await client.send('POST', '/api/v1/accounts/86/courses', {
    course: { name: 'Never', restrict_enrollments_to_course_dates: true, ...dates },
  });
  expect([added.status, added.body]).toEqual([400, wrong('conclude_at')]);
});

test('§6.8 a section can be deleted if all its people have declined', async () => {
  const { id, first } = await newCourse(client, 'Refused');
  const [person = 0] = people(client, 1);
  const enrollment = await enrol(client, id, person, 'Student', { course_section_id: first });
  expect((await client.api(`/sections/${first}`, { method: 'DELETE' })).status).toBe(400);
  const { enrollments } = client.world;
  enrollments.change(enrollments.must(Number(enrollment['id'])), { workflow_state: 'rejected' });
  expect((await client.api(`/sections/${first}`, { method: 'DELETE' })).status).toBe(200);
});

test('§6.10 includes[] adds fields to categories; a group deleted by hand loses its members permanently', async () => {
  const { id } = await newCourse(client, 'Groups');
  const [person = 0] = people(client, 1);
  await enrol(client, id, person, 'Student');
  const made = await client.send('POST', `/api/v1/courses/${id}/group_categories`, {
    name: 'Teams',
    create_group_count: 2,
  });
  const category = Number(made.body['id']);
  const list = `/courses/${id}/group_categories`;
  expect((await client.api(list)).body[0]).not.toHaveProperty('groups_count');
  expect((await client.api(`${list}?include[]=groups_count`)).body[0]).not.toHaveProperty('groups_count');
  const asked = ['groups_count', 'unassigned_users_count', 'groups'].map((name) => `includes[]=${name}`);
  expect((await client.api(`${list}?${asked.join('&')}`)).body[0]).toMatchObject({
    groups_count: 2,
    unassigned_users_count: 1,
    groups: [{ name: 'Team 1' }, { name: 'Team 2' }],
  });
  const [group = 0] = ids(await client.api(`/group_categories/${category}/groups`));
  const nobody = await client.send('POST', `/api/v1/groups/${group}/memberships`, {});
  expect(nobody.status).toBe(404);
  await client.send('POST', `/api/v1/groups/${group}/memberships`, { user_id: person });
  const included = await client.api(`/groups/${group}?include[]=group_category`);
  expect(included.body['group_category']).toMatchObject({ id: category });
  await client.api(`/groups/${group}`, { method: 'DELETE' });
  const [membership] = client.world.groupMemberships.by.group.get(group);
  expect(membership?.workflow_state).toBe('deleted');
});
