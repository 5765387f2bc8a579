/** The difference before groups are made (GRP-16, OP-77): what becomes of each, and why some get no row. Pure. */
import type { CourseCategory, CourseIndex, GroupElsewhere } from './group-course.ts';
import { nameKey } from './group-course.ts';
import { groupSisId, NEW_GROUP_STATUS } from './groups.ts';
import { type SisProblem, shown } from './sis-rows.ts';
import { GROUP_HEADER } from './sis-tables/groups.ts';
import { spreadsheetValue } from './spreadsheet-values.ts';

/** What becomes of a group: see the contract's `GROUP_FATES`. */
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
  /** Which cell is wrong; null unless refused. */
  column: 'group_id' | 'name' | null;
}

/** Longest id, and longest name, that the LMS takes. */
const LONGEST = 255;

/** The rows of groups with these names in a category of the course. @param elsewhere ids that other courses have */
export function planGroups(
  sisCourseId: string,
  names: readonly string[],
  category: CourseCategory,
  index: CourseIndex,
  elsewhere: ReadonlyMap<string, GroupElsewhere>,
): GroupRow[] {
  return names.map((name) => {
    const id = groupSisId(sisCourseId, name);
    const { fate, why } = evaluateGroup({ id, name }, category, index, elsewhere);
    return { sis_group_id: id, name, fate, why };
  });
}

/** Of these ids the ones that only the LMS can say of whether they exist. */
export function unknownGroupIds(ids: readonly string[], index: CourseIndex): string[] {
  return [...new Set(ids)].filter((id) => fits(id) && index.groupWithId(id) === null);
}

/** What becomes of one group. An id under another category would move that group with its members (OP-77, OP-108). */
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
      `The group ${shown(present.name)} ${where} has this id. Choose another prefix or numbers.`,
    );
  }
  const foreign = present ? undefined : elsewhere.get(id);
  if (foreign) {
    const of = foreign.course === null ? 'elsewhere in the LMS' : `of the course ${shown(foreign.course)}`;
    return refused('group_id', `A group ${of} has this id. Choose another prefix or numbers.`);
  }
  const named = index
    .groupsNamed(name)
    .find((one) => one.category === category.id && one !== present && nameKey(one.name) === nameKey(name));
  if (named) {
    const its = named.sisId === null ? 'without an SIS ID' : `with the id ${shown(named.sisId)}`;
    return refused('name', `The category has a group ${shown(named.name)} already, ${its}.`);
  }
  if (!present) return { fate: 'new', why: null, column: null };
  if (present.name === name) return { fate: 'there', why: null, column: null };
  return { fate: 'renamed', why: `It is called ${shown(present.name)} now.`, column: null };
}

function oddText(column: 'group_id' | 'name', text: string): GroupEvaluation | null {
  const what = column === 'group_id' ? 'id' : 'name';
  if (text.length > LONGEST) {
    return refused(column, `The ${what} is longer than ${LONGEST} characters. Choose a shorter prefix.`);
  }
  if (!fits(text)) return refused(column, `The ${what} has a character that cannot be shown.`);
  // The number that a prefix was given hides what a spreadsheet made of the prefix.
  const value = [text, text.replace(/-G\d\d$/, '')].find((one) => spreadsheetValue(one) !== null);
  return value === undefined ? null : refused(column, `${shown(value)} is ${spreadsheetValue(value)}.`);
}

function refused(column: 'group_id' | 'name', why: string): GroupEvaluation {
  return { fate: 'refused', why, column };
}

/** Whether the LMS takes it for an id. */
export function fits(id: string): boolean {
  return id !== '' && id.length <= LONGEST && !/[\p{Cc}\p{Cs}]/u.test(id);
}

/** The cells of a group's row below the documented header (GRP-24). */
export function groupCells(
  sisCategoryId: string,
  { sis_group_id: id, name }: Pick<GroupRow, 'sis_group_id' | 'name'>,
): string[] {
  const cells = { group_category_id: sisCategoryId, group_id: id, name, status: NEW_GROUP_STATUS };
  return GROUP_HEADER.map((column) => cells[column]);
}

/** What is wrong with a status of rows that make groups. */
export function groupStatusProblem(status: string): SisProblem | null {
  if (status.toLowerCase() === NEW_GROUP_STATUS) return null;
  return { column: 'status', message: `The status should be ${NEW_GROUP_STATUS}, not ${shown(status)}.` };
}
