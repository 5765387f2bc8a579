/**
 * The safety matrix: every registered call × every flag on and off × reach × session × origin, and whatever is not
 * registered. All of it is made from the registries, so that a new call or flag is in it at once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LMS_CALLS, LMS_TYPES, type LmsCall } from '@lms-admin/contract/lms-calls';
import { COOKIES, subAccount } from '@lms-admin/contract/session';
import { TOOLS } from '@lms-admin/contract/tools';
import { FLAGS, type Flag } from '@lms-admin/domain/access';
import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchCall } from '../../src/lms/match.ts';
import { audit, imports } from '../../src/platform/schema.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const IN_REACH = 86;
const OUT_OF_REACH = 163;
const PERMS = ['ALL', 'CUSTOM'] as const;
type Perm = (typeof PERMS)[number];
/** `on`: this flag and no other; `off`: every flag but this one. */
const STATES = ['on', 'off'] as const;
type State = (typeof STATES)[number];
type Reach = 'in' | 'out';

interface Person {
  login: string;
  flags: ReadonlySet<Flag>;
  perm: Perm;
}

const PERSONS: Person[] = FLAGS.flatMap((flag) =>
  STATES.flatMap((state) =>
    PERMS.map((perm) => ({
      login: loginOf(flag, state, perm),
      flags: new Set(FLAGS.filter((one) => (one === flag) === (state === 'on'))),
      perm,
    })),
  ),
);

function loginOf(flag: Flag, state: State, perm: Perm): string {
  return `${flag}.${state}.${perm}@matrix.example`.toLowerCase();
}

function recordOf(person: Person) {
  return {
    login: person.login,
    email: person.login,
    perm: person.perm,
    sub_accounts: person.perm === 'CUSTOM' ? String(IN_REACH) : '',
    roles: '3',
    ...Object.fromEntries([...person.flags].map((flag) => [flag, true])),
  };
}

/** Whether a flag of the person's admits the call, or another that has the same address, as the tool registry says. */
function isAdmitted(person: Person, call: LmsCall): boolean {
  const url = urlOf(call, 'in', randomUUID());
  const fitting = LMS_CALLS.filter(
    (one) => matchCall(call.type, url, (other) => other === one)?.call === one,
  );
  return TOOLS.some(
    (tool) => fitting.some(({ id }) => tool.calls.includes(id)) && person.flags.has(tool.flag),
  );
}

let test: TestServer;
let grantId: string;
const browsers = new Map<string, Browser>();
/** A course in reach and one out of it, by what the paths and rows name. */
const courses = { in: { id: 0, sis: '' }, out: { id: 0, sis: '' } };
let foreignImport = '';

beforeAll(async () => {
  test = await startTestServer({ access: { admins: [...PERSONS.map(recordOf), recordOf(lmsAdmin)] } });
  const signedIn = await test.signIn(PEOPLE.all);
  const admin = await test.server.services.sessions.find(signedIn.cookies.get(COOKIES.session));
  if (!admin) throw new Error('nobody is signed in');
  grantId = admin.grantId;
  // Every person uses the same LMS account, which has every right there: what is refused is refused by us.
  for (const person of PERSONS) browsers.set(person.login, await openSession(person, Date.now()));
  for (const [reach, account] of [
    ['in', IN_REACH],
    ['out', OUT_OF_REACH],
  ] as const) {
    const { data } = await (await signedIn.invoke(`accounts/${account}/courses?per_page=100`)).json();
    const course = data.find((one: { sis_course_id: string | null }) => one.sis_course_id !== null);
    courses[reach] = { id: course.id, sis: course.sis_course_id };
  }
  const { data } = await (await signedIn.invoke('accounts/1/sis_imports', 'POST_SIS', csvFor('in'))).json();
  foreignImport = data.id;
});
afterAll(() => test.close());

/** The person of the LMS behind every session; nothing is limited for them. */
const lmsAdmin: Person = { login: PEOPLE.all, flags: new Set(FLAGS), perm: 'ALL' };

async function openSession(person: Person, time: number, grant = grantId): Promise<Browser> {
  const { login: _login, ...record } = recordOf(person);
  const session = await test.server.services.sessions.create({
    grantId: grant,
    login: person.login,
    profile: {
      access_token: 'handle',
      time,
      user: { id: 101, name: person.login },
      userProfile: { avatar_url: null, time_zone: null },
      sub_account: subAccount.parse(record),
    },
  });
  const browser = new Browser(test.url);
  browser.cookies.set(COOKIES.session, session);
  return browser;
}

function csvFor(reach: Reach): string[][] {
  return [
    ['course_id', 'user_id', 'role_id', 'status'],
    [courses[reach].sis, '5001001', '3', 'active'],
  ];
}

