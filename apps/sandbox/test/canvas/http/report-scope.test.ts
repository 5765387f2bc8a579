/**
 * The columns of all account report files, and what limits them: account, terms, deleted objects (reference
 * §17).
 */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../sis/client.ts';
import { form } from './client.ts';

let client: Client;
type Row = Record<string, string>;

type Report = { id: number; status: string; attachment?: { url: string } };

async function textOf(kind: string, table: string, more: Record<string, string> = {}, account = '1') {
  const parameters = Object.entries({ [table]: 'true', ...more });
  const path = `/accounts/${account}/reports/${kind}`;
  const { id } = await client.json<Report>(
    path,
    form(Object.fromEntries(parameters.map(([name, value]) => [`parameters[${name}]`, value]))),
  );
  const read = () => client.json<Report>(`${path}/${id}`);
  await expect.poll(async () => (await read()).status).toBe('complete');
  return (await fetch((await read()).attachment?.url ?? '')).text();
}

/** Reads the values of a column for objects that this test file created, in order. */
async function of(table: string, column: string, more: Record<string, string> = {}, account = '1') {
  const rows: Row[] = parse(await textOf('provisioning_csv', table, more, account), { columns: true });
  return rows.map((row) => row[column] ?? '').filter((value) => value.startsWith('Z'));
}

const DELETED = { include_deleted: 'true' };
const [TOP, LOW, BESIDE] = ['sis_account_id:Z-TOP', 'sis_account_id:Z-LOW', 'sis_account_id:Z-BESIDE'];

beforeAll(async () => {
  client = await Client.start({ reportMs: 0 });
  const send = async (...lines: string[]) =>
    expect((await client.csv(...lines)).workflow_state, lines[0]).toBe('imported');
  await send(
    'account_id,parent_account_id,name,status',
    'Z-TOP,,Top,active',
    'Z-LOW,Z-TOP,Low,active',
    'Z-DEEP,Z-LOW,Deep,active',
    'Z-OLD,Z-TOP,Old,active',
    'Z-OLD,Z-TOP,Old,deleted',
    'Z-BESIDE,,Beside,active',
  );
  await send('term_id,name,status', 'Z-T1,One,active', 'Z-T2,Two,active', 'Z-T3,Gone,active');
  await send('term_id,name,status', 'Z-T3,Gone,deleted');
  await send(
    'course_id,short_name,long_name,account_id,term_id,status',
    'Z-C1,1,One,Z-TOP,Z-T1,published',
    'Z-C2,2,Two,Z-LOW,Z-T2,published',
    'Z-C3,3,Three,Z-BESIDE,Z-T1,published',
    'Z-C4,4,Four,Z-LOW,Z-T1,deleted',
  );
  await send(
    'section_id,course_id,name,status',
    'Z-S1,Z-C1,One,active',
    'Z-S2,Z-C2,Two,active',
    'Z-S3,Z-C3,Three,active',
    'Z-S4,Z-C2,Lost,active',
    'Z-S5,Z-C3,Across,active',
  );
  await send('section_id,course_id,name,status', 'Z-S4,Z-C2,Lost,deleted');
  await send('xlist_course_id,section_id,status', 'Z-C1,Z-S5,active');
  await send(
    'user_id,login_id,full_name,email,status',
    // Observers are enrolled together with their students, so they are not compared.
    'Y-OBS,observer,Observer,observer@school.example,active',
    ...[1, 2, 3, 4, 5].map((n) => `Z-U${n},z${n},Person ${n},z${n}@school.example,active`),
  );
  await send(
    'section_id,user_id,role,status',
    'Z-S1,Z-U1,student,active',
    'Z-S2,Z-U2,teacher,active',
    'Z-S3,Z-U3,student,active',
    'Z-S1,Z-U4,student,deleted',
    'Z-S2,Z-U5,ta,completed',
  );
  await send(
    'group_category_id,category_name,course_id,status',
    'Z-G1,Teams,Z-C1,active',
    'Z-G2,Teams,Z-C2,active',
    'Z-G3,Teams,Z-C3,active',
  );
  await send(
    'group_category_id,group_id,name,status',
    'Z-G1,Z-A,A,available',
    'Z-G2,Z-B,B,available',
    'Z-G3,Z-C,C,available',
    'Z-G2,Z-D,D,available',
  );
  await send('group_id,user_id,status', 'Z-A,Z-U1,accepted', 'Z-B,Z-U2,accepted', 'Z-C,Z-U3,accepted');
  await send('group_category_id,group_id,name,status', 'Z-G2,Z-D,D,deleted');
  await send('user_id,account_id,role,status', 'Z-U4,Z-LOW,AccountAdmin,active');
  await send('observer_id,student_id,status', 'Y-OBS,Z-U1,active', 'Y-OBS,Z-U3,active');
});

