/**
 * Calls for Group Enrollment: categories, their groups, creating a category, giving it its SIS ID (LMS-15,
 * LMS-16, LMS-21).
 */
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../../src/platform/schema.ts';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const DUPLICATE = 'Group name already existing.';
const TEACHER = 'hugo.tan@northbridge.example';
const record = (login: string, perm: string) => ({
  login,
  email: login,
  perm,
  sub_accounts: perm === 'CUSTOM' ? '86' : '',
  roles: '3',
  section_roles: '3',
  group_level_admin: true,
});
const access = {
  admins: [record(PEOPLE.all, 'ALL'), record(PEOPLE.custom, 'CUSTOM'), record(TEACHER, 'ALL')],
};

let test: TestServer;
let campus: Campus;
let all: Browser;
let custom: Browser;

beforeAll(async () => {
  test = await startTestServer({ sandbox: { throttle: false }, access });
  campus = new Campus(test.sandbox);
  [all, custom] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.custom)]);
});
afterAll(() => test.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

interface Told {
  status: number;
  data: Record<string, unknown> | null;
  error: { code: string; message: string; next: string; details?: { field: string; message: string }[] };
}

async function told(asked: Promise<Response>): Promise<Told> {
  const response = await asked;
  const { data = null, error } = await response.json();
  return { status: response.status, data, error };
}
const create = (browser: Browser, course: number, name: string, sis_group_category_id: string) =>
  told(browser.invoke(lmsUrl('group-category-create', { course }), 'POST', { name, sis_group_category_id }));
const give = (browser: Browser, category: number, sis_group_category_id: string) =>
  told(browser.invoke(lmsUrl('group-category-sis-id', { category }), 'PUT', { sis_group_category_id }));
const groupsOf = (browser: Browser, category: number) =>
  told(browser.invoke(lmsUrl('category-groups', { category })));

/** Creates a category as a person does in the LMS. */
async function byHand(course: number, body: Record<string, unknown>): Promise<number> {
  const answer = await campus.api(`courses/${course}/group_categories`, { method: 'POST', body });
  return ((await answer.json()) as { id: number }).id;
}
const inLms = (course: number, name: string) =>
  [...test.sandbox.world.groupCategories.values()].filter(
    (one) =>
      one.context_type === 'Course' && one.context_id === course && one.name === name && !one.deleted_at,
  );
const writes = () => campus.requests(({ method }) => method === 'POST' || method === 'PUT');
/** Reads the last two lines of the audit log, the newer one last. */
async function audited(login: string) {
  const { db } = test.server.services.db;
  const lines = await db.select().from(audit).where(eq(audit.login, login)).orderBy(desc(audit.id)).limit(2);
  return lines.toReversed();
}

describe('reading', () => {
  it("LMS-15, LMS-21 a course's categories and a category's groups have the fields that the dialog reads", async () => {
    const course = campus.course(0);
    const id = await byHand(course.id, { name: 'Read', sis_group_category_id: 'READ-1', group_limit: 4 });
    const made = await campus.api(`group_categories/${id}/groups`, { method: 'POST', body: { name: 'One' } });
    const group = (await made.json()) as { id: number };
    const listed = await told(custom.invoke(lmsUrl('group-categories', { course: course.id })));
    expect(listed.data).toContainEqual({
      id,
      name: 'Read',
      sis_group_category_id: 'READ-1',
      role: null,
      group_limit: 4,
    });
    expect(await groupsOf(custom, id)).toMatchObject({
      status: 200,
      data: [{ id: group.id, name: 'One', group_category_id: id, sis_group_id: null, members_count: 0 }],
    });
  });

  it('LMS-21 categories that are out of scope, an account’s or unknown get the same answer; perm ALL reads what exists', async () => {
    const foreign = await byHand(campus.course(0, 163).id, { name: 'Elsewhere' });
    const [clubs] = [...test.sandbox.world.groupCategories.values()].filter(
      (one) => one.context_type === 'Account',
    );
    const answers = [];
    for (const id of [foreign, clubs?.id ?? 0, 99_999_999]) {
      const { status, error } = await groupsOf(custom, id);
      answers.push({ status, code: error.code, message: error.message, next: error.next });
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not-found' });
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await groupsOf(all, foreign)).status).toBe(200);
    expect((await groupsOf(all, clubs?.id ?? 0)).status).toBe(200);
    expect((await groupsOf(all, 99_999_999)).status).toBe(404);
  });
});

