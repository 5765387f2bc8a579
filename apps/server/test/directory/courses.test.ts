/** Courses of the copy are those that the LMS lists to the same person, without concluded ones: the report has none. */
import { type CopiedCourses, copiedCourses } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { type DirectoryTest, reportOf, startDirectoryTest, zipped } from './support.ts';

const HOUR_MS = 3_600_000;
const PROGRAMME = 86;
const OTHER_PROGRAMME = 163;

let ts: DirectoryTest;
let alma: Browser;
beforeAll(async () => {
  ts = await startDirectoryTest();
  expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(() => {
  ts.clock.ahead = 0;
});

const ask = (account: unknown, browser = alma) => browser.post(ENDPOINTS.directoryCourses, { account });
/** Combines the lines of the answer, or returns null if there are none. */
const copied = async (account: number, browser = alma): Promise<CopiedCourses | null> => {
  const response = await ask(account, browser);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const parts = lines.map((line) => {
    const got: unknown = JSON.parse(line);
    // The answer has no undeclared fields.
    expect(copiedCourses.parse(got)).toEqual(got);
    return copiedCourses.parse(got);
  });
  const [first] = parts;
  return first ? { as_of: first.as_of, courses: parts.flatMap(({ courses }) => courses) } : null;
};

/** Reads the courses that the picker reads from the LMS, without concluded ones. */
async function listed(account: number, browser = alma): Promise<CopiedCourses['courses']> {
  const url = lmsUrl('courses', { account: String(account) }, [
    ['per_page', '100'],
    ['include[]', 'term'],
  ]);
  const response = await browser.post(ENDPOINTS.invokePages, { url, type: 'GET' });
  const lines = (await response.text()).trim().split('\n');
  const all = lines.flatMap((line) => (JSON.parse(line) as { data?: CopiedCourses['courses'] }).data ?? []);
  const { courses } = ts.sandbox.world;
  return all
    .filter(({ id }) => courses.get(id)?.workflow_state !== 'completed')
    .map(({ id, name, sis_course_id, enrollment_term_id }) => ({
      id,
      name,
      sis_course_id,
      enrollment_term_id,
    }))
    .sort((a, b) => a.id - b.id);
}

test.each([1, PROGRAMME, OTHER_PROGRAMME])(
  'for account %i, the courses are the same as in the LMS',
  async (account) => {
    const found = await copied(account);
    expect(found?.as_of).toBe((await ts.status()).as_of);
    expect(found?.courses.length).toBeGreaterThan(0);
    expect(found?.courses).toEqual(await listed(account));
  },
);

test('only accounts in the person’s scope are answered', async () => {
  const bruno = await ts.signIn(PEOPLE.custom);
  expect((await copied(PROGRAMME, bruno))?.courses).toEqual(await listed(PROGRAMME, bruno));
  expect((await ask(OTHER_PROGRAMME, bruno)).status).toBe(404);
  expect((await ask(1, bruno)).status).toBe(404);
});

test('only people to whom the LMS lists the courses get them', async () => {
  const fault = { match: `/api/v1/accounts/${PROGRAMME}/courses*`, kind: 'status', status: 403, count: 1 };
  await ts.handle('faults', { method: 'POST', body: { system: 'canvas', ...fault } });
  expect(await copied(PROGRAMME)).toBeNull();
  expect((await copied(PROGRAMME))?.courses.length).toBeGreaterThan(0);
});

test('an answer takes one call to the LMS, and none without a usable copy', async () => {
  const calls = async () => {
    const { requests } = (await ts.handle('requests?system=canvas')) as { requests: { path: string }[] };
    return requests.filter(({ path }) => path.includes('/courses')).length;
  };
  await ts.handle('requests', { method: 'DELETE' });
  await copied(PROGRAMME);
  expect(await calls()).toBe(1);
  ts.clock.ahead = 73 * HOUR_MS;
  const later = await ts.signIn(PEOPLE.all);
  expect(await copied(PROGRAMME, later)).toBeNull();
  expect(await calls()).toBe(1);
});

test.each([0, -1, '86', null, 1.5])('account %j is rejected', async (account) => {
  expect((await ask(account)).status).toBe(400);
});

test.each([1, 999, 1_000, 1_001, 20_000])('of %i courses, each is sent once', async (count) => {
  const rows = Array.from(
    { length: count },
    (_, at) => `${at + 1},C${at + 1},Z ${at},Zoë’s “course” ${at},86,1`,
  );
  const courses = `canvas_course_id,course_id,short_name,long_name,canvas_account_id,canvas_term_id\n${rows.join('\n')}\n`;
  ts.front.files.push(await zipped({ ...reportOf([1]), courses }));
  expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
  const found = await copied(PROGRAMME);
  expect(found?.courses.map(({ id }) => id)).toEqual(rows.map((_, at) => at + 1));
  expect(await copied(OTHER_PROGRAMME)).toBeNull();
});
