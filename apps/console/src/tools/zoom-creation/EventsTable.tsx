import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useSettings } from '../../api/queries.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import { timesIn } from '../../components/moments.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { dayOf, dayText } from './days.ts';
import { columnsOf, timeOf } from './event-columns.tsx';
import type { EventRow } from './event-rows.ts';
import type { Sayers } from './preview-words.ts';
import type { Loaded } from './queries.ts';
import { texts } from './texts.ts';

const words = zoomCreationMessages;
const PAGE_SIZES = [5, 20, 100] as const;
/** As high as the screen allows, so that the horizontal scroll bar stays visible. */
const HEIGHT = 'max(304px, calc(100dvh - 408px))';

const rowKey = ({ event }: EventRow) => event.id;
const childRows = ({ rows }: EventRow) => rows;
const selectable = (row: EventRow) => row.selectable;

export interface EventsTableProps {
  rows: readonly EventRow[];
  loaded: Loaded | undefined;
  loading: boolean;
  from: string;
  onFrom: (day: string) => void;
  zone: string;
  say: Sayers;
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
  onUnmerge: (row: EventRow) => void;
}

/** The calendar table (ZC-06 to ZC-14): events that belong to another are below it, and cannot be selected (OP-66). */
export function EventsTable(props: EventsTableProps) {
  const { rows, loaded, loading, from, onFrom, zone, say, selected, onSelect, onUnmerge } = props;
  const lms = useSettings()?.lms_url ?? null;
  const { times, host } = say;
  const columns = useMemo(
    () => columnsOf({ lms, zone, times, host, onUnmerge }),
    [lms, zone, times, host, onUnmerge],
  );
  const arriving = loading && loaded?.done === false;
  const waiting = loading && rows.length === 0 && loaded?.done !== true;
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2 }}>
        <Typography variant="h3" component="h3">
          {words.tableTitle(dayText(from))}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {timesIn(zone)}
        </Typography>
        <Typography variant="body2" role="status" sx={{ ml: 'auto', minHeight: 20 }}>
          {waiting ? words.loading : ''}
        </Typography>
      </Box>
      <DataTable<EventRow, number>
        label={texts.dialog.label}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowLabel={(row) => `${row.title}, ${timeOf(row, times)}`}
        childRows={childRows}
        search
        searchPlaceholder={texts.dialog.search}
        selection={{ selected, onChange: onSelect, selectable }}
        pageSizes={PAGE_SIZES}
        defaultPageSize={20}
        height={HEIGHT}
        loading={waiting}
        progress={
          arriving ? { done: loaded?.events.length ?? 0, total: null, label: texts.dialog.loaded } : null
        }
        empty={<EmptyState title={words.none}>{texts.dialog.none}</EmptyState>}
        actions={<StartDay from={from} onFrom={onFrom} />}
      />
    </Box>
  );
}

/** The first day shown (ZC-11). An incomplete date is kept only in the field. */
function StartDay({ from, onFrom }: Pick<EventsTableProps, 'from' | 'onFrom'>) {
  const [typed, setTyped] = useState(from);
  const [entered, setEntered] = useState(from);
  if (entered !== from) {
    setEntered(from);
    setTyped(from);
  }
  return (
    <TextField
      type="date"
      size="small"
      label={texts.dialog.from}
      value={typed}
      onChange={(event) => {
        const { value } = event.target;
        setTyped(value);
        const day = dayOf(value);
        if (day !== null && day !== from) onFrom(day);
      }}
      onBlur={() => setTyped(from)}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ width: 160 }}
    />
  );
}
