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
});

describe('§9.6 group_categories.csv', () => {
  const HEADER = 'group_category_id,account_id,category_name,status,course_id';

  test('§9.6 skips invalid rows', async () => {
    const read = await client.csv(
      HEADER,
      'GC001,A001,Group Cat 1,active,',
      'GC002,A001,Group Cat 2,blerged,',
      'GC003,A001,,active,',
      'GC004,invalid,Group Cat 4,active,',
      'GC004,invalid,Group Cat 4,active,invalid',
      'GC005,,Group Cat 5,active,invalid',
      'GC006,A001,Group Cat 6,,',
      ',A001,G1,active,',
      'GC007,A001,Group Cat 1,active,',
    );
    expect(warnings(read)).toEqual([
      'Improper status "blerged" for group category GC002, skipping',
      'No name given for group category GC003',
      'Account with id "invalid" didn\'t exist for group category GC004',
      'Only one context is allowed and both course_id and account_id where provided for group category GC004.',
      'Course with id "invalid" didn\'t exist for group category GC005',
      'No status given for group category GC006',
      'No sis_id given for a group category',
      'A group category did not pass validation (group category: GC007, error: Name Group Cat 1 is already in use.)',
    ]);
    expect(read.data.counts['group_categories']).toBe(1);
  });

  test('§9.6 a category with groups cannot move', async () => {
    await client.csv(HEADER, 'GC001,,Teams,active,C001');
    await client.csv('group_id,group_category_id,name,status', 'G1,GC001,Team 1,available');
    const read = await client.csv(HEADER, 'GC001,,Teams,active,C002');
    expect(warnings(read)).toEqual(['Cannot move group category GC001 because it has groups in it.']);
  });
});

describe('§9.6 groups.csv', () => {
  test('§9.6 skips invalid rows', async () => {
    const read = await client.csv(
      'group_id,account_id,name,status,group_category_id,course_id',
      'G001,A001,Group 1,available,,',
      'G001,,Group 1,available,,invalid',
      'G001,invalid,Group 1,available,,invalid',
      'G002,A001,Group 2,active,,',
      'G003,A001,,available,,',
      'G004,A004,Group 4,available,,',
      ',A001,G1,available,,',
      'G006,A001,Group 6,available,invalid,',
      'G007,,Group 7,available,invalid,C001',
      'G008,,Group 8,available,invalid,',
      'G009,A001,Group 9,Closed,,',
    );
    expect(warnings(read)).toEqual([
      "Course with sis id invalid didn't exist for group G001.",
      'Only one context is allowed and both course_id and account_id where provided for group G001.',
      'Improper status "active" for group G002.',
      'No name given for group G003.',
      "Account with sis id A004 didn't exist for group G004.",
      'No group_id given for a group.',
      "Group Category invalid didn't exist in account A001 for group G006.",
      "Group Category invalid didn't exist in course C001 for group G007.",
      "Group Category invalid didn't exist for group G008.",
    ]);
    expect(read.data.counts['groups']).toBe(2);
  });

  test('§9.6 a group takes the context of its category; deleting the group deletes its memberships', async () => {
    await client.csv('group_category_id,category_name,course_id,status', 'GC1,Teams,C001,active');
    await client.csv('group_category_id,group_id,name,status', 'GC1,G1,Team 1,available');
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    await client.csv('group_id,user_id,status', 'G1,U001,accepted');
    const moved = await client.csv('group_id,course_id,name,status', 'G1,C002,Team 1,available');
    expect(warnings(moved)).toEqual(['Cannot move group G1 because it has group_memberships.']);
    const listed = await client.json('/group_categories/sis_group_category_id:GC1/groups');
    expect(listed).toMatchObject([
      { name: 'Team 1', sis_group_id: 'G1', context_type: 'Course', members_count: 1 },
    ]);
    const read = await client.csv('group_category_id,group_id,name,status', 'GC1,G1,Team 1,deleted');
    expect(read.data.statistics).toMatchObject({ Group: { deleted: 1 }, GroupMembership: { deleted: 1 } });
  });
});

describe('§9.6 groups_membership.csv', () => {
  const HEADER = 'group_id,user_id,status';

  test('§9.6 skips invalid rows; the user is checked before the group', async () => {
    await client.csv('group_id,name,status', 'G001,Group 1,available');
    const read = await client.csv(
      HEADER,
      ',U001,accepted',
      'G001,,accepted',
      'G001,U001,active',
      'NONE,NOBODY,accepted',
      'NONE,U001,accepted',
      'G001,U001,accepted',
    );
    expect(warnings(read)).toEqual([
      'No group_id given for a group user',
      'No user_id given for a group user',
      'Improper status "active" for a group user',
      "User NOBODY didn't exist for group user",
      "Group NONE didn't exist for group user",
    ]);
    expect(read.data.counts['group_memberships']).toBe(1);
  });

  test('§9.6 without an enrolment in the course, even a removal is rejected', async () => {
    await client.csv('group_id,course_id,name,status', 'G002,C001,Group 2,available');
    const read = await client.csv(HEADER, 'G002,U001,accepted', 'G002,U001,deleted');
    const text = "User U001 doesn't have an enrollment in the course of group G002.";
    expect(warnings(read)).toEqual([text, text]);
  });
});

