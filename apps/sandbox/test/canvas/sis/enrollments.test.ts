import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stick } from '../../../src/canvas/store/world.ts';
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

const HEADER = 'course_id,user_id,role,section_id,status';

interface Listed {
  id: number;
  type: string;
  role: string;
  enrollment_state: string;
  sis_section_id: string | null;
  sis_user_id: string;
  associated_user_id?: number | null;
  start_at: string | null;
  end_at: string | null;
}
const enrolled = (course = 'C001', state = 'active') =>
  client.json<Listed[]>(`/courses/sis_course_id:${course}/enrollments?state[]=${state}`);

describe('§7.4 order', () => {
  test.each([
    [['deleted', 'active'], 'active'],
    [['active', 'deleted'], 'deleted'],
    [['active', 'deleted', 'active'], 'active'],
    [['deleted', 'inactive', 'deleted', 'completed'], 'completed'],
  ])('§7.4 rows for one enrolment are applied in file order: %j', async (statuses, last) => {
    const rows = (user: string) => statuses.map((status) => `C001,${user},student,1B,${status}`);
    await client.csv(HEADER, 'C001,U001,student,1B,active', 'C001,U002,student,1B,completed');
    const read = await client.csv(HEADER, ...['U001', 'U002', 'U003'].flatMap(rows));
    expect(read.data.counts).toMatchObject({ enrollments: 3 * statuses.length, warning_count: 0 });
    const now = await enrolled('C001', last);
    expect(now.map((each) => each.sis_user_id).sort()).toEqual(['U001', 'U002', 'U003']);
  });
});

