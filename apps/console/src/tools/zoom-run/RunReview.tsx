import type { ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import { ROW_HEIGHT, WRAPPED_LINE } from '../../components/DataTable/styles.ts';
import type { Column } from '../../components/DataTable/types.ts';
import { knownZone, momentFormat, timesIn } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { Announcement, Sentence } from './Announcement.tsx';
import { countsOf, doesWords, failingOf, isNothing, noteWords, type ReportedEvent } from './review-words.ts';
import { texts } from './texts.ts';

const words = texts.review;
/** An event with its index: reservations of one slot share the slot's number. */
type Row = ReportedEvent & { place: number };
const rowKey = ({ place }: Row) => place;

/** What the run will do: the number of events, then each event that changes or needs attention. */
export function RunReview({ review }: { review: ZoomRunReview }) {
  const { told: reported, meetings, note, until } = review;
  const failing = failingOf(review);
  const sentence = isNothing(review) ? words.nothingToDo(review.events) : countsOf(review);
  const inZoom = words.meetings(meetings);
  return (
    <Announcement message={sentence}>
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
      {reported.length > 0 && <Events reported={reported} courseZone={until?.zone ?? null} />}
    </Announcement>
  );
}

/** @property courseZone null if unknown: the times are then in the reader's zone */
interface EventsProps {
  reported: readonly ReportedEvent[];
  courseZone: string | null;
}

/** Table of events with times in the course's zone, like those of the result in Activity. */
function Events({ reported, courseZone }: EventsProps) {
  const { time_zone } = useProfile().userProfile;
  const zone = knownZone(courseZone ?? time_zone);
  const rows = useMemo(() => reported.map((one, place): Row => ({ ...one, place })), [reported]);
  const columns = useMemo(() => {
    const all = columnsOf(momentFormat(zone));
    // An empty column would only waste space.
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

/** Characters of a note that fit on one line of its column in a narrow window. */
const LINE = 34;
const MOST_LINES = 8;

/** Returns the height of a row for the longest text, so that notes can be read in full. */
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
      // Sorted by time, displayed in words.
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
