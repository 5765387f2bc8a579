import type { AwardReportAnswer } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { AwardChoice } from '../../api/awards.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { later } from '../../components/later.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ExcelButton } from './ExcelButton.tsx';
import { percentText, type TableRow, tableRows } from './report-words.ts';
import { texts } from './texts.ts';
import { UnmatchedVotes } from './UnmatchedVotes.tsx';

const words = awardReportMessages;
const names = words.columns;
const PAGES = [10, 20, 30];

// The chart library loads while the administrator reads the table.
const LeadingChart = later(() => import('./LeadingChart.tsx').then((module) => module.LeadingChart));

const course: Column<TableRow> = {
  id: 'course',
  header: names.course,
  value: (row) => row.course,
  wrap: true,
  minWidth: 200,
};
const professor: Column<TableRow> = {
  id: 'professor',
  header: names.professor,
  value: (row) => row.professor,
  wrap: true,
  minWidth: 160,
};
const campus: Column<TableRow> = {
  id: 'campus',
  header: names.campus,
  value: (row) => row.campus,
  width: '104px',
  minWidth: 104,
};
const figures: readonly Column<TableRow>[] = [
  {
    id: 'votes',
    header: names.votes,
    value: (row) => row.votes,
    kind: 'number',
    width: '96px',
    searchable: false,
  },
  {
    id: 'percent',
    header: names.percent,
    value: (row) => row.percent,
    cell: (row) => percentText(row.percent),
    kind: 'number',
    width: '112px',
    minWidth: 112,
    searchable: false,
  },
];
const enrolled: Column<TableRow> = {
  id: 'enrolled',
  header: names.enrolled,
  value: (row) => row.enrolled,
  kind: 'number',
  width: '140px',
  minWidth: 140,
  searchable: false,
};

/** BTA-20, and BTA-21: filters in the columns, and no search. */
const COLUMNS: Readonly<Record<AwardChoice['view'], readonly Column<TableRow>[]>> = {
  'by-campus': [course, professor, campus, enrolled, ...figures],
  'by-prof': [
    { ...professor, filter: 'words' },
    { ...course, filter: 'words' },
    // A professor may have courses on several campuses.
    { ...campus, filter: 'words', width: '150px', minWidth: 150 },
    ...figures,
  ],
};
const rowKey = (row: TableRow) => row.place;

export interface ReportProps {
  choice: AwardChoice;
  answer: AwardReportAnswer;
}

/** The report: its table, its Excel file, the top rows as a chart, and the votes that match none of its rows. */
export function Report({ choice, answer }: ReportProps) {
  const { view, campus: code, type } = choice;
  const rows = useMemo(() => tableRows(answer), [answer]);
  const title = words.reportTitle(view, code, type);
  return (
    <>
      <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Typography variant="h2" component="h3">
          {title}
        </Typography>
        <DataTable<TableRow, number>
          // The key resets the table, so that another report begins on its first page, without a search.
          key={title}
          label={title.trim()}
          rows={rows}
          columns={COLUMNS[view]}
          rowKey={rowKey}
          rowLabel={(row) => `${row.course}, ${row.professor}`}
          search={view === 'by-campus'}
          searchPlaceholder={texts.search}
          pageSizes={PAGES}
          actions={
            <ExcelButton key={title} choice={choice} digest={answer.digest} disabled={rows.length === 0} />
          }
          empty={
            answer.list_updated_at === null ? (
              <EmptyState title={texts.noList}>{texts.noListNext}</EmptyState>
            ) : (
              <EmptyState title={texts.empty}>{texts.emptyNext}</EmptyState>
            )
          }
        />
      </Box>
      {rows.length > 0 && <LeadingChart choice={choice} rows={rows} asMany={answer.leading.as_many} />}
      {answer.unmatched.length > 0 && <UnmatchedVotes key={title} unmatched={answer.unmatched} />}
    </>
  );
}
