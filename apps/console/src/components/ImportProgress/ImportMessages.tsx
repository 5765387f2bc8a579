import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type ImportMessage, importMessage } from '@lms-admin/contract/imports';
import Button from '@mui/material/Button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import { getAnswer } from '../../api/client.ts';
import { DataTable } from '../DataTable/DataTable.tsx';
import type { Column } from '../DataTable/types.ts';
import { ErrorState } from '../States/ErrorState.tsx';
import { texts } from './texts.ts';

interface NumberedMessage extends ImportMessage {
  /** Place in the list: two rows may have the same message. */
  key: number;
}

const columns: readonly Column<NumberedMessage>[] = [
  { id: 'row', header: texts.row, value: (one) => one.row, kind: 'number', width: '88px', minWidth: 72 },
  { id: 'message', header: texts.message, value: (one) => one.message, minWidth: 320 },
];
const rowKey = (one: NumberedMessage) => one.key;
const list = z.array(importMessage);

/** What the LMS said about single rows, as the server has kept it: a page of 100 at a time. */
export function ImportMessages({ id }: { id: string }) {
  const query = useInfiniteQuery({
    queryKey: ['imports', id, 'messages'],
    initialPageParam: ENDPOINTS.importMessages.replace(':import', encodeURIComponent(id)),
    queryFn: ({ pageParam, signal }) => getAnswer(pageParam, list, { signal }),
    getNextPageParam: (last) => last.pagination.nextPage,
  });
  const rows = useMemo(
    () =>
      (query.data?.pages ?? [])
        .flatMap((page) => page.data)
        .map((one, key): NumberedMessage => ({ ...one, key })),
    [query.data],
  );
  if (query.isError && !query.isFetching)
    return (
      <ErrorState error={query.error} title={texts.messagesFailed} onRetry={() => void query.refetch()} />
    );
  return (
    <DataTable<NumberedMessage, number>
      label={texts.messages}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      search={rows.length > 10}
      height={360}
      loading={query.isPending}
      empty={texts.noMessages}
      actions={
        query.hasNextPage ? (
          <Button
            size="small"
            variant="outlined"
            disabled={query.isFetching}
            onClick={() => void query.fetchNextPage()}
          >
            {texts.more}
          </Button>
        ) : undefined
      }
    />
  );
}
