import type { Plan } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { useCallback } from 'react';
import { CoursePicker } from '../../components/CoursePicker/CoursePicker.tsx';
import { type PickerAction, pickerMissing } from '../../components/CoursePicker/picker-state.ts';
import { later } from '../../components/later.tsx';
import { whyNoPlan } from '../../components/Planning/texts.ts';
import type { PlanWork } from '../../components/Planning/usePlan.ts';
import { importProgress } from '../../components/Submission/importProgress.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import {
  EMPTY,
  type EnrollmentAction,
  type EnrollmentState,
  enrollmentReducer,
  enrollmentShape,
  peopleMissing,
} from './enrollment-state.ts';
import { nothingToDo, sendButton, sumOf } from './plan-words.ts';
import { texts } from './texts.ts';
import { type EnrollmentStep, type EnrollmentWork, useEnrollmentWork } from './useEnrollmentWork.ts';

/** Course Enrollment: adds many people to many courses by email, or removes them, with a role (area CE). */
export default defineWizard<EnrollmentState, EnrollmentAction, EnrollmentWork>({
  tool: 'course-enrollment',
  texts: { steps: messages.enrollment.steps, purpose: texts.purpose, progress: texts.progressTitle },
  store: { shape: enrollmentShape, initial: EMPTY, reduce: enrollmentReducer },
  useWork: useEnrollmentWork,
  steps: [
    { Screen: CoursesStep, missing: ({ picker }) => pickerMissing(picker) },
    {
      Screen: later(() => import('./PeopleStep.tsx').then(({ PeopleStep }) => PeopleStep)),
      missing: (state, { maxRows }) => peopleMissing(state, maxRows),
    },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      blocked: (_, { planning }) => whyBlocked(planning),
      nextLabel: (_, { planning }) => (removesBy(planning.plan) ? sendButton(planning.plan) : undefined),
      removes: (_, { planning }) => removesBy(planning.plan),
    },
  ],
  sum: ({ picker, people }, { planning }, reviewing) =>
    sumOf(picker.courses.length, people.chips.length, reviewing ? planning.plan : null),
  submits: (_, { planning }) => planning.plan?.id ?? null,
  Progress: importProgress({
    screen: 'enrollment',
    payload: ({ submission }) => ({ plan: submission.key ?? '' }),
    another: { label: texts.another, action: { type: 'another' } },
    Below: later(() => import('./LeftBehind.tsx').then(({ LeftBehind }) => LeftBehind)),
  }),
});

function CoursesStep({ state, dispatch }: EnrollmentStep) {
  const pick = useCallback((action: PickerAction) => dispatch({ type: 'pick', pick: action }), [dispatch]);
  return <CoursePicker state={state.picker} dispatch={pick} />;
}

/** Tells whether submitting removes enrolments. */
function removesBy(plan: Plan | null): plan is Plan {
  return plan?.status === 'deleted' && plan.totals.rows > 0;
}

/** Explains why the review cannot be submitted at the moment; null otherwise. */
function whyBlocked({ plan, ...work }: PlanWork<Plan>): string | null {
  if (plan === null) return whyNoPlan(work);
  return plan.import_id === null ? nothingToDo(plan) : texts.review.sentTitle;
}
