import type { AccessPlaces, HistoryLine } from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { rightsChange } from '@lms-admin/domain/access-records';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { historyQuery } from '../../api/access.ts';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { momentFormat } from '../../components/moments.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { saveFile } from '../../components/save-file.ts';
import { texts } from './texts.ts';
import { changeLines, type Names, namesOf } from './words.ts';

const words = texts.history;
/** Number of lines loaded automatically: search and filters cover the loaded lines only. */
const LOADED_UNASKED = 5_000;

/** The history of changes, latest first: who changed what for whom. */
export function History({ places }: { places: AccessPlaces | undefined }) {
  const query = useInfiniteQuery(historyQuery);
  const { time_zone } = useProfile().userProfile;
  const columns = useMemo(() => columnsOf(namesOf(places), momentFormat(time_zone)), [places, time_zone]);
  const rows = useMemo(() => query.data?.pages.flatMap(({ lines }) => lines) ?? [], [query.data]);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const goesOn = hasNextPage && !isError && rows.length < LOADED_UNASKED;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage();
  }, [goesOn, isFetchingNextPage, fetchNextPage]);
  if (isError)
    return <ErrorState error={query.error} title={texts.failed} onRetry={() => void query.refetch()} />;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <DataTable
        rows={rows}
        columns={columns}
        rowKey={lineKey}
        label={words.title}
        loading={query.isPending}
        progress={goesOn ? { done: rows.length, total: null, label: words.loaded } : null}
        search
        pageSizes={[25, 50, 100]}
        empty={words.empty}
        actions={
          <Button variant="outlined" onClick={() => saveFile(ENDPOINTS.accessHistoryCsv)}>
            {words.export}
          </Button>
        }
      />
      {hasNextPage && !goesOn && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
          <Button variant="outlined" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
          <Typography>{words.partly(rows.length)}</Typography>
        </Box>
      )}
    </Box>
  );
}

const lineKey = ({ id }: HistoryLine) => id;

function columnsOf(names: Names, moment: (iso: string | null) => string): readonly Column<HistoryLine>[] {
  return [
    { id: 'at', header: words.at, value: ({ at }) => at, cell: ({ at }) => moment(at), width: '180px' },
    {
      id: 'by',
      header: words.by,
      value: ({ by, approved_by }) => (approved_by === null ? by : `${by}, ${words.approved(approved_by)}`),
      filter: 'words',
      wrap: true,
    },
    { id: 'login', header: words.login, value: ({ login }) => login, filter: 'words', wrap: true },
    {
      id: 'kind',
      header: words.what,
      value: ({ kind }) => words.kinds[kind] ?? kind,
      filter: 'choice',
      width: '175px',
    },
    {
      id: 'details',
      header: words.details,
      value: (line) => detailsOf(line, names, moment),
      wrap: true,
      width: '26%',
      minWidth: 200,
    },
    { id: 'why', header: words.why, value: ({ why }) => why, wrap: true },
  ];
}

/** Lists the permissions that a change gave and removed, as recorded at the time. */
function detailsOf(
  { before, after, at }: HistoryLine,
  names: Names,
  moment: (iso: string | null) => string,
): string {
  const change = rightsChange(before ?? undefined, after ?? undefined, Date.parse(at));
  const { gains, loses } = changeLines(change, names);
  const reasons = [before?.reason ?? '', after?.reason ?? ''].map((reason) => reason || words.noReason);
  const emails = [before?.record.email ?? '', after?.record.email ?? ''];
  const end = (iso: string | null | undefined) => (iso == null ? words.never : moment(iso));
  return [
    ...(gains.length > 0 ? [words.gained(gains.join(', '))] : []),
    ...(loses.length > 0 ? [words.lost(loses.join(', '))] : []),
    ...(before?.expires_at === after?.expires_at || (before === null && after?.expires_at === null)
      ? []
      : [words.ends(end(before?.expires_at), end(after?.expires_at))]),
    ...(reasons[0] === reasons[1] ? [] : [words.reason(reasons[0] ?? '', reasons[1] ?? '')]),
    ...(before === null || emails[0] === emails[1] ? [] : [words.email(emails[0] ?? '', emails[1] ?? '')]),
  ].join(' ');
}
