/** Manual rows from an attacker who wants to get more access than allowed, or to overload the server. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, makePlan, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';

let ts: TestServer;
let campus: Campus;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false }, env: { MAX_ENROLLMENT_ROWS: '1000' } });
  campus = new Campus(ts.sandbox);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));
const HEADER = 'course_id,user_id,role_id,status';
const WITH_SECTION = 'course_id,user_id,role_id,section_id,status';

/** Imports as a script with every permission does. */
async function bySis(csv: string): Promise<void> {
  const form = new FormData();
  form.set('attachment', new Blob([csv], { type: 'text/csv' }), 'setup.csv');
  await fetch(`${ts.sandbox.url}/api/v1/accounts/1/sis_imports`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-admin-token' },
    body: form,
  });
}

async function refusedRows(payload: unknown): Promise<[number, string | null][]> {
  const response = await submit(bruno, payload);
  expect(response.status).toBe(400);
  expect(await posts()).toEqual([]);
  const { error } = await response.json();
  return error.details.map((one: { row: number; field: string | null }) => [one.row, one.field]);
}

describe('sections', () => {
  test('OP-14, OP-53: a section must belong to its course, even if it was cross-listed elsewhere in the meantime', async () => {
    const mine = campus.course(0);
    const other = campus.course(1);
    const foreign = campus.course(0, 163);
    const [person] = campus.strangers(1, [mine.id, other.id, foreign.id]);
    await bySis(
      `section_id,course_id,name,status\nOWN-1,${mine.sis},Own,active\nAWAY-1,${mine.sis},Away,active\nNEXT-1,${other.sis},Next,active`,
    );
    await expect.poll(async () => (await campus.api('sections/sis_section_id:NEXT-1')).status).toBe(200);
    await bySis(`xlist_course_id,section_id,status\n${foreign.sis},AWAY-1,active`);
    await expect
      .poll(async () => (await (await campus.api('sections/sis_section_id:AWAY-1')).json()).course_id)
      .toBe(foreign.id);
    await campus.forgetRequests();
    const row = (section: string) => `${mine.sis},${person?.sis},3,${section},active`;
    expect(
      await refusedRows([WITH_SECTION, row('AWAY-1'), row('OWN-1'), row('NEXT-1'), row('NONE-1')].join('\n')),
    ).toEqual([
      [2, 'section_id'],
      [4, 'section_id'],
      [5, 'section_id'],
    ]);
    const { id } = await submitted(bruno, [WITH_SECTION, row('OWN-1')].join('\n'));
    expect(await watch(bruno, id)).toMatchObject({ workflow_state: 'imported' });
    const inside = async (courseId: number) =>
      (await campus.enrolments(courseId, 3)).filter((one) => one.user_id === person?.id).length;
    expect([await inside(mine.id), await inside(foreign.id)]).toEqual([1, 0]);
  });
});

