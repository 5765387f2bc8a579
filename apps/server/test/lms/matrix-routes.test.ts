/**
 * The safety matrix of routes: each route of the running server × every flag on and off × session × origin. A
 * route declares who can call it; this file defines how to call it.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ENDPOINTS, jobStartPath, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import type { GroupPlanRequest, MemberPlanRequest } from '@lms-admin/contract/groups';
import { GROUP_PLAN, MEMBER_PLAN } from '@lms-admin/contract/plan-kinds';
import { SIS_EFFECT } from '@lms-admin/contract/sis-effects';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { type Tool, toolById } from '@lms-admin/contract/tools';
import { ZOOM_CHANGE, ZOOM_RUN_REVIEW } from '@lms-admin/contract/zoom';
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { storePieces } from '../../src/files/pieces.ts';
import type { Declaration } from '../../src/platform/route.ts';
import { importMessages, imports } from '../../src/platform/schema.ts';
import { askGroupPlan, askMemberPlan, askPlan, askSectionPlan } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { ACCESS_CALLS } from './matrix-access.ts';
import { AWARD_CALLS } from './matrix-awards.ts';
import { DRAFT_CALLS } from './matrix-drafts.ts';
import { IMAGE_CALLS } from './matrix-images.ts';
import { SYSTEM_CALLS } from './matrix-system.ts';
import {
  browserOf,
  browsers,
  courses,
  endMatrix,
  fileOf,
  files,
  foreignImport,
  IN_REACH,
  lmsCalls,
  OUT_OF_REACH,
  openSession,
  ownImport,
  PERMS,
  PERSONS,
  type Person,
  quiet,
  rowsFor,
  startMatrix,
  test,
} from './matrix-world.ts';

await startMatrix();
afterAll(endMatrix);

interface Ask {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  form?: FormData;
}

interface Call {
  /** Repeats the list of routes that need no certain tool, so that none is added by mistake. */
  for?: 'public' | 'signed-in';
  /** A call that succeeds for a person with access to the route. */
  ask: (person: Person, browser: Browser) => Ask | Promise<Ask>;
  /** The route checks whether the LMS answers, as `/readyz` does. */
  asksLms?: true;
  /** The answer's status; 200 if not given. */
  status?: number;
  /** The call for another person's object, if the route concerns an object; its answer is a 404. */
  foreign?: {
    ask: (person: Person) => Ask | Promise<Ask>;
    /** Visible with `perm` `ALL`, and if a tool is named, only with that tool. */
    seenByAll?: boolean | Tool['flag'];
    /** The status when the object is visible, if different. */
    status?: number;
  };
}

const watched = {
  ask: () => ({ params: { import: foreignImport } }),
  seenByAll: 'course_level_admin' as const,
};
const followed = { ask: () => ({ params: { job: foreignImport } }), seenByAll: true };
const planned = {
  'course-enrollment': () => ({
    role_id: 3,
    status: 'active' as const,
    courses: [courses.in.id],
    emails: ['alma.reyes@northbridge.example'],
  }),
  'section-enrollment': () => ({
    sections: [
      {
        course: courses.in.id,
        section: courses.in.section.id,
        role_id: 3,
        status: 'active' as const,
        users: ['5001001'],
      },
    ],
  }),
};

const groupsOf = (reach: 'in' | 'out'): GroupPlanRequest => ({
  course: courses[reach].id,
  category: courses[reach].category,
  ranges: [{ prefix: 'M', start: 1, end: 2 }],
});
const membersOf = (reach: 'in' | 'out'): MemberPlanRequest => ({
  course: courses[reach].id,
  from: {
    way: 'csv',
    name: 'm.csv',
    text: `group_id,user_id,status\n${courses[reach].group},5001001,accepted`,
  },
});
const started = (input: unknown) => ({ body: { key: randomUUID(), input } });

const exportOf = (course: number) => ({
  body: { key: randomUUID(), input: { course, groups: true, format: 'csv', time_zone: null } },
});

