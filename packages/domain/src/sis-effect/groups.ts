/** What rows of group categories, groups and their people do (LMS reference §9.6 and §15). */
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
  /** SIS IDs of the course or account that it is in; null where it is in none, or in one without. */
  course: string | null;
  account: string | null;
  /** Whether the row puts it into another course or account; one without a course means the root account. */
  moves: boolean;
}

/** Names of the group categories that the LMS makes itself in a course, in lower case: it refuses them in rows. */
const RESERVED: ReadonlySet<string> = new Set(['student groups', 'imported groups']);

/** Whether the LMS refuses the name of a group category in a course. */
export const isReservedName = (name: string): boolean => RESERVED.has(name.toLowerCase());

/** @param held null where the LMS has no such category. @param course whether the course of the row is there; null where no one can say */
export function categoryEffect(cell: Cells, held: HeldCategory | null, course: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_category_id') ?? '', cell('category_name') ?? '', cell('course_id')];
  if (of && course === false) return fails('course_id', `The LMS has no course ${shown(of)}.`);
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes)
      return { does: 'nothing', why: `The LMS has no group category ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', why: MAY_COME_BACK, fields: [['category_name', null, name]] };
  }
  const [toCourse, toAccount] = [of ?? null, cell('account_id') ?? null];
  const fields = [
    ...changed('category_name', held.name, name),
    ...(held.moves
      ? [...changed('course_id', held.course, toCourse), ...changed('account_id', held.account, toAccount)]
      : []),
  ];
  if (deletes) return { does: 'deletes', why: 'Only the category is deleted: its groups stay.', fields };
  if (!held.moves) return changeOf(fields, 'No change: the group category already has these values.');
  const toRoot = toCourse === null && toAccount === null;
  return { does: 'changes', fields, ...(toRoot ? { why: TO_ROOT } : {}) };
}

const TO_ROOT = 'The row names no course and no account: the group category moves to the root account.';
/** The LMS shows no deleted groups and group categories. */
const MAY_COME_BACK = 'If a deleted one has this SIS ID, the LMS restores it instead.';

/** A group that was deleted on its page keeps its members. */
const GROUP_BACK =
  'If a deleted one has this SIS ID, the LMS restores it instead, with the people who were in it if it was deleted in the LMS itself: they are not shown here.';

const WITHOUT =
  'The row names no category: the LMS puts the group into a category of its own choice, and creates that one where there is none.';

export interface HeldGroup {
  id: number;
  name: string;
  /** SIS ID of its category; undefined where that is not known. */
  category: string | null | undefined;
  /** SIS IDs of the course or account that it is in; null where it is in none, or in one without. */
  course: string | null;
  account: string | null;
  /** Whether it is in a course, and not in an account. */
  ofCourse: boolean;
}

/** @param held null where the LMS has no such group. @param category whether the category of the row is there; null where no one can say */
export function groupEffect(cell: Cells, held: HeldGroup | null, category: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_id') ?? '', cell('name') ?? '', cell('group_category_id')];
  if (of && category === false)
    return fails('group_category_id', `The LMS has no group category ${shown(of)}.`);
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no group ${shown(id)}: nothing is deleted.` };
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

/** A row without a category moves the group to the course or account that it names. */
function placeFields(cell: Cells, { course, account }: HeldGroup): FieldChange[] {
  const [toCourse, toAccount] = [cell('course_id'), cell('account_id')];
  if (!toCourse && !toAccount) return [];
  return [
    ...changed('course_id', course, toCourse ?? null),
    ...changed('account_id', account, toAccount ?? null),
  ];
}

/** A group as it is before the rows. */
export interface HeldMembers {
  /** SIS ID, where it has one; else what tells it from other groups. */
  key: string;
  name: string;
  /** What tells its category from others, where people are in one group of it only; null for others. */
  category: string | null;
  /** What tells people from each other: their numbers. */
  members: Iterable<string>;
  /** Those who have left by rows of other tables before: a row may put them back. */
  gone?: Iterable<string>;
}

