import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grants, imports, jobs } from '../../src/platform/schema.ts';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { WAIT_MS } from '../support/wait.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({
    sandbox: { throttle: false },
    env: { LMS_TIMEOUT_MS: '1000' },
  });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
const posts = () => campus.requests((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
const inLms = (id: string) => campus.importsNamed(id);
let used = 0;
/** Creates one row for a person who is in no course yet; each call uses a different person. */
function csv(): { csv: string; personId: number; courseId: number } {
  const course = campus.courseForRows(used % 5);
  const person = campus.strangers(60, [course.id])[used++];
  return {
    csv: `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`,
    personId: person?.id ?? 0,
    courseId: course.id,
  };
}
async function expectOnce(id: string, one: ReturnType<typeof csv>) {
  expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', final: true, note: null });
  expect(await inLms(id)).toHaveLength(1);
  const inside = await campus.enrolments(one.courseId, 3);
  expect(inside.filter((enrolment) => enrolment.user_id === one.personId)).toHaveLength(1);
}

describe('an import with an unknown result (OP-42)', () => {
  test('if the answer is lost after the import was created, the import is found, not sent again', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'drop', when: 'after', count: 1 });
    const { id } = await submitted(alma, one.csv);
    await expectOnce(id, one);
    expect(await posts()).toHaveLength(1);
  });

  test('if the connection is cut before the import is created, the import is sent again after the grace period', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'drop', when: 'before', count: 1 });
    const { id } = await submitted(alma, one.csv);
    await watch(alma, id, (now) => now.note !== null || now.final);
    await expectOnce(id, one);
    expect(await posts()).toHaveLength(2);
  });

  test('if the answer is cut off halfway, the import is found, not sent again', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'drop', when: 'body', count: 1 });
    const { id } = await submitted(alma, one.csv);
    await expectOnce(id, one);
    expect(await posts()).toHaveLength(1);
  });

  test('after a 500, and after no answer at all, the import is looked up each time', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'status', status: 500, count: 1 });
    await campus.fault({ ...SEND, kind: 'timeout', ms: 5_000, count: 1 });
    const { id } = await submitted(alma, one.csv);
    await expectOnce(id, one);
  });

  test('LMS Admin waits for an import that has not been processed yet and may be the same one', async () => {
    const first = csv();
    const second = csv();
    await campus.fault({ match: '*', kind: 'import-hang', count: 1 });
    const blocker = await submitted(alma, first.csv);
    await watch(alma, blocker.id, (one) => one.workflow_state === 'importing');
    await campus.fault({ ...SEND, kind: 'drop', when: 'after', count: 1 });
    const { id } = await submitted(alma, second.csv);
    const waiting = await watch(alma, id, ({ note }) => /did not receive the LMS’s answer/.test(note ?? ''));
    expect(waiting).toMatchObject({ final: false, canvas_id: null });
    const looks = async () =>
      (await campus.requests(({ path }) => path.includes('sis_imports?created_since'))).length;
    const before = await looks();
    await expect.poll(looks).toBeGreaterThan(before + 3);
    expect(await watch(alma, id, () => true)).toMatchObject({ final: false, canvas_id: null });
    expect(await posts()).toHaveLength(2);
    const [record] = await ts.server.services.db.db.select().from(imports).where(eq(imports.id, blocker.id));
    await campus.api(`accounts/1/sis_imports/${record?.canvasId}/abort`, { method: 'PUT' });
    await expectOnce(id, second);
    expect(await posts()).toHaveLength(2);
  });
});

describe('an LMS that rejects the import or asks to wait', () => {
  test('a definite rejection ends the import with the LMS’s message', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'status', status: 422, count: 1 });
    const { id } = await submitted(alma, one.csv);
    const done = await watch(alma, id);
    expect(done).toMatchObject({ workflow_state: 'failed', canvas_id: null, final: true });
    expect(done.processing_errors[0]?.[1]).toMatch(/rejected/);
    expect(await inLms(id)).toEqual([]);
  });

  test('the import waits until throttling ends', async () => {
    const one = csv();
    await campus.fault({ ...SEND, kind: 'throttle', count: 2 });
    const { id } = await submitted(alma, one.csv);
    await expectOnce(id, one);
  });

  test('OP-39: failed polls do not stop an import from being followed', async () => {
    const one = csv();
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports/*', kind: 'status', status: 502, count: 9 });
    const { id } = await submitted(alma, one.csv);
    await expectOnce(id, one);
  });

  test('OP-35: an import that crashes in the LMS ends as failed', async () => {
    const one = csv();
    await campus.fault({ match: '*', kind: 'import-fail', count: 1 });
    const { id } = await submitted(alma, one.csv);
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'failed', final: true });
    expect(await posts()).toHaveLength(1);
  });
});

test('without a service token, the admin’s grant is kept until the import is final, even after sign-out', async () => {
  const own = await startTestServer({ sandbox: { throttle: false }, serviceToken: false });
  try {
    const there = new Campus(own.sandbox);
    const browser = await own.signIn(PEOPLE.all);
    const [course] = there.courses();
    const [person] = there.strangers(1, [course?.id ?? 0]);
    await there.fault({ match: '/api/v1/accounts/1/sis_imports/*', kind: 'latency', ms: 400 });
    const { id } = await submitted(
      browser,
      `course_id,user_id,role_id,status\n${course?.sis_source_id},${person?.sis},3,active`,
    );
    const { db } = own.server.services.db;
    const [record] = await db.select().from(jobs).where(eq(jobs.id, id));
    expect(record?.grantId).toEqual(expect.any(String));
    expect((await browser.invoke('login/oauth2/token', 'DELETE')).status).toBe(200);
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const [now] = await db.select().from(imports).where(eq(imports.id, id));
      const left = await db
        .select()
        .from(grants)
        .where(eq(grants.id, record?.grantId ?? ''));
      if (now?.step === 'final' && left.length === 0) {
        expect(now.workflowState).toBe('imported');
        break;
      }
      if (Date.now() > deadline) throw new Error(`${now?.step}, ${left.length} grants left`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await own.close();
  }
});
