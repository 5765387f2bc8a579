/** A person deleted in the LMS is not restored by creating another person with the same SIS ID (CU-22, OP-55, OP-57). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PeopleLine, type PeopleRequest, peopleLine } from '@lms-admin/contract/people';
import { deletedPersonAdvice, usersCsv } from '@lms-admin/domain/new-users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const SCHOOL = 'northbridge.example';
const ADMINS = [
  { login: PEOPLE.helpDesk, email: PEOPLE.helpDesk, perm: 'CUSTOM', sub_accounts: '86', create_users: true },
];

let ts: TestServer;
let campus: Campus;
let dev: Browser;

beforeAll(async () => {
  ts = await startTestServer({ access: { admins: ADMINS }, env: { SCHOOL_EMAIL_DOMAIN: SCHOOL } });
  campus = new Campus(ts.sandbox);
  dev = await ts.signIn(PEOPLE.helpDesk);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

let last = 890_000;
/** Describes a person who does not exist yet. */
function stranger(some: { psID?: string; email?: string } = {}) {
  const psID = String(last++);
  return { psID, email: `new.${psID}@${SCHOOL}`, firstName: 'Nora', lastName: 'Vance', ...some };
}
/** Finds people deleted in the LMS, with their former SIS ID and login. */
function deletedPeople() {
  const { pseudonyms, users } = ts.sandbox.world;
  return [...pseudonyms.values()].flatMap((one) => {
    const { name, workflow_state } = users.must(one.user_id);
    if (one.workflow_state !== 'deleted' || workflow_state !== 'deleted' || one.sis_user_id === null)
      return [];
    return [{ id: one.user_id, sis: one.sis_user_id, login: one.unique_id, name }];
  });
}
function deletedPerson() {
  const [person] = deletedPeople();
  if (!person) throw new Error('the campus has nobody who was deleted');
  return person;
}
const inLms = async (psID: string) => {
  const answer = await campus.api(`users/sis_user_id:${psID}`);
  return answer.status === 404 ? null : answer.json();
};

describe('people to be created', () => {
  test("CU-22, OP-55: a deleted person's id is rejected, so that they are not restored under another name", async () => {
    const { id, sis, name } = deletedPerson();
    const response = await submit(dev, usersCsv([stranger(), stranger({ psID: sis })]));
    expect(response.status).toBe(400);
    expect((await response.json()).error.details).toEqual([
      { row: 3, field: 'user_id', message: deletedPersonAdvice(name, false) },
    ]);
    expect(await campus.requests((one) => one.method === 'POST' && /sis_imports/.test(one.path))).toEqual([]);
    expect(ts.sandbox.world.users.must(id)).toMatchObject({ name, workflow_state: 'deleted' });
  });

  test("OP-57: a deleted person's login is free: the LMS creates a new person with it", async () => {
    const { id, login } = deletedPerson();
    const one = stranger({ email: login });
    const { id: sent } = await submitted(dev, usersCsv([one]));
    expect(await watch(dev, sent)).toMatchObject({ verdict: 'done' });
    expect((await inLms(one.psID)).id).not.toBe(id);
    expect(ts.sandbox.world.users.must(id).workflow_state).toBe('deleted');
  });

  test('OP-55: a person created and deleted between check and sending is not restored either', async () => {
    const [one, other] = [stranger(), stranger()];
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports', method: 'POST', kind: 'throttle' });
    const { id } = await submitted(dev, usersCsv([one, other]));
    await campus.seen((seen) => seen.method === 'POST' && seen.path.includes('/sis_imports'));
    const { pseudonyms } = ts.sandbox.world;
    const { sis } = deletedPerson();
    const model = pseudonyms.by.sis.get(sis);
    if (!model) throw new Error('the campus has no such login');
    const { id: _id, created_at: _created, updated_at: _updated, ...like } = model;
    const { psID, email } = other;
    pseudonyms.add({ ...like, unique_id: email, sis_user_id: psID, integration_id: null });
    await campus.clearFaults();
    const ended = await watch(dev, id);
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1 });
    expect(ended.note).toContain(`"${psID}" belongs to a login that was deleted in the LMS`);
    expect([await inLms(one.psID), await inLms(psID)]).toEqual([expect.anything(), null]);
  });
});

describe('while people are being entered', () => {
  async function lookUp(request: PeopleRequest) {
    const response = await dev.post(ENDPOINTS.peopleLookup, request);
    expect(response.status).toBe(200);
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line): PeopleLine => peopleLine.parse(JSON.parse(line)));
    const said = lines.flatMap((line) =>
      'result' in line ? [[line.asked, line.result, line.deleted?.name] as const] : [],
    );
    return said.sort(([a], [b]) => a.localeCompare(b));
  }
  const pagesRead = async () =>
    (await campus.requests((one) => one.path.includes('include_deleted_users'))).length;

  test('OP-55: the former owner of an id is named where people are created, and the list is read once for all', async () => {
    const gone = deletedPeople()
      .slice(0, 2)
      .sort((a, b) => a.sis.localeCompare(b.sis));
    const ids = gone.map(({ sis }) => sis);
    ts.server.services.people.forgetAll();
    expect(await lookUp({ sis_ids: ids })).toEqual(ids.map((sis) => [sis, 'not-found', undefined]));
    expect(await pagesRead()).toBe(0);
    const request = { sis_ids: [...ids, 'nobody'], creating: true };
    const expected = [
      ...gone.map(({ sis, name }) => [sis, 'not-found', name]),
      ['nobody', 'not-found', undefined],
    ];
    expect(await lookUp(request)).toEqual(expected);
    const pages = await pagesRead();
    expect(pages).toBeGreaterThan(0);
    expect(await lookUp(request)).toEqual(expected);
    expect(await pagesRead()).toBe(pages);
  });

  test('OP-55: a list that cannot be read does not count as permission; it is read at the next request', async () => {
    ts.server.services.people.forgetAll();
    const request = { sis_ids: ['nobody'], creating: true };
    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'status', status: 500 });
    expect(await lookUp(request)).toEqual([['nobody', 'failed', undefined]]);
    await campus.clearFaults();
    expect(await lookUp(request)).toEqual([['nobody', 'not-found', undefined]]);
  });
});
