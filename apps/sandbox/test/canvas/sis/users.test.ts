import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

const HEADER = 'user_id,login_id,first_name,last_name,email,status';
const profile = (sisId: string) =>
  client.json<{
    id: number;
    name: string;
    sortable_name: string;
    short_name: string;
    login_id: string;
    primary_email: string;
  }>(`/users/sis_user_id:${sisId}/profile`);
const loginOf = (sisId: string) => {
  const login = client.world.pseudonyms.by.sis.get(sisId);
  if (!login) throw new Error(`no login ${sisId}`);
  return login;
};

describe('§9.1 users.csv', () => {
  test('§9.1 skips invalid rows', async () => {
    const read = await client.csv(
      HEADER,
      'U001,user1,User,Uno,user@example.com,active',
      'U002,,User,Dos,user2@example.com,active',
      ',user3,User,Tres,user3@example.com,active',
      'U004,user4,User,Cuatro,user4@example.com,',
      'U005,user5,User,Cinco,user5@example.com,enabled',
      'U006,us\0er6,User,Seis,user6@example.com,active',
    );
    expect(read.workflow_state).toBe('imported_with_messages');
    expect(read.progress).toBe(100);
    expect(warnings(read)).toEqual([
      'No login_id given for user U002',
      'No user_id given for a user',
      'No status given for user U004',
      'Improper status for user U005',
      'Some of the fields contain NULL character',
    ]);
    expect(read.data.counts).toMatchObject({ users: 1, warning_count: 5 });
  });

  test('§9.1 a person is named by first and last name, full name, short name or login, whichever the row has', async () => {
    await client.csv(
      'user_id,login_id,first_name,last_name,full_name,sortable_name,short_name,status',
      'N1,n1,Ann,Lee,,,,active',
      'N2,n2,Ann,Lee,Dr Ann B Lee,,,active',
      'N3,n3,,,,"Lee, Ann",,active',
      'N4,n4,,,,,Annie,active',
      'N5,n5,,,,,,active',
    );
    expect(await profile('N1')).toMatchObject({ name: 'Ann Lee', sortable_name: 'Lee, Ann' });
    expect(await profile('N2')).toMatchObject({ name: 'Dr Ann B Lee', sortable_name: 'Lee, Dr Ann B' });
    expect((await profile('N3')).name).toBe('Lee, Ann');
    expect((await profile('N4')).name).toBe('Annie');
    expect((await profile('N5')).name).toBe('n5');
  });

  test('§9.1 a login that has another SIS ID is skipped, unless the import has the option to change the ID', async () => {
    await client.csv(HEADER, 'U001,user1,User,Uno,,active');
    const read = await client.csv(HEADER, 'U002,USER1,User,Dos,,active');
    expect(warnings(read)).toEqual([
      "An existing Canvas user with the SIS ID U001 has already claimed U002's user_id requested login information, skipping",
    ]);
    const forced = await client.import(`${HEADER}\nU002,user1,User,Dos,,active\n`, {
      update_sis_id_if_login_claimed: 'true',
    });
    expect(forced.workflow_state).toBe('imported');
    expect((await profile('U002')).name).toBe('User Dos');
    expect((await client.fetch('/users/sis_user_id:U001/profile')).status).toBe(404);
  });

  test('§9.1 a login without an SIS ID is adopted, or identified by its Canvas id', async () => {
    await client.csv(HEADER, 'U001,user1,User,Uno,,active', 'U002,user2,User,Dos,,active');
    const free = loginOf('U001');
    client.world.pseudonyms.change(free, { sis_user_id: null });
    const taken = await client.csv(HEADER, 'U002,user1,User,Dos,,active');
    expect(warnings(taken)).toEqual([
      `An existing Canvas user with the Canvas ID ${free.user_id} has already claimed U002's user_id requested login information, skipping`,
    ]);
    await client.csv(HEADER, 'U009,User1,User,Nine,,active');
    expect(loginOf('U009').user_id).toBe(free.user_id);
  });

  test('§9.1 an integration ID is unique, and an empty cell keeps it', async () => {
    const header = 'user_id,login_id,status,integration_id';
    await client.csv(header, 'U001,user1,active,I1');
    const read = await client.csv(header, 'U002,user2,active,I1', 'U001,user1,active,');
    expect(warnings(read)).toEqual([
      "An existing Canvas user with the SIS ID U001 has already claimed U002's requested integration_id, skipping",
    ]);
    expect(loginOf('U001').integration_id).toBe('I1');
  });

  test('§9.1 errors that depend on the person', async () => {
    const read = await client.csv(
      'user_id,login_id,full_name,email,status,authentication_provider_id',
      'U001,user1,Ann,,active,999',
      'U002,us\u0007er2,Bob,,active,',
      `U003,user3,${'x'.repeat(256)},,active,`,
      'U004,user4,Dan,not an address,active,',
    );
    expect(warnings(read)).toEqual([
      'unrecognized authentication provider 999 for U001, skipping',
      "Could not save the user with user_id: 'U002'. Invalid login_id: 'us\u0007er2'",
      "Could not save the user with user_id: 'U003'. Unknown reason: name is too long (maximum is 255 characters)",
      "The email address associated with user 'U004' is invalid (email: 'not an address')",
    ]);
    // Only the invalid email is ignored; the person is created but not counted.
    expect(read.data.counts['users']).toBe(0);
    expect((await profile('U004')).name).toBe('Dan');
  });

  test('§9.1 the importing admin cannot be removed', async () => {
    const self = await client.json<{ id: number; login_id: string }>('/users/self/profile');
    await client.csv('user_id,login_id,status', `ME,${self.login_id},active`);
    const read = await client.csv('user_id,login_id,status', `ME,${self.login_id},deleted`);
    expect(warnings(read)).toEqual(["Can't remove yourself user_id 'ME'"]);
  });

  test('§9.1 deleting the last login ends enrolments; restoring the login does not restore them', async () => {
    await smallSchool(client);
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    const read = await client.csv('user_id,login_id,status', 'U001,user1,deleted');
    expect(read.data.statistics).toMatchObject({ Pseudonym: { deleted: 1 }, Enrollment: { deleted: 1 } });
    const again = await client.csv('user_id,login_id,status', 'U001,user1,deleted');
    expect(again.workflow_state).toBe('imported');
    expect(again.data.counts['users']).toBe(0);
    const back = await client.csv('user_id,login_id,status', 'U001,user1,active');
    expect(back.data.statistics['Pseudonym']).toMatchObject({ restored: 1 });
    expect(await client.json('/courses/sis_course_id:C001/users')).toEqual([]);
  });

  test('§9.1 a login is unique for each provider', async () => {
    const saml = client.world.authenticationProviders.add({ auth_type: 'saml', workflow_state: 'active' });
    const header = 'user_id,login_id,full_name,authentication_provider_id,status';
    await client.csv(header, 'P1,shared,One,canvas,active');
    const other = await client.csv(header, `P2,shared,Two,${saml.id},active`);
    expect(other.workflow_state).toBe('imported');
    expect(loginOf('P2')).toMatchObject({ unique_id: 'shared', authentication_provider_id: saml.id });
    const same = await client.csv(header, 'P3,shared,Three,canvas,active');
    expect(warnings(same)[0]).toContain('has already claimed P3');
  });

  test('§9.1 a row that deletes must name the person’s own login, not another’s', async () => {
    await client.csv(HEADER, 'D1,d1,Dora,One,,active', 'D2,d2,Dora,Two,,active');
    const refused = await client.csv(HEADER, 'D1,d2,Dora,One,,deleted');
    expect(warnings(refused)[0]).toContain('has already claimed D1');
    expect(loginOf('D1').workflow_state).toBe('active');
    await client.csv(HEADER, 'D1,d9,Dora,One,,deleted');
    expect(loginOf('D1').workflow_state).toBe('deleted');
  });

  test('§9.1 deleting an unknown person creates a deleted login', async () => {
    const read = await client.csv('user_id,login_id,status', 'NEW,new1,deleted');
    expect(read.data.counts['users']).toBe(1);
    expect(loginOf('NEW').workflow_state).toBe('deleted');
    expect(read.data.statistics['Pseudonym']).toEqual({ created: 0, restored: 0, deleted: 1 });
  });

  test('§9.1 suspending keeps the enrolments', async () => {
    await smallSchool(client);
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    await client.csv('user_id,login_id,status', 'U001,user1,suspended');
    expect(loginOf('U001').workflow_state).toBe('suspended');
    expect(await client.json<unknown[]>('/courses/sis_course_id:C001/users')).toHaveLength(1);
  });

  test('§7.1 skip_deletes ignores deleted rows', async () => {
    await client.csv('user_id,login_id,status', 'U001,user1,active');
    const read = await client.import('user_id,login_id,status\nU001,user1,deleted\nU002,user2,active\n', {
      skip_deletes: '1',
    });
    expect(read.data.counts).toMatchObject({ users: 1, warning_count: 0 });
    expect(loginOf('U001').workflow_state).toBe('active');
  });
});

