/** Clocks that disagree: a lost import is found by the LMS's own time (OP-42). */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };

describe.each([
  ['ahead of ours', 20],
  ['behind ours', -20],
  ['a day behind ours', -1_440],
])('when the clock of the LMS is %s', (_, minutes) => {
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
  ])(
    'OP-42 if an answer is lost %s the work is done, the import is in the LMS once',
    async (when, sendings) => {
      const course = campus.courseForRows(when === 'after' ? 0 : 1);
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
    },
  );
});

describe('a clock that jumps while it is unknown whether the LMS has an import', () => {
  const LOOK = { match: '/api/v1/accounts/1/sis_imports?created_since=*', method: 'GET' };
  const began = { at: performance.now(), time: Date.now() };
  /** Neither clock is the process's own: each starts from the time set here. */
  const clocks = { lms: 0, ours: 0 };
  const time = (minutes: number) => began.time + performance.now() - began.at + minutes * 60_000;
  let ts: TestServer;
  let campus: Campus;
  let alma: Browser;

  beforeAll(async () => {
    ts = await startTestServer({ sandbox: { throttle: false, now: () => new Date(time(clocks.lms)) } });
    campus = new Campus(ts.sandbox);
    alma = await ts.signIn(PEOPLE.all);
    vi.spyOn(Date, 'now').mockImplementation(() => time(clocks.ours));
  });
  afterEach(() => {
    Object.assign(clocks, { lms: 0, ours: 0 });
    return campus.clearFaults();
  });
  afterAll(() => {
    vi.restoreAllMocks();
    return ts?.close();
  });

  let used = 4;
  test.each([
    ['ours forward', { ours: 20 }],
    ['ours back', { ours: -20 }],
    ["the LMS's forward", { lms: 20 }],
    ["the LMS's back", { lms: -20 }],
    ['both, in opposite directions', { lms: -20, ours: 20 }],
    ['both, the other way round', { lms: 20, ours: -20 }],
  ])('OP-42 %s, by 20 minutes: the import is in the LMS once', async (_name, jump) => {
    for (const when of ['after', 'before']) {
      const course = campus.courseForRows(used++);
      const [person] = campus.strangers(1, [course.id]);
      await campus.fault({ ...LOOK, kind: 'status', status: 503 });
      await campus.fault({ ...SEND, kind: 'drop', when, count: 1 });
      const rows = `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`;
      const { id } = await submitted(alma, rows);
      await watch(alma, id, ({ note }) => /did not receive the LMS’s answer/.test(note ?? ''));
      Object.assign(clocks, jump);
      await campus.clearFaults();
      expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', final: true });
      expect(await campus.importsNamed(id)).toHaveLength(1);
      Object.assign(clocks, { lms: 0, ours: 0 });
    }
  });

  test.each([
    ['back', -20],
    ['forward', 20],
  ])('OP-42 the LMS creates the import with a clock that was set %s just before', async (_name, lms) => {
    const course = campus.courseForRows(used++);
    const [person] = campus.strangers(1, [course.id]);
    await campus.fault({ ...LOOK, kind: 'status', status: 503 });
    const sending = await hold(ts.sandbox, SEND);
    await campus.fault({ ...SEND, kind: 'drop', when: 'after', count: 1 });
    const rows = `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`;
    const { id } = await submitted(alma, rows);
    await sending.reached();
    clocks.lms = lms;
    await sending.letGo();
    await watch(alma, id, ({ note }) => /did not receive the LMS’s answer/.test(note ?? ''));
    clocks.lms = 0;
    await campus.clearFaults();
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', final: true });
    expect(await campus.importsNamed(id)).toHaveLength(1);
  });
});
