/**
 * People are found in the local copy by part of their name, without a call to the LMS, by anyone who can
 * search people there.
 */
import { type FoundNames, foundNames } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { FLAGS } from '@lms-admin/domain/access';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NameIndex } from '../../src/directory/name-index.ts';
import { NameSearch } from '../../src/directory/name-search.ts';
import { erasePerson } from '../../src/operation/personal/erase.ts';
import { directoryRuns } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { type DirectoryTest, reportOf, startDirectoryTest, zipped } from './support.ts';

const HOUR_MS = 3_600_000;
const PERMS = ['ALL', 'CUSTOM'] as const;
const recordOf = (login: string, perm: string, flags: readonly string[]) => ({
  login,
  email: login,
  perm,
  sub_accounts: perm === 'CUSTOM' ? '86' : '',
  roles: '3',
  section_roles: '3',
  ...Object.fromEntries(flags.map((flag) => [flag, true])),
});
/** Everyone in the sandbox who can sign in, keyed by the kind of person. */
const LOGINS = ['alma.reyes', 'bruno.keller', 'carla.singh', 'dev.oduya', 'greta.lind', 'hugo.tan'].map(
  (name) => `${name}@northbridge.example`,
);
const [searcher = '', limited = '', everythingElse = ''] = LOGINS;

const HEADER = 'canvas_user_id,user_id,login_id,full_name,sortable_name,email,status';
const PEOPLE: readonly [id: number, name: string, sortable: string, login: string][] = [
  [11, 'Jürgen Müller', 'Müller, Jürgen', 'jm@x.example'],
  [12, 'Jurgen Mueller', 'Mueller, Jurgen', 'jurgen.mueller@x.example'],
  [13, 'Zoë O’Neill', 'O’Neill, Zoë', 'zoe@x.example'],
  [14, 'Łukasz Groß', 'Groß, Łukasz', 'lg@x.example'],
  [15, 'Anne-Marie van Dam', 'van Dam, Anne-Marie', 'am@x.example'],
  [16, 'Ivana Petrova', 'Petrova, Ivana', 'ip@x.example'],
  [17, 'Two Logins', 'Logins, Two', 'two@x.example'],
];
const usersCsv = (people: readonly (readonly [number, string, string, string])[]) =>
  `${[HEADER, ...people.map(([id, name, sortable, login]) => `${id},S${id},${login},${name},"${sortable}",${login},active`), '17,,other@x.example,Two Logins,"Logins, Two",two@x.example,active'].join('\n')}\n`;
const report = (people = PEOPLE) => zipped({ ...reportOf([1]), users: usersCsv(people) });

let ts: DirectoryTest;
let alma: Browser;
const find = async (text: string, browser = alma): Promise<FoundNames> => {
  const response = await browser.fetch(`${ENDPOINTS.directoryPeople}?text=${encodeURIComponent(text)}`);
  expect(response.status, text).toBe(200);
  return foundNames.parse(((await response.json()) as { data: unknown }).data);
};
const ids = async (text: string) => (await find(text)).people.map(({ id }) => id);

beforeAll(async () => {
  ts = await startDirectoryTest(
    {},
    {
      access: {
        admins: [
          recordOf(searcher, 'ALL', ['user_search']),
          recordOf(limited, 'CUSTOM', ['user_search']),
          recordOf(
            everythingElse,
            'ALL',
            FLAGS.filter((flag) => flag !== 'user_search'),
          ),
        ],
      },
    },
  );
  alma = await ts.signIn(searcher);
  ts.front.files.push(await report());
  expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
});
afterAll(() => ts?.close());
beforeEach(() => {
  ts.clock.ahead = 0;
});

