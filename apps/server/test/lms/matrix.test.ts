/**
 * The safety matrix: every registered call × every flag on and off × reach × session × origin, and whatever is not
 * registered. All of it is made from the registries, so that a new call or flag is in it at once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { LMS_CALLS, LMS_TYPES, type LmsCall } from '@lms-admin/contract/lms-calls';
import { COOKIES, subAccount } from '@lms-admin/contract/session';
import { ENDPOINT_TOOLS, SUBMIT_TOOLS, TOOLS, type ToolId, toolById } from '@lms-admin/contract/tools';
import { FLAGS, type Flag } from '@lms-admin/domain/access';
import { usersCsv } from '@lms-admin/domain/new-users';
import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_TOOLS, storePlan } from '../../src/enrollments/plan-store.ts';
import { matchCall } from '../../src/lms/match.ts';
import { audit, importChunks, imports, sisFiles } from '../../src/platform/schema.ts';
import { Campus } from '../enrollments/campus.ts';
import { uploaded } from '../sis-files/support.ts';
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
    section_roles: '3',
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
/** A course in reach and one out of it with a section of each, by what the paths and rows name. */
const courses = {
  in: { id: 0, sis: '', section: { id: 0, sis: '' } },
  out: { id: 0, sis: '', section: { id: 0, sis: '' } },
};
let foreignImport = '';
/** A file that the LMS's administrator has uploaded, for the course in reach and for the other one. */
const files = { in: '', out: '' };

beforeAll(async () => {
  test = await startTestServer({
    sandbox: { throttle: false },
    env: { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' },
    access: { admins: [...PERSONS.map(recordOf), recordOf(lmsAdmin)] },
  });
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
    const made = await new Campus(test.sandbox).api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Matrix' } },
    });
    const section = { id: ((await made.json()) as { id: number }).id, sis: `${course.sis_course_id}-MATRIX` };
    courses[reach] = { id: course.id, sis: course.sis_course_id, section };
    await signedIn.invoke(`sections/${section.id}`, 'PUT', sectionPayload(reach));
    files[reach] = (await uploaded(signedIn, rowsFor(reach).join('\n'))).id;
  }
  const { data } = await (await signedIn.invoke('accounts/1/sis_imports', 'POST_SIS', rowsFor('in'))).json();
  foreignImport = data.id;
  await quiet();
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

function rowsFor(reach: Reach): string[][] {
  return [
    ['course_id', 'user_id', 'role_id', 'status'],
    [courses[reach].sis, '5001001', '3', 'active'],
  ];
}

function sectionPayload(reach: Reach) {
  return { course_section: { sis_section_id: courses[reach].section.sis } };
}

/** Values for the parameters that paths may have; a new name in the registry must get some here. */
const PARAMS: Record<string, (reach: Reach, own: string) => string> = {
  account: (reach) => String(reach === 'in' ? IN_REACH : OUT_OF_REACH),
  course: (reach) => String(courses[reach].id),
  section: (reach) => String(courses[reach].section.id),
  import: (reach, own) => (reach === 'in' ? own : foreignImport),
  person: () => 'sis_user_id:5001001',
};
/** People belong to no programme. */
const WITHOUT_REACH = ['person'];

/** Payloads by call; what is sent by `POST_SIS` has a matrix of its own below. */
const PAYLOADS: Record<string, (reach: Reach) => unknown> = { 'section-sis-id': sectionPayload };

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

/** Calls whose path names something that can be out of reach. */
const limited = (call: LmsCall) => Object.keys(call.params).some((name) => !WITHOUT_REACH.includes(name));
const CALLS = LMS_CALLS.filter((call) => call.id !== 'sign-out' && call.type !== 'POST_SIS');

async function ask(browser: Browser, call: LmsCall, reach: Reach, init: { origin?: string } = {}) {
  const own = call.params.import && reach === 'in' ? await ownImport(browser) : foreignImport;
  return counted(() => browser.invoke(urlOf(call, reach, own), call.type, PAYLOADS[call.id]?.(reach), init));
}

/** An answer, and how often the LMS was called for it. */
async function counted(asked: () => Promise<Response>) {
  const before = lmsCalls();
  const response = await asked();
  const body = await response.json();
  return { status: response.status, code: body.error?.code ?? null, body, called: lmsCalls() - before };
}

