/** Whether rows of group members still do what was reviewed, right before they are sent (GRP-27, OP-107). Pure. */
import type { CourseIndex } from './group-course.ts';
import type { MemberFate, MemberRow } from './group-members.ts';
import { membershipKey, type PutAgain, placeOf } from './group-undo.ts';
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
  /** Groups that the person leaves by it. */
  leaves: readonly { id: number; sis_group_id: string | null; name: string }[];
}

/** A row that was to change nothing: the person was in the group already, or was not in it and was to leave it. */
export interface UnchangedMember extends Pick<ReviewedMember, 'row' | 'who' | 'where' | 'person' | 'group'> {
  fate: 'already' | 'not-member';
}

/** Says of each row why it is not sent as it was reviewed; null where it still does what was told. */
export type Recheck = (planned: ReviewedMember, now: MemberRow | undefined) => string | null;

/**
 * @param planned all rows that were reviewed: those of one person in one category belong together
 * @param index the course as it is now
 * @param confirmed of rows that undo an import: by their keys, memberships that others have written since
 * @param leading keys of memberships with which people lead a group, and did not at the review
 */
export function recheckOf(
  planned: readonly ReviewedMember[],
  index: CourseIndex,
  {
    confirmed = new Map(),
    leading = new Set(),
  }: { confirmed?: ReadonlyMap<string, PutAgain>; leading?: ReadonlySet<string> } = {},
): Recheck {
  const homes = homesOf(planned, index);
  return (row, now) => {
    const { person, fate } = row;
    if (!now || now.fate === 'refused') return now?.why ?? 'This is no longer true.';
    if (now.who !== row.who) return `The SIS ID ${shown(row.user_id)} now belongs to ${now.person}.`;
    if (now.where !== row.where)
      return `The SIS ID ${shown(row.group_id)} now belongs to the group ${now.group}.`;
    if (now.fate === 'not-member') return `${person} is no longer in the group.`;
    if (now.fate === 'already') return `${person} has already been added to the group since the review.`;
    const again = row.leaves.find(({ id }) => confirmed.has(membershipKey(row.who, id)));
    if (again) {
      return confirmed.get(membershipKey(row.who, again.id)) === 'by-hand'
        ? `${person} has been added to the group ${again.name} again in the LMS since the import.`
        : `A later import has also added ${person} to the group ${again.name}.`;
    }
    const led = now.leaves.find((id) => leading.has(membershipKey(row.who, id)));
    if (led !== undefined) {
      const name = index.group(led)?.name ?? '';
      return `${person} has become a leader of the group ${name} since the review. This row would end that.`;
    }
    if (fate === 'remove') return null;
    const told = new Set(row.leaves.map(({ id }) => id));
    if (now.fate === 'move' && !now.leaves.every((id) => told.has(id)))
      return `${person} has since joined the group ${now.from}. This row would remove them from it.`;
    // Who was to come out of a group, and is not in it any more, was taken out of it by others: they are not put back.
    const theirs = index.person(row.who)?.groups ?? [];
    const home = homes.get(homeKey(row, index)) ?? [];
    const left = home.find(({ id }) => !theirs.includes(id));
    if (left) {
      return `${person} was in the group ${left.name} at the review and is no longer in it: another import, or a person in the LMS, has changed it.`;
    }
    // Only groups of the same category are left by it.
    const category = index.group(row.where)?.category;
    const stays = home.find(({ id }) => index.group(id)?.category !== category);
    if (stays === undefined) return null;
    return `The groups ${row.group} and ${stays.name} are no longer in the same category, so ${person} would stay in ${stays.name}: another import, or a person in the LMS, has changed it.`;
  };
}

type Home = ReviewedMember['leaves'][number];

/** The groups in which people were at the review and which they were to leave, by person and category. */
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

/** A sentence for each row that was to change nothing, and of whom others have changed something since. */
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
    const is = isThere ? 'is in it' : whereNow(theirs, where, index);
    const text = `Row ${row}: ${person} ${was} at the review and ${is} now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.`;
    return [{ row, text }];
  });
}

/** Where someone is who was in a group: `is in the group Q-G02`. */
function whereNow(theirs: readonly number[] | null, where: number, index: CourseIndex): string {
  if (theirs === null) return 'is not in the course';
  const was = index.group(where);
  if (was === null) return 'that group does not exist';
  const names = theirs.flatMap((id) => {
    const group = index.group(id);
    return group?.category === was.category ? [group.name] : [];
  });
  return names.length === 0 ? 'is not in it' : `is in the group ${names.join(' and ')}`;
}