const zoomOf = (reach: 'in' | 'out') => ({
  change: 'publish',
  course: courses[reach].id,
  events: [courses[reach].event],
  owner: 'lms.admin@northbridge.example',
  co_hosts: [],
  visible: false,
});
const hosted = (reach: 'in' | 'out') => ({
  body: { host: 'lms.admin@northbridge.example', visibility: 0, calendar_event: courses[reach].event },
});
const merged = (reach: 'in' | 'out') => ({
  body: { parentEvent: courses[reach].event, childEvents: [courses[reach].event] },
});
const calendarFile = (reach: 'in' | 'out') => ({
  params: { course: String(courses[reach].id), event: String(courses[reach].event) },
});

/** Calls to each route, by method and path. */
const CALLS: Record<string, Call> = {
  [`GET ${ENDPOINTS.login}`]: { for: 'public', ask: () => ({}), status: 302 },
  // A code that was never issued.
  [`POST ${ENDPOINTS.token}`]: {
    for: 'public',
    ask: () => ({ body: { grant_type: 'authorization_code', code: 'x', state: 'y' } }),
    status: 400,
  },
  [`POST ${ENDPOINTS.invoke}`]: {
    for: 'signed-in',
    ask: () => ({ body: { type: 'GET', url: 'accounts/1/terms' } }),
  },
  [`POST ${ENDPOINTS.invokePages}`]: {
    for: 'signed-in',
    ask: () => ({ body: { type: 'GET', url: 'accounts/1/terms' } }),
  },
  [`POST ${ENDPOINTS.logStatus}`]: { for: 'signed-in', ask: () => ({ body: { status: 'done' } }) },
  [`GET ${ENDPOINTS.settings}`]: { for: 'public', ask: () => ({}) },
  [`GET ${ENDPOINTS.plan}`]: {
    ask: async (_, browser) => ({ params: { plan: await planOf(browser, 'course-enrollment') } }),
    foreign: { ask: async () => ({ params: { plan: await foreignPlan('course-enrollment') } }) },
  },
  [`GET ${ENDPOINTS.planPeople}`]: {
    ask: async (_, browser) => ({
      params: { plan: await planOf(browser, 'course-enrollment') },
      query: { course: String(courses.in.id) },
    }),
    foreign: {
      ask: async () => ({
        params: { plan: await foreignPlan('course-enrollment') },
        query: { course: String(courses.in.id) },
      }),
    },
  },
  [`GET ${ENDPOINTS.sectionPlan}`]: {
    ask: async (_, browser) => ({ params: { plan: await planOf(browser, 'section-enrollment') } }),
    foreign: { ask: async () => ({ params: { plan: await foreignPlan('section-enrollment') } }) },
  },
  [`GET ${ENDPOINTS.sectionPlanPeople}`]: {
    ask: async (_, browser) => ({
      params: { plan: await planOf(browser, 'section-enrollment') },
      query: { section: String(courses.in.section.id) },
    }),
    foreign: {
      ask: async () => ({
        params: { plan: await foreignPlan('section-enrollment') },
        query: { section: String(courses.in.section.id) },
      }),
    },
  },
  // Which imports can be undone, and by whom, is tested in `enrollments/undo.test.ts`.
  [`GET ${ENDPOINTS.undoPlan}`]: { ask: () => ({ params: { plan: randomUUID() } }), status: 404 },
  [`GET ${ENDPOINTS.undoPlanPeople}`]: {
    ask: () => ({ params: { plan: randomUUID() }, query: { section: '1' } }),
    status: 404,
  },
  [`POST ${jobStartPath('course-undo')}`]: { ask: () => started({ import: randomUUID() }), status: 404 },
  [`POST ${jobStartPath('section-undo')}`]: { ask: () => started({ import: randomUUID() }), status: 404 },
  [`GET ${ENDPOINTS.memberUndoPlan}`]: { ask: () => ({ params: { plan: randomUUID() } }), status: 404 },
  [`POST ${jobStartPath('group-member-undo')}`]: {
    ask: () => started({ import: randomUUID() }),
    status: 404,
  },
  [`GET ${ENDPOINTS.groupPlan}`]: {
    ask: async (_, browser) => ({ params: { plan: await groupPlanOf(browser) } }),
    foreign: { ask: async () => ({ params: { plan: await groupPlanOf(somebodyElse()) } }) },
  },
  [`GET ${ENDPOINTS.memberPlan}`]: {
    ask: async (_, browser) => ({ params: { plan: await memberPlanOf(browser) } }),
    foreign: { ask: async () => ({ params: { plan: await memberPlanOf(somebodyElse()) } }) },
  },
  [`POST ${jobStartPath(GROUP_PLAN)}`]: {
    ask: () => started(groupsOf('in')),
    foreign: { ask: () => started(groupsOf('out')), seenByAll: true },
  },
  [`POST ${jobStartPath(MEMBER_PLAN)}`]: {
    ask: () => started(membersOf('in')),
    foreign: { ask: () => started(membersOf('out')), seenByAll: true },
  },
  [`POST ${jobStartPath('course-plan')}`]: {
    ask: () => ({ body: { key: randomUUID(), input: planned['course-enrollment']() } }),
  },
  [`POST ${jobStartPath('section-plan')}`]: {
    ask: () => ({ body: { key: randomUUID(), input: planned['section-enrollment']() } }),
  },
  [`POST ${jobStartPath(STUDENT_EXPORT)}`]: {
    ask: () => exportOf(courses.in.id),
    foreign: { ask: () => exportOf(courses.out.id), seenByAll: true },
  },
  // Courses out of scope are left out of the answer.
  [`GET ${ENDPOINTS.courseSearch}`]: { ask: () => ({ query: { text: String(courses.in.id) } }) },
  [`GET ${ENDPOINTS.zoomSchedulers}`]: { ask: () => ({}) },
  [`POST ${ENDPOINTS.zoomPreview}`]: {
    ask: () => ({ body: zoomOf('in') }),
    foreign: { ask: () => ({ body: zoomOf('out') }), seenByAll: true },
  },
  [`POST ${jobStartPath(ZOOM_CHANGE)}`]: {
    ask: () => started({ change: zoomOf('in'), digest: 'none' }),
    foreign: { ask: () => started({ change: zoomOf('out'), digest: 'none' }), seenByAll: true },
  },
  [`POST ${jobStartPath(ZOOM_RUN_REVIEW)}`]: {
    ask: () => started({ course: courses.in.id, days: 30 }),
    foreign: { ask: () => started({ course: courses.out.id, days: 30 }), seenByAll: true },
  },
  [`POST ${ENDPOINTS.zoomUpdateOwner}`]: {
    ask: () => hosted('in'),
    foreign: { ask: () => hosted('out'), seenByAll: true },
  },
  // An event cannot be merged with itself, and only a merged event can be unmerged.
  [`POST ${ENDPOINTS.zoomMerge}`]: {
    ask: () => merged('in'),
    status: 400,
    foreign: { ask: () => merged('out'), seenByAll: true },
  },
  [`POST ${ENDPOINTS.zoomUnmerge}`]: {
    ask: () => ({ body: { event: courses.in.event } }),
    status: 400,
    foreign: { ask: () => ({ body: { event: courses.out.event } }), seenByAll: true },
  },
  [`GET ${ENDPOINTS.zoomOpenChanges}`]: {
    ask: () => ({ params: { course: String(courses.in.id) } }),
    foreign: { ask: () => ({ params: { course: String(courses.out.id) } }), seenByAll: true },
  },
  [`GET ${ENDPOINTS.groupImports}`]: {
    ask: () => ({ params: { course: String(courses.in.id) } }),
    foreign: { ask: () => ({ params: { course: String(courses.out.id) } }), seenByAll: true },
  },
  [`GET ${ENDPOINTS.zoomIcs}`]: {
    ask: () => calendarFile('in'),
    foreign: { ask: () => calendarFile('out'), seenByAll: true },
  },
  [`GET ${ENDPOINTS.jobs}`]: { for: 'signed-in', ask: () => ({}) },
  [`GET ${ENDPOINTS.jobSummary}`]: { for: 'signed-in', ask: () => ({}) },
  [`GET ${ENDPOINTS.job}`]: {
    for: 'signed-in',
    ask: async (_, browser) => ({ params: { job: await ownImport(browser) } }),
    foreign: followed,
  },
  // An import that has ended cannot be cancelled.
  [`POST ${ENDPOINTS.jobCancel}`]: {
    for: 'signed-in',
    ask: async (_, browser) => ({ params: { job: await ownImport(browser) } }),
    status: 409,
    foreign: followed,
  },
  [`GET ${ENDPOINTS.jobItems}`]: {
    for: 'signed-in',
    ask: async (_, browser) => ({ params: { job: await ownImport(browser) } }),
    foreign: followed,
  },
  // An import does not produce files.
  [`GET ${ENDPOINTS.jobFile}`]: {
    for: 'signed-in',
    ask: async (_, browser) => ({ params: { job: await ownImport(browser), file: randomUUID() } }),
    status: 404,
    foreign: { ask: () => ({ params: { job: foreignImport, file: randomUUID() } }) },
  },
  [`POST ${ENDPOINTS.peopleLookup}`]: {
    ask: ({ flags }) => ({
      body: flags.has('course_level_admin')
        ? { logins: ['alma.reyes@northbridge.example'] }
        : { sis_ids: ['5001001'] },
    }),
  },
  [`GET ${ENDPOINTS.directoryPeople}`]: { ask: () => ({ query: { text: 'alm' } }) },
  [`POST ${ENDPOINTS.directoryCourses}`]: {
    ask: () => ({ body: { account: IN_REACH } }),
    foreign: { ask: () => ({ body: { account: OUT_OF_REACH } }), seenByAll: true },
  },
  [`POST ${ENDPOINTS.sisFiles}`]: { ask: () => ({ form: formOf(rowsFor('in').join('\n')) }) },
  [`GET ${ENDPOINTS.sisFile}`]: {
    ask: async (person) => ({ params: { file: await fileOf(person, 'in') } }),
    foreign: { ask: () => ({ params: { file: files.in } }) },
  },
  [`GET ${ENDPOINTS.sisEffect}`]: {
    ask: async (person) => ({ params: { file: await fileOf(person, 'in') } }),
    foreign: { ask: () => ({ params: { file: files.in } }) },
  },
  [`GET ${ENDPOINTS.sisEffectRows}`]: {
    ask: async (person) => ({
      params: { file: await fileOf(person, 'in') },
      query: { table: 'enrollment', does: 'creates' },
    }),
    foreign: { ask: () => ({ params: { file: files.in }, query: { table: 'enrollment', does: 'creates' } }) },
  },
  [`GET ${ENDPOINTS.sisEffectCourses}`]: {
    ask: async (person) => ({ params: { file: await fileOf(person, 'in') } }),
    foreign: { ask: () => ({ params: { file: files.in } }) },
  },
  [`POST ${ENDPOINTS.sisEffectDraft}`]: {
    ask: async (person) => ({ params: { file: await fileOf(person, 'in') } }),
    // None of its rows would be rejected.
    status: 409,
    foreign: { ask: () => ({ params: { file: files.in } }) },
  },
  [`POST ${jobStartPath(SIS_EFFECT)}`]: {
    ask: async (person) => ({ body: { key: randomUUID(), input: { file: await fileOf(person, 'in') } } }),
    foreign: { ask: () => ({ body: { key: randomUUID(), input: { file: files.in } } }) },
  },
  ...DRAFT_CALLS,
  [`GET ${ENDPOINTS.imports}`]: { for: 'signed-in', ask: () => ({}) },
  [`GET ${ENDPOINTS.importMessages}`]: { ask: aboutFailedImport, foreign: watched },
  [`GET ${ENDPOINTS.importRows}`]: { ask: aboutFailedImport, foreign: watched },
  [`GET ${ENDPOINTS.importFailedRows}`]: {
    ask: aboutFailedImport,
    // The owner would get the message that this import has no failed rows.
    foreign: { ask: watched.ask, seenByAll: 'course_level_admin', status: 404 },
  },
  [`GET ${ENDPOINTS.importAttachment}`]: {
    ask: async (person, browser) => {
      const { params } = await aboutFailedImport(person, browser);
      return { params: { ...params, attachment: 'csv-99' } };
    },
    // The LMS does not have this file.
    status: 404,
    foreign: {
      ask: () => ({ params: { import: foreignImport, attachment: 'csv-99' } }),
      seenByAll: 'course_level_admin',
    },
  },
  ...ACCESS_CALLS,
  ...AWARD_CALLS,
  ...IMAGE_CALLS,
  ...SYSTEM_CALLS,
  [`GET ${ENDPOINTS.health}`]: { for: 'public', ask: () => ({}) },
  [`GET ${ENDPOINTS.ready}`]: { for: 'public', ask: () => ({}) },
  [`GET ${ENDPOINTS.metrics}`]: { for: 'public', ask: () => ({}) },
  [`GET ${ENDPOINTS.version}`]: { for: 'public', ask: () => ({}) },
  [`GET ${ENDPOINTS.zoomRun}`]: {
    ask: () => runByGet('in'),
    foreign: { ask: () => runByGet('out'), seenByAll: true },
  },
  [`POST ${ENDPOINTS.zoomRun}`]: {
    ask: () => ({ body: { courseId: courses.in.id } }),
    foreign: { ask: () => ({ body: { courseId: courses.out.id } }), seenByAll: true },
  },
  [`GET ${ENDPOINTS.zoomQueue}`]: { ask: () => ({}) },
  // This call changes nothing: the queue runs on its own, in parallel with everything else.
  [`POST ${ENDPOINTS.zoomQueueUpdate}`]: {
    ask: () => ({ body: { courseIds: [] } }),
    foreign: { ask: ({ perm }) => ({ body: { courseIds: [perm === 'ALL' ? 99_999_999 : courses.out.id] } }) },
  },
};

