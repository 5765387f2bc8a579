/** The safety matrix of submissions: each kind × every flag on and off × scope × session × origin, generated from the registries. */

import { randomUUID } from 'node:crypto';
import { lmsCall } from '@lms-admin/contract/lms-calls';
import {
  COURSE_PLAN,
  MEMBER_PLAN,
  type PlanTool,
  SECTION_PLAN,
  UNDO_KINDS,
} from '@lms-admin/contract/plan-kinds';
import { SUBMIT_TOOLS, type ToolId, toolById } from '@lms-admin/contract/tools';
import { FLAGS, type Flag } from '@lms-admin/domain/access';
import { usersCsv } from '@lms-admin/domain/new-users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePlan } from '../../src/enrollments/plan-store.ts';
import type { KeptRows } from '../../src/groups/plan-parts.ts';
import { writePlan } from '../../src/plans/store.ts';
import { Browser } from '../support/browser.ts';
import {
  browserOf,
  categoryPayload,
  counted,
  courses,
  endMatrix,
  fileOf,
  PERMS,
  type Person,
  type Reach,
  rowsFor,
  STATES,
  startMatrix,
  test,
} from './matrix-world.ts';

beforeAll(startMatrix);
afterAll(endMatrix);

/** Tools that create plans. */
const PLAN_TOOLS = Object.keys(UNDO_KINDS) as PlanTool[];

/**
 * The kinds of submission with the tools that are allowed to send them: those of the contract, and the plans
 * of each tool that creates them.
 */
const SUBMITTED: { kind: string; tools: readonly ToolId[] }[] = [
  ...Object.entries(SUBMIT_TOOLS).map(([kind, tools]) => ({ kind, tools })),
  ...PLAN_TOOLS.map((tool) => ({ kind: `a plan of ${tool}`, tools: [tool] })),
];

/**
 * Payloads by kind, created for one person, and the status with which they are rejected outside a limited
 * person's scope.
 */
