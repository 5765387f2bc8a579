import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, errors, type SisImport, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(async () => {
  client.sandbox.reset();
  await smallSchool(client);
});

const ENROLMENTS = 'course_id,user_id,role,section_id,status';
const live = (course: string) => client.json<unknown[]>(`/courses/sis_course_id:${course}/users`);

async function expectNothingToRestore(id: number): Promise<void> {
  const answer = await client.fetch(`${client.imports}/${id}/restore_states`, { method: 'PUT' });
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'restore data unavailable' }]);
}

describe('§7.5 restore_states', () => {
  test('§7.5 everything is restored; what the import created is deleted', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const read = await client.csv(ENROLMENTS, 'C001,U001,student,1B,deleted', 'C001,U002,student,1B,active');
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U002' }]);
    const after = await client.restore(read.id);
    expect(after.workflow_state).toBe('restored');
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U001' }]);
    expect(after.data.statistics['Enrollment']).toMatchObject({ restored: 2 });
  });

  test('§7.5 undelete_only and unconclude_only restore only the states that they name', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active', 'C001,U002,student,1B,active');
    const read = await client.csv(
      ENROLMENTS,
      'C001,U001,student,1B,deleted',
      'C001,U002,student,1B,completed',
      'C001,U003,student,1B,active',
    );
    const undeleted = await client.restore(read.id, '?undelete_only=1');
    expect(undeleted.workflow_state).toBe('partially_restored');
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U003' }, { sis_user_id: 'U001' }]);
    await client.restore(read.id, '?unconclude_only=1');
    expect(await live('C001')).toHaveLength(3);
  });

  test('§7.5 dependent changes are restored: a deleted person with their enrolments and groups', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    await client.csv('group_id,course_id,name,status', 'G1,C001,Team,available');
    await client.csv('group_id,user_id,status', 'G1,U001,accepted');
    const read = await client.csv('user_id,login_id,email,status', 'U001,user1,user1@example.com,deleted');
    expect(await live('C001')).toEqual([]);
    await client.restore(read.id);
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U001' }]);
    expect(await client.json('/groups/sis_group_id:G1/memberships')).toHaveLength(1);
    expect(client.world.channels.by.path.get('user1@example.com')[0]?.workflow_state).toBe('active');
  });

  test('§7.5 the answer is a progress object; the two options exclude each other', async () => {
    const read = await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const url = `${client.imports}/${read.id}/restore_states`;
    const both = await client.fetch(`${url}?undelete_only=1&unconclude_only=1`, { method: 'PUT' });
    expect(both.status).toBe(400);
    expect(await both.json()).toEqual({ message: 'cannot set both undelete_only and unconclude_only' });
    expect(await client.json(url, { method: 'PUT' })).toMatchObject({
      tag: 'sis_batch_state_restore',
      context_type: 'SisBatch',
      context_id: read.id,
      workflow_state: 'queued',
    });
  });

  test('§7.5 names are not restored; a login whose name is in use again stays deleted, with a warning', async () => {
    const read = await client.csv('user_id,login_id,full_name,status', 'U003,user3,Other Name,deleted');
    await client.csv('user_id,login_id,status', 'U033,user3,active');
    const after = await client.restore(read.id);
    expect(after.workflow_state).toBe('restored');
    expect(warnings(after)[0]).toMatch(/^Couldn't rollback SIS batch data for row - /);
    const login = client.world.pseudonyms.by.sis.get('U003');
    expect(login?.workflow_state).toBe('deleted');
    expect(client.world.users.get(login?.user_id)?.name).toBe('Other Name');
  });

  test('§7.5 a membership is not restored if there is a newer one; the others are', async () => {
    await client.csv('group_id,name,status', 'GR,Again,available');
    await client.csv('group_id,user_id,status', 'GR,U001,accepted', 'GR,U002,accepted');
    const read = await client.csv('group_id,user_id,status', 'GR,U001,deleted', 'GR,U002,deleted');
    const { groups, groupMemberships, pseudonyms } = client.world;
    const groupId = groups.by.sis.get('GR')?.id ?? 0;
    const userId = pseudonyms.by.sis.get('U001')?.user_id ?? 0;
    const fields = { group_id: groupId, user_id: userId, moderator: false, sis_batch_id: null };
    groupMemberships.add({ ...fields, workflow_state: 'accepted' });
    const after = await client.restore(read.id);
    expect(warnings(after)).toEqual([expect.stringMatching(/^Couldn't rollback SIS batch data for row - /)]);
    const states = groupMemberships.by.group.get(groupId).map((each) => each.workflow_state);
    expect(states).toEqual(['deleted', 'accepted', 'accepted']);
  });

  test('§7.5 after 30 days the undo data has been deleted', async () => {
    const read = await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const batch = client.world.sisBatches.must(read.id);
    batch.created_at = '2020-01-01T00:00:00Z';
    await expectNothingToRestore(read.id);
    expect(await live('C001')).toHaveLength(1);
  });

  test('§18.1 an import that changed no state cannot be undone', async () => {
    const read = await client.csv('user_id,login_id,full_name,status', 'U001,user1,Another Name,active');
    await expectNothingToRestore(read.id);
    const first = await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const again = await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    await expectNothingToRestore(again.id);
    expect((await client.restore(first.id)).workflow_state).toBe('restored');
  });

  test('§18.1 a restored state is skipped by the next restore, whatever has happened to it since', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active', 'C001,U002,student,1B,active');
    const read = await client.csv(ENROLMENTS, 'C001,U001,student,1B,deleted', 'C001,U003,student,1B,active');
    const enrolled = async () =>
      ((await live('C001')) as { sis_user_id: string }[]).map((one) => one.sis_user_id).sort();
    const only = await client.restore(read.id, '?undelete_only=1');
    expect(only.workflow_state).toBe('partially_restored');
    expect(await enrolled()).toEqual(['U001', 'U002', 'U003']);
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,deleted');
    const whole = await client.restore(read.id);
    expect(whole.workflow_state).toBe('restored');
    expect(whole.data.statistics['Enrollment']).toMatchObject({ restored: 2 });
    // The rest is undone; a person who was restored earlier and has been removed since stays removed.
    expect(await enrolled()).toEqual(['U002']);
  });
});

describe('§11 batch mode', () => {
  const term = () => String(client.world.terms.by.sis.get('T001')?.id);

  test('§11 deletes objects that other imports added to the term and this one did not include', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active', 'C001,U002,student,1B,active');
    const read = await client.import(`${ENROLMENTS}\nC001,U001,student,1B,active\n`, {
      batch_mode: '1',
      batch_mode_term_id: 'sis_term_id:T001',
    });
    expect(read).toMatchObject({
      workflow_state: 'imported',
      batch_mode: true,
      batch_mode_term_id: Number(term()),
    });
    expect(read.data.counts).toMatchObject({ enrollments: 1, batch_enrollments_deleted: 1 });
    expect(read.data.counts).not.toHaveProperty('batch_courses_deleted');
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U001' }]);
    await client.restore(read.id, '?batch_mode=1');
    expect(await live('C001')).toHaveLength(2);
  });

  test('§11 deletes courses and sections together with their enrolments', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const read = await client.import(
      'course_id,short_name,long_name,term_id,status\nC002,TC 102,Test Course 102,T001,active\n',
      {
        batch_mode: '1',
        batch_mode_term_id: term(),
      },
    );
    expect(read.data.counts).toMatchObject({ batch_courses_deleted: 1 });
    expect(read.data.statistics).toMatchObject({ Course: { deleted: 1 }, Enrollment: { deleted: 1 } });
    expect((await client.fetch('/courses/sis_course_id:C001')).status).toBe(404);
  });

  test('§11 the drop status applies to enrolments that are missing', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const read = await client.import(`${ENROLMENTS}\nC001,U002,student,1B,active\n`, {
      batch_mode: '1',
      batch_mode_term_id: term(),
      batch_mode_enrollment_drop_status: 'completed',
    });
    expect(read.data.statistics['Enrollment']).toMatchObject({ concluded: 1, deleted: 0 });
  });

  test('§11 over the threshold, the import is aborted: its rows are applied, and nothing is deleted', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active', 'C001,U002,student,1B,active');
    const read = await client.import(`${ENROLMENTS}\nC001,U003,student,1B,active\n`, {
      batch_mode: '1',
      batch_mode_term_id: term(),
      change_threshold: '20',
    });
    expect(read.workflow_state).toBe('aborted');
    expect(warnings(read)).toEqual(['2 enrollments would be deleted and exceeds the set threshold of 20%']);
    expect(await live('C001')).toHaveLength(3);
  });

  test('§11 multi-term mode without terms is aborted', async () => {
    const read = await client.import(`${ENROLMENTS}\nC001,U001,student,1B,active\n`, {
      multi_term_batch_mode: '1',
      change_threshold: '50',
    });
    expect(read.workflow_state).toBe('aborted');
    expect(warnings(read)).toEqual(['Terms not found. Terms must be included with multi_term_batch_mode']);
  });

  test('§11 if both modes are requested, all terms in the file count, unless one term is named', async () => {
    const both = { batch_mode: '1', multi_term_batch_mode: '1', change_threshold: '50' };
    const all = await client.post(`${ENROLMENTS}\n`, 'data.csv', both);
    expect(await all.json()).toMatchObject({
      multi_term_batch_mode: true,
      batch_mode: true,
      batch_mode_term_id: null,
    });
    const one = await client.post(`${ENROLMENTS}\n`, 'data.csv', { ...both, batch_mode_term_id: term() });
    expect(await one.json()).toMatchObject({
      multi_term_batch_mode: null,
      batch_mode_term_id: Number(term()),
    });
    const { change_threshold: _, ...unlimited } = both;
    const refused = await client.post(`${ENROLMENTS}\n`, 'data.csv', unlimited);
    expect(await refused.json()).toEqual({
      message: 'change_threshold is required to use multi term_batch mode.',
    });
  });

  test('§11 a failed import does not delete anything', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const read = await client.import(`${ENROLMENTS}\n"C001,U002,student,1B,active\n`, {
      batch_mode: '1',
      batch_mode_term_id: term(),
    });
    expect(read.workflow_state).toBe('failed_with_messages');
    expect(await live('C001')).toHaveLength(1);
  });

  test('§11 a cross-listed section belongs to the term of its original course', async () => {
    await client.csv('term_id,name,status', 'TX,Elsewhere,active', 'TH,Home,active');
    await client.csv(
      'course_id,short_name,long_name,term_id,status',
      'CX,CX,Elsewhere,TX,active',
      'CH,CH,Home,TH,active',
    );
    await client.csv('section_id,course_id,name,status', 'SX,CH,One,active');
    await client.csv('xlist_course_id,section_id,status', 'CX,SX,active');
    const other = 'section_id,course_id,name,status\nSY,CH,Two,active\n';
    const options = { batch_mode: '1', batch_mode_term_id: 'sis_term_id:TX' };
    const elsewhere = await client.import(other, options);
    expect(elsewhere.data.counts['batch_sections_deleted']).toBe(0);
    const home = await client.import(other, { ...options, batch_mode_term_id: 'sis_term_id:TH' });
    expect(home.data.counts['batch_sections_deleted']).toBe(1);
    expect(client.world.sections.by.sis.get('SX')?.workflow_state).toBe('deleted');
  });
});

