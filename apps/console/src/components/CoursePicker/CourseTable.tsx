import { messages } from '@lms-admin/contract/messages';
import { COURSE_PAGE_SIZES } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { type ReactNode, useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column, LoadProgress } from '../DataTable/types.ts';
import { OutIcon } from '../Icons.tsx';
import type { CourseRow } from './course-pages.ts';
import { PICKER_FIELDS } from './picker-state.ts';
import { texts } from './texts.ts';

export interface CourseTableProps {
  rows: readonly CourseRow[];
  selected: ReadonlySet<number>;
  onSelect: (ids: ReadonlySet<number>) => void;
  loading: boolean;
  progress: LoadProgress | null;
  empty: ReactNode;
  /** An additional column, such as a button of the tool. Keep its identity between renders. */
  extra?: Column<CourseRow>;
  /** Whether only one course can be selected. */
  single?: boolean;
}

/** Widths of the columns beside the name; an extra column takes its width from them, not from the name. */
const WIDTHS = { id: '28%', term: '20%', campus: '14%' } as const;
const NARROWER = { id: '212px', term: '148px', campus: '104px' } as const;

const rowKey = (row: CourseRow) => row.id;
const rowLabel = (row: CourseRow) => `${row.name}, ${row.sis_course_id}`;

/** The courses to choose from (PICK-05, PICK-06). */
export function CourseTable(props: CourseTableProps) {
  const { rows, selected, onSelect, loading, progress, empty, extra, single = false } = props;
  const lms = useSettings()?.lms_url ?? null;
  const columns = useMemo(
    () => (extra ? [...courseColumns(lms, NARROWER), extra] : courseColumns(lms, WIDTHS)),
    [lms, extra],
  );
  return (
    <Box id={PICKER_FIELDS.courses} tabIndex={-1} role="group" aria-label={texts.courses}>
      <DataTable<CourseRow, number>
        label={texts.courses}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        search
        searchPlaceholder={texts.search}
        searchHint={texts.searchHint}
        selection={{ selected, onChange: onSelect, single }}
        pageSizes={COURSE_PAGE_SIZES}
        flows
        empty={empty}
        loading={loading}
        progress={progress}
      />
    </Box>
  );
}

function courseColumns(
  lms: string | null,
  width: Readonly<Record<keyof typeof WIDTHS, string>>,
): readonly Column<CourseRow>[] {
  const names = messages.picker.columns;
  return [
    {
      id: 'id',
      header: names.id,
      value: (row) => row.sis_course_id,
      kind: 'id',
      width: width.id,
      minWidth: 212,
      cell: (row) =>
        lms === null ? (
          row.sis_course_id
        ) : (
          <Link
            href={`${lms.replace(/\/$/, '')}/courses/${row.id}`}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={texts.openCourse(row.sis_course_id)}
            // A click on the link is not a click on the row.
            onClick={(event) => event.stopPropagation()}
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
          >
            {row.sis_course_id}
            <OutIcon size={14} />
          </Link>
        ),
    },
    { id: 'term', header: names.term, value: (row) => row.term, width: width.term, minWidth: 130 },
    { id: 'campus', header: names.campus, value: (row) => row.campus, width: width.campus, minWidth: 100 },
    { id: 'name', header: names.name, value: (row) => row.name, minWidth: 220 },
  ];
}
