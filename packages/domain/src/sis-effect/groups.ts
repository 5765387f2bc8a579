/** Effects of rows of group categories, groups and their people (LMS reference §9.6 and §15). */
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changeOf,
  type FieldChange,
  fails,
  keptFields,
  rowName,
  type SisEffect,
} from './effect.ts';

export interface HeldCategory {
  id: number;
  name: string;
  /** SIS IDs of the category's course or account; null if it is in none, or in one without an SIS ID. */
  course: string | null;
  account: string | null;
  /** Whether the row moves it to another course or account; no course means the root account. */
  moves: boolean;
}

/** Names of the group categories that the LMS creates itself, in lower case: it rejects them in rows. */
const RESERVED = {
  course: new Set(['student groups', 'imported groups']),
  account: new Set(['communities', 'imported groups']),
};

/** Returns whether the LMS rejects the name of a group category in a course or account. */
export const isReservedName = (name: string, place: 'course' | 'account'): boolean =>
  RESERVED[place].has(name.toLowerCase());

/** @param held null if the LMS has no such category. @param course whether the row's course exists; null if unknown */
export function categoryEffect(cell: Cells, held: HeldCategory | null, course: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_category_id') ?? '', cell('category_name') ?? '', cell('course_id')];
  if (of && course === false) return fails('course_id', `The LMS has no course ${shown(of)}.`);
  if (of && course === null) return { does: 'unknown', why: PERHAPS_NO_COURSE };
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes)
      return { does: 'nothing', why: `The LMS has no group category ${shown(id)}, so nothing is deleted.` };
    return { does: 'creates', why: MAY_COME_BACK, fields: [['category_name', null, name]] };
  }
  const [toCourse, toAccount] = [of ?? null, cell('account_id') ?? null];
  const fields = [
    ...changed('category_name', held.name, name),
    ...(held.moves
      ? [...changed('course_id', held.course, toCourse), ...changed('account_id', held.account, toAccount)]
      : []),
  ];
  if (deletes) return { does: 'deletes', why: 'Only the category is deleted. Its groups stay.', fields };
  if (!held.moves) return changeOf(fields, 'No change: the group category already has these values.');
  const toRoot = toCourse === null && toAccount === null;
  return { does: 'changes', fields, ...(toRoot ? { why: TO_ROOT } : {}) };
}

const TO_ROOT = 'The row names no course or account, so the group category moves to the root account.';
const PERHAPS_NO_COURSE =
  'LMS Admin cannot tell whether the course will still exist when this row is applied. If it does not, the LMS rejects the row.';
const PERHAPS_NO_CATEGORY =
  'LMS Admin cannot tell whether the group category will exist when this row is applied. If it does not, the LMS rejects the row.';
/** The LMS does not show deleted groups and group categories. */
const MAY_COME_BACK =
  'If a deleted group category has this SIS ID, the LMS restores that category instead. The LMS rejects the row if groups of that category are in another course or account.';

/** A group deleted on its page keeps its members. */
const GROUP_BACK =
  'If a deleted group has this SIS ID, the LMS restores that group instead. A group that was deleted in the LMS itself is restored with its former members, who are not shown here.';

const WITHOUT =
  'The row names no category. The LMS chooses a category for the group, or creates one if there is none.';

export interface HeldGroup {
  id: number;
  name: string;
  /** SIS ID of the group's category; undefined if unknown. */
  category: string | null | undefined;
  /** SIS IDs of the group's course or account; null if it is in none, or in one without an SIS ID. */
  course: string | null;
  account: string | null;
  /** Whether the group is in a course instead of an account. */
  ofCourse: boolean;
}

