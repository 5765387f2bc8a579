/** The confirmed and sent submission, kept through a reload (IMP-19, OP-41, OP-42). Pure. */
import { z } from 'zod';

/** Schema of the part of a tool's stored state that its progress view uses. */
export const submissionState = z.object({
  /** Makes a repeat harmless: the ID of the confirmed plan or file, or a key generated for the rows. */
  key: z.string().nullable(),
  /** ID of the import, once the server has answered. */
  import: z.string().nullable(),
  /** The events already written to the log (OP-41). */
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
