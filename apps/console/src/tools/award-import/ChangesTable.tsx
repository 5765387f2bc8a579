import type { ListChanges } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
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
    width: '104px',
    minWidth: 104,
  },
  {
    id: 'course',
    header: names.course,
    value: (row) => row.entry.course,
    wrap: true,
    filter: 'words',
    minWidth: 150,
  },
  {
    id: 'professor',
    header: names.professor,
    value: (row) => row.entry.professor,
    wrap: true,
    filter: 'words',
    minWidth: 140,
  },
  {
    id: 'campus',
    header: names.campus,
    value: (row) => row.entry.campus,
    filter: 'choice',
    width: '96px',
    minWidth: 96,
  },
  { id: 'what', header: texts.check.what, value: (row) => row.what, wrap: true, minWidth: 190 },
  { id: 'course-id', header: names.courseId, value: (row) => row.entry.course_id, kind: 'id', minWidth: 110 },
  {
    id: 'professor-id',
    header: names.professorId,
    value: (row) => row.entry.professor_id,
    kind: 'id',
    minWidth: 104,
  },
];

/** What is new, changed and gone against the list in force. */
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