afterAll(() => client.sandbox.close());

const PROVISIONING: Record<string, string> = {
  users:
    'canvas_user_id,user_id,integration_id,authentication_provider_id,login_id,first_name,last_name,full_name,sortable_name,short_name,email,status,created_by_sis',
  accounts: 'canvas_account_id,account_id,canvas_parent_id,parent_account_id,name,status,created_by_sis',
  terms: 'canvas_term_id,term_id,name,status,start_date,end_date,created_by_sis',
  courses:
    'canvas_course_id,course_id,integration_id,short_name,long_name,canvas_account_id,account_id,canvas_term_id,term_id,status,start_date,end_date,course_format,canvas_blueprint_course_id,blueprint_course_id,created_by_sis',
  sections:
    'canvas_section_id,section_id,canvas_course_id,course_id,integration_id,name,status,start_date,end_date,canvas_account_id,account_id,created_by_sis',
  enrollments:
    'canvas_course_id,course_id,canvas_user_id,user_id,role,role_id,canvas_section_id,section_id,status,canvas_associated_user_id,associated_user_id,created_by_sis,base_role_type,limit_section_privileges,canvas_enrollment_id',
  groups:
    'canvas_group_id,group_id,canvas_group_category_id,group_category_id,canvas_account_id,account_id,canvas_course_id,course_id,name,status,created_by_sis,context_id,context_type,max_membership',
  group_membership: 'canvas_group_id,group_id,canvas_user_id,user_id,status,created_by_sis',
  group_categories:
    'canvas_group_category_id,group_category_id,context_id,context_type,name,role,self_signup,group_limit,auto_leader,status',
};
const EXPORT: Record<string, string> = {
  users:
    'user_id,integration_id,authentication_provider_id,login_id,password,first_name,last_name,full_name,sortable_name,short_name,email,status',
  accounts: 'account_id,parent_account_id,name,status',
  terms: 'term_id,name,status,start_date,end_date',
  courses:
    'course_id,integration_id,short_name,long_name,account_id,term_id,status,start_date,end_date,course_format,blueprint_course_id',
  sections: 'section_id,course_id,integration_id,name,status,start_date,end_date',
  enrollments: 'course_id,user_id,role,role_id,section_id,status,associated_user_id,limit_section_privileges',
  groups: 'group_id,group_category_id,account_id,course_id,name,status',
  group_membership: 'group_id,user_id,status',
  group_categories: 'group_category_id,account_id,course_id,category_name,status',
  xlist: 'xlist_course_id,section_id,status',
  user_observers: 'observer_id,student_id,status',
  admins: 'user_id,account_id,role_id,role,status',
};

