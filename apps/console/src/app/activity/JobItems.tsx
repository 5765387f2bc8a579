import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type JobItem, type JobItemCounts, jobItem } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getAnswer } from '../../api/client.ts';
import { CopyButton } from '../../components/CopyText.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';

const items = z.array(jobItem);
const rowKey = (one: JobItem) => one.seq;
const { counts: words, columns: heads, notDone } = texts.items;
const WORDS_AT_THE_END: Record<JobItem['state'], string> = { ...words, todo: notDone };
const ORDER = ['done', 'failed', 'unknown', 'doing', 'todo'] as const;

const columnsOf = (states: Record<JobItem['state'], string>): readonly Column<JobItem>[] => [
  { id: 'what', header: heads.what, value: ({ label }) => label, wrap: true, minWidth: 180 },
  {
    id: 'state',
    header: heads.state,
    value: ({ state }) => states[state],
    width: '120px',
    minWidth: 110,
  },
  {
    id: 'message',
    header: heads.message,
    value: ({ message }) => message,
    // The result may be a link, which people copy.
    cell: ({ message }, tabIndex) =>
      message !== null && LINK.test(message) ? (
        <>
          <Link href={message} target="_blank" rel="noopener noreferrer" tabIndex={tabIndex}>
            {message}
          </Link>
          <CopyButton text={message} label={texts.items.link} tabIndex={tabIndex} />
        </>
      ) : (
        message
      ),
    wrap: true,
    minWidth: 200,
  },
];

const LINK = /^https?:\/\/\S+$/;

/** px: three lines, so that the advice about a failure and a link are fully visible. */
const LONG_ROW = 60;
const isLong = ({ message }: JobItem) => message !== null && (LINK.test(message) || message.length > 80);

const COLUMNS = columnsOf(words);
const COLUMNS_AT_THE_END = columnsOf(WORDS_AT_THE_END);

interface JobItemsProps {
  id: string;
  counts: JobItemCounts;
  /** Whether the job has ended, so that its remaining items will not be processed. */
  ended: boolean;
}

/** The items of a job: how many are in each state, and each item with its message. */
export function JobItems({ id, counts, ended }: JobItemsProps) {
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
          label: (ended ? WORDS_AT_THE_END : words)[state],
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
          columns={ended ? COLUMNS_AT_THE_END : COLUMNS}
          rowKey={rowKey}
          {...(rows.some(isLong) && { rowHeight: LONG_ROW })}
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
