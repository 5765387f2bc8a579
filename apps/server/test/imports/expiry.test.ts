/** A plan that expires during submission still exists when the import is created from it (OP-42). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidy } from '../../src/imports/housekeeping.ts';
import { plans } from '../../src/platform/schema.ts';
import { Campus, makePlan, submit } from '../enrollments/campus.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
});
afterAll(() => ts?.close());

test('OP-42: a plan is not returned once its day is over, and is deleted an hour later', async () => {
  const alma = await ts.signIn(PEOPLE.all);
  const { db } = ts.server.services.db;
  const { id: course } = campus.course(0);
  const emails = campus.strangers(1, [course]).map(({ email }) => email);
  const { id } = await makePlan(alma, { role_id: 3, status: 'active', courses: [course], emails });
  const endedHoursAgo = (hours: number) =>
    db
      .update(plans)
      .set({ expiresAt: new Date(Date.now() - hours * 3_600_000) })
      .where(eq(plans.id, id));
  await endedHoursAgo(0.5);
  await tidy(ts.server.services.db.db);
  expect((await alma.fetch(ENDPOINTS.plan.replace(':plan', id))).status).toBe(404);
  expect((await submit(alma, { plan: id })).status).toBe(404);
  expect(await db.$count(plans, eq(plans.id, id))).toBe(1);
  await endedHoursAgo(2);
  await tidy(ts.server.services.db.db);
  expect(await db.$count(plans, eq(plans.id, id))).toBe(0);
});
