import type { SisImport } from '@lms-admin/contract/imports';
import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { importPhase } from '@lms-admin/domain/import-states';
import { userCells } from '@lms-admin/domain/new-users';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { CheckIcon, StopIcon } from '../../components/Icons.tsx';
import { PersonLink } from '../../components/PersonLink.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { UserRow } from './create-users-state.ts';
import { createdBy, outcomesOf, type PersonOutcome, readResult } from './outcomes.ts';
import { texts } from './texts.ts';
import type { UsersStep } from './useUsersWork.ts';

interface ResultRow extends PersonOutcome {
  name: string;
  psID: string;
  email: string;
}

const rowKey = (row: ResultRow) => row.id;
const countOf = (all: readonly PersonOutcome[], result: PersonOutcome['result']) =>
  all.filter((one) => one.result === result).length;

/** The result for each person: created, or the LMS's message about the row, which can then be corrected. */
export function CreatedPeople({ of, state, dispatch }: UsersStep & { of: SisImport }) {
  // The rows as sent, in the order of the form.
  const { rows } = state;
  const lms = useSettings()?.lms_url ?? null;
  const found = useResult(of, rows);
  const outcomes = useMemo(
    () => (found.data ? outcomesOf(rows, { ...found.data, created: createdBy(of) }) : []),
    [rows, found.data, of],
  );
  const columns = useMemo(() => columnsOf(lms), [lms]);
  const shown = useMemo(() => resultRows(rows, outcomes), [rows, outcomes]);
  const failed = outcomes.filter((one) => one.result === 'not-created').map((one) => one.id);
  if (found.isError)
    return (
      <ErrorState
        error={found.error}
        title={texts.result.lookupFailed}
        onRetry={() => void found.refetch()}
      />
    );
  return (
    <Box component="section" aria-labelledby="created-people" sx={{ display: 'grid', gap: 1.5 }}>
      <Box>
        <Typography id="created-people" variant="h3">
          {texts.result.title}
        </Typography>
        {found.data && (
          <Typography>
            {texts.result.sum(countOf(outcomes, 'created'), rows.length, countOf(outcomes, 'unknown'))}
          </Typography>
        )}
      </Box>
      <DataTable<ResultRow, number>
        label={texts.result.table}
        rows={shown}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > 10}
        loading={found.isPending}
        empty={texts.previewEmpty}
      />
      {failed.length > 0 && (
        <Box>
          <Button variant="outlined" onClick={() => dispatch({ type: 'correct', ids: failed })}>
            {texts.result.correct(failed.length)}
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** Loads the LMS's messages about the rows of the form. */
function useResult(of: SisImport, rows: readonly UserRow[]) {
  const clean = importPhase(of.workflow_state) === 'imported';
  return useQuery({
    queryKey: ['created-people', of.id],
    queryFn: ({ signal }) =>
      readResult(
        of.id,
        rows.map((row) => row.psID),
        // Rows may have been skipped before the others were sent.
        !clean || of.rows < rows.length,
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const ORDER: readonly PersonOutcome['result'][] = ['not-created', 'existed', 'unknown', 'created'];

/** Lists people who were not created first, and keeps the order of the form otherwise. */
function resultRows(rows: readonly UserRow[], outcomes: readonly PersonOutcome[]): ResultRow[] {
  const byId = new Map(outcomes.map((one) => [one.id, one]));
  const all = rows.flatMap((row) => {
    const outcome = byId.get(row.id);
    const { short_name, user_id, login_id } = userCells(row);
    return outcome ? [{ ...outcome, name: short_name, psID: user_id, email: login_id }] : [];
  });
  return ORDER.flatMap((result) => all.filter((one) => one.result === result));
}

function outcomeText({ result, messages }: PersonOutcome): string {
  const first = texts.result.outcomes[result];
  return messages.length === 0 ? first : `${first}: ${messages.join(' ')}`;
}

function columnsOf(lms: string | null): readonly Column<ResultRow>[] {
  const { fields } = createUsersMessages;
  return [
    {
      id: 'name',
      header: texts.result.name,
      value: (row) => row.name,
      width: '180px',
      minWidth: 170,
      wrap: true,
      cell: ({ canvasId, name }) => (
        <PersonLink lms={lms} id={canvasId} name={name} label={texts.result.open(name)} />
      ),
    },
    {
      id: 'outcome',
      header: texts.result.outcome,
      value: outcomeText,
      wrap: true,
      minWidth: 240,
      cell: (row) => (
        <Box component="span" sx={{ display: 'inline-flex', gap: 0.75 }}>
          <Box
            component="span"
            sx={{ lineHeight: 0, pt: '2px', color: row.result === 'created' ? 'success.main' : 'error.main' }}
          >
            {row.result === 'created' ? <CheckIcon size={16} /> : <StopIcon size={16} />}
          </Box>
          {outcomeText(row)}
        </Box>
      ),
    },
    { id: 'psID', header: fields.psID, value: (row) => row.psID, kind: 'id', width: '146px', minWidth: 146 },
    {
      id: 'email',
      header: fields.email,
      value: (row) => row.email,
      kind: 'id',
      wrap: true,
      minWidth: 310,
      width: '310px',
    },
  ];
}