describe('§17.2 columns', () => {
  test.each(Object.keys(PROVISIONING))('in the provisioning file for %s', async (table) => {
    const [header] = (await textOf('provisioning_csv', table, {}, BESIDE)).split('\n');
    expect(header).toBe(PROVISIONING[table]);
  });

  test.each(Object.keys(EXPORT))('in the SIS file for %s, which can be imported', async (table) => {
    const text = await textOf('sis_export_csv', table, {}, TOP);
    expect(text.split('\n')[0]).toBe(EXPORT[table]);
    const rows: string[][] = parse(text);
    expect(rows.length).toBeGreaterThan(1);
    const sent = await client.import(text);
    expect(sent).not.toHaveProperty('processing_errors');
    expect(sent).not.toHaveProperty('processing_warnings');
    expect(sent.workflow_state).toBe('imported');
  });
});

describe('§17.1 the account of a report', () => {
  test('includes everything in and below the account', async () => {
    const cases: [table: string, column: string, top: string[], low: string[], beside: string[]][] = [
      ['courses', 'course_id', ['Z-C1', 'Z-C2'], ['Z-C2'], ['Z-C3']],
      ['sections', 'section_id', ['Z-S1', 'Z-S2', 'Z-S5'], ['Z-S2'], ['Z-S3']],
      ['enrollments', 'user_id', ['Z-U1', 'Z-U2'], ['Z-U2'], ['Z-U3']],
      ['groups', 'group_id', ['Z-A', 'Z-B'], ['Z-B'], ['Z-C']],
      ['group_membership', 'user_id', ['Z-U1', 'Z-U2'], ['Z-U2'], ['Z-U3']],
      ['group_categories', 'group_category_id', ['Z-G1', 'Z-G2'], ['Z-G2'], ['Z-G3']],
      ['xlist', 'section_id', ['Z-S5'], [], []],
      ['admins', 'user_id', ['Z-U4'], ['Z-U4'], []],
    ];
    for (const [table, column, top, low, beside] of cases) {
      expect(await of(table, column, {}, TOP), table).toEqual(top);
      expect(await of(table, column, {}, LOW), table).toEqual(low);
      expect(await of(table, column, {}, BESIDE), table).toEqual(beside);
    }
  });

  test('the people in a report are those in the account’s courses and its admins, but not people who were removed', async () => {
    expect(await of('users', 'user_id', {}, TOP)).toEqual(['Z-U1', 'Z-U2', 'Z-U4', 'Z-U5']);
    expect(await of('users', 'user_id', {}, LOW)).toEqual(['Z-U2', 'Z-U4', 'Z-U5']);
    expect(await of('users', 'user_id')).toEqual(['Z-U1', 'Z-U2', 'Z-U3', 'Z-U4', 'Z-U5']);
    expect(await of('user_observers', 'student_id', {}, TOP)).toEqual(['Z-U1']);
    expect(await of('user_observers', 'student_id')).toEqual(['Z-U1', 'Z-U3']);
  });

  test('accounts are a sub-account’s direct children, or everything below the root; terms are the root account’s', async () => {
    expect(await of('accounts', 'account_id', {}, TOP)).toEqual(['Z-LOW']);
    expect(await of('accounts', 'account_id')).toEqual(['Z-TOP', 'Z-LOW', 'Z-DEEP', 'Z-BESIDE']);
    expect(await of('terms', 'term_id', {}, LOW)).toEqual(['Z-T1', 'Z-T2']);
  });
});

