/** No import is retried forever: each end names its cause and the next step (OP-35, OP-39). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { jobDetail } from '@lms-admin/contract/jobs';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { importJob } from '../../src/imports/import-job.ts';
import { forgetOldJobs } from '../../src/jobs/forget.ts';
import { grants, importMessages, jobs } from '../../src/platform/schema.ts';
import { Campus, makePlan, statusOf, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
let ts: TestServer;
let campus: Campus;
let alma: Browser;
afterEach(() => ts?.close());

async function open(options: Parameters<typeof startTestServer>[0] = {}) {
  ts = await startTestServer({
    ...options,
    sandbox: { throttle: false, ...options.sandbox },
    env: { IMPORT_PATIENCE_MS: '600', ...options.env },
  });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
}

async function plan(): Promise<string> {
  const course = campus.course();
  const emails = campus.strangers(2, [course.id]).map(({ email }) => email);
  return (await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails })).id;
}

const errorOf = async (id: string) => (await watch(alma, id)).processing_errors[0]?.[1];
const jobOf = async (id: string) => {
  const response = await alma.fetch(ENDPOINTS.job.replace(':job', id));
  return jobDetail.parse((await response.json()).data);
};

test('an import ends if the LMS cannot be reached for a long time', async () => {
  await open();
  const planId = await plan();
  await ts.sandbox.close();
  const { id } = await submitted(alma, { plan: planId });
  expect(await errorOf(id)).toMatch(/could not be reached for a day .*Nothing was sent\. Submit again/);
  expect(await jobOf(id)).toMatchObject({ state: 'failed', outcome: 'failed' });
});

test('an import ends if one call to the LMS fails for a long time: answers to other calls do not end the outage', async () => {
  await open();
  const planId = await plan();
  await campus.fault({ match: '/api/v1/courses/*/enrollments', method: 'GET', kind: 'status', status: 500 });
  const { id } = await submitted(alma, { plan: planId });
  expect(await errorOf(id)).toMatch(/could not be reached for a day .*Nothing was sent\. Submit again/);
  expect(await campus.importsNamed(id)).toEqual([]);
});

test('an import ends if the LMS becomes unreachable while the import is looked up', async () => {
  await open();
  const planId = await plan();
  await campus.fault({ ...SEND, kind: 'drop', when: 'before', count: 1 });
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports?created_since=*',
    method: 'GET',
    kind: 'drop',
    when: 'before',
  });
  const { id } = await submitted(alma, { plan: planId });
  expect(await errorOf(id)).toMatch(
    /could not confirm whether the LMS received lms-admin-.*before you submit again/,
  );
});

