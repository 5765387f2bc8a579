import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SectionPerson, type SectionPlan, sectionPerson } from '@lms-admin/contract/enrollments';
import { sectionEnrollmentMessages } from '@lms-admin/contract/messages/section-enrollment';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { Planning } from '../../components/Planning/Planning.tsx';
import { AdditionNotices } from '../../components/Review/AdditionNotices.tsx';
import { ConcludedCourses } from '../../components/Review/ConcludedCourses.tsx';
import { CopiedNotice } from '../../components/Review/CopiedNotice.tsx';
import { DateNotices } from '../../components/Review/DateNotices.tsx';
import { PlanUserList } from '../../components/Review/PlanUserList.tsx';
import { RemovalNotices } from '../../components/Review/RemovalNotices.tsx';
import { ReviewFrame } from '../../components/Review/ReviewFrame.tsx';
import {
  FailedLookups,
  LeftOut,
  NotRestorable,
  RepeatButton,
  SectionsToName,
  Unread,
} from '../../components/Review/ReviewNotices.tsx';
import { sectionsToName } from '../../components/Review/sections-to-name.ts';
import { texts as reviewWords } from '../../components/Review/texts.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { SummaryTable } from '../../components/SummaryTable/SummaryTable.tsx';
import type { SummaryRow } from '../../components/SummaryTable/summary-rows.ts';
import { texts as summary } from '../../components/SummaryTable/texts.ts';
import type { ListedPerson } from '../../components/UserListDialog/UserListDialog.tsx';
import { MissingPeople } from './MissingPeople.tsx';
import {
  failedIds,
  figuresOf,
  nothingToDo,
  summaryFigures,
  summaryRows,
  summaryTotals,
  unreadSections,
  whatStays,
  whatWillHappen,
} from './plan-summary.ts';
import { assignmentOf, REVIEW_FIELD, type SectionState } from './section-state.ts';
import { texts } from './texts.ts';
import type { SectionStep } from './useSectionWork.ts';

/** Width in px of the section column: each row is about a section. */
const SECTION_WIDTH = 120;

/** Step 'Review and Process': shows the comparison, then its result; nothing is sent until 'Submit' is pressed. */
export function ReviewStep(props: SectionStep) {
  const { planning, anything } = props.work;
  return (
    <Box id={REVIEW_FIELD} tabIndex={-1} sx={{ '&:focus': { outline: 'none' } }}>
      {!anything ? (
        <EmptyState
          title={texts.review.emptyTitle}
          action={
            <Button variant="outlined" onClick={() => props.dispatch({ type: 'back' })}>
              {texts.review.backToCourses}
            </Button>
          }
        >
          {texts.review.emptyText}
        </EmptyState>
      ) : planning.plan === null ? (
        <Planning work={planning} />
      ) : (
        <Review {...props} plan={planning.plan} />
      )}
    </Box>
  );
}

interface ReviewProps extends SectionStep {
  plan: SectionPlan;
}

function Review({ plan, state, dispatch }: ReviewProps) {
  const [listed, setListed] = useState<{ section: number; title: string } | null>(null);
  const [listOpen, setListOpen] = useState(false);
  const rows = useMemo(() => summaryRows(plan), [plan]);
  const totals = useMemo(() => summaryTotals(plan), [plan]);
  const viewList = useCallback((row: SummaryRow) => {
    setListed({ section: Number.parseInt(row.key, 10), title: row.name ?? row.course });
    setListOpen(true);
  }, []);
  const { import_id } = plan;
  return (
    <>
      <ReviewFrame
        sentence={nothingToDo(plan) ?? whatWillHappen(plan)}
        stays={whatStays(plan)}
        figures={figuresOf(plan)}
        onFollow={
          import_id === null ? null : () => dispatch({ type: 'follow', key: plan.id, import: import_id })
        }
        notices={<Notices plan={plan} state={state} dispatch={dispatch} />}
        tableTitle={texts.review.table}
        table={
          rows.length > 0 ? (
            <SummaryTable
              rows={rows}
              figures={summaryFigures(plan)}
              totals={totals}
              counts={summary.sections}
              sectionWidth={SECTION_WIDTH}
              onViewList={viewList}
            />
          ) : null
        }
      />
      {listed !== null && (
        <PlanUserList
          open={listOpen}
          endpoint={ENDPOINTS.sectionPlanPeople}
          plan={plan.id}
          of={['section', listed.section]}
          title={listed.title}
          person={sectionPerson}
          listed={listedPerson}
          onClose={() => setListOpen(false)}
        />
      )}
    </>
  );
}

function listedPerson(person: SectionPerson): ListedPerson {
  const { name, email, sis_user_id } = person;
  return { name, email, sisId: sis_user_id, change: texts.changeOf(person) };
}

/** Everything that the plan skips or could not determine, each with what to do about it (SE-05, OP-48, OP-51). */
function Notices({ plan, state, dispatch }: Pick<ReviewProps, 'plan' | 'state' | 'dispatch'>) {
  const onReplan = () => dispatch({ type: 'prepare-again' });
  const unread = unreadSections(plan);
  const { review } = texts;
  return (
    <>
      <CopiedNotice copied={plan.copied} />
      <FailedLookups names={failedIds(plan)} text={review.failedText} onReplan={onReplan} />
      <MissingPeople
        plan={plan}
        // The notice about failed lookups has the same button.
        action={
          failedIds(plan).length === 0 ? (
            <RepeatButton label={reviewWords.repeatLookup} onPress={onReplan} />
          ) : null
        }
      />
      <Unread
        items={unread.map(
          ({ course, section, unread: reason }) => `${review.of(course.name, section.name)} – ${reason}`,
        )}
        count={counted(unread.length, 'section', 'sections')}
        text={review.unreadText}
        onReplan={onReplan}
      />
      <LeftOut
        items={plan.left_out.map(({ course, section, reason }) => ({
          name: nameOf(state, course, section),
          reason,
        }))}
        count={counted(plan.left_out.length, 'section', 'sections')}
        onReplan={onReplan}
      />
      <ConcludedCourses parts={plan.entries.map(({ course, add }) => ({ ...course, add }))} />
      <DateNotices parts={plan.entries.map((one) => ({ ...one, course: one.course.name }))} />
      <AdditionNotices with={plan.added_with} />
      <RemovalNotices
        with={plan.removed_with}
        linked={plan.entries.flatMap(({ course, section, linked }) =>
          linked.map((person) => ({ person, where: review.of(course.name, section.name) })),
        )}
      />
      <NotRestorable
        people={plan.entries.flatMap(({ course, section, unrestorable }) =>
          unrestorable.map((one) => ({ ...one, where: review.of(course.name, section.name) })),
        )}
      />
      <SectionsToName sections={sectionsToName(plan.entries)} button={sectionEnrollmentMessages.submit} />
    </>
  );
}

/** Returns the names of a section and its course: the plan has no names for skipped sections. */
function nameOf(state: SectionState, course: number, section: number): string {
  const known = assignmentOf(state, course);
  const name = known?.entries.find((entry) => entry.section === section)?.name;
  return texts.review.of(known?.course.name ?? String(course), name ?? String(section));
}
