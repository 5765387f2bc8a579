/**
 * The calendar file of one event (OP-101), created from LMS Admin's own data, because Zoom's address for it is
 * unknown.
 */
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { shown } from '@lms-admin/domain/timetable-feed';
import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod } from 'ical-generator';
import { momentIn } from '../platform/moment.ts';
import type { CalendarEvent } from './calendar-event.ts';

export interface IcsFacts {
  event: CalendarEvent;
  /** The same event as sent to the browser. */
  known: ZoomEvent;
  /** Host name of the LMS, used in identifiers. */
  host: string;
  /** Name of the host of the meeting. */
  organiser: string;
  /** The latest change of the event, its record, or its meeting. */
  changedAt: Date;
}

const SINCE = Date.UTC(2020, 0, 1);
const HOUR_MS = 3_600_000;

/** Returns the text of the file: one event, in UTC, since local time repeats one hour in autumn. */
export function icsText({ event, known, host, organiser, changedAt }: IcsFacts): string {
  const link = known.zoom_link ?? '';
  const start = new Date(event.start_at ?? 0);
  const end = new Date(event.end_at ?? start.getTime() + HOUR_MS);
  const calendar = ical({
    prodId: { company: 'LMS Admin', product: 'Zoom Creation', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `${uidOf(event, known)}@${host}`,
    sequence: Math.max(0, Math.floor((changedAt.getTime() - SINCE) / 1_000)),
    stamp: changedAt,
    start,
    end,
    summary: printable(event.title) || 'Zoom',
    location: [printable(event.location_name ?? ''), link].filter(Boolean).join(', '),
    description: `Zoom: ${link}`,
    url: link,
    ...(known.zoom_owner === null
      ? {}
      : { organizer: { name: quotable(organiser) || known.zoom_owner, email: known.zoom_owner } }),
    attendees: known.zoom_alternative_host
      .split(',')
      .filter(Boolean)
      .map((email) => ({
        email,
        name: email,
        role: ICalAttendeeRole.OPT,
        status: ICalAttendeeStatus.NEEDSACTION,
      })),
  });
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** Returns a file name that every system accepts. @param zone time zone for the date in it (IANA); null for UTC */
export function icsName({ title, start_at }: CalendarEvent, zone: string | null): string {
  const day = momentIn(zone)(start_at ?? '').slice(0, 10);
  const plain = printable(title)
    .replace(/[\\/:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);
  return `${[plain || 'Event', day].filter(Boolean).join(' ')}.ics`;
}

/** Returns an identifier of the occasion, the same for any event that represents it. */
function uidOf(event: CalendarEvent, { te_reservation_id: reservation }: ZoomEvent): string {
  const place = event.context_code.replaceAll('_', '-');
  return reservation === null ? `event-${event.id}` : `reservation-${reservation}-${place}`;
}

function printable(text: string): string {
  return shown(text.replace(/\p{Cc}/gu, ' '));
}

/** Removes quotes: names of people are quoted in the file, and quotes cannot be escaped there. */
function quotable(text: string): string {
  return printable(text.replaceAll('"', ' '));
}