describe('finds', () => {
  test.each<[string, number[]]>([
    ['jur', [12, 11]],
    ['Jür', [12, 11]],
    ['müll', [12, 11]],
    ['muell', [12, 11]],
    ['mull', [11]],
    ['müller jü', [12, 11]],
    ['Müller, Jürgen', [12, 11]],
    ['oneill', [13]],
    ['O’Neill', [13]],
    ['zoe', [13]],
    ['lukasz gross', [14]],
    ['GROSS', [14]],
    ['marie dam', [15]],
    ['anne-marie', [15]],
    ['dam, anne', [15]],
    ['S16', [16]],
    // Matches within a word follow those at the beginning of a word.
    ['van', [15, 16]],
    // The domain of the logins is not searched, and people with two logins are left to the LMS.
    ['example', []],
    ['two', []],
    ['\n%_', []],
    ['nobody', []],
  ])('%j', async (text, found) => {
    if (text.includes('\n')) {
      expect((await alma.fetch(`${ENDPOINTS.directoryPeople}?text=%0A%25_`)).status).toBe(400);
      return;
    }
    expect(await ids(text)).toEqual(found);
  });

  test('says when the report was made, and returns what a search in the LMS returns', async () => {
    const { as_of: asOf, people, more } = await find('zoe');
    expect(asOf).toBe((await ts.status()).as_of);
    expect({ people, more }).toEqual({
      people: [
        { id: 13, name: 'Zoë O’Neill', login_id: 'zoe@x.example', sis_user_id: 'S13', created_at: null },
      ],
      more: false,
    });
  });

  test('makes no call to the LMS', async () => {
    await ts.handle('requests', { method: 'DELETE' });
    await find('zoe');
    expect(JSON.stringify(await ts.handle('requests'))).not.toContain('/users');
  });

  test('rejects fewer than three letters, and cuts off a long list', async () => {
    expect((await alma.fetch(`${ENDPOINTS.directoryPeople}?text=zo`)).status).toBe(400);
    const index = new NameIndex();
    for (let id = 1; id <= 500; id++)
      index.add({ id, name: `Ana ${id}`, sortableName: `${id}, Ana`, login: `${id}@x.example`, sisId: null });
    index.finish();
    const { first, others, more } = index.find('ana', 200);
    expect([first.length, others.length, more]).toEqual([200, 0, true]);
    expect(index.find('ana 499', 200)).toEqual({ first: [499], others: [], more: false });
  });
});

describe('the copy is not used', () => {
  const unused = { as_of: null, people: [], more: false };

  test('when it is older than three days', async () => {
    const names = new NameSearch(ts.server.services);
    ts.clock.ahead = 71 * HOUR_MS;
    expect((await names.find('zoe'))?.people).toHaveLength(1);
    ts.clock.ahead = 73 * HOUR_MS;
    expect(await names.find('zoe')).toBeNull();
  });

  test('when it comes from another LMS', async () => {
    const { db } = ts.server.services.db;
    const [run] = await db.select().from(directoryRuns).where(eq(directoryRuns.number, 1));
    await db.update(directoryRuns).set({ lms: `${run?.lms.split(' ')[0]} another` });
    expect(await find('zoe')).toEqual(unused);
    await db.update(directoryRuns).set({ lms: run?.lms ?? '' });
    expect((await find('zoe')).people).toHaveLength(1);
  });

  test('when it is switched off', async () => {
    const { services } = ts.server;
    const config = { directory: { on: false, time: '02:00' } };
    expect(await new NameSearch({ ...services, config }).find('zoe')).toBeNull();
  });
});

describe('a person who was removed', () => {
  test('from the report is not found once the new copy is in use', async () => {
    ts.front.files.push(await report(PEOPLE.filter(([id]) => id !== 13)));
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
    expect(await ids('zoe')).toEqual([]);
    ts.front.files.push(await report());
    await ts.refreshed(true);
    expect(await ids('zoe')).toEqual([13]);
  });

  test('by erasure is not found any more, and leaves the index when it is next built', async () => {
    const names = new NameSearch(ts.server.services);
    await names.keepCurrent();
    const { files, db: database } = ts.server.services;
    await erasePerson({ database, files, kinds: [] }, ['ip@x.example']);
    expect(await ids('petrova')).toEqual([]);
    expect((await names.find('petrova'))?.people).toEqual([]);
    await names.keepCurrent();
    expect((await names.find('petrova'))?.people).toEqual([]);
  });
});

describe('OP-96 those who can search people in the LMS find everyone; others find no one', () => {
  test.each(PERMS.map((perm, at) => [perm, LOGINS[at] ?? '']))(
    'perm %s with the tool',
    async (_perm, login) => {
      expect((await find('lukasz', await ts.signIn(login))).people.map(({ id }) => id)).toEqual([14]);
    },
  );

  test('people with every other tool, or without a session, are rejected', async () => {
    const path = `${ENDPOINTS.directoryPeople}?text=lukasz`;
    const other = await (await ts.signIn(everythingElse)).fetch(path);
    expect([other.status, await other.text()]).toEqual([403, expect.not.stringContaining('ukasz')]);
    expect((await ts.browser().fetch(path)).status).toBe(401);
  });
});
