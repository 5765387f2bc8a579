import { useStoredPlan } from '../../components/Planning/usePlan.ts';
import { NotLookedUp } from '../../components/Review/ReviewNotices.tsx';
import { MissingPeople } from './MissingPeople.tsx';
import { failedIds } from './plan-summary.ts';
import { texts } from './texts.ts';
import { PLANS, type SectionStep } from './useSectionWork.ts';

/** The people who were entered but not sent, repeated at the end because they are easily missed in the review. */
export function LeftBehind({ state }: Pick<SectionStep, 'state'>) {
  const plan = useStoredPlan(PLANS, state.submission.key);
  if (plan === null) return null;
  return (
    <>
      <NotLookedUp names={failedIds(plan)} text={texts.review.failedAfter} />
      <MissingPeople plan={plan} />
    </>
  );
}
