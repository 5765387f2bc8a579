/** Clocks that disagree: what was lost on the way is found by the LMS's own time (OP-42). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };

describe.each([
  ['ahead of ours', 20],
  ['behind ours', -20],
  ['a day behind ours', -1_440],
])('the clock of the LMS is %s', (_, minutes) => {
  let ts: TestServer;
  let campus: Campus;
  let alma: Browser;

  beforeAll(async () => {
    ts = await startTestServer({
      sandbox: { throttle: false, now: () => new Date(Date.now() + minutes * 60_000) },
    });
    campus = new Campus(ts.sandbox);
    alma = await ts.signIn(PEOPLE.all);
  });
  afterAll(() => ts?.close());

  test.each([
    ['after', 1],
    ['before', 2],
  ])('OP-42 an answer that is lost %s the work: the import is in the LMS once', async (when, sendings) => {
    const course = campus.course(when === 'after' ? 0 : 1);
    const [person] = campus.strangers(1, [course.id]);
    await campus.fault({ ...SEND, kind: 'drop', when, count: 1 });
    await campus.forgetRequests();
    const { id } = await submitted(
      alma,
      `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`,
    );
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', final: true });
    expect(await campus.importsNamed(id)).toHaveLength(1);
    const posts = await campus.requests(
      ({ method, path }) => method === 'POST' && /\/sis_imports\b/.test(path),
    );
    expect(posts).toHaveLength(sendings);
  });
});
