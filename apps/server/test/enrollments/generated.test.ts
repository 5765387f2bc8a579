/**
 * Random enrolment plans in the sandbox, with changes by others in between. The LMS must change exactly as
 * the review announced, and undo must restore exactly what no one else has changed. `ENROLMENT_RUNS` sets the
 * number of plans, `ENROLMENT_SEED` the first seed.
 */

import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { plannedPerson, sectionPerson, type UndoPlan } from '@lms-admin/contract/enrollments';
import type { SisImport } from '@lms-admin/contract/imports';
import { UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import { isRowStatus } from '@lms-admin/domain/enrollment-states';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

const RUNS = Number(process.env.ENROLMENT_RUNS ?? 8);
const SEED = Number(process.env.ENROLMENT_SEED ?? 1);

let ts: TestServer;
let campus: Campus;
let alma: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

/** Random numbers that repeat for the same seed. */
class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed * 2_654_435_769;
  }
  /** Returns a whole number from 0 up to, but not including, `below`. */
  roll(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  }
  one<T>(of: readonly T[]): T {
    return of[this.roll(of.length)] as T;
  }
  some<T>(of: readonly T[], count: number): T[] {
    const left = [...of];
    return Array.from(
      { length: Math.min(count, left.length) },
      () => left.splice(this.roll(left.length), 1)[0] as T,
    );
  }
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }
}

const STATES = [
  'active',
  'active',
  'inactive',
  'completed',
  'invited',
  'rejected',
  'creation_pending',
  'deleted',
];
const ROLES = [3, 4, 5];

interface Place {
  user: number;
  course: number;
  section: number;
  role: number;
}
type Snapshot = Map<string, string>;
const keyOf = ({ user, course, section, role }: Place) => `${user} ${course} ${section} ${role}`;
const placeOf = (key: string): Place => {
  const [user = 0, course = 0, section = 0, role = 0] = key.split(' ').map(Number);
  return { user, course, section, role };
};

/** Records every enrolment in some courses. A deleted enrolment counts as missing. */
function snapshot(courses: readonly number[]): Snapshot {
  const found: Snapshot = new Map();
  for (const one of ts.sandbox.world.enrollments.values()) {
    if (!courses.includes(one.course_id) || one.workflow_state === 'deleted') continue;
    const place = {
      user: one.user_id,
      course: one.course_id,
      section: one.course_section_id,
      role: one.role_id,
    };
    found.set(keyOf(place), one.workflow_state);
  }
  return found;
}

/** Returns the part of a snapshot that belongs to some of its courses. */
const snapshotOf = (of: Snapshot, courses: readonly number[]): Snapshot =>
  new Map([...of].filter(([key]) => courses.includes(placeOf(key).course)));

const stateIn = (of: Snapshot, key: string) => of.get(key) ?? 'deleted';

/** Returns the differences, each with its state in `after`. */
function difference(before: Snapshot, after: Snapshot): Snapshot {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return new Map(
    [...keys].flatMap((key) =>
      stateIn(before, key) === stateIn(after, key) ? [] : [[key, stateIn(after, key)]],
    ),
  );
}

/** Changes some of these places to another state, as another user would. */
function othersChange(dice: Dice, places: readonly string[], most: number, now: Snapshot): Snapshot {
  const changed: Snapshot = new Map();
  for (const key of dice.some(places, dice.roll(most + 1))) {
    const { user, course, section, role } = placeOf(key);
    const state = dice.one(STATES.filter((one) => one !== stateIn(now, key)));
    campus.enrol(user, { id: section, course_id: course }, role, state);
    changed.set(key, state);
  }
  return changed;
}

interface Material {
  courses: { id: number; sis: string; sections: { id: number; name: string }[] }[];
  people: Person[];
  /** Every place where a person can be. */
  places: string[];
}

/**
 * Prepares courses with people in all states. Some show no default section, or only another section with its
 * name, or have a cross-listed one.
 */
