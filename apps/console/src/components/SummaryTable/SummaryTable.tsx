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
  /** Figures beyond the documented columns, in order. Keep the array's identity between renders. */
  figures: readonly { id: string; header: string }[];
  /** Totals of all rows: `count` and the figures, by column ID. */
  totals: Readonly<Record<string, number>>;
  /** Text for the number of rows; counts courses if omitted. Keep the function's identity between renders. */
  counts?: (rows: number) => string;
  /** Width in px of the section column, for rows about sections. */
  sectionWidth?: number;
  onViewList: (row: SummaryRow) => void;
  /** Content of a table without rows. */
  empty?: ReactNode;
}

/** Height in px of the list, head and totals included (CE-14). */
const HEIGHT = 300;
const Course = styled('span')(({ theme }) => ({
  display: 'grid',
  lineHeight: '18px',
  '& > *': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& > small': { ...theme.typography.body2, lineHeight: '16px', color: theme.vars.palette.text.secondary },
}));
const rowKey = (row: SummaryRow) => row.key;

/** The summary of a review with its documented columns (CE-12 to CE-14); renders only the visible rows. */
export function SummaryTable(props: SummaryTableProps) {
  const { rows, figures, totals, onViewList, sectionWidth = 132, counts = texts.courses } = props;
  const same = useMemo(() => sameInAll(rows), [rows]);
  const ordered = useMemo(() => changesFirst(distinctNames(rows)), [rows]);
  const columns = useMemo(
    () => summaryColumns(figures, sectionWidth, onViewList).filter(({ id }) => !same.has(id)),
    [figures, sectionWidth, onViewList, same],
  );
  const summaries = [...same.values()].filter((words) => words !== '');
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {summaries.length > 0 && <Typography color="textSecondary">{summaries.join(' · ')}</Typography>}
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

/**
 * Creates a column as wide as its text, without sorting: only sorting by course is useful, and icons would cut off the
 * heads.
 */
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
      // The search also finds the secondary text below the name, and the tooltip shows it in full.
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
