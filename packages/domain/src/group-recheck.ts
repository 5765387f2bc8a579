/** The check right before sending whether rows of group members still do what was reviewed (GRP-27, OP-107). Pure. */
import type { CourseGroup, CourseIndex } from './group-course.ts';
import type { MemberFate, MemberRow } from './group-members.ts';
import { membershipKey, placeOf, type RestoredBy } from './group-undo.ts';
import { shown } from './sis-rows.ts';

/** A row as it was reviewed. */
export interface ReviewedMember {
  row: number;
  user_id: string;
  group_id: string;
  fate: MemberFate;
  /** Canvas ids of person and group. */
  who: number;
  where: number;
  category?: number | null;
  person: string;
  group: string;
  /** Groups that the row makes the person leave. */
  leaves: readonly { id: number; sis_group_id: string | null; name: string }[];
  /** Other groups of the category in which the person stays; missing in plans of earlier versions. */
  stays?: readonly number[];
}

/** A row without a change: the person to add was in the group already, or the person to remove was not in it. */
export interface UnchangedMember extends Pick<ReviewedMember, 'row' | 'who' | 'where' | 'person' | 'group'> {
  fate: 'already' | 'not-member';
}

/** Why a row is not sent as reviewed. */
export interface Skipped {
  why: string;
  /** Whether others have already done what the row would do. */
  isDone: boolean;
}

/** Returns why each row is skipped; null if it still does what was reviewed. */
export type Recheck = (planned: ReviewedMember, now: MemberRow | undefined) => Skipped | null;

/**
 * @param planned all reviewed rows: those of one person in one category belong together
 * @param index the course as it is now
 * @param confirmed for rows that undo an import: by key, memberships that others have written since
 * @param leading keys of memberships of people who lead a group now but did not at the review
 */
export function recheckOf(
  planned: readonly ReviewedMember[],
  index: CourseIndex,
  {
    confirmed = new Map(),
    leading = new Set(),
  }: { confirmed?: ReadonlyMap<string, RestoredBy>; leading?: ReadonlySet<string> } = {},
): Recheck {
  const homes = homesOf(planned, index);
  const goals = goalsOf(planned);
  const whyChanged = (row: ReviewedMember, now: MemberRow): string | null => {
    const { person, fate } = row;
    const rejoined = row.leaves.find(({ id }) => confirmed.has(membershipKey(row.who, id)));
    if (rejoined) {
      return confirmed.get(membershipKey(row.who, rejoined.id)) === 'by-hand'
        ? `${person} has been added to the group ${rejoined.name} again in the LMS since the import.`
        : `A later import has also added ${person} to the group ${rejoined.name}.`;
    }
    const led = now.leaves.find((id) => leading.has(membershipKey(row.who, id)));
    if (led !== undefined) {
      const name = index.group(led)?.name ?? '';
      return `${person} has become the leader of the group ${name} since the review. This row would end their leadership.`;
    }
    if (fate === 'remove') return null;
    const reported = new Set(row.leaves.map(({ id }) => id));
    if (now.fate === 'move' && !now.leaves.every((id) => reported.has(id)))
      return `${person} has since joined the group ${now.from}. This row would remove them from it.`;
    // If the person to remove from a group is not in it any more, others removed them: they are not added again.
    const theirs = index.person(row.who)?.groups ?? [];
    const home = homes.get(homeKey(row, index)) ?? [];
    const left = home.find(({ id }) => !theirs.includes(id));
    if (left) {
      return `${person} was in the group ${left.name} at the time of the review, but has since left it. Another import or someone in the LMS changed this.`;
    }
    // A row only ends memberships in the same category.
    const category = index.group(row.where)?.category;
    const stays = home.find(({ id }) => index.group(id)?.category !== category);
    if (stays === undefined) return null;
    return `The groups ${row.group} and ${stays.name} are no longer in the same category, so ${person} would stay in ${stays.name}. Another import or someone in the LMS changed this.`;
  };
  return (row, now) => {
    const { person } = row;
    if (!now || now.fate === 'refused') return skipped(now?.why ?? 'This change is no longer possible.');
    if (now.who !== row.who) return skipped(`The SIS ID ${shown(row.user_id)} now belongs to ${now.person}.`);
    if (now.where !== row.where)
      return skipped(`The SIS ID ${shown(row.group_id)} now belongs to the group ${now.group}.`);
    if (now.fate === 'not-member') {
      const others = movedTo(row, goals.get(row.who) ?? new Set(), index);
      if (others.length === 0) return skipped(`${person} is no longer in the group.`, true);
      return skipped(
        `${person} is no longer in the group and is now in the group ${others.join(' and ')}. Another import or someone in the LMS changed this.`,
      );
    }
    if (now.fate === 'already')
      return skipped(
        `${person} has already been added to the group since the review.`,
        !isStillIn(row, index),
      );
    const why = whyChanged(row, now);
    return why === null ? null : skipped(why);
  };
}

