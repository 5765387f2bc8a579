/** The state and behaviour that all wizards share: steps, preparation of the review, and submission. Pure. */
import { z } from 'zod';
import {
  NOT_SUBMITTED,
  type SubmissionAction,
  type SubmissionState,
  submissionReducer,
  submissionState,
} from '../Submission/submission-state.ts';
import type { WizardPlace } from './wizard-state.ts';

/** State of a plan or file that the server prepares for the review. */
export interface PlanParts {
  /** ID of the prepared plan or checked file: null until it is ready, and again as soon as the entries have changed. */
  prepared: string | null;
  /** Key of the preparation: the server starts one for each key. Null while nothing is being prepared. */
  preparing: string | null;
}

/** The parts that every wizard's state has in addition to the tool's own. */
export interface WizardParts extends PlanParts {
  wizard: WizardPlace;
  submission: SubmissionState;
}

/** The entries have changed, so the preparation does not match them. */
export const NOT_PREPARED: PlanParts = { prepared: null, preparing: null };

/** Returns the schemas of the parts that survive a reload. @param steps number of steps with Back and Next */
export function wizardShape(steps: number) {
  const step = z
    .number()
    .int()
    .min(0)
    .max(steps - 1);
  return {
    wizard: z.object({ step, view: z.enum(['steps', 'progress']) }),
    prepared: z.string().nullable(),
    preparing: z.string().nullable(),
    submission: submissionState,
  };
}

/** A wizard in its initial state. */
export const NEW_WIZARD: WizardParts = {
  wizard: { step: 0, view: 'steps' },
  ...NOT_PREPARED,
  submission: NOT_SUBMITTED,
};

export type PlanAction =
  /** The preparation has started, for the first time or again. */
  | { type: 'preparing'; key: string }
  | { type: 'prepared'; id: string }
  /** The preparation has to start again. */
  | { type: 'prepare-again' };

export type WizardAction =
  | { type: 'next' }
  | { type: 'back' }
  | PlanAction
  /** Final submission: from here on, only this key can be sent. */
  | { type: 'submit'; key: string }
  /** Opens the import that another tab submitted from the same preparation. */
  | { type: 'follow'; key: string; import: string }
  /** The server said that nothing was sent: return to the last step. */
  | { type: 'not-sent' }
  /** The session had expired at submission: return to the last step, which waits for another press. */
  | { type: 'signed-out' }
  | SubmissionAction;

/**
 * Handles the actions common to all wizards; a tool's own reducer passes on the actions that it does not handle.
 * @param steps number of steps with Back and Next
 */
export function wizardReducer<S extends WizardParts>(state: S, action: WizardAction, steps: number): S {
  const { step, view } = state.wizard;
  switch (action.type) {
    case 'submitted':
    case 'logged':
      return { ...state, submission: submissionReducer(state.submission, action) };
    case 'not-sent':
      return notSent(state, steps);
    case 'signed-out': {
      // An earlier attempt may have reached the server: with the same key it is found again and not sent twice.
      const back = notSent(state, steps);
      return back === state
        ? state
        : { ...back, submission: { ...NOT_SUBMITTED, key: state.submission.key } };
    }
    case 'next':
      // Only `submit` leaves the last step.
      return view === 'progress' || step >= steps - 1 ? state : atStep(state, step + 1);
    case 'back':
      return view === 'progress' || step === 0 ? state : atStep(state, step - 1);
    case 'preparing':
      return view === 'progress' ? state : { ...state, prepared: null, preparing: action.key };
    case 'prepared':
      return view === 'progress' ? state : { ...state, prepared: action.id, preparing: null };
    case 'prepare-again':
      return view === 'progress' ? state : { ...state, ...NOT_PREPARED };
    case 'submit':
      // Only the displayed preparation can be sent.
      return state.prepared === action.key ? submit(state, action.key, steps) : state;
    case 'follow': {
      const sent = wizardReducer(state, { type: 'submit', key: action.key }, steps);
      return sent === state
        ? state
        : wizardReducer(sent, { type: 'submitted', import: action.import }, steps);
    }
  }
}

/** Opens the progress with this key; a second press, or one before the last step, changes nothing. */
export function submit<S extends WizardParts>(state: S, key: string, steps: number): S {
  const { step, view } = state.wizard;
  if (view === 'progress' || step !== steps - 1) return state;
  return { ...state, wizard: { step, view: 'progress' }, submission: { ...NOT_SUBMITTED, key } };
}

/** Returns from the progress to the last step, unless the import turns out to exist. */
export function notSent<S extends WizardParts>(state: S, steps: number): S {
  if (state.submission.import !== null) return state;
  return { ...atStep(state, steps - 1), submission: NOT_SUBMITTED };
}

function atStep<S extends WizardParts>(state: S, step: number): S {
  return { ...state, wizard: { step, view: 'steps' } };
}