/** @param held null if the LMS has no such group. @param category whether the row's category exists; null if unknown */
export function groupEffect(cell: Cells, held: HeldGroup | null, category: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_id') ?? '', cell('name') ?? '', cell('group_category_id')];
  if (of && category === false)
    return fails('group_category_id', `The LMS has no group category ${shown(of)}.`);
  if (of && category === null) return { does: 'unknown', why: PERHAPS_NO_CATEGORY };
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no group ${shown(id)}, so nothing is deleted.` };
    const why = of ? GROUP_BACK : `${WITHOUT} ${GROUP_BACK}`;
    return { does: 'creates', why, fields: [['name', null, name]] };
  }
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...(of ? [] : placeFields(cell, held)),
    ...(of && held.category !== undefined ? changed('group_category_id', held.category, of) : []),
  ];
  if (deletes) {
    const why = held.ofCourse
      ? 'Its members are removed from it, and stay in the course.'
      : 'Its members are removed from it.';
    return { does: 'deletes', why, fields };
  }
  return changeOf(fields, 'No change: the group already has these values.');
}

/** Lists the changes of place: a row without a category moves the group to the course or account that it names. */
function placeFields(cell: Cells, { course, account }: HeldGroup): FieldChange[] {
  const [toCourse, toAccount] = [cell('course_id'), cell('account_id')];
  if (!toCourse && !toAccount) return [];
  return [
    ...changed('course_id', course, toCourse ?? null),
    ...changed('account_id', account, toAccount ?? null),
  ];
}

/** A group before the rows. */
export interface HeldMembers {
  /** SIS ID, or otherwise a key that identifies the group. */
  key: string;
  name: string;
  /** Key of the group's category, if people can be in only one of its groups; null for others. */
  category: string | null;
  /** Keys of people: their numbers. */
  members: Iterable<string>;
  /** Maximum number of members; null for no limit. */
  limit?: number | null;
  /** People whom rows of other tables removed before: a row can add them again. */
  gone?: Iterable<string>;
}

interface Slot {
  was: boolean;
  is: boolean;
  /** Whether rows of other tables ended it before. */
  gone?: boolean;
  /** Whether a row about another group of the category ended it. */
  left?: boolean;
  /** Groups of the category that its rows made the person leave. */
  took?: string[];
  rows: number[];
}

/** The people in groups while the rows of a file are processed: the last row about a membership decides its result. */
export class MembershipsNow {
  readonly #groups = new Map<string, { name: string; category: string | null; limit: number | null }>();
  readonly #counts = new Map<string, number>();
  readonly #ofCategory = new Map<string, string[]>();
  readonly #slots = new Map<string, Slot>();
  readonly #rows: string[] = [];

  add({ key, name, category, members, gone = [], limit = null }: HeldMembers): void {
    if (this.#groups.has(key)) return;
    this.#groups.set(key, { name, category, limit });
    if (category !== null) this.#ofCategory.set(category, [...(this.#ofCategory.get(category) ?? []), key]);
    for (const person of members) {
      this.#slots.set(slotKey(key, person), { was: true, is: true, rows: [] });
      this.#count(key, 1);
    }
    for (const person of gone)
      this.#slots.set(slotKey(key, person), { was: true, is: false, gone: true, rows: [] });
  }

  /**
   * Returns the effect of a row about a full group and a person not known to be in it; null for all others. The LMS
   * rejects the row, unless the person was once in the group, which is hidden. `counts`: whether they then leave
   * another group.
   */
  full(
    group: string,
    person: string,
    status: string | null | undefined,
  ): { effect: SisEffect; counts: boolean } | null {
    const { name, limit, category } = this.#groups.get(group) ?? { name: group, limit: null, category: null };
    const slot = this.#slots.get(slotKey(group, person));
    if (limit === null || (this.#counts.get(group) ?? 0) < limit || slot?.was || slot?.rows.length)
      return null;
    if (begins(status, 'deleted'))
      return {
        effect: {
          does: 'nothing',
          why: `The person is not in ${name}, so no one is removed. ${isFull(name)}`,
        },
        counts: false,
      };
    const others = category === null ? [] : (this.#ofCategory.get(category) ?? []);
    const leaves = others.flatMap((other) =>
      this.#slots.get(slotKey(other, person))?.is ? (this.#groups.get(other)?.name ?? other) : [],
    );
    const left =
      leaves.length > 0
        ? ` If this person was in it before, they leave ${leaves.join(', ')}, so the row counts as a removal.`
        : '';
    return { effect: { does: 'unknown', why: `${isFull(name)}${left}` }, counts: leaves.length > 0 };
  }

  /**
   * Returns the groups that a row ends a membership in, if the LMS applies it: that of the row, or others of the
   * category.
   */
  endsIn(group: string, person: string, status: string | null | undefined): string[] {
    const { category } = this.#groups.get(group) ?? { category: null };
    const others = category === null ? [] : (this.#ofCategory.get(category) ?? []);
    const ending = begins(status, 'deleted') ? [group] : others.filter((other) => other !== group);
    return ending.filter((one) => this.#slots.get(slotKey(one, person))?.is);
  }

  /**
   * Returns the effect of the row that decides a membership, if the person loses it again after the rows; null for
   * others.
   */
  lostAgain(at: number, group: string, person: string, why: string): SisEffect | null {
    const { is, rows } = this.#slotOf(group, person);
    if (!is || rows.at(-1) !== at) return null;
    return { does: this.leaves(at, group, person).length > 0 ? 'changes' : 'nothing', why };
  }

  #count(group: string, more: number): void {
    this.#counts.set(group, (this.#counts.get(group) ?? 0) + more);
  }

  /** Applies a row of a known group. @param row its number in the file @param file as in `rowName` */
  take(
    group: string,
    person: string,
    status: string | null | undefined,
    row: number,
    file: string | null = null,
  ): void {
    const slot = this.#slotOf(group, person);
    slot.rows.push(this.#rows.push(rowName(row, file)) - 1);
    const was = slot.is;
    slot.is = !begins(status, 'deleted');
    this.#count(group, Number(slot.is) - Number(was));
    slot.left = false;
    const { category } = this.#groups.get(group) ?? { category: null };
    if (!slot.is || category === null) return;
    for (const other of this.#ofCategory.get(category) ?? []) {
      const held = other === group ? undefined : this.#slots.get(slotKey(other, person));
      if (!held?.is) continue;
      held.is = false;
      this.#count(other, -1);
      held.left = true;
      slot.took = [...(slot.took ?? []), other];
    }
  }

  /**
   * Returns the groups of the category that the person finally leaves because of the n-th applied row, or an earlier
   * one.
   */
  leaves(at: number, group: string, person: string): string[] {
    const { is, took = [], rows } = this.#slotOf(group, person);
    const { category } = this.#groups.get(group) ?? { category: null };
    if (rows.at(-1) !== at || category === null) return [];
    const all = this.#ofCategory.get(category) ?? [];
    const isElsewhere = all.some((other) => this.#slots.get(slotKey(other, person))?.is);
    // If a person left this group again, this row reports the groups only if no other row does.
    const others = is ? all : isElsewhere ? [] : took;
    return others.flatMap((other) => {
      const held = this.#slots.get(slotKey(other, person));
      const leaves = held?.was && !held.gone && !held.is && held.left;
      return leaves ? (this.#groups.get(other)?.name ?? other) : [];
    });
  }

  /** Returns the result for the membership of the n-th applied row. */
  effect(at: number, group: string, person: string): SisEffect {
    const { was, is, gone = false, left, rows } = this.#slotOf(group, person);
    const last = rows.at(-1) ?? at;
    if (last !== at)
      return {
        does: 'nothing',
        why: `${this.#rows[last]} is about the same membership and overrides this row.`,
      };
    const { name } = this.#groups.get(group) ?? { name: group };
    if (was && !is && !gone && !left) return { does: 'removes' };
    if (!was && is) return { does: 'creates' };
    if (is && gone)
      return {
        does: 'nothing',
        why: `Earlier rows of this upload remove them from ${name}, and this row adds them again.`,
      };
    if (is && this.leaves(at, group, person).length > 0) return { does: 'changes' };
    if (is) return { does: 'nothing', why: `The person is already in ${name}.` };
    if (this.leaves(at, group, person).length > 0)
      return {
        does: 'changes',
        why: `Earlier rows of the file add them to ${name}, and this row removes them.`,
      };
    const why = left
      ? 'A later row of the file adds them to another group of the same category.'
      : `The person is not in ${name}, so no one is removed.`;
    return { does: 'nothing', why };
  }

  /** Yields the memberships that these rows end or restore. */
  *settled(): Generator<[group: string, person: string, state: 'ended' | 'back']> {
    for (const [key, { was, is, gone = false }] of this.#slots) {
      // If a membership had ended before these rows, only its return is new.
      if (!was || is !== gone) continue;
      const [group, person] = JSON.parse(key) as [string, string];
      yield [group, person, is ? 'back' : 'ended'];
    }
  }

  #slotOf(group: string, person: string): Slot {
    const key = slotKey(group, person);
    const slot = this.#slots.get(key) ?? { was: false, is: false, rows: [] };
    this.#slots.set(key, slot);
    return slot;
  }
}

const isFull = (name: string): string =>
  `The group ${name} is full: the LMS rejects the row, unless the person was in it before. The LMS does not show former members.`;

function slotKey(group: string, person: string): string {
  return JSON.stringify([group, person]);
}
