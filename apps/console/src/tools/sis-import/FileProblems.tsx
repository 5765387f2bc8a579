import type { ErrorDetail } from '@lms-admin/contract/errors';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { texts } from './texts.ts';

interface Problem extends ErrorDetail {
  /** Place in the list: one row may have two problems. */
  key: number;
}

const columns: readonly Column<Problem>[] = [
  {
    id: 'row',
    header: texts.upload.row,
    value: (one) => one.row,
    kind: 'number',
    width: '80px',
    minWidth: 80,
  },
  // Beside the number: on a narrow screen the last column is out of view.
  { id: 'problem', header: texts.upload.problem, value: (one) => one.message, wrap: true, minWidth: 236 },
  { id: 'column', header: texts.upload.column, value: (one) => one.field, width: '160px', minWidth: 128 },
];
const rowKey = (one: Problem) => one.key;
/** The server stops looking after so many. */
const MOST_TOLD = 100;

/** What the check found in the file, by row and column, and what to do about it. */
export function FileProblems({ details }: { details: readonly ErrorDetail[] }) {
  const rows = useMemo(() => details.map((one, key): Problem => ({ ...one, key })), [details]);
  return (
    <Box
      component="section"
      aria-labelledby="sis-problems"
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id="sis-problems" variant="h3">
        {rows.length < MOST_TOLD
          ? texts.upload.problemsTitle(rows.length)
          : texts.upload.firstProblems(rows.length)}
      </Typography>
      <Typography>{texts.upload.problemsNext(rows.length)}</Typography>
      <DataTable<Problem, number>
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
