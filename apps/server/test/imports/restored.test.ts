/**
 * After a restore, nothing is sent that the LMS already has: imports sent since the backup are found by their
 * attachment.
 */
import { usersCsv } from '@lms-admin/domain/new-users';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { imports, jobs } from '../../src/platform/schema.ts';
import { Campus, makePlan, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({
    sandbox: { throttle: false },
    env: { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' },
  });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const HOUR = 3_600_000;
const sendings = async () =>
  (await campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'))).length;

/**
 * Creates an import as a backup contains it if the LMS was rejecting it at the time. Returns a function that
 * restores the import.
 */
async function backedUp(payload: object) {
  const { db } = ts.server.services.db;
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports*',
    method: 'GET',
    kind: 'status',
    status: 503,
  });
  const { id } = await submitted(alma, payload);
  await watch(alma, id, ({ note }) => note?.includes('does not answer at the moment') === true);
  const [[record], [job]] = await Promise.all([
    db.select().from(imports).where(eq(imports.id, id)),
    db.select().from(jobs).where(eq(jobs.id, id)),
  ]);
  if (!record || !job) throw new Error('no import was recorded');
  await campus.clearFaults();
  const ended = await watch(alma, id);
  await campus.forgetRequests();
  const restore = async () => {
    const old = { createdAt: new Date(Date.now() - HOUR), leaseUntil: new Date(0), waitUntil: null };
    await db
      .update(imports)
      .set({ ...record, step: 'recorded' })
      .where(eq(imports.id, id));
    await db
      .update(jobs)
      .set({ ...job, ...old, state: 'queued' })
      .where(eq(jobs.id, id));
  };
  return { id, ended, restore };
}

test('OP-36 an import that was sent after the backup, and undone since, is found and not sent a second time', async () => {
  const course = campus.course(4);
  const people = campus.strangers(2, [course.id]);
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [course.id],
    emails: people.map(({ email }) => email),
  });
  const { id, ended, restore } = await backedUp({ plan: plan.id });
  const inside = async () =>
    (await campus.enrolments(course.id, 3)).filter(
      ({ user_id, enrollment_state }) =>
        enrollment_state === 'active' && people.some((one) => one.id === user_id),
    ).length;
  expect(await inside()).toBe(2);
  // Another import has undone it in the meantime.
  await campus.importOfOthers(
    ['course_id,user_id,role_id,status', ...people.map(({ sis }) => `${course.sis},${sis},3,deleted`)].join(
      '\n',
    ),
  );
  await campus.forgetRequests();
  expect(await inside()).toBe(0);
  await restore();
  const found = await watch(alma, id);
  expect([await sendings(), await inside()]).toEqual([0, 0]);
  expect([found.canvas_id, found.workflow_state]).toEqual([ended.canvas_id, 'imported']);
});

test('OP-36 a CSV that was typed by hand is found in the same way', async () => {
  const csv = usersCsv([
    { psID: '771001', email: 'restored.one@northbridge.example', firstName: 'Mia', lastName: 'Restored' },
  ]);
  const { id, ended, restore } = await backedUp({ csv, key: 'typed by hand' });
  await restore();
  const found = await watch(alma, id);
  expect([await sendings(), found.canvas_id]).toEqual([0, ended.canvas_id]);
});
