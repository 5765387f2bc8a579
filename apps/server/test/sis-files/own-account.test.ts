/**
 * No one can use a file to remove their own account or LMS Admin's account in the LMS, however a row names it
 * (SIS-01).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { doing, problemsOf, reviewed, USERS, upload, zipOf } from './support.ts';

let ts: TestServer;
let alma: Browser;
/** Alma has a second login. The service user has ids of the kind that a school would assign. */
const own = { id: '', integration: 'OWN-INTEGRATION', second: 'Alma.Second@northbridge.example' };
const service = { id: 'SERVICE-1', login: '' };

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  alma = await ts.signIn(PEOPLE.all);
  const { world } = ts.sandbox;
  const mine = [...world.pseudonyms.values()].find(({ unique_id }) => unique_id === PEOPLE.all);
  if (!mine) throw new Error('no such person');
  own.id = mine.sis_user_id ?? '';
  world.pseudonyms.change(mine, { integration_id: own.integration });
  const { id: _id, created_at: _made, updated_at: _changed, ...like } = mine;
  world.pseudonyms.add({
    ...like,
    unique_id: own.second,
    sis_user_id: 'OWN-SECOND',
    integration_id: null,
  });
  const self = await fetch(`${ts.sandbox.url}/api/v1/users/self`, {
    headers: { authorization: 'Bearer sandbox-admin-token' },
  });
  const { id } = (await self.json()) as { id: number };
  const [theirs] = world.loginsOf(id);
  if (!theirs) throw new Error('the service user has no login');
  service.login = theirs.unique_id;
  world.pseudonyms.change(theirs, { sis_user_id: service.id });
});
afterAll(() => ts?.close());

const refusals = async (content: string | Uint8Array, name?: string) =>
  problemsOf(await upload(alma, content, name));
const OWN = /This is your own account/;
const SERVICE = /account that LMS Admin uses/;

describe.each(['deleted', 'suspended', 'DELETED'])('the status %s', (status) => {
  test.each<[string, () => string]>([
    ['by id and login', () => `${own.id},${PEOPLE.all}`],
    ['by the login in different letter case', () => `SOMEBODY-NEW,${PEOPLE.all.toUpperCase()}`],
    ['by the id, with another login', () => `${own.id},nobody@x.example`],
    ['by the id in different letter case, with spaces', () => ` ${own.id.toLowerCase()} , nobody@x.example `],
    ['by another login of the same person', () => `SOMEBODY-NEW,${own.second}`],
    ['by another id of the same person', () => 'OWN-SECOND,nobody@x.example'],
  ])('SIS-01 is rejected in a row that names the sender %s', async (_name, names) => {
    const found = await refusals(`${USERS}\n${names()},Me,${status}`);
    expect(found).toContainEqual([2, 'status', expect.stringMatching(OWN)]);
  });

  test('SIS-01 is rejected in a row that names the sender by integration ID', async () => {
    const header = 'user_id,integration_id,login_id,status';
    const found = await refusals(`${header}\nNEW-9,${own.integration},new.nine@x.example,${status}`);
    expect(found).toContainEqual([2, 'status', expect.stringMatching(OWN)]);
  });

  test('SIS-01 is rejected in a row of a zip that names the sender, even if the zip changes IDs', async () => {
    const zip = await zipOf({
      'users.csv': `${USERS}\n${own.id},${PEOPLE.all},Me,${status}`,
      'ids.csv': 'old_id,new_id,type\nSOME-1,SOME-2,user',
    });
    const found = await refusals(zip, 'all.zip');
    expect(found).toContainEqual([2, 'status', expect.stringMatching(OWN)]);
  });

  test("SIS-01 is rejected in a row that names LMS Admin's account", async () => {
    for (const names of [`${service.id},x@x.example`, `NEW-10,${service.login}`]) {
      const [first] = await refusals(`${USERS}\n${names},It,${status}`);
      expect(first).toEqual([2, expect.any(String), expect.stringMatching(SERVICE)]);
    }
  });
});

test('SIS-01 a row that deletes the sender is rejected among very many rows', async () => {
  const many = Array.from({ length: 50_001 }, (_, at) => `MANY-${at},many${at}@x.example,Many,active`);
  const found = await refusals([USERS, ...many, `OWN-SECOND,nobody@x.example,Me,deleted`].join('\n'));
  expect(found).toContainEqual([50_003, 'status', expect.stringMatching(OWN)]);
});

test('SIS-01 if a row that deletes the sender is repeated, both rows are rejected for that reason', async () => {
  const row = `${own.id},${PEOPLE.all},Me,deleted`;
  const found = await refusals([USERS, row, row].join('\n'));
  expect(found.filter(([, , message]) => OWN.test(message)).map(([at]) => at)).toEqual([2, 3]);
});

test('SIS-01 the sender cannot get another SIS ID and then be deleted under that id', async () => {
  const found = await refusals(
    await zipOf({
      'ids.csv': `old_id,new_id,type\n${own.id},RENAMED-1,user`,
      'users.csv': `${USERS}\nRENAMED-1,nobody@x.example,Me,deleted`,
    }),
    'all.zip',
  );
  expect(found).toContainEqual([2, 'old_id', expect.stringMatching(OWN)]);
  // A course with the same id is not the same object.
  expect(await refusals(`old_id,new_id,type\n${own.id},COURSE-1,course`)).toEqual([]);
});

test('SIS-01 the sender cannot change their own login, by which LMS Admin recognises them', async () => {
  const found = await refusals(`${USERS}\n${own.id},another.login@x.example,Me,active`);
  expect(found).toEqual([[2, 'login_id', expect.stringMatching(/recognises you by your login/)]]);
  expect(await refusals(`${USERS}\n${own.id},${PEOPLE.all.toUpperCase()},Me,active`)).toEqual([]);
  // An additional login does not change the existing one.
  const further = `user_id,login_id,existing_user_id,status\nOWN-3,third@x.example,${own.id},active`;
  expect(await refusals(further)).toEqual([]);
});

test("SIS-01 LMS Admin's own password and login cannot be changed", async () => {
  const password = await refusals(
    `user_id,login_id,password,status\n${service.id},${service.login},chosen,active`,
  );
  expect(password).toContainEqual([2, 'user_id', expect.stringMatching(SERVICE)]);
  const login = await refusals(
    `user_id,login_id,password,existing_user_id\nX-1,mine@x.example,chosen,${service.id}`,
  );
  expect(login).toContainEqual([2, 'existing_user_id', expect.stringMatching(SERVICE)]);
});

test('SIS-01 rows that do not change that account are accepted, and so are the sender’s own enrolments', async () => {
  const { effect } = await reviewed(alma, `${USERS}\n${own.id},${PEOPLE.all},Me,active`);
  expect(doing(effect, 'user')).toEqual({ changes: 1 });
  const course = [...ts.sandbox.world.courses.values()].find(({ sis_source_id: id }) => id !== null);
  const rows = `course_id,user_id,role_id,status\n${course?.sis_source_id},${own.id},3,deleted`;
  expect(await refusals(rows)).toEqual([]);
});
