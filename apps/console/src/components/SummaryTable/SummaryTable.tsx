import { messages } from '@lms-admin/contract/messages';
import Button from '@mui/material/Button';
import { type ReactNode, useMemo } from 'react';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { texts } from './texts.ts';

/** One line of a review: what happens in one course, or in one of its sections. */
export interface SummaryRow {
  key: string;
  /** What the row is called on its button; the course when left out. */
  name?: string;
  course: string;
  /** Quiet text below the name: the SIS id, or a remark. */
  detail: string;
  /** Names of sections; none shows a dash (OP-47). */
  sections: readonly string[];
  role: string;
  action: string;
  count: number;
  /** Further figures, by the id of their column; null for one that is not known. */
  figures: Readonly<Record<string, number | null>>;
}

export interface SummaryTableProps {
  rows: readonly SummaryRow[];
  /** Figures beyond the documented columns, in their order. Keep the array the same between renders. */
  figures: readonly { id: string; header: string }[];
  /** Sums over all rows: `count` and the figures, by the id of their column. */
  totals: Readonly<Record<string, number>>;
  /** What the sums are of; the courses when left out. */
  totalOf?: string;
  /** Width in px of the column of sections, where their names are what the rows are about. */
  sectionWidth?: number;
  onViewList: (row: SummaryRow) => void;
  /** What stands there without rows. */
  empty?: ReactNode;
}

/** Height in px of the list, head and sums included (CE-14). */
const HEIGHT = 300;
const rowKey = (row: SummaryRow) => row.key;

/** The summary of a review with its documented columns (CE-12 to CE-14); renders only the rows in view. */
export function SummaryTable(props: SummaryTableProps) {
  const { rows, figures, totals, onViewList, sectionWidth = 92 } = props;
  const columns = useMemo(
    () => summaryColumns(figures, sectionWidth, onViewList),
    [figures, sectionWidth, onViewList],
  );
  return (
    <DataTable<SummaryRow, string>
      label={texts.label}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      search={rows.length > 8}
      height={HEIGHT}
      {...(rows.length > 0 && {
        totals: { course: props.totalOf ?? texts.totalOf(rows.length), ...totals },
      })}
      empty={props.empty ?? texts.noSection}
    />
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
      value: (row) => row.course,
      minWidth: 200,
      wrap: true,
      cell: (row) => <span title={row.detail}>{row.course}</span>,
    },
    {
      id: 'section',
      header: columns.section,
      value: (row) => row.sections.join(', ') || texts.noSection,
      wrap: true,
      ...fixed(sectionWidth),
    },
    { id: 'role', header: columns.role, value: (row) => row.role, wrap: true, ...fixed(92) },
    { id: 'action', header: columns.action, value: (row) => row.action, ...fixed(84) },
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
