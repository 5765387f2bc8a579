/** Making a group category: `NEW`, `CREATING`, `CREATED`, `ERROR_NAME` (GRP-11, GRP-12, OP-76). Pure. */
import type { GroupCategory } from '@lms-admin/contract/canvas-objects';
import { categorySisId } from '@lms-admin/domain/groups';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import { z } from 'zod';

/** Most characters of a name, as the LMS takes them. */
export const MAX_CATEGORY_NAME = 250;

export const newCategory = z.object({
  name: z.string().max(MAX_CATEGORY_NAME),
  state: z.enum(['NEW', 'CREATING', 'CREATED', 'ERROR_NAME']),
});
export type NewCategory = z.infer<typeof newCategory>;

export const NO_CATEGORY: NewCategory = { name: '', state: 'NEW' };

export type CategoryAction =
  | { type: 'name'; name: string }
  /** The press on 'Create'. */
  | { type: 'create' }
  | { type: 'created' }
  /** The LMS has such a category. */
  | { type: 'taken' }
  /** Nothing was made. */
  | { type: 'failed' };

export function categoryReducer(state: NewCategory, action: CategoryAction): NewCategory {
  switch (action.type) {
    case 'name':
      // What is on its way is not renamed any more.
      return state.state === 'CREATING' ? state : { name: action.name, state: 'NEW' };
    case 'create':
      return mayCreate(state) ? { ...state, state: 'CREATING' } : state;
    case 'created':
      return creating(state, 'CREATED');
    case 'taken':
      return creating(state, 'ERROR_NAME');
    case 'failed':
      return creating(state, 'NEW');
  }
}

/** Whether 'Create' can be pressed: only in `NEW`, with a name that is not blank. */
export function mayCreate({ name, state }: NewCategory): boolean {
  return state === 'NEW' && name.trim() !== '';
}

/** Longest SIS ID that the LMS takes. */
const LONGEST_SIS_ID = 255;

/**
 * Why no category can have this name, whatever the course has: what a spreadsheet made of it, or `long` for an SIS ID longer than
 * the LMS takes. Null: nothing is wrong.
 */
export function oddName(sisCourseId: string, name: string): { made: string } | 'long' | null {
  const made = spreadsheetValue(name);
  if (made !== null) return { made };
  return categorySisId(sisCourseId, name).length > LONGEST_SIS_ID ? 'long' : null;
}

/** Why a category cannot be given an SIS ID, or null: it has one, the LMS keeps it by itself, or another has that id. */
export function whyNoSisId(
  category: GroupCategory,
  sisCourseId: string,
  existing: readonly GroupCategory[],
): 'has-one' | 'kept-by-lms' | 'id-taken' | null {
  if (category.sis_group_category_id !== null) return 'has-one';
  if (category.role !== null) return 'kept-by-lms';
  const wanted = categorySisId(sisCourseId, category.name);
  return existing.some((one) => one.sis_group_category_id === wanted) ? 'id-taken' : null;
}

function creating(state: NewCategory, next: NewCategory['state']): NewCategory {
  return state.state === 'CREATING' ? { ...state, state: next } : state;
}
