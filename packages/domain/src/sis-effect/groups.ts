/** What rows of group categories, groups and their people do (LMS reference §9.6 and §15). */
import { shown } from '../sis-rows.ts';
import { begins, type Cells, changed, changeOf, keptFields, type SisEffect } from './effect.ts';

export interface HeldCategory {
  id: number;
  name: string;
}

/** @param held null where the LMS has no such category. @param course whether the course of the row is there; null where nobody can say */
export function categoryEffect(cell: Cells, held: HeldCategory | null, course: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_category_id') ?? '', cell('category_name') ?? '', cell('course_id')];
  if (of && course === false) return { does: 'fails', why: `The LMS has no course ${shown(of)}.` };
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes)
      return { does: 'nothing', why: `The LMS has no group category ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', fields: [['category_name', null, name]] };
  }
  if (deletes) return { does: 'deletes', why: 'Only the category is deleted: its groups stay.' };
  return changeOf(changed('category_name', held.name, name), 'The group category is like this already.');
}

export interface HeldGroup {
  id: number;
  name: string;
  /** SIS id of its category; undefined where that is not known. */
  category: string | null | undefined;
}

/** @param held null where the LMS has no such group. @param category whether the category of the row is there; null where nobody can say */
export function groupEffect(cell: Cells, held: HeldGroup | null, category: boolean | null): SisEffect {
  const [id, name, of] = [cell('group_id') ?? '', cell('name') ?? '', cell('group_category_id')];
  if (of && category === false) return { does: 'fails', why: `The LMS has no group category ${shown(of)}.` };
  const deletes = begins(cell('status'), 'deleted');
  if (held === null) {
    if (deletes) return { does: 'nothing', why: `The LMS has no group ${shown(id)}: nothing is deleted.` };
    return { does: 'creates', fields: [['name', null, name]] };
  }
  if (deletes) return { does: 'deletes', why: 'Its people are out of it, and stay in the course.' };
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...(of && held.category !== undefined ? changed('group_category_id', held.category, of) : []),
  ];
  return changeOf(fields, 'The group is like this already.');
}

/** The people of a group as the rows of a file go through them. */
export class GroupNow {
  readonly #members: Set<string>;
  readonly #name: string;

  /** @param members SIS ids */
  constructor(name: string, members: Iterable<string>) {
    this.#name = name;
    this.#members = new Set(members);
  }

  /** @param exists whether there is such a person; null where nobody can say */
  effect(cell: Cells, exists: boolean | null): SisEffect {
    const user = cell('user_id') ?? '';
    if (exists === false) return { does: 'fails', why: `Nobody in the LMS has the SIS id ${shown(user)}.` };
    if (exists === null) {
      return {
        does: 'unknown',
        why: `Whether somebody has the SIS id ${shown(user)} could not be found out.`,
      };
    }
    const there = this.#members.has(user);
    if (begins(cell('status'), 'deleted')) {
      if (!there) return { does: 'nothing', why: `They are not in ${this.#name}: nobody is removed.` };
      this.#members.delete(user);
      return { does: 'removes' };
    }
    if (there) return { does: 'nothing', why: `They are in ${this.#name} already.` };
    this.#members.add(user);
    return { does: 'creates', why: 'They leave another group of the same category, where they are in one.' };
  }
}
