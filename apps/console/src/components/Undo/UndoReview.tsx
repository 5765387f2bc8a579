import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SectionPerson, sectionPerson, type UndoPlan } from '@lms-admin/contract/enrollments';
import { isRowStatus, type RowStatus } from '@lms-admin/domain/enrollment-states';
import { counted } from '@lms-admin/domain/numbers';
import Typography from '@mui/material/Typography';
import { useCallback, useMemo, useState } from 'react';
import { Named } from '../Notice/Named.tsx';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { AdditionNotices } from '../Review/AdditionNotices.tsx';
import { ConcludedCourses } from '../Review/ConcludedCourses.tsx';
import { DateNotices } from '../Review/DateNotices.tsx';
import { PlanUserList } from '../Review/PlanUserList.tsx';
import { RemovalNotices } from '../Review/RemovalNotices.tsx';
import { ReviewFrame } from '../Review/ReviewFrame.tsx';
import { FailedLookups, RepeatButton, SectionsToName } from '../Review/ReviewNotices.tsx';
import { sectionsToName } from '../Review/sections-to-name.ts';
import { texts as shared } from '../Review/texts.ts';
import { SummaryTable } from '../SummaryTable/SummaryTable.tsx';
import type { SummaryRow } from '../SummaryTable/summary-rows.ts';
import { texts as summary } from '../SummaryTable/texts.ts';
import type { ListedPerson } from '../UserListDialog/UserListDialog.tsx';
import { texts } from './texts.ts';
import { keptGroups, sectionsOf, undoFigures, undoRows, undoSentence, undoStays } from './undo-words.ts';

const FIGURES = [{ id: 'unchanged', header: texts.columns.unchanged }] as const;
/** Width in px of the column of sections. */
const SECTION_WIDTH = 220;

interface ListedEntry {
  section: number;
  role: number;
  status: RowStatus;
  title: string;
}

interface UndoReviewProps {
  plan: UndoPlan;
  onFollow: (() => void) | null;
  onReplan: () => void;
}

/** The review of undoing an import of enrolments. */
export function UndoReview({ plan, onFollow, onReplan }: UndoReviewProps) {
  const [listed, setListed] = useState<ListedEntry | null>(null);
  const [open, setOpen] = useState(false);
  const rows = useMemo(() => undoRows(plan), [plan]);
  const viewList = useCallback(({ key, name, course }: SummaryRow) => {
    const [section, role, status = ''] = key.split(' ');
    if (!isRowStatus(status)) return;
    setListed({ section: Number(section), role: Number(role), status, title: name ?? course });
    setOpen(true);
  }, []);
  const { totals } = plan;
  const places = sectionsOf(plan.entries);
  return (
    <>
      <ReviewFrame
        sentence={undoSentence(plan)}
        stays={undoStays(plan)}
        figures={undoFigures(plan)}
        onFollow={onFollow}
        notices={<Notices plan={plan} onReplan={onReplan} />}
        tableTitle={texts.table}
        table={
          rows.length > 0 ? (
            <SummaryTable
              rows={rows}
              figures={FIGURES}
              totals={{ count: totals.rows, unchanged: totals.already + totals.not_enrolled }}
              counts={(count) => (count === places ? summary.sections(count) : summary.rows(count))}
              sectionWidth={SECTION_WIDTH}
              onViewList={viewList}
            />
          ) : null
        }
      />
      {listed !== null && (
        <PlanUserList
          open={open}
          endpoint={ENDPOINTS.undoPlanPeople}
          plan={plan.id}
          of={['section', listed.section]}
          role={listed.role}
          status={listed.status}
          title={listed.title}
          person={sectionPerson}
          listed={listedPeople[listed.status]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** A line of the list, by the new state: always the same function, so that the list is not rebuilt. */
const listedPeople: Readonly<Record<RowStatus, (person: SectionPerson) => ListedPerson>> = {
  active: lineOf('active'),
  inactive: lineOf('inactive'),
  completed: lineOf('completed'),
  deleted: lineOf('deleted'),
};

function lineOf(status: RowStatus) {
  return ({ name, email, sis_user_id, change }: SectionPerson): ListedPerson => ({
    name,
    email,
    sisId: sis_user_id,
    change: change === 'add' ? texts.changeOf.add[status] : texts.changeOf[change],
  });
}

function Notices({ plan, onReplan }: Pick<UndoReviewProps, 'plan' | 'onReplan'>) {
  const { entries, sections, added_with: added } = plan;
  const failed = [...new Set(entries.flatMap((entry) => entry.failed))];
  // Reviews of earlier versions list people who were not found here; newer ones list them among the unchanged rows.
  const gone = [...new Set(entries.flatMap((entry) => entry.not_found))];
  return (
    <>
      <FailedLookups names={failed} text={texts.failedText} onReplan={onReplan} />
      {gone.length > 0 && (
        <Notice tone="info" title={texts.goneTitle(counted(gone.length, 'person is', 'people are'))}>
          <Typography>{texts.goneText}</Typography>
          <ShortList items={gone} more={shared.more} />
        </Notice>
      )}
      <RemovalNotices with={plan.removed_with} />
      <SectionsToName
        sections={sectionsToName(entries)}
        button={texts.press(plan.totals.remove, plan.totals.add)}
      />
      <ConcludedCourses
        parts={entries.map(({ course, status, add }) => ({ ...course, add: status === 'active' ? add : 0 }))}
      />
      <DateNotices parts={entries.map((one) => ({ ...one, course: one.course.name }))} />
      <AdditionNotices with={added} text={texts.observersNamedText} />
      {added === null && entries.some(({ status, rows }) => status !== 'deleted' && rows > 0) && (
        <Notice tone="info" title={texts.observersTitle}>
          <Typography>{texts.observersText}</Typography>
        </Notice>
      )}
      {keptGroups(plan).map(({ why, count, lines }) => (
        <Named
          key={why}
          tone="warning"
          title={texts.kept[why].title(count)}
          text={texts.kept[why].text}
          lines={lines}
          {...(why === 'unanswered'
            ? { action: <RepeatButton label={shared.recompare} onPress={onReplan} /> }
            : {})}
        />
      ))}
      {sections.length > 0 && (
        <Named
          tone="info"
          title={texts.sectionsTitle(sections.length)}
          text={texts.sectionsText}
          lines={sections.map(({ course, section, what }) => texts.sections[what](texts.of(course, section)))}
        />
      )}
      {plan.as_reviewed && (
        <Notice tone="info" title={texts.reviewedTitle}>
          <Typography>{texts.reviewedText}</Typography>
        </Notice>
      )}
    </>
  );
}
