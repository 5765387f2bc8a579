/** Looking up people in bulk, over HTTP (OP-45, OP-50, OP-55, OP-57). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { type PeopleLine, type PeopleRequest, peopleLine } from '@lms-admin/contract/people';
import { toolById } from '@lms-admin/contract/tools';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Campus, makePlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';

let test: TestServer;
let campus: Campus;
let all: Browser;
let custom: Browser;

beforeAll(async () => {
  test = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(test.sandbox);
  [all, custom] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.custom)]);
});
afterAll(() => test.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

/** Reads the lines of an answer, checked against the contract; the last one is separate. */
async function lookUp(browser: Browser, request: PeopleRequest) {
  const response = await browser.post(ENDPOINTS.peopleLookup, request);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line): PeopleLine => peopleLine.parse(JSON.parse(line)));
  const results = lines.flatMap((line) => ('result' in line ? [line] : []));
  return { results, last: lines.at(-1), count: lines.length };
}
const asked = () => campus.requests(({ path }) => path.startsWith('/api/v1'));
/** Reads the answer to its end, because the lookups continue as long as the answer does. */
const statusOf = async (browser: Browser, request: unknown) => {
  const answer = await browser.post(ENDPOINTS.peopleLookup, request);
  await answer.text();
  return answer.status;
};
/** Finds people whom no other test looks up, because those found are remembered for a while. */
const fresh = (count: number, from: number) => campus.strangers(from + count, []).slice(from);

describe('both kinds', () => {
  it('OP-50 values that a spreadsheet has changed do not identify anyone, and the server rejects them too', async () => {
    await campus.forgetRequests();
    for (const request of [{ sis_ids: ['1.5E-05'] }, { logins: ['=cmd(a@northbridge.example'] }])
      expect(await statusOf(all, request)).toBe(400);
    expect(await asked()).toEqual([]);
  });

  it('OP-50, OP-55, OP-57 each text gets one line, found with the person or not found, whatever it contains', async () => {
    const [one, two] = fresh(2, 0);
    const { world } = test.sandbox;
    const [login] = [...world.pseudonyms.by.user.get(two?.id ?? 0)];
    if (!login) throw new Error('nobody');
    const { id: _id, ...like } = login;
    world.pseudonyms.add({ ...like, unique_id: 'odd@northbridge.example', sis_user_id: 'odd.id_1-a@b.json' });
    const { results, last, count } = await lookUp(all, {
      sis_ids: [one?.sis ?? '', 'odd.id_1-a@b.json', 'nobody', one?.sis ?? '', '..', '1'],
      logins: [(one?.email ?? '').toUpperCase(), 'nobody@northbridge.example'],
    });
    expect(last).toEqual({ done: true });
    expect(count).toBe(8);
    const byText = new Map(results.map((line) => [`${line.by} ${line.asked}`, line]));
    expect(byText.size).toBe(7);
    expect(byText.get(`sis_id ${one?.sis}`)).toMatchObject({
      result: 'found',
      person: { id: one?.id, login_id: one?.email, sis_user_id: one?.sis },
    });
    expect(byText.get('sis_id odd.id_1-a@b.json')).toMatchObject({
      result: 'found',
      person: { id: two?.id },
    });
    for (const text of ['nobody', '..', '1'])
      expect(byText.get(`sis_id ${text}`)).toMatchObject({ result: 'not-found', person: null });
    expect(byText.get(`login ${one?.email.toUpperCase()}`)).toMatchObject({ person: { id: one?.id } });
    expect(byText.get('login nobody@northbridge.example')).toMatchObject({ result: 'not-found' });
  });

  it('OP-57 a login counts whether or not the person has an SIS ID', async () => {
    const login = [...test.sandbox.world.pseudonyms.values()].find(
      (one) => one.sis_user_id === null && one.user_id > 1_000 && one.workflow_state === 'active',
    );
    const { results } = await lookUp(all, { logins: [login?.unique_id ?? ''] });
    expect(results).toMatchObject([{ result: 'found', person: { id: login?.user_id } }]);
  });

  it('OP-48 a failed lookup is failed, not unknown, without affecting the others', async () => {
    const [one, two] = fresh(2, 4);
    await campus.fault({ match: `/api/v1/users/sis_user_id*${one?.sis}`, kind: 'status', status: 500 });
    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'drop', when: 'before' });
    const { results, last } = await lookUp(all, {
      sis_ids: [one?.sis ?? '', two?.sis ?? ''],
      logins: ['who@northbridge.example'],
    });
    expect(last).toEqual({ done: true });
    expect(new Map(results.map((line) => [line.asked, line.result]))).toEqual(
      new Map([
        [one?.sis, 'failed'],
        [two?.sis, 'found'],
        ['who@northbridge.example', 'failed'],
      ]),
    );
  });

  it('OP-50 results arrive as each lookup ends, not all at the end', async () => {
    const [slow, quick] = fresh(2, 8);
    const held = await hold(test.sandbox, { match: `/api/v1/users/sis_user_id*${slow?.sis}` });
    const sis_ids = [slow?.sis ?? '', quick?.sis ?? ''];
    const { body } = await all.post(ENDPOINTS.peopleLookup, { sis_ids });
    let text = '';
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      // The lookup that is held has not arrived, and continues once the other one has.
      if (text.includes('\n')) await held.letGo();
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): PeopleLine => peopleLine.parse(JSON.parse(line)));
    expect(lines.map((line) => ('asked' in line ? line.asked : line))).toEqual([
      quick?.sis,
      slow?.sis,
      { done: true },
    ]);
  });

  it('OP-09 if the LMS stops accepting a token, lookups of both kinds end, with the reason last', async () => {
    const own = await startTestServer({ lms: test.sandbox, serviceToken: false });
    try {
      const browser = await own.signIn(PEOPLE.all);
      await campus.fault({ match: '/api/v1/users/*', kind: 'revoke-token', count: 1 });
      await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'latency', ms: 300 });
      const logins = Array.from({ length: 100 }, (_, index) => `nobody${index}@x.example`);
      const { results, last } = await lookUp(browser, { sis_ids: ['nobody'], logins });
      expect(last).toMatchObject({ error: { code: 'signed-out' } });
      expect(results.length).toBeLessThan(100);
    } finally {
      await own.close();
    }
  });
});

