import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, smallSchool, warnings, zip } from './client.ts';

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
const OBSERVERS = `${ENROLMENTS},associated_user_id`;
interface Enrolled {
  id: number;
  user_id: number;
  type: string;
  enrollment_state: string;
  sis_import_id: number | null;
}
/** Lists the enrolled people: students first, then in order of enrolment. */
const enrolled = async (course = 'C001', states = ['active']) => {
  const query = states.map((state) => `state[]=${state}`).join('&');
  const all = await client.json<Enrolled[]>(`/courses/sis_course_id:${course}/enrollments?${query}`);
  const rank = ({ type }: Enrolled) => Number(type !== 'StudentEnrollment');
  return all.sort((a, b) => rank(a) - rank(b) || a.id - b.id);
};
const states = async () => {
  const all = await enrolled('C001', ['active', 'completed', 'inactive', 'deleted']);
  return all.map(({ type, enrollment_state }) => [type, enrollment_state]);
};
const link = () => client.csv('observer_id,student_id,status', 'U002,U001,active');
const batchMode = async (csv: string, params: Record<string, string> = {}) => {
  const term = await client.json<{ id: number }>('/accounts/1/terms/sis_term_id:T001');
  return client.import(csv, { batch_mode: '1', batch_mode_term_id: String(term.id), ...params });
};

describe('§9.5 linked observers', () => {
  test('§7.5 an observer who was linked in the meantime is enrolled when the student returns', async () => {
    await client.csv(ENROLMENTS, 'C001,U001,student,1B,active');
    const read = await client.csv(ENROLMENTS, 'C001,U001,student,1B,deleted');
    await link();
    expect(await enrolled()).toEqual([]);
    await client.restore(read.id);
    expect((await enrolled()).map(({ type }) => type)).toEqual(['StudentEnrollment', 'ObserverEnrollment']);
  });

  test('§11 batch mode keeps the observers of the students it lists', async () => {
    await link();
    const implicit = `${ENROLMENTS}\nC001,U001,student,1B,active\n`;
    await batchMode(implicit);
    expect(await enrolled()).toMatchObject([{}, { type: 'ObserverEnrollment', sis_import_id: null }]);
    await batchMode(`${OBSERVERS}\nC001,U001,student,1B,active,\nC001,U002,observer,1B,active,U001\n`);
    expect((await enrolled())[1]?.sis_import_id).not.toBeNull();
    const read = await batchMode(implicit);
    expect(read.data.counts['batch_enrollments_deleted']).toBe(0);
    expect(await enrolled()).toHaveLength(2);
  });

  test('§11 batch mode removes the observer together with the student, whether listed or not', async () => {
    await link();
    const student = `${ENROLMENTS}\nC001,U001,student,1B,active\n`;
    await batchMode(student);
    await batchMode(`${OBSERVERS}\nC001,U002,observer,1B,active,U001\n`);
    expect(await enrolled()).toEqual([]);
    await batchMode(student);
    expect(await enrolled()).toHaveLength(2);
  });
});

describe('§11 batch mode', () => {
  test.each(['completed', 'inactive'])('§11 %s enrolments are not dropped again', async (drop) => {
    const first = await client.csv(ENROLMENTS, `C001,U001,student,1B,${drop}`, 'C001,U002,student,1B,active');
    const read = await batchMode(`${ENROLMENTS}\n`, { batch_mode_enrollment_drop_status: drop });
    expect(read.data.counts['batch_enrollments_deleted']).toBe(1);
    const [before, after] = await enrolled('C001', [drop]);
    expect(before?.sis_import_id).toBe(first.id);
    expect(after?.sis_import_id).toBe(read.id);
  });
});

