/**
 * What an admin with a limited scope can upload, and warnings before a file deletes or fails (SIS-03, SIS-06,
 * OP-53).
 */
import { SIS_TEMPLATES, templateText } from '@lms-admin/domain/sis-tables';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { answered, doing, ENROLL, problemsOf, reviewed, USERS, upload, uploaded, zipOf } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** Has perm CUSTOM: programme 138, role 3. */
let carla: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false }, env: { MAX_ENROLLMENT_ROWS: '300' } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  carla = await ts.signIn(PEOPLE.records);
});
afterAll(() => ts?.close());
beforeEach(() => campus.forgetRequests());
afterEach(() => campus.clearFaults());

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));

describe('an admin with a limited scope (OP-53)', () => {
  const mine = () => campus.course(0, 138);
  const other = () => campus.course(0, 86);

  test('OP-53: can enrol in courses in scope, with the allowed roles, in sections of those courses', async () => {
    const { sis, id } = mine();
    const [person] = campus.strangers(1, [id]);
    const file = await uploaded(carla, `${ENROLL}\n${sis},${person?.sis},3,active`);
    const done = await watch(carla, (await submitted(carla, { file: file.id })).id);
    expect(done).toMatchObject({ workflow_state: 'imported', data: { counts: { enrollments: 1 } } });

    const answer = await upload(
      carla,
      `course_id,section_id,user_id,role_id,status\n${other().sis},,u,3,active\n${sis},NO-SUCH,u,3,active\n${sis},,u,4,active\n,S1,u,3,active`,
    );
    expect(problemsOf(answer).map(([row, field]) => [row, field])).toEqual([
      [2, 'course_id'],
      [3, 'section_id'],
      [4, 'role_id'],
      [5, 'course_id'],
    ]);
    expect(await posts()).toHaveLength(1);
  });

  test.each([
    ['other kinds', 'course_id,short_name,long_name,status\nA,B,C,active', null],
    ['a root account', 'course_id,user_id,role_id,status,root_account\nX,u,3,active,', 'root_account'],
    ['passwords', 'user_id,login_id,status,password\n1,a,active,x', 'password'],
  ])('OP-53: cannot send %s', async (_name, content, field) => {
    const answer = await upload(carla, content);
    expect(answer.status).toBe(400);
    expect(problemsOf(answer)[0]?.slice(0, 2)).toEqual([1, field]);
  });

  test('OP-53: can create people who do not exist, once each, and nothing else', async () => {
    const [taken] = campus.strangers(1, []);
    const answer = await upload(
      carla,
      `${USERS}\n${taken?.sis},new.one@northbridge.example,A,active\n930002,${taken?.email.toUpperCase()},B,active\n930003,new.three@northbridge.example,C,active`,
    );
    expect(problemsOf(answer).map(([row, field]) => [row, field])).toEqual([
      [2, 'user_id'],
      [3, 'login_id'],
    ]);
    const twice = await upload(
      carla,
      `${USERS}\n930001,a@northbridge.example,A,active\n930001,A@northbridge.example,B,active`,
    );
    expect(problemsOf(twice).map(([row, field]) => [row, field])).toEqual([
      [3, 'user_id'],
      [3, 'login_id'],
    ]);
    const gone = await upload(carla, `${USERS}\n930001,a@northbridge.example,A,deleted`);
    expect(problemsOf(gone)[0]?.slice(0, 2)).toEqual([2, 'status']);

    // A deleted person would be restored under the name in the file.
    const { pseudonyms, users } = ts.sandbox.world;
    const former = [...pseudonyms.values()].find(
      (one) =>
        one.workflow_state === 'deleted' &&
        one.sis_user_id !== null &&
        users.must(one.user_id).workflow_state === 'deleted',
    );
    const back = await upload(carla, `${USERS}\n${former?.sis_user_id},b@northbridge.example,B,active`);
    expect(problemsOf(back)).toEqual([
      [2, 'user_id', expect.stringContaining('a login that was deleted in the LMS')],
    ]);

    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'status', status: 500 });
    const unsure = await upload(carla, `${USERS}\n930001,a@northbridge.example,A,active`);
    expect([unsure.status, unsure.error?.code]).toEqual([502, 'lms-down']);
    await campus.clearFaults();

    const file = await uploaded(carla, `${USERS}\n930001,brand.new@northbridge.example,Brand New,active`);
    // Another program creates the person before the file is submitted.
    const before = await uploaded(alma, `${USERS}\n930001,brand.new@northbridge.example,Brand New,active`);
    await watch(alma, (await submitted(alma, { file: before.id })).id);
    await campus.forgetRequests();
    const late = await answered(await submit(carla, { file: file.id }));
    expect([late.status, late.error?.code]).toEqual([409, 'conflict']);
    expect(await posts()).toEqual([]);
  });

  test('OP-53: can send at most 5,000 people in one file', async () => {
    const rows = Array.from({ length: 5_001 }, (_, at) => `94${at},p${at}@northbridge.example,P,active`);
    const answer = await upload(carla, `${USERS}\n${rows.join('\n')}`);
    expect([answer.status, answer.error?.code]).toEqual([413, 'too-many-rows']);
    expect(await campus.requests((one) => one.path.includes('users'))).toEqual([]);
  });
});

