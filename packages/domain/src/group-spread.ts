/** Proposal for distributing the students of a course over the groups of a category. Deterministic and pure. */
import type { CourseCategory, CourseIndex, CoursePerson } from './group-course.ts';
import type { RequestedMember } from './group-references.ts';

/** See the contract's `SPREADS`. */
export type SpreadBy = 'evenly' | 'by-section' | 'mixed';

export interface SpreadStudent {
  id: number;
  section: number;
}

export interface SpreadGroup {
  id: number;
  /** Number of people who stay in it. */
  members: number;
  limit: number | null;
}

/** A group during the distribution. */
interface Filling extends SpreadGroup {
  size: number;
}

/**
 * Returns the group of each student, by id. Smaller groups are filled first, full ones only when every group is full.
 * `evenly` in the given order; `mixed` distributes one section after the other, so that each is in all groups;
 * `by-section` gives each section its own groups, or keeps it within one if there are more sections than groups.
 * @param students in the order of their names
 */
export function distribute(
  students: readonly SpreadStudent[],
  groups: readonly SpreadGroup[],
  by: SpreadBy,
): Map<number, number> {
  const places = new Map<number, number>();
  if (groups.length === 0) return places;
  const filling = groups.map((one): Filling => ({ ...one, size: one.members }));
  if (by === 'by-section') bySection(students, filling, places);
  else {
    const shares = shareOut(filling, students.length);
    if (by === 'evenly') inBlocks(students, shares, places);
    else inTurns([...sectionsOf(students).values()].flat(), shares, places);
  }
  return places;
}

/** Returns the students by section: ordered by section id, so that the same course gives the same proposal. */
function sectionsOf(students: readonly SpreadStudent[]): Map<number, SpreadStudent[]> {
  const sections = new Map<number, SpreadStudent[]>();
  for (const id of [...new Set(students.map(({ section }) => section))].sort((a, b) => a - b))
    sections.set(id, []);
  for (const student of students) sections.get(student.section)?.push(student);
  return sections;
}

interface Share {
  group: Filling;
  count: number;
}

/** Returns the number of students for each group. @param onlyRoom stop when all groups are full */
function shareOut(groups: readonly Filling[], count: number, onlyRoom = false): Share[] {
  const shares = groups.map((group): Share => ({ group, count: 0 }));
  for (let left = count; left > 0; left--) {
    const share = smallest(shares, true) ?? (onlyRoom ? undefined : smallest(shares, false));
    if (!share) break;
    share.count++;
    share.group.size++;
  }
  return shares;
}

/** Returns the first of the smallest groups. @param withRoom for one more */
function smallest(shares: readonly Share[], withRoom: boolean): Share | undefined {
  let best: Share | undefined;
  for (const one of shares) {
    const { limit, size } = one.group;
    if (withRoom && limit !== null && size >= limit) continue;
    if (best === undefined || size < best.group.size) best = one;
  }
  return best;
}

/** @returns students beyond all shares */
function inBlocks(
  students: readonly SpreadStudent[],
  shares: readonly Share[],
  places: Map<number, number>,
): readonly SpreadStudent[] {
  let at = 0;
  for (const { group, count } of shares) {
    for (const student of students.slice(at, at + count)) places.set(student.id, group.id);
    at += count;
  }
  return students.slice(at);
}

function inTurns(
  students: readonly SpreadStudent[],
  shares: readonly Share[],
  places: Map<number, number>,
): void {
  const left = shares.map(({ group, count }) => ({ group, count }));
  let turn = 0;
  for (const student of students) {
    while (left.length > 0 && left[turn % left.length]?.count === 0) left.splice(turn % left.length, 1);
    const share = left[turn % left.length];
    if (!share) return;
    places.set(student.id, share.group.id);
    share.count--;
    turn = (turn % left.length) + 1;
  }
}

function bySection(
  students: readonly SpreadStudent[],
  filling: readonly Filling[],
  places: Map<number, number>,
): void {
  const sections = [...sectionsOf(students).values()];
  const over: SpreadStudent[] = [];
  if (sections.length > filling.length) {
    for (const people of [...sections].sort((a, b) => b.length - a.length)) {
      const fitting = filling.filter(({ limit, size }) => limit === null || size + people.length <= limit);
      const likely = (fitting.length > 0 ? fitting : filling).map((group) => ({ group, count: 0 }));
      const best = smallest(likely, false);
      if (best) over.push(...inBlocks(people, shareOut([best.group], people.length, true), places));
    }
  } else {
    const own = groupsOfSections(sections, filling);
    for (const [at, people] of sections.entries()) {
      over.push(...inBlocks(people, shareOut(own[at] ?? [], people.length, true), places));
    }
  }
  // Students without room in their section's groups go to any group with room.
  inBlocks(over, shareOut(filling, over.length), places);
}

