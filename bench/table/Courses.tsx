/** Many courses in one scrolling list. `expected` is the number of rows that a search must find. */
import { campusOf } from '@lms-admin/domain/courses';
import { useState } from 'react';
import { DataTable } from '../../apps/console/src/components/DataTable/DataTable.tsx';
import type { Column } from '../../apps/console/src/components/DataTable/types.ts';

interface Row {
  id: number;
  sis: string;
  term: string;
  name: string;
}

const SUBJECTS = ['FIN', 'MKT', 'OPS', 'STR', 'ECO', 'LAW', 'ENT', 'ORG'];

function makeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => {
    const code = `${SUBJECTS[i % SUBJECTS.length]}${100 + (i % 700)}`;
    return {
      id: i + 1,
      sis: `MBA26-${['FBL', 'SGP', 'ABD'][i % 3]}-${code}-${'ABCD'[i % 4]}`,
      term: `MBA 2026-27 P${1 + (i % 5)}`,
      name: `${code} Managing ${SUBJECTS[(i * 7) % SUBJECTS.length]} in practice, group ${i % 97}`,
    };
  });
}

const columns: Column<Row>[] = [
  { id: 'id', header: 'Course ID', value: (row) => row.id, kind: 'id', width: '120px' },
  { id: 'term', header: 'Term', value: (row) => row.term, width: '180px' },
  { id: 'campus', header: 'Campus', value: (row) => campusOf(row.sis), width: '120px' },
  { id: 'name', header: 'Course Name', value: (row) => row.name },
];
const keyOf = (row: Row) => row.id;

export function Courses({ count }: { count: number }) {
  const [rows] = useState(() => {
    const made = makeRows(count);
    Object.assign(window, {
      expected: (text: string) =>
        made.filter((row) =>
          `${row.id}\n${row.term}\n${campusOf(row.sis)}\n${row.name}`
            .toLowerCase()
            .includes(text.toLowerCase()),
        ).length,
    });
    return made;
  });
  const [selected, onChange] = useState<ReadonlySet<number>>(new Set());
  return (
    <DataTable
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      label="Courses"
      search
      selection={{ selected, onChange }}
      empty="none"
      height={600}
    />
  );
}
