/** What every wizard keeps and does alike: its steps, what was prepared for the last press, and what was sent. Pure. */
import { z } from 'zod';
import {
  NOT_SUBMITTED,
  type SubmissionAction,
  type SubmissionState,
  submissionReducer,
  submissionState,
} from '../Submission/submission-state.ts';
import type { WizardPlace } from './wizard-state.ts';

/** What is kept of something that the server works out before the last press. */
export interface PlanParts {
  /**
   * Id of what was worked out for the review (a plan, a checked file): null until it is, and again as soon as it does not
   * belong to what is entered any more.
   */
  prepared: string | null;
  /** Key under which it is worked out: the server begins once for each. Null while nothing is. */
  preparing: string | null;
}

/** The parts that every wizard's state has beside the tool's own. */
export interface WizardParts extends PlanParts {
  wizard: WizardPlace;
  submission: SubmissionState;
}

/** What was entered has changed: what was worked out, or is being, does not belong to it. */
export const NOT_PREPARED: PlanParts = { prepared: null, preparing: null };

/** Schemas of those parts, for what survives a reload. @param steps how many have Back and Next */
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

/** A wizard in which nothing has been done. */
export const NEW_WIZARD: WizardParts = {
  wizard: { step: 0, view: 'steps' },
  ...NOT_PREPARED,
  submission: NOT_SUBMITTED,
};

export type PlanAction =
  /** It is being worked out, for the first time or again. */
  | { type: 'preparing'; key: string }
  | { type: 'prepared'; id: string }
  /** What was prepared is to be worked out again. */
  | { type: 'prepare-again' };

export type WizardAction =
  | { type: 'next' }
  | { type: 'back' }
  | PlanAction
  /** The last press: from here on only what has this key can be sent. */
  | { type: 'submit'; key: string }
  /** Goes to the import that what was prepared became elsewhere. */
  | { type: 'follow'; key: string; import: string }
  /** The server said that nothing was sent: the last step again. */
  | { type: 'not-sent' }
  /** The session was over when it was to be sent: the last step again, which waits for another press. */
  | { type: 'signed-out' }
  | SubmissionAction;

/**
 * What a wizard does alike in every tool; a tool's own reducer leaves to it what is not its own.
 * @param steps how many steps have Back and Next
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
      // An earlier try may have got through: under the same key it is found again, and not sent twice.
      const back = notSent(state, steps);
      return back === state
        ? state
        : { ...back, submission: { ...NOT_SUBMITTED, key: state.submission.key } };
    }
    case 'next':
      // The last step is left by `submit` only.
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
      // What is not the thing that is shown is not sent.
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

/** Back from the progress to the last step, unless there is an import after all. */
export function notSent<S extends WizardParts>(state: S, steps: number): S {
  if (state.submission.import !== null) return state;
  return { ...atStep(state, steps - 1), submission: NOT_SUBMITTED };
}

function atStep<S extends WizardParts>(state: S, step: number): S {
  return { ...state, wizard: { step, view: 'steps' } };
}