describe('§11 diffing', () => {
  const set = (lines: string[], params: Record<string, string> = {}) =>
    client.import(`${[ENROLMENTS, ...lines].join('\n')}\n`, { diffing_data_set_identifier: 'E', ...params });
  const A = 'C001,U001,student,1B,active';
  const B = 'C001,U002,student,1B,active';
  const C = 'C001,U003,student,1B,active';

  test('§11 imports only the differences, and deletes what is missing', async () => {
    const first = await set([A, B]);
    expect(first.data.counts['enrollments']).toBe(2);
    const second = await set([A, C]);
    expect(second).toMatchObject({
      diffed_against_import_id: null,
      diffing_threshold_exceeded: false,
    });
    expect(second.data).toMatchObject({ diffed_against_sis_batch_id: first.id });
    expect(second.data.counts['enrollments']).toBe(2);
    const text = await (await fetch(second.diffed_csv_attachments?.[0]?.url ?? '')).text();
    expect(text).toBe(`${ENROLMENTS}\n${C}\nC001,U002,student,1B,deleted\n`);
    expect(await live('C001')).toMatchObject([{ sis_user_id: 'U003' }, { sis_user_id: 'U001' }]);
    const third = await set([C], { diffing_drop_status: 'completed' });
    expect(third.data.statistics['Enrollment']).toMatchObject({ concluded: 1 });
  });

  test('§11 a remaster is not compared', async () => {
    await set([A, B]);
    const read = await set([A], { diffing_remaster_data_set: '1' });
    expect(read).toMatchObject({ diffing_remaster: true, diffed_against_import_id: null });
    expect(await live('C001')).toHaveLength(2);
  });

  test('§11 an import over a threshold is not compared, and too many of them in a row fail', async () => {
    await set([A]);
    const size = await set([A, B, C], { change_threshold: '10' });
    expect(size).toMatchObject({
      diffing_threshold_exceeded: true,
      workflow_state: 'imported_with_messages',
    });
    expect(warnings(size)).toEqual(['Diffing not performed because file size difference exceeded threshold']);
    const rows = await set([B, C], { diff_row_count_threshold: '1' });
    expect(warnings(rows)).toEqual(['Diffing not performed because difference row count exceeded threshold']);
    for (let i = 0; i < 4; i++) await set([A, B, C], { change_threshold: '10' });
    const last = await set([A]);
    expect(last.workflow_state).toBe('failed_with_messages');
    expect(errors(last)).toEqual([
      'Too many consecutive batches exceeded the change threshold. A remaster is required.',
    ]);
  });
});

describe('§7.4 the queue', () => {
  test('§7.4 imports run one at a time, in order of arrival', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) {
      const response = await client.post(`user_id,login_id,status\nQ${i},q${i},active\n`);
      ids.push(((await response.json()) as SisImport).id);
    }
    const done = await Promise.all(ids.map((id) => client.finished(id)));
    expect(done.every((read) => read.workflow_state === 'imported')).toBe(true);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });
});
