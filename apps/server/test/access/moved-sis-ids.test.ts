/**
 * An SIS ID that moves from one course to another refers to the new course from then on, whatever was read
 * before (OP-14).
 */
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Campus, makePlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let campus: Campus;
let custom: Browser;
let clock = 0;
let at = 0;

beforeAll(async () => {
  test = await startTestServer({
    sandbox: { throttle: false },
    server: { now: () => Date.now() + clock },
  });
  campus = new Campus(test.sandbox);
  custom = await test.signIn(PEOPLE.custom);
});
afterAll(() => test.close());
beforeEach(() => {
  clock = 0;
});

/** Finds courses that each have their own default section, in which rows without a section end up. */
function plain(account: number) {
  const { sections } = test.sandbox.world;
  return campus
    .courses(account)
    .filter(({ id }) => [...sections.by.course.get(id)].some((section) => section.default_section))
    .map(({ id, sis_source_id }) => ({ id, sis: sis_source_id ?? '' }));
}

/** Finds three courses that no other test uses: two within scope, one outside. */
function some() {
  at += 2;
  const [first, second] = plain(86).slice(at);
  const [foreign] = plain(163).slice(at);
  if (!first || !second || !foreign) throw new Error('too few courses');
  return { first, second, foreign };
}
function give(course: { id: number }, sisId: string | null) {
  const row = test.sandbox.world.courses.must(course.id);
  test.sandbox.world.courses.change(row, { sis_source_id: sisId });
}
const read = (course: { id: number }) => custom.invoke(lmsUrl('course', { course: course.id }));
/** Submits rows that name the course: 200 if the course is in the admin's scope, 400 if not. */
async function submitRows(sisId: string): Promise<number> {
  const person = campus.strangers(1, [])[0]?.sis ?? '';
  const rows = [
    ['course_id', 'user_id', 'role_id', 'status'],
    [sisId, person, '3', 'active'],
  ];
  return (await custom.invoke('accounts/1/sis_imports', 'POST_SIS', rows)).status;
}

it('is found in its new course after the old course was seen with another', async () => {
  const { first, second } = some();
  expect(await submitRows(first.sis)).toBe(200);
  give(first, `${first.sis}-OLD`);
  give(second, first.sis);
  expect((await read(first)).status).toBe(200);
  expect(await submitRows(first.sis)).toBe(200);
  expect(await submitRows(`${first.sis}-OLD`)).toBe(200);
});

it('is not used for the old course after the new one was seen with it', async () => {
  const { first, second } = some();
  await read(first);
  give(first, null);
  give(second, first.sis);
  await read(second);
  const [person] = campus.strangers(1, [first.id]);
  const plan = await makePlan(custom, {
    role_id: 3,
    status: 'active',
    courses: [first.id],
    emails: [person?.email ?? ''],
  });
  expect(plan.courses).toEqual([]);
  expect(plan.left_out).toMatchObject([{ id: first.id }]);
});

it('refers to no course within a minute if the move was not noticed', async () => {
  const { first, foreign } = some();
  expect(await submitRows(first.sis)).toBe(200);
  give(foreign, null);
  give(first, null);
  give(foreign, first.sis);
  clock = 60_000;
  expect(await submitRows(first.sis)).toBe(400);
});
