/** Creating a group category: `NEW`, `CREATING`, `CREATED`, `ERROR_NAME` (GRP-11, GRP-12, OP-76). Pure. */
import type { GroupCategory } from '@lms-admin/contract/canvas-objects';
import { categorySisId } from '@lms-admin/domain/groups';
import { spreadsheetValue } from '@lms-admin/domain/spreadsheet-values';
import { z } from 'zod';

/** Maximum length of a name in the LMS. */
export const MAX_CATEGORY_NAME = 250;

export const newCategory = z.object({
  name: z.string().max(MAX_CATEGORY_NAME),
  state: z.enum(['NEW', 'CREATING', 'CREATED', 'ERROR_NAME']),
});
export type NewCategory = z.infer<typeof newCategory>;

export const NO_CATEGORY: NewCategory = { name: '', state: 'NEW' };

export type CategoryAction =
  | { type: 'name'; name: string }
  /** 'Create' was pressed. */
  | { type: 'create' }
  | { type: 'created' }
  /** The LMS already has a category with this name. */
  | { type: 'taken' }
  /** Nothing was created. */
  | { type: 'failed' };

export function categoryReducer(state: NewCategory, action: CategoryAction): NewCategory {
  switch (action.type) {
    case 'name':
      // A name that is being sent cannot be changed.
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

/** Tells whether 'Create' can be pressed: only in `NEW`, with a name that is not empty. */
export function mayCreate({ name, state }: NewCategory): boolean {
  return state === 'NEW' && name.trim() !== '';
}

/** Maximum length of an SIS ID in the LMS. */
const LONGEST_SIS_ID = 255;

/**
 * Explains why this name cannot be used for a category of any course: a spreadsheet has changed it, or `long` if its
 * SIS ID would be too long for the LMS. Null if it can be used.
 */
export function oddName(sisCourseId: string, name: string): { converted: string } | 'long' | null {
  const converted = spreadsheetValue(name);
  if (converted !== null) return { converted };
  return categorySisId(sisCourseId, name).length > LONGEST_SIS_ID ? 'long' : null;
}

/**
 * Explains why a category cannot be given an SIS ID (it has one, the LMS manages it, or another category has that ID),
 * or null.
 */
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