interface Slot {
  was: boolean;
  is: boolean;
  /** Whether it ended before the rows, by those of other tables. */
  gone?: boolean;
  /** Whether a row about another group of the category ended it. */
  left?: boolean;
  /** Groups of the category that its rows put the person out of. */
  took?: string[];
  rows: number[];
}

/** The people of groups as the rows of a file go through them: the last row about a membership tells what becomes of it. */
export class MembershipsNow {
  readonly #groups = new Map<string, { name: string; category: string | null }>();
  readonly #ofCategory = new Map<string, string[]>();
  readonly #slots = new Map<string, Slot>();
  readonly #rows: string[] = [];

  add({ key, name, category, members, gone = [] }: HeldMembers): void {
    if (this.#groups.has(key)) return;
    this.#groups.set(key, { name, category });
    if (category !== null) this.#ofCategory.set(category, [...(this.#ofCategory.get(category) ?? []), key]);
    for (const person of members) this.#slots.set(slotKey(key, person), { was: true, is: true, rows: [] });
    for (const person of gone)
      this.#slots.set(slotKey(key, person), { was: true, is: false, gone: true, rows: [] });
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
    slot.is = !begins(status, 'deleted');
    slot.left = false;
    const { category } = this.#groups.get(group) ?? { category: null };
    if (!slot.is || category === null) return;
    for (const other of this.#ofCategory.get(category) ?? []) {
      const held = other === group ? undefined : this.#slots.get(slotKey(other, person));
      if (!held?.is) continue;
      held.is = false;
      held.left = true;
      slot.took = [...(slot.took ?? []), other];
    }
  }

  /** Groups of the category that the person leaves in the end, since the n-th row that was taken, or one before, puts them into another. */
  leaves(at: number, group: string, person: string): string[] {
    const { is, took = [], rows } = this.#slotOf(group, person);
    const { category } = this.#groups.get(group) ?? { category: null };
    if (rows.at(-1) !== at || category === null) return [];
    const all = this.#ofCategory.get(category) ?? [];
    const isElsewhere = all.some((other) => this.#slots.get(slotKey(other, person))?.is);
    // Out of this one again they are told by it only where no other one tells it.
    const others = is ? all : isElsewhere ? [] : took;
    return others.flatMap((other) => {
      const held = this.#slots.get(slotKey(other, person));
      const leaves = held?.was && !held.gone && !held.is && held.left;
      return leaves ? (this.#groups.get(other)?.name ?? other) : [];
    });
  }

  /** What becomes of the membership of the n-th row that was taken. */
  effect(at: number, group: string, person: string): SisEffect {
    const { was, is, gone = false, left, rows } = this.#slotOf(group, person);
    const last = rows.at(-1) ?? at;
    if (last !== at) return { does: 'nothing', why: `${this.#rows[last]} decides about this membership.` };
    const { name } = this.#groups.get(group) ?? { name: group };
    if (was && !is && !gone && !left) return { does: 'removes' };
    if (!was && is) return { does: 'creates' };
    if (is && gone)
      return {
        does: 'nothing',
        why: `Earlier rows of this upload remove them from ${name}, and this row adds them again.`,
      };
    if (is && this.leaves(at, group, person).length > 0) return { does: 'changes' };
    if (is) return { does: 'nothing', why: `They are already in ${name}.` };
    if (this.leaves(at, group, person).length > 0)
      return {
        does: 'changes',
        why: `Earlier rows of the file add them to ${name}, and this row removes them.`,
      };
    const why = left
      ? 'A later row of the file adds them to another group of the same category.'
      : `They are not in ${name}, so no one is removed.`;
    return { does: 'nothing', why };
  }

  /** Memberships that end by these rows, and those that had ended and are back. */
  *settled(): Generator<[group: string, person: string, state: 'ended' | 'back']> {
    for (const [key, { was, is, gone = false }] of this.#slots) {
      // Of what ended before the rows only its return is new.
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

function slotKey(group: string, person: string): string {
  return JSON.stringify([group, person]);
}