/** Requests work by GET, which must come from the console. */
function runByGet(reach: 'in' | 'out'): Ask {
  const query = { courseId: String(courses[reach].id), daysCount: '30' };
  return { query, headers: { [OWN_REQUEST.name]: OWN_REQUEST.value } };
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.set('file', new File([text], 'file.csv'));
  return form;
}

type PlanTool = keyof typeof planned;

/** Creates a plan as the person in this browser. */
async function planOf(browser: Browser, tool: PlanTool): Promise<string> {
  const { plan } = await (tool === 'course-enrollment'
    ? askPlan(browser, planned[tool]())
    : askSectionPlan(browser, planned[tool]()));
  return plan?.id ?? '';
}

const groupPlanOf = async (browser: Browser) => (await askGroupPlan(browser, groupsOf('in'))).plan?.id ?? '';
const memberPlanOf = async (browser: Browser) =>
  (await askMemberPlan(browser, membersOf('in'))).plan?.id ?? '';
/** Returns a person with every flag except one that has nothing to do with plans. */
const somebodyElse = () => browserOf('sis_import', 'off', 'ALL')[1];

const foreignPlans = new Map<PlanTool, Promise<string>>();
function foreignPlan(tool: PlanTool): Promise<string> {
  const made = foreignPlans.get(tool) ?? planOf(somebodyElse(), tool);
  foreignPlans.set(tool, made);
  return made;
}