describe('deletions', () => {
  test('SIS-06: more than 50 rows, or more than 5% of a course, require the number to be confirmed', async () => {
    const leavers = campus.strangers(51, []);
    const many = await reviewed(
      alma,
      `${USERS}\n${leavers.map(({ sis, email }) => `${sis},${email},n,deleted`).join('\n')}`,
    );
    const { takes, confirm } = many.effect.brake;
    expect(takes[0]).toEqual({ kind: 'user', count: 51 });
    expect(confirm).toBe(takes.reduce((sum, { count }) => sum + count, 0));
    expect(many.effect.brake.reason).toBe('many');

    const { sis, id, name } = campus.course(3);
    const active = await campus.enrolments(id, 3);
    const all = [...ts.sandbox.world.enrollments.values()].filter(
      (one) => one.course_id === id && one.workflow_state === 'active',
    ).length;
    const sectionOf = (one: (typeof active)[number]) =>
      ts.sandbox.world.sections.get(one.course_section_id)?.sis_source_id ?? '';
    // People whose groups would also be deleted are not counted.
    const share = Math.floor(all * 0.05) + 1;
    for (const one of ts.sandbox.world.groupMemberships.values())
      if (active.slice(0, share).some(({ user_id }) => user_id === one.user_id))
        ts.sandbox.world.groupMemberships.change(one, { workflow_state: 'deleted' });
    const rows = (count: number) =>
      `course_id,section_id,user_id,role_id,status\n${active
        .slice(0, count)
        .map((one) => `${sis},${sectionOf(one)},${campus.person(one.user_id).sis},3,deleted`)
        .join('\n')}`;
    const small = await reviewed(alma, rows(share - 1 || 1));
    if (share > 1) expect(small.effect.brake.confirm).toBeNull();
    const large = await reviewed(alma, rows(share));
    expect(large.effect.brake).toEqual({
      takes: [{ kind: 'enrollment', count: share }],
      uncompared: [],
      courses: [{ sis_course_id: sis, name, taken: share, members: 0, active: all }],
      confirm: share,
      reason: 'share-of-course',
    });

    for (const deletions of [undefined, share + 1, 0]) {
      const answer = await answered(await submit(alma, { file: large.id, deletions }));
      expect(answer.status).toBe(400);
      expect(problemsOf(answer)[0]?.[1]).toBe('deletions');
    }
    expect(await posts()).toEqual([]);
    const done = await watch(alma, (await submitted(alma, { file: large.id, deletions: share })).id);
    expect(done.workflow_state).toBe('imported');
  });

  test('SIS-06: rows that name only a section count for its course; if the course is unknown, the number is required', async () => {
    const { named, course, person } = await campus.inThreeSections(86, 3);
    const row = `section_id,user_id,role_id,status\n${named.sis},${person.sis},3,deleted`;
    const { effect } = await reviewed(alma, row);
    expect(effect.brake.courses).toMatchObject([{ sis_course_id: course.sis_source_id, taken: 1 }]);
    await campus.fault({ match: '/api/v1/sections/*', kind: 'status', status: 500 });
    const unsure = await reviewed(alma, row);
    expect(unsure.effect.brake).toMatchObject({ confirm: 1, reason: 'untold' });
  });
});

describe('warnings', () => {
  test('SIS-06: rows for courses unknown to the LMS will fail, unless the same zip creates the courses', async () => {
    const { sis } = campus.course(3);
    const [stranger] = campus.strangers(1, []);
    const enrol = `${ENROLL}\n${sis},${stranger?.sis},3,active\nNO-1,${stranger?.sis},3,active\nNO-1,${stranger?.sis},3,deleted`;
    const { effect } = await reviewed(alma, enrol);
    expect(doing(effect, 'enrollment')).toEqual({ creates: 1, fails: 1, unknown: 1 });
    const courses = 'course_id,short_name,long_name,status\nNO-1,N1,New course,active';
    const zip = await reviewed(alma, await zipOf({ 'courses.csv': courses, 'enrol.csv': enrol }), 'both.zip');
    expect(doing(zip.effect, 'enrollment')).toEqual({ creates: 1, nothing: 2 });
    await campus.fault({ match: '/api/v1/courses/*', kind: 'status', status: 500 });
    const dark = await reviewed(alma, enrol);
    expect(doing(dark.effect, 'enrollment')).toEqual({ unknown: 3 });
  });

  test('SIS-03: a sample row left over from a template is pointed out', async () => {
    for (const template of SIS_TEMPLATES) {
      const { warnings } = await uploaded(alma, templateText(template));
      expect(warnings[0], template.file).toMatch(/^A sample row of the template is still in the file/);
    }
  });
});
