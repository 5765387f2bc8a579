import type { AwardReportAnswer } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { entryText } from './report-words.ts';
import { texts } from './texts.ts';

type Unmatched = AwardReportAnswer['unmatched'][number] & { place: number };

const names = awardReportMessages.columns;
const PAGES = [10, 20, 30];

const columns: readonly Column<Unmatched>[] = [
  {
    id: 'course',
    header: names.course,
    value: (one) => one.course || texts.unmatched.unnamed,
    wrap: true,
    width: '172px',
    minWidth: 160,
  },
  {
    id: 'professor',
    header: names.professor,
    value: (one) => one.professor || texts.unmatched.unnamed,
    wrap: true,
    minWidth: 130,
  },
  { id: 'campus', header: names.campus, value: (one) => one.campus, width: '104px', minWidth: 104 },
  {
    id: 'votes',
    header: names.votes,
    value: (one) => one.votes,
    kind: 'number',
    width: '96px',
  },
  {
    id: 'why',
    header: texts.unmatched.why,
    value: (one) => awardReportMessages.unmatched[one.reason],
    wrap: true,
    minWidth: 130,
  },
  {
    id: 'nearest',
    header: texts.unmatched.nearest,
    value: (one) => one.nearest.map(entryText).join('; '),
    cell: (one) => <Nearest entries={one.nearest} />,
    sortable: false,
    width: '30%',
    minWidth: 240,
  },
];
const rowKey = (one: Unmatched) => one.place;

/** Votes that match no row of the list, each with possible matches (OP-105). */
export function UnmatchedVotes({ unmatched }: Pick<AwardReportAnswer, 'unmatched'>) {
  const rows = useMemo(() => unmatched.map((one, place): Unmatched => ({ ...one, place })), [unmatched]);
  const votes = rows.reduce((sum, one) => sum + one.votes, 0);
  return (
    <Box
      component="section"
      aria-labelledby="award-unmatched"
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id="award-unmatched" variant="h2" component="h3">
        {texts.unmatched.title(votes)}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: '68ch' }}>
        {texts.unmatched.next}
      </Typography>
      <DataTable<Unmatched, number>
        label={texts.unmatched.label}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        pageSizes={PAGES}
        search={rows.length > 10}
        empty=""
      />
    </Box>
  );
}

function Nearest({ entries }: { entries: Unmatched['nearest'] }) {
  if (entries.length === 0) return texts.unmatched.none;
  return (
    <Box component="ul" sx={{ m: 0, py: 0.75, pl: 2, whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
      {entries.map((entry) => (
        <li key={`${entry.campus}\n${entry.course_id}\n${entry.professor_id}`}>{entryText(entry)}</li>
      ))}
    </Box>
  );
}
