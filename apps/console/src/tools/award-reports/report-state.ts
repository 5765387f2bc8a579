/** The administrator's choices and position in Best Teaching Award Report. Pure. */
import {
  AWARD_VIEWS,
  type AwardCampus,
  type AwardView,
  COURSE_TYPES,
  type CourseType,
  EVERY_CAMPUS,
  FIRST_CAMPUS,
  FIRST_TYPE,
  selectedCampus,
  settledType,
} from '@lms-admin/domain/award-campuses';
import { z } from 'zod';
import type { AwardChoice } from '../../api/awards.ts';
import {
  NEW_WIZARD,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';

/** 'Setup' and 'View Result' (BTA-02). */
export const STEPS = 2;

/** Schema of every part that survives a reload. */
export const reportShape = {
  ...wizardShape(STEPS),
  view: z.enum(AWARD_VIEWS),
  /** A code from the select, or the initial value of a tab. */
  campus: z.string().max(20),
  type: z.enum(COURSE_TYPES),
};

export type ReportState = { [Part in keyof typeof reportShape]: z.infer<(typeof reportShape)[Part]> };

export const EMPTY: ReportState = {
  ...NEW_WIZARD,
  view: 'by-campus',
  campus: FIRST_CAMPUS,
  type: FIRST_TYPE,
};

export type ReportAction =
  | { type: 'view'; view: AwardView }
  | { type: 'campus'; campus: string }
  | { type: 'course-type'; courseType: CourseType };

/** The initial campus of each tab (BTA-10). */
const ENTERED: Readonly<Record<AwardView, string>> = { 'by-campus': 'S', 'by-prof': EVERY_CAMPUS };

export function reportReducer(state: ReportState, action: ReportAction | WizardAction): ReportState {
  switch (action.type) {
    case 'view': {
      const { view } = action;
      if (view === state.view) return state;
      return settled({ ...state, view, campus: ENTERED[view] });
    }
    case 'campus':
      return settled({ ...state, campus: action.campus });
    case 'course-type':
      return settled({ ...state, type: action.courseType });
    default:
      return wizardReducer(state, action, STEPS);
  }
}

/** Returns the state with a course type that the chosen campus offers (BTA-09). */
function settled(state: ReportState): ReportState {
  return { ...state, type: settledType(state.view, state.campus, state.type) };
}

/** Builds the request for the report: the values that the selects show. @param offered see `offeredCampuses` */
export function choiceOf(
  { view, campus, type }: Pick<ReportState, 'view' | 'campus' | 'type'>,
  offered: readonly AwardCampus[],
): AwardChoice {
  const every = view === 'by-prof' && campus === EVERY_CAMPUS;
  const shown = every ? EVERY_CAMPUS : selectedCampus(campus, offered);
  return { view, campus: shown, type: settledType(view, shown, type) };
}
