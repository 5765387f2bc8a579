/**
 * Random plans for group members by every method, with changes by others before and after sending, and their
 * undo. The review must announce the difference between two snapshots of the LMS, and undo must restore
 * exactly what no one else has changed (OP-107).
 */
import { type MemberPlan, type MemberPlanRequest, SPREADS } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  groupedCourse,
  join,
  type MadeCategory,
  type MadeGroup,
  makeGroup,
  membersOf,
  memberUndoOf,
} from './support.ts';

/** The number of plans; each has its own seed. */
const PLANS = 24;
const FIRST_SEED = 20_261_123;

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

/** Returns random numbers from 0 to 1 that repeat for the same seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    chance: (share: number) => next() < share,
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    shuffled<T>(list: readonly T[]): T[] {
      const left = [...list];
      return list.map(() => left.splice(below(left.length), 1)[0] as T);
    },
  };
}
type Random = ReturnType<typeof randomOf>;

interface Place {
  id: number;
  name: string;
  categories: { made: MadeCategory; groups: MadeGroup[] }[];
  students: Person[];
}

/** Creates two categories in which most people are in a group. */
async function placeOf(random: Random): Promise<Place> {
  const { id, name, sis, teams, labs, groups, students } = await groupedCourse(campus);
  const labGroups = [
    await makeGroup(campus, labs, 'L-G01', `${sis}_L-G01`),
    await makeGroup(campus, labs, 'L-G02', `${sis}_L-G02`),
  ];
  const categories = [
    { made: teams, groups },
    { made: labs, groups: labGroups },
  ];
  const people = students.slice(0, 12);
  for (const one of categories)
    for (const person of people.filter(() => random.chance(0.7)))
      await join(campus, random.pick(one.groups), person);
  return { id, name, categories, students: people };
}

/** Each person's groups by category: `person category` to sorted ids. */
type Snapshot = ReadonlyMap<string, string>;

async function snapshot({ categories }: Place): Promise<Snapshot> {
  const found = new Map<string, number[]>();
  for (const { made, groups } of categories) {
    for (const group of groups) {
      for (const person of await membersOf(campus, group)) {
        const key = `${person} ${made.id}`;
        found.set(key, [...(found.get(key) ?? []), group.id]);
      }
    }
  }
  return new Map([...found].map(([key, ids]) => [key, ids.sort((a, b) => a - b).join(',')]));
}

/** Lists memberships that have not ended, by id, each with `person category`. */
function memberships({ categories }: Place): Map<number, string> {
  const { groupMemberships } = ts.sandbox.world;
  const categoryOf = new Map(categories.flatMap(({ made, groups }) => groups.map(({ id }) => [id, made.id])));
  return new Map(
    [...groupMemberships.values()].flatMap(({ id, user_id, group_id, workflow_state }) =>
      workflow_state !== 'deleted' && categoryOf.has(group_id)
        ? [[id, `${user_id} ${categoryOf.get(group_id)}`]]
        : [],
    ),
  );
}

const at = (one: Snapshot, key: string) => one.get(key) ?? '';
const keysOf = (...all: Snapshot[]) => new Set(all.flatMap((one) => [...one.keys()]));

/**
 * Makes changes in the LMS as others would. @param touched the people and categories that are changed most
 * often
 */
async function byOthers(
  place: Place,
  random: Random,
  most: number,
  touched: readonly string[] = [],
): Promise<void> {
  const { groupMemberships } = ts.sandbox.world;
  for (let left = random.below(most + 1); left > 0; left--) {
    const [who, where] = touched.length > 0 && random.chance(0.7) ? random.pick(touched).split(' ') : [];
    const { groups } =
      place.categories.find(({ made }) => made.id === Number(where)) ?? random.pick(place.categories);
    const person = place.students.find(({ id }) => id === Number(who)) ?? random.pick(place.students);
    const memberships = [...groupMemberships.values()].filter(
      (one) =>
        one.user_id === person.id &&
        one.workflow_state !== 'deleted' &&
        groups.some(({ id }) => id === one.group_id),
    );
    for (const one of memberships) groupMemberships.change(one, { workflow_state: 'deleted' });
    if (memberships.length === 0 || random.chance(0.6)) await join(campus, random.pick(groups), person);
  }
}

function requestOf(place: Place, random: Random): MemberPlanRequest {
  const { categories, students, id: course } = place;
  const way = random.pick(['csv', 'csv', 'pasted', 'distributed'] as const);
  const { made, groups } = random.pick(categories);
  if (way === 'distributed') {
    const onlyUnassigned = random.chance(0.5);
    return { course, from: { way: 'spread', category: made.id, by: random.pick(SPREADS), onlyUnassigned } };
  }
  if (way === 'pasted') {
    const lines = students
      .filter(() => random.chance(0.4))
      .map(({ sis, email }) => `${random.chance(0.5) ? sis : email}\t${random.pick(groups).name}`);
    const text = [`${students[0]?.sis}\t${groups[0]?.name}`, ...lines].join('\n');
    return { course, from: { way: 'pasted', text, category: made.id } };
  }
  const every = categories.flatMap((one) => one.groups);
  const rows = Array.from({ length: 3 + random.below(10) }, (): [string, string, string] => [
    random.pick(every).sis,
    random.pick(students).sis,
    random.pick(['accepted', 'accepted', 'deleted']),
  ]);
  return { course, from: { way: 'csv', text: csvOf(...rows), name: 'random.csv' } };
}