describe('size and format', () => {
  test('K-04, OP-33: an array with too many rows is rejected before its rows are read', async () => {
    const response = await submit(bruno, { csv: Array.from({ length: 1_002 }, () => [null]) });
    expect(response.status).toBe(413);
    expect((await response.json()).error.code).toBe('too-many-rows');
  });

  test.each([
    ['null instead of a cell', [null]],
    ['a list within a cell', [['a']]],
    ['an object instead of a row', { a: 1 }],
    ['hundreds of cells', Array.from({ length: 300 }, () => 'x')],
  ])('OP-53: %s is named with its row', async (_name, row) => {
    expect(await refusedRows([HEADER.split(','), row])).toEqual([[2, null]]);
  });

  test('OP-53: a line of millions of cells is rejected unread, and the server continues to answer', async () => {
    const slowest = { ms: 0 };
    const answered = submit(bruno, `${HEADER}\n${','.repeat(20_000_000)}`);
    let done = false;
    void answered.finally(() => {
      done = true;
    });
    while (!done) {
      const started = process.cpuUsage();
      await (await fetch(`${ts.url}${ENDPOINTS.health}`)).text();
      slowest.ms = Math.max(slowest.ms, process.cpuUsage(started).user / 1_000);
    }
    const response = await answered;
    expect(response.status).toBe(400);
    expect((await response.json()).error.details[0]).toMatchObject({ row: 2 });
    // This process's own processor time. Splitting the body into cells took over ten seconds.
    expect(slowest.ms).toBeLessThan(2_500);
  });

  test('OP-53: ids with characters that cannot be written are rejected', async () => {
    const { sis } = campus.course(0);
    const rows = [HEADER.split(','), ['\ud800', '1', 3, 'active'], [sis, 'x\udc00', 3, 'active']];
    expect(await refusedRows(rows)).toEqual([
      [2, 'course_id'],
      [3, 'user_id'],
    ]);
  });

  test('OP-42: a key with control characters is rejected', async () => {
    const { sis } = campus.course(0);
    const csv = `${HEADER}\n${sis},1,3,active`;
    for (const key of ['review-\u0000-1', 'review-\ud800-1']) {
      expect((await submit(bruno, { csv, key })).status).toBe(400);
    }
    expect(await posts()).toEqual([]);
  });
});

describe('calls to the LMS', () => {
  const csv = [HEADER, ...Array.from({ length: 900 }, (_, at) => `NO-SUCH-${at},1,3,active`)].join('\n');
  const courseReads = async () =>
    (await campus.requests(({ path }) => path.includes('sis_course_id'))).length;

  test('LMS-20: a file of courses that do not exist is rejected after the first hundred', async () => {
    expect(await refusedRows(csv)).toHaveLength(100);
    expect(await courseReads()).toBeLessThanOrEqual(100);
  });

  test('calls end if the browser disconnects before anything is recorded', async () => {
    const held = await hold(ts.sandbox, { match: '/api/v1/courses/*' });
    const leave = new AbortController();
    const url = lmsUrl('sis-import-create', {}, [['override_sis_stickiness', 'true']]);
    const asked = bruno
      .post(ENDPOINTS.invoke, { url, type: 'POST_SIS', payload: { csv } }, { signal: leave.signal })
      .catch(() => null);
    await held.reached();
    leave.abort();
    await asked;
    // The calls were dropped, not answered: every answer is still held back.
    await expect.poll(() => ts.server.services.canvas.stats().inFlight).toBe(0);
    await held.letGo();
    // Calls take turns: if the first file had any calls left, they would arrive before the second file is
    // rejected.
    expect(await refusedRows(`${HEADER}\nONE-MORE,1,3,active`)).toHaveLength(1);
    expect(await courseReads()).toBeLessThanOrEqual(ts.config.lms.maxInFlight + 1);
  });
});

describe('access', () => {
  test('SHELL-03, OP-40: messages of an import need the tool’s permission, whatever the scope', async () => {
    const place = campus.course(1);
    const { id } = await submitted(bruno, `${HEADER}\n${place.sis},NOBODY-7,3,active`);
    await watch(bruno, id);
    const path = ENDPOINTS.importMessages.replace(':import', id);
    expect((await bruno.fetch(path)).status).toBe(200);
    expect((await (await ts.signIn(PEOPLE.all)).fetch(path)).status).toBe(200);
    expect((await (await ts.signIn(PEOPLE.helpDesk)).fetch(path)).status).toBe(403);
  });

  test('SHELL-03: a plan needs the tool’s permission', async () => {
    const place = campus.course(3);
    const [person] = campus.strangers(1, [place.id]);
    const { id } = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [place.id],
      emails: [person?.email ?? ''],
    });
    const path = ENDPOINTS.plan.replace(':plan', id);
    expect((await bruno.fetch(path)).status).toBe(200);
    const nobody = await ts.signIn(PEOPLE.noTool);
    expect((await nobody.fetch(path)).status).toBe(403);
    expect((await nobody.fetch(`${path}/people?course=${place.id}`)).status).toBe(403);
  });
});
