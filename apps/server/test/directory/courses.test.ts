/** Courses of the copy are those that the LMS lists to the same person, without concluded ones: the report has none. */
import { type CopiedCourses, copiedCourses } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { type DirectoryTest, startDirectoryTest } from './support.ts';

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

const ask = (account: number | string, browser = alma) =>
  browser.fetch(`${ENDPOINTS.directoryCourses}?account=${account}`);
const copied = async (account: number, browser = alma): Promise<CopiedCourses> => {
  const response = await ask(account, browser);
  expect(response.status).toBe(200);
  return copiedCourses.parse((await response.json()).data);
};

/** What the course picker reads from the LMS, without concluded courses. */
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

test.each([1, PROGRAMME, OTHER_PROGRAMME])('account %i: the same courses as in the LMS', async (account) => {
  const { as_of: asOf, courses } = await copied(account);
  expect(asOf).toBe((await ts.status()).as_of);
  expect(courses.length).toBeGreaterThan(0);
  expect(courses).toEqual(await listed(account));
});

test('only accounts in the scope of the person', async () => {
  const bruno = await ts.signIn(PEOPLE.custom);
  expect((await copied(PROGRAMME, bruno)).courses).toEqual(await listed(PROGRAMME, bruno));
  expect((await ask(OTHER_PROGRAMME, bruno)).status).toBe(404);
  expect((await ask(1, bruno)).status).toBe(404);
});

test('only for people to whom the LMS lists the courses', async () => {
  const fault = { match: `/api/v1/accounts/${PROGRAMME}/courses*`, kind: 'status', status: 403, count: 1 };
  await ts.handle('faults', { method: 'POST', body: { system: 'canvas', ...fault } });
  expect(await copied(PROGRAMME)).toEqual({ as_of: null, courses: [] });
  expect((await copied(PROGRAMME)).courses.length).toBeGreaterThan(0);
});

test('one call to the LMS; none without a copy that can be used', async () => {
  const calls = async () => {
    const { requests } = (await ts.handle('requests?system=canvas')) as { requests: { path: string }[] };
    return requests.filter(({ path }) => path.includes('/courses')).length;
  };
  await ts.handle('requests', { method: 'DELETE' });
  await copied(PROGRAMME);
  expect(await calls()).toBe(1);
  ts.clock.ahead = 73 * HOUR_MS;
  const later = await ts.signIn(PEOPLE.all);
  expect(await copied(PROGRAMME, later)).toEqual({ as_of: null, courses: [] });
  expect(await calls()).toBe(1);
});

test.each(['0', '-1', 'x', '', '1&term=2'])('account %j is rejected', async (account) => {
  expect((await ask(account)).status).toBe(400);
});