/** Values for the parameters that paths may have; a new name in the registry must get some here. */
const PARAMS: Record<string, (reach: Reach, own: string) => string> = {
  account: (reach) => String(reach === 'in' ? IN_REACH : OUT_OF_REACH),
  course: (reach) => String(courses[reach].id),
  import: (reach, own) => (reach === 'in' ? own : foreignImport),
};

/** Values for what a query must hold, by call; without them the call is not the registered one. */
const NEEDED: Record<string, string> = {
  'user-by-email search_term': 'alma.reyes@northbridge.example',
  'user-search search_term': 'reyes',
};

function urlOf(call: LmsCall, reach: Reach, own = ''): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => PARAMS[name]?.(reach, own) ?? 'unknown');
  const query = (call.needs ?? []).map(
    (name) => `${name}=${encodeURIComponent(NEEDED[`${call.id} ${name}`] ?? '')}`,
  );
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Calls whose path or payload names something that can be out of reach. */
const limited = (call: LmsCall) => Object.keys(call.params).length > 0 || call.payload !== null;
const CALLS = LMS_CALLS.filter((call) => call.id !== 'sign-out');

async function ask(browser: Browser, call: LmsCall, reach: Reach, init: { origin?: string } = {}) {
  let own = foreignImport;
  if (call.params.import && reach === 'in') {
    const made = await browser.invoke('accounts/1/sis_imports', 'POST_SIS', csvFor('in'), init);
    own = made.status === 200 ? (await made.json()).data.id : randomUUID();
  }
  await quiet();
  const before = lmsCalls();
  const payload = call.payload === null ? undefined : csvFor(reach);
  const response = await browser.invoke(urlOf(call, reach, own), call.type, payload, init);
  const body = await response.json();
  return { status: response.status, code: body.error?.code ?? null, body, called: lmsCalls() - before };
}

/** Waits until no import is being followed in the background, whose calls would be counted. */
async function quiet(): Promise<void> {
  const { db } = test.server.services.db;
  while ((await db.$count(imports, ne(imports.step, 'final'))) > 0) await sleep(20);
}

const lmsCalls = () => test.server.services.canvas.stats().calls;

function browserOf(flag: Flag, state: State, perm: Perm): [Person, Browser] {
  const login = loginOf(flag, state, perm);
  const person = PERSONS.find((one) => one.login === login);
  const browser = browsers.get(login);
  if (!person || !browser) throw new Error(login);
  return [person, browser];
}

it('OP-02 every parameter of the registry has values in this matrix', () => {
  const names = LMS_CALLS.flatMap((call) => Object.keys(call.params));
  expect(names.filter((name) => !(name in PARAMS))).toEqual([]);
  const needed = LMS_CALLS.flatMap(({ id, needs }) => (needs ?? []).map((name) => `${id} ${name}`));
  expect(needed.filter((name) => !(name in NEEDED))).toEqual([]);
});

for (const call of CALLS) {
  describe(`${call.type} ${call.path}`, () => {
    for (const flag of FLAGS) {
      for (const state of STATES) {
        for (const perm of PERMS) {
          it(`OP-02, PERM-05 ${flag} ${state}, ${perm}, in reach`, async () => {
            const [person, browser] = browserOf(flag, state, perm);
            const got = await ask(browser, call, 'in');
            if (isAdmitted(person, call)) expect(got).toMatchObject({ status: 200, code: null });
            else expect(got).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
          });
          if (!limited(call)) continue;
          it(`OP-14 ${flag} ${state}, ${perm}, out of reach`, async () => {
            const [person, browser] = browserOf(flag, state, perm);
            const got = await ask(browser, call, 'out');
            if (!isAdmitted(person, call))
              expect(got).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
            else if (perm === 'ALL') expect(got).toMatchObject({ status: 200, code: null });
            else if (call.payload === null) expect(got).toMatchObject({ status: 404, code: 'not-found' });
            else expect(got).toMatchObject({ status: 400, code: 'bad-request' });
          });
        }
      }
    }
    const [anyone] = PERSONS.filter((person) => isAdmitted(person, call));
    if (!anyone) return;

    it('OP-09 no session: 401, and nothing reaches the LMS', async () => {
      const got = await ask(new Browser(test.url), call, 'in');
      expect(got).toMatchObject({ status: 401, code: 'signed-out', called: 0 });
    });
    it('OP-08 a session of an hour ago: 401, and nothing reaches the LMS', async () => {
      const got = await ask(await openSession(anyone, Date.now() - 3_600_000, randomUUID()), call, 'in');
      expect(got).toMatchObject({ status: 401, code: 'signed-out', called: 0 });
    });
    it('OP-06 from another site: 403, and nothing reaches the LMS', async () => {
      const browser = browsers.get(anyone.login) as Browser;
      const got = await ask(browser, call, 'out', { origin: 'https://evil.example' });
      expect(got).toMatchObject({ status: 403, code: 'foreign-origin', called: 0 });
    });
  });
}

