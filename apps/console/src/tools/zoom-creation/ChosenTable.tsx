import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId, useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { MeetingLink, Visibility } from './cells.tsx';
import { timeOf } from './event-columns.tsx';
import type { EventRow } from './event-rows.ts';
import type { Sayers } from './preview-words.ts';

const names = zoomCreationMessages.columns;
const rowKey = ({ event }: EventRow) => event.id;
const nothing = () => undefined;
const FEW = 8;

interface ChosenTableProps {
  title: string;
  /** What stands there when there is none. */
  empty: string;
  rows: readonly EventRow[];
  say: Sayers;
}

/** The events that a change is about, as they are now (ZC-23, ZC-30). */
export function ChosenTable({ title, empty, rows, say }: ChosenTableProps) {
  const id = useId();
  const { times, host } = say;
  const columns = useMemo(() => columnsOf(times, host), [times, host]);
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id={id} variant="h3">
        {title}
      </Typography>
      <DataTable<EventRow, number>
        label={title}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > FEW}
        height={304}
        empty={empty}
      />
    </Box>
  );
}

function columnsOf(times: Sayers['times'], host: Sayers['host']): readonly Column<EventRow>[] {
  return [
    { id: 'title', header: names.title, value: (row) => row.title, wrap: true, minWidth: 200 },
    {
      id: 'time',
      header: names.time,
      value: ({ event }) => event.start_at,
      cell: (row) => timeOf(row, times),
      wrap: true,
      width: '172px',
      minWidth: 172,
    },
    {
      id: 'link',
      header: names.link,
      value: ({ event }) => event.zoom_link,
      cell: (row, tabIndex) => <MeetingLink row={row} tabIndex={tabIndex} />,
      width: '150px',
      minWidth: 150,
    },
    {
      id: 'host',
      header: names.host,
      value: (row) => row.host,
      cell: (row) => (row.host === null ? '' : host(row.host)),
      width: '150px',
      minWidth: 140,
    },
    {
      id: 'visibility',
      header: names.visibility,
      value: ({ event }) => event.zoom_visibility,
      cell: (row, tabIndex) => (
        <Visibility
          row={row.kind === 'merged' ? { ...row, kind: 'own' } : row}
          tabIndex={tabIndex}
          onUnmerge={nothing}
        />
      ),
      width: '190px',
      minWidth: 180,
    },
  ];
}
