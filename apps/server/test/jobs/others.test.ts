/**
 * Other people's work: an admin without the tool sees that it exists, but nothing that names people (PERM-07,
 * OP-40).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job, jobDetail } from '@lms-admin/contract/jobs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Campus, jobOf, makePlan, submitted, watch } from '../enrollments/campus.ts';
import { uploaded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const WITHHELD = 'Details are shown only to people with access to SIS Import.';

let ts: TestServer;
let alma: Browser;
/** An administrator with perm `ALL`, but only the tool for searching users. */
let dev: Browser;
let id: string;
let nobody: string;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  const campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  dev = await ts.signIn(PEOPLE.helpDesk);
  const { sis, id: course } = campus.courseForRows();
  const [person] = campus.strangers(1, [course]);
  nobody = 'NOBODY-77';
  const file = await uploaded(
    alma,
    `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active\n${sis},${nobody},3,active`,
  );
  id = (await submitted(alma, { file: file.id })).id;
  await watch(alma, id, (one) => one.final && one.errors_attachment !== null, 30_000);
});
afterAll(() => ts?.close());

const path = (endpoint: 'job' | 'jobItems') => ENDPOINTS[endpoint].replace(':job', id);

test('a job shows how it ended, without messages, files or file addresses', async () => {
  const hers = jobDetail.parse((await (await alma.fetch(path('job'))).json()).data);
  expect(JSON.stringify(hers)).toContain(nobody);
  expect(hers.import?.errors_attachment?.url).toMatch(/^\/api\/imports\//);
  const answer = await dev.fetch(path('job'));
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toContain(nobody);
  expect(text).not.toMatch(/verifier|attachments|lms-admin-/);
  const seen = jobDetail.parse(JSON.parse(text).data);
  expect(seen).toMatchObject({
    outcome: hers.outcome,
    label: hers.label,
    import: null,
    result: null,
    files: [],
    items: null,
    cancel: 'no',
  });
  expect(seen.problem?.message ?? seen.note).toBe(WITHHELD);
});

test('the list of everyone’s work shows the same', async () => {
  const body = await (await dev.fetch(`${ENDPOINTS.jobs}?all=1`)).json();
  const [listed] = z
    .array(job)
    .parse(body.data)
    .filter((one) => one.id === id);
  expect(listed?.problem?.message ?? listed?.note).toBe(WITHHELD);
  expect(JSON.stringify(body)).not.toContain(nobody);
});

test("an entry's courses are neither shown nor searchable", async () => {
  const campus = new Campus(ts.sandbox);
  const course = campus.course(0);
  const emails = campus.strangers(1, [course.id]).map(({ email }) => email);
  const plan = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
  const made = await submitted(alma, { plan: plan.id });
  await watch(alma, made.id);
  const found = async (browser: Browser, text: string) => {
    const query = new URLSearchParams({ all: '1', tool: 'course-enrollment', text });
    const body = await (await browser.fetch(`${ENDPOINTS.jobs}?${query}`)).json();
    return z
      .array(job)
      .parse(body.data)
      .filter((one) => one.id === made.id);
  };
  expect((await found(alma, course.name))[0]?.about?.courses).toEqual([course.name]);
  expect(await found(dev, course.name)).toEqual([]);
  expect((await found(dev, made.label))[0]?.about).toBeNull();
  expect((await jobOf(dev, made.id)).about).toBeNull();
  // Words from the stored form match nothing.
  expect(await found(alma, 'programmes')).toEqual([]);
});

test.each([
  ['items', () => path('jobItems')],
  ['messages', () => ENDPOINTS.importMessages.replace(':import', id)],
  ['rows', () => ENDPOINTS.importRows.replace(':import', id)],
  ['the file of failed rows', () => ENDPOINTS.importFailedRows.replace(':import', id)],
  ['the file of errors', () => `/api/imports/${id}/attachments/errors`],
  ['the CSV that was sent', () => `/api/imports/${id}/attachments/csv-1`],
])('%s are not available', async (_, address) => {
  expect((await alma.fetch(address())).status).toBe(200);
  const { status } = await dev.fetch(address());
  expect(status).toBe(403);
});

test('no answer contains an LMS address that opens without sign-in', async () => {
  const answers = [path('job'), ENDPOINTS.imports, ENDPOINTS.jobs];
  for (const one of answers) expect(await (await alma.fetch(one)).text()).not.toMatch(/verifier|\/files\//);
  expect(
    JSON.stringify(await alma.invoke(`accounts/1/sis_imports/${id}`).then((one) => one.json())),
  ).not.toMatch(/verifier/);
});