describe('§9.5 messages', () => {
  test('§9.5 basic messages come before lookup messages from the same buffer', async () => {
    const read = await client.csv(
      HEADER,
      ',U001,student,,active',
      'C001,,student,1B,active',
      'C001,U001,cheater,1B,active',
      'C001,U001,student,1B,semi-active',
    );
    expect(warnings(read)).toEqual([
      'No course_id or section_id given for an enrollment',
      'No user_id given for an enrollment',
      'Improper status "semi-active" for an enrollment',
      'Improper role "cheater" for an enrollment',
    ]);
    expect(read.data.counts).toMatchObject({ enrollments: 0, warning_count: 4 });
  });

  test('§9.5 lookup messages print missing values as empty', async () => {
    const read = await client.csv(
      HEADER,
      'C001,NOBODY,student,,active',
      'NONE,U001,student,NONE,active',
      'NONE,U001,student,1B,active',
      'C001,U001,student,NONE,active',
      'C002,U001,student,1B,active',
    );
    expect(warnings(read)).toEqual([
      'User not found for enrollment (User ID: NOBODY, Course ID: C001, Section ID: )',
      'Neither course nor section existed for user enrollment (Course ID: NONE, Section ID: NONE, User ID: U001)',
      'An enrollment referenced a non-existent course NONE',
      'An enrollment referenced a non-existent section NONE',
      'An enrollment listed a section (1B) and a course (C002) that are unrelated for user (U001)',
    ]);
  });

  test('§9.5 an invalid role_id without a role prints an empty role; with a role, the role is used', async () => {
    const header = 'course_id,user_id,role_id,role,status';
    const read = await client.csv(header, 'C001,U001,99999,,active', 'C001,U002,99999,ta,active');
    expect(warnings(read)).toEqual(['Improper role "" for an enrollment']);
    expect((await enrolled()).map((each) => each.role)).toEqual(['TaEnrollment']);
  });

  test('§9.5 an invalid date causes a warning, and the row is applied without it', async () => {
    const read = await client.csv(
      'course_id,section_id,user_id,role,status,start_date,end_date',
      'C001,,U001,student,active,nonsense,2030-01-31',
      ',1B,U002,student,active,nonsense,',
    );
    expect(warnings(read)).toEqual([
      'Bad date format for user U001 in course C001',
      'Bad date format for user U002 in section 1B',
    ]);
    expect(read.data.counts['enrollments']).toBe(2);
    const first = (await enrolled()).find((each) => each.sis_user_id === 'U001');
    expect(first).toMatchObject({ start_at: null, end_at: '2030-01-31T00:00:00Z' });
  });

  test('§9.5 rows for a deleted course, a deleted section or observing oneself are rejected', async () => {
    await client.csv('section_id,course_id,name,status', '1B,C001,Sec1,deleted');
    await client.csv('course_id,short_name,long_name,status', 'C002,T,Test,deleted');
    const read = await client.csv(
      `${HEADER},associated_user_id`,
      ',U001,student,1B,active,',
      'C002,U001,student,,active,',
      'C001,U001,observer,,active,U001',
      'C001,U001,observer,,active,NOBODY',
    );
    const [section, course, self, nobody] = warnings(read);
    expect(section).toMatch(/^An enrollment did not pass validation \(course: , section: 1B, user: U001/);
    expect(section).toContain('Course section is not a valid section');
    expect(course).toContain('Course is not a valid course');
    expect(self).toContain('Cannot observe yourself');
    expect(nobody).toBe('An enrollment referenced a non-existent associated user NOBODY');
  });

  test('§9.5 blueprint courses accept no students and no observers', async () => {
    const course = client.world.courses.by.sis.get('C001');
    if (course) client.world.courses.change(course, { blueprint: true });
    const read = await client.csv(
      HEADER,
      'C001,U001,student,,active',
      'C001,U002,observer,,active',
      'C001,U003,teacher,,active',
    );
    expect(warnings(read)).toEqual([
      'Student enrollment for "U001" not allowed in blueprint course "C001"',
      'Observer enrollment for "U002" not allowed in blueprint course "C001"',
    ]);
    expect(read.data.counts['enrollments']).toBe(1);
  });

  test('§9.5 deleted logins', async () => {
    await client.csv('user_id,login_id,status', 'U001,user1,deleted');
    const made = await client.csv(HEADER, 'C001,U001,student,,active');
    expect(warnings(made)).toEqual(['Attempted enrolling of deleted user U001 in course C001']);
    expect(await enrolled('C001', 'deleted')).toHaveLength(1);
    const kept = await client.csv(HEADER, 'C001,U001,student,,active');
    expect(warnings(kept)).toEqual(['Attempted enrolling with deleted sis login user1 in course C001']);
    expect(kept.data.statistics['total_state_changes']).toBe(0);
  });

  test('§9.5 a row can use a deleted login of a person who has another one', async () => {
    await client.csv('user_id,login_id,existing_user_id', 'L1,other1,U001');
    await client.csv('user_id,login_id,status', 'U001,user1,deleted');
    const read = await client.csv(HEADER, 'C001,U001,student,,active');
    expect(warnings(read)).toEqual([
      'Enrolled a user U001 in course C001, but referenced a deleted sis login',
    ]);
    expect(read.data.counts['enrollments']).toBe(1);
    expect(await enrolled()).toHaveLength(1);
  });
});

describe('§9.5 effects', () => {
  test('§9.5 roles can be given by word, by built-in name or by role_id', async () => {
    const read = await client.csv(
      'course_id,user_id,role,role_id,status',
      'C001,U001,Teacher,,active',
      'C001,U002,StudentEnrollment,,active',
      'C001,U003,,6,active',
    );
    expect(read.workflow_state).toBe('imported');
    expect(Object.fromEntries((await enrolled()).map((e) => [e.sis_user_id, e.type]))).toEqual({
      U001: 'TeacherEnrollment',
      U002: 'StudentEnrollment',
      U003: 'DesignerEnrollment',
    });
  });

  test('§9.5 a row with only a course uses its default section, which is created with the course’s name', async () => {
    await client.csv(HEADER, 'C002,U001,student,,active');
    const sections = await client.json<{ name: string; sis_section_id: string | null }[]>(
      '/courses/sis_course_id:C002/sections',
    );
    expect(sections).toMatchObject([{ name: 'Test Course 102', sis_section_id: null }]);
  });

  test('§9.5 a row with only a section uses the section’s course', async () => {
    await client.csv(HEADER, ',U001,student,1B,active');
    expect(await enrolled()).toMatchObject([{ sis_section_id: '1B', sis_user_id: 'U001' }]);
  });

  test('§9.5 another role is a second enrolment', async () => {
    await client.csv(HEADER, 'C001,U001,student,1B,active', 'C001,U001,teacher,1B,active');
    expect(await enrolled()).toHaveLength(2);
  });

  test('§9.5 deleting and adding again restores the same enrolment', async () => {
    await client.csv(HEADER, 'C001,U001,student,1B,active');
    const [before] = await enrolled();
    const gone = await client.csv(HEADER, 'C001,U001,student,1B,deleted');
    expect(gone.data.statistics['Enrollment']).toMatchObject({ deleted: 1 });
    expect(await enrolled()).toEqual([]);
    const back = await client.csv(HEADER, 'C001,U001,student,1B,active');
    expect(back.data.statistics['Enrollment']).toMatchObject({ created: 0, restored: 1 });
    expect((await enrolled())[0]?.id).toBe(before?.id);
  });

  test('§9.5 deleting an unknown enrolment creates a deleted one and counts it, every time', async () => {
    const first = await client.csv(HEADER, 'C001,U001,student,,deleted');
    expect(first.data.counts['enrollments']).toBe(1);
    expect(first.data.statistics['Enrollment']).toMatchObject({ created: 0, deleted: 1 });
    const second = await client.csv(HEADER, 'C001,U001,student,,deleted');
    expect(second.data.counts['enrollments']).toBe(1);
    expect(second.data.statistics['total_state_changes']).toBe(0);
  });

  test('§9.5 a status can be completed, inactive or deleted_last_completed', async () => {
    await client.csv(
      HEADER,
      'C001,U001,student,1B,active',
      'C001,U002,student,1B,active',
      'C001,U003,student,1B,active',
      'C001,U003,student,,active',
    );
    const read = await client.csv(
      HEADER,
      'C001,U001,student,1B,completed',
      'C001,U002,student,1B,inactive',
      'C001,U003,student,1B,deleted_last_completed',
    );
    expect(read.data.statistics['Enrollment']).toMatchObject({ concluded: 1, deactivated: 1, deleted: 1 });
    const last = await client.csv(HEADER, 'C001,U003,student,,deleted_last_completed');
    expect(last.data.statistics['Enrollment']).toMatchObject({ concluded: 1, deleted: 0 });
  });

  test('§9.5 dates are cleared if empty, but limit_section_privileges is kept', async () => {
    const header = 'course_id,user_id,role,status,start_date,end_date,limit_section_privileges';
    await client.csv(header, 'C001,U001,student,active,1985-08-24,2011-08-29,true');
    const [first] = await enrolled();
    expect(first).toMatchObject({
      start_at: '1985-08-24T00:00:00Z',
      limit_privileges_to_course_section: true,
    });
    await client.csv(header, 'C001,U001,student,active,,,');
    const [second] = await enrolled();
    expect(second).toMatchObject({ start_at: null, end_at: null, limit_privileges_to_course_section: true });
  });

  test('§9.5 an observer can have several students, and linked observers follow the student', async () => {
    await client.csv(HEADER, 'C001,U001,student,1B,active', 'C001,U002,student,1B,active');
    await client.csv(
      `${HEADER},associated_user_id`,
      'C001,U003,observer,1B,active,U001',
      'C001,U003,observer,1B,active,U002',
    );
    expect((await enrolled()).filter((each) => each.type === 'ObserverEnrollment')).toHaveLength(2);
    await client.csv('observer_id,student_id,status', 'U003,U001,active');
    await client.csv(HEADER, 'C002,U001,student,,active');
    expect((await enrolled('C002')).map((each) => each.type).sort()).toEqual([
      'ObserverEnrollment',
      'StudentEnrollment',
    ]);
    await client.csv(HEADER, 'C002,U001,student,,deleted');
    expect(await enrolled('C002')).toEqual([]);
  });

  test('§9.5 group memberships end with the last enrolment', async () => {
    await client.csv(HEADER, 'C001,U001,student,1B,active');
    await client.csv('group_category_id,category_name,course_id,status', 'GC1,Teams,C001,active');
    await client.csv('group_id,group_category_id,name,status', 'G1,GC1,Team 1,available');
    await client.csv('group_id,user_id,status', 'G1,U001,accepted');
    const read = await client.csv(HEADER, 'C001,U001,student,1B,deleted');
    expect(read.data.statistics['GroupMembership']).toMatchObject({ deleted: 1 });
    expect(await client.json('/groups/sis_group_id:G1/memberships')).toEqual([]);
  });

  test('§10 changed dates are kept, but changed states are not', async () => {
    const header = 'course_id,user_id,role,status,start_date,end_date';
    await client.csv(header, 'C001,U001,student,active,1985-08-24,2011-08-29');
    const enrollment = client.world.enrollments.by.user.get(
      client.world.pseudonyms.by.sis.get('U001')?.user_id,
    )[0];
    if (!enrollment) throw new Error('no enrolment');
    client.world.enrollments.change(enrollment, { start_at: '1985-05-24T00:00:00Z' });
    stick(enrollment, 'start_at');
    await client.csv(header, 'C001,U001,student,completed,1985-08-24,2011-08-29');
    expect(enrollment).toMatchObject({ start_at: '1985-05-24T00:00:00Z', workflow_state: 'completed' });
    await client.import(`${header}\nC001,U001,student,active,1990-01-01,2011-08-29\n`, {
      override_sis_stickiness: '1',
    });
    expect(enrollment).toMatchObject({ start_at: '1990-01-01T00:00:00Z', workflow_state: 'active' });
    expect(enrollment.stuck_sis_fields?.has('start_at')).toBe(true);
  });
});