/** Applies the changes of a plan to a snapshot. */
function announced(before: Snapshot, plan: MemberPlan, place: Place): Snapshot {
  const after = new Map(before);
  const { pseudonyms, groups } = ts.sandbox.world;
  for (const row of plan.members) {
    const person = pseudonyms.by.sis.get(row.user_id)?.user_id;
    const group = groups.by.sis.get(row.group_id);
    const category = place.categories.find((one) => one.groups.some(({ id }) => id === group?.id));
    const key = `${person} ${category?.made.id}`;
    if (row.fate === 'remove') after.delete(key);
    if (row.fate === 'add' || row.fate === 'move') after.set(key, String(group?.id));
  }
  return after;
}

const send = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);

/** Fills all groups, so that people who move have to leave first and come back last. */
function fill(place: Place, now: Snapshot): void {
  const { groups } = ts.sandbox.world;
  const taken = [...now.values()].flatMap((ids) => ids.split(',').map(Number));
  for (const { id } of place.categories.flatMap((one) => one.groups)) {
    const members = taken.filter((one) => one === id).length;
    groups.change(groups.must(id), { max_membership: Math.max(1, members) });
  }
}

/**
 * Creates the request for an exchange: a person leaves a group, and people from other groups move up, each to
 * the place that was just vacated.
 */
function exchange(
  { id: course, categories, students }: Place,
  now: Snapshot,
  random: Random,
): MemberPlanRequest {
  const { made, groups } = random.pick(categories);
  const [first, ...others] = random
    .shuffled(groups)
    .flatMap((group) => students.find(({ id }) => at(now, `${id} ${made.id}`) === String(group.id)) ?? []);
  const groupOf = (one: Person | undefined) =>
    groups.find(({ id }) => String(id) === at(now, `${one?.id} ${made.id}`))?.sis ?? '';
  const rows: [string, string, string][] = [[groupOf(first), first?.sis ?? '', 'deleted']];
  let free = groupOf(first);
  for (const one of others) {
    rows.push([free, one.sis, 'accepted']);
    free = groupOf(one);
  }
  if (random.chance(0.5)) rows.push([free, first?.sis ?? '', 'accepted']);
  return { course, from: { way: 'csv', text: csvOf(...rows), name: 'exchange.csv' } };
}

/** Returns the keys that differ. */
const differing = (a: Snapshot, b: Snapshot) => [...keysOf(a, b)].filter((key) => at(a, key) !== at(b, key));

test.each(Array.from({ length: PLANS }, (_, index) => FIRST_SEED + index))(
  'OP-107 random plan %i: the review announces the difference, and undo restores what others left unchanged',
  async (seed) => {
    const random = randomOf(seed);
    const place = await placeOf(random);
    const reviewed = await snapshot(place);
    // Others would take the vacated places.
    const full = random.chance(0.3);
    if (full) fill(place, reviewed);
    const plan = await makeMemberPlan(
      alma,
      full ? exchange(place, reviewed, random) : requestOf(place, random),
    );
    if (plan.totals.rows === 0) return;

    const promised = announced(reviewed, plan, place);
    if (!full && random.chance(0.6)) await byOthers(place, random, 4, differing(reviewed, promised));
    const before = await snapshot(place);
    const sent = await send(plan);
    const after = await snapshot(place);
    for (const key of keysOf(reviewed, before, after, promised)) {
      const [was, now, wanted] = [at(reviewed, key), at(before, key), at(promised, key)];
      if (now === was) expect([key, at(after, key)]).toEqual([key, wanted]);
      // No one leaves a group that the review did not mention.
      else if (now !== '' && now !== wanted) expect([key, at(after, key)]).toEqual([key, now]);
      // For people whom others changed, only the announced changes happen.
      else expect([now, wanted]).toContain(at(after, key));
    }
    if (!sent.can_undo) return;

    const left = memberships(place);
    if (!full && random.chance(0.8)) await byOthers(place, random, 5, differing(before, after));
    const found = await snapshot(place);
    // Others may have added a person to the same group again.
    const byHand = new Set([...memberships(place)].flatMap(([id, key]) => (left.has(id) ? [] : key)));
    const undo = await memberUndoOf(alma, sent.id);
    if (undo.totals.rows > 0) expect(await send(undo)).toMatchObject({ verdict: 'done' });
    const end = await snapshot(place);
    expect(announced(found, undo, place)).toEqual(end);
    for (const key of keysOf(before, after, found, end)) {
      const expected =
        at(found, key) === at(after, key) && !byHand.has(key) ? at(before, key) : at(found, key);
      expect([key, at(end, key)]).toEqual([key, expected]);
    }
  },
);
