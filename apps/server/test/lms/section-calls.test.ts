/**
 * Calls for Section Enrollment: giving a section its SIS ID, and finding a person by SIS ID (LMS-14, OP-50,
 * OP-51).
 */
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { generatedSectionSisId } from '@lms-admin/domain/sections';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let campus: Campus;
let all: Browser;
let custom: Browser;

beforeAll(async () => {
  test = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(test.sandbox);
  [all, custom] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.custom)]);
});
afterAll(() => test.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

async function newSection(course: number, name: string, sis_section_id?: string): Promise<number> {
  const body = { course_section: { name, sis_section_id } };
  const answer = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
  return ((await answer.json()) as { id: number }).id;
}
async function give(browser: Browser, section: number, sis_section_id: unknown, more: object = {}) {
  const payload = { course_section: { sis_section_id }, enable_sis_reactivation: true, ...more };
  const response = await browser.invoke(lmsUrl('section-sis-id', { section }), 'PUT', payload);
  const { data, error } = await response.json();
  return { status: response.status, data, error };
}
const sisIdOf = (section: number) => test.sandbox.world.sections.get(section)?.sis_source_id ?? null;
const puts = () => campus.requests(({ method }) => method === 'PUT');

describe('giving a section its SIS ID', () => {
  it('LMS-14, SE-12 the generated id is set once: a repeat gives the same answer', async () => {
    const course = campus.course(0);
    const id = await newSection(course.id, 'Group 1 (día)');
    const wanted = `${course.sis}-GROUP1DA`;
    expect(await give(custom, id, wanted)).toMatchObject({
      status: 200,
      data: { id, course_id: course.id, sis_section_id: wanted },
    });
    expect(sisIdOf(id)).toBe(wanted);
    expect(await give(custom, id, wanted)).toMatchObject({ status: 200, data: { sis_section_id: wanted } });
    expect(await puts()).toHaveLength(1);
  });

  it('OP-51 the id gets the section’s number if the plain one is in use, and is never anything else', async () => {
    const course = campus.course(1);
    const [first, second, nameless] = [
      await newSection(course.id, 'Group 2'),
      await newSection(course.id, 'Group-2'),
      await newSection(course.id, '组'),
    ];
    const wanted = `${course.sis}-GROUP2`;
    expect((await give(custom, first, wanted)).status).toBe(200);
    const taken = await give(custom, second, wanted);
    expect(taken).toMatchObject({ status: 502, error: { code: 'lms-refused' } });
    expect(taken.error.message).toContain('in use');
    for (const other of [`${wanted}-x`, `${wanted}-${first}`, 'MINE', wanted.toLowerCase(), ` ${wanted}`]) {
      const refused = await give(custom, second, other);
      expect(refused).toMatchObject({ status: 400, error: { code: 'bad-request' } });
      expect(refused.error.details[0].message).toContain(`${wanted}-${second}`);
    }
    expect((await give(custom, second, `${wanted}-${second}`)).status).toBe(200);
    const plain = generatedSectionSisId({ id: nameless, name: '组' }, course.sis);
    expect((await give(custom, nameless, `${course.sis}-`)).status).toBe(400);
    expect((await give(custom, nameless, plain)).status).toBe(200);
    expect([sisIdOf(second), sisIdOf(nameless)]).toEqual([`${wanted}-${second}`, plain]);
  });

  it('LMS-14 a section that has another id keeps it', async () => {
    const course = campus.course(2);
    const id = await newSection(course.id, 'Has one', 'HAS-ONE');
    expect(await give(custom, id, `${course.sis}-HASONE`)).toMatchObject({
      status: 409,
      error: { code: 'conflict', message: 'The section already has a different SIS ID.' },
    });
    expect(sisIdOf(id)).toBe('HAS-ONE');
    expect(await puts()).toEqual([]);
  });

  it('LMS-14 a course without an SIS ID has no generated ids', async () => {
    const { world } = test.sandbox;
    const course = [...world.courses.values()].find(
      (one) => !one.sis_source_id && one.workflow_state === 'available',
    );
    const id = await newSection(course?.id ?? 0, 'Group 3');
    const refused = await give(all, id, '-GROUP3');
    expect(refused).toMatchObject({ status: 400, error: { code: 'bad-request' } });
    expect(refused.error.details[0].message).toMatch(/no SIS ID/);
    expect(await puts()).toEqual([]);
  });

  it('OP-14 a section out of scope, even by cross-listing, gives the same answer as a missing one', async () => {
    const [mine, other] = [campus.course(3), campus.course(0, 163)];
    const [foreign, moved] = [await newSection(other.id, 'Group 4'), await newSection(mine.id, 'Group 4')];
    await campus.api(`sections/${moved}/crosslist/${other.id}`, { method: 'POST' });
    const answers = [];
    for (const [id, sis] of [
      [99_999_999, `${mine.sis}-GROUP4`],
      [foreign, `${other.sis}-GROUP4`],
      [moved, `${mine.sis}-GROUP4`],
      [moved, `${other.sis}-GROUP4`],
    ] as const) {
      const { status, error } = await give(custom, id, sis);
      answers.push({ status, code: error.code, message: error.message, next: error.next });
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not-found' });
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect([sisIdOf(foreign), sisIdOf(moved)]).toEqual([null, null]);
    // A section cross-listed into scope belongs to its current course.
    const back = await newSection(other.id, 'Group 5');
    await campus.api(`sections/${back}/crosslist/${mine.id}`, { method: 'POST' });
    expect((await give(custom, back, `${other.sis}-GROUP5`)).status).toBe(400);
    expect((await give(custom, back, `${mine.sis}-GROUP5`)).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['no section', {}],
    ['a number as the id', { course_section: { sis_section_id: 1 } }],
    ['an empty id', { course_section: { sis_section_id: '' } }],
    ['an additional field of the section', { course_section: { sis_section_id: 'x', name: 'Renamed' } }],
    ['an additional field', { course_section: { sis_section_id: 'x' }, override_sis_stickiness: true }],
    ['no reactivation', { course_section: { sis_section_id: 'x' }, enable_sis_reactivation: false }],
  ])('LMS-14 %s is rejected before any call to the LMS', async (_name, payload) => {
    const [section] = [...test.sandbox.world.sections.by.course.get(campus.course(0).id)];
    const url = lmsUrl('section-sis-id', { section: section?.id ?? 0 });
    const response = await custom.invoke(url, 'PUT', payload);
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'bad-request']);
    expect(await campus.requests(({ path }) => path.startsWith('/api/v1'))).toEqual([]);
  });

  it('OP-97 an LMS that fails in the meantime is reported as such, and nothing has changed', async () => {
    const course = campus.course(4);
    const id = await newSection(course.id, 'Group 6');
    await campus.fault({ match: `/api/v1/sections/${id}`, kind: 'status', status: 503 });
    expect(await give(custom, id, `${course.sis}-GROUP6`)).toMatchObject({
      status: 502,
      error: { code: 'lms-down' },
    });
    expect(sisIdOf(id)).toBeNull();
  });
});

describe('a person by SIS ID', () => {
  const find = async (browser: Browser, id: string) => {
    const response = await browser.invoke(lmsUrl('user-by-sis-id', { person: `sis_user_id:${id}` }));
    const { data, error } = await response.json();
    return { status: response.status, data, code: error?.code };
  };

  it('OP-50 finds exactly that person, with four fields; an unknown id is not found', async () => {
    const [person] = campus.strangers(1, []);
    const { world } = test.sandbox;
    const [login] = [...world.pseudonyms.by.user.get(person?.id ?? 0)];
    if (!person || !login) throw new Error('nobody');
    const found = await find(custom, person.sis);
    expect(found).toMatchObject({ status: 200, data: { id: person.id, sis_user_id: person.sis } });
    expect(Object.keys(found.data).sort()).toEqual(['id', 'login_id', 'name', 'sis_user_id']);
    // The LMS's own number is not an SIS ID.
    expect(await find(custom, String(person.id))).toMatchObject({ status: 404, code: 'not-found' });
    const { id: _id, ...like } = login;
    world.pseudonyms.add({ ...like, unique_id: 'odd@northbridge.example', sis_user_id: 'odd.id_1-a@b.json' });
    expect(await find(custom, 'odd.id_1-a@b.json')).toMatchObject({ status: 200, data: { id: person.id } });
    expect(await find(custom, '..')).toMatchObject({ status: 404 });
  });

  it('OP-02, OP-50 any other way to name a person is rejected', async () => {
    await campus.forgetRequests();
    const names = ['self', '1', 'sis_login_id:a', 'sis_user_id:', 'sis_user_id:a b', 'sis_user_id:a/b'];
    const more = [
      'sis_user_id:a%2Fb',
      'hex:sis_user_id:61',
      `sis_user_id:${'x'.repeat(101)}`,
      'sis_user_id:é',
    ];
    for (const name of [...names, ...more]) expect((await custom.invoke(`users/${name}`)).status).toBe(403);
    expect(await campus.requests(({ path }) => path.includes('/users'))).toEqual([]);
  });
});
