import type { SectionPlan } from '@lms-admin/contract/enrollments';
import { sectionEnrollmentMessages } from '@lms-admin/contract/messages/section-enrollment';
import { later } from '../../components/later.tsx';
import { whyNoPlan } from '../../components/Planning/texts.ts';
import type { PlanWork } from '../../components/Planning/usePlan.ts';
import { importProgress } from '../../components/Submission/importProgress.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import { CoursesStep } from './CoursesStep.tsx';
import { nothingToDo, sumOf } from './plan-summary.ts';
import {
  assignedIn,
  countChosen,
  coursesMissing,
  EMPTY,
  reviewMissing,
  type SectionAction,
  type SectionState,
  sectionReducer,
  sectionShape,
} from './section-state.ts';
import { texts } from './texts.ts';
import { type SectionWork, useSectionWork } from './useSectionWork.ts';

/** Section Enrollment: adds people to the sections of chosen courses by SIS ID, or removes them (area SE). */
export default defineWizard<SectionState, SectionAction, SectionWork>({
  tool: 'section-enrollment',
  texts: { steps: sectionEnrollmentMessages.steps, purpose: texts.purpose, progress: texts.progressTitle },
  store: { shape: sectionShape, initial: EMPTY, reduce: sectionReducer },
  useWork: useSectionWork,
  steps: [
    { Screen: CoursesStep, missing: (state, { maxRows }) => coursesMissing(state, maxRows) },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      missing: (state, { planning }) => reviewMissing(state, planning.plan?.people.found ?? null),
      blocked: (_, { planning, anything }) => (anything ? whyBlocked(planning) : null),
      nextLabel: sectionEnrollmentMessages.submit,
    },
  ],
  sum: (state, { planning }, reviewing) =>
    sumOf(
      // The review covers only the chosen courses with people.
      (reviewing ? assignedIn(state) : state.picker.courses).length,
      countChosen(state),
      reviewing ? planning.plan : null,
    ),
  submits: (_, { planning }) => planning.plan?.id ?? null,
  Progress: importProgress({
    screen: 'enrollment',
    payload: ({ submission }) => ({ plan: submission.key ?? '' }),
    another: { label: texts.another, action: { type: 'another' } },
    Below: later(() => import('./LeftBehind.tsx').then(({ LeftBehind }) => LeftBehind)),
  }),
});

/**
 * Explains why the review cannot be submitted; null otherwise. If no one was found, pressing 'Submit' shows the warning
 * (SE-09).
 */
function whyBlocked({ plan, ...work }: PlanWork<SectionPlan>): string | null {
  if (plan === null) return whyNoPlan(work);
  if (plan.import_id !== null) return texts.review.sentTitle;
  return plan.entries.length > 0 && plan.people.found === 0 ? null : nothingToDo(plan);
}