/** Creates an import by the person in this browser, with one row rejected by the LMS. */
async function aboutFailedImport(_: Person, browser: Browser): Promise<Ask> {
  const { db } = test.server.services.db;
  const importId = await ownImport(browser);
  await db.update(imports).set({ zip: false, files: null }).where(eq(imports.id, importId));
  await db.insert(importMessages).values({ importId, seq: 0, file: null, message: 'no such user', row: 2 });
  await storePieces(db, importId, piecesOf('course_id,user_id\nA,5001001\n'));
  return { params: { import: importId } };
}

async function* piecesOf(text: string) {
  yield text;
}

async function ask(browser: Browser, route: Declaration, asked: Ask, origin?: string): Promise<Response> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => asked.params?.[name] ?? randomUUID());
  const query = asked.query ? `?${new URLSearchParams(asked.query)}` : '';
  const init = {
    method: route.method,
    ...(asked.form ? { body: asked.form } : {}),
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    headers: {
      ...asked.headers,
      ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(origin === undefined ? {} : { origin }),
  };
  return browser.fetch(path + query, init);
}

const nameOf = ({ method, path }: Declaration) => `${method} ${path}`;
const takesBody = ({ takes }: Declaration) => takes !== 'none' && takes.body !== undefined;
const isForm = ({ takes }: Declaration) => takes !== 'none' && takes.body === 'multipart';
const tools = ({ for: audience }: Declaration): Tool[] =>
  typeof audience === 'string' ? [] : audience.map(toolById);