describe('§9.7 admins.csv', () => {
  const HEADER = 'user_id,account_id,role_id,role,status';

  test('§9.7 rejected rows have the documented messages', async () => {
    const read = await client.csv(
      HEADER,
      ',A001,,AccountAdmin,active',
      'U001,A001,,AccountAdmin,',
      'U001,A001,,,active',
      'U001,A001,,AccountAdmin,activexyz',
      'U001,NONE,,AccountAdmin,active',
      'U001,A001,,invalid role,active',
      'U001,A001,9999,,active',
      'NOBODY,A001,,AccountAdmin,active',
    );
    expect(warnings(read)).toEqual([
      'No user_id given for admin',
      'No status given for admin',
      'No role_id or role given for admin',
      'Invalid status activexyz for admin',
      'Invalid account_id given for admin',
      "Invalid role 'invalid role' for admin",
      "Invalid role_id '9999' for admin",
      "Invalid or unknown user_id 'NOBODY' for admin",
    ]);
  });

  test('§9.7 admins are created and removed, but not removed if no import created them', async () => {
    const read = await client.csv(HEADER, 'U001,A001,1,,active', 'U002,,,AccountAdmin,Active');
    expect(read.data.counts['admins']).toBe(2);
    expect(read.data.statistics['AccountUser']).toMatchObject({ created: 2 });
    const gone = await client.csv(HEADER, 'U001,A001,1,,deleted');
    expect(gone.data.statistics['AccountUser']).toMatchObject({ deleted: 1 });
    const byHand = client.world.accountUsers.by.user.get(
      client.world.pseudonyms.by.sis.get('U002')?.user_id,
    )[0];
    if (!byHand) throw new Error('no admin');
    client.world.accountUsers.change(byHand, { sis_batch_id: null });
    const kept = await client.csv(HEADER, 'U002,,,AccountAdmin,deleted');
    expect(kept.data.counts['admins']).toBe(1);
    expect(byHand.workflow_state).toBe('active');
  });
});

describe('§9.7 user_observers.csv', () => {
  test('§9.7 rows have the documented messages and effects', async () => {
    const read = await client.csv(
      'observer_id,student_id,status',
      ',U002,active',
      'U001,,active',
      'U001,U001,active',
      'U001,U002,activexyz',
      'NOBODY,U002,active',
      'U001,NOBODY,active',
      'U001,U002,deleted',
      'U001,U002,active',
    );
    expect(warnings(read)).toEqual([
      'No observer_id given for a user observer',
      'No user_id given for a user observer',
      "Can't observe yourself user U001",
      'Improper status "activexyz" for a user_observer',
      'An observer referenced a non-existent user NOBODY',
      'A student referenced a non-existent user NOBODY',
      "Can't delete a non-existent observer for observer: U001, student: U002",
    ]);
    expect(read.data.counts['user_observers']).toBe(1);
    expect(read.data.statistics['UserObserver']).toMatchObject({ created: 1 });
  });
});

describe('§9.7 change_sis_id.csv', () => {
  const HEADER = 'old_id,new_id,type,old_integration_id,new_integration_id';

  test('§9.7 rejected rows have the documented messages', async () => {
    const read = await client.csv(
      HEADER,
      'U001,NEW,,,',
      ',NEW,user,,',
      'U001,,user,,',
      'U001,NEW,banana,,',
      'U001,U002,user,,',
      'C001,C002,course,,',
      'NONE,NEW,course,,',
      ',NEW,course,NONE,',
      'G1,NEW,group_category,,I1',
    );
    expect(warnings(read)).toEqual([
      'No type given for change_sis_id',
      'No old_id or old_integration_id given for change_sis_id',
      'No new_id or new_integration_id given for change_sis_id',
      "Invalid type 'banana' for change_sis_id",
      "A new_id, 'U002', referenced an existing user and the user with sis_user_id 'U001' was not updated",
      "A new_id, 'C002', referenced an existing course and the course with sis_source_id 'C001' was not updated",
      "An old_id, 'NONE', referenced a non-existent course and was not changed.",
      "An old_integration_id, 'NONE', referenced a non-existent course and was not changed.",
      'Group categories should not have integration IDs.',
    ]);
  });

  test('§9.7 changes ids, and <delete> clears an integration id', async () => {
    const read = await client.csv(HEADER, 'U001,P001,User,,I1', 'C001,K001,course,,', 'P001,,user,,<delete>');
    expect(read.data.counts['change_sis_ids']).toBe(3);
    expect((await client.fetch('/users/sis_user_id:P001/profile')).status).toBe(200);
    expect((await client.fetch('/courses/sis_course_id:K001')).status).toBe(200);
    expect(client.world.pseudonyms.by.sis.get('P001')?.integration_id).toBeNull();
  });
});