describe('OP-02 what is not registered is refused with 403, recorded, and does not reach the LMS', () => {
  const everything = PERSONS.find((person) => person.perm === 'ALL' && person.flags.size > 1) as Person;

  /** Ways to reach past a registered path. */
  const bend: Record<string, (url: string) => string> = {
    'a leading slash': (url) => `/${url}`,
    'the API prefix': (url) => `/api/v1/${url}`,
    'an absolute URL': (url) => `https://evil.example/${url}`,
    'an absolute URL of the LMS': (url) => `${test.config.lms.url}/api/v1/${url}`,
    'a host without a scheme': (url) => `//evil.example/${url}`,
    'dots before': (url) => `../${url}`,
    'dots inside': (url) => url.replace('/', '/x/../'),
    'encoded dots': (url) => url.replace('/', '/%2e%2e/'),
    'encoded dots, twice': (url) => url.replace('/', '/%252e%252e/'),
    'an encoded slash': (url) => url.replace('/', '%2f'),
    'an encoded backslash': (url) => url.replace('/', '%5C'),
    'a backslash': (url) => url.replace('/', '\\'),
    'a double slash': (url) => url.replace('/', '//'),
    'a further segment': (url) => `${url}/users`,
    'a slash at the end': (url) => `${url}/`,
    'a format': (url) => `${url}.json`,
    'upper case': (url) => url.toUpperCase(),
    'a fragment': (url) => `${url}#x`,
    'a line break': (url) => `${url}\nx`,
    'a blank': (url) => ` ${url}`,
    'a NUL': (url) => `${url}\u0000`,
    'an empty query': (url) => `${url}?`,
    'another person': (url) => `${url}?as_user_id=1`,
    'a token in the query': (url) => `${url}?access_token=x`,
    'a query name of Object': (url) => `${url}?constructor=x`,
    'an encoded query name': (url) => `${url}?%61s_user_id=1`,
    'a second question mark': (url) => `${url}?per_page=100?x`,
    'a name twice': (url) => `${url}?per_page=100&per_page=100`,
    'a larger page size': (url) => `${url}?per_page=1000`,
    'a broken encoding': (url) => `${url}?page=%E0%A4%A`,
    'other includes': (url) => `${url}?include[]=permissions`,
    'a SIS id in the path': (url) => url.replace(/\d+/, 'sis_account_id:x'),
  };

  async function refused(url: string, type: string, payload?: unknown) {
    const login = everything.login;
    const recorded = () => refusals(login);
    await quiet();
    const [before, calls] = [await recorded(), lmsCalls()];
    const response = await (browsers.get(login) as Browser).invoke(url, type, payload);
    expect({ url, type, status: response.status, body: await response.json() }).toMatchObject({
      status: 403,
      body: { status: 403, error: { code: 'not-allowed' } },
    });
    expect(lmsCalls()).toBe(calls);
    expect(await recorded()).toBe(before + 1);
  }

  for (const call of LMS_CALLS) {
    it(`${call.type} ${call.path}, bent`, async () => {
      for (const change of Object.values(bend)) {
        const [path = '', query] = urlOf(call, 'in', foreignImport).split('?');
        const bent = change(path);
        // A path without digits is left as it is by some of them.
        if (bent === path) continue;
        await refused(
          query === undefined ? bent : `${bent}${bent.includes('?') ? '&' : '?'}${query}`,
          call.type,
        );
      }
    });
    it(`${call.type} ${call.path} by other methods`, async () => {
      for (const type of [...LMS_TYPES, 'PATCH', 'HEAD', 'OPTIONS', 'get', 'POST_sis', 'constructor']) {
        const url = urlOf(call, 'in', foreignImport);
        if (matchCall(type, url) === null) await refused(url, type);
      }
    });
    if (call.payload === null) {
      it(`${call.type} ${call.path} with a payload`, async () => {
        await refused(urlOf(call, 'in', foreignImport), call.type, { name: 'x' });
      });
    }
  }

  it('calls of Canvas that the console does not make', async () => {
    const urls = [
      'users/self',
      'accounts/1/admins',
      'accounts/self/terms',
      'courses/1/users',
      'graphql',
      '',
      '*',
    ];
    for (const url of urls.filter(Boolean)) for (const type of LMS_TYPES) await refused(url, type);
  });

  async function refusals(login: string): Promise<number> {
    const where = and(eq(audit.login, login), eq(audit.event, 'LMS call refused'));
    return test.server.services.db.db.$count(audit, where);
  }
});