describe('creating a category', () => {
  it('LMS-16, GRP-11, GRP-13 uses the trimmed name and the generated id, and is recorded in the audit log', async () => {
    const course = campus.course(1);
    const made = await create(custom, course.id, '  Team A B ', `${course.sis}_Team_A B`);
    expect(made).toMatchObject({
      status: 200,
      data: { name: 'Team A B', sis_group_category_id: `${course.sis}_Team_A B`, role: null },
    });
    expect(inLms(course.id, 'Team A B')).toMatchObject([{ sis_source_id: `${course.sis}_Team_A B` }]);
    const detail = { course: course.id, name: 'Team A B', sis_group_category_id: `${course.sis}_Team_A B` };
    expect(await audited(PEOPLE.custom)).toMatchObject([
      { event: 'group category requested', detail },
      { event: 'group category created', detail: { ...detail, category: made.data?.id } },
    ]);
  });

  it('GRP-10, GRP-11 a name that the course already has is rejected, ignoring case and spaces at either end', async () => {
    const course = campus.course(2);
    await byHand(course.id, { name: 'Projects' });
    await campus.forgetRequests();
    for (const name of ['Projects', 'pROJECTS', ' projects  ']) {
      const refused = await create(custom, course.id, name, `${course.sis}_${name.trim()}`);
      expect(refused).toMatchObject({ status: 409, error: { code: 'name-taken', message: DUPLICATE } });
      expect(refused.error.next).toContain('Projects');
    }
    expect(await writes()).toEqual([]);
    // A category of another course does not belong to this one.
    const other = campus.course(3);
    expect((await create(custom, other.id, 'Projects', `${other.sis}_Projects`)).status).toBe(200);
  });

  it('GRP-11 if names that differ only in case are requested at the same time, one category is created', async () => {
    const course = campus.course(14);
    const names = ['Race', 'race', 'RACE', 'Race'];
    const answers = await Promise.all(
      names.map((name, at) => create(at % 2 ? all : custom, course.id, name, `${course.sis}_${name}`)),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(names.slice(0, 3).flatMap((name) => inLms(course.id, name))).toHaveLength(1);
  });

  it('OP-76 if two names give one id, the second is rejected; the error names the owner of the id if it is in scope', async () => {
    const course = campus.course(4);
    await byHand(course.id, { name: 'A_B', sis_group_category_id: `${course.sis}_A_B` });
    const refused = await create(custom, course.id, 'A B', `${course.sis}_A_B`);
    expect(refused).toMatchObject({ status: 409, error: { code: 'name-taken', message: DUPLICATE } });
    expect(refused.error.next).toContain(`‘A_B’ of ${course.name}`);
    await byHand(campus.course(1, 163).id, {
      name: 'Secret',
      sis_group_category_id: `${course.sis}_Far`,
    });
    const far = await create(custom, course.id, 'Far', `${course.sis}_Far`);
    expect(far).toMatchObject({ status: 409, error: { message: DUPLICATE } });
    expect(far.error.next).toContain(`${course.sis}_Far`);
    expect(far.error.next).not.toMatch(/Secret/);
    expect(inLms(course.id, 'A B').concat(inLms(course.id, 'Far'))).toEqual([]);
  });

  it('GRP-13 any other id is rejected with its field, and so is a course without an SIS ID', async () => {
    const course = campus.course(5);
    for (const sis of ['MINE', `${course.sis}_A_B_C`, `${course.sis}_A B C`, `${course.sis}_a_B C`]) {
      const refused = await create(custom, course.id, 'A B C', sis);
      expect(refused).toMatchObject({
        status: 400,
        error: { code: 'bad-request', details: [{ field: 'sis_group_category_id' }] },
      });
      expect(refused.error.details?.[0]?.message).toContain(`${course.sis}_A_B C`);
    }
    const bare = [...test.sandbox.world.courses.values()].find(
      (one) => !one.sis_source_id && one.workflow_state === 'available',
    );
    expect((await create(all, bare?.id ?? 0, 'X', '_X')).error.details?.[0]?.message).toMatch(/no SIS ID/);
    expect(await writes()).toEqual([]);
  });

  it('GRP-10, GRP-11 a name that looks the same, with other spaces or in another Unicode form, is rejected', async () => {
    const course = campus.course(2);
    await byHand(course.id, { name: 'Cas\u00E9 Teams' });
    await campus.forgetRequests();
    for (const name of ['cas\u00E9  Teams', 'Cas\u00E9\u00A0Teams', 'Case\u0301 Teams']) {
      const refused = await create(custom, course.id, name, `${course.sis}_${name.replace(' ', '_')}`);
      expect(refused).toMatchObject({ status: 409, error: { code: 'name-taken', message: DUPLICATE } });
      expect(refused.error.next).toContain('Cas\u00E9 Teams');
    }
    expect(await writes()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty name', { name: '  ', sis_group_category_id: 'x' }],
    ['a formula', { name: '=1+1', sis_group_category_id: 'x' }],
    ['a name with a line break', { name: 'x\ny', sis_group_category_id: 'x' }],
    ['a name with a lone surrogate', { name: 'x\ud800', sis_group_category_id: 'x' }],
    ['a name of invisible characters', { name: '\u200b', sis_group_category_id: 'x' }],
    ['a name of 251 characters', { name: 'x'.repeat(251), sis_group_category_id: 'x' }],
    ['no id', { name: 'x' }],
    ['an additional field', { name: 'x', sis_group_category_id: 'x', create_group_count: 50 }],
  ])('LMS-16 %s is rejected before any call to the LMS', async (_name, payload) => {
    const answer = await custom.invoke(
      lmsUrl('group-category-create', { course: campus.course(0).id }),
      'POST',
      payload,
    );
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'bad-request']);
    expect(await campus.requests(({ path }) => path.startsWith('/api/v1'))).toEqual([]);
  });

  it('LMS-16 a course out of scope gives the same answer as a missing one', async () => {
    const other = campus.course(2, 163);
    const [far, none] = [
      await create(custom, other.id, 'Z', `${other.sis}_Z`),
      await create(custom, 99_999_999, 'Z', `${other.sis}_Z`),
    ];
    const message = 'The course no longer exists, or you do not have access to it.';
    expect(far).toMatchObject({ status: 404, error: { code: 'not-found', message } });
    expect([far.status, far.error.message, far.error.next]).toEqual([
      none.status,
      none.error.message,
      none.error.next,
    ]);
    expect(await writes()).toEqual([]);
  });

  it('LMS-16 OP-14 nothing is written to a course that has just moved out of scope', async () => {
    const course = campus.course(15);
    const category = await byHand(course.id, { name: 'Moved' });
    expect((await custom.invoke(lmsUrl('group-categories', { course: course.id }))).status).toBe(200);
    const { courses } = test.sandbox.world;
    courses.change(courses.must(course.id), { account_id: 163 });
    await campus.forgetRequests();
    const made = await create(custom, course.id, 'Late', `${course.sis}_Late`);
    const given = await custom.invoke(lmsUrl('group-category-sis-id', { category }), 'PUT', {
      sis_group_category_id: `${course.sis}_Moved`,
    });
    expect([made.status, given.status]).toEqual([404, 404]);
    expect(await writes()).toEqual([]);
    courses.change(courses.must(course.id), { account_id: 86 });
  });

  it('LMS-16 a reserved name is rejected with the LMS’s message and a hint', async () => {
    const course = campus.course(0);
    const refused = await create(custom, course.id, 'Student Groups', `${course.sis}_Student_Groups`);
    expect(refused).toMatchObject({
      status: 502,
      error: { code: 'lms-refused', next: 'Choose another name.' },
    });
    expect(refused.error.message).toContain('reserved');
  });
});

