/** An admin's scope with and without a service token, over HTTP (OP-04, OP-14, OP-27). */
import { COOKIES } from '@lms-admin/contract/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayGiveRole, mayUse } from '../../src/access/rights.ts';
import type { Admin } from '../../src/auth/admin.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

describe.each([
  ['with a service token', true],
  ['with the admins’ own tokens', false],
])('%s', (_name, serviceToken) => {
  let test: TestServer;
  let custom: Admin;
  let all: Admin;

  beforeAll(async () => {
    test = await startTestServer({ serviceToken });
    [custom, all] = await Promise.all([adminOf(PEOPLE.custom), adminOf(PEOPLE.all)]);
  });
  afterAll(() => test.close());

  async function adminOf(login: string): Promise<Admin> {
    const browser = await test.signIn(login);
    const admin = await test.server.services.sessions.find(browser.cookies.get(COOKIES.session));
    if (!admin) throw new Error(`${login} is not signed in`);
    return admin;
  }

  const courseIn = (account: number) => {
    const course = [...test.sandbox.world.courses.values()].find(
      (one) => one.account_id === account && one.sis_source_id !== null && one.workflow_state !== 'deleted',
    );
    if (!course) throw new Error(`no course in ${account}`);
    return course;
  };
  const below = (account: number) => {
    const found = [...test.sandbox.world.accounts.values()].find((one) => one.parent_account_id === account);
    if (!found) throw new Error(`nothing below ${account}`);
    return found.id;
  };

  it('OP-14 the accounts in scope are those listed and all below them, and no others', async () => {
    const { scope } = test.server.services;
    expect(await scope.account(custom, 86)).toBe(true);
    expect(await scope.account(custom, below(86))).toBe(true);
    for (const id of [163, 1, 999_999]) expect(await scope.account(custom, id)).toBe(false);
    for (const id of [86, 163, 1]) expect(await scope.account(all, id)).toBe(true);
  });

  it('OP-14 courses are found by id and by SIS ID; a course out of scope is treated as missing', async () => {
    const { scope } = test.server.services;
    const [mine, foreign] = [courseIn(86), courseIn(163)];
    expect(await scope.course(custom, mine.id)).toMatchObject({ id: mine.id, account_id: 86 });
    expect(await scope.course(custom, foreign.id)).toBeNull();
    expect(await scope.course(custom, 99_999_999)).toBeNull();
    expect(await scope.courseBySisId(custom, mine.sis_source_id ?? '')).toMatchObject({ id: mine.id });
    expect(await scope.courseBySisId(custom, foreign.sis_source_id ?? '')).toBeNull();
    expect(await scope.courseBySisId(custom, 'no/such.course')).toBeNull();
    const many = await scope.courses(custom, [mine.id, foreign.id, mine.id, 99_999_999]);
    expect([...many.keys()]).toEqual([mine.id]);
    expect((await scope.courses(all, [mine.id, foreign.id])).size).toBe(2);
  });

  it('courses that have just been read are not requested again', async () => {
    const { scope, canvas } = test.server.services;
    const [mine] = [courseIn(86)];
    await scope.course(custom, mine.id);
    const before = canvas.stats().calls;
    await Promise.all(Array.from({ length: 50 }, () => scope.course(custom, mine.id)));
    await scope.courseBySisId(custom, mine.sis_source_id ?? '');
    expect(canvas.stats().calls).toBe(before);
  });

  it('OP-14 a course that is requested again has its current state', async () => {
    const { scope } = test.server.services;
    const course = courseIn(86);
    const { name } = course;
    await scope.course(custom, course.id);
    test.sandbox.world.courses.change(course, { name: 'Under another name' });
    expect((await scope.course(custom, course.id))?.name).toBe(name);
    expect((await scope.withoutCache().course(custom, course.id))?.name).toBe('Under another name');
    expect((await scope.course(custom, course.id))?.name).toBe('Under another name');
    test.sandbox.world.courses.change(course, { name });
    await scope.withoutCache().course(custom, course.id);
  });

  it('PERM-10 to PERM-12, OP-34 roles and tools come from the record', () => {
    expect([3, 5, 4, 56].map((role) => mayGiveRole(custom, role, 'course'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([3, 5].map((role) => mayGiveRole(custom, role, 'section'))).toEqual([true, false]);
    expect([3, 169, 1].map((role) => mayGiveRole(all, role, 'course'))).toEqual([true, true, false]);
    expect(mayUse(custom, 'course-enrollment')).toBe(true);
    expect(mayUse(custom, 'sis-import')).toBe(false);
  });
});
