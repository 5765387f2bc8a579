/** How to call each route in the safety matrix of routes. */

import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import type { GroupPlanRequest, MemberPlanRequest } from '@lms-admin/contract/groups';
import { GROUP_PLAN, MEMBER_PLAN } from '@lms-admin/contract/plan-kinds';
import { SIS_EFFECT } from '@lms-admin/contract/sis-effects';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import type { Tool } from '@lms-admin/contract/tools';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { ZOOM_RUN_REVIEW } from '@lms-admin/contract/zoom-runs';
import { eq } from 'drizzle-orm';
import { storePieces } from '../../src/files/pieces.ts';
import { importMessages, imports } from '../../src/platform/schema.ts';
import { askGroupPlan, askMemberPlan, askPlan, askSectionPlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { ACCESS_CALLS } from './matrix-access.ts';
import { AWARD_CALLS } from './matrix-awards.ts';
import { DRAFT_CALLS } from './matrix-drafts.ts';
import { IMAGE_CALLS } from './matrix-images.ts';
import { SYSTEM_CALLS } from './matrix-system.ts';
import {
  browserOf,
  courses,
  fileOf,
  files,
  foreignImport,
  IN_REACH,
  OUT_OF_REACH,
  ownImport,
  type Person,
  rowsFor,
  test,
} from './matrix-world.ts';

export interface Ask {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  form?: FormData;
}

export interface Call {
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
export const CALLS: Record<string, Call> = {
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
