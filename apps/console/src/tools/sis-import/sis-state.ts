/** What a person has chosen and reached in SIS Import (SIS-02 to SIS-06). Pure; the file itself is not here. */
import { messages } from '@lms-admin/contract/messages';
import { SIS_KINDS } from '@lms-admin/domain/sis-kinds';
import { z } from 'zod';
import {
  NOT_SUBMITTED,
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

export const STEPS = messages.sisImport.steps.length;
export const UPLOAD = 1;
export const REVIEW = 2;

/** Ids of the fields, for the focus after a warning. */
export const FIELDS = { file: 'sis-file', confirm: 'sis-confirm' } as const;

const chosenFile = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  kind: z.enum(SIS_KINDS).nullable(),
  zip: z.boolean(),
  /** Why the file cannot be used, as the first look found; null when it can. */
  problem: z.string().nullable(),
});
export type ChosenFile = z.infer<typeof chosenFile>;

/** Schema of every part that survives a reload. A file that is not uploaded does not: browsers give none back. */
export const sisShape = {
  wizard: wizardShape(STEPS),
  file: chosenFile.nullable(),
  /** Id of the uploaded and checked file; null until the check has passed. */
  uploaded: z.uuid().nullable(),
  /** Why a file has to be selected once more, or null. */
  lost: z.object({ name: z.string(), why: z.enum(['reloaded', 'expired', 'refused']) }).nullable(),
  /** What was typed to confirm deletions. */
  typed: z.string(),
  submission: submissionState,
};

export type SisState = { [Part in keyof typeof sisShape]: z.infer<(typeof sisShape)[Part]> };

export const EMPTY: SisState = {
  wizard: FIRST_STEP,
  file: null,
  uploaded: null,
  lost: null,
  typed: '',
  submission: NOT_SUBMITTED,
};

export type SisAction =
  | { type: 'move'; move: WizardAction }
  /** Another file, or none; whatever was uploaded before does not count any more. */
  | { type: 'file'; file: ChosenFile | null }
  | { type: 'uploaded'; id: string }
  /** The file is gone from the browser, or from the server. */
  | { type: 'lost'; why: 'reloaded' | 'expired' }
  | { type: 'typed'; text: string }
  /** The last press: from here on only this file can be sent. */
  | { type: 'submit'; file: string }
  /** The server said that nothing was sent: the file is checked anew. @param held whether the browser still has it */
  | { type: 'not-sent'; held: boolean }
  | SubmissionAction;

export function sisReducer(state: SisState, action: SisAction): SisState {
  switch (action.type) {
    case 'move':
      return { ...state, wizard: moveWizard(state.wizard, action.move, STEPS) };
    case 'file':
      if (state.wizard.view === 'progress') return state;
      return { ...state, file: action.file, uploaded: null, lost: null, typed: '' };
    case 'uploaded':
      // An answer that comes after the file was taken away belongs to nothing.
      if (state.file === null || state.wizard.view === 'progress') return state;
      return { ...state, uploaded: action.id, typed: '' };
    case 'lost':
      if (state.file === null || state.wizard.view === 'progress') return state;
      return withoutFile(state, action.why);
    case 'typed':
      return { ...state, typed: action.text };
    case 'submit':
      // A second press, or one on a file that is not the one shown, changes nothing.
      if (state.wizard.view === 'progress' || state.uploaded !== action.file) return state;
      return submit(state, action.file, STEPS);
    case 'not-sent':
      if (state.submission.import !== null) return state;
      // What was checked does not hold any more, so the same review would be refused again.
      return action.held
        ? {
            ...state,
            wizard: moveWizard(state.wizard, { type: 'reopen' }, STEPS),
            uploaded: null,
            typed: '',
            submission: NOT_SUBMITTED,
          }
        : withoutFile(state, 'refused');
    case 'submitted':
    case 'logged':
      return { ...state, submission: submissionReducer(state.submission, action) };
  }
}

/** Back to the choice of the file, or to the step before it. */
function withoutFile(state: SisState, why: NonNullable<SisState['lost']>['why']): SisState {
  return {
    ...EMPTY,
    wizard: { step: Math.min(state.wizard.step, UPLOAD), view: 'steps' },
    lost: { name: state.file?.name ?? '', why },
  };
}

/** What the current step misses: the text and the field to go to; null when Next may go on. */
export function missing(state: SisState): Missing | null {
  if (state.wizard.step !== UPLOAD) return null;
  if (state.file === null) return { message: messages.sisImport.needFile, field: FIELDS.file };
  if (state.file.problem !== null) return { message: state.file.problem, field: FIELDS.file };
  return null;
}

/** The number that was typed, thousands grouped or not; null for anything else. */
export function typedNumber(text: string): number | null {
  const digits = text.replace(/[\s,.'’]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
