import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Link from '@mui/material/Link';
import type { Column } from '../../components/DataTable/types.ts';
import { CoHosts, Download, MeetingLink, Quiet, Visibility, visibilityOf } from './cells.tsx';
import type { EventRow } from './event-rows.ts';
import { texts } from './texts.ts';

const names = zoomCreationMessages.columns;

export interface ColumnsOf {
  /** Address of the LMS; null until it is known. */
  lms: string | null;
  /** Time zone of the displayed times. */
  zone: string;
  times: (row: EventRow['event']) => string;
  /** Name of a host. */
  host: (email: string) => string;
  onUnmerge: (row: EventRow) => void;
}

/** Formats the time of an event; an event with separate section times has no overall time. */
export function timeOf({ event, rows }: EventRow, times: ColumnsOf['times']): string {
  if (event.hidden && rows.some(({ kind }) => kind === 'section')) return texts.bySection;
  return times(event) || texts.noDate;
}

/** Creates the nine columns (ZC-07): together no wider than a window of 1280 pixels. */
export function columnsOf(of: ColumnsOf): readonly Column<EventRow>[] {
  return [...eventColumns(of), ...meetingColumns(of)];
}

/** Links the number of the event to its page, if the event has one. */
function linkedId({ event, title }: EventRow, address: string | null, tabIndex: number) {
  if (address === null) return String(event.id);
  return (
    <Link
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={tabIndex}
      aria-label={texts.opensEvent(event.id, title)}
    >
      {event.id}
    </Link>
  );
}

/** Creates the columns about the event in the LMS and in the timetable. */
function eventColumns({ lms, times }: ColumnsOf): Column<EventRow>[] {
  return [
    {
      id: 'id',
      header: names.id,
      value: ({ event }) => String(event.id),
      kind: 'id',
      width: '128px',
      minWidth: 128,
      cell: (row, tabIndex) => linkedId(row, eventAddress(row.event, lms), tabIndex),
    },
    {
      id: 'reservation',
      header: names.reservation,
      value: ({ event }) => event.te_reservation_id ?? event.time_edit_reservation_id,
      kind: 'id',
      width: '126px',
      minWidth: 126,
      cell: ({ event }) => event.te_reservation_id ?? event.time_edit_reservation_id ?? '',
    },
    {
      id: 'title',
      header: names.title,
      value: ({ title }) => title,
      wrap: true,
      minWidth: 142,
      cell: ({ title, kind, event, below }) =>
        kind === 'merged' && !below && event.zoom_parent_title !== null ? (
          <>
            {title} <Quiet>{texts.mergedWith(event.zoom_parent_title)}</Quiet>
          </>
        ) : (
          title
        ),
    },
    {
      id: 'time',
      header: names.time,
      value: ({ event }) => event.start_at,
      wrap: true,
      searchable: false,
      width: '152px',
      minWidth: 152,
      cell: (row) => timeOf(row, times),
    },
  ];
}

/** Creates the columns about the event's meeting in Zoom. */
function meetingColumns({ zone, host, onUnmerge }: ColumnsOf): Column<EventRow>[] {
  return [
    {
      id: 'link',
      header: names.link,
      value: ({ event }) => event.zoom_link,
      kind: 'id',
      width: '140px',
      minWidth: 140,
      cell: (row, tabIndex) => <MeetingLink row={row} tabIndex={tabIndex} />,
    },
    {
      id: 'host',
      header: names.host,
      value: (row) => (row.host === null ? null : `${host(row.host)}, ${row.host}`),
      width: '104px',
      minWidth: 104,
      cell: (row) => (row.host === null ? '' : host(row.host)),
    },
    {
      id: 'coHost',
      header: names.coHost,
      value: ({ coHosts }) => coHosts.join(', '),
      width: '124px',
      minWidth: 124,
      cell: ({ coHosts }) => <CoHosts emails={coHosts} host={host} />,
    },
    {
      id: 'visibility',
      header: names.visibility,
      value: ({ event }) => visibilityOf(event),
      width: '146px',
      minWidth: 146,
      cell: (row, tabIndex) => <Visibility row={row} tabIndex={tabIndex} onUnmerge={onUnmerge} />,
    },
    {
      id: 'ics',
      header: names.ics,
      value: ({ event }) => (event.ics === null ? zoomCreationMessages.noIcs : texts.ics),
      sortable: false,
      searchable: false,
      width: '120px',
      minWidth: 120,
      cell: (row, tabIndex) => <Download row={row} zone={zone} tabIndex={tabIndex} />,
    },
  ];
}

/** Returns the page of an event in the LMS; null if it is not a web address. */
function eventAddress({ html_url, id, context_code }: EventRow['event'], lms: string | null): string | null {
  if (html_url != null && /^https?:\/\//.test(html_url)) return html_url;
  return lms === null
    ? null
    : `${lms.replace(/\/$/, '')}/calendar?event_id=${id}&include_contexts=${encodeURIComponent(context_code)}`;
}