async function material(dice: Dice): Promise<Material> {
  const { world } = ts.sandbox;
  const chosen = dice.some(campus.courses(), 1 + dice.roll(3));
  for (const { id, name } of chosen) {
    const sections = [...world.sections.by.course.get(id)];
    const fallback = sections.find((one) => one.default_section);
    if (fallback && dice.chance(20)) world.sections.change(fallback, { name: `Renamed ${fallback.id}` });
    if (sections.length < 4 && dice.chance(40))
      await campus.api(`courses/${id}/sections`, {
        method: 'POST',
        body: { course_section: { name: dice.one(['Evening group', 'Group A', name]) } },
      });
    if (dice.chance(25))
      crossListInto(
        dice,
        id,
        chosen.map((one) => one.id),
      );
  }
  const courses = chosen.map(({ id, sis_source_id }) => ({
    id,
    sis: sis_source_id ?? '',
    sections: [...world.sections.by.course.get(id)].filter((one) => one.workflow_state === 'active'),
  }));
  const people = campus.strangers(
    3 + dice.roll(5),
    courses.map(({ id }) => id),
  );
  const places: string[] = [];
  for (const { id: course, sections } of courses)
    for (const { id: section } of dice.some(sections, 4))
      for (const role of ROLES)
        for (const { id: user } of people) {
          places.push(keyOf({ user, course, section, role }));
          if (dice.chance(45)) campus.enrol(user, { id: section, course_id: course }, role, dice.one(STATES));
        }
  return { courses, people, places };
}

/** Cross-lists a section of another course into this one. */
function crossListInto(dice: Dice, course: number, not: readonly number[]): void {
  const { sections, enrollments } = ts.sandbox.world;
  const others = [...sections.values()].filter(
    (one) => one.sis_source_id !== null && !one.default_section && !not.includes(one.course_id),
  );
  const section = dice.one(others);
  sections.change(section, {
    course_id: course,
    nonxlist_course_id: section.nonxlist_course_id ?? section.course_id,
  });
  for (const one of enrollments.values())
    if (one.course_section_id === section.id) enrollments.change(one, { course_id: course });
}

/**
 * What a review announces: the new state for each person and course, and in a section plan also for each
 * section.
 */
interface Announced {
  id: string;
  rows: number;
  role: number | null;
  changes: { user: number; course: number; section: number | null; role: number; to: string }[];
}

async function courseReview(dice: Dice, { courses, people }: Material): Promise<Announced> {
  const role = dice.one(ROLES);
  const status = dice.one(['active', 'deleted'] as const);
  const asked = dice.some(people, 1 + dice.roll(people.length));
  const plan = await makePlan(alma, {
    role_id: role,
    status,
    courses: courses.map(({ id }) => id),
    emails: asked.map(({ email }) => email),
  });
  const changes: Announced['changes'] = [];
  for (const { id: course, ...figures } of plan.courses) {
    const list = await listOf(
      `${ENDPOINTS.planPeople.replace(':plan', plan.id)}?course=${course}`,
      plannedPerson,
    );
    expectFigures(figures, list);
    for (const one of list)
      if (one.change === 'add' || one.change === 'remove')
        changes.push({ user: userOf(people, one.sis_user_id), course, section: null, role, to: status });
  }
  return { id: plan.id, rows: plan.totals.rows, role, changes };
}

/** Checks that a review's counts match its lists. */
function expectFigures(
  { add, already, remove, not_enrolled }: Record<'add' | 'already' | 'remove' | 'not_enrolled', number>,
  list: readonly { change: string }[],
): void {
  const listed = (change: string) => list.filter((one) => one.change === change).length;
  expect({ add, already, remove, not_enrolled }).toEqual({
    add: listed('add'),
    already: listed('already'),
    remove: listed('remove'),
    not_enrolled: listed('not-enrolled'),
  });
}

