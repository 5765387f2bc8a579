import { AlreadyThere } from '../../components/NotFound/AlreadyThere.tsx';
import { CreateThese } from '../../components/NotFound/CreateThese.tsx';
import { NotFoundChips } from '../../components/NotFound/NotFoundChips.tsx';
import { useStoredPlan } from '../../components/Planning/usePlan.ts';
import { NotLookedUp } from '../../components/Review/ReviewNotices.tsx';
import { notInLms } from './plan-summary.ts';
import { reviewTexts } from './review-texts.ts';
import { type EnrollmentStep, PLANS } from './useEnrollmentWork.ts';

/** The people who were entered but not sent, repeated at the end because they are easily missed in the review. */
export function LeftBehind({ state }: Pick<EnrollmentStep, 'state'>) {
  const plan = useStoredPlan(PLANS, state.submission.key);
  if (plan === null) return null;
  const { there, failed } = plan.people;
  const absent = notInLms(plan.people);
  return (
    <>
      <NotLookedUp names={failed} text={reviewTexts.failedAfter} />
      {absent.length > 0 && (
        <NotFoundChips
          names={absent}
          action={<CreateThese emails={absent} variant="outlined" size="small" />}
        />
      )}
      <AlreadyThere people={there} />
    </>
  );
}
