import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type ImportMessage, importMessage } from '@lms-admin/contract/imports';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
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
const none: readonly NumberedMessage[] = [];

/** What the LMS said about single rows, as the server has kept it. */
export function ImportMessages({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['imports', id, 'messages'],
    queryFn: async ({ signal }) => {
      const path = ENDPOINTS.importMessages.replace(':import', encodeURIComponent(id));
      const list = await getJson(path, z.array(importMessage), { signal });
      return list.map((one, key): NumberedMessage => ({ ...one, key }));
    },
  });
  if (query.isError && !query.isFetching)
    return (
      <ErrorState error={query.error} title={texts.messagesFailed} onRetry={() => void query.refetch()} />
    );
  return (
    <DataTable<NumberedMessage, number>
      label={texts.messages}
      rows={query.data ?? none}
      columns={columns}
      rowKey={rowKey}
      search={(query.data?.length ?? 0) > 10}
      height={360}
      loading={query.isPending}
      empty={texts.noMessages}
    />
  );
}
