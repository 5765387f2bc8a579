/** Messages and effects of rows beyond the first message (reference §8.3, §9, §18.2). */
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

interface Enrolled {
  enrollment_state: string;
  start_at: string | null;
  end_at: string | null;
  limit_privileges_to_course_section: boolean;
}
const enrolled = (state: string) =>
  client.json<Enrolled[]>(`/courses/sis_course_id:C001/enrollments?state[]=${state}`);

describe('§8.3 an invalid date together with another error', () => {
  test('§8.3 are both reported, the date first, and the row is not applied', async () => {
    const course = await client.csv(
      'course_id,short_name,long_name,status,start_date',
      'C9,Short,Long,inactive,whenever',
    );
    expect(warnings(course)).toEqual([
      'Bad date format for course C9',
      'Improper status "inactive" for course C9',
    ]);
    const section = await client.csv(
      'section_id,course_id,name,status,end_date',
      'S9,NONE,Nine,active,whenever',
      'S8,C001,,active,whenever',
    );
    expect(warnings(section)).toEqual([
      'Bad date format for section S9',
      "Section S9 references course NONE which doesn't exist",
      'Bad date format for section S8',
      'No name given for section S8 in course C001',
    ]);
    const enrollment = await client.csv(
      'course_id,user_id,role,status,start_date',
      'C001,U001,student,semi-active,whenever',
    );
    expect(warnings(enrollment)).toEqual([
      'Bad date format for user U001 in course C001',
      'Improper status "semi-active" for an enrollment',
    ]);
    expect(enrollment.data.counts).toMatchObject({ enrollments: 0, warning_count: 2 });
  });

  test('§9.3 a term’s invalid date is also reported if the row is rejected, and also for dates of a single enrolment type', async () => {
    const read = await client.csv(
      'term_id,name,status,start_date,end_date,date_override_enrollment_type',
      'T001,,active,whenever,,',
      'T001,Winter,active,2030-01-01,whenever,StudentEnrollment',
    );
    expect(warnings(read)).toEqual([
      'Bad date format for term T001',
      'No name given for term T001',
      'Bad date format for term T001',
    ]);
    expect(read.data.counts['terms']).toBe(1);
  });
});

describe('§9.2 logins.csv', () => {
  test('§9.2 errors in a login have the same text as errors in a user', async () => {
    const read = await client.csv(
      'user_id,login_id,existing_user_id',
      'L1,se\u0007cond,U001',
      'L2,se\0cond,U001',
      'L3,third3,U001',
    );
    expect(read.workflow_state).toBe('imported_with_messages');
    // Rows of a login file wait in a buffer, so errors that concern only the row come first.
    expect(warnings(read)).toEqual([
      'Some of the fields contain NULL character',
      "Could not save the user with user_id: 'L1'. Invalid login_id: 'se\u0007cond'",
    ]);
    expect(read.data.counts['logins']).toBe(1);
  });
});

describe('§9.5 enrollments.csv', () => {
  test('§9.5 the text about a rejected enrolment repeats its beginning without user and role', async () => {
    await client.csv('course_id,short_name,long_name,status', 'C002,TC 102,Test Course 102,deleted');
    const read = await client.csv('course_id,user_id,role,section_id,status', 'C002,U001,student,,active');
    expect(warnings(read)).toEqual([
      'An enrollment did not pass validation (course: C002, section: , user: U001, role: student, error: ' +
        'An enrollment did not pass validation (course: C002, section: , Course is not a valid course)',
    ]);
  });

  test('§9.5 the source person of a temporary enrolment must exist', async () => {
    const read = await client.csv(
      'course_id,user_id,role,status,temporary_enrollment_source_user_id',
      'C001,U001,teacher,active,NOBODY',
      'C001,U001,teacher,active,U002',
    );
    expect(warnings(read)).toEqual([
      'An enrollment referenced a non-existent temporary enrollment source user NOBODY',
    ]);
    expect(read.data.counts['enrollments']).toBe(1);
  });

  test('§18.2 deleting changes only the state: an undo restores the dates and limits too', async () => {
    await client.csv(
      'course_id,user_id,role,status,start_date,end_date,limit_section_privileges',
      'C001,U001,student,active,2030-01-01,2030-02-01,true',
    );
    const read = await client.csv('course_id,user_id,role,status', 'C001,U001,student,deleted');
    const dated = {
      start_at: '2030-01-01T00:00:00Z',
      end_at: '2030-02-01T00:00:00Z',
      limit_privileges_to_course_section: true,
    };
    expect(await enrolled('deleted')).toMatchObject([dated]);
    await client.restore(read.id);
    expect(await enrolled('active')).toMatchObject([dated]);
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,deleted');
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    expect(await enrolled('active')).toMatchObject([{ ...dated, start_at: null, end_at: null }]);
  });

  test('§9.5 deleted_last_completed also considers the observed student', async () => {
    const observe = (status: string, ...students: string[]) =>
      client.csv(
        'course_id,user_id,role,status,associated_user_id',
        ...students.map((student) => `C001,U003,observer,${status},${student}`),
      );
    await observe('active', 'U001', 'U002');
    await observe('deleted_last_completed', 'U001');
    expect(await enrolled('completed')).toHaveLength(1);
    expect(await enrolled('deleted')).toHaveLength(0);
  });
});

