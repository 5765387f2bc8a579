/** The administrator's entries and position in Course Student Export. Pure. */
import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import { EXPORT_FORMATS, type ExportFormat } from '@lms-admin/domain/student-export';
import { z } from 'zod';
import { NOT_SUBMITTED } from '../../components/Submission/submission-state.ts';
import {
  NEW_WIZARD,
  submit,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';

/** Steps with Back and Next; the third one is the progress (EXP-02). */
export const STEPS = studentExportMessages.steps.length - 1;

/** Schema of every part that survives a reload. */
export const exportShape = {
  ...wizardShape(STEPS),
  /** As typed: a number, or the address of a course. */
  course: z.string().max(2_000),
  groups: z.boolean(),
  format: z.enum(EXPORT_FORMATS),
};

export type ExportState = {
  [Part in keyof typeof exportShape]: z.infer<(typeof exportShape)[Part]>;
};

export const EMPTY: ExportState = { ...NEW_WIZARD, course: '', groups: false, format: 'xlsx' };

export type ExportAction =
  | { type: 'course'; text: string }
  | { type: 'groups'; on: boolean }
  | { type: 'format'; format: ExportFormat };

export function exportReducer(state: ExportState, action: ExportAction | WizardAction): ExportState {
  // A started export does not change.
  const entered = (some: Partial<ExportState>) =>
    state.wizard.view === 'progress' ? state : { ...state, ...some, submission: NOT_SUBMITTED };
  switch (action.type) {
    case 'course':
      return entered({ course: action.text });
    case 'groups':
      return entered({ groups: action.on });
    case 'format':
      return entered({ format: action.format });
    case 'submit':
      // Nothing is prepared on the server, so any key works.
      return submit(state, action.key, STEPS);
    default:
      return wizardReducer(state, action, STEPS);
  }
}
