/** The administrator's choices and entries in Group Enrollment (GRP-02, GRP-07, OP-75). Pure. */
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { z } from 'zod';
import {
  NOTHING_PICKED,
  type PickedCourse,
  type PickerAction,
  pick,
  pickerState,
} from '../../components/CoursePicker/picker-state.ts';
import {
  NEW_WIZARD,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';
import {
  type CourseWork,
  courseWork,
  isSent,
  NEW_WORK,
  type WorkAction,
  workReducer,
} from './course-work.ts';

export const STEPS = groupEnrollmentMessages.steps.length;

/** Maximum characters of a file that is kept through a reload: more would leave no space for anything else. */
export const KEPT_CHARACTERS = 1_000_000;

const chosenFile = z.object({
  name: z.string(),
  /** In bytes. */
  size: z.number(),
  /** Null for a file that cannot be used, and for one too large to be stored here. */
  text: z.string().max(KEPT_CHARACTERS).nullable(),
  /** Why the file cannot be used, according to the first check; null if it can. */
  problem: z.string().nullable(),
});
export type ChosenFile = z.infer<typeof chosenFile>;

/** Schema of every part that survives a reload; entries for a course are stored under its Canvas ID. */
export const groupShape = {
  ...wizardShape(STEPS),
  /** The chosen course is the one whose dialog is open: one at a time (OP-75). */
  picker: pickerState,
  works: z.record(z.string(), courseWork),
  files: z.record(z.string(), chosenFile),
  pasted: z.record(z.string(), z.string()),
};

export type GroupState = { [Part in keyof typeof groupShape]: z.infer<(typeof groupShape)[Part]> };

export const EMPTY: GroupState = {
  ...NEW_WIZARD,
  picker: NOTHING_PICKED,
  works: {},
  files: {},
  pasted: {},
};

/** The administrator's actions in the steps of this tool. */
export type GroupAction =
  /** Choosing a course opens its dialog. */
  | { type: 'pick'; pick: PickerAction }
  | { type: 'close' }
  | { type: 'work'; course: number; action: WorkAction }
  | { type: 'file'; course: number; file: ChosenFile | null }
  | { type: 'pasted'; course: number; text: string };

export function groupReducer(state: GroupState, action: GroupAction | WizardAction): GroupState {
  switch (action.type) {
    case 'pick': {
      const picker = pick(state.picker, oneCourse(action.pick));
      return picker === state.picker ? state : { ...state, picker };
    }
    case 'close':
      return { ...state, picker: { ...state.picker, courses: [] } };
    case 'work':
      return work(state, action.course, action.action);
    case 'file': {
      if (isSent(workOf(state, action.course).members)) return state;
      const { [action.course]: _, ...others } = state.files;
      const files = action.file === null ? others : { ...others, [action.course]: action.file };
      return work({ ...state, files }, action.course, INPUT);
    }
    case 'pasted':
      if (isSent(workOf(state, action.course).members)) return state;
      return work(
        { ...state, pasted: { ...state.pasted, [action.course]: action.text } },
        action.course,
        INPUT,
      );
    default:
      return wizardReducer(state, action, STEPS);
  }
}

const INPUT: WorkAction = { type: 'members', action: { type: 'input' } };

/** Returns the entries in the dialog of a course. */
export function workOf({ works }: GroupState, course: number): CourseWork {
  return works[course] ?? NEW_WORK;
}

/** A course with the name of its term. */
export type OpenCourse = PickedCourse & { term: string };

/** Finds the course whose dialog is open. */
export function openCourse({ picker }: GroupState): OpenCourse | null {
  const [course] = picker.courses;
  if (!course) return null;
  return { ...course, term: picker.terms.find(({ id }) => id === course.enrollment_term_id)?.name ?? '' };
}

function work(state: GroupState, course: number, action: WorkAction): GroupState {
  const before = workOf(state, course);
  const next = workReducer(before, action);
  return next === before ? state : { ...state, works: { ...state.works, [course]: next } };
}

function oneCourse(action: PickerAction): PickerAction {
  return action.type === 'courses' ? { ...action, courses: action.courses.slice(-1) } : action;
}