describe('§9.6 groups and their categories', () => {
  test('§9.6 names of Canvas’s own categories are rejected, in a course as well as in an account', async () => {
    const read = await client.csv(
      'group_category_id,category_name,course_id,status',
      'GC1,Student Groups,C001,active',
      'GC2,Student Groups,,active',
      'GC3,Communities,,active',
      'GC4,Communities,C001,active',
    );
    expect(warnings(read)).toEqual([
      'A group category did not pass validation (group category: GC1, error: Name Student Groups is a reserved name.)',
      'A group category did not pass validation (group category: GC3, error: Name Communities is a reserved name.)',
    ]);
    expect(read.data.counts['group_categories']).toBe(2);
  });

  test('§15.1 a group that moves without a category gets one in the new course', async () => {
    await client.csv('group_category_id,category_name,course_id,status', 'GC1,Teams,C001,active');
    await client.csv('group_category_id,group_id,name,status', 'GC1,G1,One,available');
    await client.csv('group_id,course_id,name,status', 'G1,C002,One,available');
    const categories = await client.json<{ id: number; name: string }[]>(
      '/courses/sis_course_id:C002/group_categories',
    );
    expect(categories).toMatchObject([{ name: 'Student Groups' }]);
    const group = await client.json('/groups/sis_group_id:G1');
    expect(group['group_category_id']).toBe(categories[0]?.id);
  });
});

describe('§18.1 undo', () => {
  test('§18.1 a person added to the group again by hand gets a new membership; the old one is not restored', async () => {
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    await client.csv('group_category_id,category_name,course_id,status', 'GC1,Teams,C001,active');
    await client.csv('group_category_id,group_id,name,status', 'GC1,G1,One,available');
    await client.csv('group_id,user_id,status', 'G1,U001,accepted');
    const memberships = () => client.json<{ id: number }[]>('/groups/sis_group_id:G1/memberships');
    const [before] = await memberships();
    const read = await client.csv('group_id,user_id,status', 'G1,U001,deleted');
    const again = await client.json('/groups/sis_group_id:G1/memberships?user_id=sis_user_id:U001', {
      method: 'POST',
    });
    expect(again).toMatchObject({ just_created: true, workflow_state: 'accepted' });
    expect(again['id']).not.toBe(before?.id);
    const after = await client.restore(read.id);
    expect(after.workflow_state).toBe('restored');
    expect(warnings(after)).toEqual([expect.stringMatching(/^Couldn't rollback SIS batch data for row - /)]);
    expect((await memberships()).map(({ id }) => id)).toEqual([again['id']]);
  });

  test('§18.1 states that could not be restored are not tried again', async () => {
    const read = await client.csv('user_id,login_id,status', 'U003,user3,deleted');
    await client.csv('user_id,login_id,status', 'U033,user3,active');
    expect(warnings(await client.restore(read.id))).toHaveLength(1);
    await client.csv('user_id,login_id,status', 'U033,user33,active');
    expect(warnings(await client.restore(read.id))).toHaveLength(1);
    expect((await client.fetch('/users/sis_user_id:U003/profile')).status).toBe(404);
  });

  test('§18.1 an undo that deletes an enrolment again ends its group memberships, but keeps those of an enrolment that the import created', async () => {
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,deleted');
    const read = await client.csv(
      'course_id,user_id,role,status',
      'C001,U001,student,active',
      'C001,U002,student,active',
    );
    await client.csv('group_category_id,category_name,course_id,status', 'GC1,Teams,C001,active');
    await client.csv('group_category_id,group_id,name,status', 'GC1,G1,One,available');
    await client.csv('group_id,user_id,status', 'G1,U001,accepted', 'G1,U002,accepted');
    await client.restore(read.id);
    const members = await client.json<{ sis_user_id: string }[]>('/groups/sis_group_id:G1/users');
    expect(members.map(({ sis_user_id }) => sis_user_id)).toEqual(['U002']);
  });
});
