/** What creating groups would change (GRP-16, OP-77): the result for each group, and why some get no row. Pure. */
import type { CourseCategory, CourseIndex, GroupElsewhere } from './group-course.ts';
import { groupSisId, NEW_GROUP_STATUS, nameKey } from './groups.ts';
import { type SisProblem, shown } from './sis-rows.ts';
import { GROUP_HEADER } from './sis-tables/groups.ts';
import { spreadsheetValue } from './spreadsheet-values.ts';

/** Result for a group: see the contract's `GROUP_FATES`. */
export type GroupFate = 'new' | 'there' | 'renamed' | 'refused';

export interface GroupRow {
  sis_group_id: string;
  name: string;
  fate: GroupFate;
  why: string | null;
}

export interface GroupEvaluation {
  fate: GroupFate;
  why: string | null;
  /** The wrong cell; null unless rejected. */
  column: 'group_id' | 'name' | null;
}

/** Maximum length of an id, and of a name, in the LMS. */
const LONGEST = 255;

/** Returns the rows of groups with these names in a category of the course. @param elsewhere ids in other courses */
export function planGroups(
  sisCourseId: string,
  names: readonly string[],
  category: CourseCategory,
  index: CourseIndex,
  elsewhere: ReadonlyMap<string, GroupElsewhere>,
): GroupRow[] {
  const planned = new Map<string, string>();
  return names.map((name) => {
    const id = groupSisId(sisCourseId, name);
    const { fate, why } = evaluateGroup({ id, name }, category, index, elsewhere);
    const base = { sis_group_id: id, name };
    if (fate === 'refused') return { ...base, fate, why };
    const earlier = planned.get(nameKey(name));
    if (earlier !== undefined) return { ...base, fate: 'refused', why: sameAs(earlier) };
    planned.set(nameKey(name), name);
    return { ...base, fate, why };
  });
}

const sameAs = (name: string) =>
  `The name differs from ${shown(name)} above only in capitals or spaces. Choose another prefix or other numbers.`;

/** Returns the ids that must be looked up in the LMS. */
export function unknownGroupIds(ids: readonly string[], index: CourseIndex): string[] {
  return [...new Set(ids)].filter((id) => fits(id) && index.groupWithId(id) === null);
}

/** Returns the result for one group. An id in another category would move that group with its members (OP-77, OP-108). */
export function evaluateGroup(
  { id, name }: { id: string; name: string },
  category: CourseCategory,
  index: CourseIndex,
  elsewhere: ReadonlyMap<string, GroupElsewhere>,
): GroupEvaluation {
  const odd = oddText('group_id', id) ?? oddText('name', name);
  if (odd) return odd;
  const present = index.groupWithId(id);
  if (present && present.category !== category.id) {
    const other = index.category(present.category)?.name;
    const where = other === undefined ? 'in another category' : `in the category ${shown(other)}`;
    return refused(
      'group_id',
      `The group ${shown(present.name)} ${where} already has this ID. Choose another prefix or other numbers.`,
    );
  }
  const foreign = present ? undefined : elsewhere.get(id);
  if (foreign) {
    const of = foreign.course === null ? 'elsewhere in the LMS' : `of the course ${shown(foreign.course)}`;
    return refused('group_id', `A group ${of} already has this ID. Choose another prefix or other numbers.`);
  }
  const named = index.groupsNamed(name).find((one) => one.category === category.id && one !== present);
  if (named) {
    const its = named.sisId === null ? 'without an SIS ID' : `with the ID ${shown(named.sisId)}`;
    return refused('name', `The category already has a group called ${shown(named.name)}, ${its}.`);
  }
  if (!present) return { fate: 'new', why: null, column: null };
  if (present.name === name) return { fate: 'there', why: null, column: null };
  return { fate: 'renamed', why: `The group is currently called ${shown(present.name)}.`, column: null };
}

function oddText(column: 'group_id' | 'name', text: string): GroupEvaluation | null {
  const what = column === 'group_id' ? 'ID' : 'name';
  if (text.length > LONGEST) {
    return refused(column, `The ${what} is longer than ${LONGEST} characters. Choose a shorter prefix.`);
  }
  if (!fits(text)) return refused(column, `The ${what} has a character that cannot be shown.`);
  // The number after a prefix hides that a spreadsheet has converted the prefix.
  const value = [text, text.replace(/-G\d\d$/, '')].find((one) => spreadsheetValue(one) !== null);
  return value === undefined ? null : refused(column, `${shown(value)} is ${spreadsheetValue(value)}.`);
}

function refused(column: 'group_id' | 'name', why: string): GroupEvaluation {
  return { fate: 'refused', why, column };
}

/** Returns whether the LMS accepts it as an id. */
export function fits(id: string): boolean {
  return id !== '' && id.length <= LONGEST && !/[\p{Cc}\p{Cs}]/u.test(id);
}

/** Returns the cells of a group's row in the order of the documented header (GRP-24). */
export function groupCells(
  sisCategoryId: string,
  { sis_group_id: id, name }: Pick<GroupRow, 'sis_group_id' | 'name'>,
): string[] {
  const cells = { group_category_id: sisCategoryId, group_id: id, name, status: NEW_GROUP_STATUS };
  return GROUP_HEADER.map((column) => cells[column]);
}

/** Returns the problem of a status in rows that create groups. */
export function groupStatusProblem(status: string): SisProblem | null {
  if (status.toLowerCase() === NEW_GROUP_STATUS) return null;
  return { column: 'status', message: `The status should be ${NEW_GROUP_STATUS}, not ${shown(status)}.` };
}
