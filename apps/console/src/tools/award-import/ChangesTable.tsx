import type { ListChanges } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { type ChangeRow, changeRows } from './list-check.ts';
import { texts } from './texts.ts';

const names = awardImportMessages.columns;
const PAGES = [10, 20, 50];
const rowKey = (row: ChangeRow) => row.place;

const columns: readonly Column<ChangeRow>[] = [
  {
    id: 'change',
    header: texts.check.change,
    value: (row) => row.change,
    filter: 'choice',
    width: '116px',
    minWidth: 116,
  },
  { id: 'course', header: names.course, value: (row) => row.entry.course, wrap: true, minWidth: 160 },
  {
    id: 'professor',
    header: names.professor,
    value: (row) => row.entry.professor,
    wrap: true,
    minWidth: 140,
  },
  { id: 'campus', header: names.campus, value: (row) => row.entry.campus, width: '104px', minWidth: 104 },
  {
    id: 'what',
    header: texts.check.what,
    value: (row) => row.what.join('; '),
    cell: ({ what }) => <Lines lines={what} />,
    minWidth: 260,
    width: '28%',
  },
  { id: 'course-id', header: names.courseId, value: (row) => row.entry.course_id, kind: 'id', minWidth: 184 },
  {
    id: 'professor-id',
    header: names.professorId,
    value: (row) => row.entry.professor_id,
    kind: 'id',
    minWidth: 108,
  },
];

/** A line for each field; all lines are shown in full. */
function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <Box key={line} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere', py: 0.25 }}>
      {line}
    </Box>
  ));
}

/** The new, changed and removed rows compared with the current list. */
export function ChangesTable({ changes }: { changes: ListChanges }) {
  const rows = useMemo(() => changeRows(changes), [changes]);
  return (
    <DataTable<ChangeRow, number>
      label={texts.check.changesLabel}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      rowLabel={({ change, entry }) => `${change}: ${entry.course}, ${entry.professor}`}
      pageSizes={PAGES}
      empty=""
    />
  );
}
