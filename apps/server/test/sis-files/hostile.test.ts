/** Changes made between the check of a file and its submission, and misleading names (OP-53). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Campus, submit, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { answered, effectOf, problemsOf, upload, uploaded, zipOf } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** Has perm CUSTOM: programme 138, role 3. */
let carla: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  [alma, carla] = await Promise.all([ts.signIn(PEOPLE.all), ts.signIn(PEOPLE.records)]);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));

test('OP-53: no one is enrolled in a section that was cross-listed into another programme’s course after the check', async () => {
  const { world } = ts.sandbox;
  const mine = campus.courses(138).find(({ id }) => {
    return world.sections.by.course.get(id).some((one) => one.sis_source_id !== null);
  });
  const section = world.sections.by.course.get(mine?.id ?? 0).find((one) => one.sis_source_id !== null);
  if (!mine || !section) throw new Error('the campus has no such course');
  const [person] = campus.strangers(1, [mine.id]);
  const file = await uploaded(
    carla,
    `course_id,section_id,user_id,role_id,status\n${mine.sis_source_id},${section.sis_source_id},${person?.sis},3,active`,
  );
  const moved = await campus.api(`sections/${section.id}/crosslist/${campus.course(0, 86).id}`, {
    method: 'POST',
  });
  expect(moved.status).toBe(200);
  const late = await answered(await submit(carla, { file: file.id }));
  expect([late.status, late.error?.code, problemsOf(late)]).toEqual([
    409,
    'conflict',
    [[null, 'section_id', expect.stringContaining(section.sis_source_id ?? '')]],
  ]);
  expect(await posts()).toEqual([]);
});

test('OP-14, OP-53: a row without a section needs a course with a default section, at upload and at submission', async () => {
  const { world } = ts.sandbox;
  const fallbackOf = (id: number) =>
    world.sections.by.course.get(id).find((one) => one.default_section && one.workflow_state === 'active');
  const [bare, mine] = [false, true].map((has) =>
    campus.courses(138).findLast(({ id }) => (fallbackOf(id) !== undefined) === has),
  );
  if (!bare || !mine) throw new Error('the campus has no such course');
  const [person] = campus.strangers(1, [bare.id, mine.id]);
  const file = (sis: string | null) =>
    `course_id,section_id,user_id,role_id,status\n${sis},,${person?.sis},3,active`;
  expect(problemsOf(await upload(carla, file(bare.sis_source_id)))).toEqual([
    [2, 'course_id', expect.stringMatching(/no default section/)],
  ]);
  const taken = await uploaded(carla, file(mine.sis_source_id));
  await campus.api(`sections/${fallbackOf(mine.id)?.id}/crosslist/${campus.course(0, 86).id}`, {
    method: 'POST',
  });
  const late = await answered(await submit(carla, { file: taken.id }));
  expect([late.status, problemsOf(late)]).toEqual([
    409,
    [[null, 'course_id', expect.stringMatching(/no default section/)]],
  ]);
});

test('OP-42: uploads in another tab do not empty a file during its submission', async () => {
  const file = await uploaded(
    carla,
    'user_id,login_id,status\n977001,late.submission@northbridge.example,active',
  );
  await effectOf(carla, file.id);
  // The submission looks up people again, slowly, while other files push out the old ones.
  await campus.fault({ match: '/api/v1/users/sis_user_id*977001', kind: 'latency', ms: 3_000, count: 1 });
  const submission = submit(carla, { file: file.id });
  const [person] = campus.strangers(1, []);
  const { sis } = campus.course(0, 138);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      uploaded(carla, `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active`),
    ),
  );
  const response = await submission;
  const { data } = await response.json();
  if (response.status === 200) {
    expect(await watch(carla, data.id)).toMatchObject({
      workflow_state: 'imported',
      data: { counts: { users: 1 } },
    });
  } else expect([response.status, await posts()]).toEqual([404, []]);
});

test.each([
  ['a CR', '"status\rx"'],
  ['a NUL', 'x\u0000'],
  ['an escape', 'x\u001by'],
])('SIS-07: a column whose name has %s is rejected', async (_name, column) => {
  const { sis } = campus.course(0, 138);
  const answer = await upload(alma, `course_id,user_id,role_id,status,${column}\n${sis},u,3,active,x`);
  expect([answer.status, problemsOf(answer)[0]?.[0]]).toEqual([400, 1]);
});

test('SIS-07: a file of almost nothing but line endings is rejected without being read completely', async () => {
  // Rows whose length differs from the header's must not cost more than others.
  for (const [first, blank, row] of [
    ['', '\n', 1_048_577],
    ['course_id,user_id,role_id,status\n', '\n', 1_048_578],
    ['course_id,user_id,role_id,status\n', ',\r\n', 1_048_578],
  ] as const) {
    const answer = await upload(alma, Buffer.concat([Buffer.from(first), Buffer.alloc(20_000_000, blank)]));
    expect([answer.status, problemsOf(answer)]).toEqual([
      400,
      [[row, null, expect.stringContaining('empty rows')]],
    ]);
  }
});

test('OP-53: a zip whose content differs from its directory is rejected', async () => {
  const users = 'user_id,login_id,full_name,email,status\nq1,q1@x.example,Q One,q1@x.example,active';
  const whole = await zipOf({ 'users.csv': users }, false);
  expect((await upload(alma, whole, 'users.zip')).status).toBe(200);
  const at = whole.indexOf('Q One');
  const changed = Buffer.from(whole);
  changed.write('R One', at);
  const { status, error } = await upload(alma, changed, 'users.zip');
  expect([status, error?.message]).toEqual([400, expect.stringContaining('damaged')]);
});