describe('addresses of people to be enrolled', () => {
  it('OP-45 CE-15 only people who can be enrolled are found; for others in the LMS the answer gives the reason and the person', async () => {
    const [one, two] = fresh(2, 12);
    const { pseudonyms, users } = test.sandbox.world;
    const [login] = [...pseudonyms.by.user.get(two?.id ?? 0)];
    const without = [...pseudonyms.values()].find(
      ({ sis_user_id, user_id, workflow_state }) =>
        sis_user_id === null && user_id > 1_000 && workflow_state === 'active',
    );
    if (!login || !one || !two) throw new Error('nobody');
    const { id: _id, ...like } = login;
    const person = users.get(one.id);
    if (!person) throw new Error('nobody');
    person.name = 'Zoë O’Neill–Łukasz';
    // Two people with one login (from two ways to sign in), a second login, a login that contains another one.
    for (const { id } of fresh(2, 60)) {
      for (const their of pseudonyms.by.user.get(id)) {
        pseudonyms.change(their, { unique_id: 'both@northbridge.example' });
      }
    }
    pseudonyms.add({ ...like, unique_id: 'second@northbridge.example', sis_user_id: null });
    const emails = [
      one.email.toUpperCase(),
      one.email,
      one.email,
      without?.unique_id ?? '',
      'second@northbridge.example',
      'both@northbridge.example',
      'nobody@northbridge.example',
      one.email.slice(1),
    ];
    const { results, last, count } = await lookUp(all, { emails });
    expect([last, count]).toEqual([{ done: true }, 8]);
    const lines = new Map(results.map((line) => [line.asked, line]));
    const found = {
      by: 'email',
      result: 'found',
      person: { name: 'Zoë O’Neill–Łukasz', sis_user_id: one.sis },
    };
    expect(lines.get(one.email)).toMatchObject(found);
    expect(lines.get(one.email.toUpperCase())).toMatchObject(found);
    const absent = { result: 'not-found', person: null };
    expect(lines.get('nobody@northbridge.example')).toEqual({
      by: 'email',
      asked: 'nobody@northbridge.example',
      ...absent,
    });
    expect(lines.get(one.email.slice(1))).toMatchObject(absent);
    expect(lines.get(without?.unique_id ?? '')).toMatchObject({
      result: 'not-found',
      why: 'no-sis-id',
      person: { id: without?.user_id, sis_user_id: null },
    });
    expect(lines.get('both@northbridge.example')).toMatchObject({ ...absent, why: 'several' });
    expect(lines.get('second@northbridge.example')).toMatchObject({
      result: 'not-found',
      why: 'another-login',
      person: { id: two.id },
    });
  });

  it('CE-12 OP-45 the review does not look up people again who were already found', async () => {
    const course = campus.course(0);
    const emails = campus.strangers(40, [course.id]).map(({ email }) => email);
    const { results } = await lookUp(all, { emails });
    expect(results.filter(({ result }) => result === 'found')).toHaveLength(40);
    await campus.forgetRequests();
    const plan = await makePlan(all, { role_id: 3, status: 'active', courses: [course.id], emails });
    expect(plan.people).toMatchObject({ asked: 40, found: 40 });
    expect(await campus.requests(({ path }) => path.includes('search_term'))).toEqual([]);
  });

  it('PERM-07 CE-10 an address that is not valid is rejected, and so are people without a tool that looks up addresses', async () => {
    for (const emails of [['#N/A'], ['=cmd(a@northbridge.example'], ['x'.repeat(255)], ['']])
      expect(await statusOf(all, { emails })).toBe(400);
    const record = test.server.services.access.find(PEOPLE.custom);
    if (!record) throw new Error('no record');
    await campus.forgetRequests();
    try {
      record[toolById('course-enrollment').flag] = false;
      expect(await statusOf(custom, { emails: ['nobody@x.example'] })).toBe(403);
      expect(await asked()).toEqual([]);
    } finally {
      record[toolById('course-enrollment').flag] = true;
    }
    expect(await statusOf(custom, { emails: ['nobody@x.example'] })).toBe(200);
  });
});

