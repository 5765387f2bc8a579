/** The administrator's choices and position in Section Enrollment (SE-02, SE-07 to SE-10). Pure. */
import { sectionEnrollmentMessages } from '@lms-admin/contract/messages/section-enrollment';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { z } from 'zod';
import {
  NOTHING_PICKED,
  type PickedCourse,
  type PickerAction,
  type PickerState,
  pick,
  pickedCourse,
  pickerMissing,
  pickerState,
} from '../../components/CoursePicker/picker-state.ts';
import {
  NEW_WIZARD,
  NOT_PREPARED,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';
import type { Missing } from '../../components/Wizard/wizard-state.ts';
import {
  type AssignedCount,
  type Assignment,
  assignment,
  countAssigned,
  entryOf,
  filledEntries,
  planRequestOf,
  type Role,
  type SectionEntry,
  type SectionName,
  sameEntries,
  sectionEntry,
} from './assignments.ts';
import { texts } from './texts.ts';

export const STEPS = sectionEnrollmentMessages.steps.length;

/** ID of the element that gets the focus after a warning of the review. */
export const REVIEW_FIELD = 'section-review';

/** Schema of every part that survives a reload. */
export const sectionShape = {
  ...wizardShape(STEPS),
  picker: pickerState,
  /** Includes courses that have been deselected, so that no entry is lost silently. */
  assigned: z.array(assignment),
  /** The content of a course's dialog while it is open. */
  draft: z
    .object({
      course: pickedCourse,
      entries: z.array(sectionEntry),
      /** Whether opening the dialog selected the course: closing it without saving deselects the course again. */
      chose: z.boolean().optional(),
    })
    .nullable(),
};

export type SectionState = { [Part in keyof typeof sectionShape]: z.infer<(typeof sectionShape)[Part]> };

export const EMPTY: SectionState = {
  ...NEW_WIZARD,
  picker: NOTHING_PICKED,
  assigned: [],
  draft: null,
};

/** The administrator's actions in the steps of this tool. */
export type SectionAction =
  | { type: 'pick'; pick: PickerAction }
  /** Opens the dialog of a course, which also selects the course. */
  | { type: 'open'; course: PickedCourse }
  | { type: 'edit'; entry: SectionEntry }
  /** Applies a role and an action to sections that have neither. */
  | { type: 'fill'; sections: readonly SectionName[]; role: Role; status: EnrollmentStatus }
  /** Saves the content of the dialog, for the existing sections. */
  | { type: 'save'; sections: ReadonlySet<number> }
  | { type: 'close' }
  /** Selects courses again whose people were kept aside. */
  | { type: 'choose-again'; courses: readonly number[] }
  | { type: 'forget'; course: number }
  /** After the end: the same courses, with no one in their sections yet. */
  | { type: 'another' };

/** Applies an action, and discards the plan if the assignments change, because it is valid only for them. */
export function sectionReducer(state: SectionState, action: SectionAction | WizardAction): SectionState {
  switch (action.type) {
    case 'pick':
      return picked(state, pick(state.picker, action.pick));
    case 'open': {
      const chosen = choose(state, action.course);
      const entries = assignmentOf(state, action.course.id)?.entries ?? [];
      const { id, name, sis_course_id, enrollment_term_id } = action.course;
      const chose = chosen !== state;
      return {
        ...chosen,
        draft: { course: { id, name, sis_course_id, enrollment_term_id }, entries, chose },
      };
    }
    case 'edit':
      return state.draft === null
        ? state
        : { ...state, draft: { ...state.draft, entries: withEntry(state.draft.entries, action.entry) } };
    case 'fill': {
      if (state.draft === null) return state;
      const { role, status } = action;
      const { entries } = state.draft;
      const unset = unsetSections(entries, action.sections).map((entry) => ({ ...entry, role, status }));
      return { ...state, draft: { ...state.draft, entries: unset.reduce(withEntry, entries) } };
    }
    case 'save':
      return saved(state, action.sections);
    case 'close':
      return closed(state);
    case 'choose-again':
      return action.courses.reduce((all, id) => {
        const course = assignmentOf(all, id)?.course;
        return course ? choose(all, course) : all;
      }, state);
    case 'forget':
      return { ...state, assigned: state.assigned.filter(({ course }) => course.id !== action.course) };
    case 'another':
      return { ...EMPTY, picker: state.picker };
    default:
      return wizardReducer(state, action, STEPS);
  }
}

export function assignmentOf(state: SectionState, course: number): Assignment | null {
  return state.assigned.find((one) => one.course.id === course) ?? null;
}

/** Lists the assignments in courses that have been deselected: they are not submitted. */
export function keptAside(state: SectionState): Assignment[] {
  const chosen = new Set(state.picker.courses.map(({ id }) => id));
  return state.assigned.filter(({ course }) => !chosen.has(course.id));
}

/** Tells whether a course can be selected again from here: it has to be among the listed ones (OP-31). */
export function canReselect({ picker }: SectionState, { course, accounts }: Assignment): boolean {
  const now = picker.subAccounts.map(({ id }) => id).join();
  return now === accounts.join() && picker.terms.some(({ id }) => id === course.enrollment_term_id);
}

/**
 * Finds the entry that step 'Programme and Term' still needs: the documented text and its field; null if Next can
 * continue.
 */
export function coursesMissing(state: SectionState, maxRows: number): Missing | null {
  const { rows } = countChosen(state);
  return (
    pickerMissing(state.picker) ??
    (rows > maxRows ? { message: texts.tooManyRows(rows, maxRows), field: texts.chosenId } : null)
  );
}

/** Finds the entry that the review still needs. @param found people whom the plan found; null if none */
export function reviewMissing(state: SectionState, found: number | null): Missing | null {
  const nobody = planRequestOf(state.picker.courses, state.assigned) === null || found === 0;
  return nobody ? { message: sectionEnrollmentMessages.noUsers, field: REVIEW_FIELD } : null;
}

/** Lists the chosen courses with people. */
export function assignedIn(state: SectionState): Assignment[] {
  const chosen = new Set(state.picker.courses.map(({ id }) => id));
  return state.assigned.filter(({ course }) => chosen.has(course.id));
}

/** Counts the people and sections in the chosen courses. */
export function countChosen(state: SectionState): AssignedCount {
  return countAssigned(assignedIn(state).flatMap(({ entries }) => entries));
}

function picked(state: SectionState, picker: PickerState): SectionState {
  if (picker === state.picker) return state;
  return { ...state, picker, ...(picker.courses === state.picker.courses ? {} : NOT_PREPARED) };
}

function choose(state: SectionState, course: PickedCourse): SectionState {
  const { courses } = state.picker;
  if (courses.some(({ id }) => id === course.id)) return state;
  return picked(state, pick(state.picker, { type: 'courses', courses: [...courses, course] }));
}

/** Lists the sections without a role and an action. */
export function unsetSections(
  entries: readonly SectionEntry[],
  sections: readonly SectionName[],
): SectionEntry[] {
  return sections
    .map((section) => entryOf(entries, section))
    .filter(({ role, status }) => role === null && status === null);
}

/** Returns the state without the entries of the dialog; a course that was selected only by opening it is deselected. */
function closed(state: SectionState): SectionState {
  const { draft } = state;
  const without = { ...state, draft: null };
  if (draft?.chose !== true || assignmentOf(state, draft.course.id) !== null) return without;
  const courses = state.picker.courses.filter(({ id }) => id !== draft.course.id);
  return picked(without, pick(without.picker, { type: 'courses', courses }));
}

function withEntry(entries: SectionEntry[], entry: SectionEntry): SectionEntry[] {
  return entries.some(({ section }) => section === entry.section)
    ? entries.map((one) => (one.section === entry.section ? entry : one))
    : [...entries, entry];
}

function saved(state: SectionState, sections: ReadonlySet<number>): SectionState {
  if (state.draft === null) return state;
  const { course } = state.draft;
  const entries = filledEntries(state.draft.entries.filter(({ section }) => sections.has(section)));
  const before = assignmentOf(state, course.id);
  if (sameEntries(before?.entries ?? [], entries)) return { ...state, draft: null };
  const others = state.assigned.filter((one) => one.course.id !== course.id);
  const accounts = state.picker.subAccounts.map(({ id }) => id);
  return {
    ...state,
    draft: null,
    assigned: entries.length === 0 ? others : [...others, { course, accounts, entries }],
    ...NOT_PREPARED,
  };
}
