import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Plan, type PlannedPerson, plannedPerson } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { useCallback, useMemo, useState } from 'react';
import { Planning } from '../../components/Planning/Planning.tsx';
import { PlanUserList } from '../../components/Review/PlanUserList.tsx';
import { ReviewFrame } from '../../components/Review/ReviewFrame.tsx';
import { SummaryTable } from '../../components/SummaryTable/SummaryTable.tsx';
import type { SummaryRow } from '../../components/SummaryTable/summary-rows.ts';
import type { ListedPerson } from '../../components/UserListDialog/UserListDialog.tsx';
import { joined } from '../../components/Wizard/wizard-state.ts';
import { NotFoundDialog } from './NotFoundDialog.tsx';
import { figuresOf, summaryTotals, whatStays, whatWillHappen } from './plan-summary.ts';
import { nothingToDo } from './plan-words.ts';
import { ReviewNotices } from './ReviewNotices.tsx';
import { reviewTexts } from './review-texts.ts';
import type { EnrollmentStep } from './useEnrollmentWork.ts';

const FIGURES = {
  active: [
    { id: 'add', header: reviewTexts.columns.add },
    { id: 'already', header: reviewTexts.columns.already },
  ],
  deleted: [
    { id: 'remove', header: reviewTexts.columns.remove },
    { id: 'notEnrolled', header: reviewTexts.columns.notEnrolled },
  ],
} as const;

/** Step 'Review and Process': shows the comparison, then its result; nothing is sent until Next is pressed. */
export function ReviewStep(props: EnrollmentStep) {
  const { planning } = props.work;
  return planning.plan === null ? <Planning work={planning} /> : <Review {...props} plan={planning.plan} />;
}

function Review({ plan, state, dispatch }: EnrollmentStep & { plan: Plan }) {
  const [listed, setListed] = useState<{ id: number; name: string } | null>(null);
  const [listOpen, setListOpen] = useState(false);
  const rows = useMemo(() => summaryRows(plan), [plan]);
  const totals = useMemo(() => summaryTotals(plan), [plan]);
  const viewList = useCallback((row: SummaryRow) => {
    setListed({ id: Number(row.key), name: row.course });
    setListOpen(true);
  }, []);
  const nothing = nothingToDo(plan);
  const { import_id } = plan;
  const nameOf = (id: number) => state.picker.courses.find((course) => course.id === id)?.name ?? String(id);

  return (
    <>
      <ReviewFrame
        sentence={nothing ?? whatWillHappen(plan)}
        stays={whatStays(plan)}
        figures={figuresOf(plan)}
        onFollow={
          import_id === null ? null : () => dispatch({ type: 'follow', key: plan.id, import: import_id })
        }
        notices={
          <ReviewNotices plan={plan} nameOf={nameOf} onReplan={() => dispatch({ type: 'prepare-again' })} />
        }
        tableTitle={reviewTexts.table}
        table={
          rows.length > 0 ? (
            <SummaryTable rows={rows} figures={FIGURES[plan.status]} totals={totals} onViewList={viewList} />
          ) : null
        }
      />
      {listed !== null && (
        <PlanUserList
          open={listOpen}
          endpoint={ENDPOINTS.planPeople}
          plan={plan.id}
          of={['course', listed.id]}
          title={listed.name}
          person={plannedPerson}
          listed={listedPerson}
          onClose={() => setListOpen(false)}
        />
      )}
      <NotFoundDialog
        open={plan.people.not_found.length > 0 && state.knownMissing !== plan.id && import_id === null}
        people={plan.people}
        removes={plan.status === 'deleted'}
        onClose={() => dispatch({ type: 'back' })}
        onContinue={() => dispatch({ type: 'knows-missing' })}
      />
    </>
  );
}

function listedPerson(person: PlannedPerson): ListedPerson {
  return {
    name: person.name,
    email: person.email,
    sisId: person.sis_user_id,
    change: reviewTexts.changeOf(person),
  };
}

function summaryRows(plan: Plan): SummaryRow[] {
  return plan.courses.map((course) => ({
    key: String(course.id),
    course: course.name,
    detail: joined(course.sis_course_id, course.term, course.unread === null ? null : reviewTexts.unreadMark),
    sections: course.sections.map((section) => section.name),
    role: plan.role.label,
    action: messages.enrollment.actions[plan.status],
    count: course.rows,
    figures: {
      add: course.add,
      // A figure that could not be read is unknown, which is different from zero.
      already: course.unread === null ? course.already : null,
      // Counts enrolments, as everywhere in a removal, because a person may have several in a course.
      remove: course.remove === 0 ? 0 : course.rows,
      notEnrolled: course.unread === null ? course.not_enrolled : null,
    },
  }));
}
