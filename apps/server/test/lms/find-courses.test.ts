/**
 * The course that a person names by number, address, SIS ID or name, within that person's scope (EXP-03,
 * ZC-02, ZR-04, OP-14).
 */
import { foundCourses } from '@lms-admin/contract/course-search';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { ACCESS } from '../zoom/run-support.ts';

let server: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  server = await startTestServer({ access: ACCESS });
  campus = new Campus(server.sandbox);
  [alma, bruno] = await Promise.all([server.signIn(PEOPLE.all), server.signIn(PEOPLE.custom)]);
});
afterAll(() => server.close());

const ask = (browser: Browser, text: string) =>
  browser.fetch(`${ENDPOINTS.courseSearch}?${new URLSearchParams({ text })}`);
async function idsOf(browser: Browser, text: string): Promise<number[]> {
  const response = await ask(browser, text);
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: unknown };
  return foundCourses.parse(data).courses.map(({ id }) => id);
}

test('EXP-03 ZC-02 a course is found by number, by the address of an LMS page, and by SIS ID, even in an address', async () => {
  const { id, sis_source_id: sis } = campus.courses()[0] ?? { id: 0, sis_source_id: null };
  const site = server.config.lms.url;
  for (const text of [
    String(id),
    ` ${id} `,
    `${site}/courses/${id}/users?page=2`,
    sis ?? '',
    `${site}/courses/sis_course_id:${encodeURIComponent(sis ?? '')}`,
  ])
    expect(await idsOf(alma, text), text).toEqual([id]);
  expect(await idsOf(alma, '99999999')).toEqual([]);
  expect(await idsOf(alma, 'x')).toEqual([]);
});

test('an address on another site does not name a course, whatever its number', async () => {
  const { id } = campus.courses()[0] ?? { id: 0 };
  for (const text of [`https://elsewhere.example/courses/${id}`, `${server.config.lms.url}/users/${id}`]) {
    const response = await ask(alma, text);
    expect(response.status).toBe(400);
    expect(errorEnvelope.parse(await response.json()).error.message).toBe(
      'This is not the address of a course in the LMS.',
    );
  }
});

test('several courses with the same name are offered; if a number is also another course’s SIS ID, both are offered', async () => {
  const [first, second] = campus.courses();
  if (!first || !second) throw new Error('no courses');
  const rename = (id: number, course: object) =>
    campus.api(`courses/${id}`, { method: 'PUT', body: { course } });
  await rename(first.id, { name: 'Zebra studies A' });
  await rename(second.id, { name: 'Zebra studies B' });
  expect(new Set(await idsOf(alma, 'zebra STUDIES'))).toEqual(new Set([first.id, second.id]));
  await rename(second.id, { sis_course_id: String(first.id) });
  expect(new Set(await idsOf(alma, String(first.id)))).toEqual(new Set([first.id, second.id]));
  expect(await idsOf(alma, `${server.config.lms.url}/courses/${first.id}`)).toEqual([first.id]);
  // A class number begins with zeros; a course number does not.
  await rename(second.id, { sis_course_id: `00${first.id}` });
  expect(new Set(await idsOf(alma, `00${first.id}`))).toEqual(new Set([first.id, second.id]));
});

test('EXP-03 an SIS ID that has moved names the course that has it now', async () => {
  const [first, second] = campus.courses().slice(4);
  if (!first || !second) throw new Error('too few courses');
  const { courses } = server.sandbox.world;
  const was = [first, second].map(({ id, sis_source_id }) => ({ id, sis_source_id }));
  courses.change(first, { sis_source_id: 'PASSED-ON' });
  expect(await idsOf(alma, 'PASSED-ON')).toEqual([first.id]);
  courses.change(courses.must(first.id), { sis_source_id: 'PASSED-ON-OLD' });
  courses.change(courses.must(second.id), { sis_source_id: 'PASSED-ON' });
  expect(await idsOf(alma, 'PASSED-ON')).toEqual([second.id]);
  expect(await idsOf(alma, 'PASSED-ON-OLD')).toEqual([first.id]);
  for (const { id, sis_source_id } of was) courses.change(courses.must(id), { sis_source_id });
});

test('OP-14 a course out of scope is treated as missing, however it is named', async () => {
  const outside = campus.course(0, 163);
  const before = server.sandbox.world.courses.get(outside.id);
  const site = server.config.lms.url;
  for (const text of [
    String(outside.id),
    `${site}/courses/${outside.id}`,
    before?.sis_source_id ?? '',
    before?.name ?? '',
  ]) {
    const seen = await idsOf(alma, text);
    expect(seen, text).toContain(outside.id);
    expect(await idsOf(bruno, text), text).not.toContain(outside.id);
  }
  const own = campus.courses()[2];
  expect(await idsOf(bruno, own?.name ?? '')).toContain(own?.id);
});
