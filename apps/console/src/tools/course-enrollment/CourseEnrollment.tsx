import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Plan, type PlanRequest, plan, planLine } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { toolById } from '@lms-admin/contract/tools';
import { MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { useCallback, useEffect } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CoursePicker } from '../../components/CoursePicker/CoursePicker.tsx';
import type { PickerAction } from '../../components/CoursePicker/picker-state.ts';
import { later } from '../../components/later.tsx';
import { type PlanKind, type PlanWork, usePlan } from '../../components/Planning/usePlan.ts';
import { clearStored } from '../../components/Wizard/stored-state.ts';
import { useStoredReducer } from '../../components/Wizard/useStoredReducer.ts';
import { Wizard } from '../../components/Wizard/Wizard.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { EMPTY, enrollmentReducer, enrollmentShape, missing } from './enrollment-state.ts';
import { nothingToDo, sumOf } from './plan-summary.ts';
import { texts } from './texts.ts';

const TOOL = toolById('course-enrollment');
const REVIEW = 2;
const PLANS: PlanKind<Plan> = {
  make: ENDPOINTS.plans,
  read: ENDPOINTS.plan,
  plan,
  line: planLine,
};

// The first screen waits for the first step only; the others come while the admin is at work on it.
const people = later(() => import('./PeopleStep.tsx').then(({ PeopleStep }) => PeopleStep));
const review = later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep));
const submit = later(() =>
  import('../../components/Submission/SubmitView.tsx').then(({ SubmitView }) => SubmitView),
);

const STEPS = messages.enrollment.steps.map((title, index) => ({
  title,
  purpose: texts.purpose[index] ?? '',
}));

/** Course Enrollment: many people, by e-mail, into or out of many courses, with a role (area CE). */
export function CourseEnrollment() {
  const [state, dispatch] = useStoredReducer(TOOL.id, enrollmentShape, enrollmentReducer, EMPTY);
  const settings = useSettings();
  const announce = useAnnounce();
  const { wizard, picker, role, status, submission } = state;
  const reviewing = wizard.step === REVIEW && wizard.view === 'steps';
  const work = usePlan<PlanRequest, Plan>(
    PLANS,
    reviewing && role && status
      ? { role_id: role.id, status, courses: picker.courses.map(({ id }) => id), emails: state.people.chips }
      : null,
    state.review.plan,
    (made) => {
      dispatch({ type: 'planned', plan: made.id });
      announce(texts.review.ready(counted(made.totals.rows, 'change', 'changes')));
    },
    () => dispatch({ type: 'replan' }),
  );
  const pick = useCallback((action: PickerAction) => dispatch({ type: 'pick', pick: action }), [dispatch]);

  useEffect(() => {
    for (const { fetch } of [people, review, submit]) fetch();
  }, []);

  function goHome() {
    clearStored(TOOL.id);
    window.location.reload();
  }

  function handleNext() {
    if (!reviewing) return dispatch({ type: 'move', move: { type: 'next' } });
    if (work.plan !== null) dispatch({ type: 'submit', plan: work.plan.id });
  }

  return (
    <Wizard
      title={TOOL.tab ?? ''}
      steps={STEPS}
      at={wizard}
      missing={() => missing(state, settings?.max_rows ?? MAX_ENROLLMENT_ROWS)}
      onNext={handleNext}
      onBack={() => dispatch({ type: 'move', move: { type: 'back' } })}
      sum={sumOf(picker.courses.length, state.people.chips.length, reviewing ? changes(work) : null)}
      blocked={reviewing ? whyBlocked(work) : null}
      progressTitle={texts.progressTitle}
    >
      {wizard.view === 'progress' ? (
        <submit.Part
          screen="enrollment"
          submission={submission}
          payload={{ plan: submission.key ?? '' }}
          dispatch={dispatch}
          onNotSent={() => dispatch({ type: 'not-sent' })}
          onHome={goHome}
        />
      ) : wizard.step === 0 ? (
        <CoursePicker state={picker} dispatch={pick} />
      ) : wizard.step === 1 ? (
        <people.Part state={state} dispatch={dispatch} />
      ) : (
        <review.Part
          work={work}
          nameOf={(id) => picker.courses.find((course) => course.id === id)?.name ?? String(id)}
          knowsMissing={state.review.knowsMissing}
          onKnowsMissing={() => dispatch({ type: 'knows-missing' })}
          onBackToPeople={() => dispatch({ type: 'move', move: { type: 'back' } })}
          onReplan={() => dispatch({ type: 'replan' })}
          onFollow={(sent, importId) => {
            dispatch({ type: 'submit', plan: sent.id });
            dispatch({ type: 'submitted', import: importId });
          }}
        />
      )}
    </Wizard>
  );
}

function changes(work: PlanWork<Plan>): number | null {
  return work.plan?.totals.rows ?? null;
}

/** Why the review cannot be submitted at the moment, or null. */
function whyBlocked(work: PlanWork<Plan>): string | null {
  if (work.plan === null) return texts.review.notReady;
  return work.plan.import_id === null ? nothingToDo(work.plan) : texts.review.sentTitle;
}