/** Returns the groups of each section: at least one, and more for larger sections. */
function groupsOfSections(
  sections: readonly (readonly unknown[])[],
  filling: readonly Filling[],
): Filling[][] {
  const counts = sections.map(() => 1);
  const load = (at: number) => (sections[at]?.length ?? 0) / (counts[at] ?? 1);
  for (let left = filling.length - sections.length; left > 0 && sections.length > 0; left--) {
    const most = sections.reduce<number>((best, _, at) => (load(at) > load(best) ? at : best), 0);
    counts[most] = (counts[most] ?? 0) + 1;
  }
  const bySize = [...filling].sort((a, b) => a.size - b.size);
  let at = 0;
  return counts.map((count) => bySize.slice(at, (at += count)));
}

/** Returns the names of a category's groups that get no students, because rows cannot name a group without an SIS ID. */
export function unfilledGroups(index: CourseIndex, category: Pick<CourseCategory, 'id'>): string[] {
  return index.course.groups.flatMap((one) =>
    one.category === category.id && one.sisId === null ? one.name : [],
  );
}

/** Returns the proposal as rows by SIS IDs, or why there is none. */
export function spreadRows(
  index: CourseIndex,
  category: CourseCategory,
  { by, onlyUnassigned }: { by: SpreadBy; onlyUnassigned: boolean },
): RequestedMember[] | { problem: string; next: string } {
  const groups = index.course.groups.filter((one) => one.category === category.id && one.sisId !== null);
  if (groups.length === 0) {
    return {
      problem: `The category ${category.name} has no groups with an SIS ID.`,
      next: 'Create groups in it first.',
    };
  }
  const inCategory = ({ groups: theirs }: CoursePerson) =>
    theirs.some((id) => index.group(id)?.category === category.id);
  const students = index.course.people.filter(
    (one) => one.sections.length > 0 && !(onlyUnassigned && inCategory(one)),
  );
  if (students.length === 0) {
    return onlyUnassigned
      ? {
          problem: 'Every student of the course is already in a group of this category.',
          next: 'Distribute all students again, or leave the groups as they are.',
        }
      : { problem: 'The course has no students.', next: 'Enrol students first.' };
  }
  const nameable = students.filter(({ sisId }) => sisId !== null);
  const spread = new Set(nameable.map(({ id }) => id));
  const goers = new Map<number, number>();
  for (const { id, groups: theirs } of index.course.people) {
    if (spread.has(id)) for (const group of theirs) goers.set(group, (goers.get(group) ?? 0) + 1);
  }
  const places = distribute(
    nameable.map(({ id, sections }) => ({ id, section: sections[0] ?? 0 })),
    groups.map((one) => ({
      id: one.id,
      members: Math.max(0, one.members - (goers.get(one.id) ?? 0)),
      limit: index.limitOf(one),
    })),
    by,
  );
  return inOrder(students, places, index).map((one, at): RequestedMember => {
    const group = index.group(places.get(one.id) ?? 0);
    const row = { row: at + 1, person: one.sisId ?? '', group: group?.sisId ?? '', status: 'accepted' };
    if (one.sisId !== null) return row;
    const message = `${one.name} has no SIS ID, so an import cannot change their groups.`;
    return { ...row, name: one.name, wrong: { column: 'user_id', message } };
  });
}

/** Orders by group, people with room first: the LMS applies rows one by one, and rejects people for a full group. */
function inOrder(
  students: readonly CoursePerson[],
  places: ReadonlyMap<number, number>,
  index: CourseIndex,
): CoursePerson[] {
  const rank = new Map(index.course.groups.map(({ id }, at) => [id, at]));
  const place = (one: CoursePerson) => places.get(one.id) ?? 0;
  let waiting = [...students].sort((a, b) => (rank.get(place(a)) ?? -1) - (rank.get(place(b)) ?? -1));
  const size = new Map(index.course.groups.map(({ id, members }) => [id, members]));
  const ordered: CoursePerson[] = [];
  for (;;) {
    const later: CoursePerson[] = [];
    for (const one of waiting) {
      const group = index.group(place(one));
      const stays = group === null || one.groups.includes(group.id);
      const limit = group && index.limitOf(group);
      if (!stays && limit !== null && (size.get(group.id) ?? 0) >= limit) {
        later.push(one);
        continue;
      }
      ordered.push(one);
      if (stays) continue;
      for (const id of one.groups) {
        if (index.group(id)?.category === group.category) size.set(id, (size.get(id) ?? 0) - 1);
      }
      size.set(group.id, (size.get(group.id) ?? 0) + 1);
    }
    if (later.length === 0 || later.length === waiting.length) return [...ordered, ...later];
    waiting = later;
  }
}
