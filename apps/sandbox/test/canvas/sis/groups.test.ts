/** Groups and their members in files; messages about rows are tested elsewhere (reference §15.1, §15.2). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(async () => {
  client.sandbox.reset();
  await smallSchool(client);
  await client.csv(
    'group_category_id,category_name,course_id,status',
    'GC1,Teams,C001,active',
    'GC2,Labs,C001,active',
    'GC3,Teams,C002,active',
  );
  await groups(
    'GC1,G1,One,available',
    'GC1,G2,Two,available',
    'GC2,L1,Lab,available',
    'GC3,X1,One,available',
  );
  await enrol('C001,U001,student,active', 'C001,U002,student,active', 'C001,U003,teacher,active');
});

const groups = (...rows: string[]) => client.csv('group_category_id,group_id,name,status', ...rows);
const enrol = (...rows: string[]) => client.csv('course_id,user_id,role,status', ...rows);
const put = (...rows: string[]) => client.csv('group_id,user_id,status', ...rows);
const json = (path: string, method: string, body?: object) =>
  client.fetch(path, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });

/** Reads the SIS IDs of a group's members. */
async function members(group: string): Promise<string[]> {
  const users = await client.json<{ sis_user_id: string }[]>(`/groups/sis_group_id:${group}/users`);
  return users.map(({ sis_user_id }) => sis_user_id).sort((a, b) => a.localeCompare(b));
}
const groupsOf = (category: string) =>
  client.json<{ id: number; name: string; sis_group_id: string; members_count: number }[]>(
    `/group_categories/sis_group_category_id:${category}/groups`,
  );

describe('§15.1 where a group belongs', () => {
  test('§15.1 the same id in another category of the course silently moves the group with its members', async () => {
    await put('G1,U001,accepted', 'G1,U002,accepted');
    const [before] = await groupsOf('GC1');
    const read = await groups('GC2,G1,One,available');
    expect(read.workflow_state).toBe('imported');
    const moved = (await groupsOf('GC2')).find(({ sis_group_id }) => sis_group_id === 'G1');
    expect(moved).toMatchObject({ id: before?.id, members_count: 2 });
    expect((await groupsOf('GC1')).map(({ name }) => name)).toEqual(['Two']);
  });

  test('§15.1 a group moves to another course only while it is empty', async () => {
    await put('G1,U001,accepted');
    const held = await groups('GC3,G1,One more,available');
    expect(warnings(held)).toEqual(['Cannot move group G1 because it has group_memberships.']);
    await put('G1,U001,deleted');
    expect(warnings(await groups('GC3,G1,One more,available'))).toEqual([]);
    expect((await groupsOf('GC3')).map(({ name }) => name)).toEqual(['One', 'One more']);
  });

  test('§15.1 a category is found only by its SIS ID, and if a course is named, only in that course', async () => {
    const made = await client.json<{ id: number }>('/courses/sis_course_id:C001/group_categories', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By hand' }),
    });
    expect(warnings(await groups(`${made.id},G9,Nine,available`))).toEqual([
      `Group Category ${made.id} didn't exist for group G9.`,
    ]);
    await json(`/group_categories/${made.id}`, 'PUT', { sis_group_category_id: 'BY-HAND' });
    expect(warnings(await groups('BY-HAND,G9,Nine,available'))).toEqual([]);
    const elsewhere = await client.csv(
      'group_category_id,group_id,name,status,course_id',
      'GC1,G8,Eight,available,C002',
    );
    expect(warnings(elsewhere)).toEqual(["Group Category GC1 didn't exist in course C002 for group G8."]);
  });

  test('§15.1 a group that is deleted and then listed again is the same group, restored', async () => {
    const [before] = await groupsOf('GC1');
    await groups('GC1,G1,One,deleted');
    expect(await groupsOf('GC1')).toHaveLength(1);
    const read = await groups('GC1,G1,One,available');
    expect(read.data.statistics['Group']).toMatchObject({ created: 0, restored: 1 });
    expect((await groupsOf('GC1'))[0]?.id).toBe(before?.id);
  });

  test('§15.1 two active categories of a course cannot share a name; the last name for an id counts', async () => {
    const header = 'group_category_id,category_name,course_id,status';
    const taken =
      'A group category did not pass validation (group category: GC9, error: Name Teams is already in use.)';
    expect(warnings(await client.csv(header, 'GC9,Teams,C001,active'))).toEqual([taken]);
    const twice = await client.csv(header, 'GC9,Nines,C001,active', 'GC9,Tens,C001,active');
    expect(twice.data.counts['group_categories']).toBe(2);
    // While the first is deleted its name is free; later, the first cannot be restored under that name.
    await client.csv(header, 'GC1,Teams,C001,deleted');
    await client.csv(header, 'GC9,Teams,C001,active');
    expect(warnings(await client.csv(header, 'GC1,Teams,C001,active'))).toEqual([
      taken.replace('GC9', 'GC1'),
    ]);
  });

  test('§15.2 a category deleted by file keeps its groups; one deleted by hand loses them', async () => {
    const listed = async () =>
      (await client.json<{ name: string }[]>('/courses/sis_course_id:C001/groups')).map(({ name }) => name);
    await client.csv('group_category_id,category_name,course_id,status', 'GC2,Labs,C001,deleted');
    expect(await listed()).toEqual(['Lab', 'One', 'Two']);
    const [one] = await groupsOf('GC1');
    await json('/group_categories/sis_group_category_id:GC1', 'DELETE');
    expect(await listed()).toEqual(['Lab']);
    expect((await client.fetch(`/groups/${one?.id}/memberships`)).status).toBe(404);
  });

  test('§15.1 a group renamed by hand keeps its name', async () => {
    await json('/groups/sis_group_id:G1', 'PUT', { name: 'Our own' });
    await groups('GC1,G1,One,available');
    expect((await groupsOf('GC1')).map(({ name }) => name)).toEqual(['Our own', 'Two']);
  });
});

