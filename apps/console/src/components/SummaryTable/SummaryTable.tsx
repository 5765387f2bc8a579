import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { texts } from './texts.ts';

/** One line of a review: what happens in one course, or in one of its sections. */
export interface SummaryRow {
  key: string;
  course: string;
  /** Quiet text below the name: the SIS id, or a remark. */
  detail: string;
  /** Names of sections; none shows a dash (OP-47). */
  sections: readonly string[];
  role: string;
  action: string;
  count: number;
  /** Further figures, by the id of their column. */
  figures: Readonly<Record<string, number>>;
}

export interface SummaryTableProps {
  rows: readonly SummaryRow[];
  /** Figures beyond the documented columns, in their order. Keep the array the same between draws. */
  figures: readonly { id: string; header: string }[];
  onViewList: (row: SummaryRow) => void;
}

/** Height in px of the list (CE-14). */
const HEIGHT = 300;
const rowKey = (row: SummaryRow) => row.key;

/** The summary of a review with its documented columns (CE-12 to CE-14); draws only the rows in view. */
export function SummaryTable({ rows, figures, onViewList }: SummaryTableProps) {
  const columns = useMemo(() => summaryColumns(figures, onViewList), [figures, onViewList]);
  return (
    <DataTable<SummaryRow, string>
      label={texts.label}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      search={rows.length > 8}
      height={HEIGHT}
      empty={texts.noSection}
    />
  );
}

/** A column as wide as its head; only the course is worth sorting by, and signs for it would cut the other heads. */
function fixed(width: number) {
  return { width: `${width}px`, minWidth: width, sortable: false };
}

function summaryColumns(
  figures: SummaryTableProps['figures'],
  onViewList: SummaryTableProps['onViewList'],
): readonly Column<SummaryRow>[] {
  const { columns, viewList } = messages.enrollment;
  return [
    {
      id: 'course',
      header: columns.course,
      value: (row) => row.course,
      minWidth: 200,
      cell: (row) => (
        <Box sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }} title={row.detail}>
          {row.course}
        </Box>
      ),
    },
    {
      id: 'section',
      header: columns.section,
      value: (row) => row.sections.join(', ') || texts.noSection,
      ...fixed(88),
    },
    { id: 'role', header: columns.role, value: (row) => row.role, ...fixed(96) },
    { id: 'action', header: columns.action, value: (row) => row.action, ...fixed(108) },
    { id: 'count', header: columns.count, value: (row) => row.count, kind: 'number', ...fixed(112) },
    ...figures.map(
      ({ id, header }): Column<SummaryRow> => ({
        id,
        header,
        value: (row) => row.figures[id] ?? 0,
        kind: 'number',
        ...fixed(112),
      }),
    ),
    {
      id: 'users',
      header: columns.users,
      value: () => null,
      searchable: false,
      ...fixed(104),
      cell: (row) => (
        <Button
          size="small"
          aria-label={texts.viewListOf(viewList, row.course)}
          onClick={() => onViewList(row)}
          sx={{ ml: -1, minHeight: 30, px: 1 }}
        >
          {viewList}
        </Button>
      ),
    },
  ];
}
