import type { ZoomRunReview } from '@lms-admin/contract/zoom';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import { ROW_HEIGHT, WRAPPED_LINE } from '../../components/DataTable/styles.ts';
import type { Column } from '../../components/DataTable/types.ts';
import { knownZone, momentFormat, timesIn } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { countsOf, doesWords, failingOf, isNothing, noteWords, type Told } from './review-words.ts';
import { Said, Sentence } from './Said.tsx';
import { texts } from './texts.ts';

const words = texts.review;
/** An event by its place: reservations of one slot have the slot's number in common. */
type Row = Told & { place: number };
const rowKey = ({ place }: Row) => place;

/** What the run will do: how many events, then each that changes or needs a person. */
export function RunReview({ review }: { review: ZoomRunReview }) {
  const { told, meetings, note, until } = review;
  const failing = failingOf(review);
  const sentence = isNothing(review) ? words.nothingToDo(review.events) : countsOf(review);
  const inZoom = words.meetings(meetings);
  return (
    <Said said={sentence}>
      <Box sx={{ display: 'grid', gap: 0.5 }}>
        <Sentence text={sentence} />
        {inZoom !== null && <Typography>{inZoom}</Typography>}
        <Typography color="textSecondary">
          {isNothing(review) ? words.nothingToDoNext : words.after}
        </Typography>
      </Box>
      {failing.whole + failing.part > 0 && (
        <Notice tone="warning" title={words.failing(failing)}>
          <Typography>{words.failingNext}</Typography>
        </Notice>
      )}
      {note !== null && <Notice tone="info" title={note} />}
      {told.length > 0 && <Events told={told} courseZone={until?.zone ?? null} />}
    </Said>
  );
}

/** @property courseZone null: not known, so that the times are those of the reader */
interface EventsProps {
  told: readonly Told[];
  courseZone: string | null;
}

/** Its times are in the zone of the course, as those of the result in Activity are. */
function Events({ told, courseZone }: EventsProps) {
  const { time_zone } = useProfile().userProfile;
  const zone = knownZone(courseZone ?? time_zone);
  const rows = useMemo(() => told.map((one, place): Row => ({ ...one, place })), [told]);
  const columns = useMemo(() => {
    const all = columnsOf(momentFormat(zone));
    // A column without a word only takes room.
    return rows.some((row) => noteWords(row) !== '') ? all : all.filter(({ id }) => id !== 'note');
  }, [rows, zone]);
  return (
    <Box sx={{ display: 'grid', gap: 0.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="body2" color="textSecondary">
        {timesIn(zone)}
      </Typography>
      <DataTable<Row, number>
        label={words.events}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowHeight={heightOf(rows)}
        search={rows.length > 10}
        empty=""
      />
    </Box>
  );
}

/** Characters of a note that one line of its column holds where the window is narrow. */
const LINE = 34;
const MOST_LINES = 8;

/** Rows are as high as the longest text wants: what needs a person is read whole. */
function heightOf(rows: readonly Row[]): number {
  const longest = Math.max(...rows.flatMap((row) => [noteWords(row).length, doesWords(row).length]));
  const lines = Math.min(MOST_LINES, Math.ceil(longest / LINE));
  return lines > 2 ? lines * WRAPPED_LINE + 4 : ROW_HEIGHT;
}

function columnsOf(moment: (iso: string | null) => string): Column<Row>[] {
  const { event, time, does, note } = words.columns;
  return [
    {
      id: 'event',
      header: event,
      value: ({ title }) => title.trim() || words.noTitle,
      minWidth: 170,
      wrap: true,
    },
    {
      id: 'time',
      header: time,
      // Sorted as a moment, shown as the person reads it.
      value: ({ start_at }) => start_at ?? '',
      cell: ({ start_at }) => moment(start_at),
      width: '172px',
      minWidth: 150,
      searchable: false,
    },
    { id: 'does', header: does, value: doesWords, minWidth: 200, wrap: true },
    { id: 'note', header: note, value: noteWords, minWidth: 200, wrap: true },
  ];
}
