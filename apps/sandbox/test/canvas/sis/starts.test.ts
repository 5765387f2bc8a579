import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, smallSchool } from './client.ts';

let client: Client;

beforeAll(async () => {
  client = await Client.start();
  await smallSchool(client);
});
afterAll(() => client.sandbox.close());

describe('§8.3 only the beginning of a status counts, in upper or lower case', () => {
  test('§9.1 of a user', async () => {
    await client.csv('user_id,login_id,status', 'U002,user2,DeletedLater', 'U003,user3,SUSPENDED now');
    const state = (sis: string) => client.world.pseudonyms.by.sis.get(sis)?.workflow_state;
    expect([state('U002'), state('U003')]).toEqual(['deleted', 'suspended']);
  });

  test('§9.6 of a group', async () => {
    await client.csv('group_id,name,status', 'G1,One,Available', 'G2,Two,Available');
    await client.csv('group_id,name,status', 'G1,One,Deleted', 'G2,Two,closed');
    const state = (sis: string) => client.world.groups.by.sis.get(sis)?.workflow_state;
    expect([state('G1'), state('G2')]).toEqual(['deleted', 'available']);
  });
});

describe('§9.4 the default section of a course whose first section was cross-listed into it', () => {
  test('§9.5 enrolling by course uses that section, and does not create another', async () => {
    await client.csv('xlist_course_id,section_id,status', 'X001,1B,active');
    await client.csv('course_id,user_id,role,status', 'X001,U001,student,active');
    const sections = await client.json<{ sis_section_id: string }[]>('/courses/sis_course_id:X001/sections');
    expect(sections.map((section) => section.sis_section_id)).toEqual(['1B']);
    const enrollments = await client.json<{ sis_section_id: string }[]>(
      '/courses/sis_course_id:X001/enrollments',
    );
    expect(enrollments.map((each) => each.sis_section_id)).toEqual(['1B']);
  });
});

describe('§9.4 a course created for a cross-listing', () => {
  test('§9.4 follows its original course until a person renames it', async () => {
    await client.csv('section_id,course_id,name,status', 'TS1,C002,One,active');
    await client.csv('xlist_course_id,section_id,status', 'X002,TS1,active');
    const rename = (name: string) =>
      client.csv('course_id,short_name,long_name,account_id,status', `C002,TC 104,${name},A002,active`);
    const read = () =>
      client.json<{ id: number; name: string; course_code: string; account_id: number }>(
        '/courses/sis_course_id:X002',
      );
    await rename('Test Course 104');
    const account = client.world.accounts.by.sis.get('A002')?.id;
    expect(await read()).toMatchObject({
      name: 'Test Course 104',
      course_code: 'TC 104',
      account_id: account,
    });
    await client.json('/courses/sis_course_id:X002', {
      method: 'PUT',
      body: JSON.stringify({ course: { name: 'By Hand' } }),
      headers: { 'content-type': 'application/json' },
    });
    await rename('Test Course 105');
    expect((await read()).name).toBe('By Hand');
    await client.csv('course_id,short_name,long_name,status', 'C002,TC 104,Gone,deleted');
    expect(client.world.courses.by.sis.get('X002')?.workflow_state).toBe('claimed');
  });

  test('§9.4 a section moves from one course to another and straight back', async () => {
    for (const target of ['Y000', 'Y001', 'Y002']) {
      await client.csv('xlist_course_id,section_id,status', `${target},1B,active`);
      const section = await client.json<{ sis_course_id: string; nonxlist_course_id: number }>(
        '/sections/sis_section_id:1B',
      );
      expect(section.sis_course_id).toBe(target);
      expect(section.nonxlist_course_id).toBe(client.world.courses.by.sis.get('C001')?.id);
    }
    await client.csv('xlist_course_id,section_id,status', 'Y101,1B,deleted');
    const home = await client.json<{ sis_course_id: string; nonxlist_course_id: null }>(
      '/sections/sis_section_id:1B',
    );
    expect(home).toMatchObject({ sis_course_id: 'C001', nonxlist_course_id: null });
  });
});
