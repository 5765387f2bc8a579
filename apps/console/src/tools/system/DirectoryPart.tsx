import { type DirectoryStatus, directoryRefreshed, directoryStatus } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { postJson } from '../../api/client.ts';
import { useWrite } from '../../api/useWrite.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Facts } from '../../components/Facts.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { sizeOf } from '../../components/size-of.ts';
import { Part, QueryPart } from './Part.tsx';
import { texts } from './texts.ts';
import { useMoment } from './useMoment.ts';
import { usePart } from './useSystem.ts';

const words = texts.directory;

/** When the copy of people, courses and sections was created, its recent refreshes, and a button to start one. */
export function DirectoryPart({ onAnnounce }: { onAnnounce: (words: string) => void }) {
  const query = usePart(ENDPOINTS.systemDirectory, directoryStatus, { live: true });
  const { write, isPending, error } = useWrite({
    mutationFn: () => postJson(ENDPOINTS.systemDirectoryRefresh, undefined, directoryRefreshed),
    onSuccess({ status }) {
      onAnnounce(status === 'started' ? words.started : words.joined);
      void query.refetch();
    },
  });
  return (
    <Part title={words.title} about={words.about}>
      <QueryPart title={words.title} query={query} lines={4}>
        {(status) => (
          <>
            <State status={status} />
            {status.state !== 'off' && (
              <Box>
                <Button variant="outlined" disabled={isPending} onClick={() => write()}>
                  {words.refresh}
                </Button>
              </Box>
            )}
            {error !== null && <ErrorState error={error} title={words.refreshFailed} />}
            {(status.state !== 'off' || status.runs.length > 0) && <Runs runs={status.runs} />}
          </>
        )}
      </QueryPart>
    </Part>
  );
}

function State({ status }: { status: DirectoryStatus }) {
  const moment = useMoment();
  const { state, why_off, as_of, counts, bytes, next_at, running } = status;
  const at = (time: number | null) => (time === null ? '–' : moment(time));
  return (
    <>
      <Typography>{[words.states[state], why_off].filter((text) => text !== null).join(' ')}</Typography>
      {running !== null && <Typography>{words.running(running)}</Typography>}
      {state !== 'off' && (
        <Facts
          label={words.title}
          facts={[
            [words.facts.asOf, at(as_of)],
            [words.facts.people, words.number(counts?.users)],
            [words.facts.courses, words.number(counts?.courses)],
            [words.facts.sections, words.number(counts?.sections)],
            [words.facts.size, sizeOf(bytes)],
            [words.facts.next, at(next_at)],
          ]}
        />
      )}
    </>
  );
}

type Run = DirectoryStatus['runs'][number];
const runKey = (run: Run) => run.asked_at;
const names = words.columns;

function Runs({ runs }: { runs: readonly Run[] }) {
  const moment = useMoment();
  const columns = useMemo(
    (): Column<Run>[] => [
      {
        id: 'asked',
        header: names.started,
        value: (run) => run.asked_at,
        cell: (run) => moment(run.asked_at),
      },
      { id: 'outcome', header: names.outcome, value: (run) => words.outcomes[run.outcome] },
      { id: 'rows', header: names.rows, value: (run) => run.rows, kind: 'number' },
      {
        id: 'why',
        header: names.why,
        value: (run) => [run.message, run.next].filter((text) => text !== '').join(' '),
        minWidth: 280,
      },
    ],
    [moment],
  );
  return (
    <DataTable<Run, number>
      label={words.runs}
      rows={runs}
      columns={columns}
      rowKey={runKey}
      empty={words.noRuns}
    />
  );
}