describe('§15.2 members', () => {
  test('§15.2 one group per category: joining another group leaves the first, without a message', async () => {
    await put('G1,U001,accepted', 'L1,U001,accepted');
    const read = await put('G2,U001,accepted');
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts['group_memberships']).toBe(1);
    expect(read.data.statistics['GroupMembership']).toMatchObject({ created: 1, deleted: 0 });
    expect([await members('G1'), await members('G2'), await members('L1')]).toEqual([[], ['U001'], ['U001']]);
    // After the undo, the person is in neither group.
    await client.restore(read.id);
    expect([await members('G1'), await members('G2')]).toEqual([[], []]);
  });

  test('§15.2 of two rows in one file, the last one counts', async () => {
    const read = await put('G1,U001,accepted', 'G2,U001,accepted');
    expect(read.data.counts['group_memberships']).toBe(2);
    expect([await members('G1'), await members('G2')]).toEqual([[], ['U001']]);
  });

  test('§15.2 student groups and communities can share people', async () => {
    await client.csv('course_id,group_id,name,status', 'C001,S1,Own,available', 'C001,S2,Own too,available');
    await client.csv('group_id,name,status', 'K1,Club,available', 'K2,Other club,available');
    await put('S1,U001,accepted', 'S2,U001,accepted', 'K1,U001,accepted', 'K2,U001,accepted');
    for (const group of ['S1', 'S2', 'K1', 'K2']) expect(await members(group)).toEqual(['U001']);
  });

  test('§15.2 a full group accepts no new members, whether the limit is its own or its category’s', async () => {
    await put('G1,U001,accepted', 'G1,U002,accepted', 'L1,U001,accepted', 'L1,U002,accepted');
    await json('/groups/sis_group_id:G1', 'PUT', { max_membership: 2 });
    await json('/group_categories/sis_group_category_id:GC2', 'PUT', { group_limit: 2 });
    const read = await put('G1,U003,accepted', 'L1,U003,accepted', 'G1,U001,accepted');
    expect(warnings(read)).toEqual(
      ['G1', 'L1'].map(
        (group) =>
          `A group user did not pass validation (user: U003, group: ${group}, error: Group The group is full.)`,
      ),
    );
    expect(await groupsOf('GC2')).toMatchObject([{ is_full: true }]);
    const both = ['U001', 'U002'];
    expect([await members('G1'), await members('L1')]).toEqual([both, both]);
    // An existing member is not a new one.
    await json('/groups/sis_group_id:G1', 'PUT', { max_membership: 3 });
    await put('G1,U003,accepted', 'G1,U003,deleted');
    await json('/groups/sis_group_id:G1', 'PUT', { max_membership: 2 });
    expect(warnings(await put('G1,U003,accepted'))).toEqual([]);
  });

  test('§15.2 teachers, inactive and completed people can be added; people outside the course cannot', async () => {
    await enrol('C001,U001,student,inactive', 'C001,U002,student,completed');
    expect(warnings(await put('G1,U001,accepted', 'G1,U002,accepted', 'G1,U003,accepted'))).toEqual([]);
    expect(await members('G1')).toEqual(['U001', 'U002', 'U003']);
    expect(warnings(await put('X1,U001,accepted'))).toEqual([
      "User U001 doesn't have an enrollment in the course of group X1.",
    ]);
  });

  test('§15.2 a membership ends with the last enrolment that is not deleted; a completed enrolment keeps it', async () => {
    await enrol('C001,U001,ta,active');
    await put('G1,U001,accepted', 'G2,U002,accepted');
    await enrol('C001,U001,ta,completed', 'C001,U001,student,deleted');
    expect(await members('G1')).toEqual(['U001']);
    const read = await enrol('C001,U001,ta,deleted', 'C001,U002,student,deleted');
    expect([await members('G1'), await members('G2')]).toEqual([[], []]);
    expect(read.data.statistics['GroupMembership']).toMatchObject({ deleted: 2 });
    expect(warnings(await put('G1,U001,deleted'))).toEqual([
      "User U001 doesn't have an enrollment in the course of group G1.",
    ]);
  });

  test('§15.2 deleting an enrolment by hand also ends the membership', async () => {
    await put('G1,U001,accepted');
    const [enrolled] = await client.json<{ id: number }[]>(
      '/courses/sis_course_id:C001/enrollments?sis_user_id[]=U001',
    );
    await json(`/courses/sis_course_id:C001/enrollments/${enrolled?.id}?task=conclude`, 'DELETE');
    expect(await members('G1')).toEqual(['U001']);
    await json(`/courses/sis_course_id:C001/enrollments/${enrolled?.id}?task=delete`, 'DELETE');
    expect(await members('G1')).toEqual([]);
  });

  test('§15.2 a membership that is removed and then listed again is the same one, restored', async () => {
    const ids = async () =>
      (await client.json<{ id: number }[]>('/groups/sis_group_id:G1/memberships')).map(({ id }) => id);
    await put('G1,U001,accepted');
    const before = await ids();
    await put('G1,U001,deleted');
    expect(await ids()).toEqual([]);
    const read = await put('G1,U001,accepted');
    expect(read.data.statistics['GroupMembership']).toMatchObject({ created: 0, restored: 1 });
    expect(await ids()).toEqual(before);
  });

  test('§15.2 deleting a group ends its memberships, and rows that name it are still accepted', async () => {
    await put('G1,U001,accepted');
    const read = await groups('GC1,G1,One,deleted');
    expect(read.data.statistics['GroupMembership']).toMatchObject({ deleted: 1 });
    const again = await put('G1,U002,accepted');
    expect([again.workflow_state, again.data.counts['group_memberships']]).toEqual(['imported', 1]);
  });
});