async function sectionReview(dice: Dice, { courses, people }: Material): Promise<Announced> {
  const all = courses.flatMap(({ id: course, sections }) =>
    sections.flatMap(({ id: section }) => ROLES.map((role_id) => ({ course, section, role_id }))),
  );
  const plan = await makeSectionPlan(
    alma,
    dice.some(all, 1 + dice.roll(5)).map((one) => ({
      ...one,
      status: dice.one(['active', 'deleted'] as const),
      users: dice.some(people, 1 + dice.roll(people.length)).map(({ sis }) => sis),
    })),
  );
  const changes: Announced['changes'] = [];
  for (const { course, section, role, status, ...figures } of plan.entries) {
    const path = `${ENDPOINTS.sectionPlanPeople.replace(':plan', plan.id)}?section=${section.id}&role=${role.id}`;
    const list = await listOf(path, sectionPerson);
    expectFigures(figures, list);
    for (const one of list)
      if (one.change === 'add' || one.change === 'remove')
        changes.push({
          user: userOf(people, one.sis_user_id),
          course: course.id,
          section: section.id,
          role: role.id,
          to: status,
        });
  }
  return { id: plan.id, rows: plan.totals.rows, role: null, changes };
}

async function listOf<S extends z.ZodType>(path: string, of: S): Promise<z.output<S>[]> {
  const answer = await alma.fetch(path);
  return z.array(of).parse((await answer.json()).data);
}

function userOf(people: readonly Person[], sis: string): number {
  const found = people.find((one) => one.sis === sis);
  if (!found) throw new Error(`nobody has ${sis}`);
  return found.id;
}

async function sent(id: string): Promise<{ one: SisImport; said: string }> {
  const one = await watch(alma, (await submitted(alma, { plan: id })).id);
  const answer = await alma.fetch(ENDPOINTS.importMessages.replace(':import', one.id));
  return { one, said: JSON.stringify((await answer.json()).data) };
}

/** Lists the places affected by one announced change. */
function placesOf(change: Announced['changes'][number], keys: Iterable<string>): string[] {
  return [...keys].filter((key) => {
    const place = placeOf(key);
    return (
      place.user === change.user &&
      place.course === change.course &&
      place.role === change.role &&
      (change.section === null || place.section === change.section)
    );
  });
}

/** Checks the result of the import, change by change. */
function checkSending(
  { changes }: Announced,
  {
    reviewed,
    before,
    after,
    others,
    said,
    sisOf,
    swapped,
  }: {
    reviewed: Snapshot;
    before: Snapshot;
    after: Snapshot;
    others: Snapshot;
    said: string;
    sisOf: (user: number) => string;
    /** People whose SIS IDs were swapped after the review, so that no row refers to them. */
    swapped: ReadonlySet<number>;
  },
): void {
  const done = difference(before, after);
  const announced = new Set<string>();
  for (const change of changes) {
    const mine = placesOf(change, new Set([...reviewed.keys(), ...before.keys(), ...after.keys()]));
    for (const key of mine) announced.add(key);
    const changed = mine.filter((key) => done.has(key));
    for (const key of changed) expect([key, done.get(key)]).toEqual([key, change.to]);
    // Changes that others make after the review stay, and are named.
    const theirs = mine.filter((key) => others.has(key));
    expect(changed.filter((key) => theirs.includes(key))).toEqual([]);
    if (swapped.has(change.user)) {
      expect([change, changed]).toEqual([change, []]);
      expect(said).toContain(`(${sisOf(change.user)}) was skipped`);
    } else if (theirs.length === 0) {
      const wanted = change.to === 'active' ? 1 : mine.filter((key) => reviewed.has(key)).length;
      expect([change, changed.length]).toEqual([change, wanted]);
    } else if (changed.length === 0) {
      expect(said).toContain(`(${sisOf(change.user)}) was skipped`);
    }
  }
  // Nothing else must have changed.
  expect([...done.keys()].filter((key) => !announced.has(key))).toEqual([]);
}

/** Checks the result of the undo, place by place. */
function checkUndo(
  plan: UndoPlan,
  s: {
    before: Snapshot;
    left: Snapshot;
    changed: Snapshot;
    after: Snapshot;
    others: Snapshot;
    nameOf: (key: string) => string;
  },
): void {
  const { before, left, changed, after, others, nameOf } = s;
  const done = difference(before, left);
  const kept = plan.kept.flatMap(({ why, who }) =>
    who.map(({ person, state }) => `${why}: ${person} ${state}`),
  );
  for (const key of done.keys()) {
    const [was, became, now, then] = [before, left, changed, after].map((one) => stateIn(one, key)) as [
      string,
      string,
      string,
      string,
    ];
    const told = `${key}: ${was}, import ${became}, others ${now}`;
    if (others.has(key)) {
      expect([told, then]).toEqual([told, now]);
      if (now !== was) expect(kept).toContain(`changed: ${nameOf(key)} ${now}`);
    } else if (isRowStatus(was)) expect([told, then]).toEqual([told, was]);
    else {
      expect([told, then]).toEqual([told, became]);
      expect(kept).toContain(`state: ${nameOf(key)} ${was}`);
    }
  }
  const undone = difference(changed, after);
  expect([...undone.keys()].filter((key) => !done.has(key))).toEqual([]);
  expect(undone.size).toBe(plan.totals.rows);
}

