/** One import from each source, with a check that it was done once. */
import { randomUUID } from 'node:crypto';
import { usersCsv } from '@lms-admin/domain/new-users';
import { expect } from 'vitest';
import {
  makeGroupPlan,
  makeMemberPlan,
  makePlan,
  makeSectionPlan,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import { csvOf, fromCsv, groupsOf, join, makeCategory, makeGroup, membersOf } from '../groups/support.ts';
import { reviewed, zipOf } from '../sis-files/support.ts';
import type { Deployment } from './deployment.ts';

export interface Asked {
  /** Submits; a second call gives the same import. */
  payload: unknown;
  /** Checks after the end that the LMS has the requested result, once. */
  holds: () => Promise<void>;
}

/** Courses that each sandbox has already used. */
const used = new WeakMap<Deployment, Set<number>>();

/** Finds a course with a default section, and people outside it; each course is used once. */
function fresh(deployment: Deployment, people: number) {
  const { campus, sandbox } = deployment;
  const gone = used.get(deployment) ?? new Set<number>();
  used.set(deployment, gone);
  const { courses, sections } = sandbox.world;
  for (const { id, sis_source_id: sis, workflow_state } of courses.values()) {
    if (gone.has(id) || sis === null || workflow_state !== 'available') continue;
    gone.add(id);
    if (![...sections.by.course.get(id)].some((section) => section.default_section)) continue;
    return { id, sis, people: campus.strangers(people, [id]) };
  }
  throw new Error('no course is left');
}
type Fresh = ReturnType<typeof fresh>;

function seatedOnce({ campus }: Deployment, { id, people }: Fresh) {
  return async () => {
    const inside = (await campus.enrolments(id, 3)).map((one) => one.user_id);
    for (const person of people) expect(inside.filter((one) => one === person.id)).toHaveLength(1);
  };
}

const rowsOf = ({ sis, people }: Fresh) =>
  ['course_id,user_id,role_id,status', ...people.map((person) => `${sis},${person.sis},3,active`)].join('\n');

/** Creates a Course Enrollment plan. */
export const aPlan = (deployment: Deployment, people = 20) => planOf(deployment, fresh(deployment, people));

/** Creates several such plans for the same course, each with different people. */
export async function plansOfOneCourse(deployment: Deployment, count: number): Promise<Asked[]> {
  const { people, ...course } = fresh(deployment, count * 10);
  const parts = Array.from({ length: count }, (_, at) => people.slice(at * 10, at * 10 + 10));
  return Promise.all(parts.map((those) => planOf(deployment, { ...course, people: those })));
}

async function planOf(deployment: Deployment, one: Fresh): Promise<Asked> {
  const plan = await makePlan(deployment.alma, {
    role_id: 3,
    status: 'active',
    courses: [one.id],
    emails: one.people.map(({ email }) => email),
  });
  return { payload: { plan: plan.id }, holds: seatedOnce(deployment, one) };
}

/** Creates a plan for two sections, one without an SIS ID. */
export async function aSectionPlan(deployment: Deployment): Promise<Asked> {
  const { campus, sandbox, alma } = deployment;
  const one = fresh(deployment, 10);
  const sections = await Promise.all(
    ['Killed', 'Killed too'].map(async (name) => {
      const body = {
        course_section: { name, ...(name === 'Killed' ? {} : { sis_section_id: `KILLED-${one.id}` }) },
      };
      const made = await campus.api(`courses/${one.id}/sections`, { method: 'POST', body });
      return ((await made.json()) as { id: number }).id;
    }),
  );
  const asked = {
    course: one.id,
    role_id: 3,
    status: 'active' as const,
    users: one.people.map(({ sis }) => sis),
  };
  const plan = await makeSectionPlan(
    alma,
    sections.map((section) => ({ ...asked, section })),
  );
  return {
    payload: { plan: plan.id },
    async holds() {
      const seats = (await campus.enrolments(one.id, 3)).map(
        (seat) => `${seat.course_section_id} ${seat.user_id}`,
      );
      const wanted = sections.flatMap((section) => one.people.map((person) => `${section} ${person.id}`));
      expect(seats.filter((seat) => wanted.includes(seat)).sort()).toEqual(wanted.sort());
      expect(sandbox.world.sections.get(sections[0] ?? 0)?.sis_source_id).toMatch(/-KILLED$/);
    },
  };
}

/** Creates a plan for groups in a new category. */
async function aGroupPlan(deployment: Deployment): Promise<Asked> {
  const { campus, alma } = deployment;
  const one = fresh(deployment, 0);
  const teams = await makeCategory(campus, one.id, 'Killed', `${one.sis}_Killed`);
  const plan = await makeGroupPlan(alma, {
    course: one.id,
    category: teams.id,
    ranges: [{ prefix: 'K', start: 1, end: 9 }],
  });
  return {
    payload: { plan: plan.id },
    async holds() {
      const wanted = plan.groups.map(({ sis_group_id, name }) => [sis_group_id, name]);
      expect(await groupsOf(campus, teams)).toEqual(Object.fromEntries(wanted));
    },
  };
}

/** Creates a plan that adds some people to a group, moves some and removes some. */
async function aMemberPlan(deployment: Deployment): Promise<Asked> {
  const { campus, sandbox, alma } = deployment;
  const one = fresh(deployment, 12);
  const [section] = sandbox.world.sections.by.course.get(one.id);
  for (const person of one.people) campus.enrol(person.id, { id: section?.id ?? 0, course_id: one.id }, 3);
  const teams = await makeCategory(campus, one.id, 'Killed', `${one.sis}_Killed`);
  const [k1, k2] = [
    await makeGroup(campus, teams, 'K1', `${one.sis}_K1`),
    await makeGroup(campus, teams, 'K2', `${one.sis}_K2`),
  ];
  const [adding, moving, leaving] = [one.people.slice(0, 4), one.people.slice(4, 8), one.people.slice(8)];
  await join(campus, k1, ...moving);
  await join(campus, k2, ...leaving);
  const plan = await makeMemberPlan(alma, {
    course: one.id,
    from: fromCsv(
      csvOf(
        ...[...adding, ...moving].map(({ sis }): [string, string] => [k2.sis, sis]),
        ...leaving.map(({ sis }): [string, string, string] => [k2.sis, sis, 'deleted']),
      ),
    ),
  });
  return {
    payload: { plan: plan.id },
    async holds() {
      expect(await membersOf(campus, k1)).toEqual([]);
      const wanted = [...adding, ...moving].map(({ id }) => id);
      expect(await membersOf(campus, k2)).toEqual(wanted.sort((a, b) => a - b));
    },
  };
}

let last = 770_000;
/** Creates a file of people to be created. */
export async function aUsersFile({ sandbox }: Deployment): Promise<Asked> {
  const people = Array.from({ length: 20 }, () => {
    const psID = String(last++);
    return { psID, email: `new.${psID}@northbridge.example`, firstName: 'Nora', lastName: 'Vance' };
  });
  return {
    payload: { csv: usersCsv(people), key: randomUUID() },
    async holds() {
      for (const { psID, email } of people)
        expect(sandbox.world.pseudonyms.by.sis.get(psID)?.unique_id).toBe(email);
    },
  };
}

/** Creates a submission of manual enrolment rows. */
async function rowsByHand(deployment: Deployment): Promise<Asked> {
  const one = fresh(deployment, 20);
  return { payload: { csv: rowsOf(one), key: randomUUID() }, holds: seatedOnce(deployment, one) };
}

async function aFile(deployment: Deployment, zipped: boolean): Promise<Asked> {
  const one = fresh(deployment, 20);
  const csv = rowsOf(one);
  const file = await reviewed(deployment.alma, zipped ? await zipOf({ 'term.csv': csv }) : csv);
  return { payload: { file: file.id }, holds: seatedOnce(deployment, one) };
}

/** Creates a zip for SIS Import. */
export const aZip = (deployment: Deployment) => aFile(deployment, true);

/** Every source of imports. */
export const SOURCES: readonly ((deployment: Deployment) => Promise<Asked>)[] = [
  aPlan,
  aSectionPlan,
  aGroupPlan,
  aMemberPlan,
  aUsersFile,
  rowsByHand,
  (deployment) => aFile(deployment, false),
  aZip,
];

/** Waits until the import has ended, and checks that the LMS ran it once. @param id of the import @param ms longest wait */
export async function expectOnce(
  deployment: Deployment,
  id: string,
  { payload, holds }: Asked,
  ms?: number,
): Promise<void> {
  // The person submits again.
  expect((await submitted(deployment.alma, payload)).id).toBe(id);
  expect(await watch(deployment.alma, id, undefined, ms)).toMatchObject({ verdict: 'done', note: null });
  expect(await deployment.campus.importsNamed(id)).toHaveLength(1);
  await holds();
}