/**
 * Returns whether a person has access to a tool. The system page is only for `perm` `ALL`, whatever the
 * record says.
 */
const admits = ({ flags, perm }: Person, flag: Tool['flag']): boolean =>
  flags.has(flag) && (flag !== 'system' || perm === 'ALL');

function isAdmitted(person: Person, route: Declaration): boolean {
  return typeof route.for === 'string' || tools(route).some(({ flag }) => admits(person, flag));
}

/** Creates a meaningless call that fits the route's schema. */
const EMPTY = (route: Declaration): Ask => ({
  ...(takesBody(route) ? { body: {} } : {}),
  headers: { [OWN_REQUEST.name]: OWN_REQUEST.value },
});

it('OP-98 every path of the contract has a route, and every route is in this matrix', () => {
  const routes = test.server.routes.map(nameOf);
  const unknown = routes.filter((name) => !Object.hasOwn(CALLS, name));
  expect(unknown, 'the matrix does not know how to call these: say it in CALLS').toEqual([]);
  expect(Object.keys(CALLS).filter((name) => !routes.includes(name))).toEqual([]);
  // Each kind of job that can be started has its own path.
  const started = test.server.routes.filter(({ path }) => path.startsWith(jobStartPath('')));
  const paths = new Set(test.server.routes.filter((one) => !started.includes(one)).map(({ path }) => path));
  expect([...paths].sort()).toEqual(Object.values(ENDPOINTS).sort());
});

