import type { MemberUndoPlan, PlannedMember } from '@lms-admin/contract/groups';
import { counted } from '@lms-admin/domain/numbers';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { EndedNotice } from '../Review/EndedNotice.tsx';
import { LeaderNotices } from '../Review/LeaderNotices.tsx';
import { ReviewFrame } from '../Review/ReviewFrame.tsx';
import { texts as shared } from '../Review/texts.ts';
import { texts } from './texts.ts';
import { membersFigures, membersKept, membersSentence } from './undo-words.ts';

const words = texts.members;
const HEIGHT = 420;
/** Maximum number of rows without a search. */
const FEW = 10;
/** Rows are undone in reverse order, but administrators look for people by name. */
const BY_PERSON = { column: 'person', descending: false };
const rowKey = ({ row }: PlannedMember) => row;

const columns: readonly Column<PlannedMember>[] = [
  {
    id: 'person',
    header: words.columns.person,
    value: ({ person, user_id }) => (person === null ? user_id : `${person} (${user_id})`),
    wrap: true,
    minWidth: 190,
  },
  {
    id: 'what',
    header: words.columns.what,
    value: ({ fate, from }) => (from === null ? words.fate[fate] : `${words.fate[fate]} ${words.from(from)}`),
    wrap: true,
    minWidth: 150,
  },
  {
    id: 'group',
    header: words.columns.group,
    value: ({ group, group_id }) => group ?? group_id,
    wrap: true,
    minWidth: 120,
  },
  { id: 'why', header: words.columns.why, value: ({ why }) => why, wrap: true, minWidth: 160 },
];

interface UndoMembersReviewProps {
  plan: MemberUndoPlan;
  onFollow: (() => void) | null;
}

/** The review of undoing an import of group members. */
export function UndoMembersReview({ plan, onFollow }: UndoMembersReviewProps) {
  const { totals, members } = plan;
  const kept = membersKept(plan);
  const same = totals.already + totals.not_member;
  return (
    <ReviewFrame
      sentence={membersSentence(plan)}
      stays={same === 0 || totals.rows === 0 ? null : words.stays(same)}
      figures={membersFigures(plan)}
      onFollow={onFollow}
      notices={
        <>
          {plan.as_reviewed && totals.rows > 0 && <Notice tone="warning" title={words.asReviewed} />}
          <EndedNotice of={members} />
          <LeaderNotices of={plan.leaders} />
          {kept.people > 0 && (
            <Notice
              tone="warning"
              title={words.keptTitle(counted(kept.people, 'person stays', 'people stay'))}
            >
              <ShortList items={kept.lines} more={shared.more} />
            </Notice>
          )}
        </>
      }
      tableTitle={words.table}
      table={
        members.length > 0 ? (
          <DataTable<PlannedMember, number>
            label={words.list}
            rows={members}
            columns={columns}
            rowKey={rowKey}
            defaultSort={BY_PERSON}
            search={members.length > FEW}
            height={HEIGHT}
            empty=""
          />
        ) : null
      }
    />
  );
}