/** Swaps the SIS IDs of two of the people, occasionally. */
function maySwap(dice: Dice, people: readonly Person[]): ReadonlySet<number> {
  const [one, other] = dice.some(people, 2);
  if (!one || !other || !dice.chance(30)) return new Set();
  campus.swapSisIds(one, other);
  return new Set([one.id, other.id]);
}

async function round(seed: number): Promise<void> {
  const dice = new Dice(seed);
  const given = await material(dice);
  const ids = given.courses.map(({ id }) => id);
  const reviewed = snapshot(ids);
  const announced = await (dice.chance(50) ? courseReview : sectionReview)(dice, given);
  expect(difference(reviewed, snapshot(ids)).size).toBe(0);
  if (announced.rows === 0) return;

  const affected = announced.changes.flatMap((change) => placesOf(change, given.places));
  const early = dice.chance(40) ? othersChange(dice, affected, 3, reviewed) : new Map<string, string>();
  const swapped = maySwap(dice, given.people);
  const before = snapshot(ids);
  const { one, said } = await sent(announced.id);
  const left = snapshot(ids);
  const sisOf = (user: number) => given.people.find(({ id }) => id === user)?.sis ?? '';
  const astray = given.courses.filter(({ sis }) => one.note?.includes(`Course ${sis}: `));
  if (astray.length > 0) {
    // Only the LMS knew which section was the default one. The result names the courses where the review was
    // wrong.
    expect(one.verdict).toBe('partly');
    for (const { id } of astray) {
      const mine = announced.changes.filter(({ course }) => course === id);
      const [was, became] = [snapshotOf(before, [id]), snapshotOf(left, [id])];
      const stays = (change: Announced['changes'][number]) =>
        placesOf(change, was.keys()).some((key) => became.has(key));
      expect(mine.some((change) => change.to === 'active' || stays(change))).toBe(true);
    }
    const others = ids.filter((id) => !astray.some((course) => course.id === id));
    const changes = announced.changes.filter(({ course }) => others.includes(course));
    const [was, became] = [snapshotOf(before, others), snapshotOf(left, others)];
    checkSending(
      { ...announced, changes },
      { reviewed, before: was, after: became, others: early, said, sisOf, swapped },
    );
    return;
  }
  checkSending(announced, { reviewed, before, after: left, others: early, said, sisOf, swapped });
  if (early.size === 0 && !announced.changes.some(({ user }) => swapped.has(user))) {
    expect(difference(before, left).size).toBe(announced.rows);
    expect(one.verdict).toBe('done');
  }
  if (!one.can_undo) {
    expect(difference(before, left).size).toBe(0);
    return;
  }

  const touched = [...difference(before, left).keys()];
  const late = dice.chance(60)
    ? othersChange(dice, [...touched, ...given.places], 4, left)
    : new Map<string, string>();
  maySwap(dice, given.people);
  const changed = snapshot(ids);
  const plan = await undoOf(alma, one, one.tool as keyof typeof UNDO_KINDS);
  expect(difference(changed, snapshot(ids)).size).toBe(0);
  if (plan.totals.rows > 0) await sent(plan.id);
  const nameOf = (key: string) => ts.sandbox.world.users.must(placeOf(key).user).name;
  checkUndo(plan, { before, left, changed, after: snapshot(ids), others: late, nameOf });
}

test.each(Array.from({ length: RUNS }, (_, index) => SEED + index))(
  'the import does what the review announced, and undo restores what no one else has changed: seed %i',
  round,
);
