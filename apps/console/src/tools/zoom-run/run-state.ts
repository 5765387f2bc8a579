/** The administrator's entries and position in Zoom Event Run. Pure. */
import { zoomRunMessages } from '@lms-admin/contract/messages/zoom-run';
import { RUN_DAYS, type RunDays } from '@lms-admin/contract/zoom-runs';
import { z } from 'zod';
import { type ChipsState, chipsState, NO_CHIPS } from '../../components/ChipsInput/chips-state.ts';
import { NOT_SUBMITTED } from '../../components/Submission/submission-state.ts';
import {
  NEW_WIZARD,
  submit,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';

/** Steps with Back and Next; the third one is 'Completed' (ZR-04 to ZR-06). */
export const STEPS = zoomRunMessages.steps.length - 1;

/** In the order of their tabs. */
export const MODES = ['once', 'queue'] as const;
export type Mode = (typeof MODES)[number];

const course = z.number().int().positive();

/** Schema of every part that survives a reload. */
export const runShape = {
  ...wizardShape(STEPS),
  mode: z.enum(MODES),
  /** As typed: a number, or the address of a course. */
  course: z.string().max(2_000),
  /** Courses to be added to the queue. */
  chips: chipsState,
  /** Courses to be removed from the queue. */
  removed: z.array(course),
  days: z.literal(RUN_DAYS),
  /** The queue as last read, on which the change is based (OP-62). Null: not read yet. */
  read: z.array(course).nullable(),
  /** When the newest entry of that queue was added. */
  newestAt: z.string().nullable(),
};

export type RunState = { [Part in keyof typeof runShape]: z.infer<(typeof runShape)[Part]> };

export const EMPTY: RunState = {
  ...NEW_WIZARD,
  mode: 'once',
  course: '',
  chips: NO_CHIPS,
  removed: [],
  days: 30,
  read: null,
  newestAt: null,
};

export type RunAction =
  | { type: 'mode'; mode: Mode }
  | { type: 'course'; text: string }
  | { type: 'chips'; chips: ChipsState }
  | { type: 'days'; days: RunDays }
  /** Marks a course for removal from the queue, or cancels the removal. */
  | { type: 'remove'; course: number; on: boolean }
  /** The queue has been read. */
  | { type: 'read'; courses: readonly number[]; newestAt: string | null };

export function runReducer(state: RunState, action: RunAction | WizardAction): RunState {
  // Submitted entries do not change.
  const entered = (some: Partial<RunState>) =>
    state.wizard.view === 'progress' ? state : { ...state, ...some, submission: NOT_SUBMITTED };
  switch (action.type) {
    case 'mode':
      return entered({ mode: action.mode });
    case 'course':
      return entered({ course: action.text });
    case 'chips':
      return entered({ chips: action.chips });
    case 'days':
      return entered({ days: action.days });
    case 'remove': {
      const others = state.removed.filter((one) => one !== action.course);
      return entered({ removed: action.on ? [...others, action.course] : others });
    }
    case 'read':
      return entered({
        read: [...action.courses],
        newestAt: action.newestAt,
        // Courses that others have already removed need not be removed.
        removed: state.removed.filter((one) => action.courses.includes(one)),
      });
    case 'submit':
      // Nothing is prepared on the server, so any key works.
      return submit(state, action.key, STEPS);
    default:
      return wizardReducer(state, action, STEPS);
  }
}
