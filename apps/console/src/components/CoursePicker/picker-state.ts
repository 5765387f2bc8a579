/**
 * The choices of the step 'Programme and Term', and how a change of one removes others (PICK-02 to PICK-04, PICK-17 to
 * PICK-21). Pure.
 */
import { messages } from '@lms-admin/contract/messages';
import { z } from 'zod';

const named = z.object({ id: z.number(), name: z.string() });
export type Named = z.infer<typeof named>;

export const pickedCourse = z.object({
  id: z.number(),
  name: z.string(),
  sis_course_id: z.string(),
  enrollment_term_id: z.number(),
});
/** A chosen course, with the fields that later steps show. */
export type PickedCourse = z.infer<typeof pickedCourse>;

export const pickerState = z.object({
  programme: named.nullable(),
  subAccounts: z.array(named),
  terms: z.array(named),
  courses: z.array(pickedCourse),
});
export type PickerState = z.infer<typeof pickerState>;

export const NOTHING_PICKED: PickerState = { programme: null, subAccounts: [], terms: [], courses: [] };

export type PickerAction =
  /** `ownSubAccount`: the programme counts as its own sub-account, so that its courses load immediately (PICK-19). */
  | { type: 'programme'; programme: Named | null; ownSubAccount: boolean }
  /** Applies the last programme, sub-accounts and terms with one press. */
  | { type: 'recall'; choice: Omit<PickerState, 'courses'>; most: number }
  | { type: 'sub-accounts'; subAccounts: readonly Named[]; most: number }
  | { type: 'terms'; terms: readonly Named[]; most: number }
  | { type: 'courses'; courses: readonly PickedCourse[] }
  /** All courses have been read: courses not among them cannot stay chosen. */
  | { type: 'listed'; ids: ReadonlySet<number> };

/** Applies an action. A course stays chosen only with its term (OP-31: a hidden course is never submitted). */
export function pick(state: PickerState, action: PickerAction): PickerState {
  switch (action.type) {
    case 'programme': {
      if (state.programme?.id === action.programme?.id) return state;
      const programme = action.programme && plain(action.programme);
      return {
        ...NOTHING_PICKED,
        programme,
        subAccounts: programme && action.ownSubAccount ? [programme] : [],
      };
    }
    case 'recall': {
      const { programme, subAccounts, terms } = action.choice;
      return {
        programme: programme && plain(programme),
        subAccounts: subAccounts.slice(0, action.most).map(plain),
        terms: terms.slice(0, action.most).map(plain),
        courses: [],
      };
    }
    case 'sub-accounts':
      if (action.subAccounts.length > action.most || sameIds(state.subAccounts, action.subAccounts))
        return state;
      return { ...state, subAccounts: action.subAccounts.map(plain), terms: [], courses: [] };
    case 'terms': {
      if (action.terms.length > action.most) return state;
      const terms = new Set(action.terms.map((term) => term.id));
      return {
        ...state,
        terms: action.terms.map(plain),
        courses: state.courses.filter((course) => terms.has(course.enrollment_term_id)),
      };
    }
    case 'courses': {
      const terms = new Set(state.terms.map((term) => term.id));
      return {
        ...state,
        courses: action.courses
          .filter((course) => terms.has(course.enrollment_term_id))
          .map(({ id, name, sis_course_id, enrollment_term_id }) => ({
            id,
            name,
            sis_course_id,
            enrollment_term_id,
          })),
      };
    }
    case 'listed': {
      const courses = state.courses.filter((course) => action.ids.has(course.id));
      return courses.length === state.courses.length ? state : { ...state, courses };
    }
  }
}

/** IDs of the fields in the page, for the focus after a warning. */
export const PICKER_FIELDS = {
  programme: 'picker-programme',
  subAccounts: 'picker-sub-accounts',
  terms: 'picker-terms',
  courses: 'picker-courses',
} as const;

/** Finds the entry that the step still needs, with the field to go to; null if none is missing (PICK-24, PICK-25). */
export function pickerMissing(state: PickerState): { message: string; field: string } | null {
  const { needProgrammeAndTerm, needCourses } = messages.picker;
  if (!state.programme) return { message: needProgrammeAndTerm, field: PICKER_FIELDS.programme };
  if (state.subAccounts.length === 0)
    return { message: needProgrammeAndTerm, field: PICKER_FIELDS.subAccounts };
  if (state.terms.length === 0) return { message: needProgrammeAndTerm, field: PICKER_FIELDS.terms };
  if (state.courses.length === 0) return { message: needCourses, field: PICKER_FIELDS.courses };
  return null;
}

function plain({ id, name }: Named): Named {
  return { id, name };
}

function sameIds(a: readonly Named[], b: readonly Named[]): boolean {
  return a.length === b.length && a.every((one, index) => one.id === b[index]?.id);
}