describe('creating a category while the LMS fails', () => {
  const AT = (course: number) => ({ match: `/api/v1/courses/${course}/group_categories` });

  it('LMS-16 after a lost answer the created category is found, and only one exists', async () => {
    const course = campus.course(6);
    for (const [name, fault] of [
      ['Cut', { kind: 'drop', when: 'after' }],
      ['Cut within', { kind: 'drop', when: 'body' }],
    ] as const) {
      await campus.fault({ ...AT(course.id), method: 'POST', count: 1, ...fault });
      const sis = `${course.sis}_${name.replace(' ', '_')}`;
      const made = await create(custom, course.id, name, sis);
      expect(made).toMatchObject({ status: 200, data: { name, sis_group_category_id: sis } });
      expect(inLms(course.id, name)).toHaveLength(1);
    }
    expect((await audited(PEOPLE.custom)).at(-1)).toMatchObject({
      event: 'group category created',
      detail: { after: 'down' },
    });
  });

  it('LMS-16 if nothing was created, the answer says so, and a second request creates one', async () => {
    const course = campus.course(7);
    const sis = `${course.sis}_Again`;
    await campus.fault({ ...AT(course.id), method: 'POST', kind: 'drop', when: 'before', count: 1 });
    const failed = await create(custom, course.id, 'Again', sis);
    expect(failed).toMatchObject({ status: 502, error: { code: 'lms-down' } });
    expect(failed.error.message).toContain('has not been created');
    expect((await create(custom, course.id, 'Again', sis)).status).toBe(200);
    expect(inLms(course.id, 'Again')).toHaveLength(1);
  });

  it('LMS-16 if the lookup fails as well, the result is unknown, and the next attempt finds the category', async () => {
    const course = campus.course(8);
    const sis = `${course.sis}_Dark`;
    await campus.fault({ ...AT(course.id), method: 'POST', kind: 'drop', when: 'after', count: 1 });
    // The list read before the creation is answered, but the one read afterwards is not.
    await campus.fault({ ...AT(course.id), method: 'GET', kind: 'status', status: 400, spares: 1 });
    const failed = await create(custom, course.id, 'Dark', sis);
    expect(failed).toMatchObject({ status: 502, error: { code: 'lms-down' } });
    expect(failed.error.message).toContain('could not confirm that the category was created');
    expect(failed.error.next).toContain('Check the list of categories');
    await campus.clearFaults();
    expect(await create(custom, course.id, 'Dark', sis)).toMatchObject({
      status: 409,
      error: { message: DUPLICATE },
    });
    expect(inLms(course.id, 'Dark')).toHaveLength(1);
  });

  it('LMS-16, OP-108 if a deleted category has the SIS ID, the new category exists without one, and the answer says so', async () => {
    const course = campus.course(9);
    const sis = `${course.sis}_Held`;
    const old = await byHand(course.id, { name: 'Held', sis_group_category_id: sis });
    await campus.api(`group_categories/${old}`, { method: 'DELETE' });
    const half = await create(custom, course.id, 'Held', sis);
    expect(half).toMatchObject({ status: 409, error: { code: 'conflict' } });
    expect(half.error.message).toMatch(/‘Held’ now exists, but has no SIS ID .*already in use/);
    expect(half.error.next).toMatch(
      /^A category that was deleted in the LMS .* create one with another name\.$/,
    );
    expect(inLms(course.id, 'Held')).toMatchObject([{ sis_source_id: null }]);
  });

  it('LMS-16 if the LMS cannot be read first, this is reported, and nothing is sent', async () => {
    const course = campus.course(0);
    await campus.fault({ ...AT(course.id), method: 'GET', kind: 'status', status: 503 });
    expect(await create(custom, course.id, 'Never', `${course.sis}_Never`)).toMatchObject({
      status: 502,
      error: { code: 'lms-down' },
    });
    expect(await writes()).toEqual([]);
  });

  it('GRP-10 the same name requested twice at the same time leads to one category', async () => {
    const course = campus.course(10);
    const sis = `${course.sis}_Twice`;
    const both = await Promise.all([
      create(custom, course.id, 'Twice', sis),
      create(all, course.id, 'Twice', sis),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.error.message).toBe(DUPLICATE);
    expect(inLms(course.id, 'Twice')).toHaveLength(1);
  });
});

describe('giving a category its SIS ID', () => {
  it("OP-108 the generated id is set once; a repeat returns the current one; the category's other settings stay", async () => {
    const course = campus.course(11);
    const id = await byHand(course.id, {
      name: 'By hand',
      group_limit: 3,
      self_signup: 'enabled',
      auto_leader: 'first',
    });
    const sis = `${course.sis}_By_hand`;
    await campus.forgetRequests();
    expect(await give(custom, id, sis)).toMatchObject({
      status: 200,
      data: { id, name: 'By hand', sis_group_category_id: sis, group_limit: 3 },
    });
    expect(inLms(course.id, 'By hand')).toMatchObject([
      { sis_source_id: sis, group_limit: 3, self_signup: 'enabled', auto_leader: 'first' },
    ]);
    expect(await audited(PEOPLE.custom)).toMatchObject([
      { event: 'group category SIS ID requested', detail: { category: id } },
      { event: 'group category SIS ID set', detail: { category: id, sis_group_category_id: sis } },
    ]);
    expect(await give(custom, id, sis)).toMatchObject({ status: 200, data: { sis_group_category_id: sis } });
    expect(await writes()).toHaveLength(1);
  });

  it('OP-108, GRP-13 any other id is rejected, and an existing one stays', async () => {
    const course = campus.course(12);
    const id = await byHand(course.id, { name: 'Only this' });
    expect(await give(custom, id, `${course.sis}_Only this`)).toMatchObject({
      status: 400,
      error: { details: [{ field: 'sis_group_category_id' }] },
    });
    const has = await byHand(course.id, { name: 'Has one', sis_group_category_id: 'HAS-ONE' });
    expect(await give(custom, has, `${course.sis}_Has_one`)).toMatchObject({
      status: 409,
      error: { message: 'The category already has a different SIS ID.' },
    });
    await byHand(course.id, { name: 'Only_this', sis_group_category_id: `${course.sis}_Only_this` });
    expect(await give(custom, id, `${course.sis}_Only_this`)).toMatchObject({
      status: 409,
      error: { message: DUPLICATE },
    });
    expect(inLms(course.id, 'Only this')).toMatchObject([{ sis_source_id: null }]);
  });

  it('OP-108 a category out of scope, even an account’s, gives the same answer as a missing one', async () => {
    const other = campus.course(3, 163);
    const foreign = await byHand(other.id, { name: 'Foreign' });
    const [clubs] = [...test.sandbox.world.groupCategories.values()].filter(
      (one) => one.context_type === 'Account',
    );
    await campus.forgetRequests();
    const answers = [];
    for (const id of [foreign, clubs?.id ?? 0, 99_999_999]) {
      const { status, error } = await give(custom, id, `${other.sis}_Foreign`);
      answers.push({ status, code: error.code, message: error.message, next: error.next });
    }
    // The person typed no number that could be checked.
    expect(answers[0]).toEqual({
      status: 404,
      code: 'not-found',
      message: 'The group category no longer exists, or you do not have access to it.',
      next: 'Choose another category. The list shows those that the course has now.',
    });
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await writes()).toEqual([]);
  });

  it('OP-108 after a lost answer, LMS Admin checks in the LMS whether the id is set', async () => {
    const course = campus.course(13);
    const [one, two] = [await byHand(course.id, { name: 'One' }), await byHand(course.id, { name: 'Two' })];
    const at = (id: number) => ({ match: `/api/v1/group_categories/${id}`, method: 'PUT', count: 1 });
    await campus.fault({ ...at(one), kind: 'drop', when: 'after' });
    expect(await give(custom, one, `${course.sis}_One`)).toMatchObject({
      status: 200,
      data: { sis_group_category_id: `${course.sis}_One` },
    });
    await campus.fault({ ...at(two), kind: 'status', status: 503 });
    const failed = await give(custom, two, `${course.sis}_Two`);
    expect(failed).toMatchObject({ status: 502, error: { code: 'lms-down' } });
    expect(failed.error.message).toContain('no SIS ID yet');
    expect((await give(custom, two, `${course.sis}_Two`)).status).toBe(200);
  });
});

