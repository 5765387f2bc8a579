/** Where a person is in a tool of several steps. Pure; what the steps hold is the tool's own. */
import { z } from 'zod';

/** `progress` follows the last step and has no way back (SHELL-31). */
export type WizardView = 'steps' | 'progress';

export interface WizardState {
  step: number;
  view: WizardView;
}

/** Schema of the place in a wizard of so many steps, for what survives a reload. */
export function wizardShape(steps: number) {
  return z.object({
    step: z
      .number()
      .int()
      .min(0)
      .max(steps - 1),
    view: z.enum(['steps', 'progress']),
  });
}

export type WizardAction =
  | { type: 'next' }
  | { type: 'back' }
  /** Jumps back to an earlier step; a later one can only be reached through Next. */
  | { type: 'go'; step: number }
  /** Only for work that was never sent: the last step again. */
  | { type: 'reopen' };

export const FIRST_STEP: WizardState = { step: 0, view: 'steps' };

/** Moves between the steps of a wizard with `steps` steps; Next on the last one opens the progress view. */
export function moveWizard(state: WizardState, action: WizardAction, steps: number): WizardState {
  const last = steps - 1;
  if (action.type === 'reopen') return { step: last, view: 'steps' };
  if (state.view === 'progress') return state;
  switch (action.type) {
    case 'next':
      return state.step >= last ? { step: last, view: 'progress' } : { ...state, step: state.step + 1 };
    case 'back':
      return state.step === 0 ? state : { ...state, step: state.step - 1 };
    case 'go':
      return action.step >= 0 && action.step < state.step ? { ...state, step: action.step } : state;
  }
}

/** What a step still misses: the documented text, and the id of the field to go to. */
export interface Missing {
  message: string;
  field: string;
}

/** `1 course`, `12 people`: a number with its word, thousands grouped. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}

/** Letters of a part that has to break all the same: the name of a file. */
const LONG_PART = 32;

/** A short line breaks between the parts of a sum, never between a figure and its word. */
export function unbroken(sum: string): string {
  const parts = sum.split(' · ');
  return parts.map((part) => (part.length > LONG_PART ? part : part.replaceAll(' ', '\u00a0'))).join(' · ');
}
