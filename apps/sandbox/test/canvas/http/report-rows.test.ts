/** Rows of account reports, and their wording (reference §17.2). */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { form, useSandbox } from './client.ts';

const client = useSandbox({ reportMs: 0 });
type Row = Record<string, string>;

async function run(kind: string, table: string, more: Record<string, string> = {}, account = 'self') {
  const fields = Object.fromEntries(
    Object.entries({ [table]: 'true', ...more }).map(([name, value]) => [`parameters[${name}]`, value]),
  );
  const path = `/accounts/${account}/reports/${kind}`;
  const begun = await client.api(path, form(fields));
  expect(begun.status, begun.text).toBe(200);
  const status = async () => (await client.api(`${path}/${begun.body['id']}`)).body;
  await expect.poll(async () => (await status())['status']).toMatch(/^(complete|error)$/);
  const done = await status();
  const { text } = await client.ask(String(done['attachment']?.['url']), { token: null });
  return { done, header: text.split('\n')[0], rows: parse(text, { columns: true }) as Row[] };
}
const rowsOf = async (table: string, more: Record<string, string> = {}, account = 'self') =>
  (await run('provisioning_csv', table, more, account)).rows;
const exported = async (table: string, more: Record<string, string> = {}) =>
  (await run('sis_export_csv', table, more)).rows;

async function send(...lines: string[]): Promise<void> {
  const query = 'import_type=instructure_csv&extension=csv';
  const init = { method: 'POST', body: lines.join('\n'), headers: { 'content-type': 'text/csv' } };
  const sent = await client.ask(`/api/v1/accounts/1/sis_imports?${query}`, init);
  await vi.waitFor(async () => {
    const { body } = await client.api(`/accounts/1/sis_imports/${sent.body['id']}`);
    expect(body['workflow_state']).toMatch(/^imported/);
  });
}

beforeAll(async () => {
  await send('account_id,parent_account_id,name,status', 'RA,,Report account,active', 'RB,,Other,active');
  await send(
    'course_id,short_name,long_name,account_id,status',
    'RC1,R1,Open,RA,published',
    'RC2,R2,Draft,RA,unpublished',
    'RC3,R3,Target,RB,published',
  );
  await send('section_id,course_id,name,status', 'RS1,RC1,One,active', 'RS2,RC1,Two,active');
  await send(
    'user_id,login_id,first_name,last_name,status',
    'RU1,ru1,Ann,Lee,active',
    'RU2,ru2,Bob,Day,active',
    'RU3,ru3,Cy,,active',
    'RU4,ru4,Di,Fox,active',
  );
  await send(
    'section_id,user_id,role,status',
    'RS1,RU1,student,active',
    'RS1,RU2,student,completed',
    'RS2,RU4,student,inactive',
  );
});

