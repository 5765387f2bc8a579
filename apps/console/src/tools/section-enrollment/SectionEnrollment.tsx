import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type SectionPlan,
  type SectionPlanRequest,
  sectionPlan,
  sectionPlanLine,
} from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { toolById } from '@lms-admin/contract/tools';
import { MAX_ENROLLMENT_ROWS } from '@lms-admin/domain/constants';
import { useEffect, useMemo, useState } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { later } from '../../components/later.tsx';
import { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { type PlanKind, type PlanWork, usePlan } from '../../components/Planning/usePlan.ts';
import { clearStored } from '../../components/Wizard/stored-state.ts';
import { useStoredReducer } from '../../components/Wizard/useStoredReducer.ts';
import { Wizard } from '../../components/Wizard/Wizard.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { planRequestOf } from './assignments.ts';
import { CoursesStep } from './CoursesStep.tsx';
import { nothingToDo, sumOf } from './plan-summary.ts';
import { assignmentOf, countChosen, EMPTY, missing, sectionReducer, sectionShape } from './section-state.ts';
import { texts } from './texts.ts';

const TOOL = toolById('section-enrollment');
const REVIEW = 1;
const PLANS: PlanKind<SectionPlan> = {
  make: ENDPOINTS.sectionPlans,
  read: ENDPOINTS.sectionPlan,
  plan: sectionPlan,
  line: sectionPlanLine,
};

// The first screen waits for the first step only; the others come while the admin is at work on it.
const review = later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep));
const submit = later(() =>
  import('../../components/Submission/SubmitView.tsx').then(({ SubmitView }) => SubmitView),
);

const STEPS = messages.sections.steps.map((title, index) => ({ title, purpose: texts.purpose[index] ?? '' }));

/** Section Enrollment: people, by SIS id, into or out of the sections of chosen courses (area SE). */
export function SectionEnrollment() {
  const [state, dispatch] = useStoredReducer(TOOL.id, sectionShape, sectionReducer, EMPTY);
  const [lookups] = useState(() => new LookupStore());
  const settings = useSettings();
  const announce = useAnnounce();
  const { wizard, picker, assigned, submission } = state;
  const reviewing = wizard.step === REVIEW && wizard.view === 'steps';
  const request = useMemo(
    () => (reviewing ? planRequestOf(picker.courses, assigned) : null),
    [reviewing, picker.courses, assigned],
  );
  const work = usePlan<SectionPlanRequest, SectionPlan>(
    PLANS,
    request,
    state.review.plan,
    (made) => {
      dispatch({ type: 'planned', plan: made.id });
      announce(texts.review.ready(counted(made.totals.rows, 'change', 'changes')));
    },
    () => dispatch({ type: 'replan' }),
  );
  const chosen = useMemo(() => countChosen(state), [state]);

  useEffect(() => {
    for (const { fetch } of [review, submit]) fetch();
  }, []);

  function goHome() {
    clearStored(TOOL.id);
    window.location.reload();
  }

  function handleNext() {
    if (!reviewing) return dispatch({ type: 'move', move: { type: 'next' } });
    if (work.plan !== null) dispatch({ type: 'submit', plan: work.plan.id });
  }

  function nameOf(course: number, section: number): string {
    const known = assignmentOf(state, course);
    const name = known?.entries.find((entry) => entry.section === section)?.name;
    return texts.review.of(known?.course.name ?? String(course), name ?? String(section));
  }

  return (
    <Wizard
      title={TOOL.tab ?? ''}
      steps={STEPS}
      at={wizard}
      missing={() =>
        missing(state, settings?.max_rows ?? MAX_ENROLLMENT_ROWS, reviewing ? foundIn(work) : null)
      }
      onNext={handleNext}
      onBack={() => dispatch({ type: 'move', move: { type: 'back' } })}
      sum={sumOf(picker.courses.length, chosen, reviewing ? (work.plan?.totals.rows ?? null) : null)}
      blocked={request === null ? null : whyBlocked(work)}
      {...(reviewing ? { nextLabel: messages.sections.submit } : {})}
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
        <CoursesStep state={state} dispatch={dispatch} lookups={lookups} />
      ) : (
        <review.Part
          work={work}
          anything={request !== null}
          nameOf={nameOf}
          onBack={() => dispatch({ type: 'move', move: { type: 'back' } })}
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

function foundIn(work: PlanWork<SectionPlan>): number | null {
  return work.plan?.people.found ?? null;
}

/** Why the review cannot be submitted at the moment, or null: that nobody was found is said when it is tried (SE-09). */
function whyBlocked({ plan }: PlanWork<SectionPlan>): string | null {
  if (plan === null) return texts.review.notReady;
  if (plan.import_id !== null) return texts.review.sentTitle;
  return plan.entries.length > 0 && plan.people.found === 0 ? null : nothingToDo(plan);
}
