/** The reverse of an import of group members, where the LMS is still exactly as the import left it (OP-107). Pure. */
import type { CourseIndex, CoursePerson } from './group-course.ts';
import type { MemberFate } from './group-members.ts';
import type { RequestedMember } from './group-references.ts';

/** A sent row, with its effect according to the last comparison before sending, not the review. */
export interface SentMember {
  user_id: string;
  group_id: string;
  fate: MemberFate;
  /** Canvas ids of person and group. */
  who: number;
  where: number;
  /**
   * The group's category at that time, because the group may have been deleted since; missing in imports of earlier
   * versions.
   */
  category?: number | null;
  person: string;
  group: string;
  /** Groups that the row made the person leave. */
  leaves: readonly { id: number; sis_group_id: string | null; name: string }[];
  /** Other groups of the category in which the person stayed; missing in imports of earlier versions. */
  stays?: readonly number[];
}

/** How a person returned to a group after an import had added them. */
export type RestoredBy = 'later-import' | 'by-hand';

export type KeptWhy =
  | 'moved-on'
  | RestoredBy
  | 'regrouped'
  | 'several'
  | 'full'
  | 'no-id'
  | 'no-person-id'
  | 'gone'
  | 'left'
  | 'another';

export interface TurnedMember extends RequestedMember {
  /** The last row sent for one person in one category: its rows are applied together or not at all. */
  of: SentMember;
}

/**
 * A membership that is as before but that rows cannot name, because its group or a required SIS ID no longer exists.
 */
export interface SameMember
  extends Pick<SentMember, 'user_id' | 'group_id' | 'who' | 'where' | 'person' | 'group'> {
  fate: 'already' | 'not-member';
}

export interface TurnedMembers {
  requested: TurnedMember[];
  same: SameMember[];
  /** `group`: the one that is the reason, if it is one of several. */
  kept: { person: string; group: string; why: KeptWhy }[];
}

/** Why a person stays unchanged, and the name of the group if that is the reason. */
interface Kept {
  why: KeptWhy;
  group: string | null;
}

type Row = Pick<RequestedMember, 'person' | 'group' | 'status'>;

/** Identifies a membership by person and group, by their numbers in the LMS. */
export const membershipKey = (who: number, group: number) => `${who} ${group}`;

/**
 * Returns the rows that restore the previous state, last one first, and the people who stay because others have
 * changed them.
 * @param confirmed by key, memberships that others have written since
 */
export function turnMembers(
  sent: readonly SentMember[],
  index: CourseIndex,
  confirmed: ReadonlyMap<string, RestoredBy> = new Map(),
): TurnedMembers {
  const turned: TurnedMembers = { requested: [], same: [], kept: [] };
  const rowsOf = new Map<SentMember, readonly Row[] | null>();
  const unitOf = new Map<SentMember, SentMember>();
  const keptAt = new Map<SentMember, Kept>();
  for (const unit of unitsOf(sent, index)) {
    const rows = turnUnit(unit, index, confirmed);
    const last = unit[unit.length - 1] as SentMember;
    for (const one of unit) unitOf.set(one, last);
    if ('why' in rows) keptAt.set(last, rows);
    else for (const [one, its] of rows) rowsOf.set(one, its);
  }
  // In reverse order: places in limited groups become free in the reverse of the order in which they were taken.
  for (const one of sent.toReversed()) {
    const kept = keptAt.get(one);
    if (kept !== undefined)
      turned.kept.push({ person: one.person, group: kept.group ?? one.group, why: kept.why });
    const rows = rowsOf.get(one);
    if (rows === null) turned.same.push(...sameOf(one));
    for (const its of rows ?? [])
      turned.requested.push({ row: turned.requested.length + 1, ...its, of: unitOf.get(one) ?? one });
  }
  return turned;
}

/**
 * Returns the rows that belong together: one person in one category, or in one group if people can be in several of a
 * category.
 */
function unitsOf(sent: readonly SentMember[], index: CourseIndex): SentMember[][] {
  const units = new Map<string, SentMember[]>();
  for (const one of sent) {
    if (one.fate !== 'add' && one.fate !== 'move' && one.fate !== 'remove') continue;
    const key = `${one.who} ${placeOf(one, index)}`;
    const unit = units.get(key);
    if (unit) unit.push(one);
    else units.set(key, [one]);
  }
  return [...units.values()];
}

/** Identifies a place: `category 7`, or `group 12` if the person's groups are independent. */
export function placeOf(
  { where, category: then = null, leaves }: Pick<SentMember, 'where' | 'category' | 'leaves'>,
  index: CourseIndex,
): string {
  const known = [where, ...leaves.map((left) => left.id)].map((id) => index.group(id)?.category ?? null);
  for (const category of [...known, then])
    if (category !== null && index.category(category)?.several !== true) return `category ${category}`;
  return `group ${where}`;
}

/**
 * Returns the reverse of each row of a unit, null if it is done and rows cannot name it; or why the person stays
 * unchanged.
 */
