/**
 * The administrator's choices and position in Course Enrollment (CE-02 to CE-08). Pure; does not contain results of
 * the server.
 */
import { messages } from '@lms-admin/contract/messages';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { z } from 'zod';
import { type ChipsState, chipsState, NO_CHIPS, refusal } from '../../components/ChipsInput/chips-state.ts';
import {
  NOTHING_PICKED,
  type PickerAction,
  pick,
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
import { texts } from './texts.ts';

export const STEPS = messages.enrollment.steps.length;

/** IDs of the fields of step 1, for the focus after a warning. */
export const FIELDS = {
  role: 'enrollment-role',
  action: 'enrollment-action',
  people: 'enrollment-people',
} as const;

/** Schema of every part that survives a reload. */
export const enrollmentShape = {
  ...wizardShape(STEPS),
  picker: pickerState,
  role: z.object({ id: z.number(), label: z.string() }).nullable(),
  status: z.enum(['active', 'deleted']).nullable(),
  people: chipsState,
  /** ID of the plan for which Continue was pressed in the dialog about people who were not found; null for none. */
  knownMissing: z.string().nullable(),
};

export type EnrollmentState = {
  [Part in keyof typeof enrollmentShape]: z.infer<(typeof enrollmentShape)[Part]>;
};
export type Role = NonNullable<EnrollmentState['role']>;

export const EMPTY: EnrollmentState = {
  ...NEW_WIZARD,
  picker: NOTHING_PICKED,
  role: null,
  status: null,
  people: NO_CHIPS,
  knownMissing: null,
};

/** The administrator's actions in the steps of this tool. */
export type EnrollmentAction =
  | { type: 'pick'; pick: PickerAction }
  | { type: 'role'; role: Role | null }
  | { type: 'status'; status: EnrollmentStatus }
  | { type: 'people'; people: ChipsState }
  /** After the end: the same courses and role, other people. Adding or removing has to be chosen again. */
  | { type: 'another' }
  /** Continues without the people who were not found. */
  | { type: 'knows-missing' };

/** Applies an action, and discards the plan if the choices change, because it is valid only for them. */
export function enrollmentReducer(
  state: EnrollmentState,
  action: EnrollmentAction | WizardAction,
): EnrollmentState {
  switch (action.type) {
    case 'pick': {
      const picker = pick(state.picker, action.pick);
      if (picker === state.picker) return state;
      return { ...state, picker, ...(picker.courses === state.picker.courses ? {} : NOT_PREPARED) };
    }
    case 'role':
      return { ...state, role: action.role, ...NOT_PREPARED };
    case 'status':
      return { ...state, status: action.status, ...NOT_PREPARED };
    case 'people': {
      const same = action.people.chips === state.people.chips;
      return { ...state, people: action.people, ...(same ? {} : NOT_PREPARED) };
    }
    case 'another': {
      const { picker, role } = state;
      // Removing people has to be chosen again each time.
      const status = state.status === 'active' ? state.status : null;
      return { ...EMPTY, wizard: { step: 1, view: 'steps' }, picker, role, status };
    }
    case 'knows-missing':
      return { ...state, knownMissing: state.prepared };
    default:
      return wizardReducer(state, action, STEPS);
  }
}

/**
 * Finds the entry that step 'Roles and Users' still needs: the documented text and the field to go to; null if Next can
 * continue.
 */
export function peopleMissing(state: EnrollmentState, maxRows: number): Missing | null {
  const { needRole, needAction, needUsers } = messages.enrollment;
  if (!state.role) return { message: needRole, field: FIELDS.role };
  if (!state.status) return { message: needAction, field: FIELDS.action };
  // The remaining text of the field is not valid; continuing would silently skip a person.
  const refused = refusal('email', state.people);
  if (refused !== null) return { message: refused, field: FIELDS.people };
  if (state.people.chips.length === 0) return { message: needUsers, field: FIELDS.people };
  const rows = state.people.chips.length * state.picker.courses.length;
  if (rows > maxRows) return { message: texts.tooManyRows(rows, maxRows), field: FIELDS.people };
  return null;
}
