import type { ErrorDetail } from '@lms-admin/contract/errors';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { texts } from './texts.ts';

/** Equal problems are listed once. */
interface Problem {
  key: string;
  /** The first rows. */
  rows: string;
  message: string;
  column: string | null;
  count: number;
}

const columns: readonly Column<Problem>[] = [
  {
    id: 'row',
    header: texts.upload.row,
    value: (one) => one.rows,
    width: '150px',
    minWidth: 110,
    wrap: true,
  },
  // Placed beside the row number: on a narrow screen, the last column is out of view.
  { id: 'problem', header: texts.upload.problem, value: (one) => one.message, wrap: true, minWidth: 236 },
  { id: 'column', header: texts.upload.column, value: (one) => one.column, width: '160px', minWidth: 128 },
  {
    id: 'count',
    header: texts.upload.count,
    value: (one) => one.count,
    kind: 'number',
    width: '104px',
    minWidth: 96,
  },
];
const rowKey = (one: Problem) => one.key;
/** The server stops checking after this many problems. */
const MAX_LISTED = 100;
const ROWS_NAMED = 4;

/** Problems of a file that is not corrected in place, by row and column, and what to do about them. */
export function FileProblems({ details }: { details: readonly ErrorDetail[] }) {
  const rows = useMemo(() => problemsOf(details), [details]);
  return (
    <Box
      component="section"
      aria-labelledby="sis-problems"
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id="sis-problems" variant="h3">
        {details.length < MAX_LISTED
          ? texts.upload.problemsTitle(details.length)
          : texts.upload.firstProblems(details.length)}
      </Typography>
      <Typography>{texts.upload.problemsNext(details.length)}</Typography>
      <DataTable<Problem, string>
        label={texts.upload.problems}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > 10}
        empty=""
      />
    </Box>
  );
}

function problemsOf(details: readonly ErrorDetail[]): Problem[] {
  const groups = new Map<string, ErrorDetail[]>();
  for (const one of details) {
    const key = `${one.field ?? ''}\n${one.kind ?? one.message}`;
    const places = groups.get(key);
    if (places) places.push(one);
    else groups.set(key, [one]);
  }
  return [...groups].map(([key, places]) => {
    const [first] = places;
    const same = places.every(({ message }) => message === first?.message);
    const rows = places.flatMap(({ row }) => row ?? []);
    return {
      key,
      rows: rows.slice(0, ROWS_NAMED).join(', ') + (rows.length > ROWS_NAMED ? ' …' : ''),
      message: (same ? undefined : first?.kind) ?? first?.message ?? '',
      column: first?.field ?? null,
      count: places.length,
    };
  });
}
