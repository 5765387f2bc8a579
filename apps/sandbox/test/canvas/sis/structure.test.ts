import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stick } from '../../../src/canvas/store/world.ts';
import { Client, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

const course = (sisId: string) => {
  const found = client.world.courses.by.sis.get(sisId);
  if (!found) throw new Error(`no course ${sisId}`);
  return found;
};
const section = (sisId: string) => {
  const found = client.world.sections.by.sis.get(sisId);
  if (!found) throw new Error(`no section ${sisId}`);
  return found;
};

describe('§9.3 accounts.csv', () => {
  const HEADER = 'account_id,parent_account_id,name,status';

  test('§9.3 skips invalid rows', async () => {
    const read = await client.csv(
      HEADER,
      'A001,,Humanities,active',
      ',,Humanities,active',
      'A002,A000,English,active',
      'A003,A001,,active',
      'A004,A001,Art,inactive-ish',
    );
    expect(warnings(read)).toEqual([
      'No account_id given for an account',
      "Parent account didn't exist for A002",
      'No name given for account A003, skipping',
      'Improper status "inactive-ish" for account A004, skipping',
    ]);
    expect(read.data.counts['accounts']).toBe(1);
  });

  test('§9.3 an account is deleted only if it is empty, and can be restored', async () => {
    await client.csv(HEADER, 'A001,,Humanities,active', 'A002,A001,English,active');
    await client.csv('course_id,short_name,long_name,account_id,status', 'C1,C,Course,A002,active');
    const busy = await client.csv(HEADER, 'A001,,Humanities,deleted', 'A002,A001,English,deleted');
    expect(warnings(busy)).toEqual([
      'Cannot delete the sub_account with ID: A001 because it has active sub accounts.',
      'Cannot delete the sub_account with ID: A002 because it has active courses.',
    ]);
    await client.csv('course_id,short_name,long_name,status', 'C1,C,Course,deleted');
    await client.csv(HEADER, 'A002,A001,English,deleted');
    await client.csv(HEADER, 'A001,,Humanities,deleted');
    const back = await client.csv(HEADER, 'A002,A001,English,active');
    expect(warnings(back)).toEqual([
      'Cannot restore sub_account with ID: A002 because parent_account with ID: A001 has been deleted.',
    ]);
  });

  test('§9.3 for an invalid account only the error is reported', async () => {
    await client.csv(`${HEADER},integration_id`, 'A001,,Humanities,active,I1');
    const read = await client.csv(`${HEADER},integration_id`, 'A002,,Art,active,I1');
    expect(warnings(read)).toEqual(['Integration ID "I1" is already in use']);
  });

  test('§10 an account that a person has renamed keeps its name', async () => {
    await client.csv(HEADER, 'A001,,Humanities,active');
    const account = client.world.accounts.by.sis.get('A001');
    if (!account) throw new Error('no account');
    stick(account, 'name');
    const read = await client.csv(HEADER, 'A001,,Other,active');
    expect(account.name).toBe('Humanities');
    expect(read.data.counts['accounts']).toBe(1);
  });
});

describe('§9.3 terms.csv', () => {
  test('§9.3 rows have the documented messages, and dates are read', async () => {
    const read = await client.csv(
      'term_id,name,status,start_date,end_date,date_override_enrollment_type',
      'T001,Winter,active,2030-01-01,soon,',
      ',Winter,active,,,',
      'T002,Spring,inactive,,,',
      'T003,,active,,,',
      'T004,,active,2030-01-01,,StudentEnrollment',
      'T001,,active,2030-01-01,,ObserverEnrollment',
      'T001,,active,2030-02-01,,StudentEnrollment',
    );
    expect(warnings(read)).toEqual([
      'Bad date format for term T001',
      'No term_id given for a term',
      'Improper status "inactive" for term T002',
      'No name given for term T003',
      'Cannot set date override on non-existent term',
      'Invalid date_override_enrollment_type',
    ]);
    expect(client.world.terms.by.sis.get('T001')).toMatchObject({
      name: 'Winter',
      start_at: '2030-01-01T00:00:00Z',
      end_at: null,
      overrides: { StudentEnrollment: { start_at: '2030-02-01T00:00:00Z', end_at: null } },
    });
  });
});

describe('§9.4 courses.csv', () => {
  const HEADER = 'course_id,short_name,long_name,account_id,term_id,status';

  test('§9.4 skips invalid rows', async () => {
    const read = await client.csv(
      `${HEADER},course_format,grade_passback_setting,start_date`,
      'C001,Hum101,Humanities,,,active,,,',
      'C002,Hum102,Humanities,,,inactive,,,',
      ',Hum103,Humanities,,,active,,,',
      'C004,,Humanities,,,active,,,',
      'C005,Hum105,,,,active,,,',
      'C006,Hum106,Humanities,,,active,yelling,,',
      'C007,Hum107,Humanities,,,active,,sometimes,',
      'C008,Hum108,Humanities,NOWHERE,,active,,,',
      'C009,Hum109,Humanities,,,active,,,whenever',
    );
    expect(warnings(read)).toEqual([
      'Improper status "inactive" for course C002',
      'No course_id given for a course',
      'No short_name given for course C004',
      'No long_name given for course C005',
      'Invalid course_format "yelling" for course C006',
      'Invalid grade_passback_setting "sometimes" for course C007',
      'Account not found "NOWHERE" for course C008',
      'Bad date format for course C009',
    ]);
    expect(read.data.counts['courses']).toBe(2);
  });

  test('§9.4 each status leads to the documented state', async () => {
    const state = async (status: string) => {
      await client.csv('course_id,short_name,long_name,status', `C1,C,Course,${status}`);
      return course('C1').workflow_state;
    };
    expect(await state('active')).toBe('claimed');
    expect(await state('published')).toBe('available');
    expect(await state('active')).toBe('available');
    expect(await state('completed')).toBe('completed');
    expect(await state('unpublished')).toBe('available');
    expect(await state('deleted')).toBe('deleted');
    expect(await state('active')).toBe('claimed');
  });

  test('§9.4 an unknown term is silently replaced by the default term', async () => {
    const read = await client.csv(HEADER, 'C1,C,Course,,NEVER,active');
    expect(read.workflow_state).toBe('imported');
    expect(course('C1').enrollment_term_id).toBe(client.world.defaultTerm.id);
  });

  test('§9.4 deleting a course deletes its enrolments', async () => {
    await smallSchool(client);
    await client.csv('course_id,user_id,role,status', 'C001,U001,student,active');
    const read = await client.csv('course_id,short_name,long_name,status', 'C001,T,Test,deleted');
    expect(read.data.statistics).toMatchObject({ Course: { deleted: 1 }, Enrollment: { deleted: 1 } });
    expect((await client.fetch('/courses/sis_course_id:C001')).status).toBe(404);
  });

  test('§9.4 an empty date keeps the existing one, and <delete> clears it', async () => {
    const header = 'course_id,short_name,long_name,status,start_date,end_date';
    await client.csv(header, 'C1,C,Course,active,2030-01-01,2030-06-01');
    await client.csv(header, 'C1,C,Course,active,,');
    expect(course('C1')).toMatchObject({
      start_at: '2030-01-01T00:00:00Z',
      conclude_at: '2030-06-01T00:00:00Z',
    });
    await client.csv(header, 'C1,C,Course,active,<delete>,<delete>');
    expect(course('C1')).toMatchObject({ start_at: null, conclude_at: null });
  });

  test('§9.4 abstract courses provide names, and unknown ones are ignored', async () => {
    await client.csv('abstract_course_id,short_name,long_name,status', 'AC1,AHum,Abstract Hum,active');
    const read = await client.csv(
      'course_id,short_name,long_name,abstract_course_id,status',
      'C1,,,AC1,active',
      'C2,C,Course,AC9,active',
    );
    expect(warnings(read)).toEqual(['unknown abstract course id AC9, ignoring abstract course reference']);
    expect(course('C1')).toMatchObject({ name: 'Abstract Hum', course_code: 'AHum' });
    expect(read.data.counts['courses']).toBe(2);
  });

  test('§9.4 an abstract course without a term goes back to the default term', async () => {
    await client.csv('term_id,name,status', 'T1,Autumn,active');
    const header = 'abstract_course_id,short_name,long_name,term_id,status';
    const termOf = () => client.world.abstractCourses.by.sis.get('AC1')?.enrollment_term_id;
    await client.csv(header, 'AC1,AHum,Abstract Hum,T1,active');
    expect(termOf()).toBe(client.world.terms.by.sis.get('T1')?.id);
    await client.csv(header, 'AC1,AHum,Abstract Hum,,active');
    expect(termOf()).toBe(client.world.defaultTerm.id);
  });

  test('§9.4 in a deleted account, a deleted course is not restored', async () => {
    const accounts = 'account_id,parent_account_id,name,status';
    await client.csv(accounts, 'A001,,Humanities,active');
    const header = 'course_id,short_name,long_name,account_id,status';
    await client.csv(header, 'C1,C,Course,A001,active');
    await client.csv(header, 'C1,C,Course,A001,deleted');
    await client.csv(accounts, 'A001,,Humanities,deleted');
    expect(warnings(await client.csv(header, 'C1,C,Course,A001,active'))).toEqual([
      'Cannot restore course C1 because the associated account A001 is deleted',
    ]);
  });

  test('§10 sticky names can be overridden, and their stickiness cleared', async () => {
    await client.csv(HEADER, 'C1,Code,Name,,,active');
    stick(course('C1'), 'name', 'course_code');
    await client.csv(HEADER, 'C1,New,New name,,,active');
    expect(course('C1')).toMatchObject({ name: 'Name', course_code: 'Code' });
    const body = `${HEADER}\nC1,New,New name,,,active\n`;
    await client.import(body, { override_sis_stickiness: '1' });
    expect(course('C1').name).toBe('New name');
    await client.csv(HEADER, 'C1,Third,Third name,,,active');
    expect(course('C1').name).toBe('New name');
    await client.import(`${HEADER}\nC1,Third,Third name,,,active\n`, {
      override_sis_stickiness: '1',
      clear_sis_stickiness: '1',
    });
    await client.csv(HEADER, 'C1,Fourth,Fourth name,,,active');
    expect(course('C1').name).toBe('Fourth name');
    await client.import(`${HEADER}\nC1,Fifth,Fifth name,,,active\n`, {
      override_sis_stickiness: '1',
      add_sis_stickiness: '1',
    });
    await client.csv(HEADER, 'C1,Sixth,Sixth name,,,active');
    expect(course('C1').name).toBe('Fifth name');
  });
});

describe('§9.4 sections.csv and xlists.csv', () => {
  beforeEach(() => smallSchool(client));

  test('§9.4 rejected section rows have the documented messages', async () => {
    const read = await client.csv(
      'section_id,course_id,name,status,start_date',
      'S001,C001,Sec1,active,',
      'S002,,Sec2,active,',
      ',C001,Sec3,active,',
      'S004,C001,,active,',
      'S005,C001,Sec5,inactive,',
      'S006,NONE,Sec6,active,',
      'S007,C001,Sec7,active,whenever',
    );
    expect(warnings(read)).toEqual([
      'No course_id given for a section S002',
      'No section_id given for a section in course C001',
      'No name given for section S004 in course C001',
      'Improper status "inactive" for section S005 in course C001',
      "Section S006 references course NONE which doesn't exist",
      'Bad date format for section S007',
    ]);
    expect(read.data.counts['sections']).toBe(2);
  });

  test('§9.4 naming another course moves the section with its people', async () => {
    await client.csv('section_id,user_id,role,status', '1B,U001,student,active');
    await client.csv('section_id,course_id,name,status', '1B,C002,Sec1,active');
    expect(section('1B').course_id).toBe(course('C002').id);
    expect(await client.json<unknown[]>('/courses/sis_course_id:C002/users')).toHaveLength(1);
    stick(section('1B'), 'course_id');
    await client.csv('section_id,course_id,name,status', '1B,C001,Sec1,active');
    expect(section('1B').course_id).toBe(course('C002').id);
  });

  test('§9.4 a deleted section ends its enrolments and needs no name', async () => {
    await client.csv('section_id,user_id,role,status', '1B,U001,student,active');
    const read = await client.csv('section_id,course_id,name,status', '1B,C001,,deleted');
    expect(read.data.statistics).toMatchObject({ CourseSection: { deleted: 1 }, Enrollment: { deleted: 1 } });
  });

  test('§9.4 cross-listing rows have the documented messages and effects', async () => {
    const header = 'xlist_course_id,section_id,status';
    const bad = await client.csv(
      header,
      ',1B,active',
      'X001,,active',
      'X001,1B,activexyz',
      'X001,NONE,active',
    );
    expect(warnings(bad)).toEqual([
      'No xlist_course_id given for a cross-listing',
      'No section_id given for a cross-listing',
      'Improper status "activexyz" for a cross-listing',
      'A cross-listing referenced a non-existent section NONE',
    ]);
    await client.csv(header, 'X001,1B,active');
    expect(course('X001')).toMatchObject({ name: 'Test Course 101', workflow_state: 'claimed' });
    expect(section('1B')).toMatchObject({
      course_id: course('X001').id,
      nonxlist_course_id: course('C001').id,
    });
    await client.csv(header, 'X001,1B,deleted');
    expect(section('1B')).toMatchObject({ course_id: course('C001').id, nonxlist_course_id: null });
    stick(section('1B'), 'course_id');
    const stuck = await client.csv(header, 'X001,1B,active');
    expect(stuck.workflow_state).toBe('imported');
    expect(stuck.data.counts['xlists']).toBe(0);
  });
});