describe('access', () => {
  it('PERM-07, OP-02 each kind of lookup needs a tool that uses it', async () => {
    const [records, helpDesk, noTool] = await Promise.all(
      [PEOPLE.records, PEOPLE.helpDesk, PEOPLE.noTool].map((login) => test.signIn(login)),
    );
    const sisIds = { sis_ids: ['nobody'] };
    const logins = { logins: ['nobody@x.example'] };
    expect(await statusOf(custom, { ...sisIds, ...logins })).toBe(200);
    const record = test.server.services.access.find(PEOPLE.custom);
    if (!record) throw new Error('no record');
    await campus.forgetRequests();
    try {
      record[toolById('section-enrollment').flag] = false;
      expect(await statusOf(custom, sisIds)).toBe(403);
      expect(await statusOf(custom, { ...sisIds, ...logins })).toBe(403);
      expect(await asked()).toEqual([]);
      expect(await statusOf(custom, logins)).toBe(200);
      record[toolById('section-enrollment').flag] = true;
      record[toolById('course-enrollment').flag] = false;
      expect(await statusOf(custom, logins)).toBe(403);
      expect(await statusOf(custom, sisIds)).toBe(200);
    } finally {
      record[toolById('section-enrollment').flag] = true;
      record[toolById('course-enrollment').flag] = true;
    }
    await campus.forgetRequests();
    for (const browser of [records, helpDesk, noTool]) {
      for (const request of [sisIds, logins, {}])
        expect(await statusOf(browser as Browser, request)).toBe(403);
    }
    expect(await asked()).toEqual([]);
  });

  it('OP-06, OP-09 requests without a session or from another site are rejected', async () => {
    const request = { sis_ids: ['nobody'] };
    expect(await statusOf(test.browser(), request)).toBe(401);
    const foreign = await all.post(ENDPOINTS.peopleLookup, request, { origin: 'https://evil.example' });
    expect([foreign.status, (await foreign.json()).error.code]).toEqual([403, 'foreign-origin']);
    expect(await asked()).toEqual([]);
  });

  it('OP-50 calls to the LMS end when the reader leaves', async () => {
    await campus.fault({ match: '/api/v1/users/*', kind: 'latency', ms: 300 });
    const leave = new AbortController();
    const sis_ids = Array.from({ length: 400 }, (_, index) => `gone${index}`);
    const response = await all.post(ENDPOINTS.peopleLookup, { sis_ids }, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await expect.poll(() => test.server.services.canvas.stats().inFlight).toBe(0);
    const before = (await asked()).length;
    // Calls take turns: if the first request had any calls left, they would arrive before this one ends.
    const other = await all.post(ENDPOINTS.peopleLookup, { sis_ids: ['one-more'] });
    await other.text();
    const gone = (await asked()).filter(({ path }) => path.includes('gone'));
    // Dropped calls may reach the LMS after its log was read.
    expect(gone.length).toBeLessThanOrEqual(before + test.config.lms.maxInFlight);
    expect(before).toBeLessThan(sis_ids.length);
  });
});

describe('an arbitrary request', () => {
  it('SE-11, OP-50 gets a clear answer: results for valid ids and addresses, otherwise the mistake', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 130 }),
      fc.stringMatching(/^[\w.@-]{1,120}$/),
      fc.emailAddress(),
    );
    const requests = fc.oneof(
      fc.record(
        {
          sis_ids: fc.array(text, { maxLength: 4 }),
          logins: fc.array(text, { maxLength: 2 }),
          emails: fc.array(text, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record({ sis_ids: fc.array(fc.stringMatching(/^[\w.@-]{1,100}$/), { maxLength: 4 }) }),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const response = await all.post(ENDPOINTS.peopleLookup, request ?? null);
        const answer = await response.text();
        expect([200, 400]).toContain(response.status);
        if (response.status === 400)
          expect(errorEnvelope.parse(JSON.parse(answer)).error.details).not.toEqual([]);
        else {
          const lines = answer
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
          expect(lines.at(-1)).toEqual({ done: true });
          for (const line of lines.slice(0, -1)) expect(['found', 'not-found']).toContain(line.result);
        }
      }),
      { numRuns: 200 },
    );
    expect(await campus.requests(({ method }) => method !== 'GET')).toEqual([]);
    // All lookups by id used the same path.
    const paths = (await asked()).map(({ path }) => path.replace(/\?.*/, ''));
    const other = paths.filter(
      (path) =>
        !/^\/api\/v1\/users\/sis_(?:user|login)_id[^/]+$/.test(path) && path !== '/api/v1/accounts/1/users',
    );
    expect(other).toEqual([]);
  });

  it('OP-50 more texts than one request can contain are rejected', async () => {
    const sis_ids = Array.from({ length: 20_001 }, (_, index) => String(index));
    expect(await statusOf(all, { sis_ids })).toBe(400);
    expect(await asked()).toEqual([]);
  });
});