/** An import that has ended, of the person of this browser. */
async function ownImport(browser: Browser): Promise<string> {
  const login = [...browsers].find(([, one]) => one === browser)?.[0];
  const { db } = test.server.services.db;
  const [model] = await db.select().from(imports).where(eq(imports.id, foreignImport));
  if (!model || login === undefined) return foreignImport;
  const id = randomUUID();
  await db.insert(imports).values({ ...model, id, login, canvasId: null });
  return id;
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
  const payloads = CALLS.filter((call) => call.payload !== null).map(({ id }) => id);
  expect(payloads.filter((id) => !(id in PAYLOADS))).toEqual([]);
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
            else expect(got).toMatchObject({ status: 404, code: 'not-found' });
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

/** What may be submitted, with the tools that may: the kinds of the contract, and the plans of each tool that makes some. */
const SUBMITTED: { kind: string; tools: readonly ToolId[] }[] = [
  ...Object.entries(SUBMIT_TOOLS).map(([kind, tools]) => ({ kind, tools })),
  ...PLAN_TOOLS.map((tool) => ({ kind: `a plan of ${tool}`, tools: [tool] })),
];

/** Payloads by kind, made for one person; and how each is refused when it is out of a limited person's reach. */
const MADE: Record<string, { out: number | null; make: (person: Person, reach: Reach) => unknown }> = {
  'course-rows': { out: 400, make: (_, reach) => rowsFor(reach) },
  'section-rows': {
    out: 400,
    make: (_, reach) => [
      ['course_id', 'user_id', 'role_id', 'section_id', 'status'],
      [courses[reach].sis, '5001001', '3', courses[reach].section.sis, 'active'],
    ],
  },
  'user-rows': { out: null, make: () => usersCsv([newPerson()]) },
  file: { out: 409, make: async (person, reach) => ({ file: await fileOf(person, reach) }) },
  ...Object.fromEntries(
    PLAN_TOOLS.map((tool) => [
      `a plan of ${tool}`,
      {
        out: 409,
        make: async (person: Person, reach: Reach) => ({ plan: await planOf(person, tool, reach) }),
      },
    ]),
  ),
};

let lastPerson = 660_000;
function newPerson() {
  const psID = String(lastPerson++);
  return { psID, email: `matrix.${psID}@northbridge.example`, firstName: 'Mia', lastName: 'Trix' };
}

/** A checked file as if this person had uploaded it. */
async function fileOf(person: Person, reach: Reach): Promise<string> {
  const { db } = test.server.services.db;
  const [model] = await db.select().from(sisFiles).where(eq(sisFiles.id, files[reach]));
  const chunks = await db.select().from(importChunks).where(eq(importChunks.importId, files[reach]));
  if (!model) throw new Error('no file');
  const id = randomUUID();
  const again = { ...model.summary.again, limited: person.perm === 'CUSTOM', courses: [courses[reach].sis] };
  await db.insert(importChunks).values(chunks.map((chunk) => ({ ...chunk, importId: id })));
  await db
    .insert(sisFiles)
    .values({ ...model, id, login: person.login, summary: { ...model.summary, again } });
  return id;
}

/** A plan as if this person had made it. */
async function planOf(person: Person, tool: (typeof PLAN_TOOLS)[number], reach: Reach): Promise<string> {
  const id = randomUUID();
  const target = { sectionId: null, name: null, sisSectionId: '', assign: false };
  const { id: courseId, sis: sisCourseId } = courses[reach];
  await storePlan(test.server.services.db.db, {
    login: person.login,
    tool,
    label: 'a plan',
    roleId: 3,
    status: 'active',
    summary: { id, totals: { rows: 1 } },
    people: [['', 'Somebody', '5001001']],
    courses: [{ courseId, sisCourseId, rows: [{ target, people: [0] }] }],
  });
  return id;
}

describe('POST_SIS accounts/1/sis_imports, by what is sent', () => {
  const call = LMS_CALLS.find(({ type }) => type === 'POST_SIS');
  const submit = async (browser: Browser, payload: unknown, init: { origin?: string } = {}) =>
    counted(() => browser.invoke(urlOf(call as LmsCall, 'in'), 'POST_SIS', payload, init));
  const may = (person: Person, tools: readonly ToolId[]) =>
    tools.some((tool) => person.flags.has(toolById(tool).flag));
  const persons = (flag: Flag) =>
    STATES.flatMap((state) => PERMS.map((perm) => browserOf(flag, state, perm)));

  it('OP-34 every kind of the contract has a payload here', () => {
    expect(SUBMITTED.map(({ kind }) => kind).sort()).toEqual(Object.keys(MADE).sort());
  });

  // First what is refused: nothing then runs in the background, so every call of the LMS is seen.
  for (const { kind, tools } of SUBMITTED) {
    for (const flag of FLAGS) {
      it(`OP-34, PERM-05 ${kind}, ${flag} on or off: whoever has no tool for it is refused`, async () => {
        const refused = persons(flag).filter(([person]) => !may(person, tools));
        for (const [person, browser] of refused) {
          for (const reach of ['in', 'out'] as const) {
            const got = await submit(browser, await MADE[kind]?.make(person, reach));
            expect({ person, reach, ...got }).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
          }
        }
      });
    }
    it(`OP-06, OP-09 ${kind}: not without a session, not from another site`, async () => {
      const [person, browser] = browserOf(toolById(tools[0] as ToolId).flag, 'on', 'ALL');
      const payload = await MADE[kind]?.make(person, 'in');
      expect(await submit(new Browser(test.url), payload)).toMatchObject({ status: 401, called: 0 });
      const foreign = await submit(browser, payload, { origin: 'https://evil.example' });
      expect(foreign).toMatchObject({ status: 403, code: 'foreign-origin', called: 0 });
    });
  }

  for (const { kind, tools } of SUBMITTED) {
    for (const flag of FLAGS) {
      it(`OP-34, OP-14 ${kind}, ${flag} on or off: whoever has a tool for it sends what is in reach`, async () => {
        for (const [person, browser] of persons(flag).filter(([one]) => may(one, tools))) {
          for (const reach of ['in', 'out'] as const) {
            const payload = await MADE[kind]?.make(person, reach);
            const out = reach === 'out' && person.perm === 'CUSTOM' ? (MADE[kind]?.out ?? 200) : 200;
            expect({ person, reach, ...(await submit(browser, payload)) }).toMatchObject({ status: out });
          }
        }
      });
    }
  }
});

describe('endpoints that are for some tools', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
  /** The methods that an endpoint answers to. */
  const methods = (url: string) => METHODS.filter((method) => test.server.app.hasRoute({ method, url }));
  const fetchAt = (
    browser: Browser,
    url: string,
    method: string,
    init: RequestInit & { origin?: string } = {},
  ) => {
    const path = url.replace(/:\w+/g, randomUUID());
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    return browser.fetch(path, { method, ...body, ...init });
  };

  for (const [url, tools] of Object.entries(ENDPOINT_TOOLS)) {
    it(`PERM-05, PERM-07 ${url} by every flag`, async () => {
      await quiet();
      expect(methods(url)).not.toEqual([]);
      for (const method of methods(url)) {
        for (const person of PERSONS) {
          const browser = browsers.get(person.login) as Browser;
          const before = lmsCalls();
          const response = await fetchAt(browser, url, method);
          const text = await response.text();
          if (tools.some((tool) => person.flags.has(toolById(tool).flag))) {
            expect([200, 400, 404]).toContain(response.status);
          } else {
            expect(response.status).toBe(403);
            expect(JSON.parse(text).error.code).toBe('not-allowed');
          }
          expect(lmsCalls()).toBe(before);
        }
        expect((await fetchAt(new Browser(test.url), url, method)).status).toBe(401);
        if (method === 'GET') continue;
        const everybody = browsers.get(loginOf('user_search', 'off', 'ALL')) as Browser;
        const foreign = await fetchAt(everybody, url, method, { origin: 'https://evil.example' });
        expect([foreign.status, (await foreign.json()).error.code]).toEqual([403, 'foreign-origin']);
      }
    });
  }

  it('PERM-07, OP-98 every other endpoint is one that needs no tool', () => {
    const others = Object.entries(ENDPOINTS).filter(([, url]) => !(url in ENDPOINT_TOOLS));
    expect(others.map(([name]) => name)).toEqual([
      'login',
      'token',
      // Each call is admitted by itself, see above.
      'invoke',
      'invokePages',
      'logStatus',
      'settings',
      // Everybody's own.
      'imports',
      'health',
      'ready',
      'metrics',
    ]);
  });
});

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

  /** Each is refused; together they leave one line each in the audit and no call of the LMS. */
  async function refused(asked: { url: string; type: string; payload?: unknown }[]) {
    const { login } = everything;
    await quiet();
    const [before, calls] = [await refusals(login), lmsCalls()];
    for (const { url, type, payload } of asked) {
      const response = await (browsers.get(login) as Browser).invoke(url, type, payload);
      expect({ url, type, status: response.status, body: await response.json() }).toMatchObject({
        status: 403,
        body: { status: 403, error: { code: 'not-allowed' } },
      });
    }
    expect(lmsCalls()).toBe(calls);
    expect(await refusals(login)).toBe(before + asked.length);
  }

  for (const call of LMS_CALLS) {
    const { type } = call;
    it(`${type} ${call.path}, bent`, async () => {
      const [path = '', query] = urlOf(call, 'in', foreignImport).split('?');
      const asked = Object.entries(bend).flatMap(([name, change]) => {
        const bent = change(path);
        // A path without digits is left as it is by some of them; a SIS id may end like a format.
        if (bent === path || (name === 'a format' && call.params.person)) return [];
        return {
          url: query === undefined ? bent : `${bent}${bent.includes('?') ? '&' : '?'}${query}`,
          type,
        };
      });
      expect(asked.length).toBeGreaterThan(25);
      await refused(asked);
    });
    it(`${type} ${call.path} by other methods`, async () => {
      const url = urlOf(call, 'in', foreignImport);
      const others = [...LMS_TYPES, 'PATCH', 'HEAD', 'OPTIONS', 'get', 'POST_sis', 'constructor'];
      await refused(
        others.filter((other) => matchCall(other, url) === null).map((other) => ({ url, type: other })),
      );
    });
    if (call.payload === null) {
      it(`${type} ${call.path} with a payload`, async () => {
        await refused([{ url: urlOf(call, 'in', foreignImport), type, payload: { name: 'x' } }]);
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
      '*',
    ];
    await refused(urls.flatMap((url) => LMS_TYPES.map((type) => ({ url, type }))));
  });

  async function refusals(login: string): Promise<number> {
    const where = and(eq(audit.login, login), eq(audit.event, 'LMS call refused'));
    return test.server.services.db.db.$count(audit, where);
  }
});
