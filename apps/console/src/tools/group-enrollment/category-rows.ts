/** Categories and their groups as rows of a table. Pure. */
import type { ListedCategory } from './categories-query.ts';
import { whyNoSisId } from './category-state.ts';
import { texts } from './texts.ts';

export interface CategoryRow {
  key: string;
  /** Canvas ID. */
  id: number;
  isGroup: boolean;
  name: string;
  sisId: string | null;
  /** Why a file cannot refer to the row's category or group; null if it can. */
  why: string | null;
  /** Whether the category can be given an SIS ID. */
  canGive: boolean;
  /** Number of groups in a category; null for a group, and if it is unknown. */
  count: number | null;
  people: number | null;
  groups: readonly CategoryRow[];
}

export function categoryRows(list: readonly ListedCategory[], sisCourseId: string): CategoryRow[] {
  const all = list.map((one) => one.category);
  return list.map(({ category, groups }) => {
    const reason = whyNoSisId(category, sisCourseId, all);
    const hasOne = reason === 'has-one';
    return {
      key: `category ${category.id}`,
      id: category.id,
      isGroup: false,
      name: category.name,
      sisId: category.sis_group_category_id,
      why: hasOne ? null : reason === null ? texts.list.noSisId : texts.list.why[reason],
      canGive: reason === null,
      count: groups?.length ?? null,
      people: groups?.reduce((sum, one) => sum + one.members_count, 0) ?? null,
      groups: (groups ?? []).map((group) => ({
        key: `group ${group.id}`,
        id: group.id,
        isGroup: true,
        name: group.name,
        sisId: group.sis_group_id,
        why: group.sis_group_id === null ? texts.list.withoutId : null,
        canGive: false,
        count: null,
        people: group.members_count,
        groups: [],
      })),
    };
  });
}
