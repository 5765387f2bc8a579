/**
 * People to be created: the local copy shows at once who exists, and decides nothing. The LMS is asked about everyone in
 * the form, when the rows are submitted, and before they are sent, so a server without the directory creates the same
 * people.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PeopleRequest, peopleLine } from '@lms-admin/contract/people';
import { type NewUser, usersCsv } from '@lms-admin/domain/new-users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../../src/operation/personal/erase.ts';
import { Campus, type Person, submit, submitted, watch } from '../enrollments/campus.ts';
import { importMessagesOf, sentWhile } from '../groups/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { type Change, changesIn } from './changes.ts';
import { type DirectoryTest, startDirectoryTest } from './support.ts';

const SCHOOL = 'northbridge.example';
const SETTINGS = { env: { SCHOOL_EMAIL_DOMAIN: SCHOOL } };

let ts: DirectoryTest;
let plain: TestServer;
let campus: Campus;
let alma: Browser;
let without: Browser;
let crowd: Person[];

beforeAll(async () => {
  ts = await startDirectoryTest({ throttle: false }, SETTINGS);
  plain = await startTestServer({ ...SETTINGS, lms: ts.sandbox });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  without = await plain.signIn(PEOPLE.all);
  // Values that the form accepts.
  crowd = campus
    .strangers(1_000, [])
    .filter(({ sis, email }) => /^\d+$/.test(sis) && new RegExp(`^[a-z.]+@${SCHOOL}$`).test(email));
});
afterAll(async () => {
  await plain?.close();
  await ts?.close();
});
beforeEach(async () => {
  expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
});

/** People whom no other test uses. */
const take = (): Person => {
  const one = crowd.shift();
  if (!one) throw new Error('no one is left');
  return one;
};
let last = 870_000;
const newUser = (some: Partial<NewUser> = {}): NewUser => {
  const psID = String(last++);
  return { psID, email: `made.${psID}@${SCHOOL}`, firstName: 'Nora', lastName: 'Vance', ...some };
};
/** What the form shows, in order: text, result, and whether it is from the copy. */
async function shown(request: PeopleRequest, browser = alma) {
  const answer = await browser.post(ENDPOINTS.peopleLookup, { ...request, creating: true, copied: true });
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => peopleLine.parse(JSON.parse(line)))
    .flatMap((line) =>
      'asked' in line ? [[line.asked, line.result, line.as_of !== undefined] as const] : [],
    );
}
const of = ({ psID, email }: NewUser): PeopleRequest => ({ sis_ids: [psID], logins: [email] });
/** The problems of a submission, or null if it was accepted. */
async function problems(browser: Browser, ...people: NewUser[]) {
  const { error } = await (await submit(browser, usersCsv(people))).json();
  return error?.details.map(({ field, message }: Record<string, string>) => [field, message]) ?? null;
}
const copiedIds = async ({ sis }: Person) => {
  const { grants, copied } = ts.server.services;
  const found = await copied.bySisId(grants.rootToken(null), [sis], new AbortController().signal);
  return [...(found?.people.values() ?? [])].map(({ id }) => id);
};

test('CU-22 people in the copy are shown first, and then what the LMS says about everyone', async () => {
  const one = take();
  const user = newUser();
  const lines = await shown({ sis_ids: [one.sis, user.psID], logins: [one.email, user.email] });
  expect(lines.slice(0, 2)).toEqual([
    [one.sis, 'found', true],
    [one.email, 'found', true],
  ]);
  expect(lines.slice(2)).toHaveLength(4);
  expect(lines.slice(2)).toEqual(
    expect.arrayContaining([
      [one.sis, 'found', false],
      [one.email, 'found', false],
      [user.psID, 'not-found', false],
      [user.email, 'not-found', false],
    ]),
  );
  expect(await shown({ sis_ids: [one.sis] }, without)).toEqual([[one.sis, 'found', false]]);
});

