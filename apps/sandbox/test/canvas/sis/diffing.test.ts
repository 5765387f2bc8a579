/** Data sets with comparison, for more than enrolments (reference §7.1, §11, §18.3). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, errors, type SisImport, smallSchool, zip } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(async () => {
  client.sandbox.reset();
  await smallSchool(client);
});

const set = (lines: string[], params: Record<string, string> = {}, name = 'SET') =>
  client.import(`${lines.join('\n')}\n`, { diffing_data_set_identifier: name, ...params });
const counts = ({ data }: SisImport) => data.counts;

/** Reads the applied files, unchanged. */
async function applied(read: SisImport): Promise<string[]> {
  const files = read.diffed_csv_attachments ?? [];
  return Promise.all(files.map(async ({ url }) => (await fetch(url)).text()));
}

const USERS = 'user_id,login_id,full_name,status';
const ANN = 'U1,u1,Ann,active';
const BEN = 'U2,u2,Ben,active';
const loginOf = (id: string) => client.world.pseudonyms.by.sis.get(id)?.workflow_state;

describe('§11 comparison', () => {
  test('the first import of a data set is applied completely; the next applies only its differences, and names the import it was compared with', async () => {
    const first = await set([USERS, ANN, BEN]);
    expect(first).toMatchObject({
      diffing_data_set_identifier: 'SET',
      diffed_against_import_id: null,
      diffing_threshold_exceeded: false,
    });
    expect(first.diffed_csv_attachments ?? []).toEqual([]);
    expect(first.data).not.toHaveProperty('diffed_against_sis_batch_id');
    const second = await set([USERS, ANN, 'U2,u2,Benjamin,active', 'U3,u3,Cy,active']);
    expect(second.data).toMatchObject({ diffed_against_sis_batch_id: first.id });
    expect(await applied(second)).toEqual([`${USERS}\nU2,u2,Benjamin,active\nU3,u3,Cy,active\n`]);
    expect(counts(second)['users']).toBe(2);
    // The complete file is kept: the next one is compared with all of it.
    const [kept] = second.csv_attachments ?? [];
    expect(await (await fetch(kept?.url ?? '')).text()).toContain(ANN);
    const third = await set([USERS, ANN, 'U2,u2,Benjamin,active', 'U3,u3,Cy,active']);
    expect([third.workflow_state, counts(third)['users']]).toEqual(['imported', 0]);
    expect(third.data).toMatchObject({ diffed_against_sis_batch_id: second.id });
  });

  test('the threshold of rows counts the differences in all files, and the message names no file', async () => {
    const sections = 'section_id,course_id,name,status';
    const files = (n: number) =>
      zip({
        'users.csv': `${USERS}\n${ANN}\n${n > 0 ? `U${n}9,u${n}9,New,active\n` : ''}`,
        'sections.csv': `${sections}\n1B,C001,Sec1,active\n${n > 0 ? `S${n},C001,New,active\n` : ''}`,
      });
    const params = { diffing_data_set_identifier: 'ZIP' };
    await client.import(files(0), params, 'set.zip');
    const two = await client.import(files(1), { ...params, diff_row_count_threshold: '1' }, 'set.zip');
    expect(two).toMatchObject({
      workflow_state: 'imported_with_messages',
      diffing_threshold_exceeded: true,
      processing_warnings: [[null, 'Diffing not performed because difference row count exceeded threshold']],
    });
    // Everything was applied instead.
    expect([counts(two)['users'], counts(two)['sections']]).toEqual([2, 2]);
    const enough = await client.import(files(2), { ...params, diff_row_count_threshold: '4' }, 'set.zip');
    expect(enough).toMatchObject({ workflow_state: 'imported', diffing_threshold_exceeded: false });
  });

  test('data sets are independent, and a failed import is not used for comparison', async () => {
    const first = await set([USERS, ANN, BEN]);
    const other = await set([USERS, ANN], {}, 'OTHER');
    expect(other.data).not.toHaveProperty('diffed_against_sis_batch_id');
    const failed = await set([USERS, '"U9,u9,Broken,active']);
    expect(failed.workflow_state).toBe('failed_with_messages');
    const next = await set([USERS, BEN]);
    expect(next.data).toMatchObject({ diffed_against_sis_batch_id: first.id });
    expect([loginOf('U1'), loginOf('U2')]).toEqual(['deleted', 'active']);
  });

  test('a file with other columns is applied completely, and a message says why', async () => {
    await set([USERS, ANN, BEN]);
    const wider = await set([`${USERS},short_name`, 'U2,u2,Ben,active,B']);
    expect(counts(wider)['users']).toBe(1);
    expect(wider.processing_warnings?.[0]?.[1]).toBe(
      "Couldn't generate diff: CSV headers do not match, cannot diff",
    );
    expect(loginOf('U1')).toBe('active');
  });

  test('several files of one kind are compared by name; with other names they are applied completely', async () => {
    const params = { diffing_data_set_identifier: 'ZIP' };
    const send = (files: Record<string, string>) => client.import(zip(files), params, 'both.zip');
    const [ann, ben] = [`${USERS}\n${ANN}\n`, `${USERS}\n${BEN}\n`];
    await send({ 'a.csv': ann, 'b.csv': ben });
    expect(counts(await send({ 'a.csv': ann, 'b.csv': ben }))['users']).toBe(0);
    const other = await send({ 'a.csv': ann, 'c.csv': ben });
    expect(counts(other)['users']).toBe(2);
    expect(other.processing_warnings).toEqual([
      ['a.csv', 'Unable to perform diffing against mismatched previous and current user imports'],
    ]);
  });

  test('neither the order of columns nor spaces around cells make a difference; of equal ids, the last one counts', async () => {
    await set([USERS, ANN, BEN]);
    const turned = USERS.split(',').toReversed();
    const again = await set([
      turned.join(','),
      ANN.split(',').toReversed().join(' , '),
      BEN.split(',').toReversed().join(','),
    ]);
    expect(counts(again)['users']).toBe(0);
    const twice = await set([USERS, ANN, 'U2,u2,Benno,active', 'U2,u2,Benedict,active']);
    expect(counts(twice)['users']).toBe(1);
  });
});

