/** Everything a person has chosen and reached in Section Enrollment (SE-02, SE-07 to SE-10). Pure. */
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

/** Id of the place that a warning of the review goes to. */
export const REVIEW_FIELD = 'section-review';

/** Schema of every part that survives a reload. */
export const sectionShape = {
  ...wizardShape(STEPS),
  picker: pickerState,
  /** Also of courses that are not chosen any more: nothing that was entered goes away without a word. */
  assigned: z.array(assignment),
  /** What is in the dialog of a course while it is open. */
  draft: z
    .object({
      course: pickedCourse,
      entries: z.array(sectionEntry),
      /** Whether the course was chosen by opening its dialog: closing it without saving takes that back. */
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

/** What an admin does in the steps of this tool. */
export type SectionAction =
  | { type: 'pick'; pick: PickerAction }
  /** Opens the dialog of a course, which is chosen by it. */
  | { type: 'open'; course: PickedCourse }
  | { type: 'edit'; entry: SectionEntry }
  /** Gives a role and an action to sections that have neither. */
  | { type: 'fill'; sections: readonly SectionName[]; role: Role; status: EnrollmentStatus }
  /** Keeps what is in the dialog, for the sections that there are. */
  | { type: 'save'; sections: ReadonlySet<number> }
  | { type: 'close' }
  /** Chooses courses again whose people were kept aside. */
  | { type: 'choose-again'; courses: readonly number[] }
  | { type: 'forget'; course: number }
  /** After the end: the same courses, no one in their sections yet. */
  | { type: 'another' };

/** What was planned belongs to what is assigned: any change makes it void. */
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

/** What is assigned in courses that are not chosen any more: it is not submitted. */
export function keptAside(state: SectionState): Assignment[] {
  const chosen = new Set(state.picker.courses.map(({ id }) => id));
  return state.assigned.filter(({ course }) => !chosen.has(course.id));
}

/** Whether a course can be chosen again from here: it has to be among the listed ones (OP-31). */
export function canChooseAgain({ picker }: SectionState, { course, accounts }: Assignment): boolean {
  const now = picker.subAccounts.map(({ id }) => id).join();
  return now === accounts.join() && picker.terms.some(({ id }) => id === course.enrollment_term_id);
}

/** What step 'Programme and Term' misses: the documented text and the field to go to; null when Next may go on. */
export function coursesMissing(state: SectionState, maxRows: number): Missing | null {
  const { rows } = countChosen(state);
  return (
    pickerMissing(state.picker) ??
    (rows > maxRows ? { message: texts.tooManyRows(rows, maxRows), field: texts.chosenId } : null)
  );
}

/** What the review misses. @param found people whom the plan found; null while there is none */
export function reviewMissing(state: SectionState, found: number | null): Missing | null {
  const nobody = planRequestOf(state.picker.courses, state.assigned) === null || found === 0;
  return nobody ? { message: sectionEnrollmentMessages.noUsers, field: REVIEW_FIELD } : null;
}

/** The chosen courses with people. */
export function assignedIn(state: SectionState): Assignment[] {
  const chosen = new Set(state.picker.courses.map(({ id }) => id));
  return state.assigned.filter(({ course }) => chosen.has(course.id));
}

/** What is assigned in the chosen courses. */
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

/** Sections for which neither role nor action has been chosen. */
export function unsetSections(
  entries: readonly SectionEntry[],
  sections: readonly SectionName[],
): SectionEntry[] {
  return sections
    .map((section) => entryOf(entries, section))
    .filter(({ role, status }) => role === null && status === null);
}

/** Without what was entered in the dialog; a course that was only chosen by opening it is not chosen any more. */
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