describe('someone changed the person in the LMS', () => {
  test('CU-12 the values that only the copy still has can be used for a new person', async () => {
    for (const browser of [alma, without]) {
      const one = take();
      const changes = changesIn(campus);
      changes.renamed(one);
      changes.otherSisId(one);
      const { pseudonyms } = ts.sandbox.world;
      for (const login of pseudonyms.by.user.get(one.id)) pseudonyms.change(login, { integration_id: null });
      const user = newUser({ psID: one.sis, email: one.email });
      const hints =
        browser === alma
          ? [
              [one.sis, 'found', true],
              [one.email, 'found', true],
            ]
          : [];
      const lines = await shown(of(user), browser);
      expect(lines.slice(0, hints.length)).toEqual(hints);
      expect(lines.slice(hints.length).map(([, result, copied]) => [result, copied])).toEqual([
        ['not-found', false],
        ['not-found', false],
      ]);
      const ended = await watch(browser, (await submitted(browser, { csv: usersCsv([user]) })).id);
      expect(ended).toMatchObject({ verdict: 'done', rows: 1, applied: 1, note: null });
      // The answer of the LMS has also corrected the copy.
      expect(await copiedIds(one)).toEqual(browser === alma ? [] : [one.id]);
    }
  });

  test.each<Change>(['passedOn', 'shared', 'swapped', 'secondLogin', 'secondSisId', 'suspended'])(
    'CU-22 OP-55 OP-57 %s: the submission is rejected for the same reasons with and without the copy',
    async (change) => {
      const [one, other] = [take(), take()];
      const users = [newUser({ psID: one.sis }), newUser({ email: one.email })];
      changesIn(campus)[change](one, other);
      for (const user of users) await shown(of(user));
      const expected = await problems(without, ...users);
      expect(expected?.length).toBeGreaterThan(0);
      expect(await problems(alma, ...users)).toEqual(expected);
    },
  );
});

test('OP-55 a person who was deleted in the LMS is not restored', async () => {
  for (const browser of [alma, without]) {
    const one = take();
    changesIn(campus).deleted(one);
    const user = newUser({ psID: one.sis });
    const lines = await shown(of(user), browser);
    expect(lines.some(([, , copied]) => copied)).toBe(browser === alma);
    const answer = await submit(browser, usersCsv([user]));
    if (answer.status === 200) await watch(browser, (await answer.json()).data.id);
    expect(ts.sandbox.world.users.must(one.id).workflow_state).toBe('deleted');
  }
});

test('CU-22 a person who is in the LMS, but not in the copy, is not created again', async () => {
  const [one, other] = [take(), take()];
  const { files, db: database } = ts.server.services;
  // The first person is erased, and the second one is not in the last report.
  await erasePerson({ database, files, kinds: [] }, [one.email, one.sis]);
  const user = newUser({ email: `was-${other.email}` });
  changesIn(campus).renamed(other);
  campus.changeSisId(other, user.psID);
  for (const { psID, email } of [newUser({ psID: one.sis, email: one.email }), user]) {
    const lines = await shown({ sis_ids: [psID], logins: [email] });
    expect(lines.map(([, result, copied]) => [result, copied])).toEqual([
      ['found', false],
      ['found', false],
    ]);
    const again = { ...newUser(), psID, email };
    expect(await problems(alma, again)).toEqual(await problems(without, again));
    expect(await problems(alma, again)).toHaveLength(2);
  }
});

test('OP-55 a person whom someone else creates between the submission and the sending is not overwritten', async () => {
  const [user, taken] = [newUser(), newUser()];
  const other = take();
  const ended = await sentWhile(campus, alma, { csv: usersCsv([user, taken]) }, async () => {
    campus.changeSisId(other, taken.psID);
  });
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(await importMessagesOf(alma, ended.id)).toEqual([
    expect.stringContaining(`"${taken.psID}" has been created in the LMS.`),
  ]);
  expect(campus.person(other.id).email).toBe(other.email);
});
