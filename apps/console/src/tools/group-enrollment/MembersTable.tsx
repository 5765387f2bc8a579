import type { MemberPlan, PlannedMember, touchedGroup } from '@lms-admin/contract/groups';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { z } from 'zod';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { CopiedNotice } from '../../components/Review/CopiedNotice.tsx';
import { EndedNotice } from '../../components/Review/EndedNotice.tsx';
import { LeaderNotices } from '../../components/Review/LeaderNotices.tsx';
import { Fate } from './Fate.tsx';
import { memberSentences, mostSevereFirst } from './plan-words.ts';
import { Sentences } from './Sentences.tsx';
import { texts } from './texts.ts';

type Touched = z.infer<typeof touchedGroup>;

const words = texts.members;
/** Height in px of the table, which can have many rows. */
const HEIGHT = 480;
/** Maximum number of groups without a search. */
const FEW_GROUPS = 10;
const rowKey = (row: PlannedMember) => row.row;
const groupKey = (row: Touched) => row.id;

/**
 * Returns a name, or 'not found'; null if the name is missing for another reason, which the note of the row explains.
 */
const nameOr = (row: PlannedMember, what: 'person' | 'group') =>
  row[what] ?? (row.not_found.includes(what) ? words.notFound : null);

const WHAT: readonly Column<PlannedMember>[] = [
  {
    id: 'row',
    header: texts.column.row,
    value: (row) => row.row,
    kind: 'number',
    width: '76px',
    minWidth: 76,
  },
  {
    id: 'what',
    header: texts.column.what,
    value: (row) => words.fate[row.fate],
    width: '200px',
    minWidth: 200,
    filter: 'choice',
    cell: (row) => (
      <Fate
        fate={row.fate}
        words={row.from === null ? words.fate[row.fate] : `${words.fate[row.fate]} ${words.from(row.from)}`}
      />
    ),
  },
];
/** An explanation beside the outcome of a row, if needed. */
const WHY: Column<PlannedMember> = {
  id: 'why',
  header: texts.column.why,
  value: (row) => row.why,
  wrap: true,
  width: '22%',
  minWidth: 260,
};
const WHO: readonly Column<PlannedMember>[] = [
  {
    id: 'person',
    header: words.person,
    value: (row) => nameOr(row, 'person'),
    minWidth: 172,
    filter: 'words',
  },
  { id: 'user', header: words.user, value: (row) => row.user_id, kind: 'id', width: '11%', minWidth: 132 },
  {
    id: 'group',
    header: words.group,
    value: (row) => nameOr(row, 'group'),
    width: '12%',
    minWidth: 120,
    filter: 'choice',
  },
  {
    id: 'groupId',
    header: words.groupId,
    value: (row) => row.group_id,
    // Wrapped, because often only the end of a name distinguishes it from others.
    wrap: true,
    width: '18%',
    minWidth: 180,
  },
];

const touchedColumns: readonly Column<Touched>[] = [
  { id: 'group', header: words.group, value: (row) => row.name, minWidth: 140 },
  { id: 'category', header: texts.groups.category, value: (row) => row.category, minWidth: 140 },
  {
    id: 'before',
    header: words.before,
    value: (row) => row.before,
    kind: 'number',
    width: '136px',
    minWidth: 120,
  },
  {
    id: 'after',
    header: words.after,
    value: (row) => row.after,
    kind: 'number',
    width: '136px',
    minWidth: 120,
  },
];

/** The simulation of people: a summary, each row, and the resulting size of the groups (GRP-27, OP-107). */
export function MembersTable({ plan }: { plan: MemberPlan }) {
  const rows = useMemo(() => mostSevereFirst(plan.members), [plan.members]);
  const columns = useMemo(
    () => [...WHAT, ...(plan.members.some(({ why }) => why !== null) ? [WHY] : []), ...WHO],
    [plan.members],
  );
  const { totals } = plan;
  const { figures } = words;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Sentences of={memberSentences(plan)} />
      <CopiedNotice copied={plan.copied} />
      <EndedNotice of={plan.members} />
      <LeaderNotices of={plan.leaders} />
      <Figures
        label={words.totals}
        figures={[
          { label: figures.add, value: totals.add, strong: true },
          { label: figures.move, value: totals.move, strong: true },
          { label: figures.remove, value: totals.remove, strong: true, takes: true },
          { label: figures.already, value: totals.already },
          { label: figures.refused, value: totals.refused },
        ]}
      />
      <DataTable<PlannedMember, number>
        label={words.table}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        search
        height={HEIGHT}
        empty={words.empty}
      />
      {plan.groups.length > 0 && (
        <Box>
          <Typography variant="h3" component="p" sx={{ mb: 1 }}>
            {words.touched}
          </Typography>
          <DataTable<Touched, number>
            label={words.touched}
            rows={plan.groups}
            columns={touchedColumns}
            rowKey={groupKey}
            search={plan.groups.length > FEW_GROUPS}
            empty=""
          />
        </Box>
      )}
    </Box>
  );
}
