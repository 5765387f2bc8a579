/**
 * A call with a payload is defined by its registry entry and its policy alone; these tests use a registry of
 * their own.
 */
import { section } from '@lms-admin/contract/canvas-objects';
import type { LmsCall } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { LmsRegistry, Policy } from '../../src/lms/policies.ts';
import { AppError } from '../../src/platform/errors.ts';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const payload = z.object({
  course_section: z.strictObject({
    name: z
      .string()
      .min(1)
      .transform((name) => `${name} (new)`),
  }),
});
const common = { query: {}, answer: section.pick({ id: true, name: true }), paged: false };
const calls: LmsCall[] = [
  {
    ...common,
    // One of the tools that make this call.
    id: 'sections',
    type: 'POST',
    path: 'courses/:course/sections',
    params: { course: /^\d+$/ },
    payload,
  },
  {
    ...common,
    id: 'course',
    type: 'DELETE',
    path: 'sections/:section',
    params: { section: /^\d+$/ },
    payload: null,
  },
];
const policy: Policy<z.output<typeof payload>> = {
  token: 'own',
  async inReach(admin, { params, payload: { course_section } }, { scope }, signal) {
    if (course_section.name.startsWith('Exam')) throw new AppError('not-allowed');
    return (await scope.course(admin, Number(params.course), signal)) !== null;
  },
};
const lmsRegistry: LmsRegistry = { calls, policies: { sections: policy, course: { token: 'own' } } };

let test: TestServer;
let campus: Campus;
let custom: Browser;
let helpDesk: Browser;

beforeAll(async () => {
  test = await startTestServer({ sandbox: { throttle: false }, server: { lmsRegistry } });
  campus = new Campus(test.sandbox);
  [custom, helpDesk] = await Promise.all([test.signIn(PEOPLE.custom), test.signIn(PEOPLE.helpDesk)]);
});
afterAll(() => test.close());
beforeEach(() => campus.forgetRequests());

async function make(browser: Browser, sent?: unknown, account = 86) {
  const response = await browser.invoke(`courses/${campus.course(0, account).id}/sections`, 'POST', sent);
  return { status: response.status, ...(await response.json()) };
}
const named = (name: unknown, more: object = {}) => ({ course_section: { name, ...more } });
const writes = () => campus.requests(({ method }) => method !== 'GET');

it('OP-02 the payload is sent as parsed by the schema, and the answer is reduced to the declared fields', async () => {
  const { status, data } = await make(custom, { ...named('Lab'), enable_sis_reactivation: true });
  expect({ status, data }).toEqual({ status: 200, data: { id: expect.any(Number), name: 'Lab (new)' } });
  expect(test.sandbox.world.sections.get(data.id)).toMatchObject({
    name: 'Lab (new)',
    course_id: campus.course().id,
  });
  expect(await writes()).toHaveLength(1);
});

it.each([
  ['none', undefined],
  ['a text', 'Lab'],
  ['a field of the wrong type', named(17)],
  ['an empty field', named('')],
  ['an undeclared field', named('Lab', { sis_section_id: 'MINE' })],
])('OP-02 an invalid payload is rejected and nothing is sent: %s', async (_, sent) => {
  const { status, error } = await make(custom, sent);
  expect([status, error.code]).toEqual([400, 'bad-request']);
  expect(error.details.length).toBeGreaterThan(0);
  expect(await writes()).toEqual([]);
});

it('OP-02 an undeclared payload is rejected, and nothing is sent', async () => {
  const { id } = [...test.sandbox.world.sections.values()].find((one) => !one.default_section) ?? { id: 0 };
  expect((await custom.invoke(`sections/${id}`, 'DELETE', { force: true })).status).toBe(403);
  expect(await writes()).toEqual([]);
});

it('OP-14, PERM-05 scope, tool and permissions are checked against the payload before anything is sent', async () => {
  expect(await make(custom, named('Lab'), 163)).toMatchObject({ status: 404 });
  expect(await make(helpDesk, named('Lab'))).toMatchObject({ status: 403 });
  expect(await make(custom, named('Exam'))).toMatchObject({ status: 403, error: { code: 'not-allowed' } });
  expect(await writes()).toEqual([]);
});
