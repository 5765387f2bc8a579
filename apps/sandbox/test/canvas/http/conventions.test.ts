import { describe, expect, test } from 'vitest';
import { type Answer, form, links, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const rels = (answer: Answer) => links(answer).map(([rel]) => rel);

describe('§1 conventions', () => {
  test('§1 ids in paths can be SIS IDs (plain, percent-encoded or hexadecimal) or words such as self', async () => {
    const plain = await client.api('/courses/sis_course_id:MBA25-FBL-FIN101-A');
    expect(plain.body['id']).toBe(1001);
    const encoded = await client.api('/courses/sis_course_id%3AMBA25%2DFBL%2DFIN101%2DA');
    expect(encoded.body['id']).toBe(1001);
    const hex = Buffer.from('MBA25-FBL-FIN101-A').toString('hex');
    expect((await client.api(`/courses/hex:sis_course_id:${hex}`)).body['id']).toBe(1001);
    expect((await client.api('/accounts/self')).body['id']).toBe(1);
    expect((await client.api('/accounts/default')).body['id']).toBe(1);
    expect((await client.api('/accounts/1/terms/default')).body['name']).toBe('Default Term');
  });

  test('§1 the current term is the only one that includes the present, even if it has no end', async () => {
    const { terms } = client.world;
    const dated = [...terms.values()].filter((term) => term.start_at !== null || term.end_at !== null);
    const seeded = dated.map((term) => [term, { start_at: term.start_at, end_at: term.end_at }] as const);
    for (const term of dated) terms.change(term, { end_at: '1999-12-31T00:00:00Z' });
    const [one, other] = dated;
    if (!one || !other) throw new Error('no terms');
    terms.change(one, { start_at: '2000-01-01T00:00:00Z', end_at: null });
    expect((await client.api('/accounts/1/terms/current')).body['id']).toBe(one.id);
    terms.change(other, { start_at: null, end_at: '2999-01-01T00:00:00Z' });
    expect((await client.api('/accounts/1/terms/current')).status).toBe(404);
    for (const [term, dates] of seeded) terms.change(term, dates);
  });

  test('§1 an SIS ID in a path can contain a slash and a dot', async () => {
    const course = client.world.courses.must(1010);
    client.world.courses.change(course, { sis_source_id: 'A/B.json' });
    expect((await client.api('/courses/sis_course_id:A%2FB%2Ejson')).body['id']).toBe(1010);
  });

  test('§1 sis_login_id ignores case, but sis_user_id does not', async () => {
    expect((await client.api('/users/sis_login_id:ALMA.Reyes@northbridge.example')).body['id']).toBe(101);
    expect((await client.api('/users/sis_user_id:9000101')).body['id']).toBe(101);
    const course = await client.api('/courses/sis_course_id:mba25-fbl-fin101-a');
    expect(course.status).toBe(404);
  });

  test('§1 an invalid id is not found', async () => {
    for (const id of [
      'abc',
      'sis_course_id:',
      'sis_user_id:9000101',
      'hex:sis_course_id:4',
      '-1',
      '1'.repeat(20),
    ]) {
      const answer = await client.api(`/courses/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ errors: [{ message: 'The specified resource does not exist.' }] });
    }
  });

  test('§1 an id has only digits, even where no SIS ID is accepted', async () => {
    const role = (id: string) => client.api(`/accounts/1/roles/${id}`);
    expect((await role('1')).status).toBe(200);
    for (const id of ['0x1', '1.0', '+1', '1e0', 'sis_role_id:1']) {
      const answer = await role(id);
      expect([id, answer.status]).toEqual([id, 404]);
      expect(answer.body).toEqual({ errors: [{ message: 'The specified resource does not exist.' }] });
    }
  });

  test('§1 ids become strings everywhere on request, while SIS IDs stay as they are', async () => {
    const headers = { accept: 'application/json+canvas-string-ids' };
    const answer = await client.api('/courses/1001?include[]=term', { headers });
    expect(answer.body).toMatchObject({ id: '1001', account_id: '86', term: { id: '10' } });
    const numbers = await client.api('/courses/1001', { headers: { accept: '*/*' } });
    expect(numbers.body['id']).toBe(1001);
  });

  test('§1 a .json suffix is accepted; answers are JSON in UTF-8; dates have no fraction', async () => {
    const answer = await client.api('/courses/1001.json?include[]=term');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(answer.text.startsWith('while(1);')).toBe(false);
  });

  test('§1 while(1); comes before JSON for a browser session, never for a token', async () => {
    const signedIn = await client.ask('/login/oauth2/login', {
      token: null,
      ...form({ login: 'dev.oduya@northbridge.example' }),
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { url } = client;
    const answer = await (await fetch(`${url}/api/v1/users/self`, { headers: { cookie } })).text();
    expect(answer).toMatch(/^while\(1\);\{"id":104,/);
    const token = { cookie, authorization: 'Bearer sandbox-admin-token' };
    expect(await (await fetch(`${url}/api/v1/users/self`, { headers: token })).text()).toMatch(/^\{"id":1,/);
    const write = await fetch(`${url}/api/v1/calendar_events`, { method: 'POST', headers: { cookie } });
    expect(write.status).toBe(401);
  });

  test('§1 bodies as JSON, form and multipart have the same effect', async () => {
    const section = client.world.sections.by.course.get(1001)[0];
    const path = `/sections/${section?.id}`;
    const json = await client.send('PUT', `/api/v1${path}`, { course_section: { name: 'From JSON' } });
    expect(json.body['name']).toBe('From JSON');
    const body = new URLSearchParams({ 'course_section[name]': 'From a form' });
    expect((await client.api(path, { method: 'PUT', body })).body['name']).toBe('From a form');
    const multipart = new FormData();
    multipart.set('course_section[name]', 'From parts');
    expect((await client.api(path, { method: 'PUT', body: multipart })).body['name']).toBe('From parts');
  });

  test('§3 a body with invalid JSON is a bad request', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await client.api('/calendar_events', { method: 'POST', headers, body: '{' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errors: [{ message: 'An error occurred.', error_code: 'bad_request' }] });
  });

  test('§1 a body without a boundary has no parts, and a truncated one is a bad request', async () => {
    const section = client.world.sections.by.course.get(1001)[0];
    const name = section?.name;
    const put = (type: string, body: string) =>
      client.api(`/sections/${section?.id}`, { method: 'PUT', headers: { 'content-type': type }, body });
    const part = '--b\r\nContent-Disposition: form-data; name="course_section[name]"\r\n\r\nCut';
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
    ])
      expect([type, (await put(type, part)).body['name']]).toEqual([type, name]);
    for (const body of ['--b\r\n', part, `${part}\r\n--b`]) {
      const answer = await put('multipart/form-data; boundary=b', body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body).toEqual({ errors: [{ message: 'An error occurred.', error_code: 'bad_request' }] });
    }
    expect(section?.name).toBe(name);
  });
});

describe('§3 authentication and permission errors', () => {
  test('§3 a call without credentials is a 401', async () => {
    const answer = await client.api('/users/self', { token: null });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      status: 'unauthenticated',
      errors: [{ message: 'user authorization required' }],
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="canvas-lms"');
  });

  test('§3 an unknown token is rejected, and so is the word bearer in lower case', async () => {
    const answer = await client.api('/users/self', { token: 'nobody' });
    expect(answer.body).toEqual({ errors: [{ message: 'Invalid access token.' }] });
    const small = await client.api('/users/self', {
      token: null,
      headers: { authorization: 'bearer sandbox-admin-token' },
    });
    expect(small.status).toBe(401);
  });

  test('§3 the token can be in the query or in the body', async () => {
    const query = await client.api('/users/self?access_token=sandbox-admin-token', { token: null });
    expect(query.status).toBe(200);
    const section = client.world.sections.by.course.get(1001)[0];
    const body = new URLSearchParams({ access_token: 'sandbox-admin-token' });
    const put = await client.api(`/sections/${section?.id}`, { method: 'PUT', token: null, body });
    expect(put.status).toBe(200);
  });

  test('§3 a signed-in person without permission gets a 403 without a challenge', async () => {
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const paths = ['sub_accounts', 'terms', 'courses', 'roles', 'users', 'sis_imports'];
    for (const path of paths) {
      const answer = await client.api(`/accounts/1/${path}`, { token });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body).toEqual({
        status: 'unauthorized',
        errors: [{ message: 'user not authorized to perform that action' }],
      });
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  test('§3 an administrator can act as another person, but not as an unknown one', async () => {
    const answer = await client.api('/users/self?as_user_id=sis_user_id:9000101');
    expect(answer.body['id']).toBe(101);
    const nobody = await client.api('/users/self?as_user_id=sis_user_id:0');
    expect(nobody.status).toBe(401);
    expect(nobody.body).toEqual({ errors: 'Invalid as_user_id' });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    expect((await client.api('/users/self?as_user_id=101', { token })).status).toBe(401);
  });

  test('§3 a suspended login makes its tokens invalid', async () => {
    const token = String((await signIn(client, 'farid.noor'))['access_token']);
    const login = client.world.pseudonyms.by.user.get(106)[0];
    if (!login) throw new Error('no login');
    client.world.pseudonyms.change(login, { workflow_state: 'suspended' });
    const answer = await client.api('/users/self', { token });
    expect(answer.body).toEqual({ errors: [{ message: 'Invalid access token.' }] });
  });

  test('§3 unknown paths are 404 with the usual body', async () => {
    const answer = await client.api('/nothing/here');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ errors: [{ message: 'The specified resource does not exist.' }] });
  });
});

describe('§4 pagination', () => {
  test('§4 the Link header has exactly the documented form', async () => {
    const answer = await client.api('/accounts/1/terms?page=2&per_page=10&term_name=2&access_token=x');
    const base = `${client.url}/api/v1/accounts/1/terms?term_name=2&`;
    expect(answer.headers.get('link')).toBe(
      [
        `<${base}page=2&per_page=10>; rel="current"`,
        `<${base}page=3&per_page=10>; rel="next"`,
        `<${base}page=1&per_page=10>; rel="prev"`,
        `<${base}page=1&per_page=10>; rel="first"`,
        `<${base}page=3&per_page=10>; rel="last"`,
      ].join(','),
    );
  });

  test('§4 the request’s parameters are form-encoded, in alphabetical order; lists keep their own order', async () => {
    const answer = await client.api(
      '/accounts/1/courses?search_term=fin%20a&include[]=term&include[]=concluded&per_page=500',
    );
    const [, url] = links(answer)[0] ?? [];
    expect(url).toBe(
      `${client.url}/api/v1/accounts/1/courses?include%5B%5D=term&include%5B%5D=concluded&search_term=fin+a&page=1&per_page=100`,
    );
  });

  test('§4 a page has ten entries by default, and one hundred at most', async () => {
    expect((await client.api('/accounts/1/courses')).body).toHaveLength(10);
    expect((await client.api('/accounts/1/courses?per_page=1000')).body).toHaveLength(100);
  });

  test('§4 without a total, the last link appears only on the final page; with a total, always', async () => {
    const first = await client.api('/accounts/86/courses?per_page=100');
    expect(rels(first)).toEqual(['current', 'next', 'first']);
    const next = await client.api('/accounts/86/courses?per_page=100&page=2');
    expect(rels(next)).toEqual(['current', 'prev', 'first', 'last']);
    const counted = await client.api('/accounts/1/roles?per_page=3');
    expect(rels(counted)).toEqual(['current', 'next', 'first', 'last']);
  });

  test('§4 a page past the end is an empty list', async () => {
    expect((await client.api('/accounts/1/courses?page=999')).body).toEqual([]);
    expect((await client.api('/accounts/1/terms?page=999')).body).toEqual({ enrollment_terms: [] });
  });

  test('§4 bookmark pages have only a next link, and each person appears once', async () => {
    const seen: number[] = [];
    let path: string | undefined = `${client.url}/api/v1/accounts/1/users?sort=id&per_page=100`;
    while (path) {
      const answer: Answer = await client.ask(path);
      expect(rels(answer)).not.toContain('last');
      expect(rels(answer)).not.toContain('prev');
      seen.push(...answer.body.map((user) => Number(user['id'])));
      path = links(answer).find(([rel]) => rel === 'next')?.[1];
      if (path) expect(path).toMatch(/[?&]page=bookmark:[\w-]+&per_page=100$/);
    }
    expect(seen.length).toBeGreaterThan(4000);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  test('§4 an invalid bookmark is a bad request', async () => {
    for (const page of ['bookmark:%%%', 'bookmark:e30', '7']) {
      const answer = await client.api(`/accounts/1/users?sort=id&page=${page}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        status: 'bad_request',
        errors: [{ page: 'Invalid page; please restart iteration and follow `next` links' }],
      });
    }
  });

  test('§4 with more than 6 KB of links, next is kept', async () => {
    const long = 'x'.repeat(2500);
    const answer = await client.api(`/accounts/1/terms?per_page=5&page=2&junk=${long}`);
    expect(rels(answer)).toEqual(['next', 'last']);
  });
});