it('LMS-16, OP-108 without permission to set SIS IDs, the answer says that the category has none, and whom to ask', async () => {
  const own = await startTestServer({ lms: test.sandbox, serviceToken: false, access });
  try {
    const teacher = await own.signIn(TEACHER);
    const { world } = test.sandbox;
    const mine = [...world.enrollments.values()].find(
      (one) =>
        one.user_id === 108 &&
        one.workflow_state === 'active' &&
        world.courses.get(one.course_id)?.sis_source_id,
    );
    const course = world.courses.get(mine?.course_id ?? 0);
    const sis = `${course?.sis_source_id}_Teacher`;
    const half = await create(teacher, course?.id ?? 0, 'Teacher', sis);
    expect(half).toMatchObject({ status: 409, error: { code: 'conflict' } });
    expect(half.error.message).toMatch(/‘Teacher’ now exists, but has no SIS ID .*manage_sis/);
    expect(half.error.next).toContain('Ask IT Support');
    const [left] = inLms(course?.id ?? 0, 'Teacher');
    expect(left).toMatchObject({ sis_source_id: null });
    expect(await give(teacher, left?.id ?? 0, sis)).toMatchObject({
      status: 502,
      error: { code: 'lms-refused' },
    });
    // With the service user's permissions, one request is enough.
    expect((await give(all, left?.id ?? 0, sis)).status).toBe(200);
  } finally {
    await own.close();
  }
});