function turnUnit(
  unit: readonly SentMember[],
  index: CourseIndex,
  confirmed: ReadonlyMap<string, RestoredBy>,
): readonly (readonly [SentMember, readonly Row[] | null])[] | Kept {
  const [first] = unit;
  if (!first) return [];
  // SIS IDs can change, and move to other people.
  const person = index.person(first.who);
  if (person === null) return stays(index.personWithId(first.user_id) === null ? 'left' : 'another');
  const place = placeOf(first, index);
  if (!place.startsWith('group ') && isScattered(unit, index)) return stays('regrouped');
  const now = new Set(person.groups.filter((id) => belongs(id, place, index)));
  const [before, after] = statesOf(unit, place, index);
  const isAsBefore = sameSet(before, now);
  // A deleted group has no members any more, though no one has moved them.
  const left = new Set([...after].filter((id) => index.group(id) !== null));
  if (!isAsBefore && !sameSet(left, now)) return stays(isRegrouped(unit, index) ? 'regrouped' : 'moved-on');
  const restored = isAsBefore
    ? null
    : restoredBy(
        person.id,
        [...left].filter((id) => !before.has(id)),
        confirmed,
        index,
      );
  if (restored !== null) return restored;
  if (!isAsBefore && [...before].some((id) => after.has(id))) return stays('several');
  const isGroupGone = !isAsBefore && left.size < after.size;
  const turned: [SentMember, readonly Row[] | null][] = [];
  for (const one of unit) {
    // If a group was deleted, its people only have to return to their first groups.
    const rows = isGroupGone ? comingBack(one, before, person, index) : backward(one, person, index);
    if (!('why' in rows)) turned.push([one, rows]);
    else if (isAsBefore) turned.push([one, null]);
    else return rows;
  }
  return turned;
}

const stays = (why: KeptWhy, group: string | null = null): Kept => ({ why, group });

/** Returns whether groups of a unit are now in several categories: joining one of them then does not end the others. */
function isScattered(unit: readonly SentMember[], index: CourseIndex): boolean {
  const groups = unit.flatMap(({ where, leaves }) => [where, ...leaves.map((left) => left.id)]);
  return new Set(groups.flatMap((id) => index.group(id)?.category ?? [])).size > 1;
}

/** Returns whether a group is now in another category: others may then have moved the group, not the person. */
function isRegrouped(unit: readonly SentMember[], index: CourseIndex): boolean {
  return unit.some(({ where, category: then = null }) => {
    const category = index.group(where)?.category ?? null;
    return then !== null && category !== null && category !== then;
  });
}

/** Returns whether others have added a person again to one of the groups in which the import left them. */
function restoredBy(
  person: number,
  groups: readonly number[],
  confirmed: ReadonlyMap<string, RestoredBy>,
  index: CourseIndex,
): Kept | null {
  for (const id of groups) {
    const why = confirmed.get(membershipKey(person, id));
    if (why !== undefined) return stays(why, index.group(id)?.name ?? null);
  }
  return null;
}

function belongs(group: number, place: string, index: CourseIndex): boolean {
  return place === `group ${group}` || place === `category ${index.group(group)?.category}`;
}

/** Returns the groups of the person within the unit, before its first row and after its last. */
function statesOf(
  unit: readonly SentMember[],
  place: string,
  index: CourseIndex,
): [before: ReadonlySet<number>, after: ReadonlySet<number>] {
  const before = new Set<number>();
  const after = new Set<number>();
  for (const one of unit) {
    // The person was in a group from the beginning if a row removes them from it and no earlier row added them.
    for (const { id } of leftBy(one)) if (!after.delete(id)) before.add(id);
    if (one.fate !== 'remove') after.add(one.where);
    for (const id of one.stays ?? []) {
      // The person was in a group from the beginning if they stay in it and no earlier row added them.
      if (after.has(id) || !belongs(id, place, index)) continue;
      before.add(id);
      after.add(id);
    }
  }
  return [before, after];
}

function sameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

/** Returns the reverse of a row, with current SIS IDs. */
function backward(one: SentMember, person: CoursePerson, index: CourseIndex): readonly Row[] | Kept {
  if (one.fate === 'add') return rowsFor([placed(one)], 'deleted', person, index);
  return rowsFor(leftBy(one), 'accepted', person, index);
}

/** Returns the rows that restore a person to the groups from which a row removed them. */
function comingBack(
  one: SentMember,
  before: ReadonlySet<number>,
  person: CoursePerson,
  index: CourseIndex,
): readonly Row[] | Kept {
  const theirs = leftBy(one).filter(({ id }) => before.has(id));
  return rowsFor(theirs, 'accepted', person, index);
}

type NamedGroup = Pick<SentMember['leaves'][number], 'id' | 'name'>;

const placed = ({ where, group }: SentMember): NamedGroup => ({ id: where, name: group });

/** Returns the groups from which a row removed a person. */
function leftBy(one: SentMember): readonly NamedGroup[] {
  return one.fate === 'remove' ? [placed(one)] : one.leaves;
}

function rowsFor(
  groups: readonly NamedGroup[],
  status: Row['status'],
  { sisId }: CoursePerson,
  index: CourseIndex,
): readonly Row[] | Kept {
  const rows: Row[] = [];
  for (const { id, name } of groups) {
    const group = index.group(id);
    if (group === null) return stays('gone', name);
    if (group.sisId === null) return stays('no-id', group.name);
    if (sisId === null) return stays('no-person-id');
    rows.push({ person: sisId, group: group.sisId, status });
  }
  return rows;
}

/** Returns the memberships that a row had changed and that are as before. */
function sameOf({ user_id, group_id, fate, who, where, person, group, leaves }: SentMember): SameMember[] {
  const own = { user_id, who, person };
  if (fate === 'add') return [{ ...own, group_id, where, group, fate: 'not-member' }];
  if (fate === 'remove') return [{ ...own, group_id, where, group, fate: 'already' }];
  return leaves.map((left) => ({
    ...own,
    group_id: left.sis_group_id ?? '',
    where: left.id,
    group: left.name,
    fate: 'already',
  }));
}
