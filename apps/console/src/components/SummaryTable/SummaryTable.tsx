import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { changesFirst, distinctNames, type SummaryRow, sameInAll } from './summary-rows.ts';
import { texts } from './texts.ts';

export interface SummaryTableProps {
  rows: readonly SummaryRow[];
  /** Figures beyond the documented columns, in their order. Keep the array the same between renders. */
  figures: readonly { id: string; header: string }[];
  /** Sums over all rows: `count` and the figures, by the id of their column. */
  totals: Readonly<Record<string, number>>;
  /** What the rows are: courses when left out. Keep the function the same between renders. */
  counts?: (rows: number) => string;
  /** Width in px of the column of sections, where their names are what the rows are about. */
  sectionWidth?: number;
  onViewList: (row: SummaryRow) => void;
  /** What is there without rows. */
  empty?: ReactNode;
}

/** Height in px of the list, head and sums included (CE-14). */
const HEIGHT = 300;
const Course = styled('span')(({ theme }) => ({
  display: 'grid',
  lineHeight: '18px',
  '& > *': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& > small': { ...theme.typography.body2, lineHeight: '16px', color: theme.vars.palette.text.secondary },
}));
const rowKey = (row: SummaryRow) => row.key;

/** The summary of a review with its documented columns (CE-12 to CE-14); renders only the rows in view. */
export function SummaryTable(props: SummaryTableProps) {
  const { rows, figures, totals, onViewList, sectionWidth = 132, counts = texts.courses } = props;
  const same = useMemo(() => sameInAll(rows), [rows]);
  const ordered = useMemo(() => changesFirst(distinctNames(rows)), [rows]);
  const columns = useMemo(
    () => summaryColumns(figures, sectionWidth, onViewList).filter(({ id }) => !same.has(id)),
    [figures, sectionWidth, onViewList, same],
  );
  const said = [...same.values()].filter((words) => words !== '');
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {said.length > 0 && <Typography color="textSecondary">{said.join(' · ')}</Typography>}
      <DataTable<SummaryRow, string>
        label={texts.label}
        rows={ordered}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > 8}
        height={HEIGHT}
        counts={counts}
        {...(rows.length > 0 && { totals: { course: texts.totalOf(counts(rows.length)), ...totals } })}
        empty={props.empty ?? texts.noSection}
      />
    </Box>
  );
}

/** A column as wide as its words; only the course is worth sorting by, and signs for it would cut the other heads. */
function fixed(width: number) {
  return { width: `${width}px`, minWidth: width, sortable: false };
}

function summaryColumns(
  figures: SummaryTableProps['figures'],
  sectionWidth: number,
  onViewList: SummaryTableProps['onViewList'],
): readonly Column<SummaryRow>[] {
  const { columns, viewList } = messages.enrollment;
  return [
    {
      id: 'course',
      header: columns.course,
      // Also found, and told in full, by what is below the name.
      value: (row) => (row.detail === '' ? row.course : `${row.course}, ${row.detail}`),
      minWidth: 268,
      cell: (row) => (
        <Course>
          <span>{row.course}</span>
          <small>{row.detail}</small>
        </Course>
      ),
    },
    {
      id: 'section',
      header: columns.section,
      value: (row) => row.sections.join(', ') || texts.noSection,
      wrap: true,
      ...fixed(sectionWidth),
    },
    { id: 'role', header: columns.role, value: (row) => row.role, wrap: true, ...fixed(92) },
    { id: 'action', header: columns.action, value: (row) => row.action, wrap: true, ...fixed(104) },
    { id: 'count', header: columns.count, value: (row) => row.count, kind: 'number', ...fixed(76) },
    ...figures.map(
      ({ id, header }): Column<SummaryRow> => ({
        id,
        header,
        value: (row) => row.figures[id] ?? null,
        kind: 'number',
        ...fixed(76),
      }),
    ),
    {
      id: 'users',
      header: columns.users,
      value: () => null,
      searchable: false,
      ...fixed(96),
      cell: (row) => (
        <Button
          size="small"
          aria-label={texts.viewListOf(viewList, row.name ?? row.course)}
          onClick={() => onViewList(row)}
          sx={{ ml: -1, minHeight: 30, px: 1 }}
        >
          {viewList}
        </Button>
      ),
    },
  ];
}
