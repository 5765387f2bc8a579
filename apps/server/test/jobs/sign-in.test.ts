/**
 * If the LMS signs out a job's admin halfway, the job waits until they sign in again, and then continues
 * (AUTH-21, OP-09).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { grants, jobs } from '../../src/platform/schema.ts';
import { Campus, jobOf, statusOf, submitted, watch } from '../enrollments/campus.ts';
import { startEffect, uploaded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer, type TestServerOptions } from '../support/harness.ts';
import { memoryLedger, type TestKind, testKind } from './work.ts';

/** Polls until the condition holds. */
const within = <T>(look: () => Promise<T>) => expect.poll(look);
const SIGN_IN = /no longer accepts your sign-in\. Sign in again/;
const AN_IMPORT = { match: '/api/v1/accounts/1/sis_imports/*', method: 'GET' };

const ledger = memoryLedger();
let kind: TestKind;
let ts: TestServer;
let campus: Campus;
let alma: Browser;
afterEach(() => ts?.close());

async function open(options: TestServerOptions = {}) {
  kind = testKind(ledger);
  ts = await startTestServer({
    serviceToken: false,
    ...options,
    sandbox: { throttle: false, ...options.sandbox },
    server: { jobKinds: [kind] },
  });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
}

async function start(input: unknown): Promise<string> {
  const response = await alma.post(jobStartPath('test-work'), { key: randomUUID(), input });
  return jobSchema.parse((await response.json()).data).id;
}

/** Makes the LMS forget the token at the next call of this kind, so that nothing can renew it. */
async function revokeAt(call: { match: string; method: string }) {
  await ts.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ ...call, kind: 'revoke-token', count: 1 });
}

const waitsForSignIn = (id: string) =>
  within(async () => (await jobOf(alma, id)).waiting).toEqual({
    until: null,
    why: expect.stringMatching(SIGN_IN),
  });

/** Signs in with a new session; the previous one has ended in the LMS. */
async function renewSignIn() {
  alma = await ts.signIn(PEOPLE.all);
}

test("a job waits for as long as needed, ignores other people's sign-ins, and is completed after its admin's", async () => {
  await open();
  const id = await start({ way: 'signed-out', items: ['x'] });
  await waitsForSignIn(id);
  await ts.signIn(PEOPLE.custom);
  const other = await start({ items: [] });
  await within(async () => (await jobOf(alma, other)).outcome).toBe('done');
  expect((await jobOf(alma, id)).state).toBe('waiting');
  const { db } = ts.server.services.db;
  kind.signedOut = false;
  const [before] = await db.select().from(jobs).where(eq(jobs.id, id));
  await renewSignIn();
  await within(async () => (await jobOf(alma, id)).outcome).toBe('done');
  const [after] = await db.select().from(jobs).where(eq(jobs.id, id));
  expect(after?.grantId).not.toBe(before?.grantId);
  expect(ledger.done).toContain(`${id} x`);
});

test('a job can be cancelled while it waits', async () => {
  await open();
  const id = await start({ way: 'signed-out' });
  await waitsForSignIn(id);
  await alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});
  await within(async () => (await jobOf(alma, id)).state).toBe('cancelled');
});

test('if no one signs in again, the job ends and names the next step', async () => {
  await open({ env: { SIGN_IN_PATIENCE_MS: '700' } });
  const id = await start({ way: 'signed-out' });
  await within(async () => (await jobOf(alma, id)).outcome).toBe('failed');
  expect((await jobOf(alma, id)).problem?.next).toMatch(/Sign in again/);
});

test("if the LMS rejects the installation's own key, the job waits until IT Support has renewed it", async () => {
  await open({ serviceToken: true, env: { JOB_LEASE_MS: '2000' } });
  const id = await start({ way: 'stale-key', items: ['y'] });
  await within(async () => (await jobOf(alma, id)).waiting?.why ?? null).toMatch(
    /does not accept LMS Admin’s token\. (?:Nothing was sent\. )?Ask IT Support/,
  );
  await within(async () => (await jobOf(alma, id)).outcome).toBe('done');
});

