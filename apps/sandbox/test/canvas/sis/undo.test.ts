/** Undoing imports: nothing to undo, undoing twice, and after changes by people (reference §7.5, §18.1). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, type SisImport, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(async () => {
  client.sandbox.reset();
  await smallSchool(client);
  await enrol('C001,U001,student,active', 'C001,U002,student,active');
  await client.csv('group_category_id,category_name,course_id,status', 'GC,Teams,C001,active');
  await client.csv('group_category_id,group_id,name,status', 'GC,G1,One,available', 'GC,G2,Two,available');
});

const enrol = (...rows: string[]) => client.csv('course_id,user_id,role,status', ...rows);
const put = (...rows: string[]) => client.csv('group_id,user_id,status', ...rows);
const undo = (id: number, query = '') =>
  client.fetch(`${client.imports}/${id}/restore_states${query}`, { method: 'PUT' });
const restored = (read: SisImport, kind: string) => read.data.statistics[kind]?.['restored'];

async function listed(path: string): Promise<string[]> {
  const people = await client.json<{ sis_user_id: string }[]>(path);
  return people.map(({ sis_user_id }) => sis_user_id).sort();
}
const members = (group: string) => listed(`/groups/sis_group_id:${group}/users`);
const enrolled = () => listed('/courses/sis_course_id:C001/users');

/** Adds a person to a group by hand, as teachers do in the LMS. */
async function join(group: string, user: string): Promise<void> {
  const body = new URLSearchParams({ user_id: `sis_user_id:${user}` });
  const answer = await client.fetch(`/groups/sis_group_id:${group}/memberships`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}
async function leave(group: string, user: string): Promise<void> {
  const path = `/groups/sis_group_id:${group}/users/sis_user_id:${user}`;
  expect(await client.json(path, { method: 'DELETE' })).toEqual({ ok: true });
}

describe('§18.1 having nothing to undo is a 400', () => {
  const UNAVAILABLE = { message: 'restore data unavailable' };

  test('applies to a file without rows, with only rejected rows, or that changed no state, and to a failed import', async () => {
    const ids = [
      await enrol(),
      await enrol('nothing,U001,student,active'),
      await enrol('C001,U001,student,active'),
      await client.csv('course_id,user_id,role,status', '"C001,U003,student,active'),
    ].map(({ id }) => id);
    for (const id of ids) {
      const answer = await undo(id);
      expect([answer.status, await answer.json()], String(id)).toEqual([400, UNAVAILABLE]);
    }
    for (const id of ids)
      expect((await client.json<SisImport>(`${client.imports}/${id}`)).workflow_state).not.toMatch(/restor/);
  });

  test('undo data is kept for thirty days and deleted a day later; an unknown import is a 404', async () => {
    const { id } = await enrol('C001,U003,student,active');
    const day = 24 * 3600 * 1000;
    const batch = client.world.sisBatches.must(id);
    batch.created_at = new Date(Date.now() - 31 * day).toISOString();
    expect((await undo(id)).status).toBe(400);
    batch.created_at = new Date(Date.now() - 29 * day).toISOString();
    expect((await client.restore(id)).workflow_state).toBe('restored');
    expect((await undo(999_999)).status).toBe(404);
  });
});

describe('§18.1 undoing twice', () => {
  test('the second time is answered, and keeps changes made in between', async () => {
    const read = await enrol('C001,U001,student,deleted', 'C001,U003,student,active');
    expect(restored(await client.restore(read.id), 'Enrollment')).toBe(2);
    expect(await enrolled()).toEqual(['U001', 'U002']);
    await enrol('C001,U001,student,deleted', 'C001,U003,student,active');
    const again = await client.restore(read.id);
    expect(again.workflow_state).toBe('restored');
    expect(restored(again, 'Enrollment')).toBe(2);
    expect(await enrolled()).toEqual(['U002', 'U003']);
  });

  test('undoing in two parts gives the same result: first deleted objects, then the rest', async () => {
    const read = await enrol('C001,U001,student,deleted', 'C001,U003,student,active');
    const first = await client.restore(read.id, '?undelete_only=1');
    expect([first.workflow_state, restored(first, 'Enrollment')]).toEqual(['partially_restored', 1]);
    expect(await enrolled()).toEqual(['U001', 'U002', 'U003']);
    const rest = await client.restore(read.id);
    expect([rest.workflow_state, restored(rest, 'Enrollment')]).toEqual(['restored', 2]);
    expect(await enrolled()).toEqual(['U001', 'U002']);
  });

  test('requested twice at once, one undo runs after the other', async () => {
    const read = await enrol('C001,U001,student,deleted');
    const answers = await Promise.all([undo(read.id), undo(read.id)]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      const { id } = (await answer.json()) as { id: number };
      await expect
        .poll(async () => (await client.json<{ workflow_state: string }>(`/progress/${id}`)).workflow_state)
        .toBe('completed');
    }
    const after = await client.json<SisImport>(`${client.imports}/${read.id}`);
    expect([after.workflow_state, restored(after, 'Enrollment')]).toEqual(['restored', 1]);
    expect(await enrolled()).toEqual(['U001', 'U002']);
  });
});

describe('§18.1 members who have changed since', () => {
  test('a person added to the group again by hand stays; a warning names the row that was not restored', async () => {
    await put('G1,U001,accepted', 'G1,U002,accepted');
    const read = await put('G1,U001,deleted', 'G1,U002,deleted');
    await join('G1', 'U001');
    const after = await client.restore(read.id);
    expect(after.workflow_state).toBe('restored');
    expect(warnings(after)).toEqual([expect.stringMatching(/^Couldn't rollback SIS batch data for row - /)]);
    expect(restored(after, 'GroupMembership')).toBe(1);
    expect(await members('G1')).toEqual(['U001', 'U002']);
    const { sis_import_errors: errors } = await client.json<{ sis_import_errors: unknown[] }>(
      `${client.imports}/${read.id}/errors`,
    );
    expect(errors).toMatchObject([{ sis_import_id: read.id, message: warnings(after)[0] }]);
    // The row is not tried again, and not reported again.
    await leave('G1', 'U001');
    expect(warnings(await client.restore(read.id))).toHaveLength(1);
    expect(await members('G1')).toEqual(['U002']);
  });

  test('a person who is now in another group of the category is also put back into the former one', async () => {
    await put('G1,U001,accepted');
    const read = await put('G1,U001,deleted');
    await join('G2', 'U001');
    const after = await client.restore(read.id);
    expect([after.workflow_state, warnings(after)]).toEqual(['restored', []]);
    expect([await members('G1'), await members('G2')]).toEqual([['U001'], ['U001']]);
  });

  test('a person added and removed by hand stays out; one who left and returned is removed', async () => {
    const read = await put('G1,U001,accepted', 'G1,U002,accepted');
    await leave('G1', 'U001');
    await leave('G1', 'U002');
    await put('G1,U002,accepted');
    const after = await client.restore(read.id);
    expect(warnings(after)).toEqual([]);
    expect(await members('G1')).toEqual([]);
  });

  test('the group that the person left for the new one is not restored', async () => {
    await put('G1,U001,accepted');
    const read = await put('G2,U001,accepted');
    expect(restored(await client.restore(read.id), 'GroupMembership')).toBe(1);
    expect([await members('G1'), await members('G2')]).toEqual([[], []]);
  });

  test('a person who has left the course since is put back into the group: later changes are not checked', async () => {
    await put('G1,U001,accepted');
    const read = await put('G1,U001,deleted');
    await enrol('C001,U001,student,deleted');
    await client.restore(read.id);
    const { groups, groupMemberships } = client.world;
    const states = groupMemberships.by.group.get(groups.by.sis.get('G1')?.id ?? 0);
    expect(states.map(({ workflow_state }) => workflow_state)).toEqual(['accepted']);
  });
});
