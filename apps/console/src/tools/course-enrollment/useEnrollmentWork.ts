import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Plan, PlanRequest } from '@lms-admin/contract/enrollments';
import { COURSE_PLAN } from '@lms-admin/contract/plan-kinds';
import { MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { counted } from '@lms-admin/domain/numbers';
import { type Dispatch, useState } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import type { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { type PlanKind, type PlanWork, usePlan } from '../../components/Planning/usePlan.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import type { EnrollmentAction, EnrollmentState } from './enrollment-state.ts';
import { texts } from './texts.ts';

export const PLANS: PlanKind<Plan> = {
  job: COURSE_PLAN,
  read: ENDPOINTS.plan,
  plan: async () => (await import('@lms-admin/contract/enrollments')).plan,
  lacks: ({ import_id, people }) => import_id === null && people.not_found.length + people.failed.length > 0,
};

export interface EnrollmentWork {
  planning: PlanWork<Plan>;
  /** Maximum number of rows in one submission. */
  maxRows: number;
  /** The lookup store of step 'Roles and Users': kept while the other steps are open. */
  kept: { lookups?: LookupStore };
}

/** Props of a step of Course Enrollment. */
export type EnrollmentStep = StepProps<EnrollmentState, EnrollmentAction, EnrollmentWork>;

/** Prepares the plan while the review is open. */
export function useEnrollmentWork(
  state: EnrollmentState,
  dispatch: Dispatch<EnrollmentAction | WizardAction>,
  reviewing: boolean,
): EnrollmentWork {
  const [kept] = useState<EnrollmentWork['kept']>({});
  const settings = useSettings();
  const announce = useAnnounce();
  const { picker, role, status, people } = state;
  const planning = usePlan<PlanRequest, Plan>(
    PLANS,
    reviewing && role && status
      ? { role_id: role.id, status, courses: picker.courses.map(({ id }) => id), emails: people.chips }
      : null,
    state,
    dispatch,
    (plan) => announce(texts.review.ready(counted(plan.totals.rows, 'enrolment', 'enrolments'))),
  );
  return { planning, maxRows: settings?.max_rows ?? MAX_ENROLLMENT_ROWS, kept };
}