test('an import ends if the LMS does not answer while the import is followed', async () => {
  await open();
  const planId = await plan();
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports/*',
    method: 'GET',
    kind: 'drop',
    when: 'before',
  });
  const { id } = await submitted(alma, { plan: planId });
  const ended = await watch(alma, id);
  expect(ended.note).toMatch(/stopped following this import \(.+\)\. The import may still be running/);
  expect(await jobOf(id)).toMatchObject({ outcome: 'failed', problem: { message: ended.note } });
});

test('an import ends if a permission is lost and no one signs in again', async () => {
  await open({ serviceToken: false, env: { SIGN_IN_PATIENCE_MS: '1000' } });
  const planId = await plan();
  // The LMS forgets the token, and it cannot be renewed.
  await ts.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ ...SEND, kind: 'revoke-token' });
  const { id } = await submitted(alma, { plan: planId });
  // The LMS may have carried out the import anyway, but no one can check.
  const said = await errorOf(id);
  expect(said).toMatch(/could not confirm whether the LMS received .*no longer act for you in the LMS: /);
  expect(said).toMatch(/Check the SIS imports in the LMS before you submit again/);
  expect(await campus.importsNamed(id)).toEqual([]);
});

test('an import ends if a permission is lost before anything was sent and no one signs in again', async () => {
  await open({ serviceToken: false, env: { SIGN_IN_PATIENCE_MS: '1000' } });
  const planId = await plan();
  await ts.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ match: '/api/v1/accounts/1', method: 'GET', kind: 'revoke-token' });
  await campus.forgetRequests();
  const { id } = await submitted(alma, { plan: planId });
  expect(await errorOf(id)).toMatch(/no longer act for you in the LMS: .*Nothing was sent. Sign in again/);
  const sent = await campus.requests(
    ({ method, path }) => method === 'POST' && path.includes('/sis_imports'),
  );
  expect(sent).toEqual([]);
});

test('an import can be cancelled before it is sent, but not afterwards', async () => {
  await open({ env: { IMPORT_PATIENCE_MS: '60000' } });
  const planId = await plan();
  // The import waits, because the LMS does not answer.
  await campus.fault({ match: '/api/v1/accounts/1', method: 'GET', kind: 'drop', when: 'before' });
  const { id } = await submitted(alma, { plan: planId });
  await expect.poll(async () => (await jobOf(id)).state).toBe('waiting');
  const cancel = () => alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});
  await expect.poll(async () => (await cancel()).status).toBe(200);
  expect(await errorOf(id)).toMatch(/Cancelled before anything was sent/);
  expect(await jobOf(id)).toMatchObject({ state: 'cancelled', outcome: 'cancelled', cancel: 'no' });
  expect((await cancel()).status).toBe(409);
  await campus.clearFaults();
  expect(await campus.importsNamed(id)).toEqual([]);
  // A second request does not start the import again.
  expect((await submitted(alma, { plan: planId })).id).toBe(id);
  const sent = await submitted(alma, { plan: await plan() });
  await watch(alma, sent.id);
  expect((await alma.post(ENDPOINTS.jobCancel.replace(':job', sent.id), {})).status).toBe(409);
});

test('IMP-18: the error attachment may arrive after the end; until then it is shown as pending', async () => {
  await open();
  const { sis } = campus.course();
  const { id } = await submitted(alma, `course_id,user_id,role_id,status\n${sis},no-such-person-1,3,active`);
  const ended = await watch(alma, id);
  expect(ended).toMatchObject({ workflow_state: 'imported_with_messages' });
  await expect
    .poll(async () => (await statusOf(alma, id)).errors_attachment?.url ?? null)
    .toMatch(/^\/api\/imports\//);
  expect((await statusOf(alma, id)).attachment_pending).toBe(false);
});

test('IMP-18: after a reset of the sandbox an earlier attachment is not offered, and the reason is given once', async () => {
  await open();
  const { sis } = campus.course();
  const { id } = await submitted(alma, `course_id,user_id,role_id,status\n${sis},no-such-person-3,3,active`);
  await watch(alma, id);
  await expect.poll(async () => (await statusOf(alma, id)).errors_attachment).not.toBeNull();
  ts.sandbox.reset();
  alma = await ts.signIn(PEOPLE.all);
  const next = await submitted(alma, `course_id,user_id,role_id,status\n${sis},5001003,3,active`);
  await watch(alma, next.id);
  const old = await statusOf(alma, id);
  expect(old).toMatchObject({ errors_attachment: null, csv_attachments: [], attachment_pending: false });
  expect(old.note).toMatch(/before it was reset/);
  const job = await jobOf(id);
  expect(job.elsewhere).toMatch(/before it was reset/);
  expect(job.import).toMatchObject({ errors_attachment: null, note: null });
});

test('LMS messages about people are deleted with the rows', async () => {
  await open();
  const { sis } = campus.course();
  const { id } = await submitted(alma, `course_id,user_id,role_id,status\n${sis},no-such-person-2,3,active`);
  await watch(alma, id);
  const { db } = ts.server.services.db;
  expect(await db.$count(importMessages, eq(importMessages.importId, id))).toBeGreaterThan(0);
  await db
    .update(jobs)
    .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
    .where(eq(jobs.id, id));
  const kind = importJob(
    { db: ts.server.services.db, canvas: ts.server.services.canvas } as never,
    {} as never,
  );
  await forgetOldJobs(db, ts.server.services.files, [kind]);
  expect(await db.$count(importMessages, eq(importMessages.importId, id))).toBe(0);
  const kept = await statusOf(alma, id);
  expect(JSON.stringify(kept)).not.toContain('no-such-person-2');
  expect(kept).toMatchObject({ workflow_state: 'imported_with_messages', rows: 1 });
  expect(await jobOf(id)).toMatchObject({ forgotten: true, kept_days: 31, outcome: 'failed' });
});

test('a rejected plan does not create a job', async () => {
  await open();
  const response = await submit(alma, { plan: '00000000-0000-4000-8000-000000000000' });
  expect(response.status).toBe(404);
  expect((await (await alma.fetch(ENDPOINTS.jobs)).json()).data).toEqual([]);
});
