import type { ListProblem } from '@lms-admin/contract/awards';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { StopIcon, WarningIcon } from '../../components/Icons.tsx';
import { texts } from './texts.ts';

type PlacedProblem = ListProblem & { place: number };

const words = texts.check;
const rowKey = (one: PlacedProblem) => one.place;
const PAGES = [10, 50, 100];

function columnsOf(message: string): readonly Column<PlacedProblem>[] {
  return [
    { id: 'row', header: words.row, value: (one) => one.row, kind: 'number', width: '76px', minWidth: 76 },
    // Placed beside the row number: on a narrow screen, the last columns are out of view.
    { id: 'message', header: message, value: (one) => one.message, wrap: true, minWidth: 210 },
    { id: 'column', header: words.column, value: (one) => one.column, width: '112px', minWidth: 104 },
    { id: 'next', header: words.next, value: (one) => one.next, wrap: true, minWidth: 220 },
  ];
}
const COLUMNS = { problems: columnsOf(words.problem), hints: columnsOf(words.hint) } as const;

export interface ListProblemsProps {
  kind: 'problems' | 'hints';
  /** The first problems. */
  all: readonly ListProblem[];
  /** The number of all problems. */
  count: number;
}

/** Errors and warnings about the Excel file, by row and column. */
export function ListProblems({ kind, all, count }: ListProblemsProps) {
  const rows = useMemo(() => all.map((one, place): PlacedProblem => ({ ...one, place })), [all]);
  const stops = kind === 'problems';
  const id = `award-${kind}`;
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id={id} variant="h3" component="h4" sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
        <Box
          component="span"
          sx={{ lineHeight: 0, flex: 'none', color: stops ? 'error.main' : 'warning.main' }}
        >
          {stops ? <StopIcon /> : <WarningIcon />}
        </Box>
        {stops ? words.problems(count) : words.hints(count)}
      </Typography>
      <Typography>
        {stops ? words.problemsNext(count) : words.hintsNext(count)}{' '}
        {count > rows.length && words.problemsFirst(rows.length)}
      </Typography>
      <DataTable<PlacedProblem, number>
        label={stops ? words.problemsLabel : words.hintsLabel}
        rows={rows}
        columns={COLUMNS[kind]}
        rowKey={rowKey}
        rowLabel={(one) => one.message}
        {...(rows.length > 10 && { pageSizes: PAGES })}
        empty=""
      />
    </Box>
  );
}
