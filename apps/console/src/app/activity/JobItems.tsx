import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type JobItem, type JobItemCounts, jobItem } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getAnswer } from '../../api/client.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';

const items = z.array(jobItem);
const rowKey = (one: JobItem) => one.seq;
const { counts: words, columns: heads } = texts.items;
const ORDER = ['done', 'failed', 'unknown', 'doing', 'todo'] as const;

const columns: readonly Column<JobItem>[] = [
  { id: 'what', header: heads.what, value: ({ label }) => label, wrap: true, minWidth: 180 },
  {
    id: 'state',
    header: heads.state,
    value: ({ state }) => words[state],
    width: '120px',
    minWidth: 110,
  },
  { id: 'message', header: heads.message, value: ({ message }) => message, wrap: true, minWidth: 200 },
];

/** What a job does one by one: how many of each, and each with what was said about it. */
export function JobItems({ id, counts }: { id: string; counts: JobItemCounts }) {
  const query = useInfiniteQuery({
    queryKey: ['jobs', 'items', id, counts],
    initialPageParam: ENDPOINTS.jobItems.replace(':job', encodeURIComponent(id)),
    queryFn: ({ pageParam, signal }) => getAnswer(pageParam, items, { signal }),
    getNextPageParam: (last) => last.pagination.nextPage,
  });
  const rows = useMemo(() => (query.data?.pages ?? []).flatMap(({ data }) => data), [query.data]);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Typography variant="h3">{texts.items.title}</Typography>
      <Figures
        label={texts.items.title}
        figures={ORDER.filter((state) => state === 'done' || counts[state] > 0).map((state) => ({
          label: words[state],
          value: counts[state],
        }))}
      />
      {counts.unknown > 0 && <Typography>{texts.items.unknownHint}</Typography>}
      {query.isError ? (
        <ErrorState error={query.error} title={texts.items.failed} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable<JobItem, number>
          label={texts.items.title}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          search={rows.length > 10}
          height={440}
          loading={query.isPending}
          empty={texts.items.none}
          actions={
            query.hasNextPage ? (
              <Button
                size="small"
                variant="outlined"
                disabled={query.isFetching}
                onClick={() => void query.fetchNextPage()}
              >
                {texts.items.more}
              </Button>
            ) : undefined
          }
        />
      )}
    </Box>
  );
}