it('PERM-07 a route is for certain tools, or is listed here as an exception', () => {
  const open = test.server.routes.filter((route) => typeof route.for === 'string');
  const named = Object.entries(CALLS).filter(([, call]) => call.for);
  expect(Object.fromEntries(open.map((route) => [nameOf(route), route.for]))).toEqual(
    Object.fromEntries(named.map(([name, call]) => [name, call.for])),
  );
});

for (const route of test.server.routes) {
  const { for: audience } = route;
  const call = CALLS[nameOf(route)];
  const others = PERSONS.filter((person) => !isAdmitted(person, route));
  /** One person for each tool and scope without other flags; a signed-in admin; a browser without a session. */
  const callers: [Person | null, Browser][] =
    audience === 'public'
      ? [[null, new Browser(test.url)]]
      : PERMS.flatMap((perm) =>
          audience === 'signed-in'
            ? [browserOf('course_level_admin', 'on', perm)]
            : tools(route).flatMap(({ flag }) => {
                const caller = browserOf(flag, 'on', perm);
                return admits(caller[0], flag) ? [caller] : [];
              }),
        );

  describe(nameOf(route), () => {
    it('PERM-05, PERM-07 admits exactly the people whose flags allow it', async () => {
      await quiet();
      for (const person of PERSONS) {
        const before = lmsCalls();
        const response = await ask(browsers.get(person.login) as Browser, route, EMPTY(route));
        const text = await response.text();
        if (isAdmitted(person, route)) {
          expect([200, 302, 400, 404]).toContain(response.status);
        } else {
          expect({ person, status: response.status }).toEqual({ person, status: 403 });
          expect(JSON.parse(text).error.code).toBe('not-allowed');
        }
        const asks = audience === 'public' || (call?.asksLms === true && isAdmitted(person, route));
        if (!asks) expect(lmsCalls()).toBe(before);
      }
    });

    it('OP-97 answers people with access, with the declared data and nothing else', async () => {
      for (const [person, browser] of callers) {
        const response = await ask(browser, route, await asked(person, browser));
        const text = await response.text();
        expect({ person, status: response.status, text }).toMatchObject({ status: call?.status ?? 200 });
        expect(response.headers.get('cache-control')).toBe('no-store');
        const { schema } = route.answers;
        if (!schema || response.status !== 200) continue;
        const inLines = response.headers.get('content-type')?.includes('ndjson');
        // A list in lines can be empty.
        for (const line of inLines ? text.split('\n').filter((one) => one !== '') : [text]) {
          const got = JSON.parse(line);
          const data = 'pagination' in got ? got.data : got;
          expect(schema.parse(data)).toEqual(data);
        }
      }
    });

    async function asked(person: Person | null, browser: Browser): Promise<Ask> {
      return call ? call.ask(person ?? (PERSONS[0] as Person), browser) : {};
    }

    const foreign = call?.foreign;
    if (foreign) {
      it('OP-14 another person’s objects are treated as missing', async () => {
        for (const [person, browser] of callers) {
          const response = await ask(browser, route, await foreign.ask(person as Person));
          const { seenByAll = false } = foreign;
          const seen = seenByAll !== false && person?.perm === 'ALL';
          const named = typeof seenByAll !== 'string' || person?.flags.has(seenByAll);
          expect({ person, status: response.status }).toEqual({
            person,
            status: !seen ? 404 : named ? (foreign.status ?? call.status ?? 200) : 403,
          });
        }
      });
    }

    if (route.method !== 'GET') {
      it('OP-06 rejects requests from another site', async () => {
        for (const [person, browser] of callers) {
          const response = await ask(browser, route, await asked(person, browser), 'https://evil.example');
          expect([response.status, (await response.json()).error.code]).toEqual([403, 'foreign-origin']);
        }
      });
    }

    if (audience === 'public') return;

    it('OP-08, OP-09 rejects requests without a session, or with one from an hour ago', async () => {
      const [[anybody] = [null]] = callers;
      const old = await openSession(anybody as Person, Date.now() - 3_600_000, randomUUID());
      for (const browser of [new Browser(test.url), old]) {
        const response = await ask(browser, route, EMPTY(route));
        expect([response.status, (await response.json()).error.code]).toEqual([401, 'signed-out']);
      }
    });

    if (!takesBody(route)) return;

    it('OP-09, PERM-07 permissions are checked before the body is read', async () => {
      const [refused] = others;
      const cases: [Browser, number][] = [
        [new Browser(test.url), 401],
        ...(refused ? [[browsers.get(refused.login) as Browser, 403] as [Browser, number]] : []),
      ];
      for (const [browser, status] of cases)
        expect(await statusWithoutBody(browser, route, 1_000)).toBe(status);
    });

    // The handler limits a form as it reads it.
    if (isForm(route)) return;
    it('a body larger than the route allows is rejected unread', async () => {
      const [[, browser] = [null, new Browser(test.url)]] = callers;
      const bytes = route.bodyLimit ?? 1_048_576;
      expect(await statusWithoutBody(browser, route, bytes + 1)).toBe(413);
    });
  });
}

/** Returns the status of the answer to a request whose body is announced but never sent. */
async function statusWithoutBody(
  browser: Browser,
  { method, path }: Declaration,
  bytes: number,
): Promise<number> {
  const { hostname, port, host, origin } = new URL(test.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(
    [
      `${method} ${path} HTTP/1.1`,
      `host: ${host}`,
      `origin: ${origin}`,
      `cookie: ${cookies}`,
      'content-type: application/json',
      `content-length: ${bytes}`,
      '\r\n',
    ].join('\r\n'),
  );
  const [first]: Buffer[] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(first))?.[1]);
}
