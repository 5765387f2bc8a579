import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { EFFECT_PAGE, type SisEffectRow, sisEffectRows } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { getJson } from '../../api/client.ts';
import { useSettings } from '../../api/queries.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import { ROW_HEIGHT } from '../../components/DataTable/styles.ts';
import type { Column } from '../../components/DataTable/types.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { useSettled } from '../../components/useSettled.ts';
import { EffectFields, EffectSearch, MoreRows, noteHeight } from './EffectPieces.tsx';
import { type EffectPart, noteOf, partLabel } from './effect-words.ts';
import { InLms } from './InLms.tsx';
import { texts } from './texts.ts';

const { rows: words } = texts.review;
const HEIGHT = 420;
type Keyed = SisEffectRow & { key: number };
const rowKey = ({ key }: Keyed) => key;

export interface EffectRowsProps {
  /** ID of the file, and when its effect was compared. */
  file: string;
  createdAt: string;
  part: EffectPart;
  /** Whether the rows come from the files of a zip. */
  zip: boolean;
}

/** The rows of one kind of change, as many as requested so far. The server searches them, because it has all rows. */
export function EffectRows({ file, createdAt, part, zip }: EffectRowsProps) {
  const lms = useSettings()?.lms_url ?? null;
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const settled = useSettled(typed);
  if (settled && text !== typed) setText(typed);
  const query = useInfiniteQuery({
    queryKey: ['sis-effects', file, createdAt, 'rows', part.kind, part.does, text],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      getJson(ENDPOINTS.sisEffectRows.replace(':file', encodeURIComponent(file)), sisEffectRows, {
        query: [
          ['table', part.kind],
          ['does', part.does],
          ['text', text],
          ['page', String(pageParam)],
        ],
        signal,
      }),
    getNextPageParam: (last, pages) => (pages.length * EFFECT_PAGE < last.all ? pages.length + 1 : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pages = query.data?.pages;
  const rows = useMemo(
    () => (pages ?? []).flatMap((page) => page.rows).map((row, key): Keyed => ({ ...row, key })),
    [pages],
  );
  const columns = useMemo(() => columnsOf(part, lms, zip), [part, lms, zip]);
  const all = pages?.[0]?.all ?? 0;
  if (query.error !== null && !query.isFetching)
    return <ErrorState error={query.error} title={words.failed} onRetry={() => void query.refetch()} />;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)', justifyItems: 'start' }}>
      {(part.rows > EFFECT_PAGE || typed !== '') && <EffectSearch typed={typed} onTyped={setTyped} />}
      <Box sx={{ width: '100%', minWidth: 0 }}>
        <DataTable<Keyed, number>
          label={partLabel(part)}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          rowHeight={Math.max(ROW_HEIGHT, noteHeight(rows))}
          height={HEIGHT}
          loading={query.isPending}
          empty={words.none}
        />
      </Box>
      {rows.length < all && (
        <MoreRows
          shown={words.shown(rows.length, all)}
          label={words.more}
          disabled={query.isFetching}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </Box>
  );
}

function columnsOf({ kind, does }: EffectPart, lms: string | null, zip: boolean): Column<Keyed>[] {
  const column = words.columns;
  const places = kind === 'section' || kind === 'xlist' || kind === 'group_membership' || kind === 'group';
  const fields = !['removes', 'nothing', 'fails', 'unknown'].includes(does);
  return [
    {
      id: 'row',
      header: column.row,
      value: ({ row }) => row,
      kind: 'number',
      width: '88px',
      minWidth: 80,
    },
    // In a separate column: the name may be long, and rows of one file differ only in their number.
    ...(zip
      ? [
          {
            id: 'file',
            header: column.file,
            value: ({ file }: Keyed) => file,
            width: '150px',
            minWidth: 120,
            wrap: true,
          },
        ]
      : []),
    {
      id: 'of',
      header: column.of(kind),
      value: ({ of }) => of.name ?? of.id,
      cell: ({ of }) => <InLms object={of} lms={lms} />,
      minWidth: 170,
      wrap: true,
    },
    ...(places
      ? [
          {
            id: 'in',
            header: column.in(kind),
            value: (row: Keyed) => row.in?.name ?? row.in?.id ?? null,
            cell: (row: Keyed) => (row.in === null ? null : <InLms object={row.in} lms={lms} />),
            minWidth: 170,
            wrap: true,
          },
        ]
      : []),
    ...(fields
      ? [
          {
            id: 'fields',
            header: does === 'creates' ? column.becomes : column.changes,
            value: (row: Keyed) => row.fields.map((field) => words.field(...field)).join('; ') || null,
            cell: (row: Keyed) => <EffectFields row={row} />,
            minWidth: 230,
            wrap: true,
          },
        ]
      : []),
    {
      id: 'why',
      header: column.why,
      value: (row) => noteOf(row) || null,
      minWidth: 220,
      wrap: true,
    },
  ];
}