const MADE: Record<string, { out: number | null; make: (person: Person, reach: Reach) => unknown }> = {
  'course-rows': { out: 400, make: (_, reach) => rowsFor(reach) },
  'section-rows': {
    out: 400,
    make: (_, reach) => [
      ['course_id', 'user_id', 'role_id', 'section_id', 'status'],
      [courses[reach].sis, '5001001', '3', courses[reach].section.sis, 'active'],
    ],
  },
  'group-rows': {
    out: 400,
    make: (_, reach) => [
      ['group_category_id', 'group_id', 'name', 'status'],
      [
        categoryPayload(reach).sis_group_category_id,
        `${courses[reach].sis}_Matrix-G02`,
        'Matrix-G02',
        'available',
      ],
    ],
  },
  'membership-rows': {
    out: 400,
    make: (_, reach) => `group_id,user_id,status\n${courses[reach].group},5001001,accepted`,
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

/** Creates a plan as if this person had created it. */
async function planOf(person: Person, tool: PlanTool, reach: Reach): Promise<string> {
  const id = randomUUID();
  if (tool === 'group-enrollment') return groupPlanOf(person, id, reach);
  const target = { sectionId: null, name: null, sisSectionId: '', assign: false };
  const { id: courseId, sis: sisCourseId } = courses[reach];
  await storePlan(test.server.services.db.db, {
    login: person.login,
    tool,
    kind: tool === 'course-enrollment' ? COURSE_PLAN : SECTION_PLAN,
    label: 'a plan',
    lms: '',
    roleId: 3,
    status: 'active',
    summary: { id, totals: { rows: 1 } },
    people: [['', 'Somebody', '5001001']],
    courses: [{ courseId, sisCourseId, rows: [{ target, people: [0] }] }],
  });
  return id;
}

async function groupPlanOf(person: Person, id: string, reach: Reach): Promise<string> {
  const { id: courseId, sis: sisCourseId, group } = courses[reach];
  const row = { row: 2, user_id: '5001001', group_id: group, status: 'accepted', fate: 'add' } as const;
  await writePlan<KeptRows>(test.server.services.db.db, {
    login: person.login,
    tool: 'group-enrollment',
    kind: MEMBER_PLAN,
    label: 'a plan',
    lms: '',
    roleId: null,
    status: null,
    summary: { id, totals: { rows: 1 } },
    people: [],
    courses: [
      {
        courseId,
        sisCourseId,
        rowCount: 1,
        rows: { kind: 'members', rows: [{ ...row, who: 1, where: 1, person: 'A', group: 'B', leaves: [] }] },
      },
    ],
  });
  return id;
}

/**
 * Returns the flags of the people who really send: those of the allowed tools, and one unrelated flag, which
 * differs by kind. Submissions are imported for real, so the others wait for `MATRIX=all`. Rejections are
 * tested for all flags.
 */
function sendersOf(tools: readonly ToolId[], nth: number): readonly Flag[] {
  if (process.env.MATRIX === 'all') return FLAGS;
  const own = new Set(tools.map((tool) => toolById(tool).flag));
  const others = FLAGS.filter((flag) => !own.has(flag));
  return [...own, others[nth % others.length] as Flag];
}

describe('POST_SIS accounts/1/sis_imports, by kind of submission', () => {
  const url = lmsCall('sis-import-create').path;
  const submit = async (browser: Browser, payload: unknown, init: { origin?: string } = {}) =>
    counted(() => browser.invoke(url, 'POST_SIS', payload, init));
  const may = (person: Person, tools: readonly ToolId[]) =>
    tools.some((tool) => person.flags.has(toolById(tool).flag));
  const persons = (flag: Flag) =>
    STATES.flatMap((state) => PERMS.map((perm) => browserOf(flag, state, perm)));

  it('OP-34 every kind of the contract has a payload here', () => {
    expect(SUBMITTED.map(({ kind }) => kind).sort()).toEqual(Object.keys(MADE).sort());
  });

  // Rejections first: nothing runs in the background then, so every call to the LMS is seen.
  for (const { kind, tools } of SUBMITTED) {
    for (const flag of FLAGS) {
      it(`OP-34, PERM-05 ${kind}, ${flag} on or off: people without a tool for it are rejected`, async () => {
        const refused = persons(flag).filter(([person]) => !may(person, tools));
        for (const [person, browser] of refused) {
          for (const reach of ['in', 'out'] as const) {
            const got = await submit(browser, await MADE[kind]?.make(person, reach));
            expect({ person, reach, ...got }).toMatchObject({ status: 403, code: 'not-allowed', called: 0 });
          }
        }
      });
    }
    it(`OP-06, OP-09 ${kind}: requests without a session or from another site are rejected`, async () => {
      const [person, browser] = browserOf(toolById(tools[0] as ToolId).flag, 'on', 'ALL');
      const payload = await MADE[kind]?.make(person, 'in');
      expect(await submit(new Browser(test.url), payload)).toMatchObject({ status: 401, called: 0 });
      const foreign = await submit(browser, payload, { origin: 'https://evil.example' });
      expect(foreign).toMatchObject({ status: 403, code: 'foreign-origin', called: 0 });
    });
  }

  for (const [nth, { kind, tools }] of SUBMITTED.entries()) {
    for (const flag of sendersOf(tools, nth)) {
      it(`OP-34, OP-14 ${kind}, ${flag} on or off: people with a tool for it can send what is in scope`, async () => {
        for (const [person, browser] of persons(flag).filter(([one]) => may(one, tools))) {
          for (const reach of ['in', 'out'] as const) {
            const payload = await MADE[kind]?.make(person, reach);
            const out = reach === 'out' && person.perm === 'CUSTOM' ? (MADE[kind]?.out ?? 200) : 200;
            const { status, body } = await submit(browser, payload);
            expect([person.login, reach, status, body.error?.message]).toEqual([
              person.login,
              reach,
              out,
              out === 200 ? undefined : expect.any(String),
            ]);
          }
        }
      });
    }
  }
});
