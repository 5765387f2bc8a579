/** Everything a person has chosen and reached in Course Enrollment (CE-02 to CE-08). Pure; what the server works out is not here. */
import { messages } from '@lms-admin/contract/messages';
import { isEmail } from '@lms-admin/domain/emails';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { z } from 'zod';
import {
  type ChipsState,
  chipsState,
  NO_CHIPS,
  problemText,
} from '../../components/ChipsInput/chips-state.ts';
import {
  NOTHING_PICKED,
  type PickerAction,
  pick,
  pickerMissing,
  pickerState,
} from '../../components/CoursePicker/picker-state.ts';
import {
  NOT_SUBMITTED,
  notSent,
  type SubmissionAction,
  submissionReducer,
  submissionState,
  submit,
} from '../../components/Submission/submission-state.ts';
import {
  FIRST_STEP,
  type Missing,
  moveWizard,
  type WizardAction,
  wizardShape,
} from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export const STEPS = messages.enrollment.steps.length;

/** Ids of the fields of step 1, for the focus after a warning. */
export const FIELDS = {
  role: 'enrollment-role',
  action: 'enrollment-action',
  people: 'enrollment-people',
} as const;

const review = z.object({
  /** Id of the plan that belongs to what is chosen, null until it is worked out. */
  plan: z.uuid().nullable(),
  /** Whether the admin has pressed Continue in the dialog on people who were not found. */
  knowsMissing: z.boolean(),
});

/** Schema of every part that survives a reload. */
export const enrollmentShape = {
  wizard: wizardShape(STEPS),
  picker: pickerState,
  role: z.object({ id: z.number(), label: z.string() }).nullable(),
  status: z.enum(['active', 'deleted']).nullable(),
  people: chipsState,
  review,
  submission: submissionState,
};

export type EnrollmentState = {
  [Part in keyof typeof enrollmentShape]: z.infer<(typeof enrollmentShape)[Part]>;
};
export type Role = NonNullable<EnrollmentState['role']>;

const NO_REVIEW: EnrollmentState['review'] = { plan: null, knowsMissing: false };

export const EMPTY: EnrollmentState = {
  wizard: FIRST_STEP,
  picker: NOTHING_PICKED,
  role: null,
  status: null,
  people: NO_CHIPS,
  review: NO_REVIEW,
  submission: NOT_SUBMITTED,
};

export type EnrollmentAction =
  | { type: 'move'; move: WizardAction }
  | { type: 'pick'; pick: PickerAction }
  | { type: 'role'; role: Role | null }
  | { type: 'status'; status: EnrollmentStatus }
  | { type: 'people'; people: ChipsState }
  | { type: 'planned'; plan: string }
  /** The plan is to be worked out again. */
  | { type: 'replan' }
  | { type: 'knows-missing' }
  /** Next on the review: from here on only this plan can be sent. */
  | { type: 'submit'; plan: string }
  /** The server said that nothing was sent: the review again. */
  | { type: 'not-sent' }
  | SubmissionAction;

export function enrollmentReducer(state: EnrollmentState, action: EnrollmentAction): EnrollmentState {
  switch (action.type) {
    case 'move':
      return { ...state, wizard: moveWizard(state.wizard, action.move, STEPS) };
    case 'pick': {
      const picker = pick(state.picker, action.pick);
      if (picker === state.picker) return state;
      return { ...state, picker, review: picker.courses === state.picker.courses ? state.review : NO_REVIEW };
    }
    case 'role':
      return { ...state, role: action.role, review: NO_REVIEW };
    case 'status':
      return { ...state, status: action.status, review: NO_REVIEW };
    case 'people': {
      const same = action.people.chips === state.people.chips;
      return { ...state, people: action.people, review: same ? state.review : NO_REVIEW };
    }
    case 'planned':
      return { ...state, review: { plan: action.plan, knowsMissing: false } };
    case 'replan':
      return { ...state, review: NO_REVIEW };
    case 'knows-missing':
      return { ...state, review: { ...state.review, knowsMissing: true } };
    case 'submit':
      // A second press, or one on a plan that is not the one shown, changes nothing.
      if (state.wizard.view === 'progress' || state.review.plan !== action.plan) return state;
      return submit(state, action.plan, STEPS);
    case 'not-sent':
      return notSent(state, STEPS);
    case 'submitted':
    case 'logged':
      return { ...state, submission: submissionReducer(state.submission, action) };
  }
}

/** What the current step misses: the documented text and the field to go to; null when Next may go on. */
export function missing(state: EnrollmentState, maxRows: number): Missing | null {
  if (state.wizard.step === 0) return pickerMissing(state.picker);
  if (state.wizard.step > 1) return null;
  const { needRole, needAction, needUsers } = messages.enrollment;
  if (!state.role) return { message: needRole, field: FIELDS.role };
  if (!state.status) return { message: needAction, field: FIELDS.action };
  const rest = state.people.text.trim();
  // What is left in the field was refused; going on would leave that person out without a word.
  if (rest !== '' && !isEmail(rest))
    return { message: problemText({ kind: 'invalid', text: rest }), field: FIELDS.people };
  if (state.people.chips.length === 0) return { message: needUsers, field: FIELDS.people };
  const rows = state.people.chips.length * state.picker.courses.length;
  if (rows > maxRows) return { message: texts.tooManyRows(rows, maxRows), field: FIELDS.people };
  return null;
}