const skipped = (why: string, isDone = false): Skipped => ({ why, isDone });

/** Returns the groups that rows add each person to. */
function goalsOf(planned: readonly ReviewedMember[]): ReadonlyMap<number, ReadonlySet<number>> {
  const goals = new Map<number, Set<number>>();
  for (const { who, where, fate } of planned)
    if (fate !== 'remove') goals.set(who, (goals.get(who) ?? new Set()).add(where));
  return goals;
}

/** Returns the groups to which others have added a person who should be in another group of the category, or in none. */
function movedTo(
  { who, where, stays = [] }: ReviewedMember,
  goals: ReadonlySet<number>,
  index: CourseIndex,
): string[] {
  const category = index.category(index.group(where)?.category ?? null);
  if (category === null || category.several) return [];
  const expected = new Set([where, ...stays, ...goals]);
  return groupsIn(category.id, index.person(who)?.groups ?? [], index)
    .filter(({ id }) => !expected.has(id))
    .map(({ name }) => name);
}

/** Returns whether a person is still in a group that the row should remove them from. */
function isStillIn({ who, leaves }: ReviewedMember, index: CourseIndex): boolean {
  const theirs = index.person(who)?.groups ?? [];
  return leaves.some(({ id }) => theirs.includes(id));
}

/** Returns the groups among these that belong to the category. */
function groupsIn(category: number | null, groups: readonly number[], index: CourseIndex): CourseGroup[] {
  return groups.flatMap((id) => {
    const group = index.group(id);
    return group?.category === category ? [group] : [];
  });
}

type Home = ReviewedMember['leaves'][number];

/** Finds people's groups at the time of the review that they should leave, by person and category. */
function homesOf(planned: readonly ReviewedMember[], index: CourseIndex): ReadonlyMap<string, Home[]> {
  const homes = new Map<string, Home[]>();
  for (const one of planned) {
    if (one.leaves.length === 0) continue;
    const key = homeKey(one, index);
    homes.set(key, [...(homes.get(key) ?? []), ...one.leaves]);
  }
  return homes;
}

const homeKey = (one: ReviewedMember, index: CourseIndex) => `${one.who} ${placeOf(one, index)}`;

/** Writes a sentence for each row without a change, if someone else has since added or removed its person. */
export function changedSince(
  rows: readonly UnchangedMember[],
  index: CourseIndex,
): { row: number; text: string }[] {
  return rows.flatMap((one) => {
    const { row, who, where, person, group, fate } = one;
    const theirs = index.person(who)?.groups ?? null;
    const isThere = theirs?.includes(where) === true;
    if (isThere === (fate === 'already')) return [];
    const was = fate === 'already' ? `was in the group ${group}` : `was not in the group ${group}`;
    const is = isThere ? 'is now in the group' : whereNow(theirs, where, index);
    const text = `Row ${row}: ${person} ${was} at the time of the review, but ${is}. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`;
    return [{ row, text }];
  });
}

/** Describes the current place of a person who was in a group: `is in the group Q-G02`. */
function whereNow(theirs: readonly number[] | null, where: number, index: CourseIndex): string {
  if (theirs === null) return 'is no longer in the course';
  const was = index.group(where);
  if (was === null) return 'the group no longer exists';
  const names = groupsIn(was.category, theirs, index).map(({ name }) => name);
  return names.length === 0 ? 'is no longer in the group' : `is now in the group ${names.join(' and ')}`;
}