describe('§9.5 enrollments.csv', () => {
  test('§9.5 deleted_last_completed completes the first enrolment and deletes the rest', async () => {
    await client.csv('section_id,course_id,name,status', 'S2,C001,Two,active', 'S3,C001,Three,active');
    const rows = ['1B', 'S2', 'S3'].map((section) => `C001,U001,student,${section},deleted_last_completed`);
    await client.csv(ENROLMENTS, ...rows);
    expect(
      (await states()).map(([, state]) => state).sort((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(['completed', 'deleted', 'deleted']);
  });

  test('§9.5 rows for another root account are silently ignored', async () => {
    const read = await client.csv(
      'course_id,root_account,user_id,role,status',
      'C001,other.example.com,U001,teacher,active',
      'C001,,U002,teacher,active',
    );
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts['enrollments']).toBe(1);
    expect(await enrolled()).toHaveLength(1);
  });
});

describe('§9.1, §9.2, §9.7 people in another root account, and authentication providers', () => {
  test('§9.2 logins of another root account are silently ignored', async () => {
    const read = await client.csv(
      'user_id,login_id,existing_user_id,root_account',
      'U001b,user1b,U001,other.example.com',
    );
    expect(read.workflow_state).toBe('imported');
    expect(read.data.counts['logins']).toBe(0);
  });

  test('§9.7 admins of another root account are unknown', async () => {
    const read = await client.csv(
      'user_id,account_id,role,status,root_account',
      'U001,,AccountAdmin,active,other.example.com',
    );
    expect(warnings(read)).toEqual(["Invalid or unknown user_id 'U001' for admin"]);
  });

  test('§9.1 a provider is named by its id or its type', async () => {
    const read = await client.csv(
      'user_id,login_id,status,authentication_provider_id',
      'P1,p1,active,canvas',
      'P2,p2,active,1',
      'P3,p3,active,google',
    );
    expect(warnings(read)).toEqual(['unrecognized authentication provider google for P3, skipping']);
    expect(read.data.counts['users']).toBe(2);
  });
});

describe('§9.3, §9.4 accounts and courses', () => {
  const COURSES = 'course_id,short_name,long_name,status';
  const course = (id: string) => client.json(`/courses/sis_course_id:${id}`);

  test('§9.3 an account cannot move below itself', async () => {
    const read = await client.csv('Account_ID,Parent_Account_ID,Name,Status', 'A001,A002,Humanities,active');
    expect(warnings(read)).toEqual(["Setting account A001's parent to A002 would create a loop"]);
  });

  test('§9.4 an empty cell clears a setting, and a missing column keeps it', async () => {
    const header = `${COURSES},course_format,grade_passback_setting`;
    await client.csv(header, 'C001,a,a,active,online,nightly_sync', 'C002,b,b,active,blended,nightly_sync');
    await client.csv(header, 'C001,a,a,active,,""');
    await client.csv(COURSES, 'C002,b,b,active');
    const cleared = await course('C001');
    expect(cleared['course_format'] ?? null).toBeNull();
    expect(cleared['grade_passback_setting']).toBeNull();
    expect(await course('C002')).toMatchObject({
      course_format: 'blended',
      grade_passback_setting: 'nightly_sync',
    });
  });

  test('§9.4 friendly names are for elementary accounts only', async () => {
    await client.csv(`${COURSES},friendly_name`, 'C001,a,a,active,george');
    expect((await course('C001'))['friendly_name']).toBeNull();
  });

  test('§9.4 a course that cannot be associated with a blueprint is reported', async () => {
    await client.csv(COURSES, 'BP,bp,bp,active', 'BP2,bp2,bp2,active');
    const { courses } = client.world;
    for (const id of ['BP', 'BP2', 'C001']) {
      const found = courses.by.sis.get(id);
      if (found) courses.change(found, { blueprint: true });
    }
    const read = await client.csv(
      `${COURSES},blueprint_course_id`,
      'BP2,a,a,active,BP',
      'C002,b,b,active,missingid',
      'C002,b,b,active,C001',
      'C002,b,b,active,BP',
      'C002,b,b,active,BP2',
    );
    expect(warnings(read)).toEqual([
      'Cannot associate course "BP2" - is a blueprint course',
      'Unknown blueprint course "missingid" for course "C002"',
      'Cannot associate course "C002" - is not in the same or lower account as the blueprint course',
      'Cannot associate course "C002" - is associated to another blueprint course',
    ]);
    expect(read.data.counts['courses']).toBe(5);
  });
});

describe('§7.1 zips', () => {
  test('§7.1 an empty file is silently skipped', async () => {
    const header = 'user_id,login_id,status\n';
    const both = await client.import(zip({ 'a.csv': header, 'b.csv': '' }), {}, 'x.zip');
    expect(both.workflow_state).toBe('imported');
    expect(both.csv_attachments).toHaveLength(1);
    const none = await client.import(zip({ 'b.csv': '' }), {}, 'x.zip');
    expect(none.workflow_state).toBe('imported');
  });
});