describe('§17.2 rows', () => {
  test('the users report splits names; a deleted login without an SIS ID is in no report', async () => {
    const rows = await rowsOf('users');
    const of = (id: string) => rows.find((row) => row['user_id'] === id);
    expect(of('RU1')).toMatchObject({ first_name: 'Ann', last_name: 'Lee' });
    const admin = rows.find((row) => row['full_name'] !== '' && !row['sortable_name']?.includes(','));
    if (admin) expect(admin).toMatchObject({ first_name: expect.not.stringMatching(/^$/) });
    const made = await client.send('POST', '/api/v1/accounts/1/users', {
      user: { name: 'Passing', sortable_name: 'Passing' },
      pseudonym: { unique_id: 'passing' },
    });
    expect(
      (await rowsOf('users')).find((row) => row['canvas_user_id'] === String(made.body['id'])),
    ).toMatchObject({ first_name: 'Passing', last_name: '' });
    const login = client.world.loginsOf(Number(made.body['id']))[0];
    if (login) client.world.pseudonyms.change(login, { workflow_state: 'deleted' });
    await send('user_id,login_id,status', 'RU3,ru3,deleted');
    const all = await rowsOf('users', { include_deleted: 'true' });
    const states = Object.fromEntries(all.map((row) => [row['login_id'], row['status']]));
    expect([states['ru3'], states['passing']]).toEqual(['deleted', undefined]);
  });

  test('enrolments are filtered by their own states; those created by hand and then deleted are in no report', async () => {
    const here = { include_deleted: 'true' };
    const people = async (more: Record<string, string>) =>
      (await rowsOf('enrollments', more, 'sis_account_id:RA')).map((row) => [row['user_id'], row['status']]);
    expect(await people({})).toEqual([
      ['RU1', 'active'],
      ['RU4', 'inactive'],
    ]);
    expect(await people({ ...here, 'enrollment_states][': 'completed' })).toEqual([['RU2', 'concluded']]);
    const by = await client.send('POST', '/api/v1/courses/sis_course_id:RC2/enrollments', {
      enrollment: { user_id: 'sis_user_id:RU1', enrollment_state: 'active' },
    });
    await client.api(`/courses/sis_course_id:RC2/enrollments/${by.body['id']}?task=delete`, {
      method: 'DELETE',
    });
    await send('section_id,user_id,role,status', 'RS2,RU4,student,deleted');
    expect(await people(here)).toEqual([
      ['RU1', 'active'],
      ['RU2', 'concluded'],
      ['RU4', 'deleted'],
    ]);
  });

  test('cross-listed sections and their cross-listings belong to the account of their current course', async () => {
    await send('xlist_course_id,section_id,status', 'RC3,RS2,active');
    const sections = async (account: string) =>
      (await rowsOf('sections', { created_by_sis: '1' }, `sis_account_id:${account}`)).map((row) => [
        row['section_id'],
        row['course_id'],
      ]);
    expect(await sections('RA')).toEqual([['RS1', 'RC1']]);
    expect(await sections('RB')).toEqual([['RS2', 'RC3']]);
    expect(await rowsOf('xlist', {}, 'sis_account_id:RA')).toEqual([]);
    expect(await rowsOf('xlist', {}, 'sis_account_id:RB')).toMatchObject([
      { xlist_course_id: 'RC3', section_id: 'RS2', nonxlist_course_id: 'RC1', status: 'active' },
    ]);
    await send('course_id,short_name,long_name,account_id,status', 'RC3,R3,Target,RB,completed');
    expect(await rowsOf('xlist', {}, 'sis_account_id:RB')).toEqual([]);
    expect(await rowsOf('xlist', { include_deleted: '1' }, 'sis_account_id:RB')).toHaveLength(1);
  });

  test('sections of a deleted course keep their state, and are shown if deleted objects are requested', async () => {
    await send('course_id,short_name,long_name,account_id,status', 'RC4,R4,Gone,RB,published');
    await send('section_id,course_id,name,status', 'RS4,RC4,Four,active');
    await send('course_id,short_name,long_name,account_id,status', 'RC4,R4,Gone,RB,deleted');
    const of = async (more: Record<string, string>) =>
      (await rowsOf('sections', more, 'sis_account_id:RB')).find((row) => row['section_id'] === 'RS4');
    expect(await of({})).toBeUndefined();
    expect(await of({ include_deleted: 'true' })).toMatchObject({ status: 'active' });
  });

  test('memberships created by imports stay in the report after they end; admins are listed by name', async () => {
    await send('group_id,course_id,name,status', 'RG1,RC1,One,available');
    await send('group_id,user_id,status', 'RG1,RU1,accepted');
    await send('group_id,user_id,status', 'RG1,RU1,deleted');
    const of = async (more: Record<string, string>) =>
      (await rowsOf('group_membership', more, 'sis_account_id:RA')).map((row) => row['status']);
    expect(await of({})).toEqual([]);
    expect(await of({ include_deleted: 'true' })).toEqual(['deleted']);
    const admins = await run('provisioning_csv', 'admins', { created_by_sis: 'true' });
    expect(admins.header).toBe(
      'admin_user_name,canvas_user_id,user_id,canvas_account_id,account_id,role_id,role,status,created_by_sis',
    );
    expect(admins.rows.length).toBeGreaterThan(0);
    expect(admins.rows[0]?.['admin_user_name']).not.toBe('');
  });

  test('an export uses the same words as imports, and contains what an import could have created', async () => {
    const courses = await exported('courses');
    expect(new Set(courses.map((row) => row['status']))).toEqual(new Set(['active']));
    const all = await exported('courses', { include_deleted: 'true' });
    expect(all.find((row) => row['course_id'] === 'RC3')).toMatchObject({ status: 'completed' });
    await client.send('POST', '/api/v1/courses/sis_course_id:RC1/enrollments', {
      enrollment: {
        user_id: 'sis_user_id:RU4',
        course_section_id: 'sis_section_id:RS1',
        enrollment_state: 'invited',
      },
    });
    const invited = (row: Row) => row['user_id'] === 'RU4' && row['course_id'] === 'RC1';
    expect((await exported('enrollments')).some(invited)).toBe(false);
    expect((await rowsOf('enrollments')).some(invited)).toBe(true);
  });
});

describe('§17.1 terms and the description of a run', () => {
  test('one known term among several is enough; none at all is a 400; the text names the parameters', async () => {
    const { done } = await run('provisioning_csv', 'courses', {
      enrollment_term_id: '999999,sis_term_id:none,1',
      include_deleted: 'true',
    });
    const term = client.world.terms.must(1).name;
    expect(done['parameters']?.['extra_text']).toBe(
      `Term: ${term}; Include Deleted Objects; Reports: courses `,
    );
    const none = await client.api(
      '/accounts/1/reports/provisioning_csv',
      form({ 'parameters[courses]': '1', 'parameters[enrollment_term_id]': '999999,none' }),
    );
    expect([none.status, none.body]).toEqual([400, { error: "invalid enrollment_term_id '999999,none'" }]);
  });
});
