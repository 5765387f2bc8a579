/**
 * The administrator's choices and position in SIS Import (SIS-02 to SIS-06). Pure; the file itself is not kept here.
 */
import { sisImportMessages } from '@lms-admin/contract/messages/sis-import';
import type { OpenDraft } from '@lms-admin/contract/sis-drafts';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import {
  NEW_WIZARD,
  notSent,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';
import type { Missing } from '../../components/Wizard/wizard-state.ts';

export const STEPS = sisImportMessages.steps.length;
const UPLOAD = 1;

/** IDs of the fields, for the focus after a warning. */
export const FIELDS = { file: 'sis-file', confirm: 'sis-confirm' } as const;

const chosenFile = z.object({
  name: z.string(),
  /** In bytes; null for a draft that was opened again. */
  size: z.number().nullable(),
  kind: z.enum(SIS_KINDS).nullable(),
  zip: z.boolean(),
  /** Why the file cannot be used, from the first check; null if it can. */
  problem: z.string().nullable(),
  /** The names of a header that does not belong to an SIS file: its columns are matched after the upload. */
  unmatched: z.array(z.string()).nullable().default(null),
  /** Columns that the table needs but the header does not have; alternatives are joined with 'or'. */
  missing: z.array(z.string()).default([]),
});
export type ChosenFile = z.infer<typeof chosenFile>;

/**
 * Schema of every part that survives a reload; the preparation is the uploaded and checked file. A file that is not
 * uploaded does not survive: browsers cannot restore it.
 */
export const sisShape = {
  ...wizardShape(STEPS),
  file: chosenFile.nullable(),
  /**
   * ID of the file with problems that is corrected in place; kept when it is corrected, since it may have to be
   * checked again.
   */
  draft: z.uuid().nullable(),
  /** ID of the checked file that was opened for corrections, to return to; null for a file that failed its check. */
  former: z.uuid().nullable(),
  /** Why a file has to be selected again, or null. */
  lost: z.object({ name: z.string(), why: z.enum(['reloaded', 'expired', 'refused']) }).nullable(),
  /** The text typed to confirm the removals. */
  typed: z.string(),
  /** SIS IDs of courses that the LMS may create for cross-listings. */
  allowed: z.array(z.string()).default([]),
  /** Key of a repeated comparison job; null for the first one, which has the file's ID. */
  again: z.uuid().nullable(),
};

export type SisState = { [Part in keyof typeof sisShape]: z.infer<(typeof sisShape)[Part]> };

export const EMPTY: SisState = {
  ...NEW_WIZARD,
  file: null,
  draft: null,
  former: null,
  lost: null,
  typed: '',
  allowed: [],
  again: null,
};

/** A reopened draft and, if it was submitted, the import that applied none of its rows. */
export type ContinuedDraft = Pick<OpenDraft, 'id' | 'name' | 'kind' | 'import'>;

/** Actions in the steps of this tool. */
export type SisAction =
  /** Another file, or none; earlier uploads are ignored. */
  | { type: 'file'; file: ChosenFile | null }
  /** The browser has lost the file, or the server has deleted it. */
  /** The file has problems, and is kept for corrections in place. */
  | { type: 'draft'; id: string }
  /** Continues with a draft that was left. */
  | { type: 'continue'; draft: ContinuedDraft }
  /** Opens the file of the review for corrections. */
  | { type: 'correct'; id: string; former: string }
  | { type: 'lost'; why: 'reloaded' | 'expired' }
  | { type: 'typed'; text: string }
  | { type: 'allow'; id: string; on: boolean }
  /** Compares the file with the LMS again. */
  | { type: 'work-out-again'; key: string }
  /** The server said that nothing was sent: the file is checked again. @param held whether the browser still has it */
  | { type: 'refused'; held: boolean };

export function sisReducer(state: SisState, action: SisAction | WizardAction): SisState {
  const sending = state.wizard.view === 'progress';
  switch (action.type) {
    case 'file':
      return sending
        ? state
        : {
            ...state,
            file: action.file,
            draft: null,
            former: null,
            prepared: null,
            lost: null,
            typed: '',
            allowed: [],
            again: null,
          };
    case 'prepared':
      // An answer that arrives after the file was removed is ignored.
      return sending || state.file === null
        ? state
        : { ...wizardReducer(state, action, STEPS), typed: '', allowed: [], again: null };
    case 'draft':
      return sending || state.file === null
        ? state
        : { ...state, draft: action.id, former: null, prepared: null, typed: '', allowed: [], again: null };
    case 'continue': {
      const { id, name, kind } = action.draft;
      const { submission } = state;
      const ended = submission.logged.includes('ended') || submission.import === action.draft.import;
      const file = { name, size: null, kind, zip: false, problem: null, unmatched: null, missing: [] };
      return sending && !(submission.import !== null && ended)
        ? state
        : { ...EMPTY, wizard: { step: STEPS - 1, view: 'steps' }, file, draft: id };
    }
    case 'correct':
      return sending || state.prepared !== action.former
        ? state
        : {
            ...state,
            draft: action.id,
            former: action.former,
            prepared: null,
            typed: '',
            allowed: [],
            again: null,
          };
    case 'lost':
      return sending || state.file === null ? state : withoutFile(state, action.why);
    case 'typed':
      return { ...state, typed: action.text };
    case 'allow': {
      const others = state.allowed.filter((id) => id !== action.id);
      return { ...state, allowed: action.on ? [...others, action.id] : others };
    }
    case 'work-out-again':
      return sending ? state : { ...state, typed: '', allowed: [], again: action.key };
    case 'refused': {
      const reset = notSent(state, STEPS);
      if (reset === state) return state;
      // The check is out of date, so the same review would be rejected again.
      return action.held || state.draft !== null
        ? { ...reset, prepared: null, typed: '', allowed: [], again: null }
        : withoutFile(state, 'refused');
    }
    default:
      return wizardReducer(state, action, STEPS);
  }
}

/** Returns to the choice of the file, or to the step before it. */
function withoutFile(state: SisState, why: NonNullable<SisState['lost']>['why']): SisState {
  return {
    ...EMPTY,
    wizard: { step: Math.min(state.wizard.step, UPLOAD), view: 'steps' },
    lost: { name: state.file?.name ?? '', why },
  };
}

/** Finds the entry that step 'Upload Csv' still needs: the text and the field to go to; null if Next can continue. */
export function fileMissing({ file }: SisState): Missing | null {
  if (file === null) return { message: sisImportMessages.needFile, field: FIELDS.file };
  if (file.problem !== null) return { message: file.problem, field: FIELDS.file };
  return null;
}

/** Reads the typed number, with or without thousands separators; null for anything else. */
export function typedNumber(text: string): number | null {
  const digits = text.replace(/[\s,.'’]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