describe('§17.2 filters and extensions', () => {
  test('include_deleted adds deleted objects, and concluded enrolments', async () => {
    expect(await of('accounts', 'account_id', DELETED, TOP)).toEqual(['Z-LOW', 'Z-OLD']);
    expect(await of('terms', 'term_id', DELETED)).toEqual(['Z-T1', 'Z-T2', 'Z-T3']);
    expect(await of('courses', 'course_id', DELETED, LOW)).toEqual(['Z-C2', 'Z-C4']);
    expect(await of('sections', 'section_id', DELETED, LOW)).toEqual(['Z-S2', 'Z-S4']);
    expect(await of('enrollments', 'user_id', DELETED, TOP)).toEqual(['Z-U1', 'Z-U2', 'Z-U4', 'Z-U5']);
    expect(await of('groups', 'group_id', DELETED, LOW)).toEqual(['Z-B', 'Z-D']);
    // Only true values count; the string 'false' does not.
    expect(await of('groups', 'group_id', { include_deleted: 'false' }, LOW)).toEqual(['Z-B']);
  });

  test('terms limit courses, sections, enrolments and cross-listings; by id, by SIS ID or as a comma-separated list', async () => {
    const id = String(client.world.terms.by.sis.get('Z-T1')?.id);
    for (const term of [id, 'sis_term_id:Z-T1', `${id},sis_term_id:Z-T3`]) {
      const more = { enrollment_term_id: term };
      expect(await of('courses', 'course_id', more), term).toEqual(['Z-C1', 'Z-C3']);
      expect(await of('sections', 'section_id', more)).toEqual(['Z-S1', 'Z-S3', 'Z-S5']);
      expect(await of('enrollments', 'user_id', more)).toEqual(['Z-U1', 'Z-U3']);
      expect(await of('xlist', 'section_id', more)).toEqual(['Z-S5']);
    }
    const other = { enrollment_term_id: 'sis_term_id:Z-T2' };
    expect(await of('xlist', 'section_id', other)).toEqual([]);
    expect(await of('courses', 'course_id', { enrollment_term_id: '' }, TOP)).toEqual(['Z-C1', 'Z-C2']);
    // People and groups have no term.
    expect(await of('groups', 'group_id', other, TOP)).toEqual(['Z-A', 'Z-B']);
  });

  test('active_terms are those that include the present; the setting can also be called enrollment_term', async () => {
    const active = { enrollment_term_id: 'active_terms' };
    expect(await of('courses', 'course_id', active, TOP)).toEqual(['Z-C1', 'Z-C2']);
    await client.csv('term_id,name,status,end_date', 'Z-T2,Two,active,2020-01-01');
    expect(await of('courses', 'course_id', active, TOP)).toEqual(['Z-C1']);
    const named = { enrollment_term: 'sis_term_id:Z-T2' };
    expect(await of('courses', 'course_id', named, TOP)).toEqual(['Z-C2']);
    for (const [term, status] of [
      ['all_terms', 400],
      ['sis_term_id:Z-NONE', 400],
      ['', 200],
    ] as const) {
      const body = form({ 'parameters[terms]': 'true', 'parameters[enrollment_term_id]': term });
      const answer = await client.fetch('/accounts/1/reports/sis_export_csv', body);
      expect(answer.status, term).toBe(status);
    }
  });

  test('types and states of enrolments, as a list or separated by commas', async () => {
    const both = { enrollment_filter: 'TeacherEnrollment,TaEnrollment', ...DELETED };
    expect(await of('enrollments', 'user_id', both, TOP)).toEqual(['Z-U2', 'Z-U5']);
    const listed = { 'enrollment_filter][': 'StudentEnrollment', 'enrollment_states][': 'active' };
    expect(await of('enrollments', 'user_id', listed, TOP)).toEqual(['Z-U1']);
    expect(await of('enrollments', 'user_id', { enrollment_states: 'inactive' }, TOP)).toEqual([]);
  });

  test('created_by_sis leaves out objects created by hand, and its column marks the rest', async () => {
    const category = { name: 'By hand', sis_group_category_id: 'Z-HAND' };
    const { id } = await client.json('/courses/sis_course_id:Z-C1/group_categories', form(category));
    await client.json(`/group_categories/${id}/groups`, form({ name: 'By hand', sis_group_id: 'Z-H' }));
    expect(await of('groups', 'group_id', {}, TOP)).toEqual(['Z-A', 'Z-B', 'Z-H']);
    expect(await of('groups', 'group_id', { created_by_sis: 'true' }, TOP)).toEqual(['Z-A', 'Z-B']);
    const rows: Row[] = parse(await textOf('provisioning_csv', 'groups', {}, TOP), { columns: true });
    expect(rows.map((row) => row['created_by_sis'])).toEqual(['true', 'true', 'false']);
  });
});
