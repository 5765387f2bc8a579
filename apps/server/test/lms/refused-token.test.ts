/**
 * Everywhere, an LMS that rejects LMS Admin's own credentials is distinguished from one that does not answer.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askPlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const REFUSED = {
  code: 'lms-refused',
  message: 'The LMS does not accept LMS Admin’s token.',
  next: 'Ask IT Support to renew it in the settings of LMS Admin.',
};
let test: TestServer;
let all: Browser;
let custom: Browser;

beforeAll(async () => {
  test = await startTestServer({ env: { LMS_SERVICE_TOKEN: 'a token that was revoked' } });
  [all, custom] = [await test.signIn(PEOPLE.all), await test.signIn(PEOPLE.custom)];
});
afterAll(() => test.close());

const lines = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe("OP-09 the service user's token", () => {
  it('a call is rejected with the cause and the next step, and no one is signed out', async () => {
    const response = await all.invoke('accounts/1/terms?per_page=100');
    expect(response.status).toBe(502);
    expect((await response.json()).error).toMatchObject(REFUSED);
    expect((await all.invoke('accounts/86/courses?per_page=100')).status).toBe(200);
  });

  it('objects in scope are not reported as missing', async () => {
    const response = await custom.invoke('courses/1000');
    expect(response.status).toBe(502);
    expect((await response.json()).error).toMatchObject(REFUSED);
  });

  it('people looked up in bulk are not reported as failed one by one', async () => {
    const response = await all.post(ENDPOINTS.peopleLookup, { sis_ids: ['5001001', '5001002'] });
    const last = (await lines(response)).at(-1);
    expect(last.error).toMatchObject(REFUSED);
  });

  it('a plan reports the cause', async () => {
    const { error } = await askPlan(all, {
      role_id: 3,
      status: 'active',
      courses: [1000],
      emails: ['a@b.example'],
    });
    expect(error).toMatchObject({ message: REFUSED.message, next: REFUSED.next });
  });

  it('operators are informed', async () => {
    const response = await fetch(`${test.url}${ENDPOINTS.ready}`);
    expect(response.status).toBe(200);
    const { message, next } = REFUSED;
    expect((await response.json()).systems).toContainEqual({ system: 'LMS', state: 'down', message, next });
  });
});

describe('running without a service token', () => {
  it('an LMS that answers is up, and one that does not is down; the console is ready in both cases', async () => {
    const other = await startTestServer({ serviceToken: false });
    try {
      const systems = async () => {
        const response = await fetch(`${other.url}${ENDPOINTS.ready}`);
        const { systems: all } = (await response.json()) as { systems: { system: string }[] };
        return { status: response.status, lms: all.find(({ system }) => system === 'LMS') };
      };
      expect(await systems()).toMatchObject({ status: 200, lms: { state: 'up', next: null } });
      await other.sandbox.close();
      await expect.poll(systems, { interval: 1_000 }).toEqual({
        status: 200,
        lms: {
          system: 'LMS',
          state: 'down',
          message: 'The LMS does not answer.',
          next: 'Try again in a few minutes.',
        },
      });
    } finally {
      await other.close();
    }
  });
});

it('AUTH-12 a developer key rejected by the LMS is named at sign-in, and is not a 401', async () => {
  const other = await startTestServer({ env: { LMS_CLIENT_SECRET: 'not the secret of the key' } });
  try {
    const browser = other.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    const response = await browser.exchange(code, state);
    expect(response.status).toBe(502);
    expect((await response.json()).error).toMatchObject({
      code: 'lms-refused',
      message: 'The LMS rejects LMS Admin’s developer key.',
    });
  } finally {
    await other.close();
  }
});

it('an import whose request is rejected ends with the cause and the next step', async () => {
  const other = await startTestServer();
  try {
    const browser = await other.signIn(PEOPLE.all);
    const { data } = await (await browser.invoke('accounts/86/courses?per_page=100')).json();
    const course = data.find((one: { sis_course_id: string | null }) => one.sis_course_id !== null);
    await other.handle('faults', {
      body: { match: '/api/v1/accounts/1/sis_imports', method: 'POST', kind: 'revoke-token', count: 1 },
    });
    const rows = [
      ['course_id', 'user_id', 'role_id', 'status'],
      [course.sis_course_id, '5001001', '3', 'active'],
    ];
    const submitted = await (await browser.invoke('accounts/1/sis_imports', 'POST_SIS', rows)).json();
    const status = async () =>
      (await (await browser.invoke(`accounts/1/sis_imports/${submitted.data.id}`)).json()).data;
    await expect.poll(async () => (await status()).final).toBe(true);
    expect(await status()).toMatchObject({
      workflow_state: 'failed',
      processing_errors: [[null, expect.stringContaining('does not accept LMS Admin’s token')]],
    });
  } finally {
    await other.close();
  }
});