describe('§11 missing rows', () => {
  test('people are deleted, or suspended on request', async () => {
    await set([USERS, ANN, BEN]);
    await set([USERS, BEN], { diffing_user_remove_status: 'suspended' });
    expect([loginOf('U1'), loginOf('U2')]).toEqual(['suspended', 'active']);
    const none = await set([USERS]);
    expect(await applied(none)).toEqual([`${USERS}\nU2,u2,Ben,deleted\n`]);
    expect(loginOf('U2')).toBe('deleted');
  });

  test('members leave their groups, and sections and groups are deleted, whatever the option for enrolments', async () => {
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active', 'C001,U002,student,active');
    const archive = (members: string[], groups: string[], sections: string[]) =>
      client.import(
        zip({
          'members.csv': ['group_id,user_id,status', ...members, ''].join('\n'),
          'groups.csv': ['group_id,course_id,name,status', ...groups, ''].join('\n'),
          'sections.csv': ['section_id,course_id,name,status', ...sections, ''].join('\n'),
        }),
        { diffing_data_set_identifier: 'G', diffing_drop_status: 'inactive' },
        'set.zip',
      );
    await archive(
      ['G1,U001,accepted', 'G1,U002,accepted'],
      ['G1,C001,One,available', 'G2,C001,Two,available'],
      ['S1,C001,One,active', 'S2,C001,Two,active'],
    );
    const less = await archive(['G1,U001,accepted'], ['G1,C001,One,available'], ['S1,C001,One,active']);
    expect(less.workflow_state).toBe('imported');
    expect(counts(less)).toMatchObject({ group_memberships: 1, groups: 1, sections: 1 });
    const people = await client.json<{ sis_user_id: string }[]>('/groups/sis_group_id:G1/users');
    expect(people.map(({ sis_user_id }) => sis_user_id)).toEqual(['U001']);
    const { groups, sections } = client.world;
    expect(groups.by.sis.get('G2')?.workflow_state).toBe('deleted');
    expect(sections.by.sis.get('S2')?.workflow_state).toBe('deleted');
    // This import can be undone like any other.
    expect((await client.restore(less.id)).workflow_state).toBe('restored');
    expect(groups.by.sis.get('G2')?.workflow_state).toBe('available');
  });

  test('enrolments become inactive or completed on request', async () => {
    const header = 'course_id,user_id,role,status';
    const one = 'C001,U001,student,active';
    const states: string[] = [];
    for (const status of ['inactive', 'completed']) {
      await set([header, one, 'C001,U002,student,active'], {}, status);
      await set([header, one], { diffing_drop_status: status }, status);
      const user = client.world.pseudonyms.by.sis.get('U002')?.user_id ?? 0;
      states.push(...client.world.enrollments.by.user.get(user).map((each) => each.workflow_state));
    }
    expect(states).toEqual(['inactive', 'completed']);
  });
});

describe('§7.1 the options', () => {
  test('a name of more than 128 characters is cut off; batch mode prevents diffing', async () => {
    const long = await set([USERS, ANN], {}, 'x'.repeat(200));
    expect(long['diffing_data_set_identifier']).toBe('x'.repeat(128));
    const batch = await set([USERS, ANN], { batch_mode: '1', batch_mode_term_id: 'sis_term_id:T001' });
    expect(batch).toMatchObject({ diffing_data_set_identifier: null, diffing_drop_status: null });
    expect(batch).not.toHaveProperty('diffing_threshold_exceeded');
  });

  test('after six imports without a comparison the next one fails and applies nothing, until a remaster', async () => {
    await set([USERS, ANN]);
    for (let at = 0; at < 6; at++) await set([USERS, ANN, BEN], { change_threshold: '1' });
    const refused = await set([USERS, ANN, 'U3,u3,Cy,active']);
    expect(refused.workflow_state).toBe('failed_with_messages');
    expect(errors(refused)).toEqual([expect.stringContaining('A remaster is required.')]);
    expect(loginOf('U3')).toBeUndefined();
    const master = await set([USERS, ANN, BEN], { diffing_remaster_data_set: '1' });
    expect(master).toMatchObject({ workflow_state: 'imported', diffing_remaster: true });
    expect(counts(master)['users']).toBe(2);
    expect((await set([USERS, ANN])).data).toMatchObject({ diffed_against_sis_batch_id: master.id });
    expect(loginOf('U2')).toBe('deleted');
  });
});
