/** What an import of group members did, turned round, as far as it still stands so (OP-107). Pure. */
import type { CourseIndex, CoursePerson } from './group-course.ts';
import type { MemberFate } from './group-members.ts';
import type { AskedMember } from './group-references.ts';

/** A row that was sent, with what it was told to do. */
export interface SentMember {
  user_id: string;
  group_id: string;
  fate: MemberFate;
  /** Canvas ids of person and group. */
  who: number;
  where: number;
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

/** The rows that take others back, the last one first, and who stays as they are now since others have changed them. */
export function turnMembers(sent: readonly SentMember[], index: CourseIndex): TurnedMembers {
  const turned: TurnedMembers = { asked: [], kept: [] };
  for (const one of sent.toReversed()) {
    const { person, group } = one;
    const found = turnOne(one, index);
    if (typeof found === 'string') turned.kept.push({ person, group, why: found });
    else {
      for (const { group: to, status } of found)
        turned.asked.push({ row: turned.asked.length + 1, person: one.user_id, group: to, status });
    }
  }
  return turned;
}

type Row = Pick<AskedMember, 'group' | 'status'>;

function turnOne(one: SentMember, index: CourseIndex): readonly Row[] | KeptWhy {
  const named = index.personWithId(one.user_id);
  if (named !== null && named.id !== one.who) return 'another';
  const person = named ?? index.person(one.who);
  // Who is not in the course any more is told by the plan itself.
  const theirs = person?.groups ?? [];
  const where = index.group(one.where);
  if (one.fate === 'remove') {
    if (where === null) return 'gone';
    return others(person, one.where, index) ? 'moved-on' : back([one], index);
  }
  if (one.fate === 'add') {
    if (where === null) return [];
    if (!theirs.includes(one.where) && others(person, one.where, index)) return 'moved-on';
    return where.sisId === one.group_id ? [{ group: one.group_id, status: 'deleted' }] : 'another';
  }
  const home = one.leaves.map(({ id, sis_group_id, name }) => ({
    where: id,
    group_id: sis_group_id ?? '',
    group: name,
  }));
  const there = home.some(({ where: id }) => theirs.includes(id));
  if (!there && !theirs.includes(one.where)) return 'moved-on';
  return back(home, index);
}

/** Rows that put somebody where they were. */
function back(
  places: readonly { where: number; group_id: string }[],
  index: CourseIndex,
): readonly Row[] | KeptWhy {
  const rows: Row[] = [];
  for (const { where, group_id } of places) {
    const group = index.group(where);
    if (group === null) return 'gone';
    if (group.sisId === null) return 'no-id';
    if (group_id !== '' && group.sisId !== group_id) return 'another';
    rows.push({ group: group.sisId, status: 'accepted' });
  }
  return rows;
}

/** Whether they are in another group of a category in which people are in one only. */
function others(person: CoursePerson | null, where: number, index: CourseIndex): boolean {
  const category = index.group(where)?.category ?? null;
  if (person === null || category === null || index.category(category)?.several === true) return false;
  return person.groups.some((id) => id !== where && index.group(id)?.category === category);
}
