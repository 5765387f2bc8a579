import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SectionPlan, type SectionPlanRequest, sectionPlan } from '@lms-admin/contract/enrollments';
import { SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import { MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { counted } from '@lms-admin/domain/numbers';
import { type Dispatch, useMemo, useState } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { type PlanKind, type PlanWork, usePlan } from '../../components/Planning/usePlan.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import { planRequestOf } from './assignments.ts';
import type { SectionAction, SectionState } from './section-state.ts';
import { texts } from './texts.ts';

export const PLANS: PlanKind<SectionPlan> = {
  job: SECTION_PLAN,
  read: ENDPOINTS.sectionPlan,
  plan: async () => sectionPlan,
  lacks: ({ import_id, entries }) =>
    import_id === null && entries.some(({ not_found, failed }) => not_found.length + failed.length > 0),
};

export interface SectionWork {
  planning: PlanWork<SectionPlan>;
  /** Whether the review has a course with people to compare. */
  anything: boolean;
  lookups: LookupStore;
  /** Maximum number of rows in one submission. */
  maxRows: number;
}

/** Props of a step of Section Enrollment. */
export type SectionStep = StepProps<SectionState, SectionAction, SectionWork>;

/** Prepares the plan while the review is open, and looks people up as they are entered. */
export function useSectionWork(
  state: SectionState,
  dispatch: Dispatch<SectionAction | WizardAction>,
  reviewing: boolean,
): SectionWork {
  const [lookups] = useState(() => new LookupStore());
  const settings = useSettings();
  const announce = useAnnounce();
  const { picker, assigned } = state;
  const request = useMemo(
    () => (reviewing ? planRequestOf(picker.courses, assigned) : null),
    [reviewing, picker.courses, assigned],
  );
  const planning = usePlan<SectionPlanRequest, SectionPlan>(PLANS, request, state, dispatch, (plan) =>
    announce(texts.review.ready(counted(plan.totals.rows, 'enrolment', 'enrolments'))),
  );
  return {
    planning,
    anything: request !== null,
    lookups,
    maxRows: settings?.max_rows ?? MAX_ENROLLMENT_ROWS,
  };
}
