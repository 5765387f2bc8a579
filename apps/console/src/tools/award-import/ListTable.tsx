import type { ListRow } from '@lms-admin/contract/awards';
import { awardImportMessages, awardReportMessages } from '@lms-admin/contract/messages/awards';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { texts } from './texts.ts';

const words = awardImportMessages;
const names = words.columns;
const PAGES = [10, 20, 50];
const NONE: readonly ListRow[] = [];

/** The columns of BTA-28, in that order. */
const columns: readonly Column<ListRow>[] = [
  { id: 'professor', header: names.professor, value: (row) => row.professor, wrap: true, minWidth: 140 },
  {
    id: 'professor-id',
    header: names.professorId,
    value: (row) => row.professor_id,
    kind: 'id',
    width: '112px',
    minWidth: 112,
  },
  { id: 'course', header: names.course, value: (row) => row.course, wrap: true, minWidth: 180 },
  { id: 'campus', header: names.campus, value: (row) => row.campus, width: '104px', minWidth: 104 },
  {
    id: 'enrolled',
    header: names.enrolled,
    value: (row) => row.enrolled,
    kind: 'number',
    width: '96px',
    searchable: false,
  },
  { id: 'type', header: names.type, value: (row) => awardReportMessages.types[row.type], width: '96px' },
  {
    id: 'course-id',
    header: names.courseId,
    value: (row) => row.course_id,
    kind: 'id',
    width: '190px',
    minWidth: 190,
  },
];
const rowKey = ({ campus, course_id, professor_id }: ListRow) => `${campus}\n${course_id}\n${professor_id}`;

/** The current list, 10 rows a page (BTA-28, BTA-32). @param rows undefined until they are loaded */
export function ListTable({ rows }: { rows: readonly ListRow[] | undefined }) {
  return (
    <DataTable<ListRow, string>
      label={words.list}
      rows={rows ?? NONE}
      loading={rows === undefined}
      columns={columns}
      rowKey={rowKey}
      search
      searchPlaceholder={texts.search}
      pageSizes={PAGES}
      empty={<EmptyState title={words.empty}>{texts.emptyNext}</EmptyState>}
    />
  );
}
