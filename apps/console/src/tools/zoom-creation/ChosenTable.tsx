import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useMemo } from 'react';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { MeetingLink, Quiet, Visibility } from './cells.tsx';
import { timeOf } from './event-columns.tsx';
import type { EventRow } from './event-rows.ts';
import type { Sayers } from './preview-words.ts';
import { texts } from './texts.ts';

const names = zoomCreationMessages.columns;
const rowKey = ({ event }: EventRow) => event.id;
/** Lists the sections with their times, because a change to an event with section times changes each section. */
const sectionRows = ({ rows }: EventRow) => rows.filter(({ kind }) => kind === 'section');
const nothing = () => undefined;
const FEW = 8;

interface ChosenTableProps {
  title: string;
  /** Text shown in place of a table without events. */
  empty: string;
  rows: readonly EventRow[];
  say: Sayers;
}

/** The events in a change, in their current state (ZC-23, ZC-30). */
export function ChosenTable({ title, empty, rows, say }: ChosenTableProps) {
  const { times, host } = say;
  const twins = useMemo(() => twinsOf(rows, times), [rows, times]);
  const columns = useMemo(() => columnsOf(times, host, twins), [times, host, twins]);
  // The table needs the same list for a row each time.
  const sections = useMemo(() => new Map(rows.map((row) => [row.event.id, sectionRows(row)])), [rows]);
  const childRows = useCallback((row: EventRow) => sections.get(row.event.id) ?? NONE, [sections]);
  const open = useMemo(
    () => new Set([...sections].flatMap(([id, below]) => (below.length > 0 ? [id] : []))),
    [sections],
  );
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h3">{title}</Typography>
      <DataTable<EventRow, number>
        label={title}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        childRows={childRows}
        defaultOpen={open}
        search={rows.length > FEW}
        height={304}
        empty={empty}
      />
    </Box>
  );
}

const NONE: readonly EventRow[] = [];

/** Finds events with the same title and time as another event: only their numbers distinguish them. */
function twinsOf(rows: readonly EventRow[], times: Sayers['times']): ReadonlySet<number> {
  const byLook = new Map<string, number[]>();
  for (const row of rows) {
    const look = `${row.title}\n${timeOf(row, times)}`;
    byLook.set(look, [...(byLook.get(look) ?? []), row.event.id]);
  }
  return new Set([...byLook.values()].filter((ids) => ids.length > 1).flat());
}

function columnsOf(
  times: Sayers['times'],
  host: Sayers['host'],
  twins: ReadonlySet<number>,
): readonly Column<EventRow>[] {
  return [
    {
      id: 'title',
      header: names.title,
      value: (row) => (twins.has(row.event.id) ? `${row.title} ${row.event.id}` : row.title),
      cell: (row) =>
        twins.has(row.event.id) ? (
          <>
            {row.title} <Quiet>{texts.eventNumber(row.event.id)}</Quiet>
          </>
        ) : (
          row.title
        ),
      wrap: true,
      minWidth: 200,
    },
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
