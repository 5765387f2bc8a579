/** What was confirmed and sent, kept through a reload (IMP-19, OP-41, OP-42). Pure. */
import { z } from 'zod';
import { moveWizard, type WizardState } from '../Wizard/wizard-state.ts';

/** Schema of the part of a tool's stored state that its progress view works with. */
export const submissionState = z.object({
  /** What makes a repeat harmless: the id of the plan or file that was confirmed, or a key made for the rows. */
  key: z.string().nullable(),
  /** Id of the import, once the server has answered. */
  import: z.string().nullable(),
  /** What has been written to the log already (OP-41). */
  logged: z.array(z.enum(['created', 'ended'])),
});
export type SubmissionState = z.infer<typeof submissionState>;

export const NOT_SUBMITTED: SubmissionState = { key: null, import: null, logged: [] };

export type SubmissionAction =
  | { type: 'submitted'; import: string }
  | { type: 'logged'; what: 'created' | 'ended' };

export function submissionReducer(state: SubmissionState, action: SubmissionAction): SubmissionState {
  return action.type === 'submitted'
    ? { ...state, import: action.import }
    : { ...state, logged: [...state.logged, action.what] };
}

/** A tool's state, as far as submitting changes it. */
interface Submitting {
  wizard: WizardState;
  submission: SubmissionState;
}

/** The last press: the progress view; from here on only what has this key can be sent. */
export function submit<S extends Submitting>(state: S, key: string, steps: number): S {
  return {
    ...state,
    wizard: moveWizard(state.wizard, { type: 'next' }, steps),
    submission: { ...NOT_SUBMITTED, key },
  };
}

/** The server said that nothing was sent: the last step again, unless there is an import after all. */
export function notSent<S extends Submitting>(state: S, steps: number): S {
  if (state.submission.import !== null) return state;
  return {
    ...state,
    wizard: moveWizard(state.wizard, { type: 'reopen' }, steps),
    submission: NOT_SUBMITTED,
  };
}
