/** What an import of group members did, turned round where the LMS still holds exactly what it left behind (OP-107). Pure. */
import type { CourseIndex } from './group-course.ts';
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
}

export type KeptWhy = 'moved-on' | 'no-id' | 'gone' | 'another';

export interface TurnedMembers {
  asked: AskedMember[];
  kept: { person: string; group: string; why: KeptWhy }[];
}

type Row = Pick<AskedMember, 'group' | 'status'>;

/** The rows that restore what was before, the last one first, and who stays as they are now since others have changed them. */
export function turnMembers(sent: readonly SentMember[], index: CourseIndex): TurnedMembers {
  const turned: TurnedMembers = { asked: [], kept: [] };
  const rowsOf = new Map<SentMember, readonly Row[]>();
  const keptAt = new Map<SentMember, KeptWhy>();
  for (const unit of unitsOf(sent, index)) {
    const rows = turnUnit(unit, index);
    if (typeof rows === 'string') keptAt.set(unit[unit.length - 1] as SentMember, rows);
    else for (const [one, its] of rows) rowsOf.set(one, its);
  }
  // The other way round, so that places in groups with a limit become free as they were taken.
  for (const one of sent.toReversed()) {
    const why = keptAt.get(one);
    if (why !== undefined) turned.kept.push({ person: one.person, group: one.group, why });
    for (const { group, status } of rowsOf.get(one) ?? [])
      turned.asked.push({ row: turned.asked.length + 1, person: one.user_id, group, status });
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

/** What each row of a unit comes to, or why the person stays as they are. */
function turnUnit(
  unit: readonly SentMember[],
  index: CourseIndex,
): readonly (readonly [SentMember, readonly Row[]])[] | KeptWhy {
  const [first] = unit;
  if (!first) return [];
  const named = index.personWithId(first.user_id);
  if (named !== null && named.id !== first.who) return 'another';
  const place = placeOf(first, index);
  const person = named ?? index.person(first.who);
  // Who is not in the course any more is named by the plan itself.
  const now = new Set((person?.groups ?? []).filter((id) => belongs(id, place, index)));
  const [before, after] = statesOf(unit);
  const isAsBefore = sameSet(before, now);
  if (!isAsBefore && !sameSet(after, now)) return 'moved-on';
  const turned: [SentMember, readonly Row[]][] = [];
  for (const one of unit) {
    const rows = backward(one, index);
    if (typeof rows !== 'string') turned.push([one, rows]);
    else if (!isAsBefore) return rows;
  }
  return turned;
}

function belongs(group: number, place: string, index: CourseIndex): boolean {
  return place === `group ${group}` || place === `category ${index.group(group)?.category}`;
}

/** Groups of the person within the unit, before its first row and after its last. */
function statesOf(unit: readonly SentMember[]): [before: ReadonlySet<number>, after: ReadonlySet<number>] {
  const before = new Set<number>();
  const after = new Set<number>();
  for (const { fate, where, leaves } of unit) {
    // What a row takes somebody out of, and none before it has put them into, was there from the beginning.
    for (const id of fate === 'remove' ? [where] : leaves.map((left) => left.id))
      if (!after.delete(id)) before.add(id);
    if (fate !== 'remove') after.add(where);
  }
  return [before, after];
}

function sameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

/** The row turned round. */
function backward(one: SentMember, index: CourseIndex): readonly Row[] | KeptWhy {
  const where = index.group(one.where);
  if (one.fate === 'add') {
    if (where === null) return [];
    return where.sisId === one.group_id ? [{ group: one.group_id, status: 'deleted' }] : 'another';
  }
  const home =
    one.fate === 'remove'
      ? [{ where: one.where, group_id: one.group_id }]
      : one.leaves.map(({ id, sis_group_id }) => ({ where: id, group_id: sis_group_id ?? '' }));
  const rows: Row[] = [];
  for (const { where: id, group_id } of home) {
    const group = index.group(id);
    if (group === null) return 'gone';
    if (group.sisId === null) return 'no-id';
    if (group_id !== '' && group.sisId !== group_id) return 'another';
    rows.push({ group: group.sisId, status: 'accepted' });
  }
  return rows;
}
