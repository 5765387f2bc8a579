import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, smallSchool } from './client.ts';

let client: Client;

beforeAll(async () => {
  client = await Client.start();
  await smallSchool(client);
});
afterAll(() => client.sandbox.close());

describe('§8.3 the start of a status counts, in any case', () => {
  test('§9.1 a user', async () => {
    await client.csv('user_id,login_id,status', 'U002,user2,DeletedLater', 'U003,user3,SUSPENDED now');
    const state = (sis: string) => client.world.pseudonyms.by.sis.get(sis)?.workflow_state;
    expect([state('U002'), state('U003')]).toEqual(['deleted', 'suspended']);
  });

  test('§9.6 a group', async () => {
    await client.csv('group_id,name,status', 'G1,One,Available', 'G2,Two,Available');
    await client.csv('group_id,name,status', 'G1,One,Deleted', 'G2,Two,closed');
    const state = (sis: string) => client.world.groups.by.sis.get(sis)?.workflow_state;
    expect([state('G1'), state('G2')]).toEqual(['deleted', 'available']);
  });
});

describe('§9.4 the default section of a course that got its first one by cross-listing', () => {
  test('§9.5 enrolling by course goes into the section that came, and no other is made', async () => {
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
