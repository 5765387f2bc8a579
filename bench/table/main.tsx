/** The product's table with 20,000 courses and nothing around it; `expected` counts what a search has to leave. */
import { campusOf } from '@lms-admin/domain/courses';
import { ThemeProvider } from '@mui/material/styles';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { theme } from '../../apps/console/src/app/theme.ts';
import { LiveRegions } from '../../apps/console/src/components/Announcer.tsx';
import { DataTable } from '../../apps/console/src/components/DataTable/DataTable.tsx';
import type { Column } from '../../apps/console/src/components/DataTable/types.ts';

interface Row {
  id: number;
  sis: string;
  term: string;
  name: string;
}

const SUBJECTS = ['FIN', 'MKT', 'OPS', 'STR', 'ECO', 'LAW', 'ENT', 'ORG'];
const rows: Row[] = Array.from({ length: 20_000 }, (_, i) => {
  const code = `${SUBJECTS[i % SUBJECTS.length]}${100 + (i % 700)}`;
  return {
    id: i + 1,
    sis: `MBA26-${['FBL', 'SGP', 'ABD'][i % 3]}-${code}-${'ABCD'[i % 4]}`,
    term: `MBA 2026-27 P${1 + (i % 5)}`,
    name: `${code} Managing ${SUBJECTS[(i * 7) % SUBJECTS.length]} in practice, group ${i % 97}`,
  };
});

const columns: Column<Row>[] = [
  { id: 'id', header: 'Course ID', value: (row) => row.id, kind: 'id', width: '120px' },
  { id: 'term', header: 'Term', value: (row) => row.term, width: '180px' },
  { id: 'campus', header: 'Campus', value: (row) => campusOf(row.sis), width: '120px' },
  { id: 'name', header: 'Course Name', value: (row) => row.name },
];
const keyOf = (row: Row) => row.id;

Object.assign(window, {
  expected: (text: string) =>
    rows.filter((row) =>
      `${row.id}\n${row.term}\n${campusOf(row.sis)}\n${row.name}`.toLowerCase().includes(text.toLowerCase()),
    ).length,
});

function Page() {
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

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ThemeProvider theme={theme}>
      <>
        <Page />
        <LiveRegions />
      </>
    </ThemeProvider>,
  );
}
