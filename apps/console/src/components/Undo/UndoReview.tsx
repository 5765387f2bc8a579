import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SectionPerson, sectionPerson, type UndoPlan } from '@lms-admin/contract/enrollments';
import Typography from '@mui/material/Typography';
import { useCallback, useMemo, useState } from 'react';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { PlanUserList } from '../Review/PlanUserList.tsx';
import { ReviewFrame } from '../Review/ReviewFrame.tsx';
import { FailedLookups, LeftOut, Unread } from '../Review/ReviewNotices.tsx';
import { texts as shared } from '../Review/texts.ts';
import { SummaryTable } from '../SummaryTable/SummaryTable.tsx';
import type { SummaryRow } from '../SummaryTable/summary-rows.ts';
import { texts as summary } from '../SummaryTable/texts.ts';
import type { ListedPerson } from '../UserListDialog/UserListDialog.tsx';
import { counted } from '../Wizard/wizard-state.ts';
import { texts } from './texts.ts';
import { keptLines, undoFigures, undoRows, undoSentence, undoStays } from './undo-words.ts';

const FIGURES = [{ id: 'unchanged', header: texts.columns.unchanged }] as const;
/** Width in px of the column of sections. */
const SECTION_WIDTH = 220;

interface UndoReviewProps {
  plan: UndoPlan;
  onFollow: (() => void) | null;
  onReplan: () => void;
}

/** What taking an import back would do, as every review tells it. */
export function UndoReview({ plan, onFollow, onReplan }: UndoReviewProps) {
  const [listed, setListed] = useState<{ section: number; role: number; title: string } | null>(null);
  const [open, setOpen] = useState(false);
  const rows = useMemo(() => undoRows(plan), [plan]);
  const viewList = useCallback(({ key, name, course }: SummaryRow) => {
    const [section = 0, role = 0] = key.split(' ').map(Number);
    setListed({ section, role, title: name ?? course });
    setOpen(true);
  }, []);
  const { totals } = plan;
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
              counts={summary.sections}
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
          title={listed.title}
          person={sectionPerson}
          listed={listedPerson}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function listedPerson({ name, email, sis_user_id, change }: SectionPerson): ListedPerson {
  return { name, email, sisId: sis_user_id, change: texts.changeOf[change] };
}

function Notices({ plan, onReplan }: Pick<UndoReviewProps, 'plan' | 'onReplan'>) {
  const { entries, left_out, kept } = plan;
  const failed = [...new Set(entries.flatMap((entry) => entry.failed))];
  const gone = [...new Set(entries.flatMap((entry) => entry.not_found))];
  const unread = entries.filter((entry) => entry.unread !== null);
  const stays = kept.reduce((sum, { people }) => sum + people, 0);
  return (
    <>
      <FailedLookups names={failed} text={texts.failedText} onReplan={onReplan} />
      {gone.length > 0 && (
        <Notice tone="info" title={texts.goneTitle(counted(gone.length, 'person is', 'people are'))}>
          <Typography>{texts.goneText}</Typography>
          <ShortList items={gone} more={shared.more} />
        </Notice>
      )}
      <Unread
        items={unread.map(
          ({ course, section, unread: why }) => `${texts.of(course.name, section.name)} – ${why}`,
        )}
        count={counted(unread.length, 'section', 'sections')}
        text={texts.unreadText}
        onReplan={onReplan}
      />
      <LeftOut
        items={left_out.map(({ course, section, reason }) => ({
          name: texts.of(String(course), String(section)),
          reason,
        }))}
        count={counted(left_out.length, 'section', 'sections')}
        onReplan={onReplan}
      />
      {kept.length > 0 && (
        <Notice tone="warning" title={texts.keptTitle(counted(stays, 'person stays', 'people stay'))}>
          <ShortList items={keptLines(plan)} more={shared.more} />
        </Notice>
      )}
    </>
  );
}
