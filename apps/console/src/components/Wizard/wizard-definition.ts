/** A tool that goes step by step, as data: what its screen is made of. */
import type { ToolId } from '@lms-admin/contract/tools';
import type { Dispatch } from 'react';
import type { StoredShape } from '../../api/stored-state.ts';
import type { Part } from '../later.tsx';
import type { WizardAction, WizardParts } from './wizard-reducer.ts';
import type { Missing } from './wizard-state.ts';

/** What the screen of a step is given. */
export interface StepProps<State, Action, Work> {
  state: State;
  dispatch: Dispatch<Action | WizardAction>;
  work: Work;
}

/** What the screen of the progress is given. */
export interface ProgressProps<State, Action, Work> extends StepProps<State, Action, Work> {
  /** 'Back to Home' (SHELL-33): forgets what was entered, and loads the page again (OP-21). */
  onHome: () => void;
}

export interface WizardStep<State, Action, Work> {
  /** The first one is in the tool's own script, the others come `later`. */
  Screen: Part<StepProps<State, Action, Work>>;
  /** What the step misses, asked when Next is pressed; null lets Next go on. */
  missing?: (state: State, work: Work) => Missing | null;
  /** Why Next cannot be pressed at the moment, or null. */
  blocked?: (state: State, work: Work) => string | null;
  /** Name of Next on this step, where it differs; null on a last step that only shows something. */
  nextLabel?: string | null | ((state: State, work: Work) => string | undefined);
  /** Whether Next takes something away, and looks like it. */
  removes?: (state: State, work: Work) => boolean;
  /** What it removes, in words, where Next has a documented name that does not say so; null for nothing. */
  takes?: (state: State, work: Work) => string | null;
}

/** @typeParam Action the tool's own actions @typeParam Work what its steps work with beside the state */
export interface WizardDefinition<State extends WizardParts, Action, Work> {
  tool: ToolId;
  texts: {
    /** Titles of the steps; where the documents make the progress a step of its own, it is the last of them. */
    steps: readonly string[];
    /** What each step wants, in one sentence. */
    purpose: readonly string[];
    /** Title above the progress, where there is one. */
    progress?: string;
  };
  /** What the tool keeps through a reload: a schema of every part, how it begins, and how it changes. */
  store: {
    shape: StoredShape<State>;
    initial: State;
    reduce: (state: State, action: Action | WizardAction) => State;
  };
  /**
   * A hook for what the steps work with beside the state: plans, uploads, lookups, settings.
   * @param reviewing whether the last step is shown
   */
  useWork: (state: State, dispatch: Dispatch<Action | WizardAction>, reviewing: boolean) => Work;
  /** The steps with Back and Next; the last one is the review. */
  steps: readonly WizardStep<State, Action, Work>[];
  /** The sum of what has been chosen, such as `3 courses · 12 people`. @param reviewing as above */
  sum: (state: State, work: Work, reviewing: boolean) => string;
  /**
   * What the last press sends: its key, by which a repeat is known; null while there is nothing to send. Left out, with
   * `Progress`, by a tool whose last step only shows something.
   */
  submits?: (state: State, work: Work) => string | null;
  Progress?: Part<ProgressProps<State, Action, Work>>;
  /** What to do with texts that another tool has handed over. */
  takeOver?: (texts: readonly string[]) => Action;
}
