/** What an import of group members did, turned round where the LMS still holds exactly what it left behind (OP-107). Pure. */
import type { CourseIndex, CoursePerson } from './group-course.ts';
import type { MemberFate } from './group-members.ts';
import type { AskedMember } from './group-references.ts';

/** A row that was sent, with what it did then: by the last comparison before it was sent, not by the review. */
export interface SentMember {
  user_id: string;
  group_id: string;
  fate: MemberFate;
  /** Canvas ids of person and group. */
  who: number;
  where: number;
  /** Category of the group then, since the group may be gone; missing in imports of earlier versions. */
  category?: number | null;
  person: string;
  group: string;
  /** Groups that the person left by it. */
  leaves: readonly { id: number; sis_group_id: string | null; name: string }[];
  /** Other groups of the category in which the person stayed; missing in imports of earlier versions. */
  stays?: readonly number[];
}

/** How someone came to be in a group again since an import had put them there. */
export type PutAgain = 'later-import' | 'by-hand';

export type KeptWhy =
  | 'moved-on'
  | PutAgain
  | 'regrouped'
  | 'several'
  | 'full'
  | 'no-id'
  | 'no-person-id'
  | 'gone'
  | 'left'
  | 'another';

export interface TurnedMember extends AskedMember {
  /** The last row that was sent of one person in one category: its rows are carried out all or none. */
  of: SentMember;
}

/** A membership that is as it was before, where no row can say so: its group is gone, or an SIS ID that it takes. */
export interface SameMember
  extends Pick<SentMember, 'user_id' | 'group_id' | 'who' | 'where' | 'person' | 'group'> {
  fate: 'already' | 'not-member';
}

export interface TurnedMembers {
  asked: TurnedMember[];
  same: SameMember[];
  /** `group`: the one that is at fault, where it is one of several. */
  kept: { person: string; group: string; why: KeptWhy }[];
}

/** Why a person stays as they are, and the name of the group where that one is the reason. */
interface Kept {
  why: KeptWhy;
  group: string | null;
}

type Row = Pick<AskedMember, 'person' | 'group' | 'status'>;

/** Person and group, by their numbers in the LMS. */
export const membershipKey = (who: number, group: number) => `${who} ${group}`;

/**
 * The rows that restore what was before, the last one first, and who stays as they are now since others have changed them.
 * @param confirmed by their keys, memberships that others have written since
 */
export function turnMembers(
  sent: readonly SentMember[],
  index: CourseIndex,
  confirmed: ReadonlyMap<string, PutAgain> = new Map(),
): TurnedMembers {
  const turned: TurnedMembers = { asked: [], same: [], kept: [] };
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
  // The other way round, so that places in groups with a limit become free as they were taken.
  for (const one of sent.toReversed()) {
    const kept = keptAt.get(one);
    if (kept !== undefined)
      turned.kept.push({ person: one.person, group: kept.group ?? one.group, why: kept.why });
    const rows = rowsOf.get(one);
    if (rows === null) turned.same.push(...sameOf(one));
    for (const its of rows ?? [])
      turned.asked.push({ row: turned.asked.length + 1, ...its, of: unitOf.get(one) ?? one });
  }
  return turned;
}

/** Rows that belong together: one person in one category, or in one group where people may be in several of a category. */
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

/** `category 7`, or `group 12` where the groups of a person do not hang together. */
export function placeOf(
  { where, category: then = null, leaves }: Pick<SentMember, 'where' | 'category' | 'leaves'>,
  index: CourseIndex,
): string {
  const known = [where, ...leaves.map((left) => left.id)].map((id) => index.group(id)?.category ?? null);
  for (const category of [...known, then])
    if (category !== null && index.category(category)?.several !== true) return `category ${category}`;
  return `group ${where}`;
}

/** What each row of a unit comes to, null where that is done and no row can say it; or why the person stays as they are. */
function turnUnit(
  unit: readonly SentMember[],
  index: CourseIndex,
  confirmed: ReadonlyMap<string, PutAgain>,
): readonly (readonly [SentMember, readonly Row[] | null])[] | Kept {
  const [first] = unit;
  if (!first) return [];
  // SIS IDs change, and are passed on.
  const person = index.person(first.who);
  if (person === null) return stays(index.personWithId(first.user_id) === null ? 'left' : 'another');
  const place = placeOf(first, index);
  if (!place.startsWith('group ') && isScattered(unit, index)) return stays('regrouped');
  const now = new Set(person.groups.filter((id) => belongs(id, place, index)));
  const [before, after] = statesOf(unit, place, index);
  const isAsBefore = sameSet(before, now);
  // No one is in a deleted group any more, though no one has moved them.
  const left = new Set([...after].filter((id) => index.group(id) !== null));
  if (!isAsBefore && !sameSet(left, now)) return stays(isRegrouped(unit, index) ? 'regrouped' : 'moved-on');
  const again = isAsBefore
    ? null
    : putAgain(
        person.id,
        [...left].filter((id) => !before.has(id)),
        confirmed,
        index,
      );
  if (again !== null) return again;
  if (!isAsBefore && [...before].some((id) => after.has(id))) return stays('several');
  const isGroupGone = !isAsBefore && left.size < after.size;
  const turned: [SentMember, readonly Row[] | null][] = [];
  for (const one of unit) {
    // Then they only have to come back to where they were at first.
    const rows = isGroupGone ? comingBack(one, before, person, index) : backward(one, person, index);
    if (!('why' in rows)) turned.push([one, rows]);
    else if (isAsBefore) turned.push([one, null]);
    else return rows;
  }
  return turned;
}

const stays = (why: KeptWhy, group: string | null = null): Kept => ({ why, group });

/** Whether groups of a unit have come to be in several categories: who is put into one of them does not leave the others any more. */
function isScattered(unit: readonly SentMember[], index: CourseIndex): boolean {
  const groups = unit.flatMap(({ where, leaves }) => [where, ...leaves.map((left) => left.id)]);
  return new Set(groups.flatMap((id) => index.group(id)?.category ?? [])).size > 1;
}

/** Whether a group has come to be in another category: then others may have moved it, and not the person. */
function isRegrouped(unit: readonly SentMember[], index: CourseIndex): boolean {
  return unit.some(({ where, category: then = null }) => {
    const category = index.group(where)?.category ?? null;
    return then !== null && category !== null && category !== then;
  });
}

/** Whether others have put someone again into one of the groups in which the import left them. */
function putAgain(
  person: number,
  groups: readonly number[],
  confirmed: ReadonlyMap<string, PutAgain>,
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

/** Groups of the person within the unit, before its first row and after its last. */
function statesOf(
  unit: readonly SentMember[],
  place: string,
  index: CourseIndex,
): [before: ReadonlySet<number>, after: ReadonlySet<number>] {
  const before = new Set<number>();
  const after = new Set<number>();
  for (const one of unit) {
    // What a row takes someone out of, and none before it has put them into, was there from the beginning.
    for (const { id } of leftBy(one)) if (!after.delete(id)) before.add(id);
    if (one.fate !== 'remove') after.add(one.where);
    for (const id of one.stays ?? []) {
      // What none of the rows has put them into was there from the beginning.
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

/** The row turned round, by the SIS IDs of now. */
function backward(one: SentMember, person: CoursePerson, index: CourseIndex): readonly Row[] | Kept {
  if (one.fate === 'add') return rowsFor([placed(one)], 'deleted', person, index);
  return rowsFor(leftBy(one), 'accepted', person, index);
}

/** Rows that put a person back into the earlier groups that a row took them out of. */
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

/** Groups that a row took someone out of. */
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

/** What a row had changed, where that is as before. */
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
