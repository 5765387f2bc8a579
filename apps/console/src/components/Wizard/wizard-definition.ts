/** A tool with steps, as data: the parts of its screen. */
import type { ToolId } from '@lms-admin/contract/tools';
import type { Dispatch } from 'react';
import type { StoredShape } from '../../api/stored-state.ts';
import type { Part } from '../later.tsx';
import type { WizardAction, WizardParts } from './wizard-reducer.ts';
import type { Missing } from './wizard-state.ts';

/** Props of a step's screen. */
export interface StepProps<State, Action, Work> {
  state: State;
  dispatch: Dispatch<Action | WizardAction>;
  work: Work;
}

/** Props of the progress screen. */
export interface ProgressProps<State, Action, Work> extends StepProps<State, Action, Work> {
  /** 'Back to Home' (SHELL-33): clears the entries, and reloads the page (OP-21). */
  onHome: () => void;
}

export interface WizardStep<State, Action, Work> {
  /** The first screen is in the tool's own script; the others are loaded with `later`. */
  Screen: Part<StepProps<State, Action, Work>>;
  /** What the step still needs, checked when Next is pressed; null if the administrator can continue. */
  missing?: (state: State, work: Work) => Missing | null;
  /** Why Next cannot be pressed at the moment, or null. */
  blocked?: (state: State, work: Work) => string | null;
  /** Label of Next on this step, if it differs; null on a last step that only shows something. */
  nextLabel?: string | null | ((state: State, work: Work) => string | undefined);
  /** Whether Next removes anything; it is then red. */
  removes?: (state: State, work: Work) => boolean;
  /** Text about the removals, if the documented label of Next does not name them; null for none. */
  takes?: (state: State, work: Work) => string | null;
}

/** @typeParam Action the tool's own actions @typeParam Work the data of its steps outside the state */
export interface WizardDefinition<State extends WizardParts, Action, Work> {
  tool: ToolId;
  texts: {
    /** Titles of the steps; if the documents make the progress a separate step, it is the last one. */
    steps: readonly string[];
    /** The purpose of each step, in one sentence. */
    purpose: readonly string[];
    /** Title above the progress, if any. */
    progress?: string;
  };
  /** The tool's stored state, which survives a reload: a schema of every part, its initial value, and its reducer. */
  store: {
    shape: StoredShape<State>;
    initial: State;
    reduce: (state: State, action: Action | WizardAction) => State;
  };
  /**
   * A hook for the data of the steps outside the state: plans, uploads, lookups, settings.
   * @param reviewing whether the last step is shown
   */
  useWork: (state: State, dispatch: Dispatch<Action | WizardAction>, reviewing: boolean) => Work;
  /** The steps with Back and Next; the last one is the review. */
  steps: readonly WizardStep<State, Action, Work>[];
  /** A summary of the choices, such as `3 courses · 12 people`. @param reviewing as above */
  sum: (state: State, work: Work, reviewing: boolean) => string;
  /**
   * The key of the final submission, by which a repeat is recognised; null while there is nothing to send. Omitted,
   * with `Progress`, by a tool whose last step only shows something.
   */
  submits?: (state: State, work: Work) => string | null;
  Progress?: Part<ProgressProps<State, Action, Work>>;
  /** Action for texts from another tool. */
  takeOver?: (texts: readonly string[]) => Action;
}