describe('§9.1 states and types', () => {
  test('§7.2 a suspended login is not counted as created or restored', async () => {
    const of = async (status: string) => {
      const read = await client.csv(HEADER, `U001,user1,User,Uno,,${status}`);
      return read.data.statistics['Pseudonym'];
    };
    expect(await of('suspended')).toEqual({ created: 0, restored: 0, deleted: 0 });
    expect(await of('active')).toEqual({ created: 0, restored: 0, deleted: 0 });
    expect(await of('deleted')).toEqual({ created: 0, restored: 0, deleted: 1 });
    expect(await of('active')).toEqual({ created: 0, restored: 1, deleted: 0 });
  });

  test('§9.1 an unknown declared_user_type is rejected', async () => {
    const header = 'user_id,login_id,declared_user_type,status';
    const read = await client.csv(header, 'U001,user1,student,active', 'U002,user2,dean,active');
    expect(warnings(read)).toEqual([
      "Could not save the user with user_id: 'U002'. Unknown reason: declared_user_type is not included in the list",
    ]);
    expect(read.data.counts['users']).toBe(1);
  });
});

describe('§9.2 logins.csv', () => {
  const header = 'user_id,login_id,existing_user_id,existing_canvas_user_id,email';

  test('§9.2 a row adds another login to a person', async () => {
    await client.csv(HEADER, 'U001,user1,User,Uno,,active');
    const read = await client.csv(header, 'L1,second1,U001,,second@example.com');
    expect(read.data.supplied_batches).toEqual(['login']);
    expect(read.data.counts['logins']).toBe(1);
    expect(loginOf('L1').user_id).toBe(loginOf('U001').user_id);
  });

  test('§9.2 rejected rows have the documented messages', async () => {
    await client.csv(HEADER, 'U001,user1,User,Uno,,active', 'U002,user2,User,Dos,,active');
    const read = await client.csv(
      header,
      'L1,second1,,,',
      'U002,second1,U001,,',
      'L2,second2,GONE,,',
      `L3,second3,U001,${loginOf('U002').user_id},`,
    );
    expect(warnings(read)).toEqual([
      'No existing user provided for login with SIS ID L1',
      'An existing Canvas user with the SIS ID U002 or login of second1 already exists, skipping',
      'Could not find the existing user for login with SIS ID L2, skipping',
      'An existing user does not match existing user ids provided for login with SIS ID L3, skipping',
    ]);
  });
});
