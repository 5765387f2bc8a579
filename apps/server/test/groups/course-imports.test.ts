/**
 * The course dialog in another tab shows an administrator's own imports that are in progress or whose result
 * has not been seen.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type CourseImport, courseImport } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  Campus,
  jobOf,
  makeGroupPlan,
  makeMemberPlan,
  type Person,
  statusOf,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { csvOf, fromCsv, groupedCourse } from './support.ts';

const GROUPS = { perm: 'ALL', group_level_admin: true };
let ts: TestServer;
let campus: Campus;
let alma: Browser;
let dev: Browser;

beforeAll(async () => {
  const admins = [PEOPLE.all, PEOPLE.helpDesk].map((login) => ({ login, email: login, ...GROUPS }));
  ts = await startTestServer({ sandbox: { throttle: false }, access: { admins } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  dev = await ts.signIn(PEOPLE.helpDesk);
});
afterAll(() => ts?.close());

async function importsOf(browser: Browser, course: { id: number }): Promise<CourseImport[]> {
  const response = await browser.fetch(ENDPOINTS.groupImports.replace(':course', String(course.id)));
  expect(response.status).toBe(200);
  return z.array(courseImport).parse((await response.json()).data);
}

test("GRP-30 GRP-32 one's own import is shown while it is running and after it has ended, until its result is seen", async () => {
  const [course, other] = [await groupedCourse(campus), await groupedCourse(campus)];
  const [a] = course.students as [Person];
  const plan = await makeMemberPlan(alma, {
    course: course.id,
    from: fromCsv(csvOf([course.groups[0].sis, a.sis])),
  });
  expect(await importsOf(alma, course)).toEqual([]);
  const sent = await submitted(alma, { plan: plan.id });
  const told = { import: sent.id, plan: plan.id, part: 'members', label: sent.label };
  expect(await importsOf(alma, course)).toMatchObject([told]);
  await watch(alma, sent.id);
  expect(await importsOf(alma, course)).toMatchObject([{ ...told, state: 'done', outcome: 'done' }]);
  // The import is not shown to others, or for other courses.
  expect(await importsOf(dev, course)).toEqual([]);
  expect(await importsOf(alma, other)).toEqual([]);
  // Watching the import is not the same as seeing its end.
  await statusOf(alma, sent.id);
  expect(await importsOf(alma, course)).toHaveLength(1);
  await jobOf(alma, sent.id);
  expect(await importsOf(alma, course)).toEqual([]);
});

test('GRP-17 an import of new groups is shown as such', async () => {
  const course = await groupedCourse(campus);
  const ranges = [{ prefix: 'New', start: 1, end: 1 }];
  const plan = await makeGroupPlan(alma, { course: course.id, category: course.teams.id, ranges });
  const sent = await submitted(alma, { plan: plan.id });
  await watch(alma, sent.id);
  expect(await importsOf(alma, course)).toMatchObject([{ import: sent.id, part: 'groups' }]);
});