test('IMP-06: an import that the LMS finishes in the meantime is not reported as failed, and is followed to its end', async () => {
  await open({ sandbox: { importPace: 20 } });
  const { sis, id: course } = campus.courseForRows();
  const rows = campus.strangers(40, [course]).map((person) => `${sis},${person.sis},3,active`);
  const { id } = await submitted(alma, ['course_id,user_id,role_id,status', ...rows].join('\n'));
  await within(async () => (await statusOf(alma, id)).workflow_state).toBe('importing');
  await revokeAt(AN_IMPORT);
  await waitsForSignIn(id);
  expect((await jobOf(alma, id)).import).toMatchObject({
    final: false,
    note: expect.stringMatching(SIGN_IN),
  });
  // The LMS continues the import.
  await within(async () => (await campus.importsNamed(id))[0]?.workflow_state).toBe('imported');
  await renewSignIn();
  expect(await watch(alma, id)).toMatchObject({
    workflow_state: 'imported',
    verdict: 'done',
    applied: 40,
    note: null,
  });
  expect(await jobOf(alma, id)).toMatchObject({ outcome: 'done', problem: null });
});

test('OP-42: an import whose answer was lost is not reported as failed either, and is looked up after the sign-in', async () => {
  await open();
  const { sis, id: course } = campus.courseForRows();
  const [person] = campus.strangers(1, [course]);
  await revokeAt({ match: '/api/v1/accounts/1/sis_imports?created_since=*', method: 'GET' });
  // The LMS accepts it; only its answer is lost.
  await campus.fault({
    match: '/api/v1/accounts/1/sis_imports',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    count: 1,
  });
  const { id } = await submitted(alma, `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active`);
  await waitsForSignIn(id);
  await renewSignIn();
  expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', verdict: 'done' });
  expect(await campus.importsNamed(id)).toHaveLength(1);
});

test('OP-09: if a service token is rejected while an import is followed, it is followed once the admin signs in again', async () => {
  await open({ serviceToken: true, sandbox: { importPace: 20 } });
  const { sis, id: course } = campus.courseForRows();
  const rows = campus.strangers(20, [course]).map((person) => `${sis},${person.sis},3,active`);
  const { id } = await submitted(alma, ['course_id,user_id,role_id,status', ...rows].join('\n'));
  await within(async () => (await statusOf(alma, id)).workflow_state).toBe('importing');
  await campus.fault({ ...AN_IMPORT, kind: 'revoke-token', count: 1 });
  expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', verdict: 'done', applied: 20 });
});

test('SIS-07: a comparison waits as well, and is complete after the sign-in', async () => {
  await open();
  const { sis, id: course } = campus.courseForRows();
  const [person] = campus.strangers(1, [course]);
  const file = await uploaded(alma, `course_id,user_id,role,status\n${sis},${person?.sis},student,active`);
  await revokeAt({ match: '/api/v1/*', method: 'GET' });
  const started = jobSchema.parse((await (await startEffect(alma, file.id)).json()).data);
  // Otherwise the sign-in might call the LMS first.
  await waitsForSignIn(started.id);
  await renewSignIn();
  await within(async () => (await jobOf(alma, started.id)).outcome).toBe('done');
});

test('EXP-13 an export waits as well, and its file is available after the sign-in', async () => {
  await open();
  const course = campus.courseForRows();
  await revokeAt({ match: '/api/v1/courses/*/users', method: 'GET' });
  const input = { course: course.id, groups: false, format: 'csv', time_zone: null };
  const response = await alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input });
  const { id } = jobSchema.parse((await response.json()).data);
  await waitsForSignIn(id);
  await renewSignIn();
  await within(async () => (await jobOf(alma, id)).outcome).toBe('done');
  expect((await jobOf(alma, id)).files).toHaveLength(1);
});
