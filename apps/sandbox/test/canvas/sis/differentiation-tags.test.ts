/** Files with differentiation tags, a feature that the school has not enabled (reference §8.1, §15.3). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, smallSchool, warnings, zip } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
  await smallSchool(client);
});
afterAll(() => client.sandbox.close());

const notEnabled = () =>
  `Differentiation Tags are not enabled for Account ${client.world.courses.by.sis.get('C001')?.account_id}.`;

test('§15.3 for tag sets, the usual checks come first, then the message that tags are not available', async () => {
  const read = await client.csv(
    'tag_set_id,course_id,set_name,status',
    'TS1,C001,Set,active',
    'TS2,C001,Set,blerged',
    'TS3,C001,,active',
    'TS4,,Set,active',
    ',C001,Set,active',
    'TS6,C999,Set,active',
    'TS7,C001,Set,',
  );
  expect(warnings(read)).toEqual([
    notEnabled(),
    'Improper status "blerged" for differentiation tag set TS2, skipping',
    'No name given for differentiation tag set TS3',
    'No course_id given for differentiation tag set TS4',
    'No sis_id given for a differentiation tag set',
    'Course with id "C999" didn\'t exist for differentiation tag set TS6',
    'No status given for differentiation tag set TS7',
  ]);
  expect(read.workflow_state).toBe('imported_with_messages');
  expect(read.data.supplied_batches).toEqual(['differentiation_tag_set']);
  expect(read.data.counts['differentiation_tag_sets']).toBe(0);
});

test('§15.3 rows for tags and their people have the documented messages', async () => {
  const tags = await client.csv(
    'tag_id,tag_set_id,course_id,name,status',
    'T1,,C001,Tag,available',
    'T2,,C999,Tag,available',
    'T3,,C001,Tag,active',
    'T4,,C001,,available',
    ',,C001,Tag,available',
    'T6,TS9,,Tag,available',
    'T7,,,Tag,available',
  );
  expect(warnings(tags)).toEqual([
    notEnabled(),
    "Course with sis id C999 didn't exist for differentiation tag T2.",
    'Improper status "active" for differentiation tag T3.',
    'No name given for differentiation tag T4.',
    'No tag_id given for a differentiation tag.',
    "Differentiation Tag Set TS9 didn't exist for differentiation tag T6.",
    'No tag_set_id or course_id given for differentiation tag T7. At least one is required for new tags.',
  ]);
  const people = await client.csv(
    'tag_id,user_id,status',
    ',U001,accepted',
    'T1,,accepted',
    'T1,U001,bogus',
    'T1,U999,accepted',
    'T1,U001,accepted',
  );
  expect(warnings(people)).toEqual([
    'No tag_id given for a differentiation tag user',
    'No user_id given for a differentiation tag user',
    'Improper status "bogus" for a differentiation tag user',
    "User U999 didn't exist for differentiation tag user",
    "Differentiation tag T1 didn't exist for differentiation tag user",
  ]);
});

test('§8.1 each kind of tag file is processed after the matching group file; other imports do not count tags', async () => {
  const read = await client.import(
    zip({
      'a.csv': 'tag_id,user_id,status\nT1,U001,accepted\n',
      'b.csv': 'tag_id,name,status\nT1,Tag,available\n',
      'c.csv': 'group_id,user_id,status\nG1,U001,accepted\n',
      'd.csv': 'tag_set_id,set_name,status\nTS1,Set,active\n',
      'e.csv': 'group_id,name,status\nG1,One,available\n',
      'f.csv': 'group_category_id,category_name,status\nGC,Cat,active\n',
    }),
    {},
    'all.zip',
  );
  expect(read.data.supplied_batches).toEqual([
    'group_category',
    'differentiation_tag_set',
    'group',
    'differentiation_tag',
    'group_membership',
    'differentiation_tag_membership',
  ]);
  const users = await client.csv('user_id,login_id,status', 'U001,user1,active');
  expect(Object.keys(users.data.counts).filter((name) => name.includes('tag'))).toEqual([]);
});
